package local

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/plugins/local/tinylm"
	"github.com/awhost/awhost/plugins/local/tokenizer"
	"github.com/awhost/awhost/sdk"
)

// logitTolerance allows for a different order of summation.
const logitTolerance = 1e-4

// hfMessage is a message in the format of chat templates.
type hfMessage struct {
	Role      string   `json:"role"`
	Content   string   `json:"content"`
	Reasoning string   `json:"reasoning_content,omitempty"`
	Calls     []hfCall `json:"tool_calls,omitempty"`
}

type hfCall struct {
	Type     string     `json:"type"`
	Function hfFunction `json:"function"`
}

type hfFunction struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

type hfCase struct {
	Messages  []hfMessage `json:"messages"`
	MaxTokens int         `json:"max_new_tokens"`
}

type hfAnswer struct {
	Prompt []int32   `json:"prompt"`
	IDs    []int32   `json:"ids"`
	Logits []float64 `json:"logits"`
}

// conversations returns prompts that exercise the template: roles, non-ASCII bytes, reasoning, calls and results.
func conversations() []hfCase {
	user := func(text string) hfMessage { return hfMessage{Role: "user", Content: text} }
	call := hfMessage{Role: "assistant", Calls: []hfCall{{Type: "function",
		Function: hfFunction{Name: "add", Arguments: json.RawMessage(`{"a":17,"b":25}`)}}}}
	thought := call
	thought.Reasoning = "carry the one"
	result := hfMessage{Role: "tool", Content: "42"}
	system := hfMessage{Role: "system", Content: "Answer briefly."}
	var out []hfCase
	for _, messages := range [][]hfMessage{
		{user("a")}, {user("c")}, {user("17+25=")}, {user("Größe ≤ 5 µm? \"ja\"\n\t語 🙂")}, {system, user("a")},
		{user("17+25="), call, result}, {user("17+25="), thought, result},
		{user("a"), {Role: "assistant", Content: "b"}, user("c")},
	} {
		out = append(out, hfCase{messages, 24})
	}
	return out
}

// TestExport_TransformersAgrees checks that the real library renders the same prompts, computes the same scores and
// samples the same tokens from an exported checkpoint. It needs a Python with torch and transformers.
func TestExport_TransformersAgrees(t *testing.T) {
	python := os.Getenv("AWHOST_HF_PYTHON")
	if python == "" {
		t.Skip("NOT COMPARED WITH TRANSFORMERS: set AWHOST_HF_PYTHON to a Python that has torch and transformers, for example AWHOST_HF_PYTHON=.venv/bin/python")
	}
	config := warmStartOf(200)
	config["context"] = 160
	r := newRig(t, config)
	r.host.datasets = map[string][]sdk.Task{demosAddress: demonstrationsOf(t,
		map[string]string{"a": "b", "c": "dd", "17+25=": "42", "e": "f g"})}
	r.train(r.request(knobsOf(2, nil)), sdk.FinishedCompleted)
	target := filepath.Join(t.TempDir(), "model")
	if _, err := r.export(r.checkpoint(2), formatHuggingFace, target); err != nil {
		t.Fatal(err)
	}
	policy, err := tinylm.Load(r.checkpoint(2), tinylm.Options{})
	if err != nil {
		t.Fatal(err)
	}
	cases := conversations()
	answers := askTransformers(t, python, target, cases)
	if len(answers) != len(cases) {
		t.Fatalf("%d answers to %d cases", len(answers), len(cases))
	}
	ended, largest := 0, 0.0
	for i, c := range cases {
		prompt := promptOf(t, c.Messages)
		ours, err := policy.Generate(t.Context(), tinylm.GenRequest{PromptIDs: prompt,
			Sampling: tinylm.Sampling{MaxTokens: c.MaxTokens}})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(prompt, answers[i].Prompt); diff != "" {
			t.Errorf("case %d: the prompt (-ours +transformers'):\n%s", i, diff)
			continue
		}
		if diff := cmp.Diff(ours.IDs, answers[i].IDs); diff != "" {
			t.Errorf("case %d: the answer (-ours +transformers'):\n%s", i, diff)
		}
		logits, err := policy.Logits(prompt)
		if err != nil {
			t.Fatal(err)
		}
		for id, logit := range logits {
			largest = max(largest, math.Abs(float64(logit)-answers[i].Logits[id]))
		}
		if slices.Contains(ours.IDs, tokenizer.End) {
			ended++
		}
	}
	if largest > logitTolerance {
		t.Errorf("scores differ by up to %g, more than %g", largest, logitTolerance)
	}
	if ended == 0 {
		t.Error("no answer came to its end: nothing shows that transformers stops there")
	}
	t.Logf("compared %d conversations with transformers, %d of whose answers ended; scores differ by at most %.2g",
		len(cases), ended, largest)
}

func askTransformers(t *testing.T, python, model string, cases []hfCase) []hfAnswer {
	t.Helper()
	input, err := json.Marshal(cases)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), python, filepath.Join("testdata", "transformers_check.py"), model)
	var problems bytes.Buffer
	cmd.Stdin, cmd.Stderr = bytes.NewReader(input), &problems
	cmd.Env = append(os.Environ(), "HF_HUB_OFFLINE=1", "TRANSFORMERS_VERBOSITY=error")
	output, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, problems.String())
	}
	var answers []hfAnswer
	if err := json.Unmarshal(output, &answers); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	return answers
}

// promptOf returns the prompt as rendered by the trainer.
func promptOf(t *testing.T, messages []hfMessage) []int32 {
	t.Helper()
	var ids []int32
	for _, m := range messages {
		message := tokenizer.Message{Role: tokenizer.Role(m.Role), Content: m.Content, Reasoning: m.Reasoning}
		for _, c := range m.Calls {
			message.ToolCalls = append(message.ToolCalls,
				tokenizer.ToolCall{Name: c.Function.Name, Arguments: string(c.Function.Arguments)})
		}
		var err error
		if ids, err = tokenizer.AppendMessage(ids, message); err != nil {
			t.Fatal(err)
		}
	}
	return append(ids, tokenizer.Assistant)
}
