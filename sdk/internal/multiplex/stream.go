package multiplex

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
	"github.com/awhost/awhost/sdk/traceparent"
)

// stream is a stream that is open or being opened.
type stream struct {
	out  *outbox[queuedCall]
	send func(*awhostv1.CallsRequest) error

	mu         sync.Mutex
	open       bool // sending is possible
	last       uint64
	calls      map[uint64]*call // unanswered calls, by id
	unanswered int              // their bytes
	broken     error
}

// writeQuota is the amount of data that gRPC accepts without waiting for the peer, including a safety margin. Answered
// calls were accepted.
const writeQuota = 32 << 10

func newStream() *stream {
	s := &stream{calls: map[uint64]*call{}}
	s.out = newOutbox(queuedCall.size, func(items []queuedCall) error {
		req := &awhostv1.CallsRequest{}
		for _, o := range items {
			if o.call != nil {
				req.Calls = append(req.Calls, o.call)
			} else {
				req.Cancelled = append(req.Cancelled, o.cancelled)
			}
		}
		return s.send(req)
	})
	return s
}

// queuedCall is a call or the ID of a canceled call.
type queuedCall struct {
	call      *awhostv1.Call
	cancelled uint64
}

func (o queuedCall) size() int {
	return len(o.call.GetMessage()) + len(o.call.GetMethod()) + callBytes
}

// call is an unanswered call.
type call struct {
	id        uint64
	size      int
	stream    *stream
	results   mailbox
	abandoned bool // the caller no longer waits; guarded by stream.mu
}

type result struct {
	answer *awhostv1.CallResult
	err    error // the stream's
}

func (s *stream) begin(ctx context.Context, method string, message []byte) (*call, error) {
	if err := ctx.Err(); err != nil {
		return nil, status.FromContextError(err).Err()
	}
	c := &call{stream: s, results: mailbox{wake: make(chan struct{}, 1)}}
	s.mu.Lock()
	if s.broken != nil {
		defer s.mu.Unlock()
		return nil, s.broken
	}
	s.last++
	c.id = s.last
	out := queuedCall{call: &awhostv1.Call{
		Id: c.id, Method: method, Message: message, Timeout: timeLeft(ctx), Traceparent: traceparent.From(ctx),
	}}
	c.size = out.size()
	s.calls[c.id] = c
	s.unanswered += c.size
	taken := s.open && s.unanswered <= writeQuota // at once: this goroutine has a deadline to keep
	s.mu.Unlock()
	if taken {
		s.out.putNow(out, true)
	} else {
		s.out.put(out)
	}
	return c, nil
}

func timeLeft(ctx context.Context) *durationpb.Duration {
	deadline, ok := ctx.Deadline()
	if !ok {
		return nil
	}
	return durationpb.New(time.Until(deadline))
}

// next waits for a response. If ctx is done first, the call is given up.
func (c *call) next(ctx context.Context) (*awhostv1.CallResult, error) {
	r, ok := c.results.take(ctx.Done())
	switch {
	case !ok:
		c.abandon()
		return nil, c.stream.contextError(ctx)
	case r.err != nil:
		return nil, r.err
	}
	return r.answer, errorFromWire(r.answer.GetStatus())
}

// contextError returns the error for a call whose context is done.
func (s *stream) contextError(ctx context.Context) error {
	late := status.FromContextError(ctx.Err())
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open {
		return late.Err()
	}
	return status.Error(late.Code(), late.Message()+": the peer was never connected")
}

// abandon drops a call. A call that has not been sent is dropped; otherwise, the peer is notified.
func (c *call) abandon() {
	s := c.stream
	s.mu.Lock()
	over := c.abandoned || s.calls[c.id] == nil
	c.abandoned = true
	s.mu.Unlock()
	if over {
		return
	}
	unsent := false
	s.out.change(func(items []queuedCall) []queuedCall {
		left := slices.DeleteFunc(items, func(o queuedCall) bool { return o.call.GetId() == c.id })
		unsent = len(left) < len(items)
		return left
	})
	if unsent {
		s.removeCall(c.id)
	} else {
		s.out.put(queuedCall{cancelled: c.id})
	}
}

// removeCall removes a call from the unanswered calls.
func (s *stream) removeCall(id uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.calls[id]; c != nil {
		delete(s.calls, id)
		s.unanswered -= c.size
	}
}

// run sends and receives until the stream breaks.
func (s *stream) run(client awhostv1.CallServiceClient, options Options) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	largest := max(options.MaxMessageBytes, maxResponseBytes) + OverheadBytes
	calls, err := client.Calls(ctx, grpc.MaxCallRecvMsgSize(largest), grpc.WaitForReady(options.WaitForReady))
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.send, s.open = calls.Send, true
	s.mu.Unlock()
	delivered := make(chan struct{})
	defer func() { cancel(); <-delivered }()
	go func() {
		defer close(delivered)
		s.out.deliver(ctx.Done())
	}()
	for {
		in, err := calls.Recv()
		if errors.Is(err, io.EOF) {
			return status.Error(codes.Unavailable, "the peer has ended the call stream")
		}
		if err != nil {
			return err
		}
		for _, r := range in.GetResults() {
			if size := len(r.GetMessage()); size > options.MaxMessageBytes {
				s.failOversize(r.GetId(), size, options.MaxMessageBytes)
				continue
			}
			s.deliver(r)
		}
	}
}

// failOversize fails the call whose response is too large, using gRPC's error message.
func (s *stream) failOversize(id uint64, size, limit int) {
	text := fmt.Sprintf("received message larger than max (%d vs. %d)", size, limit)
	s.deliver(&awhostv1.CallResult{Id: id, Status: statusToWire(status.New(codes.ResourceExhausted, text))})
}

// deliver delivers a response to the waiting caller.
func (s *stream) deliver(answer *awhostv1.CallResult) {
	s.mu.Lock()
	c := s.calls[answer.GetId()]
	wanted := c != nil && !c.abandoned
	s.mu.Unlock()
	if !answer.GetMore() {
		s.removeCall(answer.GetId())
	}
	if wanted {
		c.results.put(result{answer: answer})
	}
}

// fail fails all current and future calls.
func (s *stream) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.broken = err
	for _, c := range s.calls {
		c.results.put(result{err: err})
	}
	s.calls = nil
}

// mailbox keeps results until they are taken.
type mailbox struct {
	mu      sync.Mutex
	results []result
	wake    chan struct{} // of one
}

func (m *mailbox) put(r result) {
	m.mu.Lock()
	m.results = append(m.results, r)
	m.mu.Unlock()
	select {
	case m.wake <- struct{}{}:
	default:
	}
}

// take waits for a result and returns false if done is closed.
func (m *mailbox) take(done <-chan struct{}) (result, bool) {
	for {
		m.mu.Lock()
		if len(m.results) > 0 {
			defer m.mu.Unlock()
			r := m.results[0]
			m.results = m.results[1:]
			return r, true
		}
		m.mu.Unlock()
		select {
		case <-m.wake:
		case <-done:
			return result{}, false
		}
	}
}
