package telemetry

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/awhost/awhost/sdk"
)

// mostContent is the maximum number of bytes in one of a message's texts. Collectors reject large requests as a whole.
const mostContent = 16 << 10

// message and part implement the message format defined by the convention (gen-ai-input-messages.json,
// gen-ai-output-messages.json).
type message struct {
	Role   string `json:"role"`
	Parts  []part `json:"parts"`
	Finish string `json:"finish_reason,omitempty"`
}

type part struct {
	Type      string          `json:"type"`
	Content   *string         `json:"content,omitempty"`
	ID        string          `json:"id,omitempty"`
	Name      string          `json:"name,omitempty"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	Response  *string         `json:"response,omitempty"`
}

// quoted removes secrets from message texts.
type quoted struct{ redact func(string) string }

// messages returns messages in the convention's format, without images.
func (q quoted) messages(messages []sdk.Message, finish string) string {
	out := make([]message, len(messages))
	for i := range messages {
		out[i] = message{Role: string(messages[i].Role), Parts: q.parts(&messages[i]), Finish: finish}
	}
	text, err := json.Marshal(out)
	if err != nil {
		return "[]" // cannot happen: arguments that are not valid JSON are written as text
	}
	return cut(string(text), len(text))
}

func (q quoted) parts(m *sdk.Message) []part {
	parts := []part{}
	text := func(kind, content string) {
		if content != "" {
			content = bounded(q.redact(content))
			parts = append(parts, part{Type: kind, Content: &content})
		}
	}
	if m.Role == sdk.RoleTool {
		response := bounded(q.redact(m.Content))
		return append(parts, part{Type: "tool_call_response", ID: bounded(m.ToolCallID), Response: &response})
	}
	text("reasoning", m.Reasoning)
	text("text", m.Content)
	for _, call := range m.ToolCalls {
		text := q.redact(call.Arguments)
		arguments := json.RawMessage(text)
		if len(text) > mostContent || !json.Valid(arguments) {
			arguments, _ = json.Marshal(bounded(text))
		}
		parts = append(parts, part{Type: "tool_call", ID: bounded(call.ID), Name: bounded(call.Name), Arguments: arguments})
	}
	return parts
}

// bounded truncates a text that is too long and appends the number of bytes omitted.
func bounded(text string) string {
	kept := cut(text, mostContent)
	if len(text) <= mostContent {
		return kept
	}
	return fmt.Sprintf("%s… (%d bytes left out)", kept, len(text)-mostContent)
}

// explanation joins a reward's notes.
func explanation(notes map[string]string) string {
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(notes)) {
		lines = append(lines, name+": "+notes[name])
	}
	return strings.Join(lines, "\n")
}
