package group

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/awhost/awhost/host/rollout/internal/slot"
	"github.com/awhost/awhost/sdk"
)

// Arrivals numbers what trainers do not, in the order in which they first ask for it: the samples of a group, and
// groups of one step that are at the same position, as where a trainer plays a task twice.
type Arrivals struct {
	mu     sync.Mutex
	groups map[groupKey]*arrived
	places map[placeKey]map[string]int // numbers of the groups, by name
}

// placeKey is where a group is in a run.
type placeKey struct {
	stage    string
	step     int
	position int
	task     string // where there is no position
}

func placeOf(s slot.Slot) placeKey {
	key := placeKey{stage: s.Stage, step: s.Step, position: s.Position}
	if s.Position < 0 {
		key.task = s.Task
	}
	return key
}

// arrived are the samples of a group so far.
type arrived struct {
	size    int
	numbers map[string]int // by episode
}

// NewArrivals returns Arrivals that have heard of nobody.
func NewArrivals() *Arrivals {
	return &Arrivals{groups: map[groupKey]*arrived{}, places: map[placeKey]map[string]int{}}
}

// Repeat is the number of a slot's group among those at its position, the same each time. Seeds of validation come
// from tasks, which needs none.
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

// place has the groups at the position of a slot. The lock is held.
func (a *Arrivals) place(s slot.Slot) map[string]int {
	key := placeOf(s)
	if a.places[key] == nil {
		a.places[key] = map[string]int{}
	}
	return a.places[key]
}

// Number is the number of an episode, the same each time.
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
	return 0, fmt.Errorf("all %d samples of group %q have been asked for, "+
		"and the request does not say which of them it repeats: set sample_index", size, s.Group)
}

// group is that of a slot. The lock is held.
func (a *Arrivals) group(s slot.Slot) *arrived {
	key := keyOf(s)
	if a.groups[key] == nil {
		a.groups[key] = &arrived{numbers: map[string]int{}}
	}
	return a.groups[key]
}

// Recall takes in an episode that is on record.
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

// Forget lets go of the groups of steps that are over. Of those whose step nobody has said it keeps the ones that
// are not whole.
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

// Len returns how many groups, and positions of groups, are kept.
func (a *Arrivals) Len() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.groups) + len(a.places)
}
