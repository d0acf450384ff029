package policy

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/schema"
)

// words returns n bytes of text that compresses like prose, not like one repeated word.
func words(n int) string {
	var out strings.Builder
	for i := uint64(1); out.Len() < n; i = i*6364136223846793005 + 1442695040888963407 {
		fmt.Fprintf(&out, "%x ", i>>44)
	}
	return out.String()[:n]
}

// environment offers tools and answers each call with a text. It has no state.
type environment struct {
	Tools    int `json:"tools"`
	Text     int `json:"text"`
	MaxTurns int `json:"max_turns"`

	offered []sdk.Tool
	answer  string
}

// parameters is as long as the schema of a common tool.
var parameters = json.RawMessage(`{"type":"object","properties":{"a":{"type":"integer","description":"` +
	strings.Repeat("the first number, ", 12) + `"},"b":{"type":"integer","description":"` +
	strings.Repeat("the second number, ", 12) + `"}},"required":["a","b"],"additionalProperties":false}`)

func environmentComponent() sdk.EnvironmentComponent {
	return sdk.EnvironmentComponent{
		Component: sdk.Component{
			Type: "instant", Description: "Offers tools and answers each call with a text.",
			Schema: schema.Block{Attributes: []schema.Attribute{
				schema.Integer("tools", "number of tools").Default(4).AtLeast(4),
				schema.Integer("text", "bytes of an answer").Default(0).AtLeast(0),
				schema.Integer("max_turns", "maximum messages of an episode").Default(4).AtLeast(1),
			}},
		},
		Capabilities: sdk.EnvironmentCapabilities{DeterministicUnderSeed: true, GroupSafe: true},
		New: func(_ context.Context, setup sdk.Setup) (sdk.Environment, error) {
			e := &environment{}
			if err := setup.Decode(e); err != nil {
				return nil, err
			}
			for i := range e.Tools {
				name := fmt.Sprintf("tool_%d", i)
				if i < len(calculated) {
					name = calculated[i]
				}
				e.offered = append(e.offered, sdk.Tool{Name: name, Description: "Computes a number.", Parameters: parameters})
			}
			e.answer = words(e.Text)
			return e, nil
		},
	}
}

// calculated lists the tools that the policy calls.
var calculated = []string{"add", "sub", "mul", "mod"}

// Open implements sdk.Environment.
func (e *environment) Open(_ context.Context, req sdk.OpenRequest) (*sdk.OpenResponse, error) {
	var task struct {
		Prompt string `json:"prompt"`
	}
	if err := json.Unmarshal(req.Task.Public, &task); err != nil {
		return nil, &sdk.Failure{Class: sdk.FailureEnvironment, Detail: err.Error()}
	}
	return &sdk.OpenResponse{InstanceID: req.EpisodeID, Tools: e.offered, MaxTurns: e.MaxTurns,
		Messages: []sdk.Message{{Role: sdk.RoleUser, Content: task.Prompt}}}, nil
}

// Step implements sdk.Environment.
func (e *environment) Step(_ context.Context, req sdk.StepRequest) (*sdk.StepResponse, error) {
	out := &sdk.StepResponse{Done: len(req.Message.ToolCalls) == 0}
	for _, call := range req.Message.ToolCalls {
		out.Messages = append(out.Messages,
			sdk.Message{Role: sdk.RoleTool, ToolCallID: call.ID, Name: call.Name, Content: e.answer})
	}
	return out, nil
}

// Close implements sdk.Environment.
func (e *environment) Close(context.Context, sdk.CloseRequest) (*sdk.CloseResponse, error) {
	return &sdk.CloseResponse{}, nil
}

var _ sdk.Environment = (*environment)(nil)
