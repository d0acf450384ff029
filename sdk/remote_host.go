package sdk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/awhost/awhost/sdk/internal/multiplex"
	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

// heartbeatInterval is how often RunEpisode reports that an episode is still queued or running.
const heartbeatInterval = 10 * time.Second

// RemoteHost returns a client for the host. RunEpisode repeats a call with the same ID after the connection is lost, so
// that it joins the running episode. Episodes share a stream that lasts as long as the connection, so create one Host
// per connection.
func RemoteHost(conn grpc.ClientConnInterface) Host {
	return newRemoteHost(conn, DefaultMessageBytes, heartbeatTimeout)
}

// heartbeatTimeout is how long a host may go without a heartbeat before it is considered to have exited.
const heartbeatTimeout = 6 * heartbeatInterval

func newRemoteHost(conn grpc.ClientConnInterface, limit int, silence time.Duration) remoteHost {
	episodes := multiplex.NewConn(conn, multiplex.Options{
		MaxMessageBytes: limit, WaitForReady: true, Streams: []string{awhostv1.HostService_RunEpisode_FullMethodName},
	})
	return remoteHost{client: awhostv1.NewHostServiceClient(conn), episodes: awhostv1.NewHostServiceClient(episodes),
		heartbeatTimeout: silence}
}

type remoteHost struct {
	client           awhostv1.HostServiceClient
	episodes         awhostv1.HostServiceClient // for RunEpisode
	heartbeatTimeout time.Duration              // maximum time without a heartbeat; then the host counts as gone
}

// reconnectAttempts limits the number of consecutive repeats of RunEpisode that receive nothing about the episode.
// gRPC's own back-off spaces them.
const reconnectAttempts = 5

func (r remoteHost) RunEpisode(ctx context.Context, req EpisodeRequest) (*EpisodeResult, error) {
	wire := episodeRequestToWire(req)
	for attempt := 1; ; attempt++ {
		result, received, err := r.runEpisode(ctx, wire)
		if err == nil {
			return result, nil
		}
		if received {
			attempt = 1
		}
		if !errors.Is(err, ErrUnavailable) || attempt == reconnectAttempts || ctx.Err() != nil {
			return nil, fmt.Errorf("run episode %s: %w", req.EpisodeID, err)
		}
	}
}

// runEpisode makes one attempt; received reports whether the host sent any messages.
func (r remoteHost) runEpisode(ctx context.Context, wire *awhostv1.RunEpisodeRequest) (_ *EpisodeResult, received bool,
	_ error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	silence := fmt.Errorf("%w: nothing was received from the host for %s", ErrUnavailable, r.heartbeatTimeout)
	watch := time.AfterFunc(r.heartbeatTimeout, func() { cancel(silence) })
	defer watch.Stop()
	stream, err := r.episodes.RunEpisode(ctx, wire, grpc.WaitForReady(true))
	for err == nil {
		var out *awhostv1.RunEpisodeResponse
		if out, err = stream.Recv(); err != nil {
			break
		}
		received = true
		watch.Reset(r.heartbeatTimeout)
		if result := out.GetResult(); result != nil {
			_, _ = stream.Recv() // wait for the end: nothing is left to cancel
			return episodeResultFromWire(result), received, nil
		}
	}
	switch {
	case errors.Is(context.Cause(ctx), silence):
		return nil, received, silence
	case errors.Is(err, io.EOF):
		return nil, received, fmt.Errorf("%w: the stream ended without a result", ErrUnavailable)
	}
	return nil, received, errorFromStatus(err)
}

func (r remoteHost) CancelEpisode(ctx context.Context, episodeID, reason string) error {
	_, err := r.client.CancelEpisode(ctx, &awhostv1.CancelEpisodeRequest{EpisodeId: episodeID, Reason: reason})
	return errorFromStatus(err)
}

func (r remoteHost) Tasks(ctx context.Context, req TasksRequest, yield func(Task) bool) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stream, err := r.client.Tasks(ctx, &awhostv1.HostServiceTasksRequest{
		Split: splits.toWire[req.Split], Dataset: req.Dataset, Stage: req.Stage, Cursor: int64(req.Cursor),
	})
	if err != nil {
		return errorFromStatus(err)
	}
	for {
		out, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return errorFromStatus(err)
		}
		if !yield(taskFromWire(out.GetTask())) {
			return nil
		}
	}
}

func (r remoteHost) StepBoundary(ctx context.Context, req StepBoundaryRequest) (*StepBoundaryResponse, error) {
	out, err := r.client.StepBoundary(ctx, &awhostv1.StepBoundaryRequest{
		LaunchId: req.LaunchID, Stage: req.Stage, Step: int64(req.Step), Validated: req.Validated, AfterSeq: req.AfterSeq,
	})
	if err != nil {
		return nil, errorFromStatus(err)
	}
	return &StepBoundaryResponse{Directive: directives.toGo[out.GetDirective()], Reason: out.GetReason()}, nil
}

// HostServer is the host's side of HostService.
type HostServer struct {
	Host Host
	// Authorize checks whether ctx's caller may control the run; nil permits every caller. An error that wraps
	// ErrUnavailable reports that no caller may do so at the moment.
	Authorize func(ctx context.Context) error
	// Log receives the lines from HostService.Log; nil discards them.
	Log func(ctx context.Context, level, message string, fields map[string]string)
	// Heartbeat is how often RunEpisode reports that it is still running; 0 means heartbeatInterval.
	Heartbeat time.Duration
	// Agents answers the calls of agents, or is nil without agents. It identifies the caller using ctx.
	Agents AgentHost
	// Interceptors are the interceptors for calls that share a stream. The server's interceptors do not see such calls.
	Interceptors []grpc.UnaryServerInterceptor
	// MaxMessageBytes is the size of the largest message to and from ctx's caller; nil means DefaultMessageBytes. The
	// server must accept at least as much.
	MaxMessageBytes func(ctx context.Context) int
}

// Register makes the service available on server, including to peers that share a stream (CallService).
func (h HostServer) Register(server grpc.ServiceRegistrar) {
	if h.MaxMessageBytes == nil {
		h.MaxMessageBytes = func(context.Context) int { return DefaultMessageBytes }
	}
	shared := newMultiplexServer(MaxMessageBytes, append([]grpc.UnaryServerInterceptor{recoverUnary},
		h.Interceptors...)...)
	awhostv1.RegisterHostServiceServer(limitedRegistrar{shared.Register(server), h.MaxMessageBytes}, &hostServer{h: h})
}

type hostServer struct {
	awhostv1.UnimplementedHostServiceServer
	h HostServer
}

func (s *hostServer) authorize(ctx context.Context) error {
	if s.h.Authorize == nil {
		return nil
	}
	err := s.h.Authorize(ctx)
	if errors.Is(err, ErrUnavailable) { // no caller may, for now
		return errorToStatus(err)
	}
	if err != nil {
		return status.Error(codes.PermissionDenied, err.Error())
	}
	return nil
}

// RunEpisode implements HostService.
func (s *hostServer) RunEpisode(req *awhostv1.RunEpisodeRequest, stream awhostv1.HostService_RunEpisodeServer) error {
	ctx := stream.Context()
	if err := s.authorize(ctx); err != nil {
		return err
	}
	if req.GetEpisodeId() == "" || req.GetGroupId() == "" {
		return status.Error(codes.InvalidArgument, "run episode: episode_id and group_id must be set")
	}
	type answer struct {
		result *EpisodeResult
		err    error
	}
	done := make(chan answer, 1)
	go func() {
		var a answer
		defer func() { done <- a }()
		defer recovered("RunEpisode", &a.err)
		a.result, a.err = s.h.Host.RunEpisode(ctx, episodeRequestFromWire(req))
	}()
	heartbeat := time.NewTicker(cmp.Or(s.h.Heartbeat, heartbeatInterval))
	defer heartbeat.Stop()
	for {
		select {
		case a := <-done:
			if a.err != nil {
				return errorToStatus(a.err)
			}
			result := a.result
			if failure := result.Oversize(s.h.MaxMessageBytes(ctx)); failure != nil {
				result = result.WithoutContent()
				result.Outcome, result.Masked, result.Failure = OutcomeFailed, true, failure // the adapter continues
			}
			return stream.Send(resultToWire(result))
		case <-heartbeat.C:
			beat := &awhostv1.RunEpisodeResponse{Progress: &awhostv1.RunEpisodeResponse_Heartbeat{Heartbeat: &awhostv1.EpisodeHeartbeat{}}}
			if err := stream.Send(beat); err != nil {
				<-done // the context is canceled with the stream, so this ends
				return err
			}
		}
	}
}

// Oversize returns the failure for an episode whose result does not fit in a message to its adapter, or nil.
func (r *EpisodeResult) Oversize(limit int) *Failure {
	err := checkResponseSize(resultToWire(r), limit)
	if err == nil {
		return nil
	}
	return &Failure{Class: FailureAgent, Detail: status.Convert(err).Message()}
}

func resultToWire(r *EpisodeResult) *awhostv1.RunEpisodeResponse {
	return &awhostv1.RunEpisodeResponse{Progress: &awhostv1.RunEpisodeResponse_Result{Result: episodeResultToWire(r)}}
}

// WithoutContent returns a result that contains only the fields of bounded size.
func (r *EpisodeResult) WithoutContent() *EpisodeResult {
	return &EpisodeResult{
		EpisodeID: r.EpisodeID, Attempt: r.Attempt, Draw: r.Draw, TaskID: r.TaskID, NumTurns: r.NumTurns,
		Timings: r.Timings, Outcome: r.Outcome, Masked: r.Masked, DropGroup: r.DropGroup, Failure: r.Failure,
	}
}

// CancelEpisode implements HostService.
func (s *hostServer) CancelEpisode(ctx context.Context,
	req *awhostv1.CancelEpisodeRequest) (*awhostv1.CancelEpisodeResponse, error) {
	if err := s.authorize(ctx); err != nil {
		return nil, err
	}
	return &awhostv1.CancelEpisodeResponse{}, errorToStatus(s.h.Host.CancelEpisode(ctx, req.GetEpisodeId(),
		req.GetReason()))
}

// Tasks implements HostService.
func (s *hostServer) Tasks(req *awhostv1.HostServiceTasksRequest, stream awhostv1.HostService_TasksServer) error {
	if err := s.authorize(stream.Context()); err != nil {
		return err
	}
	request := TasksRequest{Split: splits.toGo[req.GetSplit()], Dataset: req.GetDataset(), Stage: req.GetStage(),
		Cursor: int(req.GetCursor())}
	var sendErr error
	err := s.h.Host.Tasks(stream.Context(), request, func(t Task) bool {
		t.Private = nil
		sendErr = stream.Send(&awhostv1.HostServiceTasksResponse{Task: taskToWire(t)})
		return sendErr == nil
	})
	if sendErr != nil {
		return sendErr
	}
	return errorToStatus(err)
}

// StepBoundary implements HostService.
func (s *hostServer) StepBoundary(ctx context.Context,
	req *awhostv1.StepBoundaryRequest) (*awhostv1.StepBoundaryResponse, error) {
	if err := s.authorize(ctx); err != nil {
		return nil, err
	}
	out, err := s.h.Host.StepBoundary(ctx, StepBoundaryRequest{
		LaunchID: req.GetLaunchId(), Stage: req.GetStage(), Step: int(req.GetStep()), Validated: req.GetValidated(),
		AfterSeq: req.GetAfterSeq(),
	})
	if err != nil {
		return nil, errorToStatus(err)
	}
	return &awhostv1.StepBoundaryResponse{Directive: directives.toWire[out.Directive], Reason: out.Reason}, nil
}

// Log implements HostService.
func (s *hostServer) Log(ctx context.Context, req *awhostv1.LogRequest) (*awhostv1.LogResponse, error) {
	if s.h.Log != nil {
		s.h.Log(ctx, req.GetLevel(), req.GetMessage(), req.GetFields())
	}
	return &awhostv1.LogResponse{}, nil
}

var (
	_ Host                       = remoteHost{}
	_ awhostv1.HostServiceServer = (*hostServer)(nil)
)
