package sdk

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

type agentServer struct {
	awhostv1.UnimplementedAgentServiceServer
	component *configured[Agent]
	host      func() (grpc.ClientConnInterface, error)
}

// Run implements AgentService.
func (s *agentServer) Run(ctx context.Context, req *awhostv1.RunRequest) (*awhostv1.RunResponse, error) {
	agent, err := s.component.get()
	if err != nil {
		return nil, err
	}
	if req.GetEpisodeId() == "" || req.GetLease() == "" {
		return nil, status.Error(codes.InvalidArgument, "run: episode_id and lease must be set")
	}
	conn, err := s.host()
	if err != nil {
		return nil, status.Error(codes.FailedPrecondition, "run: an agent requires the host: "+err.Error())
	}
	calls := leaseCalls{client: awhostv1.NewHostServiceClient(conn), lease: req.GetLease()}
	request := agentRequestFromWire(req)
	request.Task.Private = nil
	var session AgentSession
	if request.HasEnvironment {
		session = calls
	}
	out, err := agent.Run(ctx, request, calls, session)
	if err != nil {
		return nil, errorToStatus(err)
	}
	return agentResponseToWire(out)
}

// leaseCalls is the plugin's client for the host side of an episode.
type leaseCalls struct {
	client awhostv1.HostServiceClient
	lease  string
}

// Generate implements AgentModel.
func (c leaseCalls) Generate(ctx context.Context, req ModelRequest) (*ModelReply, error) {
	out, err := c.client.AgentGenerate(ctx, modelRequestToWire(c.lease, req))
	if err != nil {
		return nil, errorFromStatus(err)
	}
	return modelReplyFromWire(out), nil
}

// Step implements AgentSession.
func (c leaseCalls) Step(ctx context.Context, step AgentStep) (*StepResponse, error) {
	request := &awhostv1.AgentStepRequest{Lease: c.lease, CallId: step.CallID}
	if step.Message != nil {
		request.Message = messageToWire(*step.Message)
	}
	out, err := c.client.AgentStep(ctx, request)
	if err != nil {
		return nil, errorFromStatus(err)
	}
	return &StepResponse{
		Messages: messagesFromWire(out.GetMessages()), Done: out.GetDone(), Truncated: out.GetTruncated(),
		Tools: toolsFromWire(out.GetToolsChanged().GetTools()), ToolsChanged: out.GetToolsChanged() != nil,
	}, nil
}

// AgentGenerate implements HostService.
func (s *hostServer) AgentGenerate(ctx context.Context,
	req *awhostv1.AgentGenerateRequest) (*awhostv1.AgentGenerateResponse, error) {
	if s.h.Agents == nil {
		return nil, status.Error(codes.Unimplemented, "agent generate: this host does not run agents")
	}
	out, err := s.h.Agents.AgentGenerate(ctx, req.GetLease(), modelRequestFromWire(req))
	if err != nil {
		return nil, leaseErrorToStatus(err)
	}
	return modelReplyToWire(out), nil
}

// AgentStep implements HostService.
func (s *hostServer) AgentStep(ctx context.Context, req *awhostv1.AgentStepRequest) (*awhostv1.AgentStepResponse,
	error) {
	if s.h.Agents == nil {
		return nil, status.Error(codes.Unimplemented, "agent step: this host does not run agents")
	}
	step := AgentStep{CallID: req.GetCallId()}
	if req.GetMessage() != nil {
		message := messageFromWire(req.GetMessage())
		step.Message = &message
	}
	out, err := s.h.Agents.AgentStep(ctx, req.GetLease(), step)
	if err != nil {
		return nil, leaseErrorToStatus(err)
	}
	response := &awhostv1.AgentStepResponse{Messages: messagesToWire(out.Messages), Done: out.Done,
		Truncated: out.Truncated}
	if out.ToolsChanged {
		response.ToolsChanged = &awhostv1.ToolSet{Tools: toolsToWire(out.Tools)}
	}
	return response, nil
}

var (
	_ awhostv1.AgentServiceServer = (*agentServer)(nil)
	_ AgentModel                  = leaseCalls{}
	_ AgentSession                = leaseCalls{}
)
