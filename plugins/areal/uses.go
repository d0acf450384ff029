package areal

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"github.com/awhost/awhost/sdk"
)

// uses remembers what each training episode can be used for, until a step says that it has used it. AReaL's driver knows
// which prompts make up a batch; what became of their samples is known here.
type uses struct {
	groupSize int
	filters   bool // groups with equal rewards are left out
	wholeOnly bool // AReaL gives up a group of which a sample cannot be trained (agent mode)

	mu     sync.Mutex
	groups map[string]*played // by group id
	known  map[string]string  // episode id → group id
}

// played is a group as far as its episodes are over.
type played struct {
	index    int
	over     int               // samples, also those that were reported
	samples  map[string]sample // by episode id
	rejected bool              // AReaL draws another prompt in its place
}

type sample struct {
	slot   int
	use    sdk.Consumption
	reward *float64
}

func newUses(r *record) *uses {
	return &uses{groupSize: r.GroupSize, filters: r.Filters, wholeOnly: r.Mode == modeAgent && !r.Request.Smoke, groups: map[string]*played{}, known: map[string]string{}}
}

// noteOf is what there is to know of an episode that is over.
func noteOf(req sdk.EpisodeRequest, result *sdk.EpisodeResult) overNote {
	return overNote{Episode: req.EpisodeID, Group: req.GroupID, Index: req.DatasetIndex, Slot: req.SampleIndex, Use: useOf(result), Reward: result.Reward}
}

// add notes an episode that is over. One that was asked for again counts once.
func (u *uses) add(o overNote) {
	u.mu.Lock()
	defer u.mu.Unlock()
	g := u.groups[o.Group]
	if g == nil {
		g = &played{index: o.Index, samples: map[string]sample{}}
		u.groups[o.Group] = g
	}
	if _, again := g.samples[o.Episode]; !again {
		g.over++
	}
	g.samples[o.Episode] = sample{slot: o.Slot, use: o.Use, reward: o.Reward}
	u.known[o.Episode] = o.Group
	u.judge(g)
}

// waits says whether episodes of a group are over and were not reported.
func (u *uses) waits(group string) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.groups[group] != nil
}

// lose notes that the worker of an episode cannot use it.
func (u *uses) lose(episode string) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	g := u.groups[u.known[episode]]
	if g == nil {
		return fmt.Errorf("a worker says that it cannot use episode %s, and no episode of that name is over and unreported", episode)
	}
	s := g.samples[episode]
	s.use = sdk.ConsumedLost
	g.samples[episode] = s
	u.judge(g)
	return nil
}

// useOf is what AReaL does with an episode of a group that it trains.
func useOf(r *sdk.EpisodeResult) sdk.Consumption {
	switch {
	case r.Outcome == sdk.OutcomeDropped, r.Outcome == sdk.OutcomeCancelled, r.DropGroup:
		return sdk.ConsumedFiltered
	case r.Masked, r.Reward == nil:
		return sdk.ConsumedMasked
	}
	for _, c := range r.Chains {
		if c.Train {
			return sdk.ConsumedTrained
		}
	}
	return sdk.ConsumedMasked
}

// judge says whether the shim, or AReaL's filter, rejects a group. The caller holds mu.
func (u *uses) judge(g *played) {
	var rewards []float64
	for _, s := range g.samples {
		if s.use == sdk.ConsumedTrained {
			rewards = append(rewards, *s.reward)
		} else if u.wholeOnly {
			g.rejected = true
		}
	}
	if g.over < u.groupSize || g.rejected {
		return
	}
	g.rejected = len(rewards) == 0 || u.filters && slices.Min(rewards) == slices.Max(rewards)
}

// take lists what became of the episodes of a step, in order: those that the driver names, with their use, and those of
// groups that were rejected meanwhile. They are known until done is called: where that is not on record, it is asked again.
func (u *uses) take(named []sdk.ConsumedEpisode) (listed []sdk.ConsumedEpisode, done func()) {
	u.mu.Lock()
	defer u.mu.Unlock()
	trained := map[string]bool{}
	for _, e := range named {
		if group, ok := u.known[e.EpisodeID]; ok {
			trained[group] = true
		}
	}
	type line struct {
		index, slot int
		episode     sdk.ConsumedEpisode
	}
	var lines []line
	for id, g := range u.groups {
		if !trained[id] && !g.rejected {
			continue // for a later step
		}
		for episode, s := range g.samples {
			use := s.use
			if !trained[id] && use != sdk.ConsumedLost {
				use = sdk.ConsumedFiltered
			}
			lines = append(lines, line{g.index, s.slot, sdk.ConsumedEpisode{EpisodeID: episode, Use: use}})
		}
	}
	slices.SortFunc(lines, func(a, b line) int { return cmp.Or(cmp.Compare(a.index, b.index), cmp.Compare(a.slot, b.slot)) })
	listed = make([]sdk.ConsumedEpisode, len(lines))
	for i, l := range lines {
		listed[i] = l.episode
	}
	return listed, func() { u.forget(listed, trained) }
}

// forget drops episodes that have been reported, and their groups as far as nothing more comes of them.
func (u *uses) forget(reported []sdk.ConsumedEpisode, trained map[string]bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, e := range reported {
		id, known := u.known[e.EpisodeID]
		if !known {
			continue
		}
		g := u.groups[id]
		delete(u.known, e.EpisodeID)
		delete(g.samples, e.EpisodeID)
		if len(g.samples) == 0 && (trained[id] || g.over >= u.groupSize) {
			delete(u.groups, id)
		} // else AReaL has given the group up, and samples of it go on
	}
}
