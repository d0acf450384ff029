package plan

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/awhost/awhost/host/diag"
	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/runstore"
)

// extendedError reports that the plan is for a run that was given more steps than the spec has: the run must be planned
// with those steps.
type extendedError struct {
	run   *runstore.Run
	steps int
}

// Error implements error.
func (e *extendedError) Error() string {
	return fmt.Sprintf("run %s has %d steps", e.run.Ref(), e.steps)
}

// resize gives the train block a total number of steps. Only the last stage changes, because the earlier stages of a
// run that is given more steps have ended.
func (p *Plan) resize(total int) diag.Diagnostics {
	stages, left := p.Train.Stages, total
	for _, stage := range stages[:len(stages)-1] {
		if stage.Knobs.Steps == nil {
			return p.refuse(stage, []string{"epochs"}, "Unknown number of steps", fmt.Sprintf("With --steps, the last "+
				"stage has the steps that the other stages leave, but stage %q has no steps. Set its steps, or change the "+
				"length of stage %q in the spec instead.", stage.Name, stages[len(stages)-1].Name))
		}
		left -= *stage.Knobs.Steps
	}
	if left < 1 {
		return p.refuse(stages[len(stages)-1], []string{"steps"}, "Too few steps", fmt.Sprintf("--steps %d leaves no step "+
			"for stage %q: the other stages have %d. Pass a larger number.", total, stages[len(stages)-1].Name, total-left))
	}
	p.total = total
	p.Spec = p.Spec.WithLength(p.Train.Name, &left, nil)
	p.Train = p.Spec.Trains[p.Train.Name]
	return nil
}

// continues plans the continuation of a run, with all steps that it has been given.
func (p *Plan) continues(r *runstore.Run) error {
	if extension := r.Extension(); extension != nil && extension.Steps == p.TotalSteps() {
		if err := p.beginAs(r); err != nil {
			return err
		}
	}
	run, err := r.Summary()
	if err != nil {
		return err
	}
	return p.follow(&run)
}

// beginAs identifies the plan by the length with which a run was started, because more steps do not change a run's
// identity.
func (p *Plan) beginAs(r *runstore.Run) error {
	resolved, err := r.Spec()
	if err != nil {
		return err
	}
	var recorded struct {
		Trains map[string]struct {
			Stages []struct {
				Knobs struct {
					Steps  *int     `json:"steps"`
					Epochs *float64 `json:"epochs"`
				} `json:"knobs"`
			} `json:"stages"`
		} `json:"trains"`
	}
	if err := json.Unmarshal(resolved, &recorded); err != nil {
		return fmt.Errorf("read spec of run %s: %w", r.Ref(), err)
	}
	if stages := recorded.Trains[p.Train.Name].Stages; len(stages) == len(p.Train.Stages) {
		knobs := stages[len(stages)-1].Knobs
		p.began = p.Spec.WithLength(p.Train.Name, knobs.Steps, knobs.Epochs)
	}
	p.Identity, err = p.identity()
	return err
}

// extends finds the newest run that differs from the plan only in having been given fewer steps, or in the steps with
// which it was started.
func (p *Plan) extends(runs []runstore.Summary) (bool, error) {
	identity := p.Identity
	for i := range runs {
		run := &runs[i]
		given := run.Extension()
		if !run.IsOf(p.Train.Name) || run.Played != nil || run.Status != runstore.StatusFinished && given == nil ||
			given != nil && p.TotalSteps() < given.Steps {
			continue
		}
		r, err := opened(run)
		if err != nil {
			return false, err
		}
		done, err := stepsOfLast(r, len(p.Stages)-1)
		if err != nil {
			return false, err
		}
		if given == nil && p.Stages[len(p.Stages)-1].Steps <= done {
			continue
		}
		if err := p.beginAs(r); err != nil {
			return false, fmt.Errorf("%w; start another run with: awhost apply --new", err)
		}
		if p.Identity == run.Identity {
			return true, p.extend(run, given)
		}
		p.began, p.Identity = nil, identity
	}
	return false, nil
}

// extend plans to give a run the plan's steps.
func (p *Plan) extend(run *runstore.Summary, given *runstore.Extension) error {
	if err := p.follow(run); err != nil || run.IsFinal() || run.Status == runstore.StatusRunning {
		return err
	}
	if given != nil && p.TotalSteps() == given.Steps {
		return nil
	}
	if run.Trainer != "" {
		where := runstore.WhereFlag(run.Dir)
		return fmt.Errorf("a trainer of %s may still be running, so the run cannot be given more steps: let it finish with "+
			"awhost resume %s%s, or end it with awhost stop --now %s%s", run.Ref(), run.Ref(), where, run.Ref(), where)
	}
	p.Mode = event.ModeResume
	p.Extension = &runstore.Extension{From: run.Step, Steps: p.TotalSteps()}
	p.Why = fmt.Sprintf("%s has %d of %d steps: continues at step %d", run.Ref(), run.Step, p.TotalSteps(), run.Step+1)
	return nil
}

// stepsOfLast returns the number of committed steps in a run's last stage.
func stepsOfLast(r *runstore.Run, last int) (int, error) {
	lineage, err := r.Lineage()
	began, done := 0, 0
	for _, c := range lineage {
		if c.StageIndex < last {
			began = c.Step
		}
		done = c.Step
	}
	return done - began, err
}

// lengthDependent matches the keys of settings whose effect depends on the total number of steps.
var lengthDependent = regexp.MustCompile(`sched|decay_style|warmup\w*(ratio|proportion)`)

// extensionNotes announces that a run is given more steps, and the schedules that depend on their number.
func (p *Plan) extensionNotes() []string {
	if p.Extension == nil {
		return nil
	}
	out := []string{p.Why}
	last := p.Stages[len(p.Stages)-1]
	for _, e := range p.Adapters[last.Adapter].Effective {
		key, value := strings.TrimPrefix(e.Key, last.Name+"/"), strings.Trim(string(e.ValueJSON), `"`)
		if strings.Contains(key, "/") || !lengthDependent.MatchString(key) || e.Origin == "optimizer.warmup_steps" ||
			strings.HasPrefix(value, "constant") || value == "0" || value == "0.0" || value == "null" || value == "" {
			continue
		}
		out = append(out, fmt.Sprintf("the learning rate depends on the number of steps (%s = %s): from step %d, it follows "+
			"the schedule for %d steps; the earlier steps followed the schedule for fewer", key, value,
			p.Extension.From+1, p.Extension.Steps))
	}
	return out
}
