// Package group holds together the samples of a group: it numbers those that trainers do not number (Arrivals), waits
// until all can be compared (Comparisons), and lets one that fails take its siblings with it (Drops).
//
//	member, err := comparisons.Join(terms, slot, request)
//	decided, err := member.Wait(ctx, items, sample.Decided()) // until a reward has compared the survivors
//	sample, err := drops.Join(slot, request)
//	settlement, err := sample.Keep(ctx, true, survives) // until it is known what becomes of the group
//
// It knows nothing of how episodes are run and scored.
package group

import (
	"context"
	"time"

	"github.com/awhost/awhost/host/rollout/internal/clock"
	"github.com/awhost/awhost/host/rollout/internal/slot"
	"github.com/awhost/awhost/sdk"
)

// Options are what groups work with.
type Options struct {
	Clock clock.Clock
	// SiblingTimeout is how long a group waits for samples that nobody has asked for.
	SiblingTimeout time.Duration
	// Spawn starts a goroutine whose owner joins it. It is called from one of the owner's.
	Spawn func(func(ctx context.Context))
}

// groupKey names a group within a run.
type groupKey struct {
	stage string
	split sdk.Split
	step  int
	group string
}

func keyOf(s slot.Slot) groupKey {
	return groupKey{stage: s.Stage, split: s.Split, step: s.Step, group: s.Group}
}

// Past is a sample that is on record.
type Past struct {
	Slot      slot.Slot
	Episode   string
	GroupSize int
	Cancelled bool
	Survives  bool // it has a number to compare others with
	Drops     bool // it has taken its siblings with it
}
