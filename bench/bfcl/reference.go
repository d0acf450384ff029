package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"

	"github.com/awhost/awhost/plugins/bfcl-env/measure"
)

// figure is a rate measured by the reference program.
type figure struct {
	rate     float64 // 0: not available
	recorded bool    // earlier, on another machine
}

// printWithReference prints a rate next to the reference's rate.
func (f figure) printWithReference(name, unit string, rate float64) {
	switch {
	case f.rate == 0:
		fmt.Printf("  %-34s %12.0f  %12s  %8s  %s/s; not measured: see -envtuning\n", name, rate, "-", "-", unit)
	case f.recorded:
		f.print(name, unit, rate, "recorded on a 2-core VM")
	default:
		f.print(name, unit, rate, "measured in this run")
	}
}

func (f figure) print(name, unit string, rate float64, note string) {
	fmt.Printf("  %-34s %12.0f  %12.0f  %7.1fx  %s/s; %s\n", name, rate, f.rate, rate/f.rate, unit, note)
}

// reference holds the rates of the Python programs per second of CPU time on one thread.
type reference struct{ Calls, Checks, Dialogue figure }

// The recorded results are from Python 3.11 on a 2-core VM. EnvTuning's loop has no recorded result: it is measured in
// the same run or omitted.
var recorded = reference{Calls: figure{16200, true}, Checks: figure{1404, true}}

// measureReference runs the programs that measure BFCL's own code and EnvTuning's.
func measureReference(ctx context.Context, o options) (reference, error) {
	out := recorded
	if o.reference == "" {
		return out, nil
	}
	var measured struct{ Calls, Checks, Messages float64 }
	if err := ask(ctx, o, nil, &measured, strconv.Itoa(o.repeat)); err != nil {
		return out, err
	}
	if measured.Calls <= 0 || measured.Checks <= 0 {
		return out, fmt.Errorf("%s reports no calls or checks per second", o.reference)
	}
	out.Calls, out.Checks = figure{rate: measured.Calls}, figure{rate: measured.Checks}
	if o.envtuning == "" {
		return out, nil
	}
	older, err := measure.Open(o.older, "v3")
	if err != nil {
		return out, err
	}
	var dialogues bytes.Buffer
	if err := older.WriteDialogues(&dialogues); err != nil {
		return out, err
	}
	if err := ask(ctx, o, &dialogues, &measured, "envtuning", o.envtuning, strconv.Itoa(o.repeat)); err != nil {
		return out, err
	}
	if measured.Messages <= 0 {
		return out, fmt.Errorf("%s envtuning reports no messages per second", o.reference)
	}
	out.Dialogue = figure{rate: measured.Messages}
	return out, nil
}

// ask runs the reference program, which prints one JSON object.
func ask(ctx context.Context, o options, in io.Reader, answer any, arguments ...string) error {
	cmd := exec.CommandContext(ctx, o.reference, arguments...)
	var stdout bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, &stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("measure the reference with %s: %w", o.reference, err)
	}
	if err := json.Unmarshal(stdout.Bytes(), answer); err != nil {
		return fmt.Errorf("%s printed %q: want one JSON object: %w", o.reference, stdout.Bytes(), err)
	}
	return nil
}
