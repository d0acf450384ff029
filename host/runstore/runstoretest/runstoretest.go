// Package runstoretest records runs without training, for tests and benchmarks of code that reads runs: runs of any
// length, and runs that grow while they are read.
//
//	run, err := runstoretest.Begin(ctx, store, runstoretest.Shape{Groups: 8, Samples: 8, Tasks: 4})
//	err = run.Step(ctx)     // a step with its episodes, its metrics and its checkpoint
//	err = run.Validate(ctx) // a pass over four tasks
//	err = run.Finish(ctx)
//
// All records are written by a runstore.Writer, like a host's records. The episodes have tools, rewards with
// components, some failures, and words for which a search can find them.
package runstoretest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/metric"
)

// Shape defines the contents of each step in a run.
type Shape struct {
	Groups, Samples int
	Tasks           int // of a validation pass
	Words           int // of the model in addition to its answer
	Uncommitted     int // steps between two steps with a checkpoint
}

// Run is a run that is being written.
type Run struct {
	Writer *runstore.Writer
	Shape  Shape
	Steps  int // number of completed steps

	launch   string
	sequence int // number of episodes
}

// Stage is the name of the stage in such runs.
const Stage = "main"

// Begin creates a run.
func Begin(ctx context.Context, store *runstore.Store, shape Shape) (*Run, error) {
	w, err := store.Create(ctx, runstore.NewRun{
		Name: "recorded", Identity: "sha256:1", SpecPath: "train.hcl", Protocol: 1, Spec: json.RawMessage(`{
			"trains": {"recorded": {"adapter": "adapter.local.grpo", "stages": [{"name": "main", "knobs": {"steps": 40},
			"reward": {"source": "reward.math.answer.score * 0.5"}}]}}}`),
	})
	if err != nil {
		return nil, err
	}
	r := &Run{Writer: w, Shape: shape}
	return r, r.Launch(ctx)
}

// Launch starts a trainer at the newest checkpoint. Later records are superseded.
func (r *Run) Launch(ctx context.Context) error {
	r.Steps = 0
	if tip := r.Writer.Tip(); tip != nil {
		r.Steps = tip.Step
	}
	r.launch = fmt.Sprintf("launch-%d-%d", r.Writer.Incarnation(), r.sequence)
	return r.Writer.AppendLaunch(ctx, runstore.LaunchRecord{LaunchID: r.launch, Stage: Stage, FirstStep: r.Steps + 1})
}

// Step adds a step with all its records.
func (r *Run) Step(ctx context.Context) error {
	step := r.Steps + 1
	var used []runstore.Consumed
	for group := range r.Shape.Groups {
		for sample := range r.Shape.Samples {
			id, err := r.Episode(ctx, sdk.SplitTrain, step, group, sample)
			if err != nil {
				return err
			}
			used = append(used, runstore.Consumed{EpisodeID: id, Use: sdk.ConsumedTrained})
		}
	}
	err := r.Writer.AppendStep(ctx, runstore.StepRecord{LaunchID: r.launch, Stage: Stage, Step: step, Consumed: used})
	if err != nil {
		return err
	}
	values := runstore.Numbers{
		metric.Reward: float64(step) / 100, metric.SuccessRate: 0.5, metric.Loss: 1 / float64(step),
		metric.RolloutSeconds: 2, metric.UpdateSeconds: 1, metric.Failed: 1,
	}
	err = r.Writer.AppendMetrics(ctx, runstore.MetricRecord{LaunchID: r.launch, Stage: Stage, Step: step, Values: values})
	if err != nil {
		return err
	}
	r.Steps = step
	if step%(r.Shape.Uncommitted+1) != 0 {
		return nil
	}
	return r.commit(ctx, values)
}

func (r *Run) commit(ctx context.Context, values runstore.Numbers) error {
	dir, err := r.Writer.BeginCheckpoint(r.Steps)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "weights"), fmt.Appendf(nil, "after step %d", r.Steps), 0o600); err != nil {
		return err
	}
	_, err = r.Writer.CommitCheckpoint(ctx, dir, runstore.Manifest{
		Stage: Stage, Step: r.Steps, Digest: fmt.Sprintf("sha256:%d", r.Steps), Keep: true, Metrics: values,
	})
	return err
}

// Validate adds a validation pass for the newest step. The pass becomes valid with the next commit.
func (r *Run) Validate(ctx context.Context) error {
	for task := range r.Shape.Tasks {
		if _, err := r.Episode(ctx, sdk.SplitValidation, r.Steps, task, 0); err != nil {
			return err
		}
	}
	values := runstore.Numbers{metric.ValidationSuccessRate: 0.25}
	m := runstore.MetricRecord{LaunchID: r.launch, Stage: Stage, Step: r.Steps, Values: values}
	if err := r.Writer.AppendMetrics(ctx, m); err != nil {
		return err
	}
	return r.Writer.AppendValidation(ctx, runstore.ValidationRecord{
		LaunchID: r.launch, Stage: Stage, Step: r.Steps, Metrics: values,
	})
}

// Episode adds an episode and returns its ID. Every seventh episode fails, every second sample has a malformed call,
// and the model's messages contain the word "needle" with the episode's number.
func (r *Run) Episode(ctx context.Context, split sdk.Split, step, group, sample int) (string, error) {
	r.sequence++
	e := r.episode(split, step, group, sample)
	_, err := r.Writer.AppendEpisode(ctx, e)
	return e.EpisodeID, err
}

func (r *Run) episode(split sdk.Split, step, group, sample int) runstore.EpisodeRecord {
	id := fmt.Sprintf("%s/%s%06d/g%04d/s%03d", r.launch, string(split)[:1], step, group, sample)
	e := runstore.EpisodeRecord{
		EpisodeID: id, LaunchID: r.launch, GroupID: fmt.Sprintf("g%04d", group), GroupSize: r.Shape.Samples, Attempt: 1,
		Slot:   runstore.Slot{Stage: Stage, Split: split, Step: step, Group: fmt.Sprintf("g%04d", group), Sample: sample},
		TaskID: fmt.Sprintf("task-%03d", group%50), NumTurns: 2 + sample%3, PromptTokens: 54, OutputTokens: 47 + sample,
		Outcome: sdk.OutcomeScored, Seeds: runstore.Seeds{Environment: 1 << 60},
		Malformed: sample % 2,
		Timings: runstore.Timings{
			QueueMillis: 1, ModelMillis: 8 + float64(sample), EnvironmentMillis: 5, RewardMillis: 2, HostMillis: 0.5,
		},
		Started: time.Date(2026, 11, 1, 0, 0, r.sequence, 0, time.UTC),
		Chains: []runstore.Chain{{Chain: id + "/c1", Agent: "react.solver", Digest: fmt.Sprintf("%064x", r.sequence),
			Train: true}},
	}
	e.Spans = runstore.PackSpans(spansOf(e.Timings))
	for turn := range e.NumTurns {
		e.Seeds.Calls = append(e.Seeds.Calls, runstore.CallSeed{CallID: fmt.Sprintf("%s/1.%d", id, turn),
			Seed: uint64(r.sequence)})
	}
	said := "I work it out. "
	for n := range r.Shape.Words {
		said += words[(r.sequence*31+n*n)%len(words)] + " "
	}
	e.FinalAnswer = fmt.Sprintf("<answer>%d</answer>", r.sequence)
	e.Transcripts = []runstore.TranscriptPart{{Messages: []sdk.Message{
		{Role: sdk.RoleUser, Content: fmt.Sprintf("%d+%d=", group, sample)},
		{Role: sdk.RoleAssistant, Content: said, ToolCalls: []sdk.ToolCall{
			{ID: "c1", Name: "add", Arguments: fmt.Sprintf(`{"a":%d,"b":%d}`, group, sample)},
		}},
		{Role: sdk.RoleTool, Content: fmt.Sprint(group + sample), ToolCallID: "c1", Name: "add"},
		{Role: sdk.RoleAssistant, Content: fmt.Sprintf("A Needle%dx. ", r.sequence) + e.FinalAnswer},
	}}}
	if r.sequence%7 == 0 {
		e.Outcome, e.FinalAnswer = sdk.OutcomeFailed, ""
		e.Failure = &sdk.Failure{Class: sdk.FailureEnvironment, Detail: "the calculator overflowed"}
		return e
	}
	reward, success := float64(sample%5)/4, sample%5 == 4
	e.Reward, e.IsSuccess = &reward, &success
	e.Components = runstore.Numbers{
		"reward.math.answer": reward, "reward.math.answer.exact": reward, "reward.math.answer.call": 1,
		"reward.math.answer.arguments": 1, "reward.math.answer.tool": 0,
	}
	e.Metrics = runstore.Numbers{"environment/args_ok": 1, "environment/calls": 1, "environment/calls_ok": 1}
	return e
}

// spansOf returns the spans for an episode with a tool call, with the host's time between them.
func spansOf(t runstore.Timings) (spans []runstore.Span) {
	at := time.Duration(0)
	add := func(part, turn int, name string, millis float64) {
		took := time.Duration(millis * float64(time.Millisecond))
		spans = append(spans, runstore.Span{Part: part, At: at, Took: took, Turn: turn, Name: name})
		at += took + time.Duration(t.HostMillis/8*float64(time.Millisecond))
	}
	add(0, 0, "", t.QueueMillis)
	add(2, 0, "Open", t.EnvironmentMillis/2)
	add(1, 1, "", t.ModelMillis/2)
	add(2, 1, "add", t.EnvironmentMillis/4)
	add(1, 2, "", t.ModelMillis/2)
	add(2, 0, "Close", t.EnvironmentMillis/4)
	add(3, 0, "math.answer", t.RewardMillis)
	return spans
}

var words = []string{
	"first", "add", "the", "number", "carry", "one", "check", "result", "again", "because", "tool", "says", "so",
	"then", "digit",
	"sum", "wait", "maybe", "seven", "eleven", "is", "not", "prime", "answer", "must", "be", "written", "inside", "tags",
}

// Finish ends the run.
func (r *Run) Finish(ctx context.Context) error {
	err := r.Writer.Finish(ctx, runstore.FinishRecord{Outcome: runstore.StatusFinished, Exact: true, Digest: "sha256:1"})
	return errors.Join(err, r.Writer.Close(ctx))
}
