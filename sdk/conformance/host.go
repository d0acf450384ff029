package conformance

import (
	"context"
	"net"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/status"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/process/mtls"
	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

// host is the suite in its role as the host. For adapters, it runs episodes in which the policy sends only text. For
// agents it is the policy and the environment (agent_episode.go).
type host struct {
	awhostv1.UnimplementedHostServiceServer
	socket               string
	server               *grpc.Server
	ended                chan struct{}
	stage                atomic.Pointer[stage] // currently in training
	callsOutsideTraining atomic.Int64          // calls outside of a training

	mu            sync.Mutex
	agentEpisodes map[string]*agentEpisode // episodes of agents, by lease
	unknown       int                      // calls with an unknown lease
	logLines      []string                 // lines of Log
}

func serveHost(dir string, authority *mtls.Authority) (*host, error) {
	h := &host{socket: filepath.Join(dir, "host.sock"), ended: make(chan struct{})}
	listener, err := net.Listen("unix", h.socket)
	if err != nil {
		return nil, err
	}
	h.server = grpc.NewServer(append(sdk.ServerOptions(sdk.MaxMessageBytes),
		grpc.Creds(credentials.NewTLS(authority.Server())),
		grpc.UnaryInterceptor(func(ctx context.Context, req any, _ *grpc.UnaryServerInfo, next grpc.UnaryHandler) (out any,
			err error) {
			defer recoverPanic(&err)
			return next(ctx, req)
		}),
		grpc.StreamInterceptor(func(srv any, stream grpc.ServerStream, _ *grpc.StreamServerInfo,
			next grpc.StreamHandler) (err error) {
			defer recoverPanic(&err)
			return next(srv, stream)
		}))...)
	awhostv1.RegisterHostServiceServer(h.server, h)
	go func() {
		defer close(h.ended)
		_ = h.server.Serve(listener) // returns after close
	}()
	return h, nil
}

func (h *host) close() {
	h.server.Stop()
	<-h.ended
}

func (h *host) address() *awhostv1.HostAddress {
	return &awhostv1.HostAddress{Network: "unix", Address: h.socket, ServerName: "localhost"}
}

func (h *host) setStage(s *stage) { h.stage.Store(s) }

func (h *host) currentStage() (*stage, error) {
	if s := h.stage.Load(); s != nil {
		return s, nil
	}
	h.callsOutsideTraining.Add(1)
	return nil, status.Error(codes.FailedPrecondition, "nothing is being trained")
}

// recoverPanic converts a panic in the suite during a call from the plugin to an error, so that the suite continues.
func recoverPanic(err *error) {
	if r := recover(); r != nil {
		*err = status.Errorf(codes.Internal, "the suite itself failed, which is a bug in awhost: %v", r)
	}
}

// heartbeat is the interval between progress messages for a running episode.
const heartbeat = 10 * time.Second

// RunEpisode implements HostService. A lost stream only detaches the caller: the episode continues.
func (h *host) RunEpisode(req *awhostv1.RunEpisodeRequest, stream awhostv1.HostService_RunEpisodeServer) error {
	s, err := h.currentStage()
	if err != nil {
		return err
	}
	running, err := s.episode(req)
	if err != nil {
		return err
	}
	progress := &awhostv1.RunEpisodeResponse{Progress: &awhostv1.RunEpisodeResponse_Started{Started: &awhostv1.EpisodeStarted{Attempt: 1}}}
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for {
		if err := stream.Send(progress); err != nil {
			return err
		}
		select {
		case <-running.done:
			return stream.Send(&awhostv1.RunEpisodeResponse{Progress: &awhostv1.RunEpisodeResponse_Result{Result: running.result}})
		case <-stream.Context().Done():
			return status.FromContextError(stream.Context().Err()).Err()
		case <-beat.C:
			progress = &awhostv1.RunEpisodeResponse{Progress: &awhostv1.RunEpisodeResponse_Heartbeat{Heartbeat: &awhostv1.EpisodeHeartbeat{}}}
		}
	}
}

// CancelEpisode implements HostService.
func (h *host) CancelEpisode(_ context.Context, req *awhostv1.CancelEpisodeRequest) (*awhostv1.CancelEpisodeResponse,
	error) {
	if s := h.stage.Load(); s != nil {
		s.cancelEpisode(req.GetEpisodeId())
	}
	return &awhostv1.CancelEpisodeResponse{}, nil
}

// Tasks implements HostService.
func (h *host) Tasks(req *awhostv1.HostServiceTasksRequest, stream awhostv1.HostService_TasksServer) error {
	s, err := h.currentStage()
	if err != nil {
		return err
	}
	if req.GetCursor() < 0 {
		return status.Errorf(codes.InvalidArgument, "the cursor is %d", req.GetCursor())
	}
	for i := req.GetCursor(); i < int64(len(s.tasks)); i++ {
		task := &awhostv1.Task{Id: s.tasks[i].GetId(), PublicJson: s.tasks[i].GetPublicJson()}
		if err := stream.Send(&awhostv1.HostServiceTasksResponse{Task: task}); err != nil {
			return err
		}
	}
	return nil
}

// StepBoundary implements HostService.
func (h *host) StepBoundary(ctx context.Context, req *awhostv1.StepBoundaryRequest) (*awhostv1.StepBoundaryResponse,
	error) {
	s, err := h.currentStage()
	if err != nil {
		return nil, err
	}
	directive, err := s.boundary(ctx, req)
	if err != nil {
		return nil, err
	}
	return &awhostv1.StepBoundaryResponse{Directive: directive, Reason: "conformance"}, nil
}

// Log implements HostService.
func (h *host) Log(_ context.Context, req *awhostv1.LogRequest) (*awhostv1.LogResponse, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.logLines) < maxLogLines {
		h.logLines = append(h.logLines, req.String())
	}
	return &awhostv1.LogResponse{}, nil
}

// maxLogLines limits the number of Log lines that are kept for checks.
const maxLogLines = 10_000

// loggedLines returns the Log lines received so far.
func (h *host) loggedLines() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.logLines)
}
