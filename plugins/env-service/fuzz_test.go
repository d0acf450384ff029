package envservice

import (
	"testing"

	"github.com/awhost/awhost/sdk"
)

// For any answer of a service, each tool call has one result, in order, and nothing panics.
func FuzzMessages(f *testing.F) {
	for _, seed := range []string{
		`{"content":"x"}`, `[{"role":"tool","tool_call_id":"b","content":"B"}]`, `[{"content":[{"type":"text","text":"x"}]}]`,
		`{"error":"x"}`, `[]`, `7`, `[{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f"}}]}]`,
	} {
		f.Add(seed)
	}
	calls := []sdk.ToolCall{{ID: "a", Name: "f"}, {ID: "b", Name: "g"}}
	f.Fuzz(func(t *testing.T, state string) {
		messages, err := messagesOf([]byte(state))
		if err != nil {
			return
		}
		out := feedback(calls, messages)
		for i, call := range calls {
			if out[i].Role != sdk.RoleTool || out[i].ToolCallID != call.ID {
				t.Errorf("%s: result %d is %+v", state, i, out[i])
			}
		}
		for _, m := range out[len(calls):] {
			if m.Role == sdk.RoleTool {
				t.Errorf("%s: a result of no call: %+v", state, m)
			}
		}
	})
}
