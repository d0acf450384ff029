package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/sdk"
)

// tally counts the outcomes of the episodes.
type tally struct {
	episodes int
	retries  int
	outcomes map[sdk.Outcome]int
	failures map[sdk.FailureClass]int
}

func (t *tally) add(step event.StepFinished) {
	t.episodes += step.Episodes
	t.retries += step.Retries
	t.outcomes = addCounts(t.outcomes, step.Outcomes)
	t.failures = addCounts(t.failures, step.Failures)
}

func addCounts[K comparable](sum, more map[K]int) map[K]int {
	if sum == nil {
		sum = map[K]int{}
	}
	for key, count := range more {
		sum[key] += count
	}
	return sum
}

// outcomeWords lists the outcomes in display order.
var outcomeWords = []struct {
	outcome sdk.Outcome
	word    string
}{
	{sdk.OutcomeScored, "scored"}, {sdk.OutcomeTruncated, "truncated"}, {sdk.OutcomeFailed, "failed"},
	{sdk.OutcomeDropped, "dropped"}, {sdk.OutcomeCancelled, "cancelled"},
}

// outcomeLine returns, for example, "7,800 scored · 120 truncated".
func (t tally) outcomeLine() string {
	var parts []string
	for _, entry := range outcomeWords {
		if n := t.outcomes[entry.outcome]; n > 0 {
			parts = append(parts, text.Count(n)+" "+entry.word)
		}
	}
	if t.retries > 0 {
		parts = append(parts, plural(t.retries, "retry", "retries"))
	}
	return strings.Join(parts, " · ")
}

// failureLine returns, for example, "POLICY 12 · TIMEOUT 4", the most frequent first, or "" without failures.
func failureLine(failures map[sdk.FailureClass]int) string {
	var parts []string
	for _, class := range byCount(failures) {
		parts = append(parts, fmt.Sprintf("%s %s", text.Clean(string(class)), text.Count(failures[class])))
	}
	return strings.Join(parts, " · ")
}

func byCount[K ~string](counts map[K]int) []K {
	var keys []K
	for key, n := range counts {
		if n > 0 {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, func(a, b K) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	return keys
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return text.Count(n) + " " + many
}
