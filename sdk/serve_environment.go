package sdk

import (
	"context"
	"fmt"
	"sync"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

// environmentServer serves a component. It provides the protocol's guarantees for every environment: calls for one
// episode run one after another, a repeated step_id receives the stored response, and no step runs after done.
type environmentServer struct {
	awhostv1.UnimplementedEnvironmentServiceServer
	component *configured[Environment]

	mu       sync.Mutex
	episodes map[string]*episodeState
}

// episodeState is the server's state for an open episode. Memory use is limited by the open episodes.
type episodeState struct {
	turn     chan struct{} // holds one token: the calls of the episode run one at a time
	lastStep string
	last     *awhostv1.StepResponse
	done     bool
}

func newEpisodeState() *episodeState { return &episodeState{turn: make(chan struct{}, 1)} }

// enter waits for the calls that precede this one. A component that ignores that its call has ended must not block the
// end of other calls.
func (e *episodeState) enter(ctx context.Context) error {
	select {
	case e.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return errorToStatus(ctx.Err())
	}
}

func (e *episodeState) leave() { <-e.turn }

func newEnvironmentServer(component *configured[Environment]) *environmentServer {
	return &environmentServer{component: component, episodes: map[string]*episodeState{}}
}

// Open implements EnvironmentService.
func (s *environmentServer) Open(ctx context.Context, req *awhostv1.OpenRequest) (*awhostv1.OpenResponse, error) {
	environment, err := s.component.get()
	if err != nil {
		return nil, err
	}
	if req.GetEpisodeId() == "" {
		return nil, status.Error(codes.InvalidArgument, "open: episode_id is empty")
	}
	state := s.addEpisode(req.GetEpisodeId())
	if err := state.enter(ctx); err != nil {
		return nil, err
	}
	defer state.leave()
	state.lastStep, state.last, state.done = "", nil, false // a repeated Open restarts the episode
	opened := false
	defer func() {
		if !opened {
			s.removeEpisode(req.GetEpisodeId(), state)
		}
	}()
	task := taskFromWire(req.GetTask())
	if !s.component.hasNeed(NeedGroundTruth) {
		task.Private = nil
	}
	out, err := environment.Open(ctx, OpenRequest{
		EpisodeID: req.GetEpisodeId(), Task: task, Seed: req.GetSeed(), Split: splits.toGo[req.GetSplit()],
	})
	if err != nil {
		return nil, errorToStatus(err)
	}
	if err := checkTools(out.Tools); err != nil {
		return nil, status.Error(codes.Internal, err.Error())
	}
	opened = true
	return &awhostv1.OpenResponse{
		InstanceId: out.InstanceID, Messages: messagesToWire(out.Messages), Tools: toolsToWire(out.Tools),
		Limits: &awhostv1.EpisodeLimits{MaxTurns: int64(out.MaxTurns)},
	}, nil
}

// addEpisode returns the state for an episode that is to be opened.
func (s *environmentServer) addEpisode(id string) *episodeState {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.episodes[id] == nil {
		s.episodes[id] = newEpisodeState()
	}
	return s.episodes[id]
}

func (s *environmentServer) episode(id string) *episodeState {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.episodes[id]
}

// enter waits until it is the call's turn in an open episode. The caller must call leave.
func (s *environmentServer) enter(ctx context.Context, id string) (*episodeState, error) {
	state := s.episode(id)
	if state == nil {
		return nil, errorToStatus(ErrSessionLost)
	}
	if err := state.enter(ctx); err != nil {
		return nil, err
	}
	if s.episode(id) != state { // closed, or its opening failed, while this call waited
		state.leave()
		return nil, errorToStatus(ErrSessionLost)
	}
	return state, nil
}

func (s *environmentServer) removeEpisode(id string, state *episodeState) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.episodes[id] == state {
		delete(s.episodes, id)
	}
}

func checkTools(tools []Tool) error {
	seen := make(map[string]bool, len(tools))
	for _, tool := range tools {
		if tool.Name == "" {
			return fmt.Errorf("the environment offers a tool without a name")
		}
		if seen[tool.Name] {
			return fmt.Errorf("the environment offers two tools named %q: names must be unique within an episode", tool.Name)
		}
		seen[tool.Name] = true
	}
	return nil
}

// Step implements EnvironmentService.
func (s *environmentServer) Step(ctx context.Context, req *awhostv1.StepRequest) (*awhostv1.StepResponse, error) {
	environment, err := s.component.get()
	if err != nil {
		return nil, err
	}
	if req.GetStepId() == "" {
		return nil, status.Error(codes.InvalidArgument, "step: step_id is empty but is required as the idempotency key")
	}
	state, err := s.enter(ctx, req.GetEpisodeId())
	if err != nil {
		return nil, err
	}
	defer state.leave()
	if state.lastStep == req.GetStepId() && state.last != nil {
		return state.last, nil
	}
	if state.done {
		return nil, status.Error(codes.FailedPrecondition, "step: the episode is done; open it again to restart it")
	}
	out, err := environment.Step(ctx, StepRequest{
		EpisodeID: req.GetEpisodeId(), InstanceID: req.GetInstanceId(), StepID: req.GetStepId(),
		Message: messageFromWire(req.GetMessage()),
	})
	if err != nil {
		return nil, errorToStatus(err)
	}
	response, err := stepResponseToWire(out)
	if err != nil {
		return nil, status.Error(codes.Internal, err.Error())
	}
	state.lastStep, state.last, state.done = req.GetStepId(), response, out.Done
	return response, nil
}

func stepResponseToWire(out *StepResponse) (*awhostv1.StepResponse, error) {
	if out.TurnReward != nil {
		if err := checkNumber("turn reward", *out.TurnReward); err != nil {
			return nil, err
		}
	}
	if err := checkFinite("metric", out.Metrics); err != nil {
		return nil, err
	}
	response := &awhostv1.StepResponse{
		Messages: messagesToWire(out.Messages), TurnReward: out.TurnReward,
		Done: out.Done || out.Truncated, Truncated: out.Truncated,
		Metrics: out.Metrics,
	}
	if out.ToolsChanged {
		if err := checkTools(out.Tools); err != nil {
			return nil, err
		}
		response.ToolsChanged = &awhostv1.ToolSet{Tools: toolsToWire(out.Tools)}
	}
	return response, nil
}

// Snapshot implements EnvironmentService.
func (s *environmentServer) Snapshot(ctx context.Context, req *awhostv1.SnapshotRequest) (*awhostv1.SnapshotResponse,
	error) {
	environment, err := s.component.get()
	if err != nil {
		return nil, err
	}
	withSnapshot, ok := environment.(EnvironmentWithSnapshot)
	if !ok {
		return nil, status.Error(codes.Unimplemented, "snapshot: the environment does not support snapshots")
	}
	state, err := s.enter(ctx, req.GetEpisodeId())
	if err != nil {
		return nil, err
	}
	defer state.leave()
	snapshot, err := withSnapshot.Snapshot(ctx, req.GetEpisodeId())
	if err != nil {
		return nil, errorToStatus(err)
	}
	return &awhostv1.SnapshotResponse{StateJson: snapshot}, nil
}

// Close implements EnvironmentService.
func (s *environmentServer) Close(ctx context.Context, req *awhostv1.CloseRequest) (*awhostv1.CloseResponse, error) {
	environment, err := s.component.get()
	if err != nil {
		return nil, err
	}
	if state := s.episode(req.GetEpisodeId()); state != nil {
		s.removeEpisode(req.GetEpisodeId(), state) // from here on a Step is a lost session, whatever Close returns
		if err := state.enter(ctx); err != nil {
			return nil, err
		}
		defer state.leave()
	}
	out, err := environment.Close(ctx, CloseRequest{EpisodeID: req.GetEpisodeId(), InstanceID: req.GetInstanceId(),
		Reason: req.GetReason()})
	if err != nil {
		return nil, errorToStatus(err)
	}
	if out == nil {
		out = &CloseResponse{}
	}
	if err := checkFinite("metric", out.Metrics); err != nil {
		return nil, status.Error(codes.Internal, err.Error())
	}
	return &awhostv1.CloseResponse{FinalStateDigest: out.StateDigest, Metrics: out.Metrics}, nil
}

// Tasks implements EnvironmentService.
func (s *environmentServer) Tasks(req *awhostv1.EnvironmentServiceTasksRequest,
	stream awhostv1.EnvironmentService_TasksServer) error {
	environment, err := s.component.get()
	if err != nil {
		return err
	}
	withTasks, ok := environment.(EnvironmentWithTasks)
	if !ok {
		return status.Error(codes.Unimplemented, "tasks: the environment has no built-in tasks")
	}
	var sendErr error
	err = withTasks.Tasks(stream.Context(), splits.toGo[req.GetSplit()], int(req.GetCursor()), func(t Task) bool {
		sendErr = stream.Send(&awhostv1.EnvironmentServiceTasksResponse{Task: taskToWire(t)})
		return sendErr == nil
	})
	if sendErr != nil {
		return sendErr
	}
	return errorToStatus(err)
}

var _ awhostv1.EnvironmentServiceServer = (*environmentServer)(nil)
