package agent

import (
	"encoding/json"
	"reflect"
	"strings"

	"github.com/awhost/awhost/sdk"
)

// OwnStep is a step with a message of the agent's own: one that its program has made of what the policy said, or
// without the policy.
type OwnStep struct {
	ID       string        // as the environment's turn rewards name it
	Messages []sdk.Message // the agent's, and the environment's answer, which a step that failed has not
	// Calls are those of the policy that the step carries out, where that can be told.
	Calls []CarriedOut
}

// CarriedOut is a call of the policy that a step of the agent's own carries out.
type CarriedOut struct {
	ID         string // in the step's message
	CallID     string // of the policy's message
	ToolCallID string // in that message
}

// ownSteps are those up to now. The caller holds the lock.
func (s *scene) ownSteps() []OwnStep {
	var out []OwnStep
	for _, step := range s.own {
		out = append(out, *step)
	}
	return out
}

// carriesOut finds the calls of the policy that a message of the agent's own carries out: by the ids of the calls,
// which some programs pass on, or by tool and arguments, among the messages of the policy from the last one on. The
// caller holds the lock.
func (s *scene) carriesOut(message sdk.Message) []CarriedOut {
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

// askedFor finds a call of the policy that nobody has carried out.
func (s *scene) askedFor(is func(sdk.ToolCall) bool) (from *said, place int) {
	for i := len(s.heard) - 1; i >= 0; i-- {
		from := s.heard[i]
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

// names reports whether a program may call a tool so: by its name, or with the name of its server before it, as in
// mcp__awhost__add.
func names(shown, tool string) bool {
	before, ok := strings.CutSuffix(shown, tool)
	return ok && (before == "" || strings.ContainsAny(before[len(before)-1:], "_-./:"))
}

// valueOf is what arguments mean, however they are written.
func valueOf(arguments string) any {
	var value any
	if json.Unmarshal([]byte(arguments), &value) != nil {
		return arguments
	}
	return value
}
