package sdk

import (
	"context"
	"errors"
	"sync"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

// adapterServer serves a component. It numbers events, rejects a second Train for a launch, and responds to a repeated
// call_id in Generate from its record.
type adapterServer struct {
	awhostv1.UnimplementedAdapterServiceServer
	component *configured[Adapter]
	host      func() (Host, error) // dials on first use

	loading  sync.Mutex // one Load at a time
	mu       sync.Mutex
	loaded   bool // it serves a policy, and no longer trains
	launches map[string]bool
	calls    map[string]map[string]*generateCall // by episode and call_id
}

// generateCall is one Generate call, running or completed.
type generateCall struct {
	finished chan struct{}
	response *awhostv1.GenerateResponse // nil: nothing was sampled, and err is the reason
	err      error
}

func newAdapterServer(component *configured[Adapter], host func() (Host, error)) *adapterServer {
	return &adapterServer{component: component, host: host, launches: map[string]bool{},
		calls: map[string]map[string]*generateCall{}}
}

// Plan implements AdapterService.
func (s *adapterServer) Plan(ctx context.Context, req *awhostv1.PlanRequest) (*awhostv1.PlanResponse, error) {
	adapter, err := s.component.get()
	if err != nil {
		return nil, err
	}
	request, err := planRequestFromWire(req)
	if err != nil {
		return nil, status.Error(codes.InvalidArgument, err.Error())
	}
	out, err := adapter.Plan(ctx, request)
	if err != nil {
		return nil, errorToStatus(err)
	}
	return planResponseToWire(out), nil
}

// Train implements AdapterService.
func (s *adapterServer) Train(req *awhostv1.TrainRequest, stream awhostv1.AdapterService_TrainServer) error {
	adapter, host, err := s.adapterAndHost()
	if err != nil {
		return err
	}
	request, err := trainRequestFromWire(req)
	if err != nil {
		return status.Error(codes.InvalidArgument, err.Error())
	}
	fresh, err := s.registerLaunch(request.LaunchID)
	if err != nil {
		return err
	}
	if !fresh {
		return status.Errorf(codes.AlreadyExists, "train: launch %s has already been trained; use "+
			"Recover", request.LaunchID)
	}
	send := func(e *awhostv1.TrainEvent) error { return stream.Send(&awhostv1.TrainResponse{Event: e}) }
	return relay(0, send, func(emit func(TrainEvent) error, seq func() uint64) error {
		return adapter.Train(stream.Context(), request, launchHost{Host: host, server: s, seq: seq}, emit)
	})
}

// Recover implements AdapterService.
func (s *adapterServer) Recover(req *awhostv1.RecoverRequest, stream awhostv1.AdapterService_RecoverServer) error {
	adapter, host, err := s.adapterAndHost()
	if err != nil {
		return err
	}
	recoverer, ok := adapter.(AdapterWithRecover)
	if !ok {
		return status.Error(codes.Unimplemented, "recover: the trainer does not outlive the adapter; restart it "+
			"from its last checkpoint")
	}
	if _, err := s.registerLaunch(req.GetLaunchId()); err != nil {
		return err
	}
	send := func(e *awhostv1.TrainEvent) error { return stream.Send(&awhostv1.RecoverResponse{Event: e}) }
	return relay(req.GetAfterSeq(), send, func(emit func(TrainEvent) error, seq func() uint64) error {
		request := RecoverRequest{LaunchID: req.GetLaunchId(), Handle: req.GetHandle(), AfterSeq: req.GetAfterSeq()}
		err := recoverer.Recover(stream.Context(), request, launchHost{Host: host, server: s, seq: seq}, emit)
		if err != nil {
			return &recoverFailure{err}
		}
		return nil
	})
}

// recoverFailure is the error returned by Recover. Unlike an error from Train, it does not mean that the trainer has
// ended; only an event means that.
type recoverFailure struct{ error }

// Unwrap returns the cause.
func (e *recoverFailure) Unwrap() error { return e.error }

func (s *adapterServer) adapterAndHost() (Adapter, Host, error) {
	adapter, err := s.component.get()
	if err != nil {
		return nil, nil, err
	}
	host, err := s.host()
	if err != nil {
		return nil, nil, status.Error(codes.FailedPrecondition, err.Error())
	}
	return adapter, host, nil
}

// registerLaunch reports whether the launch is new. It rejects a launch in a process that serves a loaded policy.
func (s *adapterServer) registerLaunch(launch string) (fresh bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.loaded {
		return false, status.Error(codes.FailedPrecondition, "train: this process is serving a loaded policy; start "+
			"another process to train")
	}
	fresh = !s.launches[launch]
	s.launches[launch] = true
	return fresh, nil
}

// relay numbers run's events starting at after+1 and ensures that the stream ends with `finished`.
func relay(after uint64, send func(*awhostv1.TrainEvent) error,
	run func(emit func(TrainEvent) error, seq func() uint64) error) error {
	var mu sync.Mutex
	seq, last, ended := after, 0, false
	emit := func(e TrainEvent) error {
		mu.Lock()
		defer mu.Unlock()
		e.Seq = seq + 1
		wire, err := trainEventToWire(e)
		if err != nil {
			return err
		}
		if err := send(wire); err != nil {
			return err
		}
		seq++
		if e.Metrics != nil {
			last = e.Metrics.Step
		}
		ended = ended || e.Finished != nil
		return nil
	}
	err := run(emit, func() uint64 {
		mu.Lock()
		defer mu.Unlock()
		return seq
	})
	if ended {
		return nil
	}
	var unknown *recoverFailure
	switch {
	case err == nil:
		return emit(TrainEvent{Finished: &FinishedEvent{Outcome: FinishedCompleted, Step: last}})
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.Is(err, ErrUnavailable),
		errors.As(err, &unknown):
		return errorToStatus(err)
	}
	return emit(TrainEvent{Finished: &FinishedEvent{Outcome: FinishedFailed, Reason: err.Error(), Step: last}})
}

// Generate implements AdapterService.
func (s *adapterServer) Generate(ctx context.Context, req *awhostv1.GenerateRequest) (*awhostv1.GenerateResponse,
	error) {
	adapter, err := s.component.get()
	if err != nil {
		return nil, err
	}
	if req.GetCallId() == "" {
		return nil, status.Error(codes.InvalidArgument, "generate: call_id is empty but is required as the "+
			"idempotency key")
	}
	for {
		call, mine := s.call(req.GetEpisodeId(), req.GetCallId())
		if mine {
			return s.generate(ctx, adapter, req, call)
		}
		select {
		case <-call.finished:
		case <-ctx.Done():
			return nil, errorToStatus(ctx.Err())
		}
		if call.response != nil || !isCancellation(call.err) {
			return call.response, call.err
		}
		// The caller of the first call gave up, but this one did not, so it samples the message itself.
	}
}

// generate samples. A response is recorded; without one, a repeat of the call may try again.
func (s *adapterServer) generate(ctx context.Context, adapter Adapter, req *awhostv1.GenerateRequest,
	call *generateCall) (*awhostv1.GenerateResponse, error) {
	call.err = status.Error(codes.Internal, "generate: the adapter panicked") // unless Generate returns
	defer func() {
		if call.response == nil {
			s.removeCall(req.GetEpisodeId(), req.GetCallId(), call)
		}
		close(call.finished)
	}()
	out, err := adapter.Generate(ctx, generateRequestFromWire(req))
	if err != nil {
		call.err = errorToStatus(err)
		return nil, call.err
	}
	call.response, call.err = generateResponseToWire(out), nil
	return call.response, nil
}

// isCancellation reports whether a call ended because its caller canceled it or its deadline passed.
func isCancellation(err error) bool {
	code := status.Code(err)
	return code == codes.Canceled || code == codes.DeadlineExceeded
}

func (s *adapterServer) call(episode, id string) (call *generateCall, mine bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	calls := s.calls[episode]
	if calls == nil {
		calls = map[string]*generateCall{}
		s.calls[episode] = calls
	}
	if calls[id] == nil {
		calls[id], mine = &generateCall{finished: make(chan struct{})}, true
	}
	return calls[id], mine
}

func (s *adapterServer) removeCall(episode, id string, call *generateCall) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.calls[episode][id] == call {
		delete(s.calls[episode], id)
	}
	if len(s.calls[episode]) == 0 {
		delete(s.calls, episode)
	}
}

// launchHost is the host interface for one launch.
type launchHost struct {
	Host
	server *adapterServer
	seq    func() uint64
}

// StepBoundary adds the number of the last event, so that the host can wait for that event.
func (h launchHost) StepBoundary(ctx context.Context, req StepBoundaryRequest) (*StepBoundaryResponse, error) {
	req.AfterSeq = h.seq()
	return h.Host.StepBoundary(ctx, req)
}

// RunEpisode drops the record of the episode's calls when the episode's result arrives, so that memory use is limited
// by the number of episodes in flight.
func (h launchHost) RunEpisode(ctx context.Context, req EpisodeRequest) (*EpisodeResult, error) {
	result, err := h.Host.RunEpisode(ctx, req)
	h.server.mu.Lock()
	delete(h.server.calls, req.EpisodeID)
	h.server.mu.Unlock()
	return result, err
}

// Evaluate implements AdapterService.
func (s *adapterServer) Evaluate(ctx context.Context, req *awhostv1.EvaluateRequest) (*awhostv1.EvaluateResponse,
	error) {
	adapter, err := s.component.get()
	if err != nil {
		return nil, err
	}
	evaluator, ok := adapter.(AdapterWithEvaluate)
	if !ok {
		return nil, status.Error(codes.Unimplemented, "evaluate: the adapter validates only on its own schedule")
	}
	return &awhostv1.EvaluateResponse{}, errorToStatus(evaluator.Evaluate(ctx, req.GetLaunchId()))
}

// Control implements AdapterService.
func (s *adapterServer) Control(ctx context.Context, req *awhostv1.ControlRequest) (*awhostv1.ControlResponse, error) {
	adapter, err := s.component.get()
	if err != nil {
		return nil, err
	}
	request := ControlRequest{LaunchID: req.GetLaunchId(), Action: controlActions.toGo[req.GetAction()],
		Reason: req.GetReason()}
	return &awhostv1.ControlResponse{}, errorToStatus(adapter.Control(ctx, request))
}

var _ awhostv1.AdapterServiceServer = (*adapterServer)(nil)
