package run

import (
	"context"
	"fmt"

	"github.com/awhost/awhost/host/findings"
	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/sdk"
)

// judge evaluates a run that has completed. It returns an error if so many episodes failed that nothing was left to
// train, or if more failed than the circuit breaker allows but there were too few episodes for it to trip. A smoke run
// is evaluated by means of its report.
func (r *runner) judge() error {
	if r.Plan.Smoke != nil {
		return nil
	}
	all, allowed := r.sum()
	if all.mostlyFailed() {
		return &NothingTrainedError{Reason: fmt.Sprintf("%d of %d episodes failed%s, and no samples were left to train: "+
			"the last checkpoint contains the initial policy. "+
			"Look at the failures with `awhost show --episodes`, remove their cause, and start another run", all.Failed,
			all.Episodes, r.worst(all))}
	}
	if broken := all.broken(); float64(broken) > allowed {
		return &GuardError{Final: true, Reason: fmt.Sprintf("%d of the %d episodes of the run failed%s, more than failed_fraction allows: it was too short for the circuit breaker to trip earlier. "+
			"Look at the failures with `awhost show --episodes`, or raise failed_fraction in circuit_breaker", broken,
			all.Judged, r.worst(all))}
	}
	for i, t := range r.state.now.Training {
		allowed := r.Plan.Stages[i].CircuitBreaker.ForeignFraction * float64(t.Episodes)
		if allowed > 0 && float64(t.Foreign) > allowed {
			return &GuardError{Final: true, Reason: rollout.ForeignReason(t.Foreign, t.Episodes)}
		}
		if t.nothingLearned() {
			if err := r.reportNothingLearned(i, t); err != nil {
				return err
			}
		}
	}
	return r.reportTasks()
}

// sum returns the combined training result of all stages, and the number of failed episodes that their circuit breakers
// allow.
func (r *runner) sum() (all training, allowed float64) {
	all.Broken = map[sdk.FailureClass]int{}
	for i, t := range r.state.now.Training {
		all.Episodes += t.Episodes
		all.Trained += t.Trained
		all.Failed += t.Failed
		all.Dropped += t.Dropped
		all.Judged += t.Judged
		all.Groups += t.Groups
		all.Flat += t.Flat
		for class, n := range t.Broken {
			all.Broken[class] += n
		}
		fraction := r.Plan.Stages[i].CircuitBreaker.FailedFraction
		if fraction <= 0 {
			fraction = 1
		}
		allowed += fraction * float64(t.Judged)
	}
	return all, allowed
}

func (t training) broken() int {
	n := 0
	for _, failed := range t.Broken {
		n += failed
	}
	return n
}

// worst returns the class with the most failures, and its newest failure.
func (r *runner) worst(t training) string {
	class, most := rollout.WorstOf(t.Broken)
	if most == 0 {
		return ""
	}
	newest := ""
	if r.failures != nil {
		newest = r.failures(class)
	}
	if newest != "" {
		newest = ", the newest: " + newest
	}
	return fmt.Sprintf(", most of them (%d) with %s%s", most, class, newest)
}

// reportNothingLearned adds the finding of a stage that did not change the policy.
func (r *runner) reportNothingLearned(index int, t training) error {
	stage, end := r.Plan.Stages[index].Name, r.nextStep()-1
	if later := r.state.now.Stages[index+1:]; len(later) > 0 {
		end = later[0]
	}
	summary := fmt.Sprintf("none of %d episodes was trained", t.Episodes)
	if t.allFlat() {
		summary = fmt.Sprintf("in all %d groups, the samples had equal rewards", t.Groups)
	}
	step := findings.Step{Stage: stage, Step: end}
	return r.publishFinding(context.Background(), "", r.findings.Report(findings.NothingLearned, step, summary))
}

// reportTasks adds the findings about the tasks of the run.
func (r *runner) reportTasks() error {
	step := findings.Step{Stage: r.Plan.Stages[len(r.Plan.Stages)-1].Name, Step: r.nextStep() - 1}
	for _, f := range r.findings.ReportTasks(step, &r.tasks) {
		if err := r.publishFinding(context.Background(), "", f); err != nil {
			return err
		}
	}
	return nil
}
