package rollout

import (
	"fmt"
	"slices"

	"github.com/awhost/awhost/sdk"
)

// BreakerSettings defines how many failed episodes are too many. The zero value never trips.
type BreakerSettings struct {
	FailedFraction  float64 // trips above it; 0 disables the breaker
	ForeignFraction float64 // of episodes whose tool calls are not read: trips above it; 0 disables it
	Window          int     // number of most recent episodes considered
	MinEpisodes     int     // fewest episodes before it can trip
}

// Trip explains why the breaker stops a run.
type Trip struct {
	Failed   int  // of the last Episodes
	Foreign  int  // of the last Episodes, episodes whose tool calls are not read
	Unread   bool // Foreign tripped it, not Failed
	Episodes int
	Slot     Slot // the slot that tripped it
	Classes  map[sdk.FailureClass]int
	Newest   string // optional: the newest failure of the most frequent class
}

// Reason returns a sentence that explains it to the user.
func (t *Trip) Reason() string {
	if t.Unread {
		return ForeignReason(t.Foreign, t.Episodes)
	}
	worst, most := WorstOf(t.Classes)
	detail := ""
	if t.Newest != "" {
		detail = ", the newest: " + t.Newest
	}
	return fmt.Sprintf("%d of the last %d episodes failed, most of them (%d) with %s%s; look at their failures with "+
		"`awhost show --episodes`, or raise failed_fraction in circuit_breaker", t.Failed, t.Episodes, most, worst, detail)
}

// ForeignReason returns a sentence about episodes whose tool calls are not read.
func ForeignReason(episodes, of int) string {
	return fmt.Sprintf("in %d of the last %d episodes, the policy wrote tool calls in another model family's format, "+
		"which the codec does not read as calls: set tool_format to the model's family (awhost docs "+
		"reference/tool-formats), or raise foreign_fraction in circuit_breaker", episodes, of)
}

// foreignCalls marks an episode in the breaker's window that did not fail, but whose tool calls are not read.
const foreignCalls sdk.FailureClass = "foreign_calls"

// mostlyForeign is the share of messages from which on an episode counts as foreign.
const mostlyForeign = 0.5

// WorstOf returns the class with the most failures. Ties are resolved in a fixed order.
func WorstOf(classes map[sdk.FailureClass]int) (worst sdk.FailureClass, most int) {
	for _, class := range breakerClasses {
		if classes[class] > most {
			worst, most = class, classes[class]
		}
	}
	return worst, most
}

// breakerClasses lists the failure classes that count. Training is expected to reduce POLICY failures, and
// INFRASTRUCTURE failures are limited by the restart budget.
var breakerClasses = []sdk.FailureClass{
	sdk.FailureEnvironment, sdk.FailureAgent, sdk.FailureTimeout, sdk.FailureModel, sdk.FailureReward,
}

// breaker evaluates the final outcomes of training episodes. It is updated only at boundaries and in slot order, so
// that it trips at the same episode whenever a run is repeated.
type breaker struct {
	settings BreakerSettings
	window   []sdk.FailureClass // classes of the last episodes, oldest first; empty for an episode that did not fail
}

// feed adds a step's episodes and returns the first trip.
func (b *breaker) feed(episodes []*summary) *Trip {
	if b.settings.FailedFraction <= 0 && b.settings.ForeignFraction <= 0 || b.settings.Window <= 0 {
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

// breakerView returns an episode's failure class, or an empty class if it did not fail, and whether the breaker counts
// the episode.
func breakerView(s *summary) (class sdk.FailureClass, counts bool) {
	if s.foreign >= mostlyForeign && !slices.Contains(breakerClasses, s.class) && s.outcome != sdk.OutcomeCancelled {
		return foreignCalls, true
	}
	switch s.outcome {
	case sdk.OutcomeScored:
		return "", true
	case sdk.OutcomeFailed, sdk.OutcomeDropped:
		return s.class, slices.Contains(breakerClasses, s.class)
	}
	return "", false
}

// Broken counts the episodes in an aggregate as the circuit breaker does: it returns the number of failures by class
// and the number of counted episodes.
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
		switch class {
		case "":
		case foreignCalls:
			trip.Foreign++
		default:
			trip.Failed++
			trip.Classes[class]++
		}
	}
	above := func(n int, fraction float64) bool { return fraction > 0 && ratio(n, trip.Episodes) > fraction }
	trip.Unread = above(trip.Foreign, b.settings.ForeignFraction)
	if trip.Episodes < max(1, b.settings.MinEpisodes) || !trip.Unread && !above(trip.Failed, b.settings.FailedFraction) {
		return nil
	}
	return trip
}
