package rollout

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/awhost/awhost/sdk"
)

// arrivals numbers what trainers do not, in the order in which they first ask for it: the samples of a group, and groups of
// one step that are at the same position, as where a trainer plays a task twice.
type arrivals struct {
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

func placeOf(s Slot) placeKey {
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

func newArrivals() *arrivals {
	return &arrivals{groups: map[groupKey]*arrived{}, places: map[placeKey]map[string]int{}}
}

// repeat is the number of a slot's group among those at its position, the same each time. Seeds of validation come from
// tasks, which needs none.
func (a *arrivals) repeat(s Slot) int {
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
func (a *arrivals) place(s Slot) map[string]int {
	key := placeOf(s)
	if a.places[key] == nil {
		a.places[key] = map[string]int{}
	}
	return a.places[key]
}

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
	if r.Slot.Group == "" {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if r.Slot.Split == sdk.SplitTrain {
		a.place(r.Slot)[r.Slot.Group] = r.Slot.Repeat
	}
	if r.Outcome == sdk.OutcomeCancelled {
		return
	}
	g := a.group(r.Slot)
	g.size, g.numbers[r.EpisodeID] = r.GroupSize, r.Slot.Sample
}

// forget lets go of the groups of steps that are over. Of those whose step nobody has said it keeps the ones that are not whole.
func (a *arrivals) forget(before int) {
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
