package sdk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

// RemoteEnvironment returns a client for an environment component. name, the address of the environment's block,
// appears in errors. Errors keep the type that the component returned. If the peer has exited, the error is
// ErrUnavailable. A response that violates the protocol causes a Failure of class ENVIRONMENT that names the field.
func RemoteEnvironment(conn grpc.ClientConnInterface, name string) Environment {
	return remoteEnvironment{awhostv1.NewEnvironmentServiceClient(conn), name}
}

type remoteEnvironment struct {
	client awhostv1.EnvironmentServiceClient
	name   string
}

// malformed returns a Failure that attributes a malformed response to the environment.
func (r remoteEnvironment) malformed(rpc string, err error) error {
	return &Failure{Class: FailureEnvironment, Detail: fmt.Sprintf("%s: malformed response to %s: %v", r.name, rpc, err)}
}

func (r remoteEnvironment) Open(ctx context.Context, req OpenRequest) (*OpenResponse, error) {
	out, err := r.client.Open(ctx, &awhostv1.OpenRequest{
		EpisodeId: req.EpisodeID, Task: taskToWire(req.Task), Seed: req.Seed, Split: splits.toWire[req.Split],
	})
	if err != nil {
		return nil, errorFromStatus(err)
	}
	if err := checkOpenResponse(out); err != nil {
		return nil, r.malformed("Open", err)
	}
	return &OpenResponse{
		InstanceID: out.GetInstanceId(), Messages: messagesFromWire(out.GetMessages()), Tools: toolsFromWire(out.GetTools()),
		MaxTurns: int(out.GetLimits().GetMaxTurns()),
	}, nil
}

func (r remoteEnvironment) Step(ctx context.Context, req StepRequest) (*StepResponse, error) {
	out, err := r.client.Step(ctx, &awhostv1.StepRequest{
		EpisodeId: req.EpisodeID, InstanceId: req.InstanceID, StepId: req.StepID, Message: messageToWire(req.Message),
	})
	if err != nil {
		return nil, errorFromStatus(err)
	}
	if err := checkStepResponse(out); err != nil {
		return nil, r.malformed("Step", err)
	}
	return &StepResponse{
		Messages: messagesFromWire(out.GetMessages()), TurnReward: out.TurnReward, Done: out.GetDone(),
		Truncated: out.GetTruncated(),
		Tools:     toolsFromWire(out.GetToolsChanged().GetTools()), ToolsChanged: out.GetToolsChanged() != nil,
		Metrics: out.GetMetrics(),
	}, nil
}

func (r remoteEnvironment) Close(ctx context.Context, req CloseRequest) (*CloseResponse, error) {
	out, err := r.client.Close(ctx, &awhostv1.CloseRequest{EpisodeId: req.EpisodeID, InstanceId: req.InstanceID,
		Reason: req.Reason})
	if err != nil {
		return nil, errorFromStatus(err)
	}
	if err := checkFinite("metrics:", out.GetMetrics()); err != nil {
		return nil, r.malformed("Close", err)
	}
	return &CloseResponse{StateDigest: out.GetFinalStateDigest(), Metrics: out.GetMetrics()}, nil
}

func (r remoteEnvironment) Snapshot(ctx context.Context, episodeID string) (json.RawMessage, error) {
	out, err := r.client.Snapshot(ctx, &awhostv1.SnapshotRequest{EpisodeId: episodeID})
	if err != nil {
		return nil, errorFromStatus(err)
	}
	if err := checkState(out.GetStateJson()); err != nil {
		return nil, r.malformed("Snapshot", err)
	}
	return out.GetStateJson(), nil
}

func (r remoteEnvironment) Tasks(ctx context.Context, split Split, cursor int, yield func(Task) bool) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stream, err := r.client.Tasks(ctx, &awhostv1.EnvironmentServiceTasksRequest{Split: splits.toWire[split],
		Cursor: int64(cursor)})
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

// RemoteReward returns a client for a reward.
func RemoteReward(conn grpc.ClientConnInterface) Reward {
	return remoteReward{awhostv1.NewRewardServiceClient(conn)}
}

type remoteReward struct {
	client awhostv1.RewardServiceClient
}

func (r remoteReward) Score(ctx context.Context, req ScoreRequest) (*ScoreResponse, error) {
	out, err := r.client.Score(ctx, scoreRequestToWire(req))
	if err != nil {
		return nil, errorFromStatus(err)
	}
	if len(out.GetItems()) != len(req.Items) {
		return nil, fmt.Errorf("score: %d items got %d results", len(req.Items), len(out.GetItems()))
	}
	return &ScoreResponse{Items: mapSlice(out.GetItems(), scoredFromWire), Metrics: out.GetMetrics()}, nil
}

// RemoteAdapter returns a client for an adapter. The Host that is passed to Train and Recover is not used, because the
// remote adapter received its host through Configure.
func RemoteAdapter(conn grpc.ClientConnInterface) Adapter {
	return remoteAdapter{awhostv1.NewAdapterServiceClient(conn)}
}

type remoteAdapter struct {
	client awhostv1.AdapterServiceClient
}

func (r remoteAdapter) Plan(ctx context.Context, req PlanRequest) (*PlanResponse, error) {
	wire, err := planRequestToWire(req)
	if err != nil {
		return nil, err
	}
	out, err := r.client.Plan(ctx, wire)
	if err != nil {
		return nil, errorFromStatus(err)
	}
	return planResponseFromWire(out), nil
}

func (r remoteAdapter) Train(ctx context.Context, req TrainRequest, _ Host, emit func(TrainEvent) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	wire, err := trainRequestToWire(req)
	if err != nil {
		return err
	}
	stream, err := r.client.Train(ctx, wire)
	if err != nil {
		return errorFromStatus(err)
	}
	return receiveEvents(func() (*awhostv1.TrainEvent, error) {
		out, err := stream.Recv()
		return out.GetEvent(), err
	}, emit)
}

func (r remoteAdapter) Recover(ctx context.Context, req RecoverRequest, _ Host, emit func(TrainEvent) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stream, err := r.client.Recover(ctx, &awhostv1.RecoverRequest{LaunchId: req.LaunchID, Handle: req.Handle,
		AfterSeq: req.AfterSeq})
	if err != nil {
		return recoverError(err)
	}
	return receiveEvents(func() (*awhostv1.TrainEvent, error) {
		out, err := stream.Recv()
		return out.GetEvent(), recoverError(err)
	}, emit)
}

// recoverError converts like errorFromStatus for Recover: an adapter without Recover has no trainer that outlives it.
func recoverError(err error) error {
	switch status.Code(err) {
	case codes.NotFound, codes.Unimplemented:
		return fmt.Errorf("%w: %s", ErrNoTrainer, status.Convert(err).Message())
	}
	return err
}

// receiveEvents emits events until the stream ends. A stream that ends without `finished` is treated as broken.
func receiveEvents(recv func() (*awhostv1.TrainEvent, error), emit func(TrainEvent) error) error {
	finished := false
	for {
		wire, err := recv()
		switch {
		case errors.Is(err, io.EOF) && finished:
			return nil
		case errors.Is(err, io.EOF):
			return fmt.Errorf("%w: the event stream ended without a finished event", ErrUnavailable)
		case err != nil:
			return errorFromStatus(err)
		}
		event := trainEventFromWire(wire)
		finished = finished || event.Finished != nil
		if err := emit(event); err != nil {
			return err
		}
	}
}

func (r remoteAdapter) Generate(ctx context.Context, req GenerateRequest) (*GenerateResponse, error) {
	out, err := r.client.Generate(ctx, generateRequestToWire(req))
	if err != nil {
		return nil, errorFromStatus(err)
	}
	return generateResponseFromWire(out), nil
}

func (r remoteAdapter) Evaluate(ctx context.Context, launchID string) error {
	_, err := r.client.Evaluate(ctx, &awhostv1.EvaluateRequest{LaunchId: launchID})
	return launchError(err)
}

func (r remoteAdapter) Control(ctx context.Context, req ControlRequest) error {
	_, err := r.client.Control(ctx, &awhostv1.ControlRequest{LaunchId: req.LaunchID,
		Action: controlActions.toWire[req.Action], Reason: req.Reason})
	return launchError(err)
}

// launchError converts like errorFromStatus for calls about a launch: NOT_FOUND means that it is not being trained.
func launchError(err error) error {
	if status.Code(err) == codes.NotFound {
		return fmt.Errorf("%w: %s", ErrNoTrainer, status.Convert(err).Message())
	}
	return errorFromStatus(err)
}

func (r remoteAdapter) Load(ctx context.Context, req LoadRequest) (*LoadResponse, error) {
	out, err := r.client.Load(ctx, &awhostv1.LoadRequest{Checkpoint: req.Checkpoint, Seed: req.Seed,
		PolicyJson: req.Policy})
	if err != nil {
		return nil, errorFromStatus(err)
	}
	return loadResponseFromWire(out), nil
}

func (r remoteAdapter) Release(ctx context.Context, episodeID string) error {
	_, err := r.client.Release(ctx, &awhostv1.ReleaseRequest{EpisodeId: episodeID})
	return errorFromStatus(err)
}

func (r remoteAdapter) Export(ctx context.Context, req ExportRequest) (*ExportResponse, error) {
	out, err := r.client.Export(ctx, &awhostv1.ExportRequest{Checkpoint: req.Checkpoint, Format: req.Format,
		Target: req.Target})
	if status.Code(err) == codes.AlreadyExists {
		return nil, existsError(status.Convert(err).Message())
	}
	if err != nil {
		return nil, errorFromStatus(err)
	}
	return exportResponseFromWire(out), nil
}

func (r remoteAdapter) DeleteCheckpoint(ctx context.Context, dir string) error {
	_, err := r.client.DeleteCheckpoint(ctx, &awhostv1.DeleteCheckpointRequest{Checkpoint: dir})
	return errorFromStatus(err)
}

// existsError reports that the target of an export already exists, in the adapter's words.
type existsError string

// Error implements error.
func (e existsError) Error() string { return string(e) }

// Is implements errors.Is.
func (existsError) Is(target error) bool { return target == fs.ErrExist }

// RemotePlugin is a client for a plugin's common service.
type RemotePlugin struct {
	client  awhostv1.PluginServiceClient
	offered atomic.Pointer[[]Tool]
}

// NewRemotePlugin wraps a connection to a plugin.
func NewRemotePlugin(conn grpc.ClientConnInterface) *RemotePlugin {
	return &RemotePlugin{client: awhostv1.NewPluginServiceClient(conn)}
}

// Describe requests the plugin's description.
func (r *RemotePlugin) Describe(ctx context.Context) (*Description, error) {
	out, err := r.client.Describe(ctx, &awhostv1.DescribeRequest{})
	if err != nil {
		return nil, errorFromStatus(err)
	}
	return descriptionFromWire(out), nil
}

// ValidateConfig checks a component's configuration; unknown lists the paths of attributes that do not have a value
// yet.
func (r *RemotePlugin) ValidateConfig(ctx context.Context, kind ComponentKind, typ string, config json.RawMessage,
	unknown [][]string) ([]Diagnostic, error) {
	out, err := r.client.ValidateConfig(ctx, &awhostv1.ValidateConfigRequest{
		Kind: kinds.toWire[kind], Type: typ, Config: &awhostv1.Value{Json: config, Unknown: pathsToWire(unknown)},
	})
	if err != nil {
		return nil, errorFromStatus(err)
	}
	return diagnosticsFromWire(out.GetDiagnostics()), nil
}

// ProbeConfig checks a component's configuration as ValidateConfig does, and lets the component check whether it will
// work, within the limits of probe.
func (r *RemotePlugin) ProbeConfig(
	ctx context.Context, kind ComponentKind, typ string, config json.RawMessage, probe Probe,
) (*ProbeResponse, error) {
	out, err := r.client.ValidateConfig(ctx, &awhostv1.ValidateConfigRequest{
		Kind: kinds.toWire[kind], Type: typ, Config: &awhostv1.Value{Json: config}, Probe: probes.toWire[probe],
	})
	if err != nil {
		return nil, errorFromStatus(err)
	}
	return &ProbeResponse{diagnosticsFromWire(out.GetDiagnostics()), toolSetFromWire(out.GetOffered())}, nil
}

// ConfigureRequest selects and configures a process's component.
type ConfigureRequest struct {
	Kind        ComponentKind
	Type        string
	Config      json.RawMessage
	Sensitive   [][]string // paths of secret values
	RunID       string
	Incarnation int
	Dir         string
	HostSocket  string // of the host service; empty: the component never calls it
}

// Configure sends the process its configuration.
func (r *RemotePlugin) Configure(ctx context.Context, req ConfigureRequest) ([]Diagnostic, error) {
	wire := &awhostv1.ConfigureRequest{
		Kind: kinds.toWire[req.Kind], Type: req.Type, Config: &awhostv1.Value{Json: req.Config,
			Sensitive: pathsToWire(req.Sensitive)},
		RunId: req.RunID, Incarnation: int64(req.Incarnation), Directory: req.Dir,
	}
	if req.HostSocket != "" {
		wire.Host = &awhostv1.HostAddress{Network: "unix", Address: req.HostSocket, ServerName: "localhost"}
	}
	out, err := r.client.Configure(ctx, wire)
	if err != nil {
		return nil, errorFromStatus(err)
	}
	offered := toolSetFromWire(out.GetOffered())
	r.offered.Store(&offered)
	return diagnosticsFromWire(out.GetDiagnostics()), nil
}

// Offered returns the tools that the environment offers in every episode, as reported when it was configured. Nil
// means that they are unknown, or differ between episodes.
func (r *RemotePlugin) Offered() []Tool {
	if offered := r.offered.Load(); offered != nil {
		return *offered
	}
	return nil
}

func pathsToWire(paths [][]string) []*awhostv1.Path {
	return mapSlice(paths, func(p []string) *awhostv1.Path { return &awhostv1.Path{Steps: p} })
}

// Stop asks the component to finish within grace and forwards its progress.
func (r *RemotePlugin) Stop(ctx context.Context, grace time.Duration, reason string, progress func(string)) error {
	stream, err := r.client.Stop(ctx, &awhostv1.StopRequest{Grace: durationToWire(grace), Reason: reason})
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
		progress(out.GetProgress())
	}
}

var (
	_ EnvironmentWithSnapshot      = remoteEnvironment{}
	_ EnvironmentWithTasks         = remoteEnvironment{}
	_ Reward                       = remoteReward{}
	_ AdapterWithRecover           = remoteAdapter{}
	_ AdapterWithEvaluate          = remoteAdapter{}
	_ AdapterWithLoad              = remoteAdapter{}
	_ AdapterWithExport            = remoteAdapter{}
	_ AdapterWithRemoteCheckpoints = remoteAdapter{}
)
