package rollout

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/awhost/awhost/host/agent"
	"github.com/awhost/awhost/host/rollout/internal/clock"
	"github.com/awhost/awhost/host/rollout/internal/verdict"
	"github.com/awhost/awhost/host/rollout/internal/wait"
	"github.com/awhost/awhost/sdk"
)

// attempt is one try at an episode: a fresh environment, a fresh conversation.
type attempt struct {
	record  AttemptRecord
	verdict verdict.Verdict // of the error that ended it; zero where it came to an end of its own
	policy  *sdk.Failure    // the model's output ended it
	state   json.RawMessage // of the environment, where a reward looks at it
	left    time.Duration   // of the active budget
	model   time.Duration   // spent there
	env     time.Duration
}

// attempt runs the agent once, within the active budget.
func (ep *episode) attempt(ctx context.Context, number int) *attempt {
	a := &attempt{record: AttemptRecord{
		EpisodeID: ep.request.EpisodeID,
		Slot:      ep.slot,
		Attempt:   number,
		Draw:      ep.request.Draw + ep.redraws,
		TaskID:    ep.task.ID,
		Started:   ep.clock().Now(),
	}}
	active, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	budget := clock.NewBudget(ep.clock(), ep.activeBudget(), func() { cancel(verdict.ErrActiveBudget) })
	defer budget.Stop()
	m := newModel(ep, &a.record, budget)
	if err := ep.act(active, a, m); err != nil {
		a.verdict = verdict.Of(active, err)
	}
	a.left, a.model = budget.Remaining(), m.spent
	a.record.Ended = ep.clock().Now()
	a.conclude()
	return a
}

// conclude writes down what the verdict was. A context that is full ends a conversation as other limits do, also
// where the agent did not notice.
func (a *attempt) conclude() {
	v := a.verdict
	switch {
	case v.Truncated:
		a.record.Finish = agent.FinishContextFull
		a.verdict = verdict.Verdict{}
	case v.Lost != nil:
		a.record.LostPlugin, a.record.LostDetail = v.Lost.Address, v.Lost.Err.Error()
	case v.Failure != nil:
		a.record.Failure = v.Failure
	}
}

// act opens the environment, lets the agent work and closes it again.
func (ep *episode) act(ctx context.Context, a *attempt, m *model) (err error) {
	if ep.stage.Environment == nil {
		return ep.work(ctx, a, m, nil)
	}
	s, err := openSession(ctx, ep, &a.record)
	s.model = m
	if err == nil {
		err = ep.work(ctx, a, m, s)
	}
	if err == nil && ep.stage.needsState {
		a.state, err = s.snapshot(ctx)
	}
	closed := s.close(ctx, closeReason(ctx, err))
	a.env = s.spent
	if err == nil {
		err = closeError(closed)
	}
	return err
}

func closeReason(ctx context.Context, err error) string {
	switch {
	case ctx.Err() != nil:
		return closeCancelled
	case err != nil:
		return closeFailed
	}
	return closeDone
}

// closeError is what of a Close's error concerns an episode that came to its end. What Close reports belongs to the
// record, so a plugin that died over it takes the attempt along, and what it says on purpose counts; any other error
// is the environment's own business.
func closeError(err error) error {
	var failure *sdk.Failure
	if errors.Is(err, verdict.ErrPluginLost) || errors.Is(err, sdk.ErrSessionLost) || errors.As(err, &failure) {
		return err
	}
	return nil
}

// work runs the agent and takes down what it leaves, also where it failed.
func (ep *episode) work(ctx context.Context, a *attempt, m *model, s *session) error {
	task := agent.Episode{ID: ep.request.EpisodeID, Task: show(ep.task, nil), Model: m}
	if s != nil {
		task.Environment = s
	}
	defer ep.awaitAgent()()
	result, err := ep.stage.Agent.Run(ctx, task)
	if result != nil {
		a.record.Messages = result.Messages
		a.record.Sampled = result.Sampled
		a.record.Tools = result.Tools
		a.record.Finish = result.Finish
		a.record.Metadata = result.Metadata
		a.record.Answer = result.Answer
		a.record.MalformedCalls = result.MalformedCalls
		a.record.RefusedCalls = result.RefusedCalls
		a.policy = result.Failure
		if result.Unordered {
			a.record.arrange()
		}
		a.record.addMetrics("agent/", result.Metrics)
	}
	if err != nil {
		return err
	}
	if len(a.record.Turns) == 0 && !a.record.Finish.Truncated() {
		return &sdk.Failure{Class: sdk.FailureAgent, Detail: "the agent ended without asking the policy for anything"}
	}
	return nil
}

// awaitAgent notes that an agent of a plugin is at work. What it asks for is noted besides.
func (ep *episode) awaitAgent() (ended func()) {
	if p, ok := ep.stage.Agent.(pluginAgent); ok {
		return ep.entry.Waits.Begin(wait.Wait{For: wait.Agent, Address: p.address, Call: "Run"})
	}
	return func() {}
}

// finalAnswer is what the agent says, or the content of the last message that the policy wrote.
func (r *AttemptRecord) finalAnswer() string {
	answer, _ := (&agent.Result{Messages: r.Messages, Sampled: r.Sampled, Answer: r.Answer}).FinalAnswer()
	return answer
}
