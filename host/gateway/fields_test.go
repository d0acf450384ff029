package gateway

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
)

var fieldTables = map[string]*field{"chat": chatFields, "responses": responsesFields, "messages": messagesFields}

func goldenFields(protocol string) string { return filepath.Join("testdata/fields", protocol+".txt") }

// TestFields_EachHasADecision checks the fields defined by the types of the packages openai and anthropic.
func TestFields_EachHasADecision(t *testing.T) {
	for protocol, table := range fieldTables {
		golden, err := os.ReadFile(goldenFields(protocol))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(golden)) {
			if line = strings.TrimSpace(line); !table.decides(line) {
				t.Errorf("fields/%s.txt has no decision on %s", protocol, line)
			}
		}
		if table.decides("magic") || table.decides("tools.magic") {
			t.Errorf("fields/%s.txt decides on fields that it does not have", protocol)
		}
	}
}

// TestClients_FieldsAreOnRecord compares the list read by TestFields_EachHasADecision with the pinned packages.
func TestClients_FieldsAreOnRecord(t *testing.T) {
	folder := os.Getenv("AWHOST_GATEWAY_CLIENTS")
	if folder == "" {
		t.Skip("SKIPPED: AWHOST_GATEWAY_CLIENTS does not name the folder that .ci/gateway-clients makes")
	}
	for protocol, table := range fieldTables {
		cmd := exec.CommandContext(t.Context(),
			filepath.Join(folder, "venv/bin/python"), "testdata/clients/fields.py", protocol)
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		var lines []string
		for line := range strings.Lines(string(out)) {
			if line = table.uncovered(strings.TrimSpace(line)); line != "" {
				lines = append(lines, line)
			}
		}
		slices.Sort(lines)
		got := strings.Join(slices.Compact(lines), "\n") + "\n"
		if *update {
			if err := os.WriteFile(goldenFields(protocol), []byte(got), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(goldenFields(protocol))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%s is not what the package defines: decide on new fields in fields/%s.txt, and run this test with "+
				"-update (-want +got):\n%s", goldenFields(protocol), protocol, diff)
		}
	}
}

// uncovered returns a line of fields.py without the names of variants. It returns "" if the decision on a variant or
// on an enclosing field covers the line.
func (f *field) uncovered(line string) string {
	var path []string
	line, value, valued := strings.Cut(line, "=")
	names := strings.Split(line, ".")
	for i, name := range names {
		name, variant, isVariant := strings.Cut(strings.TrimSuffix(name, ">"), "<")
		path = append(path, name)
		if f = f.members[name]; f == nil {
			break
		}
		if covers := []use{verbatim, harmless, owned, unwanted, constraint}; i < len(names)-1 && len(f.members) == 0 &&
			slices.Contains(covers, f.other.use) || isVariant && f.refusesVariant(variant) {
			return ""
		}
	}
	out := strings.ReplaceAll(strings.Join(path, "."), "<", "")
	if f == nil {
		out = line // with its variants
	}
	if valued {
		out += "=" + value
	}
	return out
}

// refusesVariant reports whether objects of all of these types are rejected, or are a provider's tools.
func (f *field) refusesVariant(types string) bool {
	for _, kind := range strings.Split(types, "|") {
		decided := f.members["type"]
		if decided == nil {
			return false
		}
		d, listed := decided.byValue[`"`+kind+`"`]
		if !listed {
			d = decided.other
		}
		if d.use != unwanted && d.use != provider {
			return false
		}
	}
	return true
}

// decides reports whether a table has a decision on a field, or on one of its values.
func (f *field) decides(line string) bool {
	path, value, valued := strings.Cut(line, "=")
	for name := range strings.SplitSeq(path, ".") {
		if f = f.members[name]; f == nil {
			return false
		}
	}
	if _, listed := f.byValue[`"`+value+`"`]; valued && listed {
		return true
	}
	return f.other.use != "" || !valued && len(f.members)+len(f.byValue) > 0
}

// TestFields_AreHonoredOrRefusedByName sends fields that were once accepted and ignored, in the protocol of each case.
func TestFields_AreHonoredOrRefusedByName(t *testing.T) {
	chat := func(message string) string { return `{"messages":[{"role":"user","content":"q"},` + message + `]}` }
	said := func(block string) string {
		return `{"max_tokens":9,"messages":[{"role":"user","content":"q"},{"role":"assistant","content":[` + block + `]}]}`
	}
	result := func(part string) string {
		return said(`{"type":"tool_use","id":"c","name":"f","input":{}}]},{"role":"user","content":[` +
			`{"type":"tool_result","tool_use_id":"c","content":[` + part + `]}`)
	}
	top := func(fields string) string { return `{"messages":[{"role":"user","content":"q"}],` + fields + `}` }
	input := func(fields string) string { return `{"input":"q",` + fields + `}` }
	for _, c := range []struct {
		d    dialect
		body string
		want string // the rejected field; empty: accepted
	}{
		{completions{}, chat(`{"role":"assistant","content":"a","reasoning_details":[{"type":"reasoning.text"}]}`),
			"messages[1].reasoning_details[0]"},
		{completions{}, chat(`{"role":"assistant","content":"a","reasoning_details":[]}`), ""},
		{completions{}, chat(`{"role":"assistant","reasoning":"a","reasoning_content":"b"}`), "messages[1].reasoning"},
		{completions{}, chat(`{"role":"assistant","function_call":{"name":"f","arguments":"{}"}}`),
			"messages[1].function_call"},
		{completions{}, chat(`{"role":"assistant","audio":{"id":"a"}}`), "messages[1].audio"},
		{completions{}, chat(`{"role":"assistant","prefix":true}`), "messages[1].prefix"},
		{completions{}, chat(`{"role":"user","content":[{"type":"input_audio","input_audio":{}}]}`),
			"messages[1].content[0].type"},
		{completions{}, chat(`{"role":"user","content":[{"type":"image_url","image_url":{"url":"u","detail":"low"}}]}`),
			"messages[1].content[0].image_url.detail"},
		{completions{}, top(`"store":true,"parallel_tool_calls":true,"tools":[{"type":"function","function":` +
			`{"name":"f","strict":true,"parameters":{"strict":7}}}]`), ""},
		{completions{}, top(`"chat_template_kwargs":{"enable_thinking":false}`), ""},
		{completions{}, top(`"tools":[{"type":"function","function":{"name":"f","returns":{}}}]`),
			"tools[0].function.returns"},

		{responses{}, input(`"store":true,"include":["reasoning.encrypted_content"],"text":{"verbosity":"low"}`), ""},
		{responses{}, input(`"include":["message.output_text.logprobs"]`), "include[0]"},
		{responses{}, input(`"previous_response_id":"r"`), "previous_response_id"},
		{responses{}, `{"input":[{"role":"user","content":[{"type":"input_file"` +
			`,"file_id":"f"}]}]}`, "input[0].content[0].type"},
		{responses{}, `{"input":[{"type":"item_reference","id":"i"}]}`, "input[0]"},
		{responses{}, `{"input":[{"type":"reasoning","summary":[],"encrypted_content":"e"}]}`, "input[0].encrypted_content"},
		{responses{}, `{"input":[{"type":"reasoning","summary":[{"type":"summary_text","text":"t"}]}]}`, "input"},

		{messages{}, result(`{"type":"tool_reference","tool_name":"f"}`), "messages.2.content.0"},
		{messages{}, result(`{"type":"document","source":{"type":"text","data":"d"}}`),
			"messages[2].content[0].content[0].type"},
		{messages{}, said(`{"type":"redacted_thinking","data":"d"}`), "messages[1].content[0].type"},
		{messages{}, said(`{"type":"tool_use","id":"c","name":"f","input":{}},{"type":"text","text":"a"}`),
			"messages.1.content.1"},
		{messages{}, top(`"output_config":{"effort":"low","format":{"type":"json_schema"}}`), "output_config.format"},
		{messages{}, top(`"context_management":{"edits":[{"type":"compact_20260112"}]}`), "context_management"},
		{messages{}, top(`"context_management":{"edits":[{"type":"clear_thinking_20251015"}]}`), "context_management"},
		{messages{}, top(`"context_management":{"edits":[{"type":"clear_thinking_20251015","keep":"all"}]}`), ""},
		{messages{}, top(`"tools":[{"name":"f","strict":true,"input_schema":{"cache_control":1}}]`), ""},
		{messages{}, top(`"tools":[{"name":"f","defer_loading":true}]`), ""},
	} {
		_, p := decoded(c.d, c.body)
		if p == nil && c.want != "" || p != nil && (p.status != 400 || p.param != c.want) {
			t.Errorf("%s: refused %+v, want %q", c.body, p, c.want)
		}
	}
}

// TestFields_OfAProvidersToolAreItsOwn checks that a provider's tool is dropped with all of its fields.
func TestFields_OfAProvidersToolAreItsOwn(t *testing.T) {
	const body = `{"input":"q","tools":[{"filters":{},"type":"web_search"},{"type":"function","name":"f"}]}`
	a, p := responses{}.decode([]byte(body), &lease{})
	if p != nil || len(a.request.Tools) != 1 || !slices.Equal(a.foreign, []string{"web_search"}) {
		t.Errorf("%v, %+v", p, a)
	}
}

// TestContent_KeepsItsOrder sends text, an image, and text as a question and as a tool's result.
func TestContent_KeepsItsOrder(t *testing.T) {
	const chatParts = `[{"type":"text","text":"before"},{"type":"image_url","image_url":{"url":"http://i"}},` +
		`{"type":"text","text":"af"},{"type":"text","text":"ter"}]`
	const items = `[{"type":"input_text","text":"before"},{"type":"input_image","image_url":"http://i"},` +
		`{"type":"input_text","text":"after"}]`
	const blocks = `[{"type":"text","text":"before"},{"type":"image","source":{"type":"url","url":"http://i"}},` +
		`{"type":"text","text":"after"}]`
	for _, c := range []struct {
		d    dialect
		body string
	}{
		{completions{}, `{"messages":[{"role":"user","content":` + chatParts + `},{"role":"assistant"` +
			`,"tool_calls":[{"id":"c",` +
			`"function":{"name":"f","arguments":""}}]},{"role":"tool","tool_call_id":"c","content":` + chatParts + `}]}`},
		{responses{}, `{"input":[{"role":"user","content":` + items + `},{"type":"function_call","call_id":"c","name":"f",` +
			`"arguments":""},{"type":"function_call_output","call_id":"c","output":` + items + `}]}`},
		{messages{}, `{"messages":[{"role":"user","content":` + blocks + `},{"role":"assistant"` +
			`,"content":[{"type":"tool_use",` +
			`"id":"c","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":` +
			blocks + `}]}]}`},
	} {
		a, p := decoded(c.d, c.body)
		if p != nil {
			t.Fatal(p)
		}
		between := []sdk.Image{{URL: "http://i", TextAfter: len("after")}}
		want := []sdk.Message{
			{Role: sdk.RoleUser, Content: "beforeafter", Images: between},
			{Role: sdk.RoleAssistant, ToolCalls: []sdk.ToolCall{{ID: "c", Name: "f", Arguments: "{}"}}},
			{Role: sdk.RoleTool, ToolCallID: "c", Name: "f", Content: "beforeafter", Images: between},
		}
		if diff := cmp.Diff(want, a.request.Messages); diff != "" {
			t.Errorf("%T (-want +got):\n%s", c.d, diff)
		}
	}
}

// TestReasoning_IsHonoredUnderEachName sends both names, and reasoning that no message or call follows.
func TestReasoning_IsHonoredUnderEachName(t *testing.T) {
	user, answer := sdk.Message{Role: sdk.RoleUser, Content: "q"}, sdk.Message{Role: sdk.RoleAssistant, Content: "a"}
	thought := sdk.Message{Role: sdk.RoleAssistant, Content: "a", Reasoning: "r"}
	item := func(reasoning string) string {
		return `{"input":[{"role":"assistant","content":"a"},` + reasoning + `,{"role":"user","content":"q"}]}`
	}
	for _, c := range []struct {
		d    dialect
		body string
		want []sdk.Message
	}{
		{completions{}, `{"messages":[{"role":"assistant","content":"a","reasoning":"r"}]}`, []sdk.Message{thought}},
		{completions{}, `{"messages":[{"role":"assistant","content":"a","reasoning":"r","reasoning_content":"r"}]}`,
			[]sdk.Message{thought}},
		{responses{}, `{"input":[{"type":"reasoning","summary":[{"type":"summary_text","text":"short"}],"content":[` +
			`{"type":"reasoning_text","text":"r"}]},{"role":"assistant","content":"a"}]}`, []sdk.Message{thought}},
		{responses{}, item(`{"type":"reasoning","id":"rs_1","summary":[]}`), []sdk.Message{answer, user}},
		{responses{}, item(`{"type":"reasoning","summary":[{"type":"summary_text"` +
			`,"text":"r"}]}`), []sdk.Message{answer, user}},
		{responses{}, `{"input":[{"role":"user","content":"q"},{"type":"reasoning","summary":[{"type":"summary_text",` +
			`"text":"r"}]}]}`, []sdk.Message{user}},
	} {
		a, p := decoded(c.d, c.body)
		if p != nil {
			t.Fatal(p)
		}
		if diff := cmp.Diff(c.want, a.request.Messages); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.body, diff)
		}
	}
}

// TestFields_OfTheWrongType checks that the error names the place and the JSON type, not a type of Go.
func TestFields_OfTheWrongType(t *testing.T) {
	for body, want := range map[string]string{
		`{"messages":7}`:                   "messages must be a list",
		`{"messages":[7]}`:                 "messages[0] must be an object",
		`{"messages":[{"role":7}]}`:        "messages[0].role must be a string",
		`{"messages":[],"max_tokens":""}`:  "max_tokens must be an integer",
		`{"messages":[],"max_tokens":1.5}`: "max_tokens must be an integer",
		`{"messages":[],"stream":"y"}`:     "stream must be a boolean",
		`{"messages":[{"content":7}]}`: "messages[0].content cannot be read: content is neither text nor a list " +
			"of parts",
		`{"messages":[{"content":[{"type":5}]}]}`:   "messages[0].content[0].type must be a string",
		`{"messages":[],"tools":[{"function":[]}]}`: "tools[0].function must be an object",
	} {
		if _, p := decoded(completions{}, body); p == nil || p.text != want {
			t.Errorf("%s: %+v; want %s", body, p, want)
		}
	}
}
