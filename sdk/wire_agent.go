package sdk

import (
	"encoding/json"
	"errors"
	"fmt"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

func agentRequestToWire(lease string, r AgentRequest) *awhostv1.RunRequest {
	task := r.Task
	task.Private = nil
	out := &awhostv1.RunRequest{
		EpisodeId: r.EpisodeID, Task: taskToWire(task), Deadline: durationToWire(r.Deadline), Lease: lease,
		Messages:     messagesToWire(r.Messages),
		OfferedTools: toolsToWire(r.Tools), HasEnvironment: r.HasEnvironment, MaxTurns: int64(r.MaxTurns), Place: r.Place,
		Models: mapValues(r.Models, func(m ModelEndpoint) *awhostv1.ModelEndpoint {
			return &awhostv1.ModelEndpoint{BaseUrl: m.BaseURL, ApiKey: m.APIKey}
		}),
	}
	if s := r.ToolServer; s != nil {
		out.Tools = &awhostv1.ToolEndpoint{McpUrl: s.URL, Token: s.Token}
	}
	return out
}

func agentRequestFromWire(r *awhostv1.RunRequest) AgentRequest {
	out := AgentRequest{
		EpisodeID: r.GetEpisodeId(), Task: taskFromWire(r.GetTask()), Messages: messagesFromWire(r.GetMessages()),
		Tools:          toolsFromWire(r.GetOfferedTools()),
		HasEnvironment: r.GetHasEnvironment(), MaxTurns: int(r.GetMaxTurns()), Deadline: durationFromWire(r.GetDeadline()),
		Place: r.GetPlace(),
		Models: mapValues(r.GetModels(), func(m *awhostv1.ModelEndpoint) ModelEndpoint {
			return ModelEndpoint{BaseURL: m.GetBaseUrl(), APIKey: m.GetApiKey()}
		}),
	}
	if s := r.GetTools(); s != nil {
		out.ToolServer = &ToolEndpoint{URL: s.GetMcpUrl(), Token: s.GetToken()}
	}
	return out
}

// agentResponseToWire rejects responses that the protocol cannot represent.
func agentResponseToWire(r *AgentResponse) (*awhostv1.RunResponse, error) {
	if r == nil {
		return &awhostv1.RunResponse{}, nil
	}
	if err := checkAgentResponse(r); err != nil {
		return nil, errorToStatus(&Failure{Class: FailureAgent, Detail: err.Error()})
	}
	out := &awhostv1.RunResponse{Reward: r.Reward, IsSuccess: r.IsSuccess, MetadataJson: r.Metadata, Metrics: r.Metrics}
	for _, place := range r.Contacted {
		out.Contacted = append(out.Contacted, validUTF8(place))
	}
	if r.FinalAnswer != nil {
		answer := validUTF8(*r.FinalAnswer)
		out.FinalAnswer = &answer
	}
	return out, nil
}

func agentResponseFromWire(r *awhostv1.RunResponse) (*AgentResponse, error) {
	out := &AgentResponse{
		FinalAnswer: r.FinalAnswer, Reward: r.Reward, IsSuccess: r.IsSuccess, Metadata: r.GetMetadataJson(),
		Metrics:   r.GetMetrics(),
		Contacted: r.GetContacted(),
	}
	if err := checkAgentResponse(out); err != nil {
		return nil, &Failure{Class: FailureAgent, Detail: err.Error()}
	}
	return out, nil
}

func checkAgentResponse(r *AgentResponse) error {
	if r.Reward != nil {
		if err := checkNumber("reward", *r.Reward); err != nil {
			return err
		}
	}
	if len(r.Metadata) > 0 {
		var object map[string]json.RawMessage
		if err := json.Unmarshal(r.Metadata, &object); err != nil {
			return fmt.Errorf("the agent's metadata is not a JSON object: %w", err)
		}
	}
	return checkFinite("metric", r.Metrics)
}

func modelRequestToWire(lease string, r ModelRequest) *awhostv1.AgentGenerateRequest {
	out := &awhostv1.AgentGenerateRequest{
		Lease: lease, Member: r.Member, Chain: r.Chain, Base: int64(r.Base), Messages: messagesToWire(r.Messages),
		Tools:     toolsToWire(r.Tools),
		MaxTokens: int64(r.MaxTokens), Stop: r.Stop, ChatTemplateKwargsJson: r.TemplateKwargs,
		Constraints: constraintsToWire(r.Constraints),
	}
	if r.Repeat != nil {
		repeat := int64(*r.Repeat)
		out.Repeat = &repeat
	}
	return out
}

func modelRequestFromWire(r *awhostv1.AgentGenerateRequest) ModelRequest {
	out := ModelRequest{
		Member: r.GetMember(), Chain: r.GetChain(), Base: int(r.GetBase()), Messages: messagesFromWire(r.GetMessages()),
		Tools:     toolsFromWire(r.GetTools()),
		MaxTokens: int(r.GetMaxTokens()), Stop: r.GetStop(), TemplateKwargs: r.GetChatTemplateKwargsJson(),
		Constraints: constraintsFromWire(r.GetConstraints()),
	}
	if r.Repeat != nil {
		repeat := int(*r.Repeat)
		out.Repeat = &repeat
	}
	return out
}

func modelReplyToWire(r *ModelReply) *awhostv1.AgentGenerateResponse {
	return &awhostv1.AgentGenerateResponse{
		CallId: r.CallID, Message: messageToWire(r.Message), FinishReason: finishReasons.toWire[r.Finish],
		PromptTokens: int64(r.PromptTokens),
		OutputTokens: int64(r.OutputTokens), Chain: r.Chain, ChainLength: int64(r.ChainLength),
	}
}

func modelReplyFromWire(r *awhostv1.AgentGenerateResponse) *ModelReply {
	return &ModelReply{
		CallID: r.GetCallId(), Message: messageFromWire(r.GetMessage()), Finish: finishReasons.toGo[r.GetFinishReason()],
		PromptTokens: int(r.GetPromptTokens()),
		OutputTokens: int(r.GetOutputTokens()), Chain: r.GetChain(), ChainLength: int(r.GetChainLength()),
	}
}

func agentCapabilitiesToWire(c AgentCapabilities) *awhostv1.AgentCapabilities {
	return &awhostv1.AgentCapabilities{NeedsEnvironment: c.NeedsEnvironment, MaxConcurrent: int64(c.MaxConcurrent),
		Needs: needsToWire(c.Needs)}
}

func agentCapabilitiesFromWire(c *awhostv1.AgentCapabilities) AgentCapabilities {
	return AgentCapabilities{NeedsEnvironment: c.GetNeedsEnvironment(), MaxConcurrent: int(c.GetMaxConcurrent()),
		Needs: needsFromWire(c.GetNeeds())}
}

// leaseErrorToStatus converts errors as errorToStatus does, and also converts ErrLease.
func leaseErrorToStatus(err error) error {
	if errors.Is(err, ErrLease) {
		return status.Error(codes.PermissionDenied, err.Error())
	}
	return errorToStatus(err)
}
