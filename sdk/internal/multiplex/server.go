package multiplex

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
	"github.com/awhost/awhost/sdk/traceparent"
)

// Server responds to calls in a shared stream in the same way as the gRPC server alongside it responds to ordinary
// calls. That server's GracefulStop waits for as long as a peer keeps its stream open, but Stop does not.
type Server struct {
	awhostv1.UnimplementedCallServiceServer
	config    ServerConfig
	intercept grpc.UnaryServerInterceptor
	methods   map[string]method
}

// ServerConfig configures a Server. The interceptors must be the gRPC server's, which does not apply them itself.
type ServerConfig struct {
	MaxMessageBytes int                           // of an answer
	Unary           []grpc.UnaryServerInterceptor // outermost first
	Stream          grpc.StreamServerInterceptor  // nil: none
	Streams         []string                      // methods with several messages, few enough to be kept until sent
}

type method struct {
	implementation any
	unary          grpc.MethodHandler
	stream         grpc.StreamHandler // unless it is unary
}

// NewServer creates a server.
func NewServer(config ServerConfig) *Server {
	return &Server{config: config, intercept: chainInterceptors(config.Unary), methods: map[string]method{}}
}

func chainInterceptors(chain []grpc.UnaryServerInterceptor) grpc.UnaryServerInterceptor {
	return func(ctx context.Context, req any, info *grpc.UnaryServerInfo, handle grpc.UnaryHandler) (any, error) {
		for i := len(chain) - 1; i >= 0; i-- {
			next := handle
			handle = func(ctx context.Context, req any) (any, error) { return chain[i](ctx, req, info, next) }
		}
		return handle(ctx, req)
	}
}

// Register registers the service on server and returns the registrar for all services that can be called in both ways.
func (s *Server) Register(server grpc.ServiceRegistrar) grpc.ServiceRegistrar {
	awhostv1.RegisterCallServiceServer(server, s)
	return dualRegistrar{server, s}
}

type dualRegistrar struct {
	grpc.ServiceRegistrar
	shared *Server
}

// RegisterService implements grpc.ServiceRegistrar.
func (b dualRegistrar) RegisterService(desc *grpc.ServiceDesc, implementation any) {
	b.ServiceRegistrar.RegisterService(desc, implementation)
	for _, m := range desc.Methods {
		b.shared.methods["/"+desc.ServiceName+"/"+m.MethodName] = method{implementation: implementation, unary: m.Handler}
	}
	for _, m := range desc.Streams {
		if name := "/" + desc.ServiceName + "/" + m.StreamName; slices.Contains(b.shared.config.Streams, name) {
			b.shared.methods[name] = method{implementation: implementation, stream: m.Handler}
		}
	}
}

// Calls implements awhostv1.CallServiceServer.
func (s *Server) Calls(stream grpc.BidiStreamingServer[awhostv1.CallsRequest, awhostv1.CallsResponse]) error {
	ctx, cancel := context.WithCancel(stream.Context())
	defer cancel()
	c := &caller{server: s, ctx: ctx, idle: make(chan *job), jobs: map[uint64]*job{}}
	c.out = newOutbox(
		func(r *awhostv1.CallResult) int { return proto.Size(r) },
		func(results []*awhostv1.CallResult) error {
			return stream.Send(&awhostv1.CallsResponse{Results: results})
		},
	)
	var delivering sync.WaitGroup
	delivering.Go(func() { c.out.deliver(ctx.Done()) })
	err := c.receive(stream)
	if errors.Is(err, io.EOF) { // no more calls, but running ones are still answered
		err = nil
	} else {
		cancel()
	}
	c.running.Wait()
	cancel()
	delivering.Wait()
	return err
}

// caller is the peer of one stream.
type caller struct {
	server      *Server
	ctx         context.Context
	out         *outbox[*awhostv1.CallResult]
	running     sync.WaitGroup // calls
	idle        chan *job
	idleWorkers atomic.Int64 // number of goroutines that wait for a call

	mu   sync.Mutex
	jobs map[uint64]*job // running, by id
}

func (c *caller) receive(stream grpc.BidiStreamingServer[awhostv1.CallsRequest, awhostv1.CallsResponse]) error {
	for {
		in, err := stream.Recv()
		if err != nil {
			return err
		}
		for _, call := range in.GetCalls() {
			c.start(call)
		}
		for _, id := range in.GetCancelled() {
			c.cancel(id)
		}
	}
}

// job is a received call.
type job struct {
	ctx       context.Context
	cancel    context.CancelFunc
	call      *awhostv1.Call
	cancelled atomic.Bool // the caller no longer waits
}

// start runs a call, if possible in a waiting goroutine that has already served one, because its stack is large enough.
func (c *caller) start(call *awhostv1.Call) {
	j := &job{call: call}
	ctx := traceparent.With(c.ctx, call.GetTraceparent())
	if t := call.GetTimeout(); t != nil {
		j.ctx, j.cancel = context.WithTimeout(ctx, t.AsDuration())
	} else {
		j.ctx, j.cancel = context.WithCancel(ctx)
	}
	c.mu.Lock()
	c.jobs[call.GetId()] = j
	c.mu.Unlock()
	c.running.Add(1)
	select {
	case c.idle <- j:
	default:
		go c.work(j)
	}
}

// maxIdle is the maximum number of goroutines that wait for a call.
const maxIdle = 32

func (c *caller) work(j *job) {
	for {
		c.out.putNow(c.answer(j), false)
		c.running.Done()
		if c.idleWorkers.Add(1) > maxIdle {
			c.idleWorkers.Add(-1)
			return
		}
		select {
		case j = <-c.idle:
			c.idleWorkers.Add(-1)
		case <-c.ctx.Done():
			return
		}
	}
}

func (c *caller) answer(j *job) *awhostv1.CallResult {
	id := j.call.GetId()
	defer func() {
		j.cancel()
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.jobs[id] == j {
			delete(c.jobs, id)
		}
	}()
	message, err := c.server.invoke(j, c.out)
	switch {
	case j.cancelled.Load():
		return cancelledResult(id)
	case err == nil:
		return &awhostv1.CallResult{Id: id, Message: message}
	}
	s, ok := status.FromError(err)
	if !ok {
		s = status.FromContextError(err) // as in gRPC
	}
	return &awhostv1.CallResult{Id: id, Status: truncatedStatus(statusToWire(s), c.server.config.MaxMessageBytes)}
}

// truncatedStatus returns a status that fits in a message: a larger one would break the stream and all of its calls.
// Details are dropped before text, because they repeat the text in machine-readable form.
func truncatedStatus(s *awhostv1.CallStatus, limit int) *awhostv1.CallStatus {
	if proto.Size(s) <= limit {
		return s
	}
	cut := fmt.Sprintf(" … (the status has %d bytes, and at most %d can be sent)", proto.Size(s), limit)
	s.Details = nil
	if most := max(0, limit-len(cut)-callBytes); len(s.GetMessage()) > most {
		s.Message = strings.ToValidUTF8(s.GetMessage()[:most], "")
	}
	s.Message += cut
	return s
}

func cancelledResult(id uint64) *awhostv1.CallResult {
	return &awhostv1.CallResult{Id: id, Status: statusToWire(status.New(codes.Canceled, "the call was canceled"))}
}

// cancel ends a call and drops its unsent responses. The peer is still notified that the call has ended.
func (c *caller) cancel(id uint64) {
	c.mu.Lock()
	j := c.jobs[id]
	c.mu.Unlock()
	if j != nil {
		j.cancelled.Store(true)
		j.cancel()
	}
	c.out.change(func(results []*awhostv1.CallResult) []*awhostv1.CallResult {
		return slices.DeleteFunc(results, func(r *awhostv1.CallResult) bool {
			if r.GetId() != id || r.GetMore() {
				return r.GetId() == id
			}
			proto.Reset(r)
			proto.Merge(r, cancelledResult(id))
			return false
		})
	})
}

// invoke returns the response of a unary method. A stream's responses go to out.
func (s *Server) invoke(j *job, out *outbox[*awhostv1.CallResult]) ([]byte, error) {
	m, ok := s.methods[j.call.GetMethod()]
	switch {
	case !ok:
		return nil, status.Errorf(codes.Unimplemented, "unknown method %s", j.call.GetMethod())
	case m.unary == nil:
		stream := &serverStream{job: j, out: out, encode: s.encode}
		if s.config.Stream == nil {
			return nil, m.stream(m.implementation, stream)
		}
		return nil, s.config.Stream(m.implementation, stream,
			&grpc.StreamServerInfo{FullMethod: j.call.GetMethod(), IsServerStream: true}, m.stream)
	}
	answer, err := m.unary(m.implementation, j.ctx, func(into any) error { return decode(j.call.GetMessage(), into) },
		s.intercept)
	if err != nil {
		return nil, err
	}
	return s.encode(answer)
}

func (s *Server) encode(answer any) ([]byte, error) {
	message, err := encode(answer)
	if err == nil && len(message) > s.config.MaxMessageBytes {
		err = status.Errorf(codes.ResourceExhausted, "trying to send message larger than max (%d vs. %d)", len(message),
			s.config.MaxMessageBytes)
	}
	return message, err
}

// serverStream is the server's side of a call to a method with several response messages.
type serverStream struct {
	*job
	out      *outbox[*awhostv1.CallResult]
	encode   func(any) ([]byte, error)
	received bool
}

// Context implements grpc.ServerStream.
func (a *serverStream) Context() context.Context { return a.ctx }

// RecvMsg implements grpc.ServerStream.
func (a *serverStream) RecvMsg(m any) error {
	if a.received {
		return io.EOF
	}
	a.received = true
	return decode(a.call.GetMessage(), m)
}

// SendMsg implements grpc.ServerStream.
func (a *serverStream) SendMsg(m any) error {
	if err := a.ctx.Err(); err != nil {
		return status.FromContextError(err).Err()
	}
	message, err := a.encode(m)
	if err != nil {
		return err
	}
	a.out.put(&awhostv1.CallResult{Id: a.call.GetId(), Message: message, More: true})
	return nil
}

// SetHeader implements grpc.ServerStream: calls in a shared stream have no metadata.
func (a *serverStream) SetHeader(metadata.MD) error { return errNoMetadata }

// SendHeader implements grpc.ServerStream.
func (a *serverStream) SendHeader(metadata.MD) error { return errNoMetadata }

// SetTrailer implements grpc.ServerStream.
func (a *serverStream) SetTrailer(metadata.MD) {}

var errNoMetadata = status.Error(codes.Unimplemented, "calls on a shared stream have no metadata")

var (
	_ grpc.ServiceRegistrar      = dualRegistrar{}
	_ grpc.ServerStream          = (*serverStream)(nil)
	_ awhostv1.CallServiceServer = (*Server)(nil)
)
