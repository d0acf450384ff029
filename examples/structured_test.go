package examples_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/awhost/awhost/internal/realtest"
)

// structuredAgents are the functions of examples/clients/structured.py, with the members of chat completions that must
// reach an engine that applies constraints. The first three need only the packages that the other clients have.
var structuredAgents = []struct {
	name  string
	sends []string
}{
	{"openai_parse", []string{"response_format"}},
	{"openai_agents", []string{"response_format"}},
	{"langchain", []string{"response_format"}},
	{"openai_parse_responses", []string{"response_format"}},
	{"anthropic_parse", []string{"response_format"}},
	{"langchain_agent", []string{"tool_choice"}},
	{"langgraph_supervisor", []string{"parallel_tool_calls"}},
	{"smolagents", []string{"tool_choice"}},
	{"pydantic_ai", []string{"tool_choice"}},
	{"instructor", []string{"tool_choice"}},
	{"autogen", []string{"response_format"}},
	{"dspy", []string{"response_format"}},
	{"agno", []string{"response_format"}},
	{"vercel_object", []string{"response_format"}},
	{"vercel_tools", nil},
}

// scriptedEngine is a fake of an engine that decodes under a grammar. It answers with a call if tools are offered and
// none has a result, and otherwise with a JSON object.
type scriptedEngine struct {
	mu   sync.Mutex
	sent map[string]bool // whether a member restricted a message
	t    *testing.T
}

type scriptedRequest struct {
	Messages []struct{ Role string }
	Tools    []struct {
		Function struct {
			Name       string
			Parameters json.RawMessage
		}
	}
	ToolChoice json.RawMessage `json:"tool_choice"`
	Format     json.RawMessage `json:"response_format"`
	Parallel   *bool           `json:"parallel_tool_calls"`
}

func (e *scriptedEngine) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var in scriptedRequest
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		e.t.Errorf("the request cannot be read: %v", err)
	}
	e.mu.Lock()
	e.sent["tool_choice"] = e.sent["tool_choice"] || in.ToolChoice != nil
	e.sent["response_format"] = e.sent["response_format"] || in.Format != nil
	e.sent["parallel_tool_calls"] = e.sent["parallel_tool_calls"] || in.Parallel != nil
	e.mu.Unlock()
	message, finish := map[string]any{"role": "assistant", "content": `{"answer":42}`}, "stop"
	called := slices.ContainsFunc(in.Messages, func(m struct{ Role string }) bool { return m.Role == "tool" })
	if len(in.Tools) > 0 && !called {
		f := in.Tools[0].Function
		// Vercel's default provider names text and reasoning by their ids, and sends calls whole.
		message["content"], message["reasoning_content"], finish = "I call.", "Hm.", "tool_calls"
		message["tool_calls"] = []any{map[string]any{"id": "c1", "type": "function", "function": map[string]any{
			"name": f.Name, "arguments": filled(e.t, f.Parameters),
		}}}
	}
	_ = json.NewEncoder(w).Encode(map[string]any{
		"choices": []any{map[string]any{"index": 0, "message": message, "finish_reason": finish}},
		"usage":   map[string]any{"prompt_tokens": 5, "completion_tokens": 5, "total_tokens": 10},
	})
}

// filled returns arguments for a schema, with the value 42 for each property.
func filled(t *testing.T, schema json.RawMessage) string {
	t.Helper()
	var in struct {
		Properties map[string]struct{ Type any }
	}
	if len(schema) > 0 && json.Unmarshal(schema, &in) != nil {
		t.Errorf("the schema %s cannot be read", schema)
	}
	out := map[string]any{}
	for name, p := range in.Properties {
		if out[name] = any(42); p.Type == "string" {
			out[name] = "42"
		}
	}
	text, _ := json.Marshal(out)
	return string(text)
}

// playStructured runs the agents with a value of decoding_constraints, and checks which restrictions reach the engine.
func playStructured(t *testing.T, venv, value string, names ...string) {
	t.Helper()
	folder := gatewayClients(t)
	for _, a := range structuredAgents {
		if !slices.Contains(names, a.name) {
			continue
		}
		t.Run(strings.TrimSpace(a.name+" "+value), func(t *testing.T) {
			engine := &scriptedEngine{sent: map[string]bool{}, t: t}
			server := httptest.NewServer(engine)
			defer server.Close()
			dir := realtest.Copy(t, "examples/clients")
			attributes := "  max_turns = 4\n"
			if value != "" {
				attributes += fmt.Sprintf("  decoding_constraints = %q\n", value)
			}
			realtest.Edit(t, filepath.Join(dir, "train.hcl"), "  max_turns = 4\n", attributes)
			t.Setenv("NODE_FOLDER", folder)
			out := filepath.Join(t.TempDir(), "episodes.jsonl")
			text, ok := awhost(t, dir, "eval", "train.hcl", "--base-url", server.URL+"/v1", "--model-name", "fake",
				"--pass-env", "NODE_FOLDER", "--dataset", "dataset.jsonl.train", "--limit", "1", "--samples", "1",
				"--out", out, "--var", "file=structured.py", "--var", "client="+a.name,
				"--var", "venv="+filepath.Join(folder, venv))
			if !ok {
				t.Fatal(text)
			}
			line, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			var e struct {
				Outcome string
				Answer  string
			}
			if err := json.Unmarshal(line, &e); err != nil {
				t.Fatalf("%v: %s", err, line)
			}
			if e.Outcome != "SCORED" || e.Answer != "42" {
				t.Errorf("%s, answer %q: %s", e.Outcome, e.Answer, line)
			}
			for name, sent := range engine.sent {
				needed := slices.Contains(a.sends, name)
				if value == "ignore" && sent || value == "" && needed && !sent {
					t.Errorf("decoding_constraints = %q: %s reaches the engine: %t", value, name, sent)
				}
			}
		})
	}
}

// TestStructured_Agents checks that agents that restrict the model play with a served model, which receives the
// restriction, and that it does not with decoding_constraints = "ignore".
func TestStructured_Agents(t *testing.T) {
	for i, a := range structuredAgents[:3] {
		playStructured(t, "venv", []string{"", "ignore"}[i%2], a.name)
	}
}

// TestStructured_TableHasAllAgents checks the table of the guide.
func TestStructured_TableHasAllAgents(t *testing.T) {
	page, err := os.ReadFile("../docs/guides/clients.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{}
	for _, line := range strings.Split(string(page), "\n") {
		if cells := strings.Split(line, "|"); len(cells) == 6 && strings.HasPrefix(cells[3], " `") {
			rows[strings.Trim(cells[3], " `")] = cells[4]
		}
	}
	for _, a := range structuredAgents {
		for _, member := range a.sends {
			if !strings.Contains(rows[a.name], "`"+member+"`") {
				t.Errorf("the row of %s does not have %s: %q", a.name, member, rows[a.name])
			}
		}
		if rows[a.name] == "" {
			t.Errorf("%s is missing from the table", a.name)
		}
	}
}

// TestStructured_AllAgents checks the same for all frameworks.
func TestStructured_AllAgents(t *testing.T) {
	realtest.Slow(t)
	for _, a := range structuredAgents {
		playStructured(t, "structured", "", a.name)
		playStructured(t, "structured", "ignore", a.name)
	}
}
