package rollout

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/awhost/awhost/host/rollout/internal/registry"
	"github.com/awhost/awhost/host/rollout/internal/verdict"
	"github.com/awhost/awhost/host/rollout/internal/wait"
	"github.com/awhost/awhost/sdk"
)

// An episode that the host cannot complete has no result, in any phase: its caller must request it again. So every
// caller receives an error that is ErrUnavailable and nothing else, for which the protocol has a code.
func TestWhatEndsTheHostIsNoResult(t *testing.T) {
	for name, end := range map[string]struct {
		change func(*rig) // the failure of the first episode, or nil
		stop   func(*rig) error
	}{
		"fail_run": {change: both(onFirst(errors.New("the desk collapsed")),
			policyOf(sdk.FailureEnvironment, 0, sdk.ActionFailRun))},
		"a failure that says": {change: both(onFirst(&sdk.Failure{Class: sdk.FailureEnvironment, Detail: "out"}),
			policyOf(sdk.FailureEnvironment, 0, sdk.ActionFailRun))},
		"a failure that only a person can mend": {change: onFirst(&sdk.Failure{
			Class: sdk.FailureEnvironment, Detail: "no money", Retryable: true, StopRun: true,
		})},
		"nobody restarts": {change: onFirst(verdict.ErrPluginLost)},
		"a spent budget": {change: both(onFirst(verdict.ErrPluginLost), func(r *rig) {
			r.options.AwaitPlugin = func(context.Context, string,
				error) error {
				return errors.New("restarted 5 times; last words: panic")
			}
		})},
		"a spent budget, with its exit": {change: both(onFirst(verdict.ErrPluginLost), func(r *rig) {
			r.options.AwaitPlugin = func(context.Context, string, error) error {
				return fmt.Errorf("gone: %w", errors.Join(context.Canceled, &sdk.Failure{Class: sdk.FailureInfrastructure},
					sdk.ErrSessionLost))
			}
		})},
		"lost permanently":                   {change: both(onFirst(verdict.ErrPluginLost), revive)},
		"an attempt that cannot be recorded": {change: both(onFirst(verdict.ErrPluginLost), revive), stop: fullDisk},
		"an episode that cannot be recorded": {stop: fullDisk},
		"a plugin that dies under everything": {stop: func(r *rig) error {
			r.lifetime.Fail(errors.New("environment.fake.e dies under every task"))
			return nil
		}},
		"Close": {stop: func(r *rig) error { return r.Close(context.Background()) }},
	} {
		for _, siblings := range []string{"alone", "compared", "dropped together"} {
			t.Run(name+", "+siblings, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					r := newRig()
					if siblings == "compared" {
						r = groupRig(&ranks{})
					}
					r.setup.Concurrency = 3
					release := make(chan struct{})
					r.env.onStep = blockOthers(release, siblings != "alone")
					if end.change != nil {
						end.change(r)
					}
					if siblings == "dropped together" {
						if r.setup.Policy == nil {
							r.setup.Policy = DefaultPolicy()
						}
						r.setup.Policy[sdk.FailureAgent] = ClassPolicy{Actions: []sdk.FailureAction{sdk.ActionDropGroup}}
					}
					r.start(t)
					answers := map[string]chan error{}
					for _, req := range []sdk.EpisodeRequest{sample(1, 1, 0), sample(1, 2, 1), sample(1, 3, 0), sample(1, 1, 2),
						sample(1, 4, 3), sample(1, 5, 1)} {
						answers[req.EpisodeID] = r.ask(req)
						synctest.Wait()
					}
					if err := r.CancelEpisode(context.Background(), sample(1, 3, 0).EpisodeID, "stale"); err != nil {
						t.Fatal(err)
					}
					synctest.Wait()
					if err := <-answers[sample(1, 3, 0).EpisodeID]; !errors.As(err, new(*isResult)) ||
						!strings.Contains(err.Error(), "CANCELLED") {
						t.Errorf("an episode that its caller cancelled: %v", err)
					}
					delete(answers, sample(1, 3, 0).EpisodeID)
					if end.stop != nil {
						if err := end.stop(r); err != nil {
							t.Fatal(err)
						}
					}
					close(release)
					synctest.Wait()
					answers["asked afterwards"] = r.ask(sample(1, 6, 0))
					answers["asked again"] = r.ask(sample(1, 2, 1))
					synctest.Wait()
					for id, answer := range answers {
						checkUnavailable(t, id, <-answer)
					}
					for _, record := range r.sink.episodes {
						failed := record.Failure != nil && strings.Contains(fmt.Sprint(r.Err()), "fail_run")
						if record.Outcome != sdk.OutcomeCancelled && !failed && r.sink.err == nil {
							t.Errorf("%s is on record as %s, %v, want CANCELLED", record.EpisodeID, record.Outcome, record.Failure)
						}
					}
				})
			})
		}
	}
}

// A failure at the same moment may be caused by the end of the host, and would be retried. It drops no group.
func TestAFailureAtTheEndOfTheHostIsNoResult(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig()
		r.setup.Compose = func(ComposeInputs) (ComposeResult, error) {
			r.lifetime.Close("the run stops")
			return ComposeResult{}, errors.New("no value")
		}
		r.start(t)
		checkUnavailable(t, "it", <-r.ask(sample(1, 1, 0)))
		if got := r.sink.last(t); got.Outcome != sdk.OutcomeCancelled || got.Failure != nil {
			t.Errorf("on record it is %s, %v, want CANCELLED", got.Outcome, got.Failure)
		}
	})
}

// A finished sample that waits for its siblings must not be affected by siblings that the host has ended, even if it
// is notified of them first.
func TestSiblingsThatTheHostEndsDecideNothing(t *testing.T) {
	r := newRig()
	policyOf(sdk.FailureAgent, 0, sdk.ActionDropGroup)(r)
	r.start(t)
	ep := &episode{engine: r.Engine, stage: r.stage.Load(), request: sample(1, 1, 0)}
	ep.entry = registry.NewEntry("", registry.Identity{}, nil, wait.NewStack(r.clock, "", nil, ""))
	ep.request.GroupSize = 1
	var err error
	if ep.sample, err = r.dropped.Join(identityOf(ep.request).Slot, ep.request); err != nil {
		t.Fatal(err)
	}
	reward := 1.0
	record := &EpisodeRecord{Outcome: sdk.OutcomeScored, Reward: &reward}
	r.lifetime.Close("the run stops")
	ep.agree(context.Background(), record)
	if record.Outcome != sdk.OutcomeCancelled || record.Reward != nil {
		t.Errorf("it is %s, want CANCELLED", record.Outcome)
	}
}

// isResult is a result used as an error.
type isResult struct{ *sdk.EpisodeResult }

func (r *isResult) Error() string { return "the result " + string(r.Outcome) }

func (r *rig) ask(req sdk.EpisodeRequest) chan error {
	answer := make(chan error, 1)
	go func() {
		result, err := r.RunEpisode(context.Background(), req)
		if err == nil {
			err = &isResult{result}
		}
		answer <- err
	}()
	return answer
}

func checkUnavailable(t *testing.T, id string, err error) {
	t.Helper()
	var failure *sdk.Failure
	var generate *sdk.GenerateError
	switch {
	case !errors.Is(err, sdk.ErrUnavailable):
		t.Errorf("%s: it got %v, want an error that is %q", id, err, sdk.ErrUnavailable)
	case errors.As(err, &failure), errors.As(err, &generate), errors.Is(err, sdk.ErrSessionLost),
		errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		t.Errorf("%s: %v is something else, too, and the wire has one status for both", id, err)
	}
}

// onFirst makes the first episode fail in each attempt. With nil it ends normally.
func onFirst(err error) func(*rig) {
	return func(r *rig) {
		others := r.env.onStep
		r.env.onStep = func(ctx context.Context, req sdk.StepRequest) (*sdk.StepResponse, error) {
			response, waited := others(ctx, req)
			if waited == nil && strings.HasPrefix(req.EpisodeID, sample(1, 1, 0).EpisodeID) {
				return nil, err
			}
			return response, waited
		}
	}
}

// blockOthers blocks the first episode until release is closed, and the others forever. With siblings, one sibling
// ends and waits for the first episode.
func blockOthers(release <-chan struct{}, siblings bool) func(context.Context, sdk.StepRequest) (*sdk.StepResponse,
	error) {
	return func(ctx context.Context, req sdk.StepRequest) (*sdk.StepResponse, error) {
		gate := release
		switch {
		case siblings && strings.HasPrefix(req.EpisodeID, sample(1, 1, 2).EpisodeID):
			return nil, nil
		case !strings.HasPrefix(req.EpisodeID, sample(1, 1, 0).EpisodeID):
			gate = nil
		}
		select {
		case <-gate:
			return nil, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func fullDisk(r *rig) error {
	r.sink.mu.Lock()
	defer r.sink.mu.Unlock()
	r.sink.err = errors.New("disk full")
	return nil
}
