package rollout

import (
	"context"
	"fmt"
	"maps"
	"sync"

	"github.com/awhost/awhost/host/rollout/internal/clock"
	"github.com/awhost/awhost/host/rollout/internal/recovery"
	"github.com/awhost/awhost/host/rollout/internal/verdict"
	"github.com/awhost/awhost/host/rollout/internal/wait"
	"github.com/awhost/awhost/sdk"
)

// groups holds the groups that are not judged yet. Groups exist where a reward compares the samples of a group: a
// sample that is through with everything of its own waits in its group, without slot or environment, until all
// siblings are through or gone; then the group's rewards are asked once about the survivors.
//
// One lock is enough: it is taken a few times per episode, never per turn.
type groups struct {
	engine   *Engine
	mu       sync.Mutex
	open     map[groupKey]*group
	recalled map[groupKey]*past
}

// past are the samples of a group that another host has finished.
type past struct {
	size     int
	episodes map[int]string // by sample
}

func newGroups(engine *Engine) *groups {
	return &groups{engine: engine, open: map[groupKey]*group{}, recalled: map[groupKey]*past{}}
}

// groupKey names a group within a run.
type groupKey struct {
	stage string
	split sdk.Split
	step  int
	group string
}

func groupOf(s Slot) groupKey {
	return groupKey{stage: s.Stage, split: s.Split, step: s.Step, group: s.Group}
}

// group is one of them. Members join and leave; whoever completes it starts the judging.
type group struct {
	all     *groups
	stage   *stage
	key     groupKey
	size    int
	alone   bool            // one episode, not a group
	place   uint64          // in the queue's order
	members map[int]*member // by sample
	idle    clock.Timer     // runs while nobody works and somebody is missing
	closed  bool
	done    chan struct{}
}

// member is a sample in its group. A nil member belongs to an episode that is not compared.
type member struct {
	group   *group
	sample  int
	episode string
	state   memberState
	items   map[string]sdk.ScoreItem // by address of the reward, once ready
	waits   *wait.Stack

	// Written before the group is done, read after.
	answers scores
	failure *sdk.Failure    // the group could not be judged
	effort  recovery.Effort // of judging; all of it is put down to the first survivor
}

type memberState int

const (
	memberWorking memberState = iota
	memberReady
	memberGone
)

// join makes an episode a member of its group. It fails where the request contradicts what is known of the group.
func (g *groups) join(s *stage, slot Slot, req sdk.EpisodeRequest) (*member, error) {
	key := groupOf(slot)
	size, sample, alone := req.GroupSize, req.SampleIndex, slot.Group == ""
	if alone {
		if slot.Split != sdk.SplitValidation {
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
		group = g.start(s, key, size)
		group.alone = alone
	}
	return group.add(req, sample, size)
}

func (g *groups) start(s *stage, key groupKey, size int) *group {
	started := &group{
		all: g, stage: s, key: key, size: size, place: s.queue.Order(),
		members: make(map[int]*member, size), done: make(chan struct{}),
	}
	if past := g.recalled[key]; past != nil {
		for sample, episode := range past.episodes {
			if sample < size {
				started.members[sample] = &member{group: started, sample: sample, episode: episode, state: memberGone}
			}
		}
	}
	g.open[key] = started
	return started
}

// recall takes in a sample that is on record: its siblings do not wait for it, and are compared without it, unless it is asked for
// again.
func (g *groups) recall(r *EpisodeRecord) {
	if r.Slot.Group == "" || r.Outcome == sdk.OutcomeCancelled {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	key := groupOf(r.Slot)
	if g.recalled[key] == nil {
		g.recalled[key] = &past{size: r.GroupSize, episodes: map[int]string{}}
	}
	g.recalled[key].episodes[r.Slot.Sample] = r.EpisodeID
}

// waiting lists the steps of the training groups that are not judged.
func (g *groups) waiting(yield func(step int)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for key := range g.open {
		if key.split == sdk.SplitTrain {
			yield(key.step)
		}
	}
}

// forget lets go of what is on record of steps that are over. Of groups whose step nobody has said it keeps those that are not whole.
func (g *groups) forget(before int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	maps.DeleteFunc(g.recalled, func(key groupKey, p *past) bool {
		if key.step == 0 && key.split == sdk.SplitTrain {
			return len(p.episodes) >= p.size
		}
		return key.step < before
	})
}

func (g *group) add(req sdk.EpisodeRequest, sample, size int) (*member, error) {
	if size != g.size {
		return nil, fmt.Errorf("group %q has %d samples, not %d", g.key.group, g.size, size)
	}
	if other := g.members[sample]; other != nil && other.state != memberGone {
		return nil, fmt.Errorf("sample %d of group %q already is episode %s", sample, g.key.group, other.episode)
	}
	m := &member{group: g, sample: sample, episode: req.EpisodeID}
	g.members[sample] = m
	g.review()
	return m, nil
}

// order is the member's place in the queue; 0 without a group.
func (m *member) order() uint64 {
	if m == nil {
		return 0
	}
	return m.group.place
}

// leave takes the sample out, where it still is in: it failed, was cancelled or has its answer.
func (m *member) leave() {
	if m == nil {
		return
	}
	m.become(memberGone, nil)
}

func (m *member) become(state memberState, items map[string]sdk.ScoreItem) {
	g := m.group
	g.all.mu.Lock()
	defer g.all.mu.Unlock()
	if g.closed || m.state == memberGone {
		return
	}
	m.state, m.items = state, items
	g.review()
}

// review closes the group once all samples are there and none works; as long as some have not even been asked for
// and nobody works, it waits for them within a limit. The lock is held.
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
	engine := g.all.engine
	if len(g.members) < g.size {
		g.idle = engine.clock.AfterFunc(engine.options.SiblingTimeout, g.expire)
		return
	}
	g.close()
	if len(g.survivors()) == 0 {
		close(g.done)
		return
	}
	engine.spawn(g.judge) // from the goroutine of an episode, or while one waits for the answer
}

// close takes the group off the list: who asks for it again starts another one. Where another host had finished some of the group, one
// that comes late for one of those does not wait for the siblings that it has missed.
func (g *group) close() {
	g.closed = true
	delete(g.all.open, g.key)
	if past := g.all.recalled[g.key]; past != nil {
		for sample, m := range g.members {
			past.episodes[sample] = m.episode
		}
	}
}

// expire gives up waiting for samples that nobody asks for.
func (g *group) expire() {
	g.all.mu.Lock()
	defer g.all.mu.Unlock()
	if g.closed || g.working() {
		return // somebody came in the same moment
	}
	g.close()
	for _, m := range g.members {
		m.effort.TimedOut = true
		m.failure = &sdk.Failure{Class: sdk.FailureReward, Detail: fmt.Sprintf(
			"only %d of the %d samples of group %q were asked for: %v", len(g.members), g.size, g.key.group, verdict.ErrSiblings)}
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

// wait hands in what the group's rewards are asked about and waits for their answer. It ends with ctx, and where decided is
// closed before: the group may be lost.
func (m *member) wait(ctx context.Context, items map[string]sdk.ScoreItem, decided <-chan struct{}) (scores, *sdk.Failure, error) {
	m.become(memberReady, items)
	select {
	case <-m.group.done:
		return m.answers, m.failure, nil
	case <-decided:
		return nil, nil, nil
	case <-ctx.Done():
		m.leave()
		return nil, nil, context.Cause(ctx)
	}
}

// judge asks the group's rewards. It runs once, after the group was closed: nothing of it changes any more.
func (g *group) judge(ctx context.Context) {
	defer close(g.done)
	survivors := g.survivors()
	least := g.stage.MinGroup
	if least == 0 || least > g.size {
		least = g.size
	}
	if len(survivors) < least {
		for _, m := range survivors {
			m.failure = &sdk.Failure{Class: sdk.FailureReward, Detail: fmt.Sprintf(
				"group %q has %d of its %d samples left, and a comparison needs %d", g.key.group, len(survivors), g.size, least)}
		}
		return
	}
	var asking wait.Stacks
	for _, m := range survivors {
		m.answers = scores{}
		asking = append(asking, m.waits)
	}
	first := survivors[0]
	judge := g.all.engine.judgeOf(g.stage, g.key.split == sdk.SplitValidation, &first.effort, asking)
	for i := range g.stage.Rewards {
		b := &g.stage.Rewards[i]
		if !b.Capabilities.GroupRelative {
			continue
		}
		req := sdk.ScoreRequest{Missing: g.size - len(survivors)}
		for _, m := range survivors {
			req.Items = append(req.Items, m.items[b.Address])
		}
		answer, err := judge.ask(ctx, b, req)
		for k, m := range survivors {
			if err != nil {
				m.failure = &sdk.Failure{Class: sdk.FailureReward, Detail: err.Error()}
				continue
			}
			m.answers[b.Address] = answer[k]
		}
	}
}

// survivors are the samples to judge, in their order.
func (g *group) survivors() []*member {
	var kept []*member
	for sample := range g.size {
		if m := g.members[sample]; m.state == memberReady {
			kept = append(kept, m)
		}
	}
	return kept
}

// stop ends the timers of groups that will not be judged any more.
func (g *groups) stop() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, group := range g.open {
		if group.idle != nil {
			group.idle.Stop()
		}
	}
}
