package runstore

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/awhost/awhost/sdk"
)

// FailureSum summarizes the failures in one class.
type FailureSum struct {
	Class    sdk.FailureClass
	Episodes int
	Example  FailureExample // an example with the most common reason
}

// FailureExample is one failed episode.
type FailureExample struct {
	Alike     int // number of episodes that failed for exactly this reason
	EpisodeID string
	TaskID    string
	Slot      Slot
	Detail    string
}

// Failures summarizes the failed episodes by class, most frequent first. Episodes from interrupted steps are omitted
// because they were run again, and so are canceled episodes. It reads all episodes.
func (r *Run) Failures(ctx context.Context) ([]FailureSum, error) {
	type reason struct {
		class  sdk.FailureClass
		detail string
	}
	reasons := map[reason]*FailureExample{}
	err := r.episodes(ctx, `"failure":`, func(e Episode, _ error) bool {
		if e.Failure == nil || e.Standing == Superseded || e.Outcome == sdk.OutcomeCancelled {
			return true
		}
		key := reason{e.Failure.Class, e.Failure.Detail}
		if reasons[key] == nil {
			reasons[key] = &FailureExample{EpisodeID: e.EpisodeID, TaskID: e.TaskID, Slot: e.Slot, Detail: e.Failure.Detail}
		}
		reasons[key].Alike++
		return true
	})
	if err != nil {
		return nil, fmt.Errorf("read episodes of run %s: %w", r.Ref(), err)
	}
	byClass := map[sdk.FailureClass]*FailureSum{}
	for key, example := range reasons {
		sum := byClass[key.class]
		if sum == nil {
			sum = &FailureSum{Class: key.class}
			byClass[key.class] = sum
		}
		sum.Episodes += example.Alike
		if better(*example, sum.Example) {
			sum.Example = *example
		}
	}
	var sums []FailureSum
	for _, class := range slices.Sorted(maps.Keys(byClass)) {
		sums = append(sums, *byClass[class])
	}
	slices.SortStableFunc(sums, func(a, b FailureSum) int { return cmp.Compare(b.Episodes, a.Episodes) })
	return sums, nil
}

// better reports whether a is the better example. The result does not depend on map order.
func better(a, b FailureExample) bool {
	if a.Alike != b.Alike {
		return a.Alike > b.Alike
	}
	return a.Detail < b.Detail
}
