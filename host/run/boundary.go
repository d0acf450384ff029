package run

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/sdk"
)

// decision is what a boundary came to.
type decision struct {
	directive sdk.Directive
	reason    string
	err       error // how the run ends because of it; nil: it goes on
}

// boundary ends a step: it sums up its episodes, decides how to go on, and commits. Everything that counts happens here,
// in this order, so that a kill before the commit leaves a step that never was, and one after it a step that is complete.
func (l *launch) boundary(ctx context.Context, req sdk.StepBoundaryRequest) (*sdk.StepBoundaryResponse, error) {
	if req.LaunchID != l.id {
		return nil, fmt.Errorf("launch %s is over; this is %s", req.LaunchID, l.id)
	}
	said, err := l.awaitEvents(ctx, req.AfterSeq)
	if err != nil {
		return nil, l.fail(err)
	}
	report := l.engine.Boundary(req)
	if err := l.record(ctx, req, said, report); err != nil {
		return nil, l.fail(err)
	}
	d := l.decide(req, report)
	if said.checkpoint != nil && d.directive != sdk.DirectiveAbort {
		if err := l.commit(ctx, req, said, d); err != nil {
			return nil, l.fail(err)
		}
	}
	if d.directive != sdk.DirectiveContinue {
		l.events.Lock()
		l.decided = &d
		l.events.Unlock()
	}
	return &sdk.StepBoundaryResponse{Directive: d.directive, Reason: d.reason}, nil
}

// record journals what the trainer and the engine say of the step, and publishes it.
func (l *launch) record(ctx context.Context, req sdk.StepBoundaryRequest, said pendingStep, report rollout.BoundaryReport) error {
	metrics := runstore.Numbers{}
	if said.metrics != nil {
		for name, v := range said.metrics.Values {
			metrics[name] = v
		}
	}
	if said.consumed != nil {
		step := runstore.StepRecord{LaunchID: l.id, Stage: l.stage.Name, Step: req.Step, VersionAfter: said.consumed.VersionAfter, EventSeq: said.seq}
		for _, e := range said.consumed.Episodes {
			step.Consumed = append(step.Consumed, runstore.Consumed{EpisodeID: e.EpisodeID, Use: e.Use})
		}
		if err := l.Writer.AppendStep(ctx, step); err != nil {
			return err
		}
		addTrainNumbers(metrics, report.Train)
		l.publishStep(req.Step, report.Train, metrics)
	}
	if report.Validation != nil {
		addValidationNumbers(metrics, *report.Validation)
		pass := runstore.ValidationRecord{LaunchID: l.id, Stage: l.stage.Name, Step: req.Step, Metrics: validationNumbers(*report.Validation)}
		if err := l.Writer.AppendValidation(ctx, pass); err != nil {
			return err
		}
		l.publishValidation(req.Step, *report.Validation)
	}
	l.book.add(metrics, report)
	if len(metrics) == 0 {
		return nil
	}
	return l.Writer.AppendMetrics(ctx, runstore.MetricRecord{LaunchID: l.id, Stage: l.stage.Name, Step: req.Step, EventSeq: said.seq, Values: metrics})
}

// decide says how to go on. The order matters: a breaker that tripped ends the run even when the stage would end anyway.
func (l *launch) decide(req sdk.StepBoundaryRequest, report rollout.BoundaryReport) decision {
	if report.Trip != nil {
		reason := "circuit breaker: " + report.Trip.Reason()
		return decision{sdk.DirectiveStop, reason, &GuardError{Reason: reason}}
	}
	if l.stopping() {
		return decision{sdk.DirectiveStop, "stopped on request", errStopped}
	}
	if l.stage.AdvanceWhen != nil && report.Validation != nil {
		advance, err := l.stage.AdvanceWhen.Bool(spec.Inputs{Validation: map[string]float64{
			"success_rate": report.Validation.SuccessRate, "reward": report.Validation.RewardMean,
		}})
		if err != nil {
			reason := fmt.Sprintf("advance_when of stage %s: %v", l.stage.Name, err)
			return decision{sdk.DirectiveAbort, reason, &GuardError{Reason: reason}}
		}
		if advance {
			return decision{sdk.DirectiveFinishStage, "advance_when holds: " + l.stage.AdvanceWhen.Source(), nil}
		}
	}
	return decision{directive: sdk.DirectiveContinue}
}

// hostState is what a resumed run needs of the host to go on exactly here.
type hostState struct {
	Breaker []sdk.FailureClass `json:"breaker,omitempty"`
	Stages  []int              `json:"stages"` // the step after which each stage began
	Best    *bestSoFar         `json:"best,omitempty"`
	Exact   bool               `json:"exact"`
	Inexact string             `json:"inexact,omitempty"`
	Last    map[string]float64 `json:"last,omitempty"` // the last value of each metric
	Before  *float64           `json:"before,omitempty"`
}

// commit makes the step count.
func (l *launch) commit(ctx context.Context, req sdk.StepBoundaryRequest, said pendingStep, d decision) error {
	dir, err := l.Writer.TakeCheckpoint(req.Step, said.checkpoint.Path)
	if err != nil {
		return err
	}
	ends := d.directive == sdk.DirectiveFinishStage || req.Step == l.book.stageStart(l.index)+l.stage.Steps
	state, err := json.Marshal(l.book.state(l.engine.BreakerWindow()))
	if err != nil {
		return fmt.Errorf("encode the host's state: %w", err)
	}
	keep := l.kept(req.Step) || ends || d.directive == sdk.DirectiveStop
	version := int64(0)
	if said.consumed != nil {
		version = said.consumed.VersionAfter
	}
	checkpoint, err := l.Writer.CommitCheckpoint(ctx, dir, runstore.Manifest{
		Stage: l.stage.Name, StageIndex: l.index, Step: req.Step, PolicyVersion: version, Digest: said.checkpoint.Digest,
		Keep: keep, StageEnd: ends, Metrics: l.book.numbers(), Budgets: state,
	})
	if err != nil {
		return err
	}
	l.book.committed(checkpoint)
	l.Bus.Publish(event.CheckpointCommitted{
		Stage: l.stage.Name, Step: req.Step, Path: relative(checkpoint.Path), Digest: checkpoint.Digest, IsKept: keep,
	})
	_, err = l.Writer.Prune(ctx, l.retention())
	return err
}

// kept says whether the spec's checkpoint block keeps the checkpoint of a step.
func (l *launch) kept(step int) bool {
	every := number(l.stage.Knobs.Checkpoint.Every)
	if every <= 0 {
		return false
	}
	if text(l.stage.Knobs.Checkpoint.Unit) == "epochs" {
		prompts := max(1, number(l.stage.Knobs.Batch.Prompts))
		every = max(1, every*l.Plan.Tasks(l.stage.Dataset)/prompts)
	}
	return (step-l.book.stageStart(l.index))%every == 0
}

func (l *launch) retention() runstore.Retention {
	best := text(l.stage.Knobs.Validate.BestBy)
	if best != "" {
		best = "validation/" + best
	}
	return runstore.Retention{Keep: number(l.stage.Knobs.Checkpoint.Keep), BestBy: best}
}

func (l *launch) publishStep(step int, a rollout.Aggregate, metrics runstore.Numbers) {
	seconds := time.Since(l.began)
	l.began = time.Now()
	e := event.StepFinished{
		Stage: l.stage.Name, Step: step, Total: l.Plan.TotalSteps(), Episodes: a.Episodes, Seconds: event.SecondsOf(seconds),
		Rates: event.Rates{
			EpisodesPerSecond: event.Known(float64(a.Episodes) / max(seconds.Seconds(), 1e-9)),
			TokensPerSecond:   event.Known(float64(a.OutputTokens) / max(seconds.Seconds(), 1e-9)),
		},
		Outcomes: a.Outcomes, Failures: a.Failures, Retries: a.Retries, Metrics: event.Metrics(metrics),
	}
	if a.Scored > 0 {
		e.Reward = event.Known(a.RewardMean)
	}
	if a.Judged > 0 {
		e.Success = event.Known(a.SuccessRate)
	}
	l.Bus.Publish(e)
	if a.DriftEvents > 0 {
		l.warn("token_drift", fmt.Sprintf("%d conversations of step %d were no plain extension of their chain", a.DriftEvents, step), "")
	}
}

func (l *launch) publishValidation(step int, a rollout.Aggregate) {
	failed := 0
	for _, n := range a.Failures {
		failed += n
	}
	e := event.ValidationFinished{
		Stage: l.stage.Name, Step: step, SuccessRate: event.Known(a.SuccessRate), Episodes: a.Episodes - a.Withdrawn, Failed: failed, Failures: a.Failures,
		Seconds: event.SecondsOf(time.Since(l.began)), Metrics: event.Metrics(validationNumbers(a)),
	}
	if a.Scored > 0 {
		e.Reward = event.Known(a.RewardMean)
	}
	e.IsBest = l.book.validated(step, text(l.stage.Knobs.Validate.BestBy), a)
	l.began = time.Now()
	l.Bus.Publish(e)
}

func addTrainNumbers(into runstore.Numbers, a rollout.Aggregate) {
	if a.Scored > 0 {
		into["train/reward"], into["train/reward_std"] = a.RewardMean, a.RewardStd
	}
	if a.Judged > 0 {
		into["train/success_rate"] = a.SuccessRate
	}
	into["train/episodes"], into["train/turns"] = float64(a.Episodes), a.TurnsMean
	into["train/retries"], into["train/truncated"] = float64(a.Retries), float64(a.Truncated)
	for name, v := range a.Components {
		into["train/components/"+name] = v
	}
	failed := 0
	for _, n := range a.Failures {
		failed += n
	}
	into["train/failed"] = float64(failed)
}

func validationNumbers(a rollout.Aggregate) runstore.Numbers {
	out := runstore.Numbers{"validation/success_rate": a.SuccessRate, "validation/episodes": float64(a.Episodes - a.Withdrawn)}
	if a.Scored > 0 {
		out["validation/reward"] = a.RewardMean
	}
	for name, v := range a.Components {
		out["validation/components/"+name] = v
	}
	return out
}

func addValidationNumbers(into runstore.Numbers, a rollout.Aggregate) {
	for name, v := range validationNumbers(a) {
		into[name] = v
	}
}
