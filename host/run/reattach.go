package run

import (
	"context"
	"errors"
	"fmt"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/sdk"
)

// If a trainer can outlive its adapter's process and its host, the host reattaches to it, and replaces it only if it
// has exited. The host's data about the trainer is on record. The trainer continues after the last boundary that
// counts, whose record contains the state, the breaker, and the response. The episodes that have ended since then are
// also recorded, and the trainer repeats its events from that point. Therefore, it makes no difference whether this
// process or another one received the trainer's earlier events.

// errTrainerGone reports that no trainer is left to take up.
var errTrainerGone = errors.New("the trainer is gone")

// findTrainer finds the most recently launched trainer if it may still be running.
func (r *runner) findTrainer(ctx context.Context) error {
	r.trainer = nil
	t, err := r.Writer.LastTrainer()
	if err != nil || !t.MayRun() {
		return err
	}
	if t.Launch.StageIndex >= len(r.Plan.Stages) || t.Launch.Stage != r.Plan.Stages[t.Launch.StageIndex].Name {
		return fmt.Errorf("launch %s belongs to stage %q, which is not at the same position in the spec: start another "+
			"run with: awhost apply --new", t.Launch.LaunchID, t.Launch.Stage)
	}
	if !t.CheckpointLost {
		r.trainer = t
		return nil
	}
	r.warn(event.Warning{
		Code: "trainer_stranded", Summary: "the trainer of launch " + t.Launch.LaunchID + " continued from a checkpoint " +
			"that is no longer intact; it is ended",
	})
	return r.endTrainer(ctx, t)
}

// resume prepares a launch to continue partway through a step.
func (l *trainCall) resume() error {
	t := l.trainer
	if tip := l.run.Writer.Tip(); tip == nil || tip.StageIndex != l.index {
		l.run.state.now.Stages[l.index] = t.Launch.FirstStep - 1
	}
	if err := l.run.state.resume(t.Boundary); err != nil {
		return fmt.Errorf("resume launch %s: %w", l.id, err)
	}
	l.reports.seen = t.AfterEvent
	if b := t.Boundary; b != nil && b.Ending != endingStopped { // a stop request of the previous host no longer applies
		l.answered = &answer{b.Step, &sdk.StepBoundaryResponse{Directive: b.Directive, Reason: b.Reason}}
		if d := decided(b); d.err != nil || d.directive == sdk.DirectiveFinishStage {
			l.decided = &d
		}
	}
	return nil
}

// resumeEngine passes the episodes that have not been counted, and their siblings, to a configured engine.
func (l *trainCall) resumeEngine(ctx context.Context) error {
	records, err := l.run.Writer.OpenEpisodes(ctx, l.trainer)
	if err != nil {
		return err
	}
	episodes := make([]rollout.PastEpisode, len(records))
	for i := range records {
		r := &records[i]
		if !r.Counted {
			l.facts.add(&r.EpisodeRecord)
		}
		episodes[i] = rollout.PastEpisode{EpisodeRecord: numbersOf(&r.EpisodeRecord), Weighed: r.Weighed, Counted: r.Counted}
	}
	l.engine.Restore(episodes)
	return nil
}

// turnsOf returns turns whose sums equal those in an episode's member records.
func turnsOf(members []runstore.MemberRecord) []rollout.TurnRecord {
	var out []rollout.TurnRecord
	for _, m := range members {
		turns := make([]rollout.TurnRecord, max(1, m.Turns))
		for i := range turns {
			turns[i].Agent, turns[i].Served = m.Agent, m.Model
		}
		turns[0].PromptTokens, turns[0].OutputTokens, turns[0].Cost = m.PromptTokens, m.OutputTokens, m.CostUSD
		out = append(out, turns...)
	}
	return out
}

// numbersOf returns those fields of a recorded episode that are needed for the numbers of its step.
func numbersOf(e *runstore.EpisodeRecord) *rollout.EpisodeRecord {
	out := &rollout.EpisodeRecord{
		AttemptRecord: rollout.AttemptRecord{
			EpisodeID: e.EpisodeID, Draw: e.Draw, Attempt: e.Attempt, TaskID: e.TaskID, Failure: e.Failure, DriftCount: e.Drift,
			MalformedCalls: e.Malformed, RefusedCalls: e.Refused, Metrics: e.Metrics,
			Turns: make([]rollout.TurnRecord, e.NumTurns),
			Slot: rollout.Slot{
				Stage: e.Slot.Stage, Split: e.Slot.Split, Step: e.Slot.Step, Index: e.DatasetIndex, Position: e.DatasetIndex,
				Repeat: e.Repeat,
				Group:  e.Slot.Group, Task: e.TaskID, Sample: e.Slot.Sample,
			},
		},
		GroupSize: e.GroupSize, Outcome: e.Outcome, Reward: e.Reward, IsSuccess: e.IsSuccess, Masked: e.Masked,
		DropGroup: e.DropGroup, LoneSurvivor: e.Lone,
		Retries: e.Retries, Redraws: e.Redraws, WallClock: e.WallClock, Blamed: e.Blamed,
	}
	if e.Position != nil {
		out.Slot.Position = *e.Position
	}
	if e.NumTurns > 0 {
		out.Turns[0].OutputTokens = e.OutputTokens // only their sum counts
	}
	if len(e.Members) > 0 {
		out.Turns = turnsOf(e.Members)
	}
	for _, c := range e.Chains {
		out.Chains = append(out.Chains, rollout.ChainRecord{Chain: c.Chain, Agent: c.Agent, Digest: c.Digest, Train: c.Train})
	}
	for name, value := range e.Components { // flat: a component is a score with a longer address
		out.Scores = append(out.Scores, rollout.ScoreRecord{Address: name, Scored: sdk.Scored{Score: value}})
	}
	return out
}

// reattach executes the launch of a trainer that may already be running.
func (l *trainCall) reattach(ctx context.Context) error {
	t := l.trainer
	record := runstore.LaunchRecord{
		LaunchID: l.id, Stage: l.stage.Name, StageIndex: l.index, FirstStep: t.Launch.FirstStep, Reattached: true,
		Outlives: true, Samples: l.samples(),
	}
	if err := l.run.Writer.AppendLaunch(ctx, record); err != nil {
		return l.fail(err)
	}
	var err error
	if l.staging, err = l.run.Writer.StagingDir(); err != nil {
		return l.fail(err)
	}
	l.run.watch.launched()
	l.run.service.current.Store(l)
	defer l.run.service.current.Store(nil)
	recoverer, ok := l.adapter.(sdk.AdapterWithRecover)
	if !ok {
		return sdk.ErrNoTrainer
	}
	request := sdk.RecoverRequest{LaunchID: l.id, Handle: t.Handle, AfterSeq: t.AfterEvent}
	return recoverer.Recover(ctx, request, nil, func(e sdk.TrainEvent) error { return l.receive(ctx, e) })
}

// recordEnd records that a trainer that could have outlived this process has exited.
func (l *trainCall) recordEnd(ctx context.Context, err error) error {
	if !l.outlives.Load() {
		return nil
	}
	end := runstore.TrainerEndRecord{LaunchID: l.id}
	switch f := l.reports.finished; {
	case f != nil:
		end.Reason = string(f.Outcome)
	case errors.Is(err, sdk.ErrNoTrainer):
		end.Reason = l.run.secrets.Text(err.Error())
		l.run.warn(event.Warning{
			Code: "trainer_gone", Summary: "nothing is left of the trainer of launch " + l.id + "; training continues from " +
				"the last commit", Detail: err.Error(),
		})
	default:
		return nil
	}
	l.run.trainer = nil
	return l.run.Writer.AppendTrainerEnd(context.WithoutCancel(ctx), end)
}

// The recorded names of run endings that are decided at a boundary.
const (
	endingStopped = "stopped"
	endingGuard   = "guard"
	endingFailed  = "failed"
)

// recordBoundary records the outcome of a boundary before its checkpoint is committed.
func (l *trainCall) recordBoundary(ctx context.Context, step int, seq uint64, d decision, commits bool) error {
	if !l.outlives.Load() {
		return nil // it will never be taken up
	}
	state, err := l.encodeState()
	if err != nil {
		return err
	}
	return l.run.Writer.AppendBoundary(ctx, runstore.BoundaryRecord{
		LaunchID: l.id, Stage: l.stage.Name, Step: step, EventSeq: seq, Directive: d.directive, Reason: d.reason,
		StageEnds: d.stageEnds,
		Ending:    d.ending(), Commits: commits, State: state,
	})
}

func (d decision) ending() string {
	var guard *GuardError
	switch {
	case d.err == nil:
		return ""
	case errors.Is(d.err, errStopped):
		return endingStopped
	case errors.As(d.err, &guard):
		return endingGuard
	}
	return endingFailed
}

// decided returns a recorded decision.
func decided(b *runstore.BoundaryRecord) decision {
	d := decision{directive: b.Directive, reason: b.Reason, stageEnds: b.StageEnds}
	switch b.Ending {
	case endingGuard:
		d.err = &GuardError{Reason: b.Reason}
	case endingFailed:
		d.err = errors.New(b.Reason)
	}
	return d
}
