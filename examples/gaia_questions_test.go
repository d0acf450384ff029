package examples_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"
	"github.com/sashabaranov/go-openai"

	"github.com/awhost/awhost/internal/realtest"
	"github.com/awhost/awhost/internal/testlevel"
)

// question is a row of GAIA's metadata.jsonl. In metadata.parquet it also has the path of the attachment, and the
// level is a string.
type question struct {
	ID          string            `json:"task_id"`
	Question    string            `json:"Question"`
	Level       int               `json:"Level"`
	Answer      string            `json:"Final answer"`
	File        string            `json:"file_name"`
	Annotations map[string]string `json:"Annotator Metadata"`
}

const gaiaSplit = "2023/validation"

// attachment returns the path of a question's file relative to the dataset, or an empty string if the question has no
// file.
func (q question) attachment() string {
	if q.File == "" {
		return ""
	}
	return gaiaSplit + "/" + q.File
}

// prompt returns the prompt for the model.
func (q question) prompt() string {
	const form = "Write the answer alone between <answer> and </answer>: a number without its unit, or a few words."
	if q.File == "" {
		return q.Question + "\n\n" + form
	}
	return q.Question + "\n\nThe file: " + q.attachment() + "\n\n" + form
}

// gaiaQuestions returns the questions of examples/gaia from metadata.jsonl.
func gaiaQuestions(t *testing.T) (out []question) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("gaia/data/questions", gaiaSplit, "metadata.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		decoder := json.NewDecoder(strings.NewReader(line))
		decoder.DisallowUnknownFields()
		var q question
		if err := decoder.Decode(&q); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		out = append(out, q)
	}
	return out
}

// TestGaia_BothFormsHoldTheSameQuestions checks that both files contain the same questions, each in GAIA's format.
func TestGaia_BothFormsHoldTheSameQuestions(t *testing.T) {
	type row struct {
		ID          string `parquet:"task_id,optional"`
		Question    string `parquet:"Question,optional"`
		Level       string `parquet:"Level,optional"`
		Answer      string `parquet:"Final answer,optional"`
		File        string `parquet:"file_name,optional"`
		Path        string `parquet:"file_path,optional"`
		Annotations struct {
			Steps     string `parquet:"Steps,optional"`
			StepCount string `parquet:"Number of steps,optional"`
			Took      string `parquet:"How long did this take?,optional"`
			Tools     string `parquet:"Tools,optional"`
			ToolCount string `parquet:"Number of tools,optional"`
		} `parquet:"Annotator Metadata,optional"`
	}
	var want []row
	kinds, levels := map[string]int{}, map[int]int{}
	for _, q := range gaiaQuestions(t) {
		r := row{
			ID: q.ID, Question: q.Question, Level: strconv.Itoa(q.Level), Answer: q.Answer, File: q.File, Path: q.attachment(),
		}
		r.Annotations.Steps, r.Annotations.StepCount = q.Annotations["Steps"], q.Annotations["Number of steps"]
		r.Annotations.Tools, r.Annotations.ToolCount = q.Annotations["Tools"], q.Annotations["Number of tools"]
		r.Annotations.Took = q.Annotations["How long did this take?"]
		want = append(want, r)
		kind, _, _ := strings.Cut(q.ID, "-")
		kinds[kind]++
		levels[q.Level]++
		if _, err := os.Stat(filepath.Join("gaia/data/questions", q.attachment())); err != nil {
			t.Errorf("%s has no attachment: %v", q.ID, err)
		}
	}
	got, err := parquet.ReadFile[row](filepath.Join("gaia/data/questions", gaiaSplit, "metadata.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("metadata.jsonl has -, metadata.parquet +:\n%s", diff)
	}
	if diff := cmp.Diff(map[string]int{"file": 10, "table": 10, "page": 10, "sum": 10}, kinds); diff != "" {
		t.Error(diff)
	}
	if len(levels) != 3 || levels[0] > 0 {
		t.Errorf("questions by level: %v", levels)
	}
}

// TestGaia_AnswersFollowFromTheFiles checks that data/questions.py derives the answers from the attachments and
// detects a changed file.
func TestGaia_AnswersFollowFromTheFiles(t *testing.T) {
	python, data := gaiaPython(t), t.TempDir()
	if err := os.CopyFS(data, os.DirFS("gaia/data")); err != nil {
		t.Fatal(err)
	}
	check := func() (string, error) {
		cmd := exec.CommandContext(t.Context(), python, filepath.Join(data, "questions.py"), "--check")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := check(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	realtest.Edit(t, filepath.Join(data, "questions", gaiaSplit, "soup.md"), "| leeks | 450 g |", "| leeks | 455 g |")
	if out, err := check(); err == nil || !strings.Contains(out, "['file-06']") {
		t.Errorf("after another amount of leeks: %v: %s", err, out)
	}
}

// TestGaia_QuestionsAreAnsweredByTools checks that a model that calls the right tools answers all questions in both
// formats. Without the files it answers only questions without an attachment.
func TestGaia_QuestionsAreAnsweredByTools(t *testing.T) {
	dir := gaiaExample(t, "questions.hcl")
	plan := []string{"plan", "train.hcl"}
	if testlevel.Slow() {
		plan = append(plan, "--connect") // starts the servers again
	}
	if out, ok := awhost(t, dir, plan...); !ok {
		t.Fatal(out)
	}
	questions := gaiaQuestions(t)
	for _, c := range []struct {
		name      string
		variables []string
		solved    func(question) bool
	}{
		{"Parquet", []string{"form=parquet"}, func(question) bool { return true }},
		{
			"JSON lines, without the files", []string{"form=jsonl", "files=false"},
			func(q question) bool { return q.File == "" },
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			model := newScripted(questions)
			server := httptest.NewServer(model)
			defer server.Close()
			solved := solve(t, dir, server.URL+"/v1", c.variables)
			for _, q := range questions {
				if solved[q.ID] != c.solved(q) {
					t.Errorf("%s is solved: %t; it was answered by %q", q.ID, solved[q.ID], model.answers[q.ID])
				}
				if diff := cmp.Diff(q.prompt(), model.prompts[q.ID]); diff != "" {
					t.Errorf("the prompt of %s: want -, got +:\n%s", q.ID, diff)
				}
			}
		})
	}
}

// TestGaia_QuestionsOfAnotherFolder checks that a copy of GAIA may have only one of the formats.
func TestGaia_QuestionsOfAnotherFolder(t *testing.T) {
	dir := gaiaExample(t, "questions.hcl")
	for form, file := range map[string]string{"parquet": "metadata.parquet", "jsonl": "metadata.jsonl"} {
		to := filepath.Join(dir, form, gaiaSplit)
		if err := os.MkdirAll(to, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Link(filepath.Join(dir, "data/questions", gaiaSplit, file), filepath.Join(to, file)); err != nil {
			t.Fatal(err)
		}
		for _, other := range []string{"parquet", "jsonl"} {
			out, ok := awhost(t, dir, "validate", "train.hcl", "--var", "folder="+form, "--var", "form="+other)
			if ok != (other == form) || !ok && !strings.Contains(out, "Missing file") {
				t.Errorf("form %s of a folder with %s: %s", other, file, out)
			}
		}
	}
}

// solve runs the questions with an endpoint and returns which of them were solved.
func solve(t *testing.T, dir, endpoint string, variables []string) map[string]bool {
	t.Helper()
	out := filepath.Join(t.TempDir(), "episodes.jsonl")
	arguments := []string{"eval", "train.hcl", "--base-url", endpoint, "--model-name", "scripted", "--out", out}
	for _, v := range variables {
		arguments = append(arguments, "--var", v)
	}
	if text, ok := awhost(t, dir, arguments...); !ok {
		t.Fatal(text)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	solved := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		var e struct {
			Task    string `json:"task"`
			Outcome string `json:"outcome"`
			Success bool   `json:"success"`
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if e.Outcome != "SCORED" {
			t.Errorf("%s ended as %s: %s", e.Task, e.Outcome, line)
		}
		solved[e.Task] = e.Success
	}
	return solved
}

// scripted simulates a model that knows which tools answer a question. It keeps no state of a conversation. For each
// request it runs the question's script again with the conversation's results, until the first call without a result.
type scripted struct {
	questions []question
	mu        sync.Mutex
	prompts   map[string]string
	answers   map[string]string
}

func newScripted(questions []question) *scripted {
	return &scripted{questions: questions, prompts: map[string]string{}, answers: map[string]string{}}
}

func (s *scripted) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var request openai.ChatCompletionRequest
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil || len(request.Messages) == 0 {
		http.Error(w, "no request", http.StatusBadRequest)
		return
	}
	prompt := request.Messages[0].Content
	at := slices.IndexFunc(s.questions, func(q question) bool { return strings.HasPrefix(prompt, q.Question+"\n") })
	if at < 0 {
		http.Error(w, "unknown question: "+prompt, http.StatusBadRequest)
		return
	}
	id := s.questions[at].ID
	d := &desk{}
	if named := theFile.FindStringSubmatch(prompt); named != nil {
		d.file = named[1]
	}
	for _, m := range request.Messages {
		if m.Role == openai.ChatMessageRoleAssistant {
			d.results = append(d.results, nil)
		} else if n := len(d.results); n > 0 {
			d.results[n-1] = append(d.results[n-1], m.Content)
		}
	}
	answer := openai.ChatCompletionMessage{Role: openai.ChatMessageRoleAssistant}
	reason := openai.FinishReasonToolCalls
	said, calls := d.play(scripts[id])
	for n, call := range calls {
		tool := openai.ToolCall{ID: fmt.Sprintf("%d-%d", len(d.results), n), Type: openai.ToolTypeFunction, Function: call}
		answer.ToolCalls = append(answer.ToolCalls, tool)
	}
	if len(calls) == 0 {
		answer.Content, reason = "<answer>"+said+"</answer>", openai.FinishReasonStop
	}
	s.mu.Lock()
	s.prompts[id], s.answers[id] = prompt, said
	s.mu.Unlock()
	_ = json.NewEncoder(w).Encode(openai.ChatCompletionResponse{
		ID: "1", Object: "chat.completion", Model: request.Model,
		Choices: []openai.ChatCompletionChoice{{Message: answer, FinishReason: reason}},
		Usage:   openai.Usage{PromptTokens: 20, CompletionTokens: 10, TotalTokens: 30},
	})
}

var theFile = regexp.MustCompile(`\n\nThe file: (\S+)\n`)
