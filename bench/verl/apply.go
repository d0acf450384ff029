package main

import (
	"context"
	"maps"
	"os"
	"path/filepath"

	"github.com/awhost/awhost/bench/internal/awhost"
	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/internal/processes"
)

// step is one measurement.
type step struct {
	number  int
	metrics map[string]float64 // defined in package relay
	cpu     map[string]float64 // CPU seconds of awhost's processes since the previous step, by kind, without the driver
}

// The kinds of processes. A plugin process has the same name as its block.
const (
	hostName  = "host"
	guardName = "guard"
)

// measureApply accepts the plugin and trains.
func measureApply(ctx context.Context, o options, scratch string) ([]step, error) {
	dir := filepath.Join(scratch, "run")
	if err := os.Mkdir(dir, 0o755); err != nil {
		return nil, err
	}
	if err := o.write(dir); err != nil {
		return nil, err
	}
	if err := awhost.Init(ctx, o.awhost, dir); err != nil {
		return nil, err
	}
	w := &watch{kinds: map[int]string{}}
	_, err := awhost.Apply(ctx, o.awhost, dir, w)
	if o.profile {
		copyLog(dir)
	}
	if err != nil {
		return nil, err
	}
	return w.steps, nil
}

// watch samples the processes at the end of each step.
type watch struct {
	root  int
	kinds map[int]string
	last  map[string]float64 // CPU seconds so far, by kind
	steps []step
}

// Started implements awhost.Observer.
func (w *watch) Started(pid int) { w.root, w.kinds[pid] = pid, hostName }

// Take implements awhost.Observer. It samples the processes while the next step begins with loops that do not involve
// awhost.
func (w *watch) Take(e event.Event) {
	switch p := e.Payload.(type) {
	case event.PluginState:
		if p.PID > 0 {
			w.kinds[p.PID] = kindOf(p.Instance)
		}
	case event.StepFinished:
		s := step{number: p.Step, metrics: maps.Clone(p.Metrics), cpu: map[string]float64{}}
		now := w.used()
		for kind, seconds := range now {
			s.cpu[kind] = seconds - w.last[kind]
		}
		w.last, w.steps = now, append(w.steps, s)
	}
}

// used returns the CPU time of each kind of process so far. A plugin's own children, the driver, are excluded.
func (w *watch) used() map[string]float64 {
	out, plugins := map[string]float64{}, map[int]bool{}
	for _, p := range processes.Tree(w.root) { // parents come first
		kind, known := w.kinds[p.PID]
		switch {
		case plugins[p.Parent]:
			plugins[p.PID] = true
			continue
		case !known:
			kind = guardName
		case p.PID != w.root:
			plugins[p.PID] = true
		}
		out[kind] += p.CPU
	}
	return out
}
