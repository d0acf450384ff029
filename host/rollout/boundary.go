package rollout

import (
	"slices"

	"github.com/awhost/awhost/host/rollout/internal/quarantine"
	"github.com/awhost/awhost/sdk"
)

// BoundaryReport is what a step or a validation pass came to.
type BoundaryReport struct {
	Train      Aggregate
	Validation *Aggregate // nil: no validation pass has ended
	Trip       *Trip      // not nil: too many episodes failed, the run should stop
}

// StepEnd is a boundary, with what the trainer has said of the steps since the one before.
type StepEnd struct {
	sdk.StepBoundaryRequest
	// ids of the episodes that these steps used, for training or otherwise; a trainer may not have used all that is
	// over
	Used []string
	Last bool // of the stage: there is no later step that could use an episode
}

// Boundary ends a step, a validation pass, or both: it sums up the episodes that the step used and those that no
// step will use, feeds the circuit breaker with all that have ended, and forgets what nobody can ask for again. A
// step is over when nothing of it is under way any more and all of it has counted: its episodes are refused from
// then on. The boundary counts unless Err says otherwise.
func (e *Engine) Boundary(req StepEnd) BoundaryReport {
	train := e.ledger.takeTrain(req)
	weighed := e.ledger.weigh(req, train)
	report := BoundaryReport{Train: aggregate(req.Stage, sdk.SplitTrain, req.Step, train)}
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
		e.quarantine.Doubt(s.Proven)
	}
	e.quarantine.End(req.Step, blamed(train))
	e.quarantine.End(req.Step, blamed(pass))
	e.mu.Lock()
	defer e.mu.Unlock()
	report.Trip = e.breaker.feed(weighed)
	return report
}

// firstOpen is the earliest step of which something is under way, waits for siblings or has not counted; the step
// that ends where there is none before it.
func (e *Engine) firstOpen(step int) int {
	first := step
	lower := func(open int) {
		if open > 0 { // 0: its trainer does not say
			first = min(first, open)
		}
	}
	e.registry.Running(lower)
	e.ledger.open(lower)
	e.compared.Waiting(lower)
	e.dropped.Waiting(lower)
	return first
}

// blamed lists the episodes whose tasks killed a plugin alone.
func blamed(episodes []*summary) []quarantine.Blamed {
	var out []quarantine.Blamed
	for _, s := range episodes {
		if s.blamed != "" && s.class != "" {
			out = append(out, quarantine.Blamed{Slot: s.slot, Address: s.blamed, Class: s.class})
		}
	}
	return out
}

// Quarantine lists the tasks of the stage that are not tried any more, as of the last boundary. A resumed run gives
// it back in StageSetup.
func (e *Engine) Quarantine() []Quarantined { return e.quarantine.Tasks() }

// BreakerWindow is what the circuit breaker remembers. A resumed run gives it back in StageSetup, so that it trips
// where the undisturbed one does.
func (e *Engine) BreakerWindow() []sdk.FailureClass {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.breaker.window)
}
