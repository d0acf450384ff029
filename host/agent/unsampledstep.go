package agent

import (
	"encoding/json"
	"reflect"
	"strings"

	"github.com/awhost/awhost/sdk"
)

// UnsampledStep is a step whose message was written by the agent's program, either after or without a policy message.
type UnsampledStep struct {
	ID       string        // used by the environment's turn rewards
	Messages []sdk.Message // the agent's message and the environment's answer, which is missing if the step failed
	// Calls are the policy's calls executed by the step, if they can be identified.
	Calls []CarriedOut
}

// CarriedOut is a policy call that is executed by an agent's own step.
type CarriedOut struct {
	ID         string // in the step's message
	CallID     string // of the policy's message
	ToolCallID string // in that message
}

// unsampledSteps returns the steps so far. The caller holds the lock.
func (s *pluginEpisode) unsampledSteps() []UnsampledStep {
	var out []UnsampledStep
	for _, step := range s.unsampled {
		out = append(out, *step)
	}
	return out
}

// carriesOut returns the policy's calls that an agent's own message executes. It matches the call IDs, which some
// programs preserve, or the tool and arguments, starting at the policy's last message. The caller holds the lock.
func (s *pluginEpisode) carriesOut(message sdk.Message) []CarriedOut {
	var out []CarriedOut
	for _, call := range message.ToolCalls {
		from, place := s.askedFor(func(asked sdk.ToolCall) bool { return asked.ID == call.ID })
		if from == nil {
			arguments := valueOf(call.Arguments)
			from, place = s.askedFor(func(asked sdk.ToolCall) bool {
				return names(asked.Name, call.Name) && reflect.DeepEqual(valueOf(asked.Arguments), arguments)
			})
		}
		if from == nil {
			continue
		}
		from.carried[place] = true
		out = append(out, CarriedOut{
			ID: call.ID, CallID: from.callID, ToolCallID: from.message.ToolCalls[place].ID,
		})
	}
	return out
}

// askedFor returns a policy call that has not been executed yet.
func (s *pluginEpisode) askedFor(is func(sdk.ToolCall) bool) (from *sampledReply, place int) {
	for i := len(s.replies) - 1; i >= 0; i-- {
		from := s.replies[i]
		if from.stepped {
			continue
		}
		for place, call := range from.message.ToolCalls {
			if !from.carried[place] && is(call) {
				return from, place
			}
		}
	}
	return nil, 0
}

// names reports whether a program may call a tool by the given name: the tool's name, optionally prefixed with its
// server's name, as in mcp__awhost__add.
func names(shown, tool string) bool {
	before, ok := strings.CutSuffix(shown, tool)
	return ok && (before == "" || strings.ContainsAny(before[len(before)-1:], "_-./:"))
}

// valueOf returns the decoded arguments, so that formatting does not matter.
func valueOf(arguments string) any {
	var value any
	if json.Unmarshal([]byte(arguments), &value) != nil {
		return arguments
	}
	return value
}
