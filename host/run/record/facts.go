package record

import (
	"slices"

	"github.com/awhost/awhost/host/findings"
	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/sdk"
)

// toolsOf counts the policy's calls of tools. Calls of tools that the environment does not offer count under one name,
// because a policy can write any. The members of a swarm have different tools, which are not compared.
func toolsOf(e *rollout.EpisodeRecord) (out map[string]findings.ToolUse) {
	names := map[string]string{} // by the call's id
	add := func(name string, calls, errors int) {
		if out == nil {
			out = map[string]findings.ToolUse{}
		}
		out[name] = findings.ToolUse{Calls: out[name].Calls + calls, Errors: out[name].Errors + errors}
	}
	for i := range e.Messages {
		m := &e.Messages[i]
		for _, call := range m.ToolCalls {
			name := call.Name
			offered := func(t sdk.Tool) bool { return t.Name == name }
			if len(e.Tools) > 0 && len(e.Parts) == 0 && !slices.ContainsFunc(e.Tools, offered) {
				name = findings.UnknownTool
			}
			names[call.ID] = name
			add(name, 1, 0)
		}
		if name, ok := names[m.ToolCallID]; ok && m.Role == sdk.RoleTool && m.IsError {
			add(name, 0, 1)
		}
	}
	return out
}

// textOf describes the policy's messages, or returns nil without any.
func textOf(e *rollout.EpisodeRecord) *findings.Text {
	var texts []string
	for i := range e.Messages {
		if m := &e.Messages[i]; m.Role == sdk.RoleAssistant {
			texts = append(texts, m.Content)
		}
	}
	if texts == nil {
		return nil
	}
	out := findings.TextOf(texts)
	return &out
}

// Facts returns what rules read of a recorded episode.
func Facts(e *runstore.EpisodeRecord) findings.Episode {
	out := findings.Episode{
		ID: e.EpisodeID, Task: e.TaskID, Group: e.Slot.Group, Reward: e.Reward, Success: e.IsSuccess, Tokens: e.OutputTokens,
		Malformed: e.Malformed, Tools: e.Tools,
	}
	if e.Text != nil {
		out.Text = *e.Text
	}
	if e.Limit != nil {
		out.Limit = e.Limit.Name
	}
	if e.Failure != nil {
		out.Failure = string(e.Failure.Class)
	}
	return out
}
