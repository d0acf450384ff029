package main

import (
	"context"
	"errors"
	"math"
	"os"
	"time"

	"github.com/awhost/awhost/bench/internal/awhost"
	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/sdk/metric"
)

// measured is the result of one run, from the boundary after the warm-up to the final boundary.
type measured struct {
	Episodes    int       `json:"episodes"`
	Turns       int       `json:"turns"`
	WallSeconds float64   `json:"wall_seconds"`
	CPU         usage     `json:"cpu_seconds"` // by process
	Memory      []reading `json:"memory"`      // at each boundary
}

// usage holds a number for each process, keyed by name.
type usage map[string]float64

func (u usage) sum() (total float64) {
	for _, v := range u {
		total += v
	}
	return total
}

// perTurn returns the CPU time per turn in milliseconds.
func (m *measured) perTurn() float64 { return 1000 * m.CPU.sum() / float64(max(1, m.Turns)) }

// measureApply accepts the plugin and trains.
func measureApply(ctx context.Context, o options, scratch string, s scenario) (_ *measured, err error) {
	dir, err := os.MkdirTemp(scratch, "run-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := s.write(o, dir, true); err != nil {
		return nil, err
	}
	if err := awhost.Init(ctx, o.awhost, dir); err != nil {
		return nil, err
	}
	w := newWatch(0, s.lastStep())
	if _, err := awhost.Apply(ctx, o.awhost, dir, w); err != nil {
		return nil, err
	}
	return w.measured(), nil
}

// Started implements awhost.Observer.
func (w *watch) Started(pid int) { w.root = pid }

// Take implements awhost.Observer. It samples the processes at the end of each step.
func (w *watch) Take(e event.Event) {
	switch p := e.Payload.(type) {
	case event.PluginState:
		if p.PID > 0 {
			w.names[p.PID] = p.Instance
		}
	case event.StepFinished:
		turns := 0
		if mean := p.Metrics[metric.Turns]; !math.IsNaN(mean) {
			turns = int(math.Round(mean * float64(p.Episodes)))
		}
		w.look(p.Step, p.Episodes, turns, time.Now())
	}
}
