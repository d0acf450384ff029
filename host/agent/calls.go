package agent

import (
	"fmt"
	"slices"
	"strings"

	"github.com/awhost/awhost/sdk"
)

// maxQuoted limits the quoted part of a malformed call in the reply to the model, in bytes.
const maxQuoted = 200

// forEnvironment returns the message without the calls that the agent may not make, and the number of those calls.
func forEnvironment(message sdk.Message, offered offer) (sdk.Message, int) {
	refused := 0
	for _, call := range message.ToolCalls {
		if !offered.allows(call.Name) {
			refused++
		}
	}
	if refused == 0 {
		return message, 0
	}
	kept := make([]sdk.ToolCall, 0, len(message.ToolCalls)-refused)
	for _, call := range message.ToolCalls {
		if offered.allows(call.Name) {
			kept = append(kept, call)
		}
	}
	message.ToolCalls = kept
	return message, refused
}

// answers arranges the environment's messages and the refusals in the order of the calls. Every call must have an
// answer, because models are trained that way and servers require it. An environment that is done may leave calls
// unanswered. If no tools are offered, the call is answered with a refusal.
func answers(message sdk.Message, offered offer, step *sdk.StepResponse) ([]sdk.Message, error) {
	rest := step.Messages
	merged := make([]sdk.Message, 0, len(rest)+len(message.ToolCalls))
	for _, call := range message.ToolCalls {
		if !offered.allows(call.Name) {
			merged = append(merged, refusal(call, offered.tools))
			continue
		}
		if len(rest) > 0 && rest[0].Role == sdk.RoleTool && rest[0].ToolCallID == call.ID {
			merged = append(merged, rest[0])
			rest = rest[1:]
			continue
		}
		if hasEnded(step) {
			continue
		}
		if len(offered.tools) == 0 && !slices.ContainsFunc(rest, answersCall) { // a text-only environment
			merged = append(merged, refusal(call, offered.tools))
			continue
		}
		return nil, &sdk.Failure{Class: sdk.FailureEnvironment, Detail: fmt.Sprintf(
			"the environment answered without the result of call %q of tool %q, or out of order", call.ID, call.Name)}
	}
	return append(merged, rest...), nil
}

func answersCall(m sdk.Message) bool { return m.Role == sdk.RoleTool }

// hasEnded reports whether an environment has ended the episode.
func hasEnded(step *sdk.StepResponse) bool { return step.Done || step.Truncated }

// refusal returns the tool message for a tool that the agent may not use.
func refusal(call sdk.ToolCall, tools []sdk.Tool) sdk.Message {
	content := fmt.Sprintf("tool %q is not available", call.Name)
	if len(tools) > 0 {
		names := make([]string, len(tools))
		for i, tool := range tools {
			names[i] = tool.Name
		}
		content += "; the available tools are " + strings.Join(names, ", ")
	}
	return sdk.Message{Role: sdk.RoleTool, ToolCallID: call.ID, Name: call.Name, Content: content, IsError: true}
}

// complaint returns a message that lists the calls that could not be parsed. They have no ID for a tool message, so the
// message has the user role.
func complaint(malformed []sdk.Malformed) sdk.Message {
	var b strings.Builder
	for _, m := range malformed {
		text := m.Text
		if len(text) > maxQuoted {
			text = strings.ToValidUTF8(text[:maxQuoted], "") + "…"
		}
		fmt.Fprintf(&b, "This tool call cannot be read (%s): %s\n", m.Reason, text)
	}
	b.WriteString("Write it again as a valid tool call, or give your answer.")
	return sdk.Message{Role: sdk.RoleUser, Content: b.String()}
}
