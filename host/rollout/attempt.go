package rollout

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/awhost/awhost/host/agent"
	"github.com/awhost/awhost/host/rollout/internal/clock"
	"github.com/awhost/awhost/host/rollout/internal/digest"
	"github.com/awhost/awhost/host/rollout/internal/quarantine"
	"github.com/awhost/awhost/host/rollout/internal/verdict"
	"github.com/awhost/awhost/host/rollout/internal/wait"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/metric"
)

// attempt is one try at an episode, with a new environment and a new conversation.
type attempt struct {
	record  AttemptRecord
	verdict verdict.Verdict // verdict of the error that ended the attempt; zero if it ended normally
	policy  *sdk.Failure    // set if the model's output ended the attempt
	state   json.RawMessage // state of the environment, if a reward needs it
	left    time.Duration   // remaining active budget
	spans   []Span
}

// attempts runs attempts until one can be scored or no more are allowed. In the latter case, r records the outcome.
func (ep *episode) attempts(ctx context.Context, r *EpisodeRecord) *scorable {
	if ep.banned != nil {
		ep.giveUp(r, ep.banned.Failure())
		return nil
	}
	var w *quarantine.Tracker
	if ep.stage.Environment != nil {
		w = ep.engine.quarantine.Tracker(ep.stage.Environment.Address)
	}
	var v *quarantine.Visit
	for number := 1; ; number++ {
		if !v.IsRetried() {
			v = w.Enter(ctx, quarantine.KeyOf(ep.slot), wait.Stacks{ep.entry.Waits})
		}
		a := ep.attempt(ctx, number)
		r.AttemptRecord = a.record
		r.Spans = append(r.Spans, a.spans...)
		again, m := ep.follow(ctx, r, a, v)
		if !again || !v.IsRetried() {
			v.Leave(a.verdict.Lost == nil && !a.verdict.Cancelled)
		}
		if !again {
			return m
		}
		recorded := ep.entry.Waits.Begin(wait.Wait{For: wait.Record})
		err := ep.engine.options.Sink.Attempt(&a.record)
		if recorded(); err != nil {
			ep.engine.lifetime.Fail(fmt.Errorf("record attempt %d of episode %s: %w", number, ep.request.EpisodeID, err))
		}
	}
}

// attempt runs the agent once, within the active budget.
func (ep *episode) attempt(ctx context.Context, number int) *attempt {
	a := &attempt{record: AttemptRecord{
		EpisodeID: ep.request.EpisodeID,
		Slot:      ep.slot,
		Attempt:   number,
		Draw:      ep.request.Draw + ep.redraws,
		TaskID:    ep.task.ID,
		Parties:   ep.stage.parties,
		Started:   ep.clock().Now(),
	}}
	active, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	budget := clock.NewBudget(ep.clock(), max(ep.activeBudget()-ep.hung, 1), func() { cancel(verdict.ErrActiveBudget) })
	defer budget.Stop()
	defer ep.stage.release(ep.request.EpisodeID)
	m := &model{
		run: ep, record: &a.record, budget: budget, chains: map[string]*chain{}, repeats: map[digest.Digest]int{},
	}
	if err := ep.act(ep.trace.Attempt(number).Under(active, wait.Wait{}), a, m); err != nil {
		a.verdict = verdict.Of(active, err)
	}
	if rate := ratio(a.record.Foreign.Calls, a.record.Foreign.Messages); rate > 0 {
		a.record.addMetrics("", map[string]float64{metric.ForeignCallRate: rate})
	}
	a.record.Rows = ep.stage.rows(&a.record)
	a.left, a.spans = budget.Remaining(), append(a.spans, m.spans...)
	a.record.Ended = ep.clock().Now()
	a.record.Waits = ep.entry.Waits.Take()
	a.conclude()
	return a
}

// rows returns the rows for an attempt's chains, in the order of the chains.
func (s *stage) rows(r *AttemptRecord) (out []SampledRow) {
	known := map[string][]SampledRow{}
	learn := func(by GeneratorBinding, prefix string) {
		if by.Rows == nil {
			return
		}
		for _, row := range by.Rows(r.EpisodeID) {
			row.Chain = prefix + row.Chain
			known[row.Chain] = append(known[row.Chain], row)
		}
	}
	learn(s.Generator, "")
	asked := map[string]bool{}
	for _, served := range s.Served {
		if !asked[served.Address] {
			asked[served.Address] = true
			learn(served.GeneratorBinding, served.Address+chainMark)
		}
	}
	for _, chain := range r.Chains {
		out = append(out, known[chain.Chain]...)
	}
	return out
}

// release releases an episode's conversations held by the served models.
func (s *stage) release(episodeID string) {
	for _, served := range s.Served {
		if served.Release != nil {
			served.Release(episodeID)
		}
	}
}

func (ep *episode) activeBudget() time.Duration {
	if ep.request.ActiveBudget > 0 {
		return ep.request.ActiveBudget
	}
	return ep.stage.ActiveBudget
}

func (ep *episode) validation() bool { return ep.slot.Split == sdk.SplitValidation }

// conclude records the verdict. A full context ends a conversation as other limits do, even if the agent did not detect
// it.
func (a *attempt) conclude() {
	v := a.verdict
	if v != (verdict.Verdict{}) {
		a.record.Limit = nil // the limit that cut the conversation did not end the attempt
	}
	switch {
	case v.Truncated:
		a.record.Finish, a.record.Limit = agent.FinishContextFull, &agent.Limit{Name: agent.LimitContext}
		a.verdict = verdict.Verdict{}
	case v.Lost != nil:
		a.record.LostPlugin, a.record.LostDetail = v.Lost.Address, v.Lost.Err.Error()
	case v.Failure != nil:
		a.record.Failure = v.Failure
	}
}

// act opens the environment, runs the agent, and closes the environment.
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
	a.spans = s.spans
	if err == nil {
		err = closeError(closed)
	}
	return err
}

// work runs the agent and records its result, even if the agent failed.
func (ep *episode) work(ctx context.Context, a *attempt, m *model, s *session) error {
	task := agent.Episode{
		ID: ep.request.EpisodeID, Place: ep.seeds.Place(), Task: show(ep.task, nil), Whole: ep.task, Model: m,
	}
	if s != nil {
		task.Environment = s
	}
	defer ep.awaitAgent()()
	result, err := ep.stage.Agent.Run(ctx, task)
	if mistake := (*agent.SpecError)(nil); errors.As(err, &mistake) {
		ep.engine.lifetime.Fail(err)
	}
	if result != nil {
		a.record.Messages = result.Messages
		a.record.Sampled = result.Sampled
		a.record.Parts = result.Parts
		a.record.Tools = result.Tools
		a.record.UnsampledSteps = result.UnsampledSteps
		a.record.Finish, a.record.Limit = result.Finish, result.Limit
		a.record.Metadata = result.Metadata
		a.record.Answer = result.Answer
		a.record.SelfReport = result.SelfReport
		a.record.MalformedCalls = result.MalformedCalls
		a.record.RefusedCalls = result.RefusedCalls
		a.policy = result.Failure
		if result.Unordered {
			a.record.arrange()
		}
		a.record.addMetrics("agent/", result.Metrics)
		a.record.addMetrics("gateway/", result.Endpoint)
		a.record.Endpoint = result.Endpoint != nil
		for i := range a.record.Turns {
			a.record.Turns[i].Caller = result.Callers[a.record.Turns[i].CallID]
		}
	}
	if err != nil {
		return err
	}
	if len(a.record.Turns) == 0 && !a.record.Finish.Truncated() {
		return &sdk.Failure{Class: sdk.FailureAgent, Detail: "the agent ended without asking the policy for anything"}
	}
	return nil
}

// arrange sorts the record into an order that does not depend on how fast the calls were: conversations are sorted by
// the seeds of their first messages, and each runs from its beginning.
func (r *AttemptRecord) arrange() {
	if len(r.Chains) < 2 {
		return
	}
	first := map[string]uint64{}
	for i := range r.Turns {
		t := &r.Turns[i]
		if _, ok := first[t.Chain]; !ok {
			first[t.Chain] = t.Seed
		}
	}
	slices.SortStableFunc(r.Chains, func(a, b ChainRecord) int { return cmp.Compare(first[a.Chain], first[b.Chain]) })
	slices.SortStableFunc(r.Turns, func(a, b TurnRecord) int { return cmp.Compare(first[a.Chain], first[b.Chain]) })
	place := map[string]int{}
	for i := range r.Turns {
		place[r.Turns[i].CallID] = i - len(r.Turns) // before the agent's own steps
	}
	slices.SortStableFunc(r.TurnRewards, func(a, b sdk.TurnReward) int {
		return cmp.Compare(place[a.CallID], place[b.CallID])
	})
}

// addMetrics adds metrics under a prefix.
func (r *AttemptRecord) addMetrics(prefix string, metrics map[string]float64) {
	if len(metrics) == 0 {
		return
	}
	if r.Metrics == nil {
		r.Metrics = make(map[string]float64, len(metrics))
	}
	for name, value := range metrics {
		r.Metrics[prefix+name] += value
	}
}

// show returns the part of a task that a component with the given needs may see.
func show(task sdk.Task, needs []sdk.Need) sdk.Task {
	if !slices.Contains(needs, sdk.NeedGroundTruth) {
		task.Private = nil
	}
	return task
}

// awaitAgent records the time spent waiting for a plugin's agent. The agent's requests are recorded separately.
func (ep *episode) awaitAgent() (ended func()) {
	if p, ok := ep.stage.Agent.(pluginAgent); ok {
		return ep.entry.Waits.Begin(wait.Wait{For: wait.Agent, Address: p.address, Call: "Run"})
	}
	return func() {}
}

// follow determines what happens after an attempt: another attempt, scoring, or the end of the episode.
func (ep *episode) follow(
	ctx context.Context, r *EpisodeRecord, a *attempt, where *quarantine.Visit,
) (again bool, m *scorable) {
	masked := ep.masked(&a.record)
	switch v := a.verdict; {
	case v.Cancelled:
		ep.cancel(r, ctx)
	case v.Lost != nil:
		ep.engine.live.losses.Add(1)
		if !errors.Is(v.Lost, verdict.ErrPluginLost) {
			ep.hung += lastCall(a.spans)
		}
		failure := ep.engine.recovery.AwaitReturn(ctx, &ep.RetryCount, v.Lost, wait.Stacks{ep.entry.Waits})
		if failure != nil {
			return ep.react(ctx, r, failure), nil
		}
		failure = where.Recovered(quarantine.Loss{
			Episode: ep.request.EpisodeID, Call: v.Lost, Sessions: ep.LostSessions(),
		})
		if failure != nil && ctx.Err() == nil {
			ep.Blamed = v.Lost.Address
			ep.giveUp(r, failure)
			return false, nil
		}
		return true, nil // or canceled, which the next attempt detects
	case v.Failure != nil:
		return ep.react(ctx, r, v.Failure), nil
	case len(a.record.Turns) == 0: // the prompt alone is too long
		r.Outcome, r.Masked = sdk.OutcomeTruncated, true
	case masked != nil:
		ep.end(r, masked, sdk.ActionMask)
	case a.policy != nil:
		return ep.followPolicy(ctx, r, a)
	case a.record.Finish.Truncated() && ep.stage.Overlong == OverlongMask && !ep.validation():
		r.Outcome, r.Masked = sdk.OutcomeTruncated, true
	default:
		return false, &scorable{state: a.state, left: a.left}
	}
	return false, nil
}

// lastCall returns the duration of an attempt's last call to the environment, excluding Close.
func lastCall(spans []Span) time.Duration {
	for _, s := range slices.Backward(spans) {
		if s.Part == PartEnvironment && s.Name != "Close" {
			return s.Took
		}
	}
	return 0
}

// followPolicy handles an attempt that was ended by the model's output. Unlike other failures, such an attempt can be
// scored.
func (ep *episode) followPolicy(ctx context.Context, r *EpisodeRecord, a *attempt) (again bool, m *scorable) {
	if ep.decide(ctx, a.policy, true) == sdk.ActionScore {
		return false, &scorable{state: a.state, left: a.left}
	}
	r.Failure, a.record.Failure = a.policy, a.policy
	return ep.react(ctx, r, a.policy), nil
}

// react applies the policy to a failure and reports whether to try again.
func (ep *episode) react(ctx context.Context, r *EpisodeRecord, failure *sdk.Failure) (again bool) {
	action := ep.decide(ctx, failure, false)
	if action != sdk.ActionRetry || failure.StopRun {
		ep.end(r, failure, action)
		return false
	}
	if ep.failed == nil {
		ep.failed = map[sdk.FailureClass]int{}
	}
	ep.failed[failure.Class]++
	ep.Retries++
	if failure.Class == sdk.FailurePolicy { // a retry samples again
		ep.redraws++
	}
	return true
}

func (ep *episode) decide(ctx context.Context, failure *sdk.Failure, mayScore bool) sdk.FailureAction {
	return ep.stage.Policy.decide(question{
		class:      failure.Class,
		retries:    ep.failed[failure.Class],
		mayRetry:   ctx.Err() == nil,
		mayScore:   mayScore,
		validation: ep.validation(),
	})
}

// giveUp ends an episode for which scoring failed. Its conversation has ended, so it cannot be retried.
func (ep *episode) giveUp(r *EpisodeRecord, failure *sdk.Failure) {
	ep.end(r, failure, ep.stage.Policy.decide(question{class: failure.Class, validation: ep.validation()}))
}

// end records a final failure.
func (ep *episode) end(r *EpisodeRecord, failure *sdk.Failure, action sdk.FailureAction) {
	r.Failure = failure
	r.WallClock = r.WallClock || verdict.WallClock(failure)
	if failure.StopRun { // the episode has no result: it is requested again when the run resumes
		ep.engine.lifetime.Fail(fmt.Errorf("episode %s of task %q cannot be finished: %w",
			ep.request.EpisodeID, ep.task.ID, failure))
	}
	switch action {
	case sdk.ActionDropSample, sdk.ActionDropGroup:
		r.Outcome = sdk.OutcomeDropped
		r.DropGroup = action == sdk.ActionDropGroup
		return
	case sdk.ActionFailRun:
		ep.failedRun = true
		ep.engine.lifetime.Fail(fmt.Errorf("episode %s of task %q failed, and on_failure is fail_run: %w",
			ep.request.EpisodeID, ep.task.ID, failure))
	}
	r.Outcome, r.Masked = sdk.OutcomeFailed, true
}

// cancel records that the result is no longer needed.
func (ep *episode) cancel(r *EpisodeRecord, ctx context.Context) {
	r.Outcome = sdk.OutcomeCancelled
	if cause := cmp.Or(context.Cause(ctx), ep.interrupted(ctx)); cause != nil {
		r.CancelReason = cause.Error()
	}
}

// interrupted returns the reason why the host ended the episode. It returns nil if the host did not end it, or if the
// caller or a deadline ended it first. It detects that the host is ending before the episode's own context is canceled,
// and therefore before siblings leave for that reason.
func (ep *episode) interrupted(ctx context.Context) error {
	ended, own := context.Cause(ep.engine.lifetime.Context()), context.Cause(ctx)
	if own != nil && own != ended {
		return nil
	}
	return ended
}

// masked returns the failure that excludes an attempt from training, or nil.
func (ep *episode) masked(r *AttemptRecord) *sdk.Failure {
	for i := range r.Turns {
		failure := fault(&r.Turns[i])
		if failure != nil && ep.stage.madness(r.Turns[i].Agent).Then == ThenMask && !ep.validation() {
			return failure
		}
	}
	if ep.stage.Mask == nil || ep.validation() {
		return nil
	}
	rule := ep.stage.Mask(r)
	if rule == "" {
		return nil
	}
	detail := fmt.Sprintf("masked by findings: on %q has action = \"mask\"", rule)
	return &sdk.Failure{Class: sdk.FailurePolicy, Detail: detail}
}

// fault returns the first finding of a turn as a failure, or nil.
func fault(turn *TurnRecord) *sdk.Failure {
	if len(turn.Findings) == 0 {
		return nil
	}
	f := turn.Findings[0]
	return &sdk.Failure{Class: sdk.FailurePolicy, Detail: fmt.Sprintf(
		"a message of %s does not pass the check %s: %s at byte %d of its %s",
		turn.Agent, f.Check, f.Reason, f.Offset, f.Part)}
}

// madness returns the checks for a member's messages, or nil if the member has none or is auxiliary.
func (s *stage) madness(member string) *MadnessBinding {
	if s.Auxiliary != nil && s.Auxiliary(member) {
		return nil
	}
	name, _, _ := strings.Cut(member, "/") // the parts of a plugin's agent are checked like the agent
	return s.Madness[name]
}
