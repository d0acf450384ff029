package multiplex

import (
	"context"
	"errors"
	"io"
	"slices"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

// Conn is a connection whose calls share one stream, if the peer has the service for it. It is opened by the first call,
// and again by the first one after it broke; it ends with the connection.
type Conn struct {
	grpc.ClientConnInterface // for what cannot share a stream

	options Options

	mu      sync.Mutex
	shared  *stream // nil: none is open
	refused bool    // the peer has none
}

// Options are those of a Conn.
type Options struct {
	// MaxMessageBytes bounds each answer.
	MaxMessageBytes int
	// WaitForReady is what calls want that share the stream, as grpc.WaitForReady has it. Others are ordinary ones.
	WaitForReady bool
	// Streams are methods that answer with several messages, few enough to be kept until they are received.
	Streams []string
}

// NewConn makes one of an ordinary connection.
func NewConn(conn grpc.ClientConnInterface, options Options) *Conn {
	return &Conn{ClientConnInterface: conn, options: options}
}

// Invoke implements grpc.ClientConnInterface.
func (c *Conn) Invoke(ctx context.Context, method string, args, reply any, options ...grpc.CallOption) error {
	err := c.invoke(ctx, method, args, reply, options)
	if errors.Is(err, errRefused) {
		return c.ClientConnInterface.Invoke(ctx, method, args, reply, options...)
	}
	return err
}

func (c *Conn) invoke(ctx context.Context, method string, args, reply any, options []grpc.CallOption) error {
	s := c.stream(options)
	if s == nil {
		return errRefused
	}
	message, err := encode(args)
	if err != nil {
		return err
	}
	if len(message) > maxCallBytes {
		return errRefused
	}
	call, err := s.begin(ctx, method, message)
	if err != nil {
		return err
	}
	answer, err := call.next(ctx)
	if err != nil {
		return err
	}
	if answer.GetMore() {
		call.giveUp()
		return status.Errorf(codes.Internal, "%s was answered with a part of an answer", method)
	}
	return decode(answer.GetMessage(), reply)
}

// NewStream implements grpc.ClientConnInterface.
func (c *Conn) NewStream(ctx context.Context, desc *grpc.StreamDesc, method string, options ...grpc.CallOption) (grpc.ClientStream, error) {
	if !desc.ClientStreams && slices.Contains(c.options.Streams, method) {
		if s := c.stream(options); s != nil {
			ordinary := func() (grpc.ClientStream, error) {
				return c.ClientConnInterface.NewStream(ctx, desc, method, options...)
			}
			return &answers{ctx: ctx, method: method, stream: s, ordinary: ordinary}, nil
		}
	}
	return c.ClientConnInterface.NewStream(ctx, desc, method, options...)
}

// special says whether options ask for what only an ordinary call has.
func (c *Conn) special(options []grpc.CallOption) bool {
	wait := false
	for _, option := range options {
		switch o := option.(type) {
		case grpc.StaticMethodCallOption: // every generated client passes it
		case grpc.FailFastCallOption:
			wait = !o.FailFast
		default:
			return true
		}
	}
	return wait != c.options.WaitForReady
}

// stream returns the one that is open, or opens one; nil when the peer has none, or options cannot be met in it.
func (c *Conn) stream(options []grpc.CallOption) *stream {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.refused || c.special(options) {
		return nil
	}
	if c.shared == nil {
		s := newStream()
		c.shared = s
		go func() {
			err := s.run(awhostv1.NewCallServiceClient(c.ClientConnInterface), c.options)
			c.mu.Lock()
			c.shared = nil
			if status.Code(err) == codes.Unimplemented {
				c.refused, err = true, errRefused
			}
			c.mu.Unlock()
			s.fail(err)
		}()
	}
	return c.shared
}

// stream is an open one, or one that is being opened.
type stream struct {
	out  *outbox[outgoing]
	send func(*awhostv1.CallsRequest) error

	mu         sync.Mutex
	open       bool // it may be sent on
	last       uint64
	calls      map[uint64]*call // that were not answered, by id
	unanswered int              // their bytes
	broken     error
}

// writeQuota is what gRPC takes without waiting for the peer, with room to spare: what is answered has been taken.
const writeQuota = 32 << 10

func newStream() *stream {
	s := &stream{calls: map[uint64]*call{}}
	s.out = newOutbox(outgoing.size, func(items []outgoing) error {
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

// outgoing is a call, or the id of one that nobody waits for any more.
type outgoing struct {
	call      *awhostv1.Call
	cancelled uint64
}

func (o outgoing) size() int {
	return len(o.call.GetMessage()) + len(o.call.GetMethod()) + callBytes
}

// call is one that was not answered.
type call struct {
	id      uint64
	size    int
	stream  *stream
	results mailbox
	givenUp bool // nobody waits for the answer; guarded by stream.mu
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
	out := outgoing{call: &awhostv1.Call{Id: c.id, Method: method, Message: message, Timeout: timeLeft(ctx)}}
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

// next waits for an answer. When ctx ends the call is given up.
func (c *call) next(ctx context.Context) (*awhostv1.CallResult, error) {
	r, ok := c.results.take(ctx.Done())
	switch {
	case !ok:
		c.giveUp()
		return nil, c.stream.tooLate(ctx)
	case r.err != nil:
		return nil, r.err
	}
	return r.answer, errorFromWire(r.answer.GetStatus())
}

// tooLate is the error of a call whose context has ended.
func (s *stream) tooLate(ctx context.Context) error {
	late := status.FromContextError(ctx.Err())
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open {
		return late.Err()
	}
	return status.Error(late.Code(), late.Message()+": there was no connection to the peer yet")
}

// giveUp forgets a call: it is not sent if it has not been, and the peer hears of it otherwise.
func (c *call) giveUp() {
	s := c.stream
	s.mu.Lock()
	over := c.givenUp || s.calls[c.id] == nil
	c.givenUp = true
	s.mu.Unlock()
	if over {
		return
	}
	unsent := false
	s.out.change(func(items []outgoing) []outgoing {
		left := slices.DeleteFunc(items, func(o outgoing) bool { return o.call.GetId() == c.id })
		unsent = len(left) < len(items)
		return left
	})
	if unsent {
		s.answered(c.id)
	} else {
		s.out.put(outgoing{cancelled: c.id})
	}
}

// answered takes a call out of those that were not.
func (s *stream) answered(id uint64) {
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
	calls, err := client.Calls(ctx, grpc.MaxCallRecvMsgSize(options.MaxMessageBytes+OverheadBytes), grpc.WaitForReady(options.WaitForReady))
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
			return status.Error(codes.Unavailable, "the peer has ended the stream of calls")
		}
		if err != nil {
			return err
		}
		for _, r := range in.GetResults() {
			s.hand(r)
		}
	}
}

// hand gives an answer to whoever waits for it.
func (s *stream) hand(answer *awhostv1.CallResult) {
	s.mu.Lock()
	c := s.calls[answer.GetId()]
	wanted := c != nil && !c.givenUp
	s.mu.Unlock()
	if !answer.GetMore() {
		s.answered(answer.GetId())
	}
	if wanted {
		c.results.put(result{answer: answer})
	}
}

// fail ends all calls, and those to come.
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

// take waits for a result; false: done is closed.
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

// answers are those of a method that answers with several messages.
type answers struct {
	ctx      context.Context
	method   string
	stream   *stream
	ordinary func() (grpc.ClientStream, error)

	request  any
	call     *call
	giveUp   func() bool // stops the wait for the end of ctx
	fallback grpc.ClientStream
	end      error
}

// SendMsg implements grpc.ClientStream.
func (a *answers) SendMsg(m any) (err error) {
	message, err := encode(m)
	if err != nil {
		return err
	}
	a.request = m
	if len(message) > maxCallBytes {
		return a.fallBack()
	}
	if a.call, err = a.stream.begin(a.ctx, a.method, message); errors.Is(err, errRefused) {
		return a.fallBack()
	}
	if err == nil {
		a.giveUp = context.AfterFunc(a.ctx, func() { a.call.giveUp() }) // also when nobody receives
	}
	return err
}

// fallBack makes an ordinary call of it.
func (a *answers) fallBack() (err error) {
	if a.fallback, err = a.ordinary(); err != nil {
		return err
	}
	if err := a.fallback.SendMsg(a.request); err != nil {
		return err
	}
	return a.fallback.CloseSend()
}

// CloseSend implements grpc.ClientStream.
func (a *answers) CloseSend() error { return nil }

// RecvMsg implements grpc.ClientStream.
func (a *answers) RecvMsg(m any) error {
	if a.fallback != nil {
		return a.fallback.RecvMsg(m)
	}
	if a.end != nil {
		return a.end
	}
	answer, err := a.call.next(a.ctx)
	if errors.Is(err, errRefused) {
		a.giveUp()
		if err := a.fallBack(); err != nil {
			return err
		}
		return a.fallback.RecvMsg(m)
	}
	if err == nil && !answer.GetMore() {
		err = io.EOF
	}
	if err != nil {
		a.giveUp()
		a.end = err
		return err
	}
	return decode(answer.GetMessage(), m)
}

// Context implements grpc.ClientStream.
func (a *answers) Context() context.Context { return a.ctx }

// Header implements grpc.ClientStream: there is none.
func (a *answers) Header() (metadata.MD, error) { return nil, nil }

// Trailer implements grpc.ClientStream: there is none.
func (a *answers) Trailer() metadata.MD { return nil }

var (
	_ grpc.ClientConnInterface = (*Conn)(nil)
	_ grpc.ClientStream        = (*answers)(nil)
)
