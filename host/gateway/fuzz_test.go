package gateway

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/awhost/awhost/sdk"
)

// fuzz lets a dialect decode bodies. Nothing may panic. Rejected bodies get status 400 with a text that has a JSON
// form. Accepted bodies are valid JSON, can be asked, are the same call when repeated, and get an answer, also as a
// stream.
func fuzz(f *testing.F, d dialect, path string, seeds ...string) {
	for _, text := range seeds {
		f.Add([]byte(text))
	}
	addRecorded(f, path)
	f.Fuzz(func(t *testing.T, body []byte) {
		a, p := decoded(d, string(body))
		if (a == nil) == (p == nil) {
			t.Fatalf("%v and %v", a, p)
		}
		if p != nil {
			if text, err := json.Marshal(d.problem(p)); p.status != http.StatusBadRequest || err != nil {
				t.Fatalf("%d: %s, %v", p.status, text, err)
			}
			return
		}
		if !json.Valid(body) || len(a.request.Messages) == 0 || a.samples < 1 || a.request.MaxTokens < 0 {
			t.Fatalf("%+v of %q", a, body)
		}
		for _, tool := range a.request.Tools {
			if tool.Name == "" || tool.Parameters != nil && !json.Valid(tool.Parameters) {
				t.Fatalf("%+v", tool)
			}
		}
		again, _ := decoded(d, string(bytes.TrimSpace(body)))
		if again == nil || again.key != a.key {
			t.Fatal("it is another call when it comes again")
		}
		said := string(body[:min(len(body), 200)])
		replies := make([]*sdk.ModelReply, a.samples)
		for i := range replies {
			replies[i] = &sdk.ModelReply{CallID: "e/1.1", Message: sdk.Message{
				Role: sdk.RoleAssistant, Content: said, Reasoning: "hm", ToolCalls: []sdk.ToolCall{
					{ID: "t", Name: "f", Arguments: said},
				},
			}}
		}
		if text, err := json.Marshal(d.whole(replies, a)); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		for _, e := range d.events(replies, a) {
			if text := e.text(); !bytes.HasSuffix(text, []byte("\n\n")) || bytes.Contains(text[:len(text)-2], []byte("\n\n")) {
				t.Fatalf("%q is not an event", text)
			}
		}
	})
}

// addRecorded adds recorded requests of real harnesses as seeds. Long texts are cut: they only cost time.
func addRecorded(f *testing.F, path string) {
	files, err := filepath.Glob("testdata/harness/*/*.json")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		var recorded struct {
			Path string `json:"path"`
			Body any    `json:"body"`
		}
		if err := json.Unmarshal(text, &recorded); err != nil {
			f.Fatalf("%s: %v", file, err)
		}
		if canonicalPath(recorded.Path) == path {
			body, err := json.Marshal(cut(recorded.Body))
			if err != nil {
				f.Fatal(err)
			}
			f.Add(body)
		}
	}
}

// cut shortens the texts and lists of a JSON value.
func cut(value any) any {
	switch v := value.(type) {
	case string:
		return v[:min(len(v), 40)]
	case []any:
		v = v[:min(len(v), 6)]
		for i := range v {
			v[i] = cut(v[i])
		}
		return v
	case map[string]any:
		for name := range v {
			v[name] = cut(v[name])
		}
	}
	return value
}

func FuzzCompletions(f *testing.F) {
	fuzz(f, completions{}, "/v1/chat/completions", question,
		`{"messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"image_url",`+
			`"image_url":{"url":"data:image/png;base64,AAAA"}},{"type":"image_url","image_url":"https://a/b.png"}]}]}`,
		`{"messages":[{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"f",`+
			`"arguments":"{}"}}]},{"role":"tool","tool_call_id":"1","content":null}],"n":2,"stop":"x","max_tokens":7,`+
			`"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}],"stream":true,`+
			`"stream_options":{"include_usage":true},"temperature":0.5,"tool_choice":"auto","logprobs":false}`)
}

func FuzzResponses(f *testing.F) {
	fuzz(f, responses{}, "/v1/responses", codex, `{"input":"1+2","max_output_tokens":7,"stream":true}`)
}

func FuzzMessages(f *testing.F) {
	fuzz(f, messages{}, "/v1/messages", claude,
		`{"max_tokens":9,"system":"s","messages":[{"role":"user","content":"1+2"}]}`)
}
