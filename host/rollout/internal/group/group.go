// Package group handles the samples in a group: it numbers samples that trainers do not number (Arrivals), waits until
// all of them can be compared (Comparisons), and lets a failed sample drop its siblings (Drops).
//
//	member, err := comparisons.Join(terms, slot, request)
//	decided, err := member.Wait(ctx, items, sample.Decided()) // until a reward has compared the survivors
//	sample, err := drops.Join(slot, request)
//	settlement, err := sample.Keep(ctx, true, survives) // until the group is decided
//
// It does not run or score episodes.
package group

import (
	"context"
	"time"

	"github.com/awhost/awhost/host/rollout/internal/clock"
	"github.com/awhost/awhost/host/rollout/internal/slot"
	"github.com/awhost/awhost/sdk"
)

// Options holds the settings for groups.
type Options struct {
	Clock clock.Clock
	// SiblingTimeout is how long a group waits for unrequested samples.
	SiblingTimeout time.Duration
	// Spawn starts a goroutine whose owner joins it. It is called from one of the owner's goroutines.
	Spawn func(func(ctx context.Context))
}

// groupKey identifies a group within a run.
type groupKey struct {
	stage string
	split sdk.Split
	step  int
	group string
}

func keyOf(s slot.Slot) groupKey {
	return groupKey{stage: s.Stage, split: s.Split, step: s.Step, group: s.Group}
}

// Past is a sample on record.
type Past struct {
	Slot      slot.Slot
	Episode   string
	GroupSize int
	Cancelled bool
	Survives  bool // it has a number to compare others with
	Drops     bool // it has dropped its siblings
}
