package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"time"

	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/sdk"
)

// decision is the outcome of a boundary.
type decision struct {
	directive sdk.Directive
	reason    string
	stageEnds bool  // with this step
	err       error // the resulting error of the run; nil: it continues
}

// answer is the response to a boundary.
type answer struct {
	step     int
	response *sdk.StepBoundaryResponse
}

// commitTimeout limits the time for a boundary after its events have arrived: hashing and syncing a checkpoint.
const commitTimeout = 30 * time.Minute

// stepEnd is the end of a step, reported by the trainer at a boundary, at a checkpoint, or when it ends.
type stepEnd struct {
	request sdk.StepBoundaryRequest
	events  pendingEvents // since the last one
	last    bool          // no step follows
	// decide determines how the run continues.
	decide func(rollout.BoundaryReport) decision
	// asked means that the run decides and that the decision is recorded. If the trainer ends, it has made the decision
	// itself.
	asked bool
}

// closeStep ends a step. All steps end through it: it aggregates the episodes, decides how to continue, and commits.
// All changes that count are made here, in this order. Therefore, a kill before the commit leaves no trace of the step,
// and a kill after it leaves a complete step. It runs to completion even if ctx is done. The caller holds boundaries.
func (l *trainCall) closeStep(ctx context.Context, end stepEnd) (decision, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), commitTimeout)
	defer cancel()
	step := end.request.Step
	defer l.run.watch.boundary(step)()
	report := l.engine.Boundary(rollout.StepEnd{
		StepBoundaryRequest: end.request, Used: end.events.used(), Last: end.last,
	})
	if err := l.engine.Err(); err != nil {
		return decision{}, err
	}
	if report.Validation != nil && report.Validation.Episodes == 0 {
		report.Validation = nil // a pass without episodes is not a result
	}
	numbers, err := l.record(ctx, step, end.events, report)
	if err != nil {
		return decision{}, err
	}
	d := end.decide(report)
	if end.asked && (d.err != nil || d.directive == sdk.DirectiveFinishStage) {
		l.decided = &d
	}
	commits := end.events.checkpoint != nil && d.directive != sdk.DirectiveAbort
	if end.asked {
		err = l.recordBoundary(ctx, step, end.events.seq, d, commits)
	}
	if err != nil || !commits {
		return d, err
	}
	return d, l.commit(ctx, step, end.events, numbers, d.stageEnds)
}

// stepEndOf returns the end of a step at which the run decides how to continue.
func (l *trainCall) stepEndOf(request sdk.StepBoundaryRequest, events pendingEvents) stepEnd {
	finishing := l.decided != nil && l.decided.directive == sdk.DirectiveFinishStage
	return stepEnd{
		request: request, events: events, last: finishing || request.Step == l.run.lastStep(l.index), asked: true,
		decide: func(report rollout.BoundaryReport) decision { return l.decide(request.Step, report) },
	}
}

// fresh returns the trainer's events that have not been recorded yet. After reattaching, a trainer repeats some events.
func (l *trainCall) fresh(events pendingEvents) pendingEvents {
	if tip := l.run.Writer.Tip(); l.trainer != nil && tip != nil {
		return events.notCommitted(tip.Step)
	}
	return events
}

// boundary ends a step of a trainer that asks how to continue. A repeated call gets the same response.
func (l *trainCall) boundary(ctx context.Context, req sdk.StepBoundaryRequest) (*sdk.StepBoundaryResponse, error) {
	l.boundaries.Lock()
	defer l.boundaries.Unlock()
	if err := l.admits(req); err != nil {
		return nil, err
	}
	if l.answered != nil && l.answered.step == req.Step {
		return l.answered.response, nil
	}
	events, err := l.reports.take(ctx, l.ended, req.AfterSeq)
	if err != nil {
		return nil, fmt.Errorf("wait for the trainer's events: %w", err)
	}
	began := time.Now()
	d, err := l.closeStep(ctx, l.stepEndOf(req, l.fresh(events)))
	l.timings.onCommit(began)
	if err != nil {
		return nil, hostUnavailable(l.fail(err))
	}
	l.answered = &answer{req.Step, &sdk.StepBoundaryResponse{Directive: d.directive, Reason: d.reason}}
	return l.answered.response, nil
}

// admits returns an error for a boundary that does not belong to this launch.
func (l *trainCall) admits(req sdk.StepBoundaryRequest) error {
	select {
	case <-l.ended:
		return errTrainCallEnded
	default:
	}
	switch {
	case req.LaunchID != l.id:
		return fmt.Errorf("launch %s has ended; the current launch is %s", req.LaunchID, l.id)
	case req.Stage != l.stage.Name:
		return fmt.Errorf("stage %q is not being trained; the current stage is %q", req.Stage, l.stage.Name)
	case req.Step < l.run.nextStep()-1:
		return fmt.Errorf("step %d has ended; step %d is already committed", req.Step, l.run.nextStep()-1)
	}
	return nil
}

// callsStepBoundary reports whether the trainer calls StepBoundary itself.
func (l *trainCall) callsStepBoundary() bool {
	return l.run.Plan.Adapters[l.stage.Adapter].Capabilities.StepBarrier
}

// closeAtCheckpoint ends all steps since the last boundary when a trainer without boundaries announces a checkpoint.
// The decision is sent to the trainer as a request to finish its step and end. Work that it does after the step that
// ends the stage does not count.
func (l *trainCall) closeAtCheckpoint(ctx context.Context) error {
	l.boundaries.Lock()
	defer l.boundaries.Unlock()
	if l.decided != nil {
		return nil
	}
	taken, _, _ := l.reports.takeNow(0)
	events := l.fresh(taken)
	if events.checkpoint == nil {
		return nil // already committed
	}
	d, err := l.closeStep(ctx, l.stepEndOf(sdk.StepBoundaryRequest{
		LaunchID: l.id, Stage: l.stage.Name, Step: events.checkpoint.Step, Validated: !events.validating.IsZero(),
	}, events))
	if err != nil {
		return l.fail(err)
	}
	if errors.Is(d.err, errStopped) {
		l.decided = nil // drainOnStop asks it to end, and its remaining commits count
	}
	if l.decided == nil {
		return nil
	}
	asking, cancel := context.WithTimeout(ctx, drainTimeout)
	defer cancel()
	if err := l.drain(asking, d.reason); err != nil && ctx.Err() == nil {
		l.run.warn(drainWarning(err))
	}
	return nil
}

// closeLastStep ends the step that a trainer reported after its last boundary and before it ended.
func (l *trainCall) closeLastStep(ctx context.Context) error {
	f := l.reports.finished
	if l.decided != nil && !l.callsStepBoundary() {
		return nil // the stage has already ended
	}
	taken, _, _ := l.reports.takeNow(0)
	events := l.fresh(taken)
	if f == nil || f.Outcome == sdk.FinishedFailed || events.isEmpty() {
		return nil
	}
	step := f.Step
	if events.checkpoint != nil {
		step = events.checkpoint.Step
	}
	ended := decision{directive: sdk.DirectiveContinue, stageEnds: f.Outcome == sdk.FinishedCompleted}
	_, err := l.closeStep(ctx, stepEnd{
		request: sdk.StepBoundaryRequest{LaunchID: l.id, Stage: l.stage.Name, Step: step}, events: events, last: true,
		decide: func(rollout.BoundaryReport) decision { return ended },
	})
	return err
}

// decide determines how to continue. A stage that ends here also ends in the lineage, even if this step ends the run
// for another reason, because a resumed run does not repeat decisions made in past steps.
func (l *trainCall) decide(step int, report rollout.BoundaryReport) decision {
	advance, err := l.advance(report.Validation)
	if err != nil {
		return decision{directive: sdk.DirectiveAbort, reason: err.Error(), err: err}
	}
	last := step == l.run.lastStep(l.index)
	finishing := l.decided != nil && l.decided.directive == sdk.DirectiveFinishStage // with the trainer's next checkpoint
	guard := l.guarded()
	switch {
	case report.Trip != nil:
		worst, _ := rollout.WorstOf(report.Trip.Classes)
		report.Trip.Newest = l.facts.newest(worst)
		reason := "circuit breaker: " + report.Trip.Reason()
		return decision{sdk.DirectiveStop, reason, last || advance || finishing, &GuardError{Reason: reason}}
	case guard != nil:
		return decision{sdk.DirectiveStop, guard.Reason, last || advance || finishing, guard}
	case last:
		return decision{directive: sdk.DirectiveContinue, stageEnds: true} // the trainer ends by itself
	case finishing:
		return *l.decided
	case advance:
		return decision{sdk.DirectiveFinishStage, "advance_when holds: " + l.stage.AdvanceWhen.Source(), true, nil}
	case l.run.stopping():
		return decision{sdk.DirectiveStop, errStopped.Error(), false, errStopped}
	}
	return decision{directive: sdk.DirectiveContinue}
}

// advance reports whether the result of a validation pass ends the stage early.
func (l *trainCall) advance(validation *rollout.Aggregate) (bool, error) {
	if l.stage.AdvanceWhen == nil || validation == nil {
		return false, nil
	}
	numbers := map[string]float64{"success_rate": validation.SuccessRate}
	if validation.Scored > 0 {
		numbers["reward"] = validation.RewardMean
	}
	advance, err := l.stage.AdvanceWhen.Bool(spec.Inputs{Validation: numbers})
	if err != nil {
		return false, fmt.Errorf("advance_when of stage %s has no value: %w", l.stage.Name, err)
	}
	return advance && l.run.Plan.Smoke == nil, nil // a smoke run completes the stage
}

// result returns the error with which the trainer ended, or nil if it completed successfully.
func (l *trainCall) result() error {
	f := l.reports.finished
	switch {
	case f == nil:
		return l.protocolError(errors.New("it ended without reporting an outcome"))
	case l.decided != nil && l.decided.stageEnds && !l.callsStepBoundary():
		return nil // whatever its reaction to the request to end
	case f.Outcome == sdk.FinishedCompleted && f.Step >= l.run.nextStep():
		return l.protocolError(fmt.Errorf("it completed step %d without its checkpoint: the last checkpoint is of "+
			"step %d", f.Step, l.run.nextStep()-1))
	case f.Outcome == sdk.FinishedCompleted:
		return nil
	case f.Outcome == sdk.FinishedStopped:
		return errStopped
	case f.Outcome == sdk.FinishedHalted:
		return &GuardError{Reason: f.Reason, Final: true}
	}
	return fmt.Errorf("train stage %s: %s%s", l.stage.Name, f.Reason, l.place(f.Reason))
}

// namedAttribute matches an attribute that a reason names in parentheses: (tool_format).
var namedAttribute = regexp.MustCompile(`\(([a-z_]+)\)`)

// place returns the place of the adapter's attribute that a reason names, or "". An attribute with its default value is
// at the header of the block.
func (l *trainCall) place(reason string) string {
	block := l.run.Plan.Spec.Blocks[l.stage.Adapter]
	var config map[string]json.RawMessage
	if block == nil || json.Unmarshal(block.Config, &config) != nil {
		return ""
	}
	for _, found := range namedAttribute.FindAllStringSubmatch(reason, -1) {
		if _, known := config[found[1]]; known {
			at := block.Places.At(found[1])
			return fmt.Sprintf(" (%s of %s, %s:%d)", found[1], l.stage.Adapter, at.File, at.Start.Line)
		}
	}
	return ""
}

// protocolError returns a plugin error, because the adapter violated the protocol and a restart would not help.
func (l *trainCall) protocolError(err error) error {
	return &PluginError{Address: l.stage.Adapter, Err: fmt.Errorf("adapter %s, stage %s: %w", l.stage.Adapter,
		l.stage.Name, err)}
}
