package gateway

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/semaphore"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/chat"
)

// lease is a program's access to one attempt of an episode.
type lease struct {
	Lease
	// talks contains the conversations of the trained calls (""), of other calls to the policy, and of each served
	// model. No call continues a conversation of another kind. Guarded by mu.
	talks map[string]*chat.Conversations
	ctx   context.Context
	stop  context.CancelFunc
	busy  sync.WaitGroup // calls and requests

	serving sync.Once
	tools   *toolServer // created by the program's first tool request

	mostCalls int
	left      atomic.Int64        // bytes left of bounds.ofLease
	total     *atomic.Int64       // the gateway's: bytes left of bounds.bodies
	decoding  *semaphore.Weighted // one request at a time

	mu     sync.Mutex
	over   bool
	failed *problem                   // the episode has failed permanently: no more sampling; nil: it has not failed
	open   int                        // requests in progress
	given  int                        // messages requested so far
	calls  map[bodyKey]*equals        // by request body
	stored map[string]*storedResponse // by the IDs of their calls
	known  map[string]*call           // by the IDs of their messages, until a later request continues one of them
	count  map[string]float64
	asked  volume // totals of answered requests
}

// volume relates the tokens counted by the policy to the bytes in requests.
type volume struct{ tokens, bytes int }

// Metrics of a lease.
const (
	metricCalls     = "calls"               // messages that were sampled or whose sampling failed
	metricJoined    = "joined"              // requests that got the answer of a call whose connection had been cut
	metricReplayed  = "replayed"            // requests that got an answer that had already arrived
	metricRefused   = "refused"             // requests that were invalid or asked for something unsupported
	metricSiblings  = "sibling_leaves"      // equal calls that no later request continued: see equals.leaves
	metricAuxiliary = "auxiliary"           // calls that are not part of the task
	metricCompacted = "compactions"         // calls for a summary of a conversation
	metricOwned     = "spec_parameters"     // parameters decided by the spec, accepted and ignored
	metricIgnored   = "ignored_constraints" // members that restrict the sampled message, in all requests
	metricDropped   = "dropped_tools"       // tools that a provider would run, in all requests
)

// equals holds an attempt's calls whose requests were equal.
type equals struct {
	calls     []*call // not continued by a later request, the oldest first
	continued int     // number of the continued ones
}

// call is a message that is sampled only once, no matter how often it is requested.
type call struct {
	key     bodyKey
	claims  map[string]string // see ask
	done    chan struct{}     // closed when the call has an answer
	replies []*sdk.ModelReply
	err     error

	holders int  // requests that wait for it or write it; guarded by lease.mu
	arrived bool // its answer has arrived at least once; guarded by lease.mu
	cut     bool // its last connection ended before its last event was written; guarded by lease.mu
	retry   int  // highest retry mark of the requests that joined it; guarded by lease.mu
	trained bool
}

var errEpisodeEnded = &problem{status: http.StatusGone, kind: kindInvalid, code: "episode_over", final: true,
	text: "the episode of this key has ended: its score is final, and further requests are not counted"}

// errGivenUp is the reply sent between the end of an agent and the end of its lease, while it is not yet known whether
// the episode has failed.
var errGivenUp = &problem{status: http.StatusGone, kind: kindInvalid, code: "episode_over", final: true,
	text: "the episode of this key was dropped: further requests are not counted"}

func newLease(ctx context.Context, granted Lease, bounds bounds) *lease {
	l := &lease{
		Lease: granted, talks: map[string]*chat.Conversations{}, calls: map[bodyKey]*equals{},
		known: map[string]*call{}, count: map[string]float64{}, mostCalls: bounds.calls,
	}
	l.left.Store(bounds.ofLease)
	l.decoding = semaphore.NewWeighted(1)
	l.ctx, l.stop = context.WithCancel(ctx)
	return l
}

// end rejects new requests, cancels requests in progress, and waits for them.
func (l *lease) end() {
	l.mu.Lock()
	l.over = true
	l.mu.Unlock()
	l.stop()
	l.busy.Wait()
}

// atEnd calls f when the lease ends, unless the caller calls done first.
func (l *lease) atEnd(f func()) (done func()) {
	called := make(chan struct{})
	stop := context.AfterFunc(l.ctx, func() {
		defer close(called)
		f()
	})
	return func() {
		if !stop() {
			<-called
		}
	}
}

func (l *lease) numbers() map[string]float64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := maps.Clone(l.count)
	for _, e := range l.calls {
		if n := e.leaves(); n > 0 {
			out[metricSiblings] += float64(n)
		}
	}
	return out
}

// leaves returns how many of the calls may be responses that never arrived: leaves that have a sibling, except for one
// that the program has used if it continued none of them. The calls must have ended.
func (e *equals) leaves() int {
	n := 0
	for _, c := range e.calls {
		if c.trained && c.err == nil {
			n++
		}
	}
	if e.continued == 0 {
		n--
	}
	return max(n, 0)
}

func (l *lease) add(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.count[name]++
}

// ended returns the reply to requests that arrive after the end.
func (l *lease) ended() *problem {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.failed != nil:
		return l.failed
	case !l.over:
		return errGivenUp
	}
	return errEpisodeEnded
}

// fail ends the episode for the lease's program: no more messages are sampled.
func (l *lease) fail(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.failed == nil {
		l.failed = failed(err)
	}
}

// enter registers a request if fewer than most requests are in progress. The caller must call leave.
func (l *lease) enter(most int) *problem {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.failed != nil:
		return l.failed
	case l.over:
		return errEpisodeEnded
	case l.ctx.Err() != nil:
		return errGivenUp
	case l.open >= most:
		return &problem{status: http.StatusTooManyRequests, kind: kindBusy,
			text: fmt.Sprintf("%d requests of this key are running, which is the maximum: try again later", most)}
	}
	l.open++
	l.busy.Add(1)
	return nil
}

func (l *lease) leave() {
	l.mu.Lock()
	l.open--
	l.mu.Unlock()
	l.busy.Done()
}

// note counts the parts of a request that were ignored.
func (l *lease) note(a *ask) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for name, n := range map[string]int{
		metricOwned: len(a.owned), metricDropped: len(a.foreign), metricIgnored: len(a.constraints),
	} {
		if n > 0 {
			l.count[name] += float64(n)
		}
	}
}

// ask returns the call for a request: a new one, or the one that the request repeats.
func (l *lease) ask(a *ask) (*call, *problem) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c := l.repeated(a); c != nil {
		return c, nil
	}
	if c := l.answered(a); c != nil {
		return c, nil
	}
	switch l.given += a.samples; {
	case l.failed != nil:
		return nil, l.failed
	case l.given > l.mostCalls:
		l.failed = failed(nil)
		l.failed.text += fmt.Sprintf(": it has asked for %d messages, which is the most that an attempt gets", l.mostCalls)
		return nil, l.failed
	}
	c := &call{
		key: a.key, claims: a.claims, done: make(chan struct{}), holders: 1, retry: a.retry,
		trained: isTrained(a.request.Member),
	}
	if l.calls[a.key] == nil {
		l.calls[a.key] = &equals{}
	}
	l.calls[a.key].calls = append(l.calls[a.key].calls, c)
	l.count[metricCalls] += float64(a.samples)
	kind := ""
	if !c.trained {
		kind = cmp.Or(a.by, MemberUntrained)
	}
	if l.talks[kind] == nil {
		l.talks[kind] = chat.New(l.Model)
	}
	if a.request.Member == MemberAuxiliary {
		l.count[metricAuxiliary] += float64(a.samples)
	}
	if a.compacts {
		l.count[metricCompacted] += float64(a.samples)
	}
	prepared := make([]*chat.Call, a.samples) // in the order of arrival, regardless of speed
	for i := range prepared {
		prepared[i] = l.talks[kind].Prepare(a.request)
		if before := l.known[prepared[i].From()]; before != nil && before != c {
			l.dropCall(before) // it is continued: an equal request is a new call
		}
	}
	size := prepared[0].Size() // samples of one request share its messages
	l.hold(size)
	l.busy.Go(func() {
		defer l.hold(-size)
		l.sample(c, a.bytes, prepared)
	})
	return c, nil
}

// repeated returns the call that a request repeats, or nil. Without a retry mark, and with repeats = "count", this is a
// call whose connection was cut.
func (l *lease) repeated(a *ask) *call {
	e := l.calls[a.key]
	if e == nil {
		return nil
	}
	for _, c := range e.calls {
		if c.cut && c.holders == 0 && !c.arrived {
			return l.join(c, a, metricJoined)
		}
	}
	switch c := e.retried(a.retry); {
	case c == nil:
	case a.retry > 0, l.Repeats == RepeatsReplay && !c.arrived:
		return l.join(c, a, metricJoined)
	case l.Repeats == RepeatsReplay:
		return l.join(c, a, metricReplayed)
	}
	return nil
}

// retried returns the newest call that no request with this retry mark has joined, so that the retries of several equal
// requests receive separate responses. If all of them have been joined, it returns the newest one.
func (e *equals) retried(mark int) *call {
	for _, c := range slices.Backward(e.calls) {
		if c.retry < mark {
			return c
		}
	}
	if len(e.calls) == 0 {
		return nil
	}
	return e.calls[len(e.calls)-1]
}

// join registers a request as a holder of a call.
func (l *lease) join(c *call, a *ask, metric string) *call {
	l.count[metric]++
	c.cut, c.retry = false, max(c.retry, a.retry)
	c.holders++
	return c
}

// hold counts the memory used by a call that is waiting for its response as request bytes. While too much memory is
// held, further requests are answered with 429.
func (l *lease) hold(bytes int64) {
	l.left.Add(-bytes)
	l.total.Add(-bytes)
}

// sample requests messages from the policy. It continues even if no client is waiting any longer: a repeated request
// receives the result.
func (l *lease) sample(c *call, bytes int, prepared []*chat.Call) {
	defer close(c.done)
	c.replies = make([]*sdk.ModelReply, len(prepared))
	problems := make([]error, len(prepared))
	var sampling sync.WaitGroup
	for i, p := range prepared {
		sampling.Go(func() { c.replies[i], problems[i] = p.Do(l.ctx) })
	}
	sampling.Wait()
	l.reportCall(c)
	c.err = errors.Join(problems...)
	l.mu.Lock()
	defer l.mu.Unlock()
	if c.err != nil {
		if final(c.err) && l.failed == nil {
			l.failed = failed(c.err)
		}
		return
	}
	if tokens := c.replies[0].PromptTokens; tokens > 0 { // a served model may not count them
		l.asked.tokens += tokens
		l.asked.bytes += bytes
	}
	for _, r := range c.replies {
		l.known[r.CallID] = c
	}
}

// final reports whether an error ends the episode; see sdk.AgentModel.
func final(err error) bool {
	var full *sdk.GenerateError
	var failure *sdk.Failure
	switch {
	case errors.As(err, &full) && (full.Kind == sdk.GenerateContextFull || full.Kind == sdk.GenerateRefused),
		errors.As(err, &failure) && failure.Class == sdk.FailureAgent,
		errors.Is(err, context.Canceled), errors.Is(err, sdk.ErrLease):
		return false
	}
	return true
}

// reportCall passes the call's identifying headers to Called.
func (l *lease) reportCall(c *call) {
	if l.Called == nil || c.claims == nil {
		return
	}
	for _, r := range c.replies {
		if r != nil {
			l.Called(r.CallID, c.claims)
		}
	}
}

// release records the delivery of a response: either it arrived, or the connection ended before the last event was
// written.
func (l *lease) release(c *call, arrived bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c.holders--
	c.arrived = c.arrived || arrived
	if !arrived {
		c.cut = true
	}
}

// dropCall drops a call that a later request continues: the next equal request is treated as a new call.
func (l *lease) dropCall(c *call) {
	e := l.calls[c.key]
	e.calls = slices.DeleteFunc(e.calls, func(other *call) bool { return other == c })
	e.continued++
	for _, r := range c.replies { // the call has ended
		delete(l.known, r.CallID)
	}
}
