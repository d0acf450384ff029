package group

import (
	"context"
	"fmt"
	"maps"
	"sync"

	"github.com/awhost/awhost/host/rollout/internal/clock"
	"github.com/awhost/awhost/host/rollout/internal/recovery"
	"github.com/awhost/awhost/host/rollout/internal/slot"
	"github.com/awhost/awhost/host/rollout/internal/trace"
	"github.com/awhost/awhost/host/rollout/internal/verdict"
	"github.com/awhost/awhost/host/rollout/internal/wait"
	"github.com/awhost/awhost/sdk"
)

// Comparisons holds the groups that have not been judged yet. Groups exist only if a reward compares the samples in a
// group. A sample that has finished its own work waits in its group, without a slot or environment, until all siblings
// have finished or left. The group's rewards are then called once for the survivors.
//
// One lock is sufficient, because it is taken a few times per episode and never per turn.
type Comparisons struct {
	options  Options
	mu       sync.Mutex
	open     map[groupKey]*group
	recalled map[groupKey]*past
}

// past holds the samples in a group that another host has finished.
type past struct {
	size     int
	episodes map[int]string // by sample
}

// NewComparisons returns Comparisons with no groups.
func NewComparisons(options Options) *Comparisons {
	return &Comparisons{options: options, open: map[groupKey]*group{}, recalled: map[groupKey]*past{}}
}

// Terms holds a stage's rules for comparing samples.
type Terms struct {
	Order func() uint64 // returns a group's place in the queue
	Least int           // fewest survivors that are compared; 0: all
	// Judge calls the rewards for the survivors and sets their results or failures.
	Judge func(ctx context.Context, split sdk.Split, survivors []*Member, missing int)
}

// group is one of these groups. Members join and leave. The member that completes it starts the judging.
type group struct {
	all     *Comparisons
	terms   Terms
	key     groupKey
	size    int
	alone   bool            // one episode, not a group
	place   uint64          // in the queue's order
	members map[int]*Member // by sample
	idle    clock.Timer     // runs while no sample is running and some are missing
	closed  bool
	done    chan struct{}
}

// Member is a sample in its group. A nil Member belongs to an episode that is not compared.
type Member struct {
	group   *group
	sample  int
	episode string
	state   memberState
	Items   map[string]sdk.ScoreItem // by address of the reward, once ready
	Waits   *wait.Stack
	Trace   trace.Attempt // of the episode, once ready

	// Written before the group is done, read after.
	Answers    map[string]sdk.Scored // by address of the reward
	Failure    *sdk.Failure          // set if the group could not be judged
	RetryCount recovery.RetryCount   // of judging; counted entirely for the first survivor
}

type memberState int

const (
	memberWorking memberState = iota
	memberReady
	memberGone
)

// Join adds an episode to its group. It returns an error if the request contradicts what is known about the group.
func (g *Comparisons) Join(terms Terms, at slot.Slot, req sdk.EpisodeRequest) (*Member, error) {
	key := keyOf(at)
	size, sample, alone := req.GroupSize, req.SampleIndex, at.Group == ""
	if alone {
		if at.Split != sdk.SplitValidation {
			return nil, fmt.Errorf("a reward compares the samples of a group, but the request names no group")
		}
		key.group, size, sample = "episode/"+req.EpisodeID, 1, 0
	}
	if sample < 0 || sample >= size {
		return nil, fmt.Errorf("sample %d does not exist in a group of %d", sample, size)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	group := g.open[key]
	if group == nil {
		group = g.start(terms, key, size)
		group.alone = alone
	}
	return group.add(req, sample, size)
}

func (g *Comparisons) start(terms Terms, key groupKey, size int) *group {
	started := &group{
		all: g, terms: terms, key: key, size: size, place: terms.Order(),
		members: make(map[int]*Member, size), done: make(chan struct{}),
	}
	if past := g.recalled[key]; past != nil {
		for sample, episode := range past.episodes {
			if sample < size {
				started.members[sample] = &Member{group: started, sample: sample, episode: episode, state: memberGone}
			}
		}
	}
	g.open[key] = started
	return started
}

// Recall adds a sample from the record. Its siblings do not wait for it and are compared without it, unless it is
// requested again.
func (g *Comparisons) Recall(p Past) {
	if p.Slot.Group == "" || p.Cancelled {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	key := keyOf(p.Slot)
	if g.recalled[key] == nil {
		g.recalled[key] = &past{size: p.GroupSize, episodes: map[int]string{}}
	}
	g.recalled[key].episodes[p.Slot.Sample] = p.Episode
}

// Waiting yields the steps of the training groups that have not been judged.
func (g *Comparisons) Waiting(yield func(step int)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for key := range g.open {
		if key.split == sdk.SplitTrain {
			yield(key.step)
		}
	}
}

// Forget drops the recorded samples of finished steps. Of groups without a step number, it keeps the incomplete ones.
func (g *Comparisons) Forget(before int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	maps.DeleteFunc(g.recalled, func(key groupKey, p *past) bool {
		if key.step == 0 && key.split == sdk.SplitTrain {
			return len(p.episodes) >= p.size
		}
		return key.step < before
	})
}

func (g *group) add(req sdk.EpisodeRequest, sample, size int) (*Member, error) {
	if size != g.size {
		return nil, fmt.Errorf("group %q has %d samples, not %d", g.key.group, g.size, size)
	}
	if other := g.members[sample]; other != nil && other.state != memberGone {
		return nil, fmt.Errorf("sample %d in group %q already belongs to episode "+
			"%s", sample, g.key.group, other.episode)
	}
	m := &Member{group: g, sample: sample, episode: req.EpisodeID}
	g.members[sample] = m
	g.review()
	return m, nil
}

// Order returns the member's position in the queue, or 0 if it has no group.
func (m *Member) Order() uint64 {
	if m == nil {
		return 0
	}
	return m.group.place
}

// Leave removes the sample if it is still a member, because it failed, was canceled, or has received its result.
func (m *Member) Leave() {
	if m == nil {
		return
	}
	m.become(memberGone, nil)
}

func (m *Member) become(state memberState, items map[string]sdk.ScoreItem) {
	g := m.group
	g.all.mu.Lock()
	defer g.all.mu.Unlock()
	if g.closed || m.state == memberGone {
		return
	}
	m.state, m.Items = state, items
	g.review()
}

// review closes the group when all samples have joined and none are running. If some samples have not been requested
// and none are running, it waits for the missing ones for a limited time. The lock is held.
func (g *group) review() {
	if g.idle != nil {
		g.idle.Stop()
		g.idle = nil
	}
	for _, m := range g.members {
		if m.state == memberWorking {
			return
		}
	}
	if len(g.members) < g.size {
		g.idle = g.all.options.Clock.AfterFunc(g.all.options.SiblingTimeout, g.expire)
		return
	}
	g.close()
	if len(g.survivors()) == 0 {
		close(g.done)
		return
	}
	g.all.options.Spawn(g.judge) // from the goroutine of an episode, or while one waits for the answer
}

// close removes the group from the open groups, so that a new request for the group starts another one. If another host
// had finished part of the group, late requests for one of its samples do not wait for the siblings that they missed.
func (g *group) close() {
	g.closed = true
	delete(g.all.open, g.key)
	if past := g.all.recalled[g.key]; past != nil {
		for sample, m := range g.members {
			past.episodes[sample] = m.episode
		}
	}
}

// expire stops waiting for unrequested samples.
func (g *group) expire() {
	g.all.mu.Lock()
	defer g.all.mu.Unlock()
	if g.closed || g.working() {
		return // a sample joined at the same moment
	}
	g.close()
	for _, m := range g.members {
		m.RetryCount.TimedOut = true
		m.Failure = &sdk.Failure{Class: sdk.FailureReward, Detail: fmt.Sprintf(
			"only %d of the %d samples of group %q were asked for: %v",
			len(g.members), g.size, g.key.group, verdict.ErrSiblings)}
	}
	close(g.done)
}

func (g *group) working() bool {
	for _, m := range g.members {
		if m.state == memberWorking {
			return true
		}
	}
	return false
}

// Wait passes on the items for the group's rewards and waits for their results. It also returns when ctx is done, and
// returns without a decision if givenUp is closed first, because the group may be dropped.
func (m *Member) Wait(
	ctx context.Context, items map[string]sdk.ScoreItem, givenUp <-chan struct{},
) (decided bool, err error) {
	m.become(memberReady, items)
	select {
	case <-m.group.done:
		return true, nil
	case <-givenUp:
		return false, nil
	case <-ctx.Done():
		m.Leave()
		return false, context.Cause(ctx)
	}
}

// judge compares the survivors. It runs once, after the group has been closed and can no longer change.
func (g *group) judge(ctx context.Context) {
	defer close(g.done)
	survivors := g.survivors()
	least := g.terms.Least
	if least == 0 || least > g.size {
		least = g.size
	}
	if len(survivors) < least {
		for _, m := range survivors {
			m.Failure = &sdk.Failure{Class: sdk.FailureReward, Detail: fmt.Sprintf(
				"group %q has %d of its %d samples left, but a comparison requires "+
					"%d", g.key.group, len(survivors), g.size, least)}
		}
		return
	}
	g.terms.Judge(ctx, g.key.split, survivors, g.size-len(survivors))
}

// survivors returns the samples to be judged, in order.
func (g *group) survivors() []*Member {
	var kept []*Member
	for sample := range g.size {
		if m := g.members[sample]; m.state == memberReady {
			kept = append(kept, m)
		}
	}
	return kept
}

// Stop stops the timers for groups that will not be judged.
func (g *Comparisons) Stop() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, group := range g.open {
		if group.idle != nil {
			group.idle.Stop()
		}
	}
}

// Len returns the number of groups that have not been judged yet.
func (g *Comparisons) Len() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.open)
}
