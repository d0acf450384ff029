package examples_test

import (
	"bufio"
	"encoding/json"
	"os"
	"regexp"
	"testing"
)

// rows reads a file of examples/gaia/data.
func rows[T any](t *testing.T, name string) (out []T) {
	t.Helper()
	file, err := os.Open("gaia/data/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var row T
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out = append(out, row)
	}
	if len(out) == 0 {
		t.Fatalf("%s is empty", name)
	}
	return out
}

type demonstration struct {
	Messages []struct {
		Content   string `json:"content"`
		ToolCalls []struct {
			Name      string `json:"name"`
			Arguments string `json:"arguments"`
		} `json:"tool_calls"`
	} `json:"messages"`
}

// rightTools are the tools that laptop.hcl's questions need, by operator.
var rightTools = map[string]string{"+": "get-sum", "-": "subtract", "*": "multiply", "^": "larger"}

// TestGaia_DemonstrationsDoNotTellTheAnswer checks that the demonstrations of laptop.hcl show how to call tools, with
// the right tool in less than 30 % of the calls. Held-out questions share no numbers with the demonstrations or the
// training tasks.
func TestGaia_DemonstrationsDoNotTellTheAnswer(t *testing.T) {
	question := regexp.MustCompile(`^(\d+)([-+*^])(\d+)=$`)
	seen, asked, right := map[string]bool{}, 0, 0
	for _, d := range rows[demonstration](t, "laptop.demos.jsonl") {
		parts := question.FindStringSubmatch(d.Messages[0].Content)
		if parts == nil {
			t.Fatalf("%q is not a question", d.Messages[0].Content)
		}
		seen[parts[1]+" "+parts[3]] = true
		for _, call := range d.Messages[1].ToolCalls {
			asked++
			if call.Name == rightTools[parts[2]] {
				right++
			}
		}
	}
	if share := float64(right) / float64(asked); share >= 0.30 || right == 0 {
		t.Errorf("%.1f %% of %d calls contain the right tool", 100*share, asked)
	}
	type task struct{ ID string }
	for _, row := range rows[task](t, "laptop.train.jsonl") {
		parts := question.FindStringSubmatch(row.ID)
		seen[parts[1]+" "+parts[3]] = true
	}
	for _, row := range rows[task](t, "laptop.test.jsonl") {
		if parts := question.FindStringSubmatch(row.ID); parts == nil || seen[parts[1]+" "+parts[3]] {
			t.Errorf("the held-out question %s has numbers that were trained on", row.ID)
		}
	}
}
