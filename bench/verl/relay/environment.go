package relay

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/awhost/awhost/sdk"
)

// environment responds to calls to its tool. It keeps no episode state.
type environment struct{ results map[string]string }

func newEnvironment(_ context.Context, setup sdk.Setup) (sdk.Environment, error) {
	var c struct {
		Turns int `json:"turns"`
	}
	if err := setup.Decode(&c); err != nil {
		return nil, err
	}
	conversation, err := NewConversation(c.Turns)
	return &environment{conversation.Results}, err
}

// Open implements sdk.Environment. It returns no messages, because the task has its own prompt.
func (e *environment) Open(_ context.Context, req sdk.OpenRequest) (*sdk.OpenResponse, error) {
	return &sdk.OpenResponse{InstanceID: req.EpisodeID, Tools: []sdk.Tool{tool}}, nil
}

// Step implements sdk.Environment.
func (e *environment) Step(_ context.Context, req sdk.StepRequest) (*sdk.StepResponse, error) {
	out := &sdk.StepResponse{Done: len(req.Message.ToolCalls) == 0}
	for _, call := range req.Message.ToolCalls {
		var arguments struct {
			Key string `json:"key"`
		}
		if err := json.Unmarshal([]byte(call.Arguments), &arguments); err != nil {
			return nil, fmt.Errorf("call %s has invalid arguments %q: %w", call.ID, call.Arguments, err)
		}
		result, known := e.results[arguments.Key]
		if !known {
			return nil, fmt.Errorf("call %s looks up %q, which does not exist", call.ID, arguments.Key)
		}
		out.Messages = append(out.Messages, sdk.Message{Role: sdk.RoleTool, ToolCallID: call.ID, Name: call.Name,
			Content: result})
	}
	return out, nil
}

// Close implements sdk.Environment.
func (e *environment) Close(context.Context, sdk.CloseRequest) (*sdk.CloseResponse, error) {
	return &sdk.CloseResponse{}, nil
}

// reward checks whether an episode ended with the right answer.
type reward struct{}

func newReward(context.Context, sdk.Setup) (sdk.Reward, error) { return reward{}, nil }

// Score implements sdk.Reward.
func (reward) Score(_ context.Context, req sdk.ScoreRequest) (*sdk.ScoreResponse, error) {
	out := &sdk.ScoreResponse{}
	for _, item := range req.Items {
		right := item.FinalAnswer == finalAnswer
		scored := sdk.Scored{IsSuccess: &right}
		if right {
			scored.Score = 1
		}
		out.Items = append(out.Items, scored)
	}
	return out, nil
}

var (
	_ sdk.Environment = (*environment)(nil)
	_ sdk.Reward      = reward{}
)
