package examples_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/awhost/awhost/internal/realtest"
	"github.com/awhost/awhost/internal/realtest/stranger"
)

// mathAgent copies examples/math-agent to a temporary folder, with laptop.hcl as its train.hcl.
func mathAgent(t *testing.T) (dir string) {
	t.Helper()
	dir = realtest.Copy(t, "examples/math-agent")
	if err := os.Rename(filepath.Join(dir, "laptop.hcl"), filepath.Join(dir, "train.hcl")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestMathAgent_QuestionsAreWords checks that questions are plain text: they contain no operator.
func TestMathAgent_QuestionsAreWords(t *testing.T) {
	calculated := regexp.MustCompile(`<<([0-9]+)([-+*])([0-9]+)=([0-9]+)>>([0-9]+)\n#### ([0-9]+)$`)
	for _, split := range []string{"train", "test"} {
		text, err := os.ReadFile("math-agent/data/laptop." + split + ".jsonl")
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			var row struct{ Question, Answer string }
			if err := json.Unmarshal([]byte(line), &row); err != nil {
				t.Fatal(err)
			}
			parts := calculated.FindStringSubmatch(row.Answer)
			if parts == nil || parts[4] != parts[5] || parts[5] != parts[6] {
				t.Fatalf("%s: no worked solution in GSM8K's form: %q", split, row.Answer)
			}
			if strings.ContainsAny(row.Question, "+-*") {
				t.Errorf("%s: the question %q has an operator", split, row.Question)
			}
		}
	}
}

// TestMathAgent_LearnsToCalculateInPython checks that the policy learns to turn questions into code and depends on
// the code's output: without the output it does not improve.
func TestMathAgent_LearnsToCalculateInPython(t *testing.T) {
	realtest.Slow(t)
	dir := mathAgent(t)
	before, after := stranger.Trained(t, realtest.Apply(t, dir).Wait(), mathSteps)
	if after-before < 0.40 {
		t.Errorf("held-out success: from %g to %g; want a rise of 40 points", before, after)
	}
	deaf := realtest.Apply(t, mathAgent(t), "--var", "agent=deaf").Wait()
	if deaf.Outcome != "completed" && !strings.Contains(deaf.Reason, "nothing to learn from") {
		t.Fatalf("without the results of its code: %s: %s\n%s", deaf.Outcome, deaf.Reason, deaf.Problems)
	}
	if deaf.Before == nil || deaf.After == nil || *deaf.After-*deaf.Before > 0.02 {
		t.Errorf("without the results of its code: from %v to %v; want no rise", deaf.Before, deaf.After)
	}
}

// TestMathAgent_ControlPlays checks that the README's control, an agent that never sees the output of its code,
// completes its episodes.
func TestMathAgent_ControlPlays(t *testing.T) {
	dir := mathAgent(t)
	for before, after := range map[string]string{
		"prompts    = 16": "prompts    = 2", "group_size = 8": "group_size = 4",
		"before_train = true": "before_train = false",
	} {
		realtest.Edit(t, filepath.Join(dir, "train.hcl"), before, after)
	}
	deaf := realtest.Apply(t, dir, "--var", "agent=deaf", "--var", "steps=2", "--var", "warm_start=20").Wait()
	stranger.Done(t, deaf, "completed", 2)
	played, _ := episodes(t, dir)
	for _, e := range played {
		if e.Outcome == "FAILED" {
			t.Errorf("an episode is %+v", e)
		}
	}
}

// mathSteps is the number of steps in laptop.hcl.
const mathSteps = 40
