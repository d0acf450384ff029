package rollout

import (
	"slices"

	"github.com/awhost/awhost/host/rollout/internal/quarantine"
	"github.com/awhost/awhost/sdk"
)

// BoundaryReport is the result of a step or validation pass.
type BoundaryReport struct {
	Train      Aggregate
	Counted    []string   // ids of the episodes in Train, in slot order
	Validation *Aggregate // nil: no validation pass has ended
	Trip       *Trip      // not nil: too many episodes failed, and the run should stop
}

// StepEnd is a boundary together with the trainer's report about the steps since the previous one.
type StepEnd struct {
	sdk.StepBoundaryRequest
	// Used holds the IDs of the episodes that these steps used, for training or for other purposes. A trainer may not
	// have used all finished episodes.
	Used []string
	Last bool // the stage ends: no later step can use an episode
}

// Boundary ends a step, a validation pass, or both. It aggregates the episodes that the step used and the episodes that
// no step will use, updates the circuit breaker with all finished episodes, and drops state that can no longer be
// requested. A step is finished when none of its episodes are running and all of them have been counted. From then on,
// its episodes are rejected. The boundary is valid unless Err returns an error.
func (e *Engine) Boundary(req StepEnd) BoundaryReport {
	train := e.ledger.takeTrain(req)
	weighed := e.ledger.weigh(req, train)
	report := BoundaryReport{Train: aggregate(req.Stage, sdk.SplitTrain, req.Step, train)}
	for _, s := range train {
		report.Counted = append(report.Counted, s.episode)
	}
	var pass []*summary
	if req.Validated {
		pass = e.ledger.takeValidation(req.Stage, req.Step)
		validation := aggregate(req.Stage, sdk.SplitValidation, req.Step, pass)
		report.Validation = &validation
	}
	over := e.firstOpen(req.Step)
	e.ledger.forget(over)
	e.registry.ForgetBefore(over)
	e.dropped.Forget(over)
	e.compared.Forget(over)
	e.arrivals.Forget(over)
	if s := e.stage.Load(); s != nil {
		e.quarantine.CheckServed(s.Proven)
	}
	e.quarantine.End(req.Step, blamed(train))
	e.quarantine.End(req.Step, blamed(pass))
	e.mu.Lock()
	defer e.mu.Unlock()
	report.Trip = e.breaker.feed(weighed)
	return report
}

// firstOpen returns the earliest step with episodes that are running, are waiting for siblings, or have not been
// counted. If no earlier step has any such episodes, it returns step.
func (e *Engine) firstOpen(step int) int {
	first := step
	lower := func(open int) {
		if open > 0 { // 0: the trainer does not report the step
			first = min(first, open)
		}
	}
	e.registry.Running(lower)
	e.ledger.open(lower)
	e.compared.Waiting(lower)
	e.dropped.Waiting(lower)
	return first
}

// blamed lists the episodes whose tasks killed a plugin while running alone.
func blamed(episodes []*summary) []quarantine.Blamed {
	var out []quarantine.Blamed
	for _, s := range episodes {
		if s.blamed != "" && s.class != "" {
			out = append(out, quarantine.Blamed{Slot: s.slot, Address: s.blamed, Class: s.class})
		}
	}
	return out
}

// Quarantine lists the stage's quarantined tasks as of the last boundary. A resumed run passes them to StageSetup.
func (e *Engine) Quarantine() []Quarantined { return e.quarantine.Tasks() }

// BreakerWindow returns the circuit breaker's window. A resumed run passes it to StageSetup, so that the breaker trips
// where it would in an uninterrupted run.
func (e *Engine) BreakerWindow() []sdk.FailureClass {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.breaker.window)
}
