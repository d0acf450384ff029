package smoke

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/awhost/awhost/sdk"
)

// compare describes how a response differs from the scripted tool call. It returns an empty string if they are equal.
// The adapter chooses the call IDs.
func compare(wanted sdk.ToolCall, answer *sdk.GenerateResponse) string {
	wrote := fmt.Sprintf("%s%s", wanted.Name, wanted.Arguments)
	got := answer.Message
	switch {
	case len(got.ToolCalls) == 0 && answer.Finish == sdk.FinishLength:
		return fmt.Sprintf("the call %s was truncated by a token limit: %s", wrote, quoted(got.Content))
	case len(got.ToolCalls) == 0 && len(got.Malformed) > 0:
		return fmt.Sprintf("the call %s was not parsed as a call, because %s: "+
			"%s", wrote, got.Malformed[0].Reason, quoted(got.Malformed[0].Text))
	case len(got.ToolCalls) == 0 && strings.TrimSpace(got.Content) == "":
		return fmt.Sprintf("the call %s is missing: the chat template renders no tool calls", wrote)
	case len(got.ToolCalls) == 0:
		return fmt.Sprintf("the call %s was parsed as text: %s", wrote, quoted(got.Content))
	case len(got.ToolCalls) > 1:
		return fmt.Sprintf("the call %s was parsed as %d calls", wrote, len(got.ToolCalls))
	}
	if read := got.ToolCalls[0]; read.Name != wanted.Name || !sameJSON(read.Arguments, wanted.Arguments) {
		return fmt.Sprintf("the call %s was parsed as %s%s", wrote, read.Name, read.Arguments)
	}
	return ""
}

func sameJSON(a, b string) bool {
	var x, y any
	return json.Unmarshal([]byte(a), &x) == nil && json.Unmarshal([]byte(b), &y) == nil && reflect.DeepEqual(x, y)
}

// longestQuote is the maximum number of characters in a quotation.
const longestQuote = 200

func quoted(text string) string {
	if runes := []rune(text); len(runes) > longestQuote {
		text = string(runes[:longestQuote]) + "…"
	}
	return fmt.Sprintf("%q", text)
}
