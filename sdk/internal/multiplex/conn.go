package multiplex

import (
	"context"
	"errors"
	"slices"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

// Conn is a connection whose calls share one stream if the peer has the required service. The first call opens the
// stream, and the first call after a break reopens it. The stream ends with the connection.
type Conn struct {
	grpc.ClientConnInterface // for calls that cannot share a stream

	options Options

	mu      sync.Mutex
	shared  *stream // nil: no stream is open
	refused bool    // the peer does not have the service
}

// Options configures a Conn.
type Options struct {
	// MaxMessageBytes bounds each answer. A larger response, up to maxResponseBytes, fails its own call but no others.
	MaxMessageBytes int
	// WaitForReady is the value of grpc.WaitForReady that a call must have to share the stream. Others are
	// ordinary calls.
	WaitForReady bool
	// Streams lists methods that respond with several messages, few enough to be kept until they are received.
	Streams []string
}

// NewConn creates a Conn based on an ordinary connection.
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
		call.abandon()
		return status.Errorf(codes.Internal, "%s received an incomplete response", method)
	}
	return decode(answer.GetMessage(), reply)
}

// NewStream implements grpc.ClientConnInterface.
func (c *Conn) NewStream(ctx context.Context, desc *grpc.StreamDesc, method string,
	options ...grpc.CallOption) (grpc.ClientStream, error) {
	if !desc.ClientStreams && slices.Contains(c.options.Streams, method) {
		if s := c.stream(options); s != nil {
			ordinary := func() (grpc.ClientStream, error) {
				return c.ClientConnInterface.NewStream(ctx, desc, method, options...)
			}
			return &clientStream{ctx: ctx, method: method, stream: s, newOrdinaryStream: ordinary}, nil
		}
	}
	return c.ClientConnInterface.NewStream(ctx, desc, method, options...)
}

// special reports whether options require an ordinary call.
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

// stream returns the open stream or opens one. It returns nil if the peer does not have the service or options do not
// permit it.
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

var _ grpc.ClientConnInterface = (*Conn)(nil)
