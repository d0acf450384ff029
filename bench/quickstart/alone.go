package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"time"

	"github.com/awhost/awhost/bench/internal/oneprocess"
	"github.com/awhost/awhost/plugins/calculator"
	formatreward "github.com/awhost/awhost/plugins/format-reward"
	gaiareward "github.com/awhost/awhost/plugins/gaia-reward"
	"github.com/awhost/awhost/plugins/local"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/metric"
)

// The baseline is the spec's recipe in one process: the same trainer, environment and rewards, called as Go functions
// (see package oneprocess).

// aloneResult is the result of the baseline.
type aloneResult struct {
	SuccessBefore float64 `json:"success_before"`
	SuccessAfter  float64 `json:"success_after"`
	WallSeconds   float64 `json:"wall_seconds"`
	CPUSeconds    float64 `json:"cpu_seconds"`
	PeakMemory    int64   `json:"peak_memory_bytes"`
	Times         times   `json:"times"`
	Turns         int     `json:"turns"`
}

// startAlone runs the baseline in a separate process, so that its memory is measured separately.
func startAlone(ctx context.Context, o options, seed int) (*aloneResult, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	args := []string{"-alone", "-spec", o.spec, "-seeds", strconv.Itoa(seed), "-steps", strconv.Itoa(o.steps)}
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	watched := watchTree(cmd.Process.Pid)
	text, readErr := io.ReadAll(stdout)
	usage := watched.stop()
	if err := cmd.Wait(); err != nil {
		return nil, fmt.Errorf("the recipe in one process: %w", err)
	}
	wall := time.Since(began)
	if readErr != nil {
		return nil, readErr
	}
	out := &aloneResult{}
	if err := json.Unmarshal(text, out); err != nil {
		return nil, fmt.Errorf("read what the recipe in one process printed: %w", err)
	}
	out.WallSeconds, out.PeakMemory = wall.Seconds(), usage.peak
	out.CPUSeconds = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	return out, nil
}

// printAlone runs the baseline in that process and prints the result.
func printAlone(ctx context.Context, o options) error {
	out, err := trainAlone(ctx, o.spec, variables(o, o.seeds[0]))
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(out)
}

// trainAlone trains from a spec, without a host.
func trainAlone(ctx context.Context, path string, vars map[string]string) (*aloneResult, error) {
	began := time.Now()
	plugins := []sdk.Plugin{calculator.Plugin(), formatreward.Plugin(), gaiareward.Plugin(), local.Plugin()}
	r, err := oneprocess.Load(ctx, path, oneprocess.Config{Plugins: plugins, Vars: vars})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	watch := stopwatch{since: time.Now()}
	trained, err := r.Train(ctx, watch.take)
	if err != nil {
		return nil, err
	}
	return &aloneResult{
		SuccessBefore: trained.Before, SuccessAfter: trained.After, WallSeconds: time.Since(began).Seconds(),
		Times: watch.times, Turns: trained.Turns,
	}, nil
}

// stopwatch times a trainer's phases, as story does.
type stopwatch struct {
	times times
	phase string
	since time.Time
}

func (s *stopwatch) take(e sdk.TrainEvent) error {
	if m := e.Metrics; m != nil {
		s.times.Rollout += m.Values[metric.RolloutSeconds]
		s.times.Update += m.Values[metric.UpdateSeconds]
	}
	p := e.Phase
	if p == nil {
		return nil
	}
	now := time.Now()
	if p.Name != s.phase {
		if p.Name != "warm_start" {
			s.since = now
		}
		s.phase = p.Name
	}
	if !p.Ended {
		return nil
	}
	switch p.Name {
	case "warm_start":
		s.times.WarmStart += now.Sub(s.since).Seconds()
	case "validation":
		s.times.Validation += now.Sub(s.since).Seconds()
	}
	s.phase = ""
	return nil
}
