package run

import (
	"fmt"

	"github.com/awhost/awhost/host/event"
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
			all.Episodes, all.worst())}
	}
	if broken := all.broken(); float64(broken) > allowed {
		return &GuardError{Final: true, Reason: fmt.Sprintf("%d of the %d episodes of the run failed%s, more than failed_fraction allows: it was too short for the circuit breaker to trip earlier. "+
			"Look at the failures with `awhost show --episodes`, or raise failed_fraction in circuit_breaker", broken,
			all.Judged, all.worst())}
	}
	for i, t := range r.state.now.Training {
		allowed := r.Plan.Stages[i].CircuitBreaker.ForeignFraction * float64(t.Episodes)
		if allowed > 0 && float64(t.Foreign) > allowed {
			return &GuardError{Final: true, Reason: rollout.ForeignReason(t.Foreign, t.Episodes)}
		}
		if t.nothingLearned() {
			r.warn(nothingLearnedWarning(r.Plan.Stages[i].Name, t))
		}
	}
	return nil
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

// worst returns the class with the most failures.
func (t training) worst() string {
	class, most := rollout.WorstOf(t.Broken)
	if most == 0 {
		return ""
	}
	return fmt.Sprintf(", most of them (%d) with %s", most, class)
}

func nothingLearnedWarning(stage string, t training) event.Warning {
	w := event.Warning{
		Code: "nothing_learned", Count: t.Groups,
		Summary: fmt.Sprintf("stage %s did not change the policy: in all %d groups the samples had equal "+
			"rewards", stage, t.Groups),
		Detail: "A group trains the policy only if the rewards of its samples differ. Choose tasks that the policy " +
			"solves sometimes, raise temperature or group_size, or check whether the reward distinguishes answers: " +
			"awhost show --episodes",
	}
	if !t.allFlat() {
		w.Summary = fmt.Sprintf("stage %s did not change the policy: none of %d episodes was trained", stage, t.Episodes)
		w.Detail = "They were masked, filtered or lost. awhost show --episodes lists them with the reasons"
	}
	return w
}
