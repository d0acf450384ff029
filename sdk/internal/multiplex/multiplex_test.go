package multiplex

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"
	"google.golang.org/protobuf/proto"

	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

const (
	maxMessage  = 1 << 20
	testTimeout = 30 * time.Second
)

// environment answers Step and RunEpisode by calling functions.
type environment struct {
	awhostv1.UnimplementedEnvironmentServiceServer
	step func(context.Context, *awhostv1.StepRequest) (*awhostv1.StepResponse, error)
	run  func(*awhostv1.RunEpisodeRequest, awhostv1.HostService_RunEpisodeServer) error
}

// Step implements EnvironmentService.
func (e *environment) Step(ctx context.Context, req *awhostv1.StepRequest) (*awhostv1.StepResponse, error) {
	return e.step(ctx, req)
}

// episodes is the other service of an environment.
type episodes struct {
	awhostv1.UnimplementedHostServiceServer
	*environment
}

// RunEpisode implements HostService.
func (e episodes) RunEpisode(req *awhostv1.RunEpisodeRequest, stream awhostv1.HostService_RunEpisodeServer) error {
	return e.run(req, stream)
}

// counted counts the ordinary calls over a connection.
type counted struct {
	*grpc.ClientConn
	calls, streams atomic.Int64
}

// Invoke implements grpc.ClientConnInterface.
func (c *counted) Invoke(ctx context.Context, method string, args, reply any, options ...grpc.CallOption) error {
	c.calls.Add(1)
	return c.ClientConn.Invoke(ctx, method, args, reply, options...)
}

// NewStream implements grpc.ClientConnInterface.
func (c *counted) NewStream(ctx context.Context, desc *grpc.StreamDesc, method string,
	options ...grpc.CallOption) (grpc.ClientStream, error) {
	c.streams.Add(1)
	return c.ClientConn.NewStream(ctx, desc, method, options...)
}

// serve returns a connection to a server whose services are added by register.
func serve(t *testing.T, register func(*grpc.Server)) *counted {
	t.Helper()
	listener := bufconn.Listen(1 << 16)
	server := grpc.NewServer(grpc.MaxSendMsgSize(maxMessage+OverheadBytes), grpc.WaitForHandlers(true))
	register(server)
	served := make(chan struct{})
	go func() { defer close(served); _ = server.Serve(listener) }()
	conn, err := grpc.NewClient("passthrough:test", grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) }))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		conn.Close()
		server.Stop()
		<-served
	})
	return &counted{ClientConn: conn}
}

func (e *environment) register(registrar grpc.ServiceRegistrar) {
	awhostv1.RegisterEnvironmentServiceServer(registrar, e)
	awhostv1.RegisterHostServiceServer(registrar, episodes{environment: e})
}

// shared returns a connection to e that shares a stream.
func (e *environment) shared(t *testing.T, chain ...grpc.UnaryServerInterceptor) (*Conn, *counted) {
	t.Helper()
	conn := serve(t, func(s *grpc.Server) {
		e.register(NewServer(ServerConfig{MaxMessageBytes: maxMessage, Unary: chain,
			Streams: []string{awhostv1.HostService_RunEpisode_FullMethodName}}).Register(s))
	})
	return NewConn(conn, Options{MaxMessageBytes: maxMessage}), conn
}

func step(ctx context.Context, conn grpc.ClientConnInterface, id string) (*awhostv1.StepResponse, error) {
	return awhostv1.NewEnvironmentServiceClient(conn).Step(ctx, &awhostv1.StepRequest{EpisodeId: id})
}

// Answers, errors with their details, and calls that cannot share a stream must match an ordinary connection's.
func TestConn_AnswersAsAnOrdinaryConnection(t *testing.T) {
	detailed, err := status.New(codes.Aborted, "the bank has burnt down").WithDetails(&awhostv1.Failure{Detail: "at night"})
	if err != nil {
		t.Fatal(err)
	}
	e := &environment{step: func(ctx context.Context, req *awhostv1.StepRequest) (*awhostv1.StepResponse, error) {
		switch id, _, _ := strings.Cut(req.GetEpisodeId(), " "); id {
		case "detailed":
			return nil, detailed.Err()
		case "plain":
			return nil, errors.New("no status")
		case "expired":
			return nil, fmt.Errorf("open the door: %w", context.DeadlineExceeded)
		case "late":
			<-ctx.Done()
			return nil, ctx.Err()
		case "deadline":
			_, has := ctx.Deadline()
			return &awhostv1.StepResponse{Done: has}, nil
		case "huge":
			return &awhostv1.StepResponse{Metrics: map[string]float64{strings.Repeat("x", 2*maxMessage): 1}}, nil
		}
		return &awhostv1.StepResponse{Metrics: map[string]float64{req.GetEpisodeId()[:1]: float64(len(req.GetEpisodeId()))}},
			nil
	}}
	conn, ordinary := e.shared(t)
	for _, id := range []string{"one", "detailed", "plain", "expired", "late", "deadline", "huge", "big" +
		strings.Repeat("x", maxCallBytes)} {
		ctx, cancel := context.WithTimeout(t.Context(), testTimeout)
		if id == "late" {
			ctx, cancel = context.WithTimeout(t.Context(), 50*time.Millisecond)
		}
		want, wantErr := step(ctx, ordinary, id)
		cancel()
		ctx, cancel = context.WithTimeout(t.Context(), testTimeout)
		if id == "late" {
			ctx, cancel = context.WithTimeout(t.Context(), 50*time.Millisecond)
		}
		before := ordinary.calls.Load()
		got, err := step(ctx, conn, id)
		cancel()
		if id = id[:min(10, len(id))]; !proto.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", id, got, want)
		}
		s, w := status.Convert(err), status.Convert(wantErr)
		// The text of a deadline error depends on whether the client or the server detects it; the size error has its own
		// text.
		free := id == "huge" || id == "late"
		if s.Code() != w.Code() || len(s.Details()) != len(w.Details()) || !free && s.Message() != w.Message() {
			t.Errorf("%s: got %v, want %v", id, err, wantErr)
		}
		if shared := ordinary.calls.Load() == before; shared == strings.HasPrefix(id, "big") {
			t.Errorf("%s: shared %v", id, shared)
		}
	}
	if err := conn.Invoke(t.Context(), "/awhost.v1.EnvironmentService/Jump", &awhostv1.StepRequest{},
		&awhostv1.StepResponse{}); status.Code(err) != codes.Unimplemented {
		t.Errorf("an unknown method: %v", err)
	}
	if _, err := step(t.Context(), conn, "one"); err != nil {
		t.Errorf("after an unknown method: %v", err)
	}
	if n := ordinary.streams.Load(); n != 1 {
		t.Errorf("%d streams", n)
	}
	before := ordinary.calls.Load()
	if _, err := awhostv1.NewEnvironmentServiceClient(conn).Step(t.Context(), &awhostv1.StepRequest{EpisodeId: "x"},
		grpc.WaitForReady(true)); err != nil || ordinary.calls.Load() != before+1 {
		t.Errorf("a call with other options: %v, %d", err, ordinary.calls.Load()-before)
	}
}

// Each call must get its own answer, through the interceptors, in order from the outermost.
func TestConn_ManyAtOnce(t *testing.T) {
	var intercepted atomic.Int64
	outer := func(ctx context.Context, req any, info *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
		intercepted.Add(1)
		return next(context.WithValue(ctx, t, "outer"), req)
	}
	inner := func(ctx context.Context, req any, info *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
		if ctx.Value(t) != "outer" || info.FullMethod != awhostv1.EnvironmentService_Step_FullMethodName {
			return nil, fmt.Errorf("%v in %s", ctx.Value(t), info.FullMethod)
		}
		return next(ctx, req)
	}
	e := &environment{step: func(_ context.Context, req *awhostv1.StepRequest) (*awhostv1.StepResponse, error) {
		return &awhostv1.StepResponse{Metrics: map[string]float64{req.GetEpisodeId() + strings.Repeat("y",
			len(req.GetEpisodeId())%9000): 1}}, nil
	}}
	conn, ordinary := e.shared(t, outer, inner)
	const callers, each = 64, 50
	var all sync.WaitGroup
	for c := range callers {
		all.Go(func() {
			for i := range each {
				id := fmt.Sprintf("%d-%d-%s", c, i, strings.Repeat("x", (c*i*37)%20_000))
				out, err := step(t.Context(), conn, id)
				if want := id + strings.Repeat("y", len(id)%9000); err != nil || out.GetMetrics()[want] != 1 {
					t.Errorf("%.20s: %v, %d answers", id, err, len(out.GetMetrics()))
				}
			}
		})
	}
	all.Wait()
	if intercepted.Load() != callers*each || ordinary.calls.Load() != 0 || ordinary.streams.Load() != 1 {
		t.Errorf("%d intercepted, %d ordinary calls, %d streams", intercepted.Load(), ordinary.calls.Load(),
			ordinary.streams.Load())
	}
}

// Every call to a peer without the service must be made in the ordinary way, and once.
func TestConn_PeerWithoutTheService(t *testing.T) {
	var served sync.Map
	e := &environment{
		step: func(_ context.Context, req *awhostv1.StepRequest) (*awhostv1.StepResponse, error) {
			if _, again := served.LoadOrStore(req.GetEpisodeId(), true); again {
				return nil, errors.New("served twice")
			}
			return &awhostv1.StepResponse{}, nil
		},
		run: sendOne,
	}
	ordinary := serve(t, func(s *grpc.Server) { e.register(s) })
	conn := NewConn(ordinary, Options{MaxMessageBytes: maxMessage,
		Streams: []string{awhostv1.HostService_RunEpisode_FullMethodName}})
	if got, err := runEpisode(t.Context(), conn); err != nil || got != "a result" {
		t.Errorf("%q, %v", got, err)
	}
	var all sync.WaitGroup
	for c := range 50 {
		all.Go(func() {
			if _, err := step(t.Context(), conn, fmt.Sprint(c)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if conn.stream(nil) != nil {
		t.Error("it still expects a stream")
	}
}

func sendOne(_ *awhostv1.RunEpisodeRequest, stream awhostv1.HostService_RunEpisodeServer) error {
	for _, p := range []*awhostv1.RunEpisodeResponse{
		{Progress: &awhostv1.RunEpisodeResponse_Heartbeat{Heartbeat: &awhostv1.EpisodeHeartbeat{}}},
		{Progress: &awhostv1.RunEpisodeResponse_Result{Result: &awhostv1.EpisodeResult{EpisodeId: "a result"}}},
	} {
		if err := stream.Send(p); err != nil {
			return err
		}
	}
	return nil
}

func runEpisode(ctx context.Context, conn grpc.ClientConnInterface) (string, error) {
	stream, err := awhostv1.NewHostServiceClient(conn).RunEpisode(ctx, &awhostv1.RunEpisodeRequest{})
	if err != nil {
		return "", err
	}
	var got string
	for {
		out, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return got, nil
		}
		if err != nil {
			return got, err
		}
		got = out.GetResult().GetEpisodeId()
	}
}

// Answers with several messages must match an ordinary stream's.
func TestConn_AnswersInSeveralMessages(t *testing.T) {
	ended := make(chan error, 1)
	e := &environment{run: sendOne}
	conn, ordinary := e.shared(t)
	conn.options.Streams = []string{awhostv1.HostService_RunEpisode_FullMethodName}
	if got, err := runEpisode(t.Context(), conn); err != nil || got != "a result" {
		t.Errorf("%q, %v", got, err)
	}
	e.run = func(*awhostv1.RunEpisodeRequest, awhostv1.HostService_RunEpisodeServer) error {
		return status.Error(codes.PermissionDenied, "not you")
	}
	if got, err := runEpisode(t.Context(), conn); status.Code(err) != codes.PermissionDenied {
		t.Errorf("%q, %v", got, err)
	}
	e.run = func(_ *awhostv1.RunEpisodeRequest, stream awhostv1.HostService_RunEpisodeServer) error {
		<-stream.Context().Done()
		ended <- stream.Context().Err()
		return nil
	}
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := awhostv1.NewHostServiceClient(conn).RunEpisode(ctx, &awhostv1.RunEpisodeRequest{}); err != nil {
		t.Fatal(err)
	}
	cancel() // the caller does not receive
	await(t, ended)
	if n := ordinary.streams.Load(); n != 1 {
		t.Errorf("%d streams", n)
	}
}

func await[T any](t *testing.T, c <-chan T) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(testTimeout):
		t.Fatal("it did not happen")
		panic("unreachable")
	}
}

// A canceled call must end at the peer, and the stream must continue.
func TestConn_CancelsAtThePeer(t *testing.T) {
	begun, ended := make(chan struct{}), make(chan error, 1)
	e := &environment{step: func(ctx context.Context, req *awhostv1.StepRequest) (*awhostv1.StepResponse, error) {
		if req.GetEpisodeId() == "long" {
			close(begun)
			<-ctx.Done()
			ended <- ctx.Err()
			return nil, ctx.Err()
		}
		return &awhostv1.StepResponse{}, nil
	}}
	conn, ordinary := e.shared(t)
	ctx, cancel := context.WithCancel(t.Context())
	answered := make(chan error, 1)
	go func() {
		_, err := step(ctx, conn, "long")
		answered <- err
	}()
	await(t, begun)
	cancel()
	if err := await(t, answered); status.Code(err) != codes.Canceled {
		t.Errorf("the caller got %v", err)
	}
	if err := await(t, ended); !errors.Is(err, context.Canceled) {
		t.Errorf("the peer got %v", err)
	}
	if _, err := step(t.Context(), conn, "short"); err != nil || ordinary.streams.Load() != 1 {
		t.Errorf("%v, %d streams", err, ordinary.streams.Load())
	}
	s := conn.stream(nil)
	for end := time.Now().Add(testTimeout); ; { // the answer to the long one arrives later
		s.mu.Lock()
		left, bytes := len(s.calls), s.unanswered
		s.mu.Unlock()
		if left == 0 && bytes == 0 {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("%d calls, %d bytes are kept", left, bytes)
		}
		time.Sleep(time.Millisecond)
	}
}

// A broken stream must only fail its own calls.
func TestConn_OpensAnotherStream(t *testing.T) {
	begun := make(chan struct{}, 1)
	e := &environment{step: func(ctx context.Context, req *awhostv1.StepRequest) (*awhostv1.StepResponse, error) {
		if req.GetEpisodeId() == "long" {
			begun <- struct{}{}
			<-ctx.Done()
		}
		return &awhostv1.StepResponse{}, nil
	}}
	server := NewServer(ServerConfig{MaxMessageBytes: maxMessage})
	breaking := &breakingServer{Server: server, broken: make(chan struct{})}
	ordinary := serve(t, func(s *grpc.Server) {
		e.register(dualRegistrar{s, server})
		awhostv1.RegisterCallServiceServer(s, breaking)
	})
	conn := NewConn(ordinary, Options{MaxMessageBytes: maxMessage})
	answered := make(chan error, 1)
	go func() {
		_, err := step(t.Context(), conn, "long")
		answered <- err
	}()
	await(t, begun)
	close(breaking.broken)
	if err := await(t, answered); status.Code(err) != codes.Unavailable {
		t.Errorf("got %v", err)
	}
	if _, err := step(t.Context(), conn, "short"); err != nil || ordinary.streams.Load() != 2 ||
		ordinary.calls.Load() != 0 {
		t.Errorf("%v, %d streams, %d calls", err, ordinary.streams.Load(), ordinary.calls.Load())
	}
	ordinary.Close()
	if _, err := step(t.Context(), conn, "short"); status.Code(err) != codes.Canceled ||
		!strings.Contains(err.Error(), "connection is closing") {
		t.Errorf("over a closed connection: %v", err)
	}
}

// breakingServer ends its first stream when broken is closed.
type breakingServer struct {
	*Server
	broken chan struct{}
	opened atomic.Int64
}

// Calls implements CallService.
func (f *breakingServer) Calls(stream grpc.BidiStreamingServer[awhostv1.CallsRequest, awhostv1.CallsResponse]) error {
	if f.opened.Add(1) > 1 {
		return f.Server.Calls(stream)
	}
	go func() { _ = f.Server.Calls(stream) }()
	<-f.broken
	return nil
}

// Calls must keep their deadlines, and unsent calls must be dropped.
func TestConn_PeerThatDoesNotRead(t *testing.T) {
	over := make(chan struct{})
	defer close(over)
	ordinary := serve(t, func(s *grpc.Server) { awhostv1.RegisterCallServiceServer(s, nonReadingServer{over: over}) })
	conn := NewConn(ordinary, Options{MaxMessageBytes: maxMessage})
	var all sync.WaitGroup
	for range 40 {
		all.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
			defer cancel()
			began := time.Now()
			if _, err := step(ctx, conn, strings.Repeat("x", 100<<10)); status.Code(err) != codes.DeadlineExceeded {
				t.Error(err)
			}
			if took := time.Since(began); took > testTimeout/2 {
				t.Errorf("after %s", took)
			}
		})
	}
	all.Wait()
	s := conn.stream(nil)
	s.out.mu.Lock()
	defer s.out.mu.Unlock()
	for _, o := range s.out.items {
		if o.call != nil {
			t.Error("an abandoned call is kept")
		}
	}
}

type nonReadingServer struct {
	awhostv1.UnimplementedCallServiceServer
	over chan struct{}
}

// Calls implements CallService.
func (d nonReadingServer) Calls(stream grpc.BidiStreamingServer[awhostv1.CallsRequest, awhostv1.CallsResponse]) error {
	select {
	case <-d.over:
	case <-stream.Context().Done():
	}
	return nil
}

// Invalid text, an answer of exactly the limit, and a larger answer must not affect other calls.
func TestConn_InvalidAnswersFailOnlyTheirCall(t *testing.T) {
	begun, over := make(chan struct{}), make(chan struct{})
	e := &environment{step: func(ctx context.Context, req *awhostv1.StepRequest) (*awhostv1.StepResponse, error) {
		switch req.GetEpisodeId() {
		case "neighbour":
			close(begun)
			<-over
		case "bad text":
			return nil, status.Error(codes.Internal, "bad byte \xff")
		case "at the limit", "above the limit":
			out := &awhostv1.StepResponse{Metrics: map[string]float64{"": 1}}
			name := maxMessage - proto.Size(out) - 4 // its length takes four more bytes, once for the entry, once for the name
			if req.GetEpisodeId() == "above the limit" {
				name++
			}
			out = &awhostv1.StepResponse{Metrics: map[string]float64{strings.Repeat("x", name): 1}}
			if got := proto.Size(out); got != maxMessage && got != maxMessage+1 {
				t.Errorf("the answer has %d bytes", got)
			}
			return out, nil
		}
		return &awhostv1.StepResponse{}, nil
	}}
	conn, ordinary := e.shared(t)
	answered := make(chan error, 1)
	go func() {
		_, err := step(t.Context(), conn, "neighbour")
		answered <- err
	}()
	await(t, begun)
	for id, want := range map[string]codes.Code{"bad text": codes.Internal, "at the limit": codes.OK,
		"above the limit": codes.ResourceExhausted} {
		if _, err := step(t.Context(), conn, id); status.Code(err) != want || want == codes.Internal &&
			!strings.Contains(err.Error(), "bad byte \uFFFD") {
			t.Errorf("%s: %v", id, err)
		}
	}
	close(over)
	if err := await(t, answered); err != nil || ordinary.streams.Load() != 1 {
		t.Errorf("the neighbour got %v, over %d streams", err, ordinary.streams.Load())
	}
}

// A method that may answer endlessly must use a separate stream.
func TestServer_OnlyNamedStreams(t *testing.T) {
	e := &environment{run: sendOne}
	ordinary := serve(t, func(s *grpc.Server) { e.register(NewServer(ServerConfig{MaxMessageBytes: maxMessage}).Register(s)) })
	conn := NewConn(ordinary, Options{MaxMessageBytes: maxMessage,
		Streams: []string{awhostv1.HostService_RunEpisode_FullMethodName}})
	if _, err := runEpisode(t.Context(), conn); status.Code(err) != codes.Unimplemented {
		t.Errorf("got %v", err)
	}
	if _, err := runEpisode(t.Context(), ordinary); err != nil {
		t.Errorf("the ordinary way: %v", err)
	}
}

// Small calls must not be kept because of other calls' messages.
func TestConn_ManySmallCallsToAPeerThatDoesNotRead(t *testing.T) {
	over := make(chan struct{})
	defer close(over)
	ordinary := serve(t, func(s *grpc.Server) { awhostv1.RegisterCallServiceServer(s, nonReadingServer{over: over}) })
	conn := NewConn(ordinary, Options{MaxMessageBytes: maxMessage})
	var all sync.WaitGroup
	for i := range 4000 {
		all.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
			defer cancel()
			id := "x"
			if i%100 == 7 {
				id = strings.Repeat("x", 200<<10)
			}
			began := time.Now()
			if _, err := step(ctx, conn, id); status.Code(err) != codes.DeadlineExceeded {
				t.Error(err)
			}
			if took := time.Since(began); took > testTimeout/2 {
				t.Errorf("after %s", took)
			}
		})
	}
	all.Wait()
}

// Answers of canceled calls must be dropped even if the peer does not read.
func TestServer_DropsAbandonedAnswers(t *testing.T) {
	c := &caller{jobs: map[uint64]*job{}}
	c.out = newOutbox(func(*awhostv1.CallResult) int { return 1 }, func([]*awhostv1.CallResult) error { return nil })
	for id := range uint64(3) {
		c.out.put(&awhostv1.CallResult{Id: id, Message: []byte("a heartbeat"), More: true})
		c.out.put(&awhostv1.CallResult{Id: id, Message: []byte("an answer")})
	}
	c.cancel(1)
	var got []string
	for _, r := range c.out.items {
		got = append(got, fmt.Sprintf("%d %s%s", r.GetId(), r.GetMessage(), codes.Code(r.GetStatus().GetCode())))
	}
	want := []string{"0 a heartbeatOK", "0 an answerOK", "1 Canceled", "2 a heartbeatOK", "2 an answerOK"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}
