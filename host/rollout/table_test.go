package rollout

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/rollout/internal/recovery"
	"github.com/awhost/awhost/host/rollout/internal/verdict"
	"github.com/awhost/awhost/sdk"
)

// end is the visible result of an episode.
type end struct {
	Outcome   sdk.Outcome
	Class     sdk.FailureClass
	Scored    bool
	Masked    bool
	DropGroup bool
	Trained   bool // a chain is trained
	Attempts  int
	Draw      int
	Breaker   string // "failed", "fine", "ignored"
}

func endOf(result *sdk.EpisodeResult, record *EpisodeRecord) end {
	e := end{
		Outcome: result.Outcome, Scored: result.Reward != nil, Masked: result.Masked, DropGroup: result.DropGroup,
		Attempts: result.Attempt, Draw: result.Draw, Breaker: "ignored",
	}
	if result.Failure != nil {
		e.Class = result.Failure.Class
	}
	for _, chain := range result.Chains {
		e.Trained = e.Trained || chain.Train
	}
	if class, counts := breakerView(summarise(record)); counts {
		e.Breaker = "fine"
		if class != "" {
			e.Breaker = "failed"
		}
	}
	return e
}

// times returns a hook that fails the first n calls.
func times(n int, err error) func() error {
	var calls atomic.Int64
	return func() error {
		if calls.Add(1) <= int64(n) {
			return err
		}
		return nil
	}
}

func onStep(fail func() error) func(*rig) {
	return func(r *rig) {
		r.env.onStep = func(context.Context, sdk.StepRequest) (*sdk.StepResponse, error) { return nil, fail() }
	}
}

func onGenerate(fail func() error) func(*rig) {
	return func(r *rig) {
		r.policy.before = func(context.Context, sdk.GenerateRequest) (*sdk.GenerateResponse, error) { return nil, fail() }
	}
}

func onScore(fail func() error) func(*rig) {
	return func(r *rig) {
		r.setup.Rewards[0].Reward = rewardFunc(func(ctx context.Context, item sdk.ScoreItem) (sdk.Scored, error) {
			if err := fail(); err != nil {
				var failure *sdk.Failure
				if errors.As(err, &failure) {
					return sdk.Scored{Failure: failure}, nil
				}
				return sdk.Scored{}, err
			}
			return answerValue(ctx, item)
		})
	}
}

// says makes the policy return the same message in its first n calls.
func says(message sdk.Message, finish sdk.FinishReason, n int) func(*rig) {
	fails := times(n, errors.New("once more"))
	return func(r *rig) {
		r.policy.before = func(_ context.Context, req sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
			if fails() == nil {
				return nil, nil
			}
			resp := r.policy.say(req, message)
			resp.Finish = finish
			return resp, nil
		}
	}
}

func policyOf(class sdk.FailureClass, budget int, actions ...sdk.FailureAction) func(*rig) {
	return func(r *rig) {
		r.setup.Policy = DefaultPolicy()
		r.setup.Policy[class] = ClassPolicy{Actions: actions, Budget: budget}
	}
}

func both(changes ...func(*rig)) func(*rig) {
	return func(r *rig) {
		for _, change := range changes {
			change(r)
		}
	}
}

// always is more often than any budget allows.
const always = 1000

// TestFailureTable checks every row of the failure table.
func TestFailureTable(t *testing.T) {
	lost := fmt.Errorf("rpc: %w", verdict.ErrPluginLost)
	broken := errors.New("the desk collapsed")
	judge := &sdk.Failure{Class: sdk.FailureReward, Detail: "the judge is out", Retryable: true}
	final := &sdk.Failure{Class: sdk.FailureReward, Detail: "no ground truth"}
	hang := func(r *rig) {
		r.setup.ActiveBudget = time.Minute
		r.env.onStep = func(ctx context.Context, _ sdk.StepRequest) (*sdk.StepResponse, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}
	}
	scored := end{Outcome: sdk.OutcomeScored, Scored: true, Trained: true, Attempts: 1, Breaker: "fine"}
	after := func(attempts int) end { e := scored; e.Attempts = attempts; return e }
	failedWith := func(class sdk.FailureClass, outcome sdk.Outcome, attempts int) end {
		return end{Outcome: outcome, Class: class, Masked: outcome == sdk.OutcomeFailed, Attempts: attempts,
			Breaker: "failed"}
	}
	malformed := sdk.Message{Content: "<tool_call>{", Malformed: []sdk.Malformed{{Text: "{", Reason: "unexpected end"}}}
	for _, row := range []struct {
		name       string
		change     func(*rig)
		validation bool
		want       end
	}{
		{name: "nothing fails", change: both(), want: scored},

		{name: "infrastructure: environment dies five times", change: both(onStep(times(5, lost)), revive), want: after(6)},
		{name: "infrastructure: session lost", change: onStep(times(1, sdk.ErrSessionLost)), want: after(2)},
		{name: "infrastructure: a failure that says so",
			change: onStep(times(1, &sdk.Failure{Class: sdk.FailureInfrastructure, Detail: "pod evicted"})), want: after(2)},
		{name: "infrastructure: generation aborted", change: onGenerate(times(1,
			&sdk.GenerateError{Kind: sdk.GenerateAborted})), want: after(2)},
		{name: "infrastructure: paused generation continues",
			change: onGenerate(times(3, &sdk.GenerateError{Kind: sdk.GeneratePaused})), want: after(1)},
		{name: "infrastructure: reward dies, only the scoring is repeated", change: both(onScore(times(4, lost)), revive),
			want: after(1)},
		{name: "infrastructure: retried in validation, too", change: both(onStep(times(5, lost)), revive), validation: true,
			want: end{Outcome: sdk.OutcomeScored, Scored: true, Attempts: 6, Breaker: "fine"}},
		{name: "a session lost permanently is the environment's failure",
			change: both(onStep(times(always, sdk.ErrSessionLost)), policyOf(sdk.FailureEnvironment, 0, sdk.ActionMask)),
			want:   failedWith(sdk.FailureEnvironment, sdk.OutcomeFailed, recovery.MostLostSessions+1)},

		{name: "environment: retried within the budget", change: onStep(times(2, broken)), want: after(3)},
		{name: "environment: dropped beyond it", change: onStep(times(always, broken)),
			want: failedWith(sdk.FailureEnvironment, sdk.OutcomeDropped, 3)},
		{name: "environment: the next action where dropping cannot be expressed", change: both(onStep(times(always, broken)),
			policyOf(sdk.FailureEnvironment, 1, sdk.ActionRetry, sdk.ActionMask)),
			want: failedWith(sdk.FailureEnvironment, sdk.OutcomeFailed, 2)},
		{name: "environment: drop_group", change: both(onStep(times(always, broken)),
			policyOf(sdk.FailureEnvironment, 0, sdk.ActionDropGroup)),
			want: end{Outcome: sdk.OutcomeDropped, Class: sdk.FailureEnvironment, DropGroup: true, Attempts: 1,
				Breaker: "failed"}},
		{name: "environment: score does not apply without a number",
			change: both(onStep(times(always, broken)), policyOf(sdk.FailureEnvironment, 0, sdk.ActionScore)),
			want:   failedWith(sdk.FailureEnvironment, sdk.OutcomeFailed, 1)},
		{name: "environment: not retried in validation", change: onStep(times(1, broken)), validation: true,
			want: failedWith(sdk.FailureEnvironment, sdk.OutcomeFailed, 1)},
		{name: "environment: Open fails", change: func(r *rig) {
			fail := times(1, broken)
			r.env.onOpen = func(context.Context, sdk.OpenRequest) error { return fail() }
		}, want: after(2)},
		{name: "environment: it opens without a message, and the task has no question",
			change: func(r *rig) { r.setup.Tasks = mute{} },
			want:   failedWith(sdk.FailureEnvironment, sdk.OutcomeDropped, 3)},
		{name: "agent: the task has no question, and the environment is " +
			"missing", change: func(r *rig) { r.setup.Tasks, r.setup.Environment = mute{}, nil },
			want: failedWith(sdk.FailureAgent, sdk.OutcomeDropped, 3)},
		{name: "timeout: retried with a fresh budget, then dropped", change: hang,
			want: failedWith(sdk.FailureTimeout, sdk.OutcomeDropped, 3)},
		{name: "timeout: of a call", change: onStep(times(1, context.DeadlineExceeded)), want: after(2)},

		{name: "model: retried", change: onGenerate(times(1, &sdk.GenerateError{Kind: sdk.GenerateEngine})), want: after(2)},
		{name: "model: dropped", change: onGenerate(times(always, &sdk.GenerateError{Kind: sdk.GenerateEngine})),
			want: failedWith(sdk.FailureModel, sdk.OutcomeDropped, 3)},
		{name: "model: an unexplained error", change: onGenerate(times(always, broken)),
			want: failedWith(sdk.FailureModel, sdk.OutcomeDropped, 3)},

		{name: "reward: only the scoring is repeated", change: onScore(times(2, judge)), want: after(1)},
		{name: "reward: dropped beyond the budget", change: onScore(times(always, judge)),
			want: failedWith(sdk.FailureReward, sdk.OutcomeDropped, 1)},
		{name: "reward: not repeated where it says so", change: onScore(times(1, final)),
			want: failedWith(sdk.FailureReward, sdk.OutcomeDropped, 1)},
		{name: "reward: an error of the call", change: onScore(times(1, broken)), want: after(1)},
		{name: "reward: in validation unsolved", change: onScore(times(1, judge)), validation: true,
			want: failedWith(sdk.FailureReward, sdk.OutcomeFailed, 1)},
		{name: "reward: not a number", change: func(r *rig) {
			r.setup.Rewards[0].Reward = rewardFunc(func(context.Context, sdk.ScoreItem) (sdk.Scored, error) {
				zero := 0.0
				return sdk.Scored{Score: 1, Components: map[string]float64{"x": 1 / zero}}, nil
			})
		}, want: failedWith(sdk.FailureReward, sdk.OutcomeDropped, 1)},
		{name: "reward: the expression fails", change: func(r *rig) {
			r.setup.Compose = func(ComposeInputs) (ComposeResult, error) { return ComposeResult{}, broken }
		}, want: failedWith(sdk.FailureReward, sdk.OutcomeDropped, 1)},
		{name: "reward: the expression forgives", change: both(onScore(times(always, final)), func(r *rig) {
			r.setup.Compose = func(ComposeInputs) (ComposeResult, error) { return ComposeResult{Reward: 0.5}, nil }
		}), want: scored},

		{name: "policy: scored", change: says(malformed, sdk.FinishStop, always), want: scored},
		{name: "policy: drawn again", change: both(says(malformed, sdk.FinishStop, 1),
			policyOf(sdk.FailurePolicy, 1, sdk.ActionRetry, sdk.ActionScore)),
			want: end{Outcome: sdk.OutcomeScored, Scored: true, Trained: true, Attempts: 2, Draw: 1, Breaker: "fine"}},
		{name: "policy: scored when the budget is spent", change: both(says(malformed, sdk.FinishStop, always),
			policyOf(sdk.FailurePolicy, 2, sdk.ActionRetry, sdk.ActionScore)),
			want: end{Outcome: sdk.OutcomeScored, Scored: true, Trained: true, Attempts: 3, Draw: 2, Breaker: "fine"}},
		{name: "policy: masked, and no business of the breaker",
			change: both(says(malformed, sdk.FinishStop, always), policyOf(sdk.FailurePolicy, 0, sdk.ActionMask)),
			want:   end{Outcome: sdk.OutcomeFailed, Class: sdk.FailurePolicy, Masked: true, Attempts: 1, Breaker: "ignored"}},

		{name: "truncated: scored", change: says(sdk.Message{Content: "12"}, sdk.FinishLength, always),
			want: end{Outcome: sdk.OutcomeTruncated, Scored: true, Trained: true, Attempts: 1, Breaker: "ignored"}},
		{name: "truncated: masked", change: both(says(sdk.Message{Content: "12"}, sdk.FinishLength, always),
			func(r *rig) { r.setup.Overlong = OverlongMask }),
			want: end{Outcome: sdk.OutcomeTruncated, Masked: true, Attempts: 1, Breaker: "ignored"}},
		{name: "truncated: scored in validation whatever overlong says",
			change: both(says(sdk.Message{Content: "12"}, sdk.FinishLength, always),
				func(r *rig) { r.setup.Overlong = OverlongMask }), validation: true,
			want: end{Outcome: sdk.OutcomeTruncated, Scored: true, Attempts: 1, Breaker: "ignored"}},
		{name: "truncated: the context is full after a turn", change: func(r *rig) {
			r.policy.before = func(_ context.Context, req sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
				if req.Base > 0 {
					return nil, &sdk.GenerateError{Kind: sdk.GenerateContextFull}
				}
				return nil, nil
			}
		}, want: end{Outcome: sdk.OutcomeTruncated, Scored: true, Trained: true, Attempts: 1, Breaker: "ignored"}},
		{name: "truncated: the prompt alone is too long, so there is nothing to score",
			change: onGenerate(times(always, &sdk.GenerateError{Kind: sdk.GenerateContextFull})),
			want:   end{Outcome: sdk.OutcomeTruncated, Masked: true, Attempts: 1, Breaker: "ignored"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig()
				row.change(r)
				r.start(t)
				req := sample(1, 1, 0)
				if row.validation {
					req = probe(1)
				}
				got := endOf(r.run(t, req), r.sink.last(t))
				if diff := cmp.Diff(row.want, got); diff != "" {
					t.Errorf("the episode ended otherwise (-want +got):\n%s", diff)
				}
				r.checkAllClosed(t)
				r.checkSeeds(t)
				r.checkNoInventedNumbers(t)
			})
		})
	}
}

// mute is a dataset without questions.
type mute struct{ taskList }

func (mute) TaskAt(sdk.Split, int) (sdk.Task, error) {
	return sdk.Task{ID: "mute", Public: []byte(`{}`)}, nil
}

// revive makes the supervisor restart every plugin.
func revive(r *rig) {
	r.options.AwaitPlugin = func(context.Context, string, error) error { return nil }
}

func (r *rig) checkAllClosed(t *testing.T) {
	t.Helper()
	known := map[string]bool{}
	for _, open := range r.env.opens {
		if known[open.EpisodeID] {
			t.Errorf("two attempts share the session %s: a late Close of one would end the other", open.EpisodeID)
		}
		known[open.EpisodeID] = true
	}
	if n := len(r.env.sessions); n != 0 || len(r.env.opens) != len(r.env.closes) {
		t.Errorf("%d sessions are still open; %d were opened and %d closed", n, len(r.env.opens), len(r.env.closes))
	}
}

// checkSeeds checks that all attempts have the same problem and random numbers, unless they are redrawn.
func (r *rig) checkSeeds(t *testing.T) {
	t.Helper()
	for _, open := range r.env.opens[min(1, len(r.env.opens)):] {
		if open.Seed != r.env.opens[0].Seed {
			t.Errorf("a retry changed the environment's seed")
		}
	}
	record := r.sink.last(t)
	for _, attempt := range r.sink.attempts {
		for i := range min(len(attempt.Turns), len(record.Turns)) {
			same := attempt.Turns[i].Seed == record.Turns[i].Seed
			if want := attempt.Draw == record.Draw; i == 0 && same != want {
				t.Errorf("the first seeds of attempts %d and %d are equal: %v, want %v", attempt.Attempt, record.Attempt, same,
					want)
			}
		}
	}
}

// checkNoInventedNumbers checks that a result has a number or a failure, never both.
func (r *rig) checkNoInventedNumbers(t *testing.T) {
	t.Helper()
	for _, record := range r.sink.episodes {
		if record.Reward != nil && record.Failure != nil {
			t.Errorf("the episode has the reward %g and the failure %v", *record.Reward, record.Failure)
		}
	}
}
