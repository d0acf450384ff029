//go:build linux

package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/process"
	"github.com/awhost/awhost/sdk/schema"
)

func init() {
	plays["orphan"] = orphan
	scriptCommands["trainers"] = trainers // trainers NUMBER [alone]: so many run, and nothing else
}

// orphan runs an adapter whose trainer outlives all other processes and trains nothing, or that trainer.
func orphan() {
	if len(os.Args) == 2 && os.Args[1] == "wait" {
		for {
			syscall.Pause()
		}
	}
	sdk.Serve(orphanPlugin())
}

func orphanPlugin() sdk.Plugin {
	capabilities := sdk.AdapterCapabilities{
		TokenCustody: "trainer", RowsPerEpisode: "one", Unscorable: "exact", Credit: []string{"episode"}, Resume: true,
		Recover: true, Scale: []string{"process"},
	}
	return sdk.Plugin{Name: "orphan", Version: "1.0.0", Adapters: []sdk.AdapterComponent{{
		Component: sdk.Component{Type: "orphan", Description: "Leaves its trainer behind.",
			Schema: schema.Block{Description: "Leaves its trainer behind."}},
		Capabilities: capabilities,
		New: func(_ context.Context, setup sdk.Setup) (sdk.Adapter, error) {
			return &orphanAdapter{capabilities: capabilities, dir: setup.Dir, over: make(chan sdk.FinishedOutcome, 1)}, nil
		},
	}}}
}

type orphanAdapter struct {
	capabilities sdk.AdapterCapabilities
	dir          string
	over         chan sdk.FinishedOutcome

	mu     sync.Mutex
	launch string
}

// Plan implements sdk.Adapter.
func (o *orphanAdapter) Plan(_ context.Context, req sdk.PlanRequest) (*sdk.PlanResponse, error) {
	out := &sdk.PlanResponse{Capabilities: o.capabilities}
	for _, stage := range req.Stages {
		for _, knob := range stage.Knobs.Set {
			out.Knobs = append(out.Knobs, sdk.KnobMapping{Knob: knob, Key: knob})
		}
	}
	return out, nil
}

// Train implements sdk.Adapter.
func (o *orphanAdapter) Train(ctx context.Context, req sdk.TrainRequest, _ sdk.Host,
	emit func(sdk.TrainEvent) error) error {
	cmd := exec.Command("/proc/self/exe", "wait")
	cmd.Args[0] = "orphan"
	if err := process.Detach(cmd, req.LaunchID); err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }()
	if err := emit(sdk.TrainEvent{Handle: &sdk.HandleEvent{Handle: []byte(req.LaunchID)}}); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(o.dir, "..", "..", "..", "..", "..", "trains"), nil, 0o644); err != nil {
		return err
	}
	return o.attend(ctx, req.LaunchID, emit)
}

// Recover implements sdk.AdapterWithRecover.
func (o *orphanAdapter) Recover(ctx context.Context, req sdk.RecoverRequest, _ sdk.Host,
	emit func(sdk.TrainEvent) error) error {
	return o.attend(ctx, req.LaunchID, emit)
}

func (o *orphanAdapter) attend(ctx context.Context, launch string, emit func(sdk.TrainEvent) error) error {
	o.mu.Lock()
	o.launch = launch
	o.mu.Unlock()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	misses := 0 // the kernel does not show the environment of a process that has just been started
	for {
		found, err := process.FindMarked(launch)
		if misses++; len(found) > 0 {
			misses = 0
		}
		if err != nil || misses > 10 {
			return errors.Join(err, sdk.ErrNoTrainer)
		}
		select {
		case outcome := <-o.over:
			if _, err := process.EndLaunch(ctx, launch); err != nil {
				return err
			}
			return emit(sdk.TrainEvent{Finished: &sdk.FinishedEvent{Outcome: outcome}})
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

// Control implements sdk.Adapter.
func (o *orphanAdapter) Control(_ context.Context, req sdk.ControlRequest) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.launch != req.LaunchID {
		return errors.New("nothing is being trained")
	}
	outcome := sdk.FinishedStopped
	if req.Action == sdk.ControlAbort {
		outcome = sdk.FinishedFailed
	}
	select {
	case o.over <- outcome:
	default:
	}
	return nil
}

// Generate implements sdk.Adapter.
func (o *orphanAdapter) Generate(context.Context, sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
	return nil, &sdk.GenerateError{Kind: sdk.GenerateEngine, Detail: "there is no policy"}
}

func trainers(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, !neg && (len(args) == 1 || len(args) == 2 && args[1] == "alone"), "trainers NUMBER [alone]")
	killAllLater(ts)
	until(ts, args[0]+" trainers", func() bool {
		n, all := 0, scriptProcesses(ts)
		for _, env := range all {
			for _, pair := range env {
				if len(pair) > len(process.EnvLaunch) && pair[:len(process.EnvLaunch)+1] == process.EnvLaunch+"=" {
					n++
				}
			}
		}
		return n == number(ts, args[0]) && (len(args) == 1 || len(all) == n)
	})
	awaitTheDying(ts)
}

var _ sdk.AdapterWithRecover = (*orphanAdapter)(nil)
