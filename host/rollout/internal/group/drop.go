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

// Drops holds the groups of stages in which a sample that fails may take its siblings with it (drop_group). The
// results of such a group are held back until it is decided: one of them has failed so, or all are over, or nobody
// asks for the others. A trainer could not give back what it has trained.
//
// It also holds those of stages whose trainer would take the reward of a group's only survivor for its advantage.
// There the first result with a number is held back until there is a second one, or the group is decided.
//
// A group is kept, decided or not, until all its samples are over, or those that were not asked for are given up:
// whoever comes late learns the same as the others, however many steps later.
type Drops struct {
	options Options
	mu      sync.Mutex
	open    map[groupKey]*dropGroup
}

// dropGroup is one of the groups.
type dropGroup struct {
	all     *Drops
	size    int             // 0: nobody has asked for a sample yet, but some are on record
	samples map[int]*Sample // the last of each that was asked for
	paired  chan struct{}   // closed when two have survived
	dropped bool            // written before done is closed, read after
	expired bool            // likewise: it was decided because some were never asked for
	idle    clock.Timer     // runs while nobody works and somebody is missing
	givenUp bool            // it has run out: the missing ones will not be asked for
	done    chan struct{}   // closed when it is decided
}

// Sample is a sample's part in its group. A nil Sample belongs to an episode that is on its own.
type Sample struct {
	group   *dropGroup
	episode string
	working bool // under the lock, as the next
	// survives says that it is over and has a number to compare others with. One that is told that it is alone
	// survives no more.
	survives bool
}

// Settlement is what its group says of a sample.
type Settlement struct {
	Dropped bool // a sibling takes it along
	Expired bool // that was decided only because some were never asked for
	Lone    bool // it survives alone
}

// NewDrops returns Drops without groups.
func NewDrops(options Options) *Drops {
	return &Drops{options: options, open: map[groupKey]*dropGroup{}}
}

// Join makes a sample a member of its group. It fails where the request contradicts what is known of the group.
func (p *Drops) Join(at slot.Slot, req sdk.EpisodeRequest) (*Sample, error) {
	switch {
	case at.Group == "":
		return nil, errors.New("on_failure says drop_group, but the request names no group")
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
		return nil, fmt.Errorf("sample %d of group %q already is episode %s", req.SampleIndex, at.Group, other.episode)
	}
	joined := &Sample{group: t, episode: req.EpisodeID, working: true}
	t.samples[req.SampleIndex] = joined
	t.review()
	return joined, nil
}

// find is the group of a slot. The lock is held.
func (p *Drops) find(at slot.Slot) *dropGroup {
	key := keyOf(at)
	t := p.open[key]
	if t == nil {
		t = &dropGroup{all: p, samples: map[int]*Sample{}, paired: make(chan struct{}), done: make(chan struct{})}
		p.open[key] = t
	}
	return t
}

// Recall takes in a sample that is on record: it is over, and will not be asked for again unless its result was lost.
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
	t.await() // it is decided with the next sample that is over: one of those on record may be asked for again
}

// Drop says that this sample takes its siblings with it. They know at once.
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

// Decided is closed once the group is decided; WasDropped says how. Nil, which is never closed, where there is no
// group.
func (p *Sample) Decided() <-chan struct{} {
	if p == nil {
		return nil
	}
	return p.group.done
}

// WasDropped reports whether a sample has taken the group with it.
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

// Keep says that the sample is over and waits until its group is decided, where it may be dropped, or until another
// one survives as it does. It ends with ctx, with the reason; then the sample counts as one that has left.
func (p *Sample) Keep(ctx context.Context, mayBeDropped, survives bool) (Settlement, error) {
	p.end(survives)
	var paired <-chan struct{} // nil, which is never closed: that there is another one does not suffice
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

// judge looks what the group says of the sample, where it was not cancelled while it waited.
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

// pair lets the survivors go once there are two. The lock is held.
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

// Leave says that nobody works at the sample any more: it is over, or was cancelled. Its siblings do not wait for
// another one in its place, which may never come.
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

// decided reports whether the members know what becomes of them. The lock is held.
func (t *dropGroup) decided() bool {
	select {
	case <-t.done:
		return true
	default:
		return false
	}
}

// decide lets everybody go. The lock is held.
func (t *dropGroup) decide() { close(t.done) }

// works reports whether a sample is under way. The lock is held.
func (t *dropGroup) works() bool {
	for _, p := range t.samples {
		if p.working {
			return true
		}
	}
	return false
}

// over reports whether nothing more comes of the group. The lock is held.
func (t *dropGroup) over() bool { return !t.works() && (len(t.samples) >= t.size || t.givenUp) }

// review decides for a group whose samples were all asked for and at which nobody works. The lock is held.
func (t *dropGroup) review() {
	t.await()
	if t.over() && !t.decided() {
		t.decide()
	}
}

// await waits within a limit for samples that have not been asked for, while nobody works. The lock is held.
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

// expire gives up waiting for samples that nobody asks for.
func (t *dropGroup) expire() {
	t.all.mu.Lock()
	defer t.all.mu.Unlock()
	if t.idle == nil {
		return // somebody came in the same moment
	}
	t.idle, t.givenUp = nil, true
	if !t.decided() {
		t.expired = true
		t.decide()
	}
}

// Waiting lists the steps of the groups that are not over.
func (p *Drops) Waiting(yield func(step int)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for key, t := range p.open {
		if !t.over() {
			yield(key.step)
		}
	}
}

// Forget lets go of the groups of steps that are over, as far as they are over themselves: their trainer may not
// say of which step they are.
func (p *Drops) Forget(before int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	maps.DeleteFunc(p.open, func(key groupKey, t *dropGroup) bool { return key.step < before && t.over() })
}

// Stop ends the timers of groups that nobody will ask for any more.
func (p *Drops) Stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, t := range p.open {
		if t.idle != nil {
			t.idle.Stop()
		}
	}
}

// Len returns how many groups are kept.
func (p *Drops) Len() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.open)
}
