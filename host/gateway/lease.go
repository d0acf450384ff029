package gateway

import (
	"context"
	"crypto/sha256"
	"errors"
	"maps"
	"net/http"
	"sync"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/chat"
)

// lease is one attempt at an episode, in the hands of a program.
type lease struct {
	Lease
	talk *chat.Talk
	side *chat.Talk // of auxiliary calls, which go on from no other
	ctx  context.Context
	stop context.CancelFunc
	busy sync.WaitGroup // calls and requests

	serving sync.Once
	tools   *toolServer // once a program has asked for it

	mu    sync.Mutex
	over  bool
	calls map[bodyKey][]*call // by what was asked
	known map[string]*call    // by the ids of their messages, where a repeat gets what there is
	count map[string]float64
}

// The numbers that a lease ends with.
const (
	metricCalls     = "calls"           // messages that were sampled, or whose sampling failed
	metricJoined    = "joined"          // requests that got the answer of a call whose connection had been cut
	metricReplayed  = "replayed"        // requests that got an answer which had arrived before
	metricAuxiliary = "auxiliary"       // calls that were no part of the task
	metricOwned     = "spec_parameters" // parameters that are the spec's, taken and not used
	metricDropped   = "dropped_tools"   // tools that a provider would run, of all requests
)

// bodyKey is what makes two requests equal: the body, whether it wants a stream left aside.
type bodyKey [sha256.Size]byte

// call is a message that is sampled once, whoever asks for it how often.
type call struct {
	key     bodyKey
	done    chan struct{} // closed when it has an answer
	replies []*sdk.ModelReply
	err     error

	holders int  // requests that wait for it, or write it; guarded by lease.mu
	arrived bool // its answer did, once; guarded by lease.mu
	cut     bool // its last connection ended before its last event was written; guarded by lease.mu
}

var errOver = &problem{status: http.StatusGone, kind: kindInvalid, code: "episode_over",
	text: "the episode of this key is over: its score is final, and nothing that is asked now counts"}

func newLease(ctx context.Context, granted Lease) *lease {
	l := &lease{
		Lease: granted, talk: chat.New(granted.Model), side: chat.New(granted.Model), calls: map[bodyKey][]*call{},
		known: map[string]*call{}, count: map[string]float64{},
	}
	l.ctx, l.stop = context.WithCancel(ctx)
	return l
}

// end refuses what comes, ends what is under way, and waits for it.
func (l *lease) end() {
	l.mu.Lock()
	l.over = true
	l.mu.Unlock()
	l.stop()
	l.busy.Wait()
}

func (l *lease) numbers() map[string]float64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return maps.Clone(l.count)
}

func (l *lease) add(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.count[name]++
}

// enter counts a request in. The caller leaves it.
func (l *lease) enter() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.over {
		return false
	}
	l.busy.Add(1)
	return true
}

func (l *lease) leave() { l.busy.Done() }

// note counts what a request had that counts for nothing.
func (l *lease) note(a *ask) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for name, n := range map[string]int{metricOwned: len(a.owned), metricDropped: len(a.foreign)} {
		if n > 0 {
			l.count[name] += float64(n)
		}
	}
}

// ask finds the call of a request: a new one, or the one that it repeats.
func (l *lease) ask(key bodyKey, a *ask) *call {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c := l.repeated(key); c != nil {
		return c
	}
	c := &call{key: key, done: make(chan struct{}), holders: 1}
	l.calls[key] = append(l.calls[key], c)
	l.count[metricCalls] += float64(a.samples)
	talk := l.talk
	if a.request.Member == MemberAuxiliary {
		talk = l.side
		l.count[metricAuxiliary] += float64(a.samples)
	}
	prepared := make([]*chat.Call, a.samples) // in the order of arrival, whoever is faster
	for i := range prepared {
		prepared[i] = talk.Prepare(a.request)
		if before := l.known[prepared[i].From()]; before != nil && before != c {
			l.forget(before) // it goes on: who asks the same again wants another answer
		}
	}
	l.busy.Go(func() { l.sample(c, prepared) })
	return c
}

// repeated finds the call that a request repeats. Where equal bodies count, it is one whose connection was cut off.
func (l *lease) repeated(key bodyKey) *call {
	for _, c := range l.calls[key] {
		switch {
		case c.cut && c.holders == 0 && !c.arrived:
			l.count[metricJoined]++
		case l.Repeats == RepeatsReplay && c.arrived:
			l.count[metricReplayed]++
		case l.Repeats == RepeatsReplay:
			l.count[metricJoined]++
		default:
			continue
		}
		c.cut = false
		c.holders++
		return c
	}
	return nil
}

// sample asks the policy. It goes on where nobody waits any more: a repeat gets what comes of it.
func (l *lease) sample(c *call, prepared []*chat.Call) {
	defer close(c.done)
	c.replies = make([]*sdk.ModelReply, len(prepared))
	problems := make([]error, len(prepared))
	var sampling sync.WaitGroup
	for i, p := range prepared {
		sampling.Go(func() { c.replies[i], problems[i] = p.Do(l.ctx) })
	}
	sampling.Wait()
	if c.err = errors.Join(problems...); c.err != nil || l.Repeats != RepeatsReplay {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, r := range c.replies {
		l.known[r.CallID] = c
	}
}

// release says what became of an answer: arrived, or the connection ended before its last event was written.
func (l *lease) release(c *call, arrived bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c.holders--
	if !arrived {
		c.cut = true
		return
	}
	if c.arrived = true; l.Repeats != RepeatsReplay {
		l.forget(c)
	}
}

// forget makes the next request that is equal another call.
func (l *lease) forget(c *call) {
	kept := l.calls[c.key][:0]
	for _, other := range l.calls[c.key] {
		if other != c {
			kept = append(kept, other)
		}
	}
	if l.calls[c.key] = kept; len(kept) == 0 {
		delete(l.calls, c.key)
	}
	for _, r := range c.replies { // the call has ended
		if r != nil {
			delete(l.known, r.CallID)
		}
	}
}
