// Package policy is an adapter plugin whose policy answers at once: it computes the answers that a well-trained policy
// would give. A run's cost with this policy is therefore the cost of everything except a policy.
//
//	adapter "instant" "policy" { turns = 2 }
//
// It requests the samples of each step concurrently, like a trainer, reports the used episodes, and writes a
// checkpoint of one small file. It uses the protocol and does not depend on the host.
package policy

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sync/errgroup"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/schema"
)

// Plugin describes the plugin to sdk.Serve.
func Plugin() sdk.Plugin {
	return sdk.Plugin{
		Name: "instant", Version: "1.0.0",
		Adapters: []sdk.AdapterComponent{{
			Component: sdk.Component{
				Type: "instant", Description: "Requests episodes like a trainer and answers immediately.",
				Schema: schema.Block{Attributes: []schema.Attribute{
					schema.Number("turns", "assistant messages of an episode: tool calls, and the answer").Default(2).AtLeast(2),
					schema.Integer("text", "bytes of text in a message").Default(0).AtLeast(0),
				}},
			},
			Capabilities: capabilities,
			New: func(_ context.Context, setup sdk.Setup) (sdk.Adapter, error) {
				a := &adapter{}
				if err := setup.Decode(a); err != nil {
					return nil, err
				}
				a.said = words(a.Text)
				return a, nil
			},
		}},
		Environments: []sdk.EnvironmentComponent{environmentComponent()},
	}
}

var capabilities = sdk.AdapterCapabilities{
	TokenCustody: "trainer", RowsPerEpisode: "many", Unscorable: "exact", GroupSemantics: true, GroupOfOne: "zero",
	Credit:        []string{"episode"},
	SamplingOwned: []string{"temperature", "max_tokens", "seed"}, Modalities: []string{"text"}, StepBarrier: true,
	Resume: true,
	Scale:  []string{"process"},
}

// adapter is a trainer that does not learn.
type adapter struct {
	Turns int `json:"turns"`
	Text  int `json:"text"`

	said string
}

// Plan implements sdk.Adapter.
func (a *adapter) Plan(_ context.Context, req sdk.PlanRequest) (*sdk.PlanResponse, error) {
	out := &sdk.PlanResponse{Capabilities: capabilities}
	for _, stage := range req.Stages {
		for _, knob := range stage.Knobs.Set {
			out.Knobs = append(out.Knobs, sdk.KnobMapping{Knob: knob, Key: knob})
		}
	}
	return out, nil
}

// Train implements sdk.Adapter.
func (a *adapter) Train(ctx context.Context, req sdk.TrainRequest, host sdk.Host,
	emit func(sdk.TrainEvent) error) error {
	step := req.FirstStep
	for done := req.StepsDone; done < *req.Knobs.Steps; done++ {
		used, err := a.rollouts(ctx, req, host, step, done)
		if err != nil {
			return fmt.Errorf("rollouts of step %d: %w", step, err)
		}
		if err := emit(sdk.TrainEvent{Consumed: &sdk.ConsumedEvent{Step: step, Episodes: used}}); err != nil {
			return err
		}
		if err := checkpoint(req, step, emit); err != nil {
			return err
		}
		answer, err := host.StepBoundary(ctx, sdk.StepBoundaryRequest{LaunchID: req.LaunchID, Stage: req.Stage, Step: step})
		if err != nil {
			return err
		}
		if answer.Directive != sdk.DirectiveContinue {
			return emit(sdk.TrainEvent{Finished: &sdk.FinishedEvent{Outcome: sdk.FinishedStopped, Reason: answer.Reason,
				Step: step}})
		}
		step++
	}
	return emit(sdk.TrainEvent{Finished: &sdk.FinishedEvent{Outcome: sdk.FinishedCompleted, Step: step - 1}})
}

// rollouts runs a step's samples at the host's concurrency.
func (a *adapter) rollouts(ctx context.Context, req sdk.TrainRequest, host sdk.Host, step,
	done int) ([]sdk.ConsumedEpisode, error) {
	prompts, size := *req.Knobs.Batch.Prompts, *req.Knobs.Batch.GroupSize
	used := make([]sdk.ConsumedEpisode, prompts*size)
	group, running := errgroup.WithContext(ctx)
	group.SetLimit(max(1, req.Knobs.Concurrency))
	for i := range used {
		if running.Err() != nil {
			break
		}
		group.Go(func() error {
			episode := sdk.EpisodeRequest{
				EpisodeID: fmt.Sprintf("%s/t%06d/g%04d/s%03d", req.LaunchID, step, i/size, i%size),
				GroupID:   fmt.Sprintf("g%04d", i/size),
				GroupSize: size, SampleIndex: i % size, DatasetIndex: done*prompts + i/size, Stage: req.Stage,
				Split: sdk.SplitTrain, Step: step,
			}
			result, err := host.RunEpisode(running, episode)
			if err != nil {
				return err
			}
			if result.Outcome != sdk.OutcomeScored || result.IsSuccess == nil || !*result.IsSuccess {
				return fmt.Errorf("episode %s is %s, not a success", result.EpisodeID, result.Outcome)
			}
			used[i] = sdk.ConsumedEpisode{EpisodeID: episode.EpisodeID, Use: sdk.ConsumedTrained}
			return nil
		})
	}
	return used, group.Wait()
}

// checkpoint writes a checkpoint for the host to commit.
func checkpoint(req sdk.TrainRequest, step int, emit func(sdk.TrainEvent) error) error {
	dir := filepath.Join(req.CheckpointDir, fmt.Sprintf("step-%06d", step))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "step"), fmt.Append(nil, step), 0o644); err != nil {
		return err
	}
	return emit(sdk.TrainEvent{Checkpoint: &sdk.CheckpointEvent{Step: step, Path: dir,
		Digest: fmt.Sprintf("step-%d", step)}})
}

// Control implements sdk.Adapter.
func (a *adapter) Control(context.Context, sdk.ControlRequest) error { return nil }

var _ sdk.Adapter = (*adapter)(nil)
