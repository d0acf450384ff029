package record

import (
	"github.com/awhost/awhost/host/findings"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/sdk"
)

// Facts returns what rules read of a recorded episode.
func Facts(e *runstore.EpisodeRecord) findings.Episode {
	out := findings.Episode{
		ID: e.EpisodeID, Task: e.TaskID, Group: e.Slot.Group, Reward: e.Reward, Success: e.IsSuccess, Tokens: e.OutputTokens,
		Malformed: e.Malformed,
	}
	if e.Limit != nil {
		out.Limit = e.Limit.Name
	}
	if e.Failure != nil {
		out.Failure = string(e.Failure.Class)
	}
	var texts []string
	names := map[string]string{} // of tools, by the call's id
	count := func(name string, calls, errors int) {
		if out.Tools == nil {
			out.Tools = map[string]findings.Tool{}
		}
		t := out.Tools[name]
		out.Tools[name] = findings.Tool{Calls: t.Calls + calls, Errors: t.Errors + errors}
	}
	for _, part := range e.Transcripts {
		for i := range part.Messages {
			m := &part.Messages[i]
			switch m.Role {
			case sdk.RoleAssistant:
				texts = append(texts, m.Content)
				for _, call := range m.ToolCalls {
					names[call.ID] = call.Name
					count(call.Name, 1, 0)
				}
			case sdk.RoleTool:
				if name, ok := names[m.ToolCallID]; ok && m.IsError {
					count(name, 0, 1)
				}
			}
		}
	}
	out.Text = findings.TextOf(texts)
	return out
}
