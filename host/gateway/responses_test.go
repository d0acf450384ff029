package gateway

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
)

// codex is a request with the members sent by Codex and OpenAI's agents.
const codex = `{"model":"m","instructions":"Be brief.","stream":true,"store":false,"reasoning":{"summary":"auto"},
"include":["reasoning.encrypted_content"],"prompt_cache_key":"k","parallel_tool_calls":true,"tool_choice":"auto",
"text":{"verbosity":"low"},"max_output_tokens":64,
"tools":[{"type":"function","name":"exec","description":"runs","parameters":{"type":"object"},"strict":false},
 {"type":"namespace","name":"mcp__fs__","description":"files","tools":[
  {"type":"function","name":"read","parameters":{"type":"object"}}]}],
"input":[
 {"type":"message","role":"developer","content":[{"type":"input_text","text":"Be right."}]},
 {"role":"user","content":[{"type":"input_text","text":"list"},
  {"type":"input_image","image_url":"data:image/png;base64,AAAA"}]},
 {"type":"reasoning","id":"rs_e/1.1_0","summary":[{"type":"summary_text","text":"hm"}],"encrypted_content":null},
 {"type":"message","id":"msg_e/1.1_1","role":"assistant","content":[{"type":"output_text","text":"I look."}]},
 {"type":"function_call","id":"fc_e/1.1_2","call_id":"c1","name":"exec","arguments":"{}"},
 {"type":"function_call_output","call_id":"c1","output":"a.txt"},
 {"type":"function_call","id":"fc_e/1.1_3","call_id":"c2","namespace":"mcp__fs__","name":"read","arguments":"{}"},
 {"type":"function_call_output","call_id":"c2","output":[{"type":"input_text","text":"b"}]},
 {"type":"function_call","call_id":"c3","name":"exec","arguments":"{}"},
 {"type":"function_call_output","call_id":"c3","output":""}]}`

// TestResponses_ReadsCodex checks that items are converted to messages, whatever is between the items of one
// answer.
func TestResponses_ReadsCodex(t *testing.T) {
	a, p := decoded(responses{}, codex)
	if p != nil {
		t.Fatal(p)
	}
	want := []sdk.Message{
		{Role: sdk.RoleSystem, Content: "Be brief."},
		{Role: sdk.RoleSystem, Content: "Be right."},
		{Role: sdk.RoleUser, Content: "list", Images: []sdk.Image{{MIMEType: "image/png", Data: []byte{0, 0, 0}}}},
		{Role: sdk.RoleAssistant, Reasoning: "hm", Content: "I look.", ToolCalls: []sdk.ToolCall{
			{ID: "c1", Name: "exec", Arguments: "{}"}, {ID: "c2", Name: "mcp__fs__read", Arguments: "{}"},
		}},
		{Role: sdk.RoleTool, ToolCallID: "c1", Name: "exec", Content: "a.txt"},
		{Role: sdk.RoleTool, ToolCallID: "c2", Name: "mcp__fs__read", Content: "b"},
		{Role: sdk.RoleAssistant, ToolCalls: []sdk.ToolCall{{ID: "c3", Name: "exec", Arguments: "{}"}}},
		{Role: sdk.RoleTool, ToolCallID: "c3", Name: "exec"},
	}
	if diff := cmp.Diff(want, a.request.Messages); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"", "", "", "e/1.1", "", "", "", ""}, a.request.Calls); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
	tools := []sdk.Tool{
		{Name: "exec", Description: "runs", Parameters: []byte(`{"type":"object"}`)},
		{Name: "mcp__fs__read", Description: "files", Parameters: []byte(`{"type":"object"}`)},
	}
	if diff := cmp.Diff(tools, a.request.Tools); diff != "" {
		t.Errorf("tools (-want +got):\n%s", diff)
	}
	if a.request.MaxTokens != 64 || !a.stream || !cmp.Equal(a.owned, []string{"reasoning", "text.verbosity"}) {
		t.Errorf("%+v", a)
	}
	if whole, _ := decoded(responses{}, strings.Replace(codex, `"stream":true,`, "", 1)); whole.key != a.key {
		t.Error("a request is told apart by whether it wants a stream")
	}
}

// respond sends a body to /v1/responses.
func respond(t *testing.T, e sdk.ModelEndpoint, body string) (int, string) {
	t.Helper()
	return post(t, e, body, func(r *http.Request) { r.URL.Path = "/v1/responses" })
}

// TestResponses_AConversationGoesOn checks that the items of an answer, sent back unchanged, are recognized as the
// sampled message, and that a call in a namespace uses its name there in both directions.
func TestResponses_AConversationGoesOn(t *testing.T) {
	p := &policy{answer: func(n int, _ sdk.ModelRequest) (*sdk.ModelReply, error) {
		if n > 1 {
			return &sdk.ModelReply{Message: sdk.Message{Content: "3"}, Finish: sdk.FinishLength}, nil
		}
		return &sdk.ModelReply{Message: sdk.Message{Reasoning: "hm", Content: "I add.", ToolCalls: []sdk.ToolCall{
			{ID: "c1", Name: "math__add", Arguments: `{"a": 1}`}, {ID: "c2", Name: "add", Arguments: `{}`},
		}}}, nil
	}}
	e, _ := serve(t, p)
	tools := `"tools":[{"type":"namespace","name":"math","tools":[{"type":"function","name":"add"}]}]`
	status, text := respond(t, e, `{"input":"1+2",`+tools+`}`)
	var first struct {
		ID     string
		Status string
		Output []map[string]any
		Usage  struct {
			Input  int `json:"input_tokens"`
			Output int `json:"output_tokens"`
		}
	}
	if err := json.Unmarshal([]byte(text), &first); err != nil || status != http.StatusOK {
		t.Fatalf("%d, %v: %s", status, err, text)
	}
	if first.Status != "completed" || len(first.Output) != 4 || first.Usage.Input != 10 || first.Usage.Output != 3 ||
		first.Output[2]["namespace"] != "math" || first.Output[2]["name"] != "add" {
		t.Errorf("%s", text)
	}
	echoed, err := json.Marshal(first.Output)
	if err != nil {
		t.Fatal(err)
	}
	status, text = respond(t, e, fmt.Sprintf(`{"input":[{"role":"user","content":"1+2"},%s,
		{"type":"function_call_output","call_id":"c1","output":"3"},
		{"type":"function_call_output","call_id":"c2","output":"0"}],%s}`, strings.Trim(string(echoed), "[]"), tools))
	if status != http.StatusOK || !strings.Contains(text, `"reason":"max_output_tokens"`) ||
		!strings.Contains(text, `"status":"incomplete"`) {
		t.Fatalf("%d: %s", status, text)
	}
	on := p.asked()[1]
	if on.Chain != "c1" || on.Base != 2 || len(on.Messages) != 2 || on.Messages[0].Name != "math__add" {
		t.Errorf("%+v", on)
	}
}

// TestResponses_Streams checks every event in its order, numbered: each item with its parts, and the answer at the
// end.
func TestResponses_Streams(t *testing.T) {
	p := &policy{answer: func(int, sdk.ModelRequest) (*sdk.ModelReply, error) {
		return &sdk.ModelReply{Message: sdk.Message{Reasoning: "hm", Content: "I add.", ToolCalls: []sdk.ToolCall{
			{ID: "c1", Name: "add", Arguments: `{"a": 1}`},
		}}}, nil
	}}
	e, _ := serve(t, p)
	_, text := respond(t, e, `{"input":"1+2","stream":true}`)
	var names []string
	text = strings.ReplaceAll(text, ": keep-alive\n", "")
	for i, piece := range strings.Split(strings.TrimSuffix(text, "\n\n"), "\n\n") {
		var data struct {
			Type     string
			Number   int `json:"sequence_number"`
			Response struct{ ID string }
		}
		name, body, _ := strings.Cut(strings.TrimPrefix(piece, "event: "), "\ndata: ")
		if err := json.Unmarshal([]byte(body), &data); err != nil || data.Type != name || data.Number != i ||
			data.Response.ID != "" && data.Response.ID != "resp_e/1.1" {
			t.Errorf("%v: %s", err, piece)
		}
		names = append(names, strings.TrimPrefix(name, "response."))
	}
	want := strings.Fields(`created in_progress
		output_item.added reasoning_summary_part.added reasoning_summary_text.delta reasoning_summary_text.done
		reasoning_summary_part.done output_item.done
		output_item.added content_part.added output_text.delta output_text.done content_part.done output_item.done
		output_item.added function_call_arguments.delta function_call_arguments.done output_item.done completed`)
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestResponses_Refuses checks that members are rejected by name if they need server-side state, change answers, or
// are not available in any environment.
func TestResponses_Refuses(t *testing.T) {
	for body, want := range map[string]string{
		`{"input":"q","previous_response_id":"r"}`:               "no stored response \"r\"",
		`{"input":"q","conversation":"c"}`:                       "conversation",
		`{"input":"q","text":{"format":{"type":"json_schema"}}}`: "text.format has no schema",
		`{"input":"q","tool_choice":"required"}`:                 "tool_choice",
		`{"input":"q","truncation":"auto"}`:                      "truncation",
		`{"input":"q","tools":[{"type":"web_search"}]}`:          `"web_search"`,
		`{"input":[{"type":"item_reference","id":"x"}]}`:         "no stored response of this episode has an item",
		`{"input":[]}`:                        "input is empty",
		`{"input":"q","max_output_tokens":0}`: "max_output_tokens",
		`{"input":[{"type":"function_call_output","call_id":"c"}]}`: "no output",
		`{"input":"q","tools":[{"type":"function"}]}`:               "no name",
		`{"input":"q","tools":[{"type":"namespace","name":"n","tools":[{"type":"function","name":"a"},` +
			`{"type":"function","name":"a"}]}]}`: `two tools have the name "n__a"`,
	} {
		a, p := decoded(responses{}, body)
		if p == nil || p.status != http.StatusBadRequest || !strings.Contains(p.text, want) {
			t.Errorf("%s: %v, %+v; want %s", body, p, a, want)
		}
	}
	l := &lease{Lease: Lease{DropTools: true}}
	a, p := l.decode(responses{}, []byte(`{"input":"q","tools":[{"type":"web_search"}]}`), http.Header{})
	if p != nil || len(a.request.Tools) != 0 || !cmp.Equal(a.foreign, []string{"web_search"}) {
		t.Errorf("%v, %+v", p, a)
	}
}

// TestReplay_TheOrderOfAnObjectCountsForNothing checks that a repeat is recognized although Codex 0.169.0 resends
// client_metadata in another order.
func TestReplay_TheOrderOfAnObjectCountsForNothing(t *testing.T) {
	p := &policy{}
	g, err := Listen(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	e, end := g.Grant(t.Context(), Lease{Model: p, Repeats: RepeatsReplay})
	for _, metadata := range []string{
		`{"a":"1","b":{"x":1,"y":2}}`, `{"b":{"y":2,"x":1},"a":"1"}`, `{ "a": "1", "b": {"x": 1, "y": 2}}`,
		`{"a":"2","b":{"x":1,"y":2}}`,
	} {
		body := `{"input":"1+2","client_metadata":` + metadata + `}`
		status, text := post(t, e, body, func(r *http.Request) { r.URL.Path = "/v1/responses" })
		if status != http.StatusOK {
			t.Fatalf("%d: %s", status, text)
		}
	}
	if n := end()[metricCalls]; n != 2 {
		t.Errorf("%v calls: one is another request, the others are equal", n)
	}
}

// TestReplay_AMessageWhoseEndIsMissing checks Codex 0.169.0, which keeps a message whose stream was cut before
// response.completed, and resends the request with that message appended. It gets the same message. A request that
// continues the message is another call.
func TestReplay_AMessageWhoseEndIsMissing(t *testing.T) {
	g, err := Listen(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	for repeats, want := range map[Repeats]string{
		RepeatsReplay: "answer 1, answer 1, answer 2", RepeatsCount: "answer 1, answer 2, answer 3",
	} {
		p := &policy{}
		e, end := g.Grant(t.Context(), Lease{Model: p, Repeats: repeats})
		input := `{"role":"user","content":"1+2"}`
		var said []string
		for _, next := range []string{"", "", `,{"role":"user","content":"and?"}`} {
			input += next
			status, text := post(t, e, `{"input":[`+input+`]}`, func(r *http.Request) { r.URL.Path = "/v1/responses" })
			var out struct{ Output []json.RawMessage }
			var message struct{ Content []struct{ Text string } }
			err := json.Unmarshal([]byte(text), &out)
			if err == nil && status == http.StatusOK {
				err = json.Unmarshal(out.Output[0], &message)
			}
			if err != nil || status != http.StatusOK {
				t.Fatalf("%d, %v: %s", status, err, text)
			}
			said = append(said, message.Content[0].Text)
			if len(said) == 1 {
				input += "," + string(out.Output[0])
			}
		}
		if got := strings.Join(said, ", "); got != want {
			t.Errorf("%s: %s, want %s", repeats, got, want)
		}
		if n, want := end()[metricCalls], map[Repeats]float64{RepeatsReplay: 2, RepeatsCount: 3}[repeats]; n != want {
			t.Errorf("%s: %v calls, want %v", repeats, n, want)
		}
	}
}

// TestResponses_NameStoredResponses checks that requests that name the items of a response, or the response itself,
// continue its conversation, and that responses with store = false cannot be named.
func TestResponses_NameStoredResponses(t *testing.T) {
	p := &policy{answer: func(n int, _ sdk.ModelRequest) (*sdk.ModelReply, error) {
		m := sdk.Message{Role: sdk.RoleAssistant, Content: fmt.Sprint(n)}
		if n == 1 {
			m = sdk.Message{Role: sdk.RoleAssistant, Reasoning: "hm", Content: "I add.", ToolCalls: []sdk.ToolCall{
				{ID: "c1", Name: "add", Arguments: `{"a":1}`},
			}}
		}
		return &sdk.ModelReply{Message: m}, nil
	}}
	e, _ := serve(t, p)
	type answer struct {
		ID     string
		Output []struct{ ID string }
	}
	ask := func(body string) (out answer) {
		t.Helper()
		status, text := respond(t, e, body)
		if err := json.Unmarshal([]byte(text), &out); err != nil || status != http.StatusOK {
			t.Fatalf("%d, %v: %s", status, err, text)
		}
		return out
	}
	const tools = `"instructions":"Be brief.","tools":[{"type":"function","name":"add"}]`
	first := ask(`{"input":"1+2",` + tools + `}`)
	refer := ""
	for _, item := range first.Output {
		refer += `{"type":"item_reference","id":"` + item.ID + `"},`
	}
	second := ask(`{"input":[{"role":"user","content":"1+2"},` + refer +
		`{"type":"function_call_output","call_id":"c1","output":"3"}],` + tools + `}`)
	third := ask(`{"input":"and 3+4?","previous_response_id":"` + second.ID + `",` + tools + `}`)
	ask(`{"input":[{"role":"user","content":"and 5+6?"}],"previous_response_id":"` + third.ID + `","store":false,` +
		tools + `}`)
	var added [][]string
	for i, r := range p.asked() {
		if (r.Chain == "") != (i == 0) {
			t.Errorf("request %d continues %q", i, r.Chain)
		}
		var texts []string
		for _, m := range r.Messages {
			texts = append(texts, string(m.Role)+" "+m.Content)
		}
		added = append(added, texts)
	}
	want := [][]string{{"system Be brief.", "user 1+2"}, {"tool 3"}, {"user and 3+4?"}, {"user and 5+6?"}}
	if diff := cmp.Diff(want, added); diff != "" {
		t.Errorf("new messages (-want +got):\n%s", diff)
	}

	unstored := ask(`{"input":"7+8","store":false}`)
	for _, body := range []string{
		`{"input":"q","previous_response_id":"` + unstored.ID + `"}`,
		`{"input":[{"type":"item_reference","id":"` + unstored.Output[0].ID + `"}]}`,
	} {
		if status, text := respond(t, e, body); status != 400 || !strings.Contains(text, "store = false are not stored") {
			t.Errorf("%s: %d: %s", body, status, text)
		}
	}
}
