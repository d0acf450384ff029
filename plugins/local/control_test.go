package local

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
)

func TestDirective_EndsTheStage(t *testing.T) {
	tests := map[sdk.Directive]sdk.FinishedOutcome{
		sdk.DirectiveFinishStage: sdk.FinishedCompleted,
		sdk.DirectiveStop:        sdk.FinishedStopped,
		sdk.DirectiveAbort:       sdk.FinishedFailed,
	}
	for directive, outcome := range tests {
		t.Run(string(directive), func(t *testing.T) {
			r := newRig(t, nil)
			r.host.decide = func(req sdk.StepBoundaryRequest) (sdk.Directive, string) {
				if req.Step == 1 {
					return directive, "because"
				}
				return sdk.DirectiveContinue, ""
			}
			finished := r.train(r.request(knobsOf(5, nil)), outcome)
			want := &sdk.FinishedEvent{Outcome: outcome, Reason: "because", Step: 1}
			if diff := cmp.Diff(want, finished); diff != "" {
				t.Errorf("finished (-want +got):\n%s", diff)
			}
			if n := len(r.host.asked(sdk.SplitTrain, 2)); n != 0 {
				t.Errorf("%d episodes of step 2 after the stage has ended", n)
			}
		})
	}
}

func TestControl(t *testing.T) {
	tests := map[string]struct {
		action sdk.ControlAction
		want   sdk.FinishedEvent
		err    string
	}{
		"drain ends the stage after the step": {action: sdk.ControlDrain,
			want: sdk.FinishedEvent{Outcome: sdk.FinishedStopped, Reason: "drained", Step: 1}},
		"abort gives the step up": {action: sdk.ControlAbort,
			want: sdk.FinishedEvent{Outcome: sdk.FinishedFailed, Reason: "aborted: no more money", Step: 0}},
		"a checkpoint is written anyway": {action: sdk.ControlCheckpointNow,
			want: sdk.FinishedEvent{Outcome: sdk.FinishedCompleted, Step: 2}},
		"pause is refused with what to do": {action: sdk.ControlPause,
			want: sdk.FinishedEvent{Outcome: sdk.FinishedCompleted, Step: 2}, err: "use drain"},
		"resume is refused, nothing is paused": {action: sdk.ControlResume,
			want: sdk.FinishedEvent{Outcome: sdk.FinishedCompleted, Step: 2}, err: "nothing to pause"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, nil)
			r.host.play = func(ctx context.Context, req sdk.EpisodeRequest) (*sdk.EpisodeResult, error) {
				if req.Step == 1 && req.SampleIndex == 0 && req.GroupID == "g0000" {
					err := r.adapter.Control(context.WithoutCancel(ctx),
						sdk.ControlRequest{LaunchID: "run/launch", Action: test.action, Reason: "no more money"})
					if (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) {
						t.Errorf("control: %v, want %q", err, test.err)
					}
					if test.action == sdk.ControlAbort {
						<-ctx.Done() // an aborted trainer does not wait for episodes
						return nil, ctx.Err()
					}
				}
				return twoTurns(ctx, r.host, req)
			}
			req := r.request(knobsOf(2, nil))
			req.ValidationTasks = 0
			finished := r.train(req, test.want.Outcome)
			if diff := cmp.Diff(&test.want, finished); diff != "" {
				t.Errorf("finished (-want +got):\n%s", diff)
			}
		})
	}
}

func TestControl_OfALaunchThatIsNotTrained(t *testing.T) {
	r := newRig(t, nil)
	if err := r.adapter.Control(t.Context(), sdk.ControlRequest{LaunchID: "other",
		Action: sdk.ControlDrain}); err == nil || !strings.Contains(err.Error(), "launch other is not being trained") {
		t.Errorf("control: %v", err)
	}
	if err := r.adapter.(sdk.AdapterWithEvaluate).Evaluate(t.Context(), "other"); err == nil ||
		!strings.Contains(err.Error(), "launch other is not being trained") {
		t.Errorf("evaluate: %v", err)
	}
}

func TestControl_DrainInTheWarmStartEndsItThere(t *testing.T) {
	r := warmRig(t)
	r.inner.config.WarmStart.Steps = 1_000_000
	req := r.request(knobsOf(2, nil))
	var events []sdk.TrainEvent
	err := r.adapter.Train(t.Context(), req, nil, func(e sdk.TrainEvent) error {
		events = append(events, e)
		if len(events) == 1 {
			return r.adapter.Control(t.Context(), sdk.ControlRequest{LaunchID: req.LaunchID, Action: sdk.ControlDrain})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	last := events[len(events)-1].Finished
	if last == nil || last.Outcome != sdk.FinishedStopped ||
		!strings.Contains(last.Reason, "warm start, which restarts") || last.Step != 0 {
		t.Errorf("the stage ended with %+v, want stopped in the warm start", last)
	}
	for _, e := range events {
		if e.Checkpoint != nil {
			t.Error("half a warm start was announced as a checkpoint")
		}
	}
}

func TestEvaluate_ValidatesAtTheNextBoundaryOnce(t *testing.T) {
	r := newRig(t, nil)
	r.host.play = func(ctx context.Context, req sdk.EpisodeRequest) (*sdk.EpisodeResult, error) {
		if req.Step == 2 && req.Split == sdk.SplitTrain && req.SampleIndex == 0 {
			if err := r.adapter.(sdk.AdapterWithEvaluate).Evaluate(ctx, "run/launch"); err != nil {
				t.Error(err)
			}
		}
		return twoTurns(ctx, r.host, req)
	}
	// The validation of step 2 is due anyway: requesting it must not cause another one.
	r.train(r.request(knobsOf(4, func(k *sdk.Knobs) { k.Validate.Every = ptr(2) })), sdk.FinishedCompleted)
	var validated []int
	for _, b := range r.host.boundaries {
		if b.Validated {
			validated = append(validated, b.Step)
		}
	}
	if diff := cmp.Diff([]int{2, 4}, validated); diff != "" {
		t.Errorf("validated after steps (-want +got):\n%s", diff)
	}
}

func TestBoundary_WithoutValidationTasksIsNotValidated(t *testing.T) {
	r := newRig(t, nil)
	req := r.request(knobsOf(1, func(k *sdk.Knobs) { k.Validate.BeforeTrain = ptr(true) }))
	req.ValidationTasks = 0
	r.train(req, sdk.FinishedCompleted)
	for _, b := range r.host.boundaries {
		if b.Validated {
			t.Errorf("the boundary of step %d reports a validation, but no validation data exists", b.Step)
		}
	}
}

func TestTrain_OneStageAtATime(t *testing.T) {
	r := newRig(t, nil)
	r.host.play = func(ctx context.Context, req sdk.EpisodeRequest) (*sdk.EpisodeResult, error) {
		if req.SampleIndex == 0 && req.Step == 1 && req.GroupID == "g0000" {
			other := r.request(knobsOf(1, nil))
			other.LaunchID = "run/other"
			err := r.inner.Train(ctx, other, r.host, func(sdk.TrainEvent) error { return nil })
			if err == nil || !strings.Contains(err.Error(), "launch run/launch is still being trained") {
				t.Errorf("a second stage: %v", err)
			}
		}
		return twoTurns(ctx, r.host, req)
	}
	r.train(r.request(knobsOf(1, nil)), sdk.FinishedCompleted)
}

func TestStop_FinishesTheStep(t *testing.T) {
	r := newRig(t, nil)
	stopped := make(chan error, 1)
	r.host.play = func(ctx context.Context, req sdk.EpisodeRequest) (*sdk.EpisodeResult, error) {
		if req.Step == 1 && req.SampleIndex == 0 && req.GroupID == "g0000" {
			said := make(chan string, 1)
			go func() { stopped <- r.inner.Stop(context.WithoutCancel(ctx), func(s string) { said <- s }) }()
			if got := <-said; got != "finishing the step" {
				t.Errorf("the first progress is %q", got)
			}
		}
		return twoTurns(ctx, r.host, req)
	}
	finished := r.train(r.request(knobsOf(5, nil)), sdk.FinishedStopped)
	if err := <-stopped; err != nil {
		t.Errorf("stop: %v", err)
	}
	if finished.Step != 1 || len(r.checkpoints()) != 2 {
		t.Errorf("stopped after step %d with %d checkpoints, want step 1 and its checkpoint", finished.Step,
			len(r.checkpoints()))
	}
	later := r.request(knobsOf(1, nil))
	later.LaunchID = "run/later"
	if finished := r.train(later, sdk.FinishedFailed); !strings.Contains(finished.Reason, "is being stopped") {
		t.Errorf("a stage after Stop: %s", finished.Reason)
	}
}

func TestStop_GivesTheStepUpAtItsDeadline(t *testing.T) {
	r := newRig(t, nil)
	stopped := make(chan error, 1)
	r.host.play = func(ctx context.Context, req sdk.EpisodeRequest) (*sdk.EpisodeResult, error) {
		if req.SampleIndex == 0 && req.GroupID == "g0000" {
			expired, cancel := context.WithDeadline(context.WithoutCancel(ctx), time.Unix(0, 0))
			defer cancel()
			stopped <- r.inner.Stop(expired, func(string) {})
		}
		<-ctx.Done() // an episode that never ends
		return nil, ctx.Err()
	}
	if _, err := r.tryTrain(t.Context(), r.request(knobsOf(5, nil))); !errors.Is(err, context.Canceled) {
		t.Errorf("train: %v, want it cancelled", err)
	}
	if err := <-stopped; !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("stop: %v, want its deadline", err)
	}
}

func TestTrain_EndsWhenItsCallerGoesAway(t *testing.T) {
	r := newRig(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	r.host.play = func(ctx context.Context, _ sdk.EpisodeRequest) (*sdk.EpisodeResult, error) {
		cancel()
		<-ctx.Done()
		return nil, ctx.Err()
	}
	if _, err := r.tryTrain(ctx, r.request(knobsOf(5, nil))); !errors.Is(err, context.Canceled) {
		t.Errorf("train: %v, want it cancelled", err)
	}
}

func TestTrain_FailsWithTheEpisodeThatCannotRun(t *testing.T) {
	r := newRig(t, nil)
	r.host.play = func(ctx context.Context, req sdk.EpisodeRequest) (*sdk.EpisodeResult, error) {
		if req.GroupID == "g0001" && req.SampleIndex == 3 {
			return nil, errors.New("the environment is on fire")
		}
		return twoTurns(ctx, r.host, req)
	}
	finished := r.train(r.request(knobsOf(1, nil)), sdk.FinishedFailed)
	for _, part := range []string{"rollouts of step 1", "g0001/s003", "the environment is on fire"} {
		if !strings.Contains(finished.Reason, part) {
			t.Errorf("the reason is %q, want %q in it", finished.Reason, part)
		}
	}
	if n := len(r.inner.episodes.byID); n != 0 {
		t.Errorf("%d episodes are still open", n)
	}
}
