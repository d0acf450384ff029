package madness

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
)

// vector is a line of madness_vectors.jsonl or madness_vectors_head.jsonl, recorded with AgentJet's own program.
type vector struct {
	Fn   string `json:"fn"`
	Note string `json:"note"`

	Completion string          `json:"completion"`
	Checklist  []string        `json:"checklist"`
	Expected   json.RawMessage `json:"expected"` // a number or a bool
	Mad        *bool           `json:"mad"`

	Tokens   []string `json:"tokens"`
	Remember int      `json:"remember_n_words"`
	Patience int      `json:"patience_max"`

	Output struct {
		Content   string `json:"content"`
		ToolCalls []struct {
			Function struct {
				Arguments json.RawMessage `json:"arguments"`
			} `json:"function"`
		} `json:"tool_calls"`
	} `json:"llm_output"`
	ExpectedMad *bool  `json:"expected_mad"`
	Error       string `json:"error"`

	Whitelist  string `json:"whitelist"`        // the commit
	ExpectedAt *bool  `json:"expected_d20cce0"` // result at the older commit
}

func vectors(t *testing.T, name string) []vector {
	t.Helper()
	root := os.Getenv("AWHOST_TESTDATA")
	if root == "" {
		t.Skip("SKIPPED: set AWHOST_TESTDATA to the directory with reference/vectors to hold the profiles to AgentJet")
	}
	text, err := os.ReadFile(filepath.Join(root, "reference", "vectors", name))
	if err != nil {
		t.Fatal(err)
	}
	var out []vector
	for line := range bytes.Lines(text) {
		var v vector
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	return out
}

// known returns the checks of an AgentJet checklist. It skips unknown names.
func known(checklist []string) []Check {
	var out []Check
	for _, name := range checklist {
		switch name {
		case "format_type_1":
			out = append(out, Format)
		case string(Nonsense), string(WrongToolCall):
			out = append(out, Check(name))
		}
	}
	return out
}

// find returns the findings of a profile with AgentJet's semantics: "non_ascii" in the checklist disables the
// character rule of nonsense.
func find(t *testing.T, name Profile, checklist []string, m sdk.Message) []Finding {
	t.Helper()
	rules, err := New(name, known(checklist))
	if err != nil {
		t.Fatal(err)
	}
	if slices.Contains(checklist, "non_ascii") {
		rules.profile.character = func(string) *found { return nil }
	}
	return rules.Find(&m)
}

func as[T any](t *testing.T, raw json.RawMessage) (out T) {
	t.Helper()
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	return out
}

// Checks every line recorded at d20cce0.
func TestVectors(t *testing.T) {
	held := map[string]int{}
	for _, v := range vectors(t, "madness_vectors.jsonl") {
		switch held[v.Fn]++; v.Fn {
		case "compute_string_madness", "compute_string_madness_format":
			if v.Fn == "compute_string_madness_format" {
				v.Checklist = []string{"format_type_1"}
			}
			findings := find(t, ProfileAgentJet, v.Checklist, sdk.Message{Content: v.Completion})
			want := as[float64](t, v.Expected)
			if got := -float64(len(findings)); got != want || v.Mad != nil && *v.Mad != (len(findings) > 0) {
				t.Errorf("%s: %v of %.80q: %v, want %v: %+v", v.Note, v.Checklist, v.Completion, got, want, findings)
			}
		case "has_non_ascii":
			if got := foreign(v.Completion, agentJetText) != nil; got != as[bool](t, v.Expected) {
				t.Errorf("%s: %v", v.Note, got)
			}
		case "has_repeat":
			if got := repeats(v.Tokens, v.Remember, v.Patience) >= 0; got != as[bool](t, v.Expected) {
				t.Errorf("%s: %v: %v", v.Note, v.Tokens, got)
			}
		case "detect_tool_call_madness":
			holdToolCall(t, v, held)
		default:
			t.Errorf("%s is not known", v.Fn)
		}
	}
	want := map[string]int{
		"compute_string_madness": 264, "compute_string_madness_format": 18, "has_non_ascii": 102, "has_repeat": 19,
		"detect_tool_call_madness": 98, "without content": 2,
	}
	if diff := cmp.Diff(want, held); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}

// holdToolCall checks one vector. The only difference is that AgentJet fails on a message without content: here the
// content is empty.
func holdToolCall(t *testing.T, v vector, held map[string]int) {
	t.Helper()
	m := sdk.Message{Content: v.Output.Content}
	for _, call := range v.Output.ToolCalls {
		arguments := ""
		if raw := call.Function.Arguments; len(raw) > 0 && json.Unmarshal(raw, &arguments) != nil {
			arguments = "" // not a string, which only a program can pass: no readable arguments
		}
		m.ToolCalls = append(m.ToolCalls, sdk.ToolCall{Arguments: arguments})
	}
	findings := find(t, ProfileAgentJet, v.Checklist, m)
	got := slices.ContainsFunc(findings, func(f Finding) bool { return f.Check == WrongToolCall })
	if v.Error != "" {
		held["without content"]++
		if got {
			t.Errorf("%s: it is mad", v.Note)
		}
		return
	}
	if v.ExpectedMad == nil || got != *v.ExpectedMad {
		t.Errorf("%s: %+v: %v, want %v", v.Note, v.Output, got, v.ExpectedMad)
	}
}

// Checks every line recorded at 4c03596, and the earlier result for the same characters.
func TestVectors_OfHead(t *testing.T) {
	held := map[bool]int{}
	for _, v := range vectors(t, "madness_vectors_head.jsonl") {
		if v.Fn != "has_non_ascii" || v.Whitelist != "4c03596" || v.ExpectedAt == nil {
			t.Errorf("%s, %s is not known", v.Fn, v.Whitelist)
			continue
		}
		want := as[bool](t, v.Expected)
		held[want]++
		message := sdk.Message{Content: v.Completion}
		if got := len(find(t, ProfileAgentJetNew, []string{"nonsense"}, message)) > 0; got != want {
			t.Errorf("%s %q: %v, want %v", v.Note, v.Completion, got, want)
		}
		if got := len(find(t, ProfileAgentJet, []string{"nonsense"}, message)) > 0; got != *v.ExpectedAt {
			t.Errorf("%s %q: %v at d20cce0, want %v", v.Note, v.Completion, got, *v.ExpectedAt)
		}
	}
	if diff := cmp.Diff(map[bool]int{true: 33, false: 67}, held); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}
