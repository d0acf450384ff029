package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/awhost/awhost/bench/internal/machine"
)

// step is one measurement.
type step struct {
	number  int
	metrics map[string]float64 // package relay says which
	cpu     map[string]float64 // seconds of awhost's processes since the step before, by kind; the driver is not among them
}

// The kinds of processes; those of plugins are called as their blocks are.
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
	accept := exec.CommandContext(ctx, o.awhost, "init")
	accept.Dir = dir
	if out, err := accept.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("awhost init: %w\n%s", err, out)
	}
	var stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, o.awhost, "apply", "--json")
	// When this program is interrupted the host shall end in its own order.
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.Dir, cmd.Stderr = dir, &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	w := &watch{root: cmd.Process.Pid, kinds: map[int]string{cmd.Process.Pid: hostName}}
	readErr := w.readEvents(stdout)
	if o.profile {
		copyLog(dir)
	}
	if err := errors.Join(readErr, cmd.Wait()); err != nil {
		return nil, fmt.Errorf("awhost apply: %w\n%s", err, stderr.Bytes())
	}
	return w.steps, nil
}

// watch looks at the processes at the end of each step.
type watch struct {
	root  int
	kinds map[int]string
	last  map[string]float64 // CPU seconds so far, by kind
	steps []step
}

// line is the part of an event that is looked at; docs/json-events.md has them all.
type line struct {
	Type     string              `json:"type"`
	Instance string              `json:"instance"`
	PID      int                 `json:"pid"`
	Step     int                 `json:"step"`
	Metrics  map[string]*float64 `json:"metrics"`
	Outcome  string              `json:"outcome"`
	Reason   string              `json:"reason"`
}

// readEvents follows `apply --json` to its end.
func (w *watch) readEvents(in io.Reader) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 64<<10), 16<<20)
	finished := false
	for lines.Scan() {
		var l line
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			return fmt.Errorf("read an event: %w", err)
		}
		switch l.Type {
		case "plugin_state":
			if l.PID > 0 {
				w.kinds[l.PID] = kindOf(l.Instance)
			}
		case "step_finished":
			w.stepFinished(l)
		case "run_finished":
			finished = true
			if l.Outcome != "completed" {
				return fmt.Errorf("the run ended as %s: %s", l.Outcome, l.Reason)
			}
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	if !finished {
		return errors.New("the run ended without the event run_finished")
	}
	return nil
}

// stepFinished looks while the next step begins: with the loops that nothing of awhost takes part in.
func (w *watch) stepFinished(l line) {
	s := step{number: l.Step, metrics: map[string]float64{}, cpu: map[string]float64{}}
	for name, value := range l.Metrics {
		if value != nil {
			s.metrics[name] = *value
		}
	}
	now := w.used()
	for kind, seconds := range now {
		s.cpu[kind] = seconds - w.last[kind]
	}
	w.last, w.steps = now, append(w.steps, s)
}

// used is the CPU time of each kind of process so far. A plugin's own children, the driver, are left out.
func (w *watch) used() map[string]float64 {
	out, plugins := map[string]float64{}, map[int]bool{}
	for _, p := range machine.Tree(w.root) { // parents come first
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
