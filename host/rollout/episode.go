package rollout

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/awhost/awhost/host/rollout/internal/clock"
	"github.com/awhost/awhost/host/rollout/internal/group"
	"github.com/awhost/awhost/host/rollout/internal/quarantine"
	"github.com/awhost/awhost/host/rollout/internal/queue"
	"github.com/awhost/awhost/host/rollout/internal/recovery"
	"github.com/awhost/awhost/host/rollout/internal/registry"
	"github.com/awhost/awhost/host/rollout/internal/slot"
	"github.com/awhost/awhost/host/rollout/internal/verdict"
	"github.com/awhost/awhost/host/rollout/internal/wait"
	"github.com/awhost/awhost/sdk"
)

// episode is one RunEpisode from the queue to its record. It is used by one goroutine.
type episode struct {
	engine  *Engine
	stage   *stage
	entry   *registry.Entry
	request sdk.EpisodeRequest
	slot    Slot
	task    sdk.Task
	seeds   slot.Seeds
	member  *group.Member    // of a group that is compared; nil where there is none
	sample  *group.Sample    // of a group that may be dropped; nil where that cannot happen
	banned  *quarantine.Task // its task is not tried any more; nil: it is

	recovery.Effort                          // of this episode alone
	failed          map[sdk.FailureClass]int // retries by class
	redraws         int

	failedRun bool // by on_failure: its failure stays on record
}

func (ep *episode) clock() clock.Clock { return ep.engine.clock }

func (ep *episode) validation() bool { return ep.slot.Split == sdk.SplitValidation }

func (ep *episode) activeBudget() time.Duration {
	if ep.request.ActiveBudget > 0 {
		return ep.request.ActiveBudget
	}
	return ep.stage.ActiveBudget
}

// material is a conversation that can be scored.
type material struct {
	state json.RawMessage
	left  time.Duration // of the active budget
}

// run takes the episode through its life: queue, attempts, scores, siblings, result.
func (ep *episode) run(ctx context.Context) *EpisodeRecord {
	r := &EpisodeRecord{
		AttemptRecord: AttemptRecord{
			EpisodeID: ep.request.EpisodeID, Slot: ep.slot, Draw: ep.request.Draw, TaskID: ep.task.ID,
			Started: ep.clock().Now(),
		},
		GroupSize:       ep.request.GroupSize,
		PolicyVersion:   ep.request.PolicyVersion,
		EnvironmentSeed: ep.seeds.Environment,
	}
	began := r.Started
	defer ep.sample.Leave() // its siblings must not wait for it, whatever happens
	defer ep.member.Leave()
	ep.live(ctx, r)
	if r.Reward == nil && ep.interrupted(ctx) != nil && !ep.failedRun {
		ep.withdraw(r, ctx) // whatever failed may have failed because of it, and would have been tried again
	}
	ep.bound(r)
	if ep.sample != nil && r.Outcome != sdk.OutcomeCancelled {
		ep.agree(ctx, r)
	}
	ep.close(r, began)
	return r
}

// resultSlack is more than what a result grows by once its size is known: times, and what siblings decide.
const resultSlack = 1 << 10

// bound fails an episode whose result its caller could not be told: what is on record is what the caller gets.
func (ep *episode) bound(r *EpisodeRecord) {
	limit := ep.engine.options.ResultBytes
	if limit == 0 {
		return
	}
	failure := r.result().Oversize(limit - resultSlack)
	if failure == nil {
		return
	}
	r.Oversize, r.Reward, r.IsSuccess = true, nil, nil
	if r.Outcome == sdk.OutcomeScored || r.Outcome == sdk.OutcomeTruncated {
		ep.giveUp(r, failure)
	}
}

// live fills in everything but the sums.
func (ep *episode) live(ctx context.Context, r *EpisodeRecord) {
	ticket, err := ep.queue(ctx, r)
	if err != nil {
		ep.endInQueue(r, err)
		return
	}
	defer ticket.Leave()
	ep.engine.live.running.Add(1)
	m := ep.attempts(ctx, r)
	ticket.LeaveEnvironment()
	var scores scores
	if m != nil {
		r.State = m.state
		scores = ep.scoreAlone(ctx, r, m)
	}
	ep.engine.live.running.Add(-1)
	ticket.Leave() // whoever waits for siblings takes nobody's place
	if scores == nil {
		return
	}
	if ep.member != nil && !ep.scoreTogether(ctx, r, m, scores) {
		return
	}
	ep.compose(r, scores)
}

// agree waits until it is known whether a sibling takes the whole group with it, and whether there is a sibling to compare the episode with,
// as far as the stage asks for that. What the episode itself came to stays on record.
func (ep *episode) agree(ctx context.Context, r *EpisodeRecord) {
	if r.DropGroup {
		ep.sample.Drop()
	}
	ep.member.Leave() // siblings that wait to be compared must not wait for one that waits for them
	started := ep.clock().Now()
	ep.engine.live.waiting.Add(1)
	decided := ep.entry.Waits.Begin(wait.Wait{For: wait.Siblings})
	v, err := ep.sample.Keep(ctx, ep.stage.dropsGroups, ep.stage.holdsFirst && r.Reward != nil && !r.Masked)
	decided()
	ep.engine.live.waiting.Add(-1)
	r.Timings.Siblings += ep.clock().Now().Sub(started)
	switch {
	case errors.Is(err, verdict.ErrHardDeadline): // of waiting; the episode itself is over
		v.Expired = true
	case err != nil, ep.interrupted(ctx) != nil: // siblings that the host cut off have decided nothing
		ep.withdraw(r, ctx)
		return
	}
	r.DropGroup, r.WallClock = v.Dropped, r.WallClock || v.Expired
	if r.LoneSurvivor = v.Lone && !v.Dropped; r.LoneSurvivor {
		r.DropGroup, r.Masked = ep.stage.LoneSurvivor == sdk.ActionDropGroup, ep.stage.LoneSurvivor == sdk.ActionMask
	}
}

// queue waits for a place.
func (ep *episode) queue(ctx context.Context, r *EpisodeRecord) (*queue.Ticket, error) {
	ep.engine.live.queued.Add(1)
	defer ep.engine.live.queued.Add(-1)
	defer ep.entry.Waits.Begin(wait.Wait{For: wait.Slot})()
	ticket, err := ep.stage.queue.Enter(ctx, ep.member.Order(), ep.stage.Environment != nil)
	r.Timings.Queue = ep.clock().Now().Sub(r.Started)
	if err != nil {
		return nil, err
	}
	if ctx.Err() != nil { // in the same moment
		ticket.Leave()
		return nil, context.Cause(ctx)
	}
	ep.entry.Start()
	return ticket, nil
}

// endInQueue ends an episode that never worked. That is never a score, nor a failure of anything it would have used.
func (ep *episode) endInQueue(r *EpisodeRecord, cause error) {
	r.Outcome = sdk.OutcomeCancelled
	r.CancelReason = cause.Error()
	if errors.Is(cause, verdict.ErrHardDeadline) {
		r.CancelReason = "queue"
		r.WallClock = true
		r.Failure = &sdk.Failure{Class: sdk.FailureTimeout, Detail: "queue: the hard deadline passed before there was a place"}
	}
}

// attempts tries until there is something to score, or nothing more to try: then the record says how it ended.
func (ep *episode) attempts(ctx context.Context, r *EpisodeRecord) *material {
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
		if !v.Stays() {
			v = w.Enter(ctx, quarantine.KeyOf(ep.slot), wait.Stacks{ep.entry.Waits})
		}
		a := ep.attempt(ctx, number)
		r.AttemptRecord = a.record
		r.Timings.Model += a.model
		r.Timings.Environment += a.env
		again, m := ep.follow(ctx, r, a, v)
		if !again || !v.Stays() {
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

// follow decides what an attempt leads to: another one, material, or the end.
func (ep *episode) follow(ctx context.Context, r *EpisodeRecord, a *attempt, where *quarantine.Visit) (again bool, m *material) {
	switch v := a.verdict; {
	case v.Cancelled:
		ep.cancel(r, ctx)
	case v.Lost != nil:
		ep.engine.live.losses.Add(1)
		failure := ep.engine.recovery.Regain(ctx, &ep.Effort, v.Lost, wait.Stacks{ep.entry.Waits})
		if failure != nil {
			return ep.react(ctx, r, failure), nil
		}
		if failure := where.Survive(ep.request.EpisodeID, v.Lost); failure != nil && ctx.Err() == nil {
			ep.Blamed = v.Lost.Address
			ep.giveUp(r, failure)
			return false, nil
		}
		return true, nil // or cancelled, as the next attempt will find
	case v.Failure != nil:
		return ep.react(ctx, r, v.Failure), nil
	case len(a.record.Turns) == 0: // the prompt alone is too long
		r.Outcome, r.Masked = sdk.OutcomeTruncated, true
	case a.policy != nil:
		return ep.followPolicy(ctx, r, a)
	case a.record.Finish.Truncated() && ep.stage.Overlong == OverlongMask && !ep.validation():
		r.Outcome, r.Masked = sdk.OutcomeTruncated, true
	default:
		return false, &material{state: a.state, left: a.left}
	}
	return false, nil
}

// followPolicy treats an attempt that the model's output ended: unlike other failures it can be scored.
func (ep *episode) followPolicy(ctx context.Context, r *EpisodeRecord, a *attempt) (again bool, m *material) {
	if ep.decide(ctx, a.policy, true) == sdk.ActionScore {
		return false, &material{state: a.state, left: a.left}
	}
	r.Failure, a.record.Failure = a.policy, a.policy
	return ep.react(ctx, r, a.policy), nil
}

// react applies the policy to a failure and says whether to try again.
func (ep *episode) react(ctx context.Context, r *EpisodeRecord, failure *sdk.Failure) (again bool) {
	action := ep.decide(ctx, failure, false)
	if action != sdk.ActionRetry {
		ep.end(r, failure, action)
		return false
	}
	if ep.failed == nil {
		ep.failed = map[sdk.FailureClass]int{}
	}
	ep.failed[failure.Class]++
	ep.Retries++
	if draws(failure.Class) {
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

// end writes down a failure that is final.
func (ep *episode) end(r *EpisodeRecord, failure *sdk.Failure, action sdk.FailureAction) {
	r.Failure = failure
	r.WallClock = r.WallClock || verdict.WallClock(failure)
	switch action {
	case sdk.ActionDropSample, sdk.ActionDropGroup:
		r.Outcome = sdk.OutcomeDropped
		r.DropGroup = action == sdk.ActionDropGroup
		return
	case sdk.ActionFailRun:
		ep.failedRun = true
		ep.engine.lifetime.Fail(fmt.Errorf("episode %s of task %q failed, and on_failure says fail_run: %w",
			ep.request.EpisodeID, ep.task.ID, failure))
	}
	r.Outcome, r.Masked = sdk.OutcomeFailed, true
}

// cancel writes down that nobody wants the result any more.
func (ep *episode) cancel(r *EpisodeRecord, ctx context.Context) {
	r.Outcome = sdk.OutcomeCancelled
	if cause := cmp.Or(context.Cause(ctx), ep.interrupted(ctx)); cause != nil {
		r.CancelReason = cause.Error()
	}
}

// withdraw cancels what was over already, too.
func (ep *episode) withdraw(r *EpisodeRecord, ctx context.Context) {
	ep.cancel(r, ctx)
	r.Reward, r.IsSuccess, r.Failure, r.Masked, r.DropGroup = nil, nil, nil, false, false
}

// interrupted says why the host has cut the episode off. Nil: it has not, or the caller or a deadline was first. The end of the host is
// known here before the episode's own context has heard of it, and so before siblings leave because of it.
func (ep *episode) interrupted(ctx context.Context) error {
	ended, own := context.Cause(ep.engine.lifetime.Context()), context.Cause(ctx)
	if own != nil && own != ended {
		return nil
	}
	return ended
}

// unasked says what ended the episode without its caller's wish: nobody has waited for it, or the host has cut it off. Nil: neither.
func (ep *episode) unasked(ctx context.Context) error {
	if cause := context.Cause(ctx); errors.Is(cause, verdict.ErrNobodyWaits) {
		return cause
	}
	return ep.interrupted(ctx)
}

// endScoring writes down what ended the scoring before there was a number.
func (ep *episode) endScoring(ctx context.Context, r *EpisodeRecord, err error) {
	v := verdict.Of(ctx, err)
	if v.Failure == nil {
		ep.cancel(r, ctx)
		return
	}
	ep.giveUp(r, v.Failure)
}

// giveUp ends an episode whose scoring failed. Its conversation is over: only another action than retry can follow.
func (ep *episode) giveUp(r *EpisodeRecord, failure *sdk.Failure) {
	ep.end(r, failure, ep.stage.Policy.decide(question{class: failure.Class, validation: ep.validation()}))
}

// close completes the record.
func (ep *episode) close(r *EpisodeRecord, began time.Time) {
	r.Retries, r.Redraws, r.Losses = ep.Retries, ep.redraws, ep.Losses()
	r.WallClock = r.WallClock || ep.TimedOut
	r.RewardMetrics, r.Blamed = ep.Metrics, ep.Blamed
	r.FinalAnswer = r.finalAnswer()
	trained := r.Reward != nil && !r.Masked && !r.DropGroup && !ep.validation()
	for i := range r.Chains {
		r.Chains[i].Train = trained && ep.stage.Trainable(r.Chains[i].Agent)
	}
	r.Ended = ep.clock().Now()
	t := &r.Timings
	t.Host = max(0, r.Ended.Sub(began)-t.Queue-t.Model-t.Environment-t.Reward-t.Siblings)
	r.Hash = r.Canonical()
}
