package sdk

import (
	"encoding/json"
	"slices"
)

// Written returns the messages that the policy wrote in this episode. Assistant messages that the task, the environment
// or the agent put into a prompt, such as examples, are none of them. Where nobody knows, as in an offline item, they
// are the assistant messages that the task does not bring.
func (i *ScoreItem) Written() []Message {
	places := i.places()
	out := make([]Message, len(places))
	for n, place := range places {
		out[n] = i.Messages[place]
	}
	return out
}

// Response returns what followed the prompt: the messages from the first that the policy wrote, tool results and later
// messages of the user included. It is empty where the policy wrote nothing.
func (i *ScoreItem) Response() []Message {
	if places := i.places(); len(places) > 0 {
		return i.Messages[places[0]:]
	}
	return nil
}

// places are those of Sampled that exist, or else those of the assistant messages that the task does not bring.
func (i *ScoreItem) places() []int {
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
	examples := i.examples()
	for n, example := range examples {
		if n >= len(out) || !sameWords(example, i.Messages[out[n]]) {
			return out // the question is not part of these messages
		}
	}
	return out[len(examples):]
}

// examples are the assistant messages of the task's question, if it is a conversation.
func (i *ScoreItem) examples() []Message {
	var question struct {
		Messages []Message `json:"messages"`
	}
	if len(i.Messages) == 0 || json.Unmarshal(i.Task.Public, &question) != nil {
		return nil
	}
	return slices.DeleteFunc(question.Messages, func(m Message) bool { return m.Role != RoleAssistant })
}

// sameWords reports whether two messages say and call the same. Ids of calls may have been given anew.
func sameWords(a, b Message) bool {
	same := func(x, y ToolCall) bool { return x.Name == y.Name }
	return a.Content == b.Content && slices.EqualFunc(a.ToolCalls, b.ToolCalls, same)
}
