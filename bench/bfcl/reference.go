package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
)

// figure is a rate of the reference program.
type figure struct {
	rate     float64
	recorded bool // long ago, on another machine
}

// beside prints a rate beside the reference's.
func (f figure) beside(name, unit string, rate float64) {
	note := "measured in this run"
	if f.recorded {
		note = "recorded on a 2-core VM"
	}
	f.print(name, unit, rate, note)
}

func (f figure) print(name, unit string, rate float64, note string) {
	fmt.Printf("  %-34s %12.0f  %12.0f  %7.1fx  %s/s; %s\n", name, rate, f.rate, rate/f.rate, unit, note)
}

// reference is what the Python programs do in a second of CPU time on one thread.
type reference struct{ Calls, Checks, Dialogue figure }

// scaledBeside prints a rate beside what the recorded dialogue would reach on this machine, as far as the calls tell, if
// those were measured here.
func (r reference) scaledBeside(name, unit string, rate float64) {
	if r.Calls.recorded {
		return
	}
	speed := r.Calls.rate / recorded.Calls.rate
	figure{rate: r.Dialogue.rate * speed}.print(name, unit, rate, fmt.Sprintf("the recorded figure times %.2f, the speed of its calls here", speed))
}

// The recorded figures: Python 3.11 on a 2-core VM. EnvTuning's is that of episodes with mistakes, which is the higher of two.
var recorded = reference{Calls: figure{16200, true}, Checks: figure{1404, true}, Dialogue: figure{6800, true}}

// measureReference runs the program that measures BFCL's own code.
func measureReference(ctx context.Context, o options) (reference, error) {
	out := recorded
	if o.reference == "" {
		return out, nil
	}
	cmd := exec.CommandContext(ctx, o.reference, strconv.Itoa(o.repeat))
	var stdout bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return out, fmt.Errorf("measure the reference with %s: %w", o.reference, err)
	}
	var measured struct{ Calls, Checks float64 }
	if err := json.Unmarshal(stdout.Bytes(), &measured); err != nil || measured.Calls <= 0 || measured.Checks <= 0 {
		return out, fmt.Errorf("%s printed %q: want one JSON object with calls and checks a second: %v", o.reference, stdout.Bytes(), err)
	}
	out.Calls, out.Checks = figure{rate: measured.Calls}, figure{rate: measured.Checks}
	return out, nil
}
