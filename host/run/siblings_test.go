package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/awhost/awhost/host/agent"
	"github.com/awhost/awhost/host/plan"
	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/sdk"
)

// oneTask is a dataset with a single task.
type oneTask struct{}

func (oneTask) TaskAt(sdk.Split, int) (sdk.Task, error) {
	return sdk.Task{ID: "t", Public: json.RawMessage(`{"prompt":"2+3?"}`)}, nil
}

func (o oneTask) TaskByID(split sdk.Split, _ string) (sdk.Task, bool) {
	task, err := o.TaskAt(split, 0)
	return task, err == nil
}

// sampler always returns the same message, or fails.
type sampler struct{ fails bool }

func (s sampler) Generate(_ context.Context, req sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
	if s.fails {
		return nil, errors.New("the model is gone")
	}
	return &sdk.GenerateResponse{
		Message: sdk.Message{Role: sdk.RoleAssistant, Content: "5"}, Finish: sdk.FinishStop, OutputTokens: 1,
		Chain: "chain-" + req.CallID, ChainLength: req.Base + len(req.Messages) + 1, ChainDigest: "d",
	}, nil
}

// recorder records only the episodes of a launch.
type recorder struct {
	*trainCall
	mu sync.Mutex
}

func (r *recorder) Attempt(*rollout.AttemptRecord) error { return nil }

func (r *recorder) Episode(e *rollout.EpisodeRecord) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, err := r.run.Writer.AppendEpisode(context.Background(), r.records().Episode(e))
	return err
}

// hostOf returns a launch that has only an engine and a journal. A wait for siblings that are not requested ends
// after a minute, and the record then reports that it depends on the time.
func hostOf(t *testing.T, w *runstore.Writer, lone, then sdk.FailureAction, model sampler) *trainCall {
	t.Helper()
	config := Config{Writer: w, Plan: &plan.Plan{Train: &spec.Train{}}}
	l := &trainCall{run: &runner{Config: config, secrets: (&spec.Spec{}).Redactor()}, id: "l1"}
	var err error
	l.engine, err = rollout.New(rollout.Options{RunSeed: 1, Sink: &recorder{trainCall: l}, SiblingTimeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.engine.Close(context.Background()) })
	solver, err := agent.NewReact(agent.Settings{Name: "react.solver", MaxTurns: 1})
	if err != nil {
		t.Fatal(err)
	}
	policy := rollout.DefaultPolicy()
	policy[sdk.FailureModel] = rollout.ClassPolicy{Actions: []sdk.FailureAction{then}}
	err = l.engine.Configure(rollout.StageSetup{
		Name: "full", Tasks: oneTask{}, Agent: solver, Concurrency: 4, Policy: policy, LoneSurvivor: lone,
		Generator: rollout.GeneratorBinding{Address: "adapter.fake.a", Generator: model},
		Compose: func(rollout.ComposeInputs) (rollout.ComposeResult, error) {
			return rollout.ComposeResult{Reward: 1}, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// ask requests samples without sample indexes concurrently.
func (l *trainCall) ask(t *testing.T, from, to int) []*sdk.EpisodeResult {
	t.Helper()
	results := make([]*sdk.EpisodeResult, to-from)
	var asked sync.WaitGroup
	for i := range results {
		asked.Go(func() {
			var err error
			results[i], err = l.engine.RunEpisode(t.Context(), sdk.EpisodeRequest{
				EpisodeID: fmt.Sprintf("e%d", from+i), GroupID: "g", GroupSize: 4, SampleIndex: sdk.SampleByArrival, Stage: "full",
				Split: sdk.SplitTrain, Step: 1,
			})
			if err != nil {
				t.Error(err)
				results[i] = &sdk.EpisodeResult{}
			}
		})
	}
	asked.Wait()
	return results
}

// Episodes that counted at a boundary before the host died still affect the rest of their group.
func TestReattach_KnowsTheSiblingsThatHaveCounted(t *testing.T) {
	for name, row := range map[string]struct {
		before     int // samples that fail before the boundary; the others are requested after it
		then, lone sdk.FailureAction
	}{
		"one that takes its group":         {before: 1, then: sdk.ActionDropGroup},
		"episodes of the remaining sample": {before: 3, then: sdk.ActionMask, lone: sdk.ActionDropGroup},
	} {
		t.Run(name, func(t *testing.T) {
			w, err := runstore.At(t.TempDir(), runstore.Options{}).Create(t.Context(), runstore.NewRun{
				Name: "siblings", Identity: "sha256:1", SpecPath: "train.hcl", Spec: json.RawMessage(`{}`), Protocol: 1,
			})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = w.Close(context.Background()) })
			if err := w.AppendLaunch(t.Context(), runstore.LaunchRecord{LaunchID: "l1", Stage: "full", FirstStep: 1,
				Outlives: true}); err != nil {
				t.Fatal(err)
			}
			first := hostOf(t, w, row.lone, row.then, sampler{fails: true})
			first.ask(t, 0, row.before)
			report := first.engine.Boundary(rollout.StepEnd{StepBoundaryRequest: sdk.StepBoundaryRequest{Stage: "full",
				Step: 1}})
			if report.Train.Episodes != row.before {
				t.Fatalf("%d episodes counted before, want %d", report.Train.Episodes, row.before)
			}
			if err := w.AppendBoundary(t.Context(), runstore.BoundaryRecord{LaunchID: "l1", Stage: "full", Step: 1,
				EventSeq: 1}); err != nil {
				t.Fatal(err)
			}

			next := hostOf(t, w, row.lone, row.then, sampler{})
			if next.trainer, err = w.LastTrainer(); err != nil {
				t.Fatal(err)
			}
			if err := next.resumeEngine(t.Context()); err != nil {
				t.Fatal(err)
			}
			for _, result := range next.ask(t, row.before, 4) {
				if !result.DropGroup {
					t.Errorf("%s: %s, which may be trained", result.EpisodeID, result.Outcome)
				}
			}
			end := rollout.StepEnd{StepBoundaryRequest: sdk.StepBoundaryRequest{Stage: "full", Step: 2}, Last: true}
			if got := next.engine.Boundary(end).Train; got.Episodes != 4-row.before || got.WallClock != 0 {
				t.Errorf("%d episodes count after, want %d; %d have waited for siblings in vain", got.Episodes, 4-row.before,
					got.WallClock)
			}
			numbers := map[int]string{}
			for e, err := range w.Episodes(t.Context()) {
				if err != nil {
					t.Fatal(err)
				}
				if other := numbers[e.Slot.Sample]; other != "" {
					t.Errorf("%s and %s both are sample %d", other, e.EpisodeID, e.Slot.Sample)
				}
				numbers[e.Slot.Sample] = e.EpisodeID
			}
		})
	}
}
