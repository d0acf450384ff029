package gateway

import (
	"bufio"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
)

// claude is a request of Claude Code: a billing block, cache control, a system turn in the middle, an assistant call
// without text, results as blocks.
const claude = `{"model":"claude","max_tokens":64,"stream":true,"temperature":1,"thinking":{"type":"enabled"},
"metadata":{"user_id":"u"},"stop_sequences":["END"],
"system":[{"type":"text","text":"x-anthropic-billing-header: cc_version=2"},
 {"type":"text","text":"Be brief.","cache_control":{"type":"ephemeral"}},{"type":"text","text":"Be right."}],
"tools":[{"name":"Bash","description":"runs","input_schema":{"type":"object"},"cache_control":{"type":"ephemeral"}}],
"messages":[{"role":"user","content":"list"},
 {"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":""},
  {"type":"tool_use","id":"t1","name":"Bash","input":{"command": "ls"}}]},
 {"role":"system","content":"It is late."},
 {"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,
   "content":[{"type":"text","text":"a.txt"}]},
  {"type":"text","text":"and now?","cache_control":{"type":"ephemeral"}}]}]}`

// TestMessages_ReadsClaudeCode checks that the relevant parts of a request are read, and the parts that move from call
// to call are not.
func TestMessages_ReadsClaudeCode(t *testing.T) {
	a, p := decoded(messages{}, claude)
	if p != nil {
		t.Fatal(p)
	}
	want := []sdk.Message{
		{Role: sdk.RoleSystem, Content: "Be brief.\n\nBe right."},
		{Role: sdk.RoleUser, Content: "list"},
		{Role: sdk.RoleAssistant, Reasoning: "hm", ToolCalls: []sdk.ToolCall{
			{ID: "t1", Name: "Bash", Arguments: `{"command":"ls"}`},
		}},
		{Role: sdk.RoleTool, ToolCallID: "t1", Name: "Bash", Content: "a.txt", IsError: true},
		{Role: sdk.RoleUser, Content: "It is late.\n\nand now?"},
	}
	if diff := cmp.Diff(want, a.request.Messages); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if a.request.MaxTokens != 64 || !cmp.Equal(a.request.Stop, []string{"END"}) || !a.stream ||
		!cmp.Equal(a.owned, []string{"temperature", "thinking"}) {
		t.Errorf("%+v", a)
	}
	tools := []sdk.Tool{{Name: "Bash", Description: "runs", Parameters: []byte(`{"type":"object"}`)}}
	if diff := cmp.Diff(tools, a.request.Tools); diff != "" {
		t.Errorf("tools (-want +got):\n%s", diff)
	}
	whole, _ := decoded(messages{}, strings.Replace(claude, `"stream":true,`, "", 1))
	other, _ := decoded(messages{}, strings.Replace(claude, "and now?", "and then?", 1))
	if whole.key != a.key || other.key == a.key {
		t.Error("a request is told apart by whether it wants a stream, or not by what it says")
	}
}

// TestMessages_ADeferredToolIsOfferedOnReference checks that a tool with defer_loading is offered from the first result
// on that refers to it.
func TestMessages_ADeferredToolIsOfferedOnReference(t *testing.T) {
	const begin = `{"max_tokens":64,"tools":[{"name":"search","input_schema":{}},` +
		`{"name":"add","defer_loading":true,"input_schema":{}},{"name":"sub","defer_loading":true,"input_schema":{}}],` +
		`"messages":[{"role":"user","content":"q"}`
	const next = `,{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"search","input":{}}]},` +
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1",` +
		`"content":[{"type":"tool_reference","tool_name":"add"}]}]}`
	const search = `{"name":"search"`
	provider := strings.Replace(begin, search, `{"type":"tool_search_tool_bm25","name":"x"},`+search, 1)
	for body, want := range map[string][]string{
		begin + "]}": {"search"}, begin + next + "]}": {"search", "add"}, provider + "]}": {"search", "add", "sub"},
	} {
		a, p := (&lease{Lease: Lease{DropTools: true}}).decode(messages{}, []byte(body), nil)
		if p != nil {
			t.Fatal(p)
		}
		var offered []string
		for _, tool := range a.request.Tools {
			offered = append(offered, tool.Name)
		}
		if !slices.Equal(offered, want) {
			t.Errorf("%s: %v are offered, want %v", body, offered, want)
		}
		last := a.request.Messages[len(a.request.Messages)-1]
		if last.Role == sdk.RoleTool && !strings.Contains(last.Content, "add") {
			t.Errorf("the result of the search does not name the tool: %+v", last)
		}
	}
	if _, p := decoded(messages{}, begin+strings.Replace(next, `"add"}`, `"gone"}`, 1)+"]}"); p == nil {
		t.Error("a reference to a tool that does not exist is accepted")
	}
	only := strings.Replace(begin, `{"name":"search","input_schema":{}},`, "", 1) + "]}"
	rules, err := ParseRules([]string{"no_tools"})
	if err != nil {
		t.Fatal(err)
	}
	if a, p := (&lease{Lease: Lease{Auxiliary: rules}}).decode(messages{}, []byte(only), nil); p != nil ||
		a.request.Member != "" {
		t.Errorf("a request with deferred tools only: %+v, %+v", a, p)
	}
}

// answered answers with a tool call and then with a text.
func answered(n int, _ sdk.ModelRequest) (*sdk.ModelReply, error) {
	if n > 1 {
		return &sdk.ModelReply{Finish: sdk.FinishStop, Message: sdk.Message{Content: "3"}}, nil
	}
	return &sdk.ModelReply{Message: sdk.Message{Reasoning: "hm", Content: "I add.", ToolCalls: []sdk.ToolCall{
		{ID: "t1", Name: "add", Arguments: `{"a": 1}`},
	}}}, nil
}

// TestMessages_AConversationGoesOn checks that the next message, after the call and its result are sent back,
// continues the call's chain.
func TestMessages_AConversationGoesOn(t *testing.T) {
	p := &policy{answer: answered}
	e, _ := serve(t, p)
	first := anthropic(t, e, `{"max_tokens":9,"messages":[{"role":"user","content":"1+2"}]}`)
	if first["stop_reason"] != "tool_use" || first["type"] != "message" {
		t.Fatalf("%v", first)
	}
	content, err := json.Marshal(first["content"])
	if err != nil {
		t.Fatal(err)
	}
	want := `[{"signature":"","thinking":"hm","type":"thinking"},{"text":"I add.","type":"text"},` +
		`{"id":"t1","input":{"a":1},"name":"add","type":"tool_use"}]`
	if diff := cmp.Diff(want, string(content)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	second := anthropic(t, e, `{"max_tokens":9,"messages":[{"role":"user","content":"1+2"},{"role":"assistant","content":`+
		string(content)+`},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"3"}]}]}`)
	if second["stop_reason"] != "end_turn" {
		t.Errorf("%v", second)
	}
	got := p.asked()[1]
	if got.Chain != "c1" || got.Base != 2 || len(got.Messages) != 1 || got.Messages[0].Name != "add" {
		t.Errorf("%+v", got)
	}
}

// TestMessages_ATurnOfTheSystemKeepsItsPlace checks a system turn after the user's, in which Claude Code 2.1.197 lists
// the available agents. Later calls continue the conversation with the turn at its position.
func TestMessages_ATurnOfTheSystemKeepsItsPlace(t *testing.T) {
	const asked, told = `{"role":"user","content":"1+2"}`, `{"role":"system","content":"There are agents."}`
	const called = `{"role":"assistant","content":[{"type":"text","text":"I add."},` +
		`{"type":"tool_use","id":"t1","name":"add","input":{"a":1}}]}`
	const result = `{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"3"}]}`
	for name, turns := range map[string][2]string{
		"after the user's":       {asked + "," + told, "," + called + "," + result},
		"before the user's":      {told + "," + asked, "," + called + "," + result},
		"after a result":         {asked, "," + called + "," + result + "," + told},
		"two, around the user's": {told + "," + asked + "," + told, "," + called + "," + result + "," + told},
		"alone, then a question": {told, "," + called + "," + result + "," + told + "," + asked},
	} {
		p := &policy{answer: answered}
		e, _ := serve(t, p)
		anthropic(t, e, `{"max_tokens":9,"messages":[`+turns[0]+`]}`)
		anthropic(t, e, `{"max_tokens":9,"messages":[`+turns[0]+turns[1]+`]}`)
		got := p.asked()
		if got[1].Chain != "c1" || got[1].Base != len(got[0].Messages)+1 {
			t.Errorf("%s: the second call continues %q after %d", name, got[1].Chain, got[1].Base)
		}
		for _, messages := range [][]sdk.Message{got[0].Messages, got[1].Messages} {
			for i := range messages[1:] {
				if messages[i].Role == sdk.RoleUser && messages[i+1].Role == sdk.RoleUser {
					t.Errorf("%s: two messages of the user in a row: %+v", name, messages)
				}
			}
		}
	}
}

func anthropic(t *testing.T, e sdk.ModelEndpoint, body string) map[string]any {
	t.Helper()
	status, text := post(t, e, body, func(r *http.Request) { r.URL.Path = "/v1/messages" })
	var out map[string]any
	if err := json.Unmarshal([]byte(text), &out); err != nil || status != http.StatusOK {
		t.Fatalf("%d: %s", status, text)
	}
	return out
}

// TestMessages_Streams checks every event in the order required by clients. Together they equal the answer in one
// piece.
func TestMessages_Streams(t *testing.T) {
	p := &policy{answer: answered}
	e, _ := serve(t, p)
	_, text := post(t, e, `{"max_tokens":9,"stream":true,"messages":[{"role":"user","content":"1+2"}]}`,
		func(r *http.Request) { r.URL.Path = "/v1/messages" })
	var names []string
	var input string
	for lines := bufio.NewScanner(strings.NewReader(text)); lines.Scan(); {
		if name, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
			names = append(names, name)
		}
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		var e struct {
			Type  string `json:"type"`
			Index int    `json:"index"`
			Delta struct {
				PartialJSON string `json:"partial_json"`
				StopReason  string `json:"stop_reason"`
			} `json:"delta"`
			Usage   map[string]int `json:"usage"`
			Message struct {
				Usage map[string]int `json:"usage"`
			} `json:"message"`
		}
		if err := json.Unmarshal([]byte(data), &e); err != nil || e.Type != names[len(names)-1] {
			t.Errorf("%v: %s", err, data)
		}
		input += e.Delta.PartialJSON
		if e.Type == "message_start" && e.Message.Usage["input_tokens"] != 10 ||
			e.Type == "message_delta" && (e.Usage["output_tokens"] != 3 || e.Delta.StopReason != "tool_use") {
			t.Errorf("%s", data)
		}
	}
	piece := []string{"content_block_start", "content_block_delta", "content_block_stop"}
	want := []string{"message_start"}
	for range 3 {
		want = append(want, piece...)
	}
	want = append(want, "message_delta", "message_stop")
	if diff := cmp.Diff(want, names); diff != "" || input != `{"a": 1}` {
		t.Errorf("input %s (-want +got):\n%s", input, diff)
	}
}

// TestMessages_ErrorsInTheCallersWords checks the form of errors, and the text that makes a harness compact its
// conversation.
func TestMessages_ErrorsInTheCallersWords(t *testing.T) {
	for want, c := range map[string]struct {
		err    error
		body   string
		status int
	}{
		`"type":"invalid_request_error"`: {nil, `{"messages":[{"role":"user","content":"a"}],"magic":1}`, 400},
		`prompt is too long: 9 tokens`:   {&sdk.GenerateError{Kind: sdk.GenerateContextFull, Detail: "9 tokens"}, "", 400},
		`"type":"api_error"`:             {errors.New("engine"), "", 410},
		`content[0].type = \"audio\"`:    {nil, `{"messages":[{"role":"user","content":[{"type":"audio"}]}]}`, 400},
		`offers no tools`: {nil,
			`{"messages":[{"role":"user","content":"a"}],"tool_choice":{"type":"any"}}`, 400},
		`of type \"web_search_20250305\"`: {nil,
			`{"messages":[{"role":"user","content":"a"}],"tools":[{"type":"web_search_20250305","name":"w"}]}`, 400},
	} {
		p := &policy{}
		if c.err != nil {
			p.answer = func(int, sdk.ModelRequest) (*sdk.ModelReply, error) { return nil, c.err }
		}
		e, _ := serve(t, p)
		if c.body == "" {
			c.body = `{"max_tokens":1,"messages":[{"role":"user","content":"a"}]}`
		}
		status, text := post(t, e, c.body, func(r *http.Request) { r.URL.Path = "/v1/messages" })
		if status != c.status || !strings.Contains(text, want) || !strings.HasPrefix(text, `{"error":{"message":`) ||
			!strings.HasSuffix(text, `,"type":"error"}`) {
			t.Errorf("%d: %s; want %d with %s", status, text, c.status, want)
		}
	}
}

// TestMessages_NameTheStopSequence checks a response that ends with one of the request's stop sequences.
func TestMessages_NameTheStopSequence(t *testing.T) {
	p := &policy{answer: func(int, sdk.ModelRequest) (*sdk.ModelReply, error) {
		return &sdk.ModelReply{Message: sdk.Message{Content: "a, b###"}, Finish: sdk.FinishStop}, nil
	}}
	e, _ := serve(t, p)
	for sequences, want := range map[string]string{
		`["x","###"]`: `"stop_reason":"stop_sequence","stop_sequence":"###"`,
		`["x"]`:       `"stop_reason":"end_turn","stop_sequence":null`,
	} {
		for _, stream := range []string{"false", "true"} {
			_, text := post(t, e, `{"messages":[{"role":"user","content":"q"}],"stop_sequences":`+sequences+`,"stream":`+
				stream+`}`, func(r *http.Request) { r.URL.Path = "/v1/messages" })
			if !strings.Contains(text, want) {
				t.Errorf("%s, stream %s: %s; want %s", sequences, stream, text, want)
			}
		}
	}
}
