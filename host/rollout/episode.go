package rollout

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/awhost/awhost/host/rollout/internal/clock"
	"github.com/awhost/awhost/host/rollout/internal/group"
	"github.com/awhost/awhost/host/rollout/internal/quarantine"
	"github.com/awhost/awhost/host/rollout/internal/queue"
	"github.com/awhost/awhost/host/rollout/internal/recovery"
	"github.com/awhost/awhost/host/rollout/internal/registry"
	"github.com/awhost/awhost/host/rollout/internal/slot"
	"github.com/awhost/awhost/host/rollout/internal/trace"
	"github.com/awhost/awhost/host/rollout/internal/verdict"
	"github.com/awhost/awhost/host/rollout/internal/wait"
	"github.com/awhost/awhost/sdk"
)

// episode is one RunEpisode call, from the queue to the record. It is used by one goroutine.
type episode struct {
	engine  *Engine
	stage   *stage
	entry   *registry.Entry
	request sdk.EpisodeRequest
	slot    Slot
	task    sdk.Task
	seeds   slot.Seeds
	member  *group.Member // in a group that is compared, or nil
	sample  *group.Sample // in a group that may be dropped; nil if that cannot happen
	trace   trace.Episode
	banned  *quarantine.Task // set if the episode's task is in quarantine

	recovery.RetryCount                          // of this episode alone
	failed              map[sdk.FailureClass]int // retries by class
	redraws             int
	// hung is the total time of calls that ended with a lost session even though the environment's process was running.
	// It is deducted from the active budget of later attempts, because lost sessions are retried outside the failure
	// policy's budgets.
	hung time.Duration

	failedRun bool // by on_failure: its failure stays on record
}

func (ep *episode) clock() clock.Clock { return ep.engine.clock }

// scorable is a conversation that can be scored.
type scorable struct {
	state json.RawMessage
	left  time.Duration // remaining active budget
}

// run takes the episode through all phases: queue, attempts, scores, siblings, and result.
func (ep *episode) run(ctx context.Context) *EpisodeRecord {
	r := &EpisodeRecord{
		AttemptRecord: AttemptRecord{
			EpisodeID: ep.request.EpisodeID, Slot: ep.slot, Draw: ep.request.Draw, TaskID: ep.task.ID,
			Parties: ep.stage.parties, Started: ep.clock().Now(),
		},
		GroupSize:       ep.request.GroupSize,
		PolicyVersion:   ep.request.PolicyVersion,
		EnvironmentSeed: ep.seeds.Environment,
	}
	r.Began = r.Started
	defer ep.sample.Leave() // siblings must never wait for an ended episode
	defer ep.member.Leave()
	ep.live(ctx, r)
	if r.Reward == nil && ep.interrupted(ctx) != nil && !ep.failedRun {
		ep.withdraw(r, ctx) // any failure may be caused by the interruption, and would have been retried
	}
	ep.bound(r)
	if ep.sample != nil && r.Outcome != sdk.OutcomeCancelled {
		ep.agree(ctx, r)
	}
	ep.close(r)
	return r
}

// live fills in everything except sums.
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
	ticket.Leave() // an episode that waits for siblings does not occupy a slot
	if scores == nil {
		return
	}
	if ep.member != nil && !ep.scoreTogether(ctx, r, m, scores) {
		return
	}
	ep.compose(r, scores)
}

// queue waits for a slot.
func (ep *episode) queue(ctx context.Context, r *EpisodeRecord) (*queue.Ticket, error) {
	ep.engine.live.queued.Add(1)
	defer ep.engine.live.queued.Add(-1)
	defer ep.entry.Waits.Begin(wait.Wait{For: wait.Slot})()
	ticket, err := ep.stage.queue.Enter(ctx, ep.member.Order(), ep.stage.Environment != nil)
	r.Spans = append(r.Spans, ep.spanned(PartQueue, "", r.Began))
	if err != nil {
		return nil, err
	}
	if ctx.Err() != nil { // at the same moment
		ticket.Leave()
		return nil, context.Cause(ctx)
	}
	ep.entry.Start()
	return ticket, nil
}

// spanned returns a span for the whole episode, from the given time until now.
func (ep *episode) spanned(part Part, name string, from time.Time) Span {
	return Span{Part: part, At: from, Took: ep.clock().Now().Sub(from), Name: name}
}

// endInQueue ends an episode that has never started. Its outcome is neither a score nor a component failure.
func (ep *episode) endInQueue(r *EpisodeRecord, cause error) {
	r.Outcome = sdk.OutcomeCancelled
	r.CancelReason = cause.Error()
	if errors.Is(cause, verdict.ErrHardDeadline) {
		r.CancelReason = "queue"
		r.WallClock = true
		r.Failure = &sdk.Failure{Class: sdk.FailureTimeout, Detail: "queue: the hard deadline passed before a slot " +
			"became available"}
	}
}
