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
	ctx  context.Context
	stop context.CancelFunc
	busy sync.WaitGroup // calls and requests

	mu    sync.Mutex
	over  bool
	calls map[bodyKey][]*call // by what was asked
	count map[string]float64
}

// The numbers that a lease ends with.
const (
	metricCalls  = "calls"           // messages that were sampled, or whose sampling failed
	metricJoined = "joined"          // requests that got the answer of a call whose connection had been cut
	metricOwned  = "spec_parameters" // parameters that are the spec's, taken and not used
)

// bodyKey is what makes two requests equal: the body, whether it wants a stream left aside.
type bodyKey [sha256.Size]byte

// call is a message that is sampled once, whoever asks for it how often.
type call struct {
	done    chan struct{} // closed when it has an answer
	replies []*sdk.ModelReply
	err     error

	holders int  // requests that wait for it, or write it; guarded by lease.mu
	cut     bool // its last connection ended before its last event was written; guarded by lease.mu
}

var errOver = &problem{status: http.StatusGone, kind: kindInvalid, code: "episode_over",
	text: "the episode of this key is over: its score is final, and nothing that is asked now counts"}

func newLease(ctx context.Context, granted Lease) *lease {
	l := &lease{Lease: granted, talk: chat.New(granted.Model), calls: map[bodyKey][]*call{}, count: map[string]float64{}}
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

// owned counts parameters that are the spec's.
func (l *lease) owned(names []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(names) > 0 {
		l.count[metricOwned] += float64(len(names))
	}
}

// ask finds the call of a request: a new one, unless an equal one was cut off, whose answer is the repeat's. An equal
// body whose answer has arrived is another sample.
func (l *lease) ask(key bodyKey, a *ask) *call {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range l.calls[key] {
		if c.cut && c.holders == 0 {
			c.cut = false
			c.holders++
			l.count[metricJoined]++
			return c
		}
	}
	c := &call{done: make(chan struct{}), holders: 1}
	l.calls[key] = append(l.calls[key], c)
	l.count[metricCalls] += float64(a.samples)
	prepared := make([]*chat.Call, a.samples) // in the order of arrival, whoever is faster
	for i := range prepared {
		prepared[i] = l.talk.Prepare(a.request)
	}
	l.busy.Go(func() { l.sample(c, prepared) })
	return c
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
	c.err = errors.Join(problems...)
}

// release says what became of an answer: arrived, or the connection ended before its last event was written.
func (l *lease) release(key bodyKey, c *call, arrived bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c.holders--
	if !arrived {
		c.cut = true
		return
	}
	kept := l.calls[key][:0]
	for _, other := range l.calls[key] {
		if other != c {
			kept = append(kept, other)
		}
	}
	if l.calls[key] = kept; len(kept) == 0 {
		delete(l.calls, key)
	}
}
