package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"strconv"
	"time"

	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/sdk"
)

// The baseline is the recipe of the spec in one process: the same trainer, environment and rewards, called as Go
// functions. There is no protocol, no journal, no supervision, no retry and no event. Seeds are drawn in another way, so
// that the weights differ from those of a run; what is compared is time, memory and how well it learns.

// aloneResult is what the baseline came to.
type aloneResult struct {
	SuccessBefore float64 `json:"success_before"`
	SuccessAfter  float64 `json:"success_after"`
	WallSeconds   float64 `json:"wall_seconds"`
	CPUSeconds    float64 `json:"cpu_seconds"`
	PeakRSS       int64   `json:"peak_rss_bytes"`
	Times         times   `json:"times"`
	Turns         int     `json:"turns"`
}

// startAlone runs the baseline in a process of its own, so that its memory is its own.
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
	out.WallSeconds, out.PeakRSS = wall.Seconds(), usage.peak
	out.CPUSeconds = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	return out, nil
}

// printAlone is that process.
func printAlone(ctx context.Context, o options) error {
	out, err := trainAlone(ctx, o.spec, variables(o, o.seeds[0]))
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(out)
}

// trainAlone trains what a spec declares, without a host.
func trainAlone(ctx context.Context, path string, vars map[string]string) (*aloneResult, error) {
	began := time.Now()
	r, err := loadRecipe(ctx, path, vars)
	if err != nil {
		return nil, err
	}
	defer r.close()
	checkpoints, err := os.MkdirTemp("", "awhost-bench-alone-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(checkpoints)
	req := sdk.TrainRequest{
		LaunchID: "alone", Stage: r.stage.Name, Config: r.adapterConfig, Knobs: r.stage.Knobs, FirstStep: 1, CheckpointDir: checkpoints,
		TrainTasks: r.train.Len(), ValidationTasks: r.validation.Len(),
	}
	h := newDirectHost(r)
	watch := stopwatch{since: time.Now()}
	if err := r.adapter.Train(ctx, req, h, watch.take); err != nil {
		return nil, err
	}
	return &aloneResult{
		SuccessBefore: h.before, SuccessAfter: h.after, WallSeconds: time.Since(began).Seconds(), Times: watch.times, Turns: int(h.turns.Load()),
	}, nil
}

// stopwatch times the phases of a trainer as readEvents does.
type stopwatch struct {
	times times
	phase string
	since time.Time
}

func (s *stopwatch) take(e sdk.TrainEvent) error {
	if m := e.Metrics; m != nil {
		s.times.Rollout += m.Values["train/rollout_seconds"]
		s.times.Update += m.Values["train/update_seconds"]
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

// newComponents makes the plugins of the recipe, in this process.
func (r *recipe) newComponents(ctx context.Context, s *spec.Spec) error {
	for _, address := range s.Reachable(r.name) {
		b := s.Blocks[address]
		setup := sdk.Setup{Config: b.Config, RunID: "alone", Incarnation: 1, Log: slog.New(slog.DiscardHandler)}
		var err error
		switch b.Kind {
		case "environment":
			r.environment, err = newEnvironment(ctx, b.Type, setup)
		case "reward":
			r.rewards[address], err = newReward(ctx, b.Type, setup)
		case "adapter":
			r.adapterConfig = b.Config
			r.adapter, err = newAdapter(ctx, b.Type, setup)
		case "agent":
			err = json.Unmarshal(b.Config, &r.agent)
		case "dataset":
			r.data[address], err = openDataset(b)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", address, err)
		}
	}
	return nil
}
