package group

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"

	"github.com/awhost/awhost/host/rollout/internal/clock"
	"github.com/awhost/awhost/host/rollout/internal/slot"
	"github.com/awhost/awhost/host/rollout/internal/verdict"
	"github.com/awhost/awhost/sdk"
)

// Drops holds the groups in stages where a failed sample may drop its siblings (drop_group). The results in such a
// group are held back until the group is decided: a sample has failed that way, all samples have ended, or the missing
// ones will not be requested. A trainer could not undo having trained on them.
//
// It also holds the groups in stages whose trainer would use the reward of a group's only survivor as its advantage. In
// these groups, the first result with a number is held back until there is a second one or the group is decided.
//
// A group is kept, whether decided or not, until all its samples have ended or the unrequested ones have been given up.
// Late requests receive the same decision as the others, no matter how many steps later they arrive.
type Drops struct {
	options Options
	mu      sync.Mutex
	open    map[groupKey]*dropGroup
}

// dropGroup is one of the groups in Drops.
type dropGroup struct {
	all     *Drops
	size    int             // 0: no sample was requested yet, but some are on record
	samples map[int]*Sample // the last requested episode of each sample
	paired  chan struct{}   // closed when two have survived
	dropped bool            // written before done is closed, read after
	expired bool            // likewise: it was decided because some samples were never requested
	idle    clock.Timer     // runs while no sample is running and some are missing
	givenUp bool            // idle has expired: the missing samples will not be requested
	done    chan struct{}   // closed when the group is decided
}

// Sample is a sample's membership in its group. A nil Sample belongs to an episode that has no group.
type Sample struct {
	group   *dropGroup
	episode string
	working bool // protected by the lock, like the next field
	// survives reports whether the sample has ended with a number that others can be compared with. A sample that is
	// reported as the lone survivor is no longer counted as surviving.
	survives bool
}

// Settlement is a group's decision about a sample.
type Settlement struct {
	Dropped bool // a sibling drops it
	Expired bool // the decision was made only because some samples were never requested
	Lone    bool // it is the only survivor
}

// NewDrops returns Drops with no groups.
func NewDrops(options Options) *Drops {
	return &Drops{options: options, open: map[groupKey]*dropGroup{}}
}

// Join adds a sample to its group. It returns an error if the request contradicts the known data of the group.
func (p *Drops) Join(at slot.Slot, req sdk.EpisodeRequest) (*Sample, error) {
	switch {
	case at.Group == "":
		return nil, errors.New("on_failure is drop_group, but the request names no group")
	case req.SampleIndex < 0 || req.SampleIndex >= req.GroupSize:
		return nil, fmt.Errorf("sample %d does not exist in a group of %d", req.SampleIndex, req.GroupSize)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	t := p.find(at)
	if t.size == 0 {
		t.size = req.GroupSize
	}
	if req.GroupSize != t.size {
		return nil, fmt.Errorf("group %q has %d samples, not %d", at.Group, t.size, req.GroupSize)
	}
	if other := t.samples[req.SampleIndex]; other != nil && other.working {
		return nil, fmt.Errorf("sample %d in group %q already belongs to episode "+
			"%s", req.SampleIndex, at.Group, other.episode)
	}
	joined := &Sample{group: t, episode: req.EpisodeID, working: true}
	t.samples[req.SampleIndex] = joined
	t.review()
	return joined, nil
}

// find returns a slot's group. The lock is held.
func (p *Drops) find(at slot.Slot) *dropGroup {
	key := keyOf(at)
	t := p.open[key]
	if t == nil {
		t = &dropGroup{all: p, samples: map[int]*Sample{}, paired: make(chan struct{}), done: make(chan struct{})}
		p.open[key] = t
	}
	return t
}

// Recall adds a sample from the record: the sample has ended and is requested again only if its result was lost.
func (p *Drops) Recall(past Past) {
	if past.Slot.Split != sdk.SplitTrain || past.Slot.Group == "" || past.Cancelled {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	t := p.find(past.Slot)
	t.size = past.GroupSize
	t.samples[past.Slot.Sample] = &Sample{group: t, episode: past.Episode, survives: past.Survives}
	t.pair()
	if past.Drops {
		t.drop()
	}
	t.await() // decided with the next ended sample: a recorded one may be requested again
}

// Drop drops the sample's siblings. They are notified immediately.
func (p *Sample) Drop() {
	if p == nil {
		return
	}
	p.group.all.mu.Lock()
	defer p.group.all.mu.Unlock()
	p.group.drop()
}

func (t *dropGroup) drop() {
	if !t.decided() {
		t.dropped = true
		t.decide()
	}
}

// Decided returns a channel that is closed when the group is decided. WasDropped reports the decision. Without a group
// it returns nil, which is never closed.
func (p *Sample) Decided() <-chan struct{} {
	if p == nil {
		return nil
	}
	return p.group.done
}

// WasDropped reports whether a sample has dropped the group.
func (p *Sample) WasDropped() bool {
	if p == nil {
		return false
	}
	select {
	case <-p.group.done:
		return p.group.dropped
	default:
		return false
	}
}

// Keep marks the sample as ended and waits until its group has been decided, if it may be dropped, or until a second
// sample survives. If ctx is done first, Keep returns its cause, and the sample is treated as having left.
func (p *Sample) Keep(ctx context.Context, mayBeDropped, survives bool) (Settlement, error) {
	p.end(survives)
	var paired <-chan struct{} // nil, which is never closed: a second survivor does not suffice
	if !mayBeDropped {
		if paired = p.group.paired; !survives {
			return Settlement{}, nil
		}
	}
	var err error
	select {
	case <-p.group.done:
	case <-paired:
	default:
		select {
		case <-p.group.done:
		case <-paired:
		case <-ctx.Done():
			err = context.Cause(ctx)
		}
	}
	return p.judge(survives, err), err
}

func (p *Sample) end(survives bool) {
	p.group.all.mu.Lock()
	defer p.group.all.mu.Unlock()
	p.survives = survives
	p.group.pair()
	p.working = false
	p.group.review()
}

// judge returns the group's decision about the sample, unless the sample was canceled while waiting.
func (p *Sample) judge(survives bool, err error) Settlement {
	t := p.group
	t.all.mu.Lock()
	defer t.all.mu.Unlock()
	v := Settlement{Lone: survives && t.size > 1 && !t.isPaired()}
	if err == nil && t.decided() {
		v.Dropped, v.Expired = t.dropped, t.expired
	}
	p.survives = p.survives && !v.Lone && (err == nil || errors.Is(err, verdict.ErrHardDeadline))
	return v
}

// pair releases the survivors when there are two. The lock is held.
func (t *dropGroup) pair() {
	n := 0
	for _, p := range t.samples {
		if p.survives {
			n++
		}
	}
	if n > 1 && !t.isPaired() {
		close(t.paired)
	}
}

func (t *dropGroup) isPaired() bool {
	select {
	case <-t.paired:
		return true
	default:
		return false
	}
}

// Leave marks the sample as not running: it has ended or was canceled. Its siblings do not wait for a replacement,
// which might never arrive.
func (p *Sample) Leave() {
	if p == nil {
		return
	}
	p.group.all.mu.Lock()
	defer p.group.all.mu.Unlock()
	if p.working {
		p.working = false
		p.group.review()
	}
}

// decided reports whether the group is decided. The lock is held.
func (t *dropGroup) decided() bool {
	select {
	case <-t.done:
		return true
	default:
		return false
	}
}

// decide releases all members. The lock is held.
func (t *dropGroup) decide() { close(t.done) }

// works reports whether a sample is running. The lock is held.
func (t *dropGroup) works() bool {
	for _, p := range t.samples {
		if p.working {
			return true
		}
	}
	return false
}

// over reports whether the group has finished. The lock is held.
func (t *dropGroup) over() bool { return !t.works() && (len(t.samples) >= t.size || t.givenUp) }

// review decides the group if all its samples have been requested and none are running. The lock is held.
func (t *dropGroup) review() {
	t.await()
	if t.over() && !t.decided() {
		t.decide()
	}
}

// await starts a timer for unrequested samples if no samples are running. The lock is held.
func (t *dropGroup) await() {
	if t.idle != nil {
		t.idle.Stop()
		t.idle = nil
	}
	t.givenUp = false
	if len(t.samples) < t.size && !t.works() {
		t.idle = t.all.options.Clock.AfterFunc(t.all.options.SiblingTimeout, t.expire)
	}
}

// expire stops waiting for unrequested samples.
func (t *dropGroup) expire() {
	t.all.mu.Lock()
	defer t.all.mu.Unlock()
	if t.idle == nil {
		return // a sample joined at the same moment
	}
	t.idle, t.givenUp = nil, true
	if !t.decided() {
		t.expired = true
		t.decide()
	}
}

// Waiting yields the steps of the unfinished groups.
func (p *Drops) Waiting(yield func(step int)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for key, t := range p.open {
		if !t.over() {
			yield(key.step)
		}
	}
}

// Forget drops the finished groups of finished steps. Unfinished groups are kept, because their trainer might not
// report their step.
func (p *Drops) Forget(before int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	maps.DeleteFunc(p.open, func(key groupKey, t *dropGroup) bool { return key.step < before && t.over() })
}

// Stop stops the groups' timers.
func (p *Drops) Stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, t := range p.open {
		if t.idle != nil {
			t.idle.Stop()
		}
	}
}

// Len returns the number of stored groups.
func (p *Drops) Len() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.open)
}
