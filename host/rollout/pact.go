package rollout

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"

	"github.com/awhost/awhost/host/rollout/internal/clock"
	"github.com/awhost/awhost/host/rollout/internal/verdict"
	"github.com/awhost/awhost/sdk"
)

// pacts holds the groups of stages in which a sample that fails may take its siblings with it (drop_group). The results of such a
// group are held back until it is decided: one of them has failed so, or all are over, or nobody asks for the others. A trainer
// could not give back what it has trained.
//
// It also holds those of stages whose trainer would take the reward of a group's only survivor for its advantage. There the first
// result with a number is held back until there is a second one, or the group is decided.
//
// A group is kept, decided or not, until all its samples are over, or those that were not asked for are given up: whoever comes late
// learns the same as the others, however many steps later.
type pacts struct {
	engine *Engine
	mu     sync.Mutex
	open   map[groupKey]*pact
}

// pact is one of the groups.
type pact struct {
	all     *pacts
	size    int             // 0: nobody has asked for a sample yet, but some are on record
	samples map[int]*pledge // the last of each that was asked for
	paired  chan struct{}   // closed when two have survived
	dropped bool            // written before done is closed, read after
	expired bool            // likewise: it was decided because some were never asked for
	idle    clock.Timer     // runs while nobody works and somebody is missing
	givenUp bool            // it has run out: the missing ones will not be asked for
	done    chan struct{}   // closed when it is decided
}

// pledge is a sample's part in a pact. A nil pledge belongs to an episode that is on its own.
type pledge struct {
	pact    *pact
	episode string
	working bool // under the lock, as the next
	// survives says that it is over and has a number to compare others with. One that is told that it is alone survives no more.
	survives bool
}

// settlement is what its group says of a sample.
type settlement struct {
	dropped bool // a sibling takes it along
	expired bool // that was decided only because some were never asked for
	lone    bool // it survives alone
}

func newPacts(engine *Engine) *pacts { return &pacts{engine: engine, open: map[groupKey]*pact{}} }

// join makes a sample a member of its group. It fails where the request contradicts what is known of the group.
func (p *pacts) join(slot Slot, req sdk.EpisodeRequest) (*pledge, error) {
	switch {
	case slot.Group == "":
		return nil, errors.New("on_failure says drop_group, but the request names no group")
	case req.SampleIndex < 0 || req.SampleIndex >= req.GroupSize:
		return nil, fmt.Errorf("sample %d does not exist in a group of %d", req.SampleIndex, req.GroupSize)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	t := p.find(slot)
	if t.size == 0 {
		t.size = req.GroupSize
	}
	if req.GroupSize != t.size {
		return nil, fmt.Errorf("group %q has %d samples, not %d", slot.Group, t.size, req.GroupSize)
	}
	if other := t.samples[req.SampleIndex]; other != nil && other.working {
		return nil, fmt.Errorf("sample %d of group %q already is episode %s", req.SampleIndex, slot.Group, other.episode)
	}
	joined := &pledge{pact: t, episode: req.EpisodeID, working: true}
	t.samples[req.SampleIndex] = joined
	t.review()
	return joined, nil
}

// find is the group of a slot. The lock is held.
func (p *pacts) find(slot Slot) *pact {
	key := groupOf(slot)
	t := p.open[key]
	if t == nil {
		t = &pact{all: p, samples: map[int]*pledge{}, paired: make(chan struct{}), done: make(chan struct{})}
		p.open[key] = t
	}
	return t
}

// recall takes in a sample that is on record: it is over, and will not be asked for again unless its result was lost.
func (p *pacts) recall(r *EpisodeRecord) {
	if r.Slot.Split != sdk.SplitTrain || r.Slot.Group == "" || r.Outcome == sdk.OutcomeCancelled {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	t := p.find(r.Slot)
	t.size = r.GroupSize
	t.samples[r.Slot.Sample] = &pledge{pact: t, episode: r.EpisodeID, survives: r.Reward != nil && !r.Masked && !r.DropGroup}
	t.pair()
	if r.DropGroup && !r.LoneSurvivor {
		t.drop()
	}
	t.await() // it is decided with the next sample that is over: one of those on record may be asked for again
}

// drops says that this sample takes its siblings with it. They know at once.
func (p *pledge) drops() {
	if p == nil {
		return
	}
	p.pact.all.mu.Lock()
	defer p.pact.all.mu.Unlock()
	p.pact.drop()
}

func (t *pact) drop() {
	if !t.decided() {
		t.dropped = true
		t.decide()
	}
}

// lost is closed once the group is decided; wasDropped says how. Nil, which is never closed, where there is no group.
func (p *pledge) lost() <-chan struct{} {
	if p == nil {
		return nil
	}
	return p.pact.done
}

func (p *pledge) wasDropped() bool {
	if p == nil {
		return false
	}
	select {
	case <-p.pact.done:
		return p.pact.dropped
	default:
		return false
	}
}

// keep says that the sample is over and waits until its group is decided, where it may be dropped, or until another one survives as it does.
// It ends with ctx, with the reason; then the sample counts as one that has left.
func (p *pledge) keep(ctx context.Context, mayBeDropped, survives bool) (settlement, error) {
	p.end(survives)
	var paired <-chan struct{} // nil, which is never closed: that there is another one does not suffice
	if !mayBeDropped {
		if paired = p.pact.paired; !survives {
			return settlement{}, nil
		}
	}
	var err error
	select {
	case <-p.pact.done:
	case <-paired:
	default:
		select {
		case <-p.pact.done:
		case <-paired:
		case <-ctx.Done():
			err = context.Cause(ctx)
		}
	}
	return p.judge(survives, err), err
}

func (p *pledge) end(survives bool) {
	p.pact.all.mu.Lock()
	defer p.pact.all.mu.Unlock()
	p.survives = survives
	p.pact.pair()
	p.working = false
	p.pact.review()
}

// judge looks what the group says of the sample, where it was not cancelled while it waited.
func (p *pledge) judge(survives bool, err error) settlement {
	t := p.pact
	t.all.mu.Lock()
	defer t.all.mu.Unlock()
	v := settlement{lone: survives && t.size > 1 && !t.isPaired()}
	if err == nil && t.decided() {
		v.dropped, v.expired = t.dropped, t.expired
	}
	p.survives = p.survives && !v.lone && (err == nil || errors.Is(err, verdict.ErrHardDeadline))
	return v
}

// pair lets the survivors go once there are two. The lock is held.
func (t *pact) pair() {
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

func (t *pact) isPaired() bool {
	select {
	case <-t.paired:
		return true
	default:
		return false
	}
}

// leave says that nobody works at the sample any more: it is over, or was cancelled. Its siblings do not wait for another one in
// its place, which may never come.
func (p *pledge) leave() {
	if p == nil {
		return
	}
	p.pact.all.mu.Lock()
	defer p.pact.all.mu.Unlock()
	if p.working {
		p.working = false
		p.pact.review()
	}
}

// decided says whether the members know what becomes of them. The lock is held.
func (t *pact) decided() bool {
	select {
	case <-t.done:
		return true
	default:
		return false
	}
}

// decide lets everybody go. The lock is held.
func (t *pact) decide() { close(t.done) }

// works says whether a sample is under way. The lock is held.
func (t *pact) works() bool {
	for _, p := range t.samples {
		if p.working {
			return true
		}
	}
	return false
}

// over says whether nothing more comes of the group. The lock is held.
func (t *pact) over() bool { return !t.works() && (len(t.samples) >= t.size || t.givenUp) }

// review decides for a group whose samples were all asked for and at which nobody works. The lock is held.
func (t *pact) review() {
	t.await()
	if t.over() && !t.decided() {
		t.decide()
	}
}

// await waits within a limit for samples that have not been asked for, while nobody works. The lock is held.
func (t *pact) await() {
	if t.idle != nil {
		t.idle.Stop()
		t.idle = nil
	}
	t.givenUp = false
	if engine := t.all.engine; len(t.samples) < t.size && !t.works() {
		t.idle = engine.clock.AfterFunc(engine.options.SiblingTimeout, t.expire)
	}
}

// expire gives up waiting for samples that nobody asks for.
func (t *pact) expire() {
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

// waiting lists the steps of the groups that are not over.
func (p *pacts) waiting(yield func(step int)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for key, t := range p.open {
		if !t.over() {
			yield(key.step)
		}
	}
}

// forget lets go of the groups of steps that are over, as far as they are over themselves: their trainer may not say of which step
// they are.
func (p *pacts) forget(before int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	maps.DeleteFunc(p.open, func(key groupKey, t *pact) bool { return key.step < before && t.over() })
}

// stop ends the timers of groups that nobody will ask for any more.
func (p *pacts) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, t := range p.open {
		if t.idle != nil {
			t.idle.Stop()
		}
	}
}
