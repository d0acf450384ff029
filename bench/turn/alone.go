package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"github.com/awhost/awhost/bench/internal/oneprocess"
	"github.com/awhost/awhost/bench/turn/policy"
	"github.com/awhost/awhost/plugins/calculator"
	"github.com/awhost/awhost/sdk"
)

// startAlone runs the baseline in a separate process, so that its memory and CPU time are measured separately.
func startAlone(ctx context.Context, o options, scratch string, s scenario, wire bool) (_ *measured, err error) {
	dir, err := os.MkdirTemp(scratch, "alone-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := s.write(o, dir, false); err != nil {
		return nil, err
	}
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, o.self, "-alone", dir, "-last-step", strconv.Itoa(s.lastStep()),
		fmt.Sprintf("-wire=%t", wire))
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("the loop in one process: %w\n%s", err, stderr.Bytes())
	}
	out := &measured{}
	if err := json.Unmarshal(stdout.Bytes(), out); err != nil {
		return nil, fmt.Errorf("read the output of the loop in one process: %w", err)
	}
	return out, nil
}

// printAlone runs the baseline in that process and prints the result.
func printAlone(ctx context.Context, dir string, lastStep int, wire bool) error {
	out, err := runAlone(ctx, dir, lastStep, wire)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(out)
}

// runAlone trains in this process and measures between the same boundaries.
func runAlone(ctx context.Context, dir string, lastStep int, wire bool) (*measured, error) {
	w, before := newWatch(os.Getpid(), lastStep), oneprocess.Counts{}
	r, err := oneprocess.Load(ctx, filepath.Join(dir, "train.hcl"), oneprocess.Config{
		Plugins: []sdk.Plugin{calculator.Plugin(), policy.Plugin()}, Wire: wire,
		Boundary: func(step int, so oneprocess.Counts) {
			w.look(step, so.Episodes-before.Episodes, so.Turns-before.Turns, time.Now())
			before = so
		},
	})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	_, err = r.Train(ctx, func(sdk.TrainEvent) error { return nil })
	return w.measured(), err
}
