package agentjet_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/awhost/awhost/internal/agentjet"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/chat/canonical"
)

// vector is a line of timeline_vectors.jsonl, recorded from AgentJet's own program.
type vector struct {
	Fn   string `json:"fn"`
	Note string `json:"note"`

	Name      string               `json:"name"`
	Policy    agentjet.Policy      `json:"policy"`
	MaxPrompt int                  `json:"max_prompt_length"`
	Timelines [][]agentjet.Message `json:"timelines"`
	Merged    [][]agentjet.Message `json:"merged"`
	Samples   []agentjet.Sample    `json:"samples"`

	Container []int32   `json:"token_container"`
	Precise   []int32   `json:"precise_token"`
	Logprob   []float64 `json:"precise_logprob"`
	Begin     []int32   `json:"begin_ids"`
	End       []int32   `json:"end_ids"`
	IDs       []int32   `json:"final_token_ids"`
	Logprobs  []float64 `json:"final_logprob"`
	Mask      []int     `json:"loss_mask"`
	Lacks     bool      `json:"lack_normal_eos"`
}

// recorded holds the control tokens of the recorded timelines.
var recorded = agentjet.Control{Begin: []int32{1, 2, 3}, End: []int32{9}}

func vectors(t *testing.T) []vector {
	t.Helper()
	root := os.Getenv("AWHOST_TESTDATA")
	if root == "" {
		t.Skip("SKIPPED: set AWHOST_TESTDATA to the directory with reference/vectors to hold AgentJet's merge to AgentJet")
	}
	text, err := os.ReadFile(filepath.Join(root, "reference", "vectors", "timeline_vectors.jsonl"))
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

// TestVectors checks every recorded line: 9 replacements and 30 merges, with the resulting rows.
func TestVectors(t *testing.T) {
	held := map[string]int{}
	for _, v := range vectors(t) {
		switch held[v.Fn]++; v.Fn {
		case "replace_token_ids":
			got, err := agentjet.Control{Begin: v.Begin, End: v.End}.Replace(v.Container, v.Precise, v.Logprob)
			want := agentjet.Replaced{IDs: v.IDs, Logprobs: v.Logprobs, Mask: v.Mask, LackNormalEOS: v.Lacks}
			if diff := cmp.Diff(want, got); err != nil || diff != "" {
				t.Errorf("%s: %v (-want +got):\n%s", v.Note, err, diff)
			}
		case "merge_tracker_timelines":
			got := agentjet.Merge(v.Timelines, v.Policy)
			if diff := cmp.Diff(v.Merged, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%s, %+v (-want +got):\n%s", v.Name, v.Policy, diff)
			}
			var samples []agentjet.Sample
			for _, timeline := range got {
				samples = append(samples, recorded.Sample(timeline, v.MaxPrompt))
			}
			if diff := cmp.Diff(v.Samples, samples, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%s, %+v: rows (-want +got):\n%s", v.Name, v.Policy, diff)
			}
		default:
			t.Errorf("%s is not known", v.Fn)
		}
	}
	if diff := cmp.Diff(map[string]int{"replace_token_ids": 9, "merge_tracker_timelines": 30}, held); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}

// TestMerge_TakesDifferentCallsForOne shows why AgentJet's merge is not used for training: it treats two different
// tool calls as one message, unlike awhost.
func TestMerge_TakesDifferentCallsForOne(t *testing.T) {
	message := func(arguments string, author string) agentjet.Message {
		calls := json.RawMessage(`[{"arguments":` + arguments + `}]`)
		return agentjet.Message{Author: author, Role: "assistant", ToolCalls: calls}
	}
	done := agentjet.Message{Author: "llm", Role: "assistant", Content: "done"}
	timelines := [][]agentjet.Message{{message(`{"x":1}`, "llm")}, {message(`{"x":2}`, "env"), done}}
	if left := agentjet.Merge(timelines, agentjet.Policy{Level: agentjet.Text, IgnoreTools: true}); len(left) != 1 {
		t.Errorf("%d timelines are left, want 1", len(left))
	}
	call := func(arguments string) canonical.Digest {
		calls := []sdk.ToolCall{{Name: "f", Arguments: arguments}}
		return canonical.Digest{}.With(&sdk.Message{Role: sdk.RoleAssistant, ToolCalls: calls})
	}
	if call(`{"x":1}`) == call(`{"x":2}`) {
		t.Error("two calls are one message")
	}
}

func TestReplace_RefusesAHeader(t *testing.T) {
	if _, err := recorded.Replace([]int32{1, 2, 3, 9}, []int32{1, 2, 3}, nil); err == nil {
		t.Error("sampled ids that begin with a header were taken")
	}
}
