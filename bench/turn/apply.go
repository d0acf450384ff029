package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// measured is what one run came to, from the boundary after the warm-up to the last.
type measured struct {
	Episodes    int       `json:"episodes"`
	Turns       int       `json:"turns"`
	WallSeconds float64   `json:"wall_seconds"`
	CPU         usage     `json:"cpu_seconds"` // by process
	Memory      []reading `json:"memory"`      // at each boundary
}

// usage is a number for each process, by its name.
type usage map[string]float64

func (u usage) sum() (total float64) {
	for _, v := range u {
		total += v
	}
	return total
}

// perTurn is CPU milliseconds.
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
	w := newWatch(cmd.Process.Pid, s.lastStep(o.step))
	readErr := w.readEvents(stdout)
	if err := cmd.Wait(); err != nil {
		return nil, fmt.Errorf("awhost apply in %s: %w\n%s", filepath.Base(dir), err, stderr.Bytes())
	}
	if readErr != nil {
		return nil, readErr
	}
	return w.measured(), nil
}

// line is the part of an event that is looked at; docs/json-events.md has them all.
type line struct {
	Type     string              `json:"type"`
	Instance string              `json:"instance"`
	PID      int                 `json:"pid"`
	Step     int                 `json:"step"`
	Episodes int                 `json:"episodes"`
	Metrics  map[string]*float64 `json:"metrics"`
	Outcome  string              `json:"outcome"`
	Reason   string              `json:"reason"`
}

// readEvents follows `apply --json` to its end.
func (w *watch) readEvents(in io.Reader) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 64<<10), 16<<20)
	for lines.Scan() {
		var l line
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			return fmt.Errorf("read an event: %w", err)
		}
		switch l.Type {
		case "plugin_state":
			if l.PID > 0 {
				w.names[l.PID] = l.Instance
			}
		case "step_finished":
			w.boundary(l)
		case "run_finished":
			w.finished = true
			if l.Outcome != "completed" {
				return fmt.Errorf("the run ended as %s: %s", l.Outcome, l.Reason)
			}
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	if !w.finished {
		return errors.New("the run ended without the event run_finished")
	}
	return nil
}

// boundary looks at the processes when a step is over.
func (w *watch) boundary(l line) {
	turns := 0
	if mean := l.Metrics["train/turns"]; mean != nil {
		turns = int(math.Round(*mean * float64(l.Episodes)))
	}
	w.look(l.Step, l.Episodes, turns, time.Now())
}
