package sdk

import (
	"encoding/json"
	"slices"
)

// Written returns the messages that the policy wrote in this episode. It omits assistant messages that the task, the
// environment, or the agent put into a prompt, such as examples. If the positions are unknown, as for an offline item,
// it returns the assistant messages that do not come from the task.
func (i *ScoreItem) Written() []Message {
	places := i.policyPositions()
	out := make([]Message, len(places))
	for n, place := range places {
		out[n] = i.Messages[place]
	}
	return out
}

// Response returns the messages after the prompt: all messages from the policy's first message onward, including tool
// results and later user messages. It is empty if the policy did not write anything.
func (i *ScoreItem) Response() []Message {
	if places := i.policyPositions(); len(places) > 0 {
		return i.Messages[places[0]:]
	}
	return nil
}

// policyPositions returns those positions in Sampled that exist, or else the positions of the assistant messages that
// do not come from the task.
func (i *ScoreItem) policyPositions() []int {
	var out []int
	if i.Sampled != nil {
		for _, place := range i.Sampled {
			if place >= 0 && place < len(i.Messages) {
				out = append(out, place)
			}
		}
		return out
	}
	for place, m := range i.Messages {
		if m.Role == RoleAssistant {
			out = append(out, place)
		}
	}
	examples := i.taskExamples()
	for n, example := range examples {
		if n >= len(out) || !sameContent(example, i.Messages[out[n]]) {
			return out // the question is not part of these messages
		}
	}
	return out[len(examples):]
}

// taskExamples returns the assistant messages in the task's question, if the question is a conversation.
func (i *ScoreItem) taskExamples() []Message {
	var question struct {
		Messages []Message `json:"messages"`
	}
	if len(i.Messages) == 0 || json.Unmarshal(i.Task.Public, &question) != nil {
		return nil
	}
	return slices.DeleteFunc(question.Messages, func(m Message) bool { return m.Role != RoleAssistant })
}

// sameContent reports whether two messages have the same text and calls. The IDs of the calls may differ.
func sameContent(a, b Message) bool {
	same := func(x, y ToolCall) bool { return x.Name == y.Name }
	return a.Content == b.Content && slices.EqualFunc(a.ToolCalls, b.ToolCalls, same)
}
