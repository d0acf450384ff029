package sdk_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/awhost/awhost/sdk"
)

// unusualEnvironment is an environment whose answers violate the protocol.
type unusualEnvironment struct {
	*environment
	state string
}

func (o unusualEnvironment) Snapshot(context.Context, string) (json.RawMessage, error) {
	return json.RawMessage(o.state), nil
}

// A malformed answer must fail the environment at once, naming the plugin and the field. No part of it may reach an
// agent or a model, which would be blamed for it.
func TestEnvironment_MalformedResponses(t *testing.T) {
	schema := func(text string) []sdk.Tool { return []sdk.Tool{{Name: "add", Parameters: json.RawMessage(text)}} }
	opens := func(out sdk.OpenResponse) *environment {
		return &environment{open: func(context.Context, sdk.OpenRequest) (*sdk.OpenResponse, error) { return &out, nil }}
	}
	steps := func(out sdk.StepResponse) *environment {
		return &environment{step: func(context.Context, sdk.StepRequest) (*sdk.StepResponse, error) { return &out, nil }}
	}
	attaches := func(a sdk.Attachment) *environment {
		return steps(sdk.StepResponse{Messages: []sdk.Message{{Role: sdk.RoleTool, Attachments: []sdk.Attachment{a}}}})
	}
	good := sdk.Message{Role: sdk.RoleUser, Content: "go on"}
	calls := sdk.Message{Role: sdk.RoleAssistant, ToolCalls: []sdk.ToolCall{{ID: "1", Name: "add", Arguments: `{"a":`}}}
	for name, test := range map[string]struct {
		environment *environment
		state       string
		want        string // the field and the problem
	}{
		"Open: an unknown role": {environment: opens(sdk.OpenResponse{Messages: []sdk.Message{good,
			{Role: "wizard", Content: "hello"}}}), want: "malformed response to Open: messages[1].role"},
		"Open: a call without JSON": {environment: opens(sdk.OpenResponse{Messages: []sdk.Message{calls}}),
			want: "Open: messages[0].tool_calls[0].arguments_json"},
		"Open: a schema that is not JSON": {environment: opens(sdk.OpenResponse{Tools: schema(`{"type": object}`)}),
			want: "Open: tools[0] (add).parameters_json"},
		"Open: a schema that is a list": {environment: opens(sdk.OpenResponse{Tools: schema(`["a"]`)}),
			want: "Open: tools[0] (add).parameters_json"},
		"Open: a negative limit": {environment: opens(sdk.OpenResponse{MaxTurns: -3}),
			want: "Open: limits.max_turns is -3"},
		"Step: an unknown role": {environment: steps(sdk.StepResponse{Messages: []sdk.Message{{Role: "wizard"}}}),
			want: "Step: messages[0].role"},
		"Step: an empty message": {environment: steps(sdk.StepResponse{Messages: []sdk.Message{{}}}),
			want: "Step: messages[0].role"},
		"Step: a schema that is not JSON": {environment: steps(sdk.StepResponse{ToolsChanged: true,
			Tools: schema("add(a, b)")}), want: "Step: tools_changed.tools[0] (add).parameters_json"},
		"Step: an attachment without a kind": {
			environment: attaches(sdk.Attachment{Data: []byte("x")}), want: "Step: messages[0].attachments[0].kind",
		},
		"Step: a structure that is not JSON": {
			environment: attaches(sdk.Attachment{Kind: sdk.AttachmentStructured, JSON: []byte("{a}")}),
			want:        `attachments[0].structured_json is not JSON: "{a}"`,
		},
		"Step: an invalid digest": {
			environment: attaches(sdk.Attachment{Kind: sdk.AttachmentImage, SHA256: "../x"}), want: "attachments[0].sha256",
		},
		"Step: a digest of an included body": {
			environment: attaches(sdk.Attachment{
				Kind: sdk.AttachmentImage, Data: []byte("x"), SHA256: strings.Repeat("0", 64),
			}),
			want: "attachments[0].sha256",
		},
		"Snapshot: a state that is not JSON": {environment: &environment{}, state: "state: broken",
			want: "Snapshot: state_json"},
	} {
		t.Run(name, func(t *testing.T) {
			e := serveEnvironment(t, unusualEnvironment{test.environment, test.state},
				sdk.EnvironmentCapabilities{Snapshot: true})
			_, err := e.Open(t.Context(), sdk.OpenRequest{EpisodeID: "e", Task: task(), Split: sdk.SplitTrain})
			if err == nil && test.state == "" {
				_, err = step(t, e, "e", "1")
			} else if err == nil {
				_, err = e.(sdk.EnvironmentWithSnapshot).Snapshot(t.Context(), "e")
			}
			var failure *sdk.Failure
			if !errors.As(err, &failure) || failure.Class != sdk.FailureEnvironment {
				t.Fatalf("got %v, want a failure of the environment", err)
			}
			if !strings.Contains(failure.Detail, test.want) || !strings.HasPrefix(failure.Detail, "environment.fake: ") {
				t.Errorf("error %q lacks the plugin or %q", failure.Detail, test.want)
			}
		})
	}
}

// Unusual but valid answers must pass.
func TestEnvironment_UnusualResponses(t *testing.T) {
	e := serveEnvironment(t, &environment{
		open: func(context.Context, sdk.OpenRequest) (*sdk.OpenResponse, error) {
			return &sdk.OpenResponse{Tools: []sdk.Tool{{Name: "look"}}, Messages: []sdk.Message{
				{Role: sdk.RoleAssistant, ToolCalls: []sdk.ToolCall{{ID: "1", Name: "look", Arguments: "{}"}}},
				{Role: sdk.RoleTool, ToolCallID: "1"},
			}}, nil
		},
		step: func(context.Context, sdk.StepRequest) (*sdk.StepResponse, error) {
			return &sdk.StepResponse{ToolsChanged: true, Messages: []sdk.Message{{Role: sdk.RoleSystem,
				Content: "no tools any more"}}}, nil
		},
	}, sdk.EnvironmentCapabilities{})
	if out := open(t, e, "e"); len(out.Messages) != 2 || len(out.Tools) != 1 {
		t.Errorf("opened with %+v", out)
	}
	if out, err := step(t, e, "e", "1"); err != nil || !out.ToolsChanged || len(out.Messages) != 1 {
		t.Errorf("answered with %+v, %v", out, err)
	}
}
