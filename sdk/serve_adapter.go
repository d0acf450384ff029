package sdk

import (
	"context"
	"errors"
	"sync"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

// adapterServer serves a component. It numbers events, refuses a second Train of a launch, and answers a repeated
// call_id of Generate from its record.
type adapterServer struct {
	awhostv1.UnimplementedAdapterServiceServer
	component *configured[Adapter]
	host      func() (Host, error) // dials on first use

	mu       sync.Mutex
	launches map[string]bool
	calls    map[string]*generateCall // by episode: the last call only
}

// generateCall is one Generate, running or answered.
type generateCall struct {
	id       string
	finished chan struct{}
	response *awhostv1.GenerateResponse
	err      error
}

func newAdapterServer(component *configured[Adapter], host func() (Host, error)) *adapterServer {
	return &adapterServer{component: component, host: host, launches: map[string]bool{}, calls: map[string]*generateCall{}}
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
	adapter, host, err := s.parts()
	if err != nil {
		return err
	}
	request, err := trainRequestFromWire(req)
	if err != nil {
		return status.Error(codes.InvalidArgument, err.Error())
	}
	if !s.claim(request.LaunchID) {
		return status.Errorf(codes.AlreadyExists, "train: launch %s was trained already: use Recover", request.LaunchID)
	}
	send := func(e *awhostv1.TrainEvent) error { return stream.Send(&awhostv1.TrainResponse{Event: e}) }
	return relay(0, send, func(emit func(TrainEvent) error, seq func() uint64) error {
		return adapter.Train(stream.Context(), request, launchHost{Host: host, server: s, seq: seq}, emit)
	})
}

// Recover implements AdapterService.
func (s *adapterServer) Recover(req *awhostv1.RecoverRequest, stream awhostv1.AdapterService_RecoverServer) error {
	adapter, host, err := s.parts()
	if err != nil {
		return err
	}
	recoverer, ok := adapter.(AdapterWithRecover)
	if !ok {
		return status.Error(codes.Unimplemented, "recover: the trainer does not outlive the adapter; start it again from its last checkpoint")
	}
	s.claim(req.GetLaunchId())
	send := func(e *awhostv1.TrainEvent) error { return stream.Send(&awhostv1.RecoverResponse{Event: e}) }
	return relay(req.GetAfterSeq(), send, func(emit func(TrainEvent) error, seq func() uint64) error {
		request := RecoverRequest{LaunchID: req.GetLaunchId(), Handle: req.GetHandle(), AfterSeq: req.GetAfterSeq()}
		return recoverer.Recover(stream.Context(), request, launchHost{Host: host, server: s, seq: seq}, emit)
	})
}

func (s *adapterServer) parts() (Adapter, Host, error) {
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

// claim reports whether the launch is new.
func (s *adapterServer) claim(launch string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.launches[launch] {
		return false
	}
	s.launches[launch] = true
	return true
}

// relay numbers the events of run from after+1 on and makes sure that the stream ends with `finished`.
func relay(after uint64, send func(*awhostv1.TrainEvent) error, run func(emit func(TrainEvent) error, seq func() uint64) error) error {
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
	switch {
	case err == nil:
		return emit(TrainEvent{Finished: &FinishedEvent{Outcome: FinishedCompleted, Step: last}})
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return errorToStatus(err)
	}
	return emit(TrainEvent{Finished: &FinishedEvent{Outcome: FinishedFailed, Reason: err.Error(), Step: last}})
}

// Generate implements AdapterService.
func (s *adapterServer) Generate(ctx context.Context, req *awhostv1.GenerateRequest) (*awhostv1.GenerateResponse, error) {
	adapter, err := s.component.get()
	if err != nil {
		return nil, err
	}
	if req.GetCallId() == "" {
		return nil, status.Error(codes.InvalidArgument, "generate: call_id is empty: it is the idempotency key")
	}
	call, mine := s.call(req.GetEpisodeId(), req.GetCallId())
	if !mine {
		select {
		case <-call.finished:
			return call.response, call.err
		case <-ctx.Done():
			return nil, errorToStatus(ctx.Err())
		}
	}
	defer close(call.finished)
	out, err := adapter.Generate(ctx, generateRequestFromWire(req))
	if err != nil {
		call.err = errorToStatus(err)
		s.drop(req.GetEpisodeId(), call) // nothing was sampled: a repeat may try again
		return nil, call.err
	}
	call.response = generateResponseToWire(out)
	return call.response, nil
}

func (s *adapterServer) call(episode, id string) (call *generateCall, mine bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.calls[episode]; c != nil && c.id == id {
		return c, false
	}
	c := &generateCall{id: id, finished: make(chan struct{})}
	s.calls[episode] = c
	return c, true
}

func (s *adapterServer) drop(episode string, call *generateCall) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.calls[episode] == call {
		delete(s.calls, episode)
	}
}

// launchHost is the host as one launch sees it.
type launchHost struct {
	Host
	server *adapterServer
	seq    func() uint64
}

// StepBoundary says which events came before, so that the host can wait for them.
func (h launchHost) StepBoundary(ctx context.Context, req StepBoundaryRequest) (*StepBoundaryResponse, error) {
	req.AfterSeq = h.seq()
	return h.Host.StepBoundary(ctx, req)
}

// RunEpisode drops the record of the episode's calls when its result has come, so that memory is bounded by the episodes
// in flight.
func (h launchHost) RunEpisode(ctx context.Context, req EpisodeRequest) (*EpisodeResult, error) {
	result, err := h.Host.RunEpisode(ctx, req)
	h.server.mu.Lock()
	delete(h.server.calls, req.EpisodeID)
	h.server.mu.Unlock()
	return result, err
}

// Evaluate implements AdapterService.
func (s *adapterServer) Evaluate(ctx context.Context, req *awhostv1.EvaluateRequest) (*awhostv1.EvaluateResponse, error) {
	adapter, err := s.component.get()
	if err != nil {
		return nil, err
	}
	evaluator, ok := adapter.(AdapterWithEvaluate)
	if !ok {
		return nil, status.Error(codes.Unimplemented, "evaluate: the adapter validates only when its own schedule says so")
	}
	return &awhostv1.EvaluateResponse{}, errorToStatus(evaluator.Evaluate(ctx, req.GetLaunchId()))
}

// Control implements AdapterService.
func (s *adapterServer) Control(ctx context.Context, req *awhostv1.ControlRequest) (*awhostv1.ControlResponse, error) {
	adapter, err := s.component.get()
	if err != nil {
		return nil, err
	}
	request := ControlRequest{LaunchID: req.GetLaunchId(), Action: controlActions.toGo[req.GetAction()], Reason: req.GetReason()}
	return &awhostv1.ControlResponse{}, errorToStatus(adapter.Control(ctx, request))
}

var _ awhostv1.AdapterServiceServer = (*adapterServer)(nil)
