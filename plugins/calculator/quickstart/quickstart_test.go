package quickstart

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/plugins/calculator/internal/arithmetic"
)

const dataDir = "../../../data"

func TestDataIsWhatTheGeneratorWrites(t *testing.T) {
	total := 0
	for name, want := range Files() {
		got, err := os.ReadFile(filepath.Join(dataDir, name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(want, got) {
			t.Errorf("data/%s is not what the generator writes: run `go generate ./data/...`", name)
		}
		total += len(got)
	}
	if total > 300_000 {
		t.Errorf("the data files have %d bytes; they are part of the repository and must stay below 300,000", total)
	}
}

// row is a line of any of the files.
type row struct {
	ID          string `json:"id"`
	Prompt      string `json:"prompt"`
	GroundTruth string `json:"ground_truth"`
	Messages    []struct {
		Role      string `json:"role"`
		Content   string `json:"content"`
		ToolCalls []struct {
			Name      string `json:"name"`
			Arguments string `json:"arguments"`
		} `json:"tool_calls"`
	} `json:"messages"`
}

func read(t *testing.T, name string) []row {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(dataDir, name))
	if err != nil {
		t.Fatal(err)
	}
	var rows []row
	for lines := bufio.NewScanner(bytes.NewReader(content)); lines.Scan(); {
		var r row
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatalf("%s: %s: %v", name, lines.Text(), err)
		}
		rows = append(rows, r)
	}
	return rows
}

func parse(t *testing.T, question string) arithmetic.Problem {
	t.Helper()
	problem, err := arithmetic.Parse(question)
	if err != nil {
		t.Fatal(err)
	}
	return problem
}

func TestTasksAreRightAndHeldOutOnesAreUnseen(t *testing.T) {
	seen := map[string]bool{}
	for _, file := range []struct {
		name    string
		heldOut bool
	}{{"arithmetic.train.jsonl", false}, {"arithmetic.test.jsonl", true}} {
		for _, r := range read(t, file.name) {
			problem := parse(t, r.Prompt)
			answer, err := problem.Answer()
			if err != nil {
				t.Fatalf("%s %s: %v", file.name, r.ID, err)
			}
			want := row{ID: problem.ID(), Prompt: problem.Question(), GroundTruth: strconv.FormatInt(answer, 10)}
			if diff := cmp.Diff(want, r); diff != "" {
				t.Errorf("%s (-want +got):\n%s", file.name, diff)
			}
			if problem.HeldOut() != file.heldOut || seen[r.ID] {
				t.Errorf("%s holds %s: held out %t, seen before %t", file.name, r.ID, problem.HeldOut(), seen[r.ID])
			}
			seen[r.ID] = true
		}
	}
}

// The demonstrations show the form of a call in all cases, and the right tool in 40 % of the cases.
func TestDemonstrationsTeachTheFormOnly(t *testing.T) {
	demos := read(t, "arithmetic.demos.jsonl")
	right := 0
	for _, r := range demos {
		problem := parse(t, r.Messages[0].Content)
		asked := r.Messages[1].ToolCalls[0]
		call, err := arithmetic.Run(asked.Name, asked.Arguments)
		if err != nil {
			t.Fatalf("%s: %v", r.Messages[0].Content, err)
		}
		tool, arguments := problem.SolvedBy(call)
		result := strconv.FormatInt(call.Result, 10)
		if !arguments || r.Messages[2].Content != result || r.Messages[3].Content != "<answer>"+result+"</answer>" ||
			problem.HeldOut() {
			t.Errorf("wrong demonstration: %+v", r)
		}
		if tool {
			right++
		}
	}
	if share := float64(right) / float64(len(demos)); share < 0.35 || share > 0.45 {
		t.Errorf("%.3f of the demonstrations use the right tool, want about 0.4", share)
	}
}
