package examples_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/internal/hubtest"
	"github.com/awhost/awhost/internal/realtest"
	"github.com/awhost/awhost/internal/realtest/stranger"
)

// TestAgentJet_TheTutorialImported imports the tutorial's two unchanged files. The resulting spec must train the
// embedded policy for two steps and run with a served model under debug, on rows in GSM8K's format from a hub.
// Nothing is edited, and the test sets only variables that the import names.
func TestAgentJet_TheTutorialImported(t *testing.T) {
	realtest.Slow(t)
	python := realtest.Python(t, "AWHOST_AGENTSCOPE_PYTHON")
	dir := tutorialFiles(t)
	t.Setenv("VIRTUAL_ENV", filepath.Dir(filepath.Dir(python)))
	t.Setenv("HF_ENDPOINT", hubtest.New(t, hubtest.Repo{Name: "openai/gsm8k", Files: map[string][]byte{
		"README.md":                       []byte(gsm8kCard),
		"main/train-00000-of-00001.jsonl": problems(t, 0, 4),
		"main/test-00000-of-00001.jsonl":  problems(t, 4, 3),
	}}).URL)

	said := realtest.Do(t, dir, "import", "ajet", "math_agent.yaml")
	data := []string{"--var", "data=openai/gsm8k", "--var", "config=main"}
	for _, named := range []string{strings.Join(data, " "), "--var steps=2", "--var prompts=", "--var validation_tasks="} {
		if !strings.Contains(said, named) {
			t.Errorf("the import does not say %q:\n%s", named, said)
		}
	}
	realtest.Do(t, dir, append([]string{"init", "train.hcl"}, data...)...)
	small := append([]string{"--var", "steps=2", "--var", "prompts=2", "--var", "validation_tasks=1"}, data...)
	stranger.Done(t, realtest.Apply(t, dir, small...).Wait(), "completed", 2)

	rewards := realtest.Rewards(t, dir)
	if len(rewards) != 2 {
		t.Errorf("%d steps have samples on record, want 2", len(rewards))
	}
	for step, of := range rewards {
		if len(of) != 2*4 {
			t.Errorf("step %d has %d samples, want 2 tasks of 4", step, len(of))
		}
	}
	for line := range strings.Lines(realtest.Do(t, dir, "show", "--episodes")) {
		if !strings.Contains(line, "You are an agent specialized in solving math problems") ||
			!strings.Contains(line, "pencils in a box") {
			t.Errorf("an episode is not the workflow's on a row of the hub: %s", line)
		}
	}
	t.Run("debug", func(t *testing.T) { debugTutorial(t, dir, data) })
}

// debugTutorial runs two tasks with a model that solves them.
func debugTutorial(t *testing.T, dir string, vars []string) {
	t.Setenv("OPENAI_API_KEY", "")
	args := []string{"--json", "debug", "train.hcl", "--base-url", addingModel(t) + "/v1", "--model-name", "adds"}
	var calls []string
	type end struct {
		Outcome string
		Success bool
		Reward  float64
	}
	var ends []end
	for line := range strings.Lines(realtest.Do(t, dir, append(args, vars...)...)) {
		var l struct {
			Type, Call string
			end
		}
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		switch l.Type {
		case "debug_call":
			calls = append(calls, l.Call)
			if len(calls)%3 == 2 && !strings.Contains(line, "returncode") {
				t.Errorf("the policy has not received the output of its code: %s", line)
			}
		case "debug_end":
			ends = append(ends, l.end)
		}
	}
	if diff := cmp.Diff([]end{{"SCORED", true, 1}, {"SCORED", true, 1}}, ends); diff != "" {
		t.Errorf("how the tasks end (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"generate", "generate", "score", "generate", "generate", "score"}, calls); diff != "" {
		t.Errorf("calls of two tasks (-want +got):\n%s", diff)
	}
}

// tutorialFiles returns a folder with the two files of AgentJet's tutorial.
func tutorialFiles(t *testing.T) string {
	t.Helper()
	data := os.Getenv("AWHOST_TESTDATA")
	if data == "" {
		t.Skip("SKIPPED: set AWHOST_TESTDATA to the folder with users/agentjet: the tutorial's own files are in it")
	}
	dir := t.TempDir()
	for _, name := range []string{"math_agent.yaml", "workflow.py"} {
		text, err := os.ReadFile(filepath.Join(data, "users/agentjet", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// gsm8kCard declares the splits' files in the same way as GSM8K's card.
const gsm8kCard = `---
configs:
- config_name: main
  data_files:
  - split: train
    path: main/train-*
  - split: test
    path: main/test-*
- config_name: socratic
  data_files:
  - split: train
    path: socratic/train-*
---
`

// problems returns n rows in GSM8K's format.
func problems(t *testing.T, first, n int) []byte {
	t.Helper()
	var out []byte
	for i := first; i < first+n; i++ {
		red, blue := 12+3*i, 31+i
		row, err := json.Marshal(map[string]string{
			"question": fmt.Sprintf(
				"Mia keeps the pencils in a box. She has %d red pencils and %d blue ones. How many pencils are in it?",
				red, blue),
			"answer": fmt.Sprintf("The red and the blue ones are %d+%d=<<%d+%d=%d>>%d pencils.\n#### %d",
				red, blue, red, blue, red+blue, red+blue, red+blue),
		})
		if err != nil {
			t.Fatal(err)
		}
		out = append(append(out, row...), '\n')
	}
	return out
}

var (
	figure  = regexp.MustCompile(`\d+`)
	printed = regexp.MustCompile(`<stdout>(\d+)\s*</stdout>`)
)

// addingModel starts a server with a model that adds the numbers of the question in code and boxes the code's output.
func addingModel(t *testing.T) string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var request struct {
			Messages []struct {
				Role    string
				Content any
			}
		}
		if err := json.NewDecoder(r.Body).Decode(&request); err != nil || len(request.Messages) == 0 {
			http.Error(w, fmt.Sprint("no messages: ", err), http.StatusBadRequest)
			return
		}
		last := request.Messages[len(request.Messages)-1]
		message := map[string]any{"role": "assistant"}
		if found := printed.FindStringSubmatch(fmt.Sprint(last.Content)); last.Role == "tool" && found != nil {
			message["content"] = `Together they are \boxed{` + found[1] + `}.`
		} else {
			sum := strings.Join(figure.FindAllString(fmt.Sprint(last.Content), -1), "+")
			message["tool_calls"] = []any{map[string]any{"id": "c1", "type": "function", "function": map[string]string{
				"name": "execute_python_code", "arguments": `{"code":` + strconv.Quote("print("+sum+")") + `}`,
			}}}
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{ // fails if the client has gone
			"id": "x", "object": "chat.completion", "model": "adds",
			"choices": []any{map[string]any{"index": 0, "finish_reason": "stop", "message": message}},
			"usage":   map[string]int{"prompt_tokens": 9, "completion_tokens": 5, "total_tokens": 14},
		})
	}))
	t.Cleanup(server.Close)
	return server.URL
}
