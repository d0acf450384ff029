package harness_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/internal/testlevel"
)

// boardTask is a BFCL task that uses only files and whose user asks three times.
const boardTask = "multi_turn_base_9"

const board = `
variable "preset" { type = string }
variable "directory" { type = string }
variable "source" { type = string }

environment "bfcl" "board" {
  source     = var.source
  categories = ["base"]
}
dataset "jsonl" "tasks" { path = "tasks.jsonl" }
agent "command" "coder" {
  sandbox     = "none"
  preset      = var.preset
  directory   = var.directory
  environment = environment.bfcl.board
  turns       = "resume"
  max_turns   = 20
}
reward "bfcl_official" "valid" {}
adapter "local" "none" {}
train "board" {
  agent           = agent.command.coder
  dataset         = dataset.jsonl.tasks
  validation      = dataset.jsonl.tasks
  adapter         = adapter.local.none
  reward          = reward.bfcl_official.valid
  steps           = 1
  episode_timeout = "20m"
}
`

// TestHarness_ResumesItsSession checks that each harness resumes its session when the environment answers with the
// user's next turn. It must send the earlier turns again and keep the episode's tools.
func TestHarness_ResumesItsSession(t *testing.T) {
	if !testlevel.Slow() {
		t.Skip("set AWHOST_SLOW=1 to resume the sessions of real harnesses")
	}
	testdata := os.Getenv("AWHOST_TESTDATA")
	if testdata == "" {
		t.Skip("SKIPPED: set AWHOST_TESTDATA to the directory with reference/bfcl, whose user asks several times")
	}
	source := filepath.Join(testdata, "reference/bfcl/data_v4")
	questions := questionsOf(t, filepath.Join(source, "BFCL_v4_multi_turn_base.json"))
	var want []string
	var answers []string
	for n := range questions {
		want = append(want, fmt.Sprintf("turn %d after %q: pwd", n+1, answers))
		answers = append(answers, answerOf(n+1))
		want = append(want, fmt.Sprintf("turn %d after %q: %s", n+1, answers[:n], answers[n]))
	}
	for _, h := range harnesses {
		t.Run(h.name, func(t *testing.T) {
			bin := installed(t, h.name, h.pinned)
			u := &user{questions: questions}
			server := httptest.NewServer(http.HandlerFunc(u.serve))
			defer server.Close()
			answer := playBoard(t, bin, h.name, source, server.URL)
			u.mu.Lock()
			defer u.mu.Unlock()
			if diff := cmp.Diff(want, u.calls); diff != "" || answer != answers[len(answers)-1] {
				t.Errorf("the answer is %q; calls (-want +got):\n%s", answer, diff)
			}
		})
	}
}

// questionsOf returns the user's questions of boardTask, turn by turn.
func questionsOf(t *testing.T, path string) []string {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var row struct {
			ID       string
			Question [][]chatMessage
		}
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		if row.ID != boardTask {
			continue
		}
		var out []string
		for _, turn := range row.Question {
			out = append(out, turn[0].Content)
		}
		return out
	}
	t.Fatalf("%s has no %s: %v", path, boardTask, lines.Err())
	return nil
}

// playBoard runs the task with a harness and returns the answer of its episode.
func playBoard(t *testing.T, bin, preset, source, url string) string {
	t.Helper()
	dir := t.TempDir()
	put(t, filepath.Join(dir, "train.hcl"), []byte(board))
	put(t, filepath.Join(dir, "tasks.jsonl"), fmt.Appendf(nil, "{\"id\": %q, \"prompt\": \"a task\"}\n", boardTask))
	out := filepath.Join(dir, "out.jsonl")
	c := exec.CommandContext(t.Context(), build(t), "eval", "train.hcl", "--var", "preset="+preset,
		"--var", "directory="+t.TempDir(), "--var", "source="+source, "--base-url", url+"/v1",
		"--model-name", "scripted", "--out", out)
	c.Dir, c.Env = dir, append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"))
	if said, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	var episode struct {
		Answer  string
		Failure *struct{ Class, Detail string }
	}
	if err := json.Unmarshal(text, &episode); err != nil {
		t.Fatal(err)
	}
	if f := episode.Failure; f != nil {
		t.Errorf("%s: %s", f.Class, f.Detail)
	}
	return episode.Answer
}

// user is a policy that calls pwd once in each of the user's turns and then answers that the turn is done.
type user struct {
	questions []string

	mu    sync.Mutex
	calls []string // of the task: the turn, the preceding answers and the new one
}

func answerOf(turn int) string { return fmt.Sprintf("Turn %d is done.", turn) }

func (u *user) serve(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Messages []chatMessage
		Tools    []struct {
			Function struct{ Name string }
		}
	}
	if json.NewDecoder(r.Body).Decode(&in) != nil || len(in.Messages) == 0 {
		http.Error(w, "no call of these tests", http.StatusBadRequest)
		return
	}
	answer := chatMessage{Role: "assistant", Content: "A title"}
	if len(in.Tools) > 0 {
		tool := ""
		for _, offered := range in.Tools {
			if strings.HasSuffix(offered.Function.Name, "pwd") {
				tool = offered.Function.Name
			}
		}
		answer = u.answer(in.Messages, tool)
	}
	writeCompletion(w, answer)
}

func (u *user) answer(messages []chatMessage, tool string) chatMessage {
	turn, before := 0, []string{}
	for _, m := range messages {
		switch {
		case m.Role == "assistant" && strings.Contains(m.Content, " is done."): // Qwen Code inserts its own answer
			before = append(before, strings.TrimSpace(m.Content))
		case m.Role == "user" && turn < len(u.questions) && strings.Contains(m.Content, u.questions[turn]):
			turn++
		}
	}
	answer, said := chatMessage{Role: "assistant", Content: answerOf(turn)}, answerOf(turn)
	if last := messages[len(messages)-1]; last.Role != "tool" {
		c := toolCall{ID: fmt.Sprint("call_", len(messages)), Type: "function"}
		c.Function.Name, c.Function.Arguments = tool, "{}"
		answer, said = chatMessage{Role: "assistant", ToolCalls: []toolCall{c}}, "pwd"
	} else if !strings.Contains(last.Content, "current_working_directory") {
		answer.Content, said = "lost", "lost after "+last.Content
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.calls = append(u.calls, fmt.Sprintf("turn %d after %q: %s", turn, before, said))
	return answer
}
