package sdk_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/awhost/awhost/sdk"
)

// collect gathers the events of a run.
func collect(events *[]sdk.TrainEvent) func(sdk.TrainEvent) error {
	return func(e sdk.TrainEvent) error {
		*events = append(*events, e)
		return nil
	}
}

func TestAdapter_NumbersItsEvents(t *testing.T) {
	gap := &sdk.PolicyGap{Mean: 0.1, P99: 0.4, Max: 2, Bias: -0.01, EpisodeID: "e", Token: 7}
	h := &host{}
	a := serveAdapter(t, &recoveringAdapter{
		adapter: &adapter{train: func(ctx context.Context, req sdk.TrainRequest, host sdk.Host,
			emit func(sdk.TrainEvent) error) error {
			for step := 1; step <= 2; step++ {
				if err := emit(sdk.TrainEvent{Seq: 99, Metrics: &sdk.MetricsEvent{Step: step,
					Values: map[string]float64{"train/loss": 1}, PolicyGap: gap}}); err != nil {
					return err
				}
				if _, err := host.StepBoundary(ctx, sdk.StepBoundaryRequest{LaunchID: req.LaunchID, Step: step}); err != nil {
					return err
				}
			}
			return nil
		}},
		recover: func(_ context.Context, req sdk.RecoverRequest, _ sdk.Host, emit func(sdk.TrainEvent) error) error {
			return emit(sdk.TrainEvent{Finished: &sdk.FinishedEvent{Outcome: sdk.FinishedStopped, Reason: string(req.Handle)}})
		},
	}, h)
	var events []sdk.TrainEvent
	if err := a.Train(t.Context(), sdk.TrainRequest{LaunchID: "l1"}, nil, collect(&events)); err != nil {
		t.Fatal(err)
	}
	metrics := func(step int) *sdk.MetricsEvent {
		return &sdk.MetricsEvent{Step: step, Values: map[string]float64{"train/loss": 1}, PolicyGap: gap}
	}
	if diff := cmp.Diff([]sdk.TrainEvent{
		{Seq: 1, Metrics: metrics(1)}, {Seq: 2, Metrics: metrics(2)},
		{Seq: 3, Finished: &sdk.FinishedEvent{Outcome: sdk.FinishedCompleted, Step: 2}}, // the SDK adds the missing end
	}, events); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]sdk.StepBoundaryRequest{{LaunchID: "l1", Step: 1, AfterSeq: 1},
		{LaunchID: "l1", Step: 2, AfterSeq: 2}}, h.boundaries); diff != "" {
		t.Errorf("boundaries (-want +got):\n%s", diff)
	}

	if err := a.Train(t.Context(), sdk.TrainRequest{LaunchID: "l1"}, nil,
		collect(&events)); status.Code(err) != codes.AlreadyExists {
		t.Errorf("a second Train of a launch: %v", err)
	}
	if err := a.Train(t.Context(), sdk.TrainRequest{LaunchID: "l2"}, nil, collect(&events)); err != nil {
		t.Errorf("another launch: %v", err)
	}
	events = nil
	if err := a.(sdk.AdapterWithRecover).Recover(t.Context(),
		sdk.RecoverRequest{LaunchID: "l1", AfterSeq: 7, Handle: []byte("h")}, nil, collect(&events)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]sdk.TrainEvent{{Seq: 8, Finished: &sdk.FinishedEvent{Outcome: sdk.FinishedStopped,
		Reason: "h"}}}, events); diff != "" {
		t.Errorf("recovered (-want +got):\n%s", diff)
	}
}

func TestAdapter_EndsItsStream(t *testing.T) {
	last := func(events []sdk.TrainEvent) *sdk.FinishedEvent {
		if len(events) == 0 {
			return nil
		}
		return events[len(events)-1].Finished
	}
	for name, test := range map[string]struct {
		err  error
		want *sdk.FinishedEvent
		fail codes.Code
	}{
		"an error": {err: errors.New("no GPU"), want: &sdk.FinishedEvent{Outcome: sdk.FinishedFailed, Reason: "no GPU",
			Step: 4}},
		"a cancellation": {err: context.Canceled, fail: codes.Canceled},
	} {
		t.Run(name, func(t *testing.T) {
			a := serveAdapter(t, &adapter{train: func(_ context.Context, _ sdk.TrainRequest, _ sdk.Host,
				emit func(sdk.TrainEvent) error) error {
				if err := emit(sdk.TrainEvent{Metrics: &sdk.MetricsEvent{Step: 4}}); err != nil {
					return err
				}
				return test.err
			}}, &host{})
			var events []sdk.TrainEvent
			err := a.Train(t.Context(), sdk.TrainRequest{LaunchID: "l"}, nil, collect(&events))
			if (err != nil) != (test.fail != codes.OK) || test.fail == codes.Canceled && !errors.Is(err, context.Canceled) {
				t.Errorf("train: %v", err)
			}
			if diff := cmp.Diff(test.want, last(events)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestAdapter_CannotRecoverWithoutTheMethod(t *testing.T) {
	a := serveAdapter(t, &adapter{}, &host{})
	err := a.(sdk.AdapterWithRecover).Recover(t.Context(), sdk.RecoverRequest{LaunchID: "l"}, nil,
		func(sdk.TrainEvent) error { return nil })
	if !errors.Is(err, sdk.ErrNoTrainer) || !strings.Contains(err.Error(), "does not outlive the adapter") {
		t.Errorf("recover: %v", err)
	}
}

// Only an event may end a trainer that may run elsewhere. An error of Recover must not, except ErrNoTrainer.
func TestAdapter_RecoverFails(t *testing.T) {
	for name, test := range map[string]struct {
		err  error
		gone bool
	}{
		"no trainer":          {err: fmt.Errorf("job 7: %w", sdk.ErrNoTrainer), gone: true},
		"who knows":           {err: errors.New("the cluster cannot be reached")},
		"it was canceled":     {err: context.Canceled},
		"its peer has exited": {err: sdk.ErrUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			a := serveAdapter(t, &recoveringAdapter{recover: func(context.Context, sdk.RecoverRequest, sdk.Host,
				func(sdk.TrainEvent) error) error {
				return test.err
			}}, &host{})
			var events []sdk.TrainEvent
			err := a.(sdk.AdapterWithRecover).Recover(t.Context(), sdk.RecoverRequest{LaunchID: "l"}, nil, collect(&events))
			if err == nil || errors.Is(err, sdk.ErrNoTrainer) != test.gone || !strings.Contains(err.Error(), test.err.Error()) {
				t.Errorf("recover: %v", err)
			}
			if len(events) != 0 {
				t.Errorf("got %+v", events)
			}
		})
	}
}

// ErrNoTrainer must be distinguishable from a failure of the trainer.
func TestAdapter_ControlRequiresLaunch(t *testing.T) {
	a := serveAdapter(t, &adapter{control: func(launch string) error {
		switch launch {
		case "trained":
			return nil
		case "broken":
			return errors.New("the trainer does not answer")
		}
		return fmt.Errorf("control: %w: launch %s is not being trained", sdk.ErrNoTrainer, launch)
	}}, &host{})
	calls := map[string]func(launch string) error{
		"control": func(launch string) error {
			return a.Control(t.Context(), sdk.ControlRequest{LaunchID: launch, Action: sdk.ControlDrain})
		},
		"evaluate": func(launch string) error { return a.(sdk.AdapterWithEvaluate).Evaluate(t.Context(), launch) },
	}
	for name, call := range calls {
		if err := call("trained"); err != nil {
			t.Errorf("%s of a launch that is being trained: %v", name, err)
		}
		if err := call("other"); !errors.Is(err, sdk.ErrNoTrainer) ||
			!strings.Contains(err.Error(), "launch other is not being trained") {
			t.Errorf("%s of another launch: %v", name, err)
		}
		if err := call("broken"); err == nil || errors.Is(err, sdk.ErrNoTrainer) ||
			err.Error() != "the trainer does not answer" {
			t.Errorf("%s if the trainer does not answer: %v", name, err)
		}
	}
}

func generate(ctx context.Context, a sdk.Adapter, episode, call string) (string, error) {
	out, err := a.Generate(ctx, sdk.GenerateRequest{EpisodeID: episode, CallID: call})
	if err != nil {
		return "", err
	}
	return out.Message.Content, nil
}

func numberedCall(n int32) *sdk.GenerateResponse {
	return &sdk.GenerateResponse{Message: sdk.Message{Role: sdk.RoleAssistant, Content: fmt.Sprint(n)},
		Finish: sdk.FinishStop}
}

// A call must be sampled once, regardless of other calls of the episode in between.
func TestAdapter_SamplesACallOnce(t *testing.T) {
	var samples atomic.Int32
	a := serveAdapter(t, &adapter{generate: func(context.Context, sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
		return numberedCall(samples.Add(1)), nil
	}}, &host{})
	for i, call := range []struct{ episode, id, want string }{
		{"e1", "a", "1"}, {"e1", "b", "2"}, {"e1", "a", "1"}, {"e2", "a", "3"}, {"e1", "b", "2"},
	} {
		if got, err := generate(t.Context(), a, call.episode, call.id); err != nil || got != call.want {
			t.Errorf("call %d: %q, %v; want %q", i, got, err, call.want)
		}
	}
	if _, err := generate(t.Context(), a, "e1", ""); status.Code(err) != codes.InvalidArgument {
		t.Errorf("a call without id: %v", err)
	}
}

func TestAdapter_JoinsConcurrentDuplicates(t *testing.T) {
	var samples atomic.Int32
	entered, leave := make(chan struct{}, 10), make(chan struct{})
	a := serveAdapter(t, &adapter{generate: func(context.Context, sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
		entered <- struct{}{}
		<-leave
		return numberedCall(samples.Add(1)), nil
	}}, &host{})
	type answer struct {
		text string
		err  error
	}
	answers := make(chan answer, 8)
	for range cap(answers) {
		go func() {
			text, err := generate(t.Context(), a, "e", "call")
			answers <- answer{text, err}
		}()
	}
	receive(t, "the first call", entered)
	close(leave)
	for range cap(answers) {
		if got := receive(t, "an answer", answers); got.err != nil || got.text != "1" {
			t.Errorf("%+v", got)
		}
	}
	if n := samples.Load(); n != 1 {
		t.Errorf("%d samples of one call", n)
	}
}

// A repeated call must sample again after a failure or a panic.
func TestAdapter_RetriesUnsampledCall(t *testing.T) {
	var attempts atomic.Int32
	a := serveAdapter(t, &adapter{generate: func(context.Context, sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
		switch n := attempts.Add(1); n {
		case 1:
			return nil, &sdk.GenerateError{Kind: sdk.GeneratePaused, Detail: "new weights"}
		case 2:
			panic("no weights")
		default:
			return numberedCall(n), nil
		}
	}}, &host{})
	var paused *sdk.GenerateError
	if _, err := generate(t.Context(), a, "e", "call"); !errors.As(err, &paused) || paused.Kind != sdk.GeneratePaused ||
		paused.Detail != "new weights" {
		t.Errorf("the first attempt: %v", err)
	}
	if _, err := generate(t.Context(), a, "e", "call"); status.Code(err) != codes.Internal ||
		!strings.Contains(err.Error(), "no weights") {
		t.Errorf("the second attempt: %v", err)
	}
	for range 2 {
		if got, err := generate(t.Context(), a, "e", "call"); err != nil || got != "3" {
			t.Errorf("then: %q, %v", got, err)
		}
	}
}

// A caller that gave up must not fail a caller that repeats its call.
func TestAdapter_DuplicateSurvivesCancelledOriginal(t *testing.T) {
	var attempts atomic.Int32
	entered := make(chan struct{}, 10)
	a := serveAdapter(t, &adapter{generate: func(ctx context.Context, _ sdk.GenerateRequest) (*sdk.GenerateResponse,
		error) {
		n := attempts.Add(1)
		entered <- struct{}{}
		if n == 1 {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		return numberedCall(n), nil
	}}, &host{})
	ctx, cancel := context.WithCancel(t.Context())
	first := make(chan error, 1)
	go func() {
		_, err := generate(ctx, a, "e", "call")
		first <- err
	}()
	receive(t, "the first call", entered)
	second := make(chan string, 1)
	go func() {
		text, err := generate(t.Context(), a, "e", "call")
		second <- fmt.Sprint(text, err)
	}()
	cancel()
	if err := receive(t, "the canceled call", first); !errors.Is(err, context.Canceled) {
		t.Errorf("the canceled call: %v", err)
	}
	if got := receive(t, "its duplicate", second); got != "2<nil>" {
		t.Errorf("the duplicate: %s", got)
	}
}

// The record of an episode's calls must end with its result.
func TestAdapter_RemovesCallsOfFinishedEpisode(t *testing.T) {
	var samples atomic.Int32
	asked, finish := make(chan struct{}), make(chan struct{})
	h := &host{episode: func(_ context.Context, req sdk.EpisodeRequest) (*sdk.EpisodeResult, error) {
		close(asked)
		<-finish
		return &sdk.EpisodeResult{EpisodeID: req.EpisodeID, Outcome: sdk.OutcomeScored}, nil
	}}
	a := serveAdapter(t, &adapter{
		train: func(ctx context.Context, _ sdk.TrainRequest, host sdk.Host, _ func(sdk.TrainEvent) error) error {
			_, err := host.RunEpisode(ctx, sdk.EpisodeRequest{EpisodeID: "e", GroupID: "g"})
			return err
		},
		generate: func(context.Context, sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
			return numberedCall(samples.Add(1)), nil
		},
	}, h)
	trained := make(chan error, 1)
	go func() {
		trained <- a.Train(t.Context(), sdk.TrainRequest{LaunchID: "l"}, nil, func(sdk.TrainEvent) error { return nil })
	}()
	receive(t, "the episode", asked)
	for range 2 {
		if got, err := generate(t.Context(), a, "e", "call"); err != nil || got != "1" {
			t.Errorf("during the episode: %q, %v", got, err)
		}
	}
	close(finish)
	if err := receive(t, "training", trained); err != nil {
		t.Fatal(err)
	}
	if got, err := generate(t.Context(), a, "e", "call"); err != nil || got != "2" {
		t.Errorf("after the episode: %q, %v", got, err)
	}
}
