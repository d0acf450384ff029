package rollout

import (
	"fmt"
	"slices"

	"github.com/awhost/awhost/sdk"
)

// BreakerSettings say when too many episodes fail. The zero value never trips.
type BreakerSettings struct {
	FailedFraction float64 // trips above it; 0 turns the breaker off
	Window         int     // how many episodes it looks back
	MinEpisodes    int     // how many it must have seen
}

// Trip says why the breaker stops a run.
type Trip struct {
	Failed   int // of the last
	Episodes int
	Slot     Slot // at which it tripped
	Classes  map[sdk.FailureClass]int
}

// Reason is a sentence for the user.
func (t *Trip) Reason() string {
	worst, most := WorstOf(t.Classes)
	return fmt.Sprintf("%d of the last %d episodes failed, most of them (%d) with %s; look at their failures with `awhost show --episodes`, "+
		"or raise failed_fraction in circuit_breaker", t.Failed, t.Episodes, most, worst)
}

// WorstOf is the class of most failures; of equal ones always the same.
func WorstOf(classes map[sdk.FailureClass]int) (worst sdk.FailureClass, most int) {
	for _, class := range breakerClasses {
		if classes[class] > most {
			worst, most = class, classes[class]
		}
	}
	return worst, most
}

// breakerClasses are the classes that count. POLICY is what training is there to change, INFRASTRUCTURE has the
// restart budget.
var breakerClasses = []sdk.FailureClass{
	sdk.FailureEnvironment, sdk.FailureAgent, sdk.FailureTimeout, sdk.FailureModel, sdk.FailureReward,
}

// breaker looks at the final outcomes of training episodes. It is fed at boundaries only and in slot order, so that
// it trips at the same episode in every repetition of a run.
type breaker struct {
	settings BreakerSettings
	window   []sdk.FailureClass // of the last episodes, oldest first; empty for one that did not fail
}

// feed adds a step's episodes and returns the first trip.
func (b *breaker) feed(episodes []*summary) *Trip {
	if b.settings.FailedFraction <= 0 || b.settings.Window <= 0 {
		return nil
	}
	var trip *Trip
	for _, s := range episodes {
		class, counts := breakerView(s)
		if !counts {
			continue
		}
		b.window = append(b.window, class)
		if extra := len(b.window) - b.settings.Window; extra > 0 {
			b.window = slices.Delete(b.window, 0, extra)
		}
		if trip == nil {
			trip = b.check(s.slot)
		}
	}
	return trip
}

// breakerView is how the breaker sees an episode: failed with a class, not failed, or not at all.
func breakerView(s *summary) (class sdk.FailureClass, counts bool) {
	switch s.outcome {
	case sdk.OutcomeScored:
		return "", true
	case sdk.OutcomeFailed, sdk.OutcomeDropped:
		return s.class, slices.Contains(breakerClasses, s.class)
	}
	return "", false
}

// Broken counts the episodes of an aggregate as the circuit breaker does: those that failed, by class, of all that it looks at.
func (a Aggregate) Broken() (classes map[sdk.FailureClass]int, of int) {
	classes, of = map[sdk.FailureClass]int{}, a.Outcomes[sdk.OutcomeScored]
	for _, class := range breakerClasses {
		if n := a.Failures[class]; n > 0 {
			classes[class] = n
			of += n
		}
	}
	return classes, of
}

func (b *breaker) check(slot Slot) *Trip {
	trip := &Trip{Episodes: len(b.window), Slot: slot, Classes: map[sdk.FailureClass]int{}}
	for _, class := range b.window {
		if class != "" {
			trip.Failed++
			trip.Classes[class]++
		}
	}
	if trip.Episodes < max(1, b.settings.MinEpisodes) || ratio(trip.Failed, trip.Episodes) <= b.settings.FailedFraction {
		return nil
	}
	return trip
}
