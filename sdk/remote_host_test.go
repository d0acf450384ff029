package sdk

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"

	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

// testDeadline bounds every wait of these tests.
const testDeadline = 30 * time.Second

// scriptedHost answers the n-th RunEpisode, from 1, by calling a function.
type scriptedHost struct {
	awhostv1.UnimplementedHostServiceServer
	calls  atomic.Int32
	script func(n int32, req *awhostv1.RunEpisodeRequest, stream awhostv1.HostService_RunEpisodeServer) error
}

func (h *scriptedHost) RunEpisode(req *awhostv1.RunEpisodeRequest, stream awhostv1.HostService_RunEpisodeServer) error {
	return h.script(h.calls.Add(1), req, stream)
}

// serveHost serves a host service in memory.
func serveHost(t *testing.T, registrar func(grpc.ServiceRegistrar)) *grpc.ClientConn {
	t.Helper()
	server, listener := newServer(DefaultMessageBytes, nil, recoverUnary), bufconn.Listen(1<<20)
	registrar(server)
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	conn, err := dialBuffer(listener, DefaultMessageBytes)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = conn.Close()
		server.Stop()
		<-served
	})
	return conn
}

func (h *scriptedHost) serve(t *testing.T) remoteHost {
	t.Helper()
	conn := serveHost(t, func(r grpc.ServiceRegistrar) {
		awhostv1.RegisterHostServiceServer(newMultiplexServer(DefaultMessageBytes, recoverUnary).Register(r), h)
	})
	return newRemoteHost(conn, DefaultMessageBytes, testDeadline)
}

func sendResult(stream awhostv1.HostService_RunEpisodeServer, req *awhostv1.RunEpisodeRequest) error {
	return stream.Send(&awhostv1.RunEpisodeResponse{Progress: &awhostv1.RunEpisodeResponse_Result{Result: &awhostv1.EpisodeResult{
		EpisodeId: req.GetEpisodeId(), Outcome: awhostv1.EpisodeOutcome_EPISODE_OUTCOME_SCORED,
	}}})
}

func sendHeartbeat(stream awhostv1.HostService_RunEpisodeServer) error {
	return stream.Send(&awhostv1.RunEpisodeResponse{Progress: &awhostv1.RunEpisodeResponse_Heartbeat{Heartbeat: &awhostv1.EpisodeHeartbeat{}}})
}

// A broken call must be repeated with the same id, as long as messages about the episode arrive now and then.
func TestRemoteHost_RepeatsABrokenEpisode(t *testing.T) {
	broken := status.Error(codes.Unavailable, "the connection broke")
	var ids []string
	h := &scriptedHost{script: func(n int32, req *awhostv1.RunEpisodeRequest,
		stream awhostv1.HostService_RunEpisodeServer) error {
		ids = append(ids, req.GetEpisodeId())
		switch {
		case n == 4: // a message arrived: the count of attempts restarts
			if err := sendHeartbeat(stream); err != nil {
				return err
			}
			return nil // a stream that ends without a result is also broken
		case n < 8:
			return broken
		}
		return sendResult(stream, req)
	}}
	result, err := h.serve(t).RunEpisode(t.Context(), EpisodeRequest{EpisodeID: "e1", GroupID: "g"})
	if err != nil || result.Outcome != OutcomeScored {
		t.Fatalf("%+v, %v", result, err)
	}
	if got := strings.Join(ids, " "); got != strings.TrimSpace(strings.Repeat("e1 ", 8)) {
		t.Errorf("the ids are %s", got)
	}
}

func TestRemoteHost_GivesUp(t *testing.T) {
	for name, test := range map[string]struct {
		err   error
		calls int32
		want  error
	}{
		"a host that has exited":  {status.Error(codes.Unavailable, "gone"), reconnectAttempts, ErrUnavailable},
		"a refusal":               {status.Error(codes.PermissionDenied, "not the adapter"), 1, nil},
		"a failure":               {errorToStatus(&Failure{Class: FailureInfrastructure, Detail: "no slot"}), 1, nil},
		"a host that canceled it": {status.Error(codes.Canceled, "stopping"), 1, context.Canceled},
	} {
		t.Run(name, func(t *testing.T) {
			h := &scriptedHost{script: func(int32, *awhostv1.RunEpisodeRequest,
				awhostv1.HostService_RunEpisodeServer) error {
				return test.err
			}}
			_, err := h.serve(t).RunEpisode(t.Context(), EpisodeRequest{EpisodeID: "e1", GroupID: "g"})
			if err == nil || test.want != nil && !errors.Is(err, test.want) || !strings.Contains(err.Error(), "e1") {
				t.Errorf("want %v, got %v", test.want, err)
			}
			if got := h.calls.Load(); got != test.calls {
				t.Errorf("%d calls, want %d", got, test.calls)
			}
		})
	}
}

// A host that is stopped, or whose machine is, sends no heartbeats and must count as gone.
func TestRemoteHost_HeartbeatTimeout(t *testing.T) {
	h := &scriptedHost{script: func(n int32, req *awhostv1.RunEpisodeRequest,
		stream awhostv1.HostService_RunEpisodeServer) error {
		if n > 1 {
			return sendResult(stream, req)
		}
		if err := sendHeartbeat(stream); err != nil {
			return err
		}
		<-stream.Context().Done()
		return stream.Context().Err()
	}}
	remote := h.serve(t)
	remote.heartbeatTimeout = 100 * time.Millisecond
	if result, err := remote.RunEpisode(t.Context(), EpisodeRequest{EpisodeID: "e1", GroupID: "g"}); err != nil ||
		result.EpisodeID != "e1" {
		t.Errorf("%+v, %v", result, err)
	}
}

func TestRemoteHost_EndsWithItsCaller(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	h := &scriptedHost{script: func(_ int32, _ *awhostv1.RunEpisodeRequest,
		stream awhostv1.HostService_RunEpisodeServer) error {
		cancel()
		<-stream.Context().Done()
		return stream.Context().Err()
	}}
	if _, err := h.serve(t).RunEpisode(ctx, EpisodeRequest{EpisodeID: "e1", GroupID: "g"}); !errors.Is(err,
		context.Canceled) {
		t.Errorf("want Canceled, got %v", err)
	}
	if n := h.calls.Load(); n != 1 {
		t.Errorf("%d calls", n)
	}
}

// localHost is a Host made of functions.
type localHost struct {
	Host
	episode func(context.Context, EpisodeRequest) (*EpisodeResult, error)
	tasks   []Task
}

func (h localHost) RunEpisode(ctx context.Context, req EpisodeRequest) (*EpisodeResult, error) {
	return h.episode(ctx, req)
}

func (h localHost) Tasks(_ context.Context, req TasksRequest, yield func(Task) bool) error {
	for _, task := range h.tasks[req.Cursor:] {
		if !yield(task) {
			return nil
		}
	}
	return nil
}

func TestHostServer_SendsHeartbeats(t *testing.T) {
	finish := make(chan struct{})
	conn := serveHost(t, HostServer{Heartbeat: time.Millisecond,
		Host: localHost{episode: func(context.Context, EpisodeRequest) (*EpisodeResult, error) {
			<-finish
			return &EpisodeResult{EpisodeID: "e1", Outcome: OutcomeScored}, nil
		}}}.Register)
	ctx, cancel := context.WithTimeout(t.Context(), testDeadline)
	defer cancel()
	stream, err := awhostv1.NewHostServiceClient(conn).RunEpisode(ctx,
		&awhostv1.RunEpisodeRequest{EpisodeId: "e1", GroupId: "g"})
	if err != nil {
		t.Fatal(err)
	}
	for beats := 0; ; {
		out, err := stream.Recv()
		if err != nil {
			t.Fatal(err)
		}
		if out.GetHeartbeat() != nil {
			if beats++; beats == 3 {
				close(finish)
			}
			continue
		}
		if out.GetResult().GetEpisodeId() != "e1" || beats < 3 {
			t.Errorf("after %d heartbeats: %v", beats, out)
		}
		return
	}
}

func TestHostServer_Refuses(t *testing.T) {
	panics := localHost{episode: func(context.Context, EpisodeRequest) (*EpisodeResult, error) { panic("ouch") }}
	for name, test := range map[string]struct {
		server HostServer
		req    EpisodeRequest
		want   codes.Code
	}{
		"a stranger": {HostServer{Host: panics,
			Authorize: func(context.Context) error { return errors.New("only the adapter") }},
			EpisodeRequest{EpisodeID: "e", GroupID: "g"}, codes.PermissionDenied},
		"an episode without id": {HostServer{Host: panics}, EpisodeRequest{GroupID: "g"}, codes.InvalidArgument},
		"without a group":       {HostServer{Host: panics}, EpisodeRequest{EpisodeID: "e"}, codes.InvalidArgument},
		"a panic":               {HostServer{Host: panics}, EpisodeRequest{EpisodeID: "e", GroupID: "g"}, codes.Internal},
	} {
		t.Run(name, func(t *testing.T) {
			conn := serveHost(t, test.server.Register)
			_, err := RemoteHost(conn).RunEpisode(t.Context(), test.req)
			if status.Code(err) != test.want {
				t.Errorf("want %s, got %v", test.want, err)
			}
		})
	}
}

// Datasets must never include the private part.
func TestHostServer_OmitsPrivateTask(t *testing.T) {
	conn := serveHost(t, HostServer{Host: localHost{tasks: []Task{
		{ID: "a", Public: json.RawMessage(`{}`), Private: json.RawMessage(`{"ground_truth":"1"}`)},
		{ID: "b", Public: json.RawMessage(`{}`), Private: json.RawMessage(`{"ground_truth":"2"}`)},
		{ID: "c", Public: json.RawMessage(`{}`), Private: json.RawMessage(`{"ground_truth":"3"}`)},
	}}}.Register)
	var got []Task
	if err := RemoteHost(conn).Tasks(t.Context(), TasksRequest{Split: SplitTrain, Cursor: 1}, func(task Task) bool {
		got = append(got, task)
		return true
	}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Task{{ID: "b", Public: json.RawMessage(`{}`)}, {ID: "c", Public: json.RawMessage(`{}`)}},
		got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Every typed error must keep its type through a status.
func TestErrors_KeepTheirTypes(t *testing.T) {
	for name, err := range map[string]error{
		"session lost": ErrSessionLost, "unavailable": ErrUnavailable, "cancelled": context.Canceled,
		"too late": context.DeadlineExceeded,
	} {
		if got := errorFromStatus(errorToStatus(err)); !errors.Is(got, err) {
			t.Errorf("%s became %v", name, got)
		}
	}
	var failure *Failure
	sent := &Failure{Class: FailureTimeout, Detail: "not \xff UTF-8", Retryable: true}
	if got := errorFromStatus(errorToStatus(sent)); !errors.As(got, &failure) || failure.Class != FailureTimeout ||
		!failure.Retryable {
		t.Errorf("the failure became %v", got)
	}
	if got := errorFromStatus(errorToStatus(errors.New("plain \xff"))); got == nil ||
		!strings.Contains(got.Error(), "plain") {
		t.Errorf("a plain error became %v", got)
	}
	if errorFromStatus(nil) != nil || errorToStatus(nil) != nil {
		t.Error("nil became an error")
	}
}

// An error must be ErrUnavailable if this side closed the connection without canceling the call.
func TestErrors_OfAClosedConnection(t *testing.T) {
	entered := make(chan struct{})
	h := &scriptedHost{script: func(_ int32, _ *awhostv1.RunEpisodeRequest,
		stream awhostv1.HostService_RunEpisodeServer) error {
		close(entered)
		<-stream.Context().Done()
		return stream.Context().Err()
	}}
	conn := serveHost(t, func(r grpc.ServiceRegistrar) { awhostv1.RegisterHostServiceServer(r, h) })
	remote := newRemoteHost(conn, DefaultMessageBytes, testDeadline)
	result := make(chan error, 1)
	go func() {
		_, err := remote.RunEpisode(context.Background(), EpisodeRequest{EpisodeID: "e1", GroupID: "g"})
		result <- err
	}()
	<-entered
	if err := conn.Close(); err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{<-result, remote.CancelEpisode(t.Context(), "e1", "")} {
		if !errors.Is(err, ErrUnavailable) || errors.Is(err, context.Canceled) {
			t.Errorf("want ErrUnavailable, got %v", err)
		}
	}
}
