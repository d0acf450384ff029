package examples_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"github.com/awhost/awhost/internal/realtest"
)

// question is a row of GAIA's metadata.jsonl. That of metadata.parquet has the path of the attachment, too, and the
// level as a text.
type question struct {
	ID          string            `json:"task_id"`
	Question    string            `json:"Question"`
	Level       int               `json:"Level"`
	Answer      string            `json:"Final answer"`
	File        string            `json:"file_name"`
	Annotations map[string]string `json:"Annotator Metadata"`
}

const split = "2023/validation"

// attachment is the path of a question's file from the top of the dataset; empty: it has none.
func (q question) attachment() string {
	if q.File == "" {
		return ""
	}
	return split + "/" + q.File
}

// gaiaQuestions are those of examples/gaia, as metadata.jsonl has them.
func gaiaQuestions(t *testing.T) (out []question) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("gaia/data/questions", split, "metadata.jsonl"))
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

// The two files hold the same questions, in the form that each of them has in GAIA.
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
	got, err := parquet.ReadFile[row](filepath.Join("gaia/data/questions", split, "metadata.parquet"))
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

// The answers are what data/questions.py works out of the attachments. A file that says something else is noticed.
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
	realtest.Edit(t, filepath.Join(data, "questions", split, "soup.md"), "| leeks | 450 g |", "| leeks | 455 g |")
	if out, err := check(); err == nil || !strings.Contains(out, "['file-06']") {
		t.Errorf("after another amount of leeks: %v: %s", err, out)
	}
}
