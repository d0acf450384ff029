package rollout

import (
	"fmt"
	"maps"
	"sync"

	"github.com/awhost/awhost/sdk"
)

// arrivals numbers the samples of groups whose trainer does not: in the order in which it first asks for them.
type arrivals struct {
	mu     sync.Mutex
	groups map[groupKey]*arrived
}

// arrived are the samples of a group so far.
type arrived struct {
	size    int
	numbers map[string]int // by episode
}

func newArrivals() *arrivals { return &arrivals{groups: map[groupKey]*arrived{}} }

// number is the number of an episode, the same each time.
func (a *arrivals) number(req sdk.EpisodeRequest) (int, error) {
	if req.GroupID == "" {
		return 0, nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	g := a.group(identityOf(req).slot)
	if n, known := g.numbers[req.EpisodeID]; known {
		return n, nil
	}
	g.size = req.GroupSize
	taken := make(map[int]bool, len(g.numbers))
	for n := range maps.Values(g.numbers) {
		taken[n] = true
	}
	for n := range req.GroupSize {
		if !taken[n] {
			g.numbers[req.EpisodeID] = n
			return n, nil
		}
	}
	return 0, fmt.Errorf("all %d samples of group %q have been asked for, and the request does not say which of them it repeats: set sample_index", req.GroupSize, req.GroupID)
}

// group is that of a slot. The lock is held.
func (a *arrivals) group(s Slot) *arrived {
	key := groupOf(s)
	if a.groups[key] == nil {
		a.groups[key] = &arrived{numbers: map[string]int{}}
	}
	return a.groups[key]
}

// recall takes in an episode that is on record.
func (a *arrivals) recall(r *EpisodeRecord) {
	if r.Slot.Group == "" || r.Outcome == sdk.OutcomeCancelled {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	g := a.group(r.Slot)
	g.size, g.numbers[r.EpisodeID] = r.GroupSize, r.Slot.Sample
}

// forget lets go of the groups of steps that are over. Of those whose step nobody has said it keeps the ones that are not whole.
func (a *arrivals) forget(before int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	maps.DeleteFunc(a.groups, func(key groupKey, g *arrived) bool {
		if key.step == 0 && key.split == sdk.SplitTrain {
			return len(g.numbers) >= g.size
		}
		return key.step < before
	})
}
