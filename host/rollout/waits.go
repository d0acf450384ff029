package rollout

import (
	"cmp"
	"slices"

	"github.com/awhost/awhost/host/rollout/internal/registry"
	"github.com/awhost/awhost/host/rollout/internal/wait"
)

// Wait is what some episodes wait for at the moment; see the package wait.
type Wait = wait.Wait

// What episodes wait for, as far as a run tells it apart.
const (
	WaitSlot     = wait.Slot
	WaitSession  = wait.Session
	WaitSiblings = wait.Siblings
	WaitTrial    = wait.Trial
	WaitRecord   = wait.Record
)

// Waits says what the episodes under way wait for, those that wait longest first. Nothing that counts depends on it.
func (e *Engine) Waits() []Wait {
	type kind struct {
		what          wait.For
		address, call string
	}
	sums := map[kind]*Wait{}
	e.registry.Open(func(entry *registry.Entry) {
		waits := entry.Waits.Now()
		key := kind{waits.For, waits.Address, waits.Call}
		sum := sums[key]
		if sum == nil {
			sum = &waits
			sums[key] = sum
		}
		sum.Episodes++
		if sum.Episode == "" || cmp.Or(waits.Since.Compare(sum.Since), cmp.Compare(entry.ID, sum.Episode)) < 0 {
			sum.Since, sum.Episode, sum.Task = waits.Since, entry.ID, waits.Task
		}
	})
	out := make([]Wait, 0, len(sums))
	for _, sum := range sums {
		out = append(out, *sum)
	}
	slices.SortFunc(out, func(a, b Wait) int {
		return cmp.Or(
			a.Since.Compare(b.Since), cmp.Compare(a.For, b.For), cmp.Compare(a.Address, b.Address), cmp.Compare(a.Call, b.Call),
		)
	})
	return out
}
