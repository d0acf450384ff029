package dataset

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
)

func TestMessages(t *testing.T) {
	const text = `[{"role":"user","content":[{"type":"text","text":"1+2?"}]},
		{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"add","arguments":"{\"a\":1}"}}]},
		{"role":"tool","tool_call_id":"1","content":"3"},{"role":"assistant","tool_calls":[{"id":"2","name":"add","arguments":"{}"}]}]`
	want := []sdk.Message{
		{Role: sdk.RoleUser, Content: "1+2?"},
		{Role: sdk.RoleAssistant, ToolCalls: []sdk.ToolCall{{ID: "1", Name: "add", Arguments: `{"a":1}`}}},
		{Role: sdk.RoleTool, ToolCallID: "1", Content: "3"},
		{Role: sdk.RoleAssistant, ToolCalls: []sdk.ToolCall{{ID: "2", Name: "add", Arguments: `{}`}}},
	}
	got, err := Messages([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
	for text, says := range map[string]string{
		`[`: "ends before it is complete", `{}`: "messages is", `[]`: "empty", `[3]`: "not an object",
		`[{"role":"robot","content":"x"}]`: "robot",
		`[{"role":"user","content":3}]`:    "not text", `[{"role":"user","content":"x","images":3}]`: "images",
		`[{"role":"user","role":"tool","content":"x"}]`: `duplicate name "role"`,
	} {
		if _, err := Messages([]byte(text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// encoding/json accepts a name that differs only in case, which would bypass all checks.
func TestMessages_NamesAreWhole(t *testing.T) {
	for message, says := range map[string]string{
		`{"role":"user","Content":"x","CONTENT":3}`: `unknown member "CONTENT": ` +
			`write "content"`,
		`{"role":"assistant","tool_CAlLs":[{}]}`: `unknown member "tool_CAlLs": ` +
			`write`,
		`{"role":"assistant","tool_calls":[{"name":"a","arguments":"","Name":""}]}`: `a tool call: unknown member ` +
			`"Name"`,
		`{"role":"assistant","tool_calls":[{"name":"a","argumentſ":""}]}`: `a tool call: unknown member ` +
			`"argumentſ"`,
	} {
		if _, err := Messages([]byte("[" + message + "]")); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", message, err)
		}
	}
}
