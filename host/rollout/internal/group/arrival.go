package group

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/awhost/awhost/host/rollout/internal/slot"
	"github.com/awhost/awhost/sdk"
)

// Arrivals assigns numbers that trainers do not provide, in the order of the first requests: to the samples in a group,
// and to groups in the same step and position, for example if a trainer runs a task twice.
type Arrivals struct {
	mu     sync.Mutex
	groups map[groupKey]*arrived
	places map[placeKey]map[string]int // numbers of the groups, by name
}

// placeKey is a group's position in a run.
type placeKey struct {
	stage    string
	step     int
	position int
	task     string // if the position is unknown
}

func placeOf(s slot.Slot) placeKey {
	key := placeKey{stage: s.Stage, step: s.Step, position: s.Position}
	if s.Position < 0 {
		key.task = s.Task
	}
	return key
}

// arrived holds the samples of a group that have arrived.
type arrived struct {
	size    int
	numbers map[string]int // by episode
}

// NewArrivals returns empty Arrivals.
func NewArrivals() *Arrivals {
	return &Arrivals{groups: map[groupKey]*arrived{}, places: map[placeKey]map[string]int{}}
}

// Repeat returns the number of a slot's group among the groups at the same position. It returns the same number on each
// call. Validation does not need it, because validation seeds are derived from tasks.
func (a *Arrivals) Repeat(s slot.Slot) int {
	if s.Group == "" || s.Split != sdk.SplitTrain {
		return 0
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	names := a.place(s)
	if n, known := names[s.Group]; known {
		return n
	}
	n := 0
	for taken := slices.Sorted(maps.Values(names)); n < len(taken) && taken[n] == n; {
		n++
	}
	names[s.Group] = n
	return n
}

// place returns the groups at a slot's position. The lock is held.
func (a *Arrivals) place(s slot.Slot) map[string]int {
	key := placeOf(s)
	if a.places[key] == nil {
		a.places[key] = map[string]int{}
	}
	return a.places[key]
}

// Number returns an episode's sample number. It returns the same number on each call.
func (a *Arrivals) Number(s slot.Slot, episode string, size int) (int, error) {
	if s.Group == "" {
		return 0, nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	g := a.group(s)
	if n, known := g.numbers[episode]; known {
		return n, nil
	}
	g.size = size
	taken := make(map[int]bool, len(g.numbers))
	for n := range maps.Values(g.numbers) {
		taken[n] = true
	}
	for n := range size {
		if !taken[n] {
			g.numbers[episode] = n
			return n, nil
		}
	}
	return 0, fmt.Errorf("all %d samples of group %q have been requested, and the request does not identify the sample "+
		"that it repeats: set sample_index", size, s.Group)
}

// group returns a slot's group. The lock is held.
func (a *Arrivals) group(s slot.Slot) *arrived {
	key := keyOf(s)
	if a.groups[key] == nil {
		a.groups[key] = &arrived{numbers: map[string]int{}}
	}
	return a.groups[key]
}

// Recall adds an episode from the record.
func (a *Arrivals) Recall(p Past) {
	if p.Slot.Group == "" {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if p.Slot.Split == sdk.SplitTrain {
		a.place(p.Slot)[p.Slot.Group] = p.Slot.Repeat
	}
	if p.Cancelled {
		return
	}
	g := a.group(p.Slot)
	g.size, g.numbers[p.Episode] = p.GroupSize, p.Slot.Sample
}

// Forget drops the groups that belong to finished steps. It keeps incomplete groups that have no step number.
func (a *Arrivals) Forget(before int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	maps.DeleteFunc(a.places, func(key placeKey, _ map[string]int) bool { return key.step < before })
	maps.DeleteFunc(a.groups, func(key groupKey, g *arrived) bool {
		if key.step == 0 && key.split == sdk.SplitTrain {
			return len(g.numbers) >= g.size
		}
		return key.step < before
	})
}

// Len returns the number of stored groups and positions.
func (a *Arrivals) Len() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.groups) + len(a.places)
}
