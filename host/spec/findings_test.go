package spec_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/spec"
)

// Mistakes in findings and expect name the mistake and what is right.
func TestFindings_RefusesMistakes(t *testing.T) {
	held := "validation = dataset.jsonl.a\n"
	for _, test := range []struct{ name, attributes, summary, want string }{
		{"an unknown rule", "findings {\n on \"reward_divergance\" {}\n}", "Unknown rule of findings",
			`Did you mean "reward_divergence"?`},
		{"an unknown action", "findings {\n on \"cut\" { action = \"halt\" }\n}", "Invalid value", `"stop"`},
		{"a rule about tasks that stops", "findings {\n on \"duplicate_tasks\" { action = \"stop\" }\n}",
			"Rule that cannot stop", "awhost data check"},
		{"a rule about the end that stops", "findings {\n on \"nothing_learned\" { action = \"stop\" }\n}",
			"Rule that cannot stop", "after the last one"},
		{"a rule over steps that masks", "findings {\n on \"kl_spike\" { action = \"mask\" }\n}", "Rule that cannot mask",
			"cut, tool_errors and malformed_calls"},
		{"steps without a stop", "findings {\n on \"cut\" { after = 3 }\n}", "Setting without effect", `action = "stop"`},
		{"a percentage", held + `expect "goal" { condition = validation.success_rate > 80 }`, "Constant comparison", "0.8"},
		{"an unknown number", held + `expect "goal" { condition = validation.succes_rate > 0.8 }`, "", "success_rate"},
		{"an episode's number", held + `expect "goal" { condition = reward.gaia.answer > 0.8 }`, "Value of an episode",
			"condition is evaluated after a validation"},
		{"no condition", held + `expect "goal" {}`, "", "condition"},
		{"no validation", `expect "goal" { condition = validation.success_rate > 0.8 }`, "Expectation without a validation",
			"dataset.TYPE.NAME"},
	} {
		t.Run(test.name, func(t *testing.T) {
			problems := expressionProblems(t, test.attributes)
			if len(problems) == 0 {
				t.Fatal("want a problem, got none")
			}
			d := problems[0]
			if test.summary != "" && d.Summary != test.summary || !strings.Contains(d.Detail, test.want) || d.Range == nil {
				t.Errorf("%s: %s (%v)", d.Summary, d.Detail, d.Range)
			}
		})
	}
}

// A stage's block replaces the block of train. Of the actions, only mask is part of a run's identity: the others may
// change on resume.
func TestFindings_InStagesAndIdentity(t *testing.T) {
	identity := func(attributes string) []byte {
		t.Helper()
		dir := write(t, map[string]string{"a.jsonl": "", "train.hcl": `
dataset "jsonl" "a" { path = "a.jsonl" }
agent "react" "solver" {}
reward "gaia" "answer" {}
adapter "local" "x" {}
train "x" {
  agent      = agent.react.solver
  dataset    = dataset.jsonl.a
  validation = dataset.jsonl.a
  adapter    = adapter.local.x
  reward     = reward.gaia.answer
  steps      = 1
` + attributes + "\n}\n"})
		s := load(t, dir+"/train.hcl", spec.Options{})
		if strings.Contains(attributes, "stage") {
			want := map[string]spec.FindingPolicy{"cut": {Action: spec.FindingStops, After: 3}}
			if diff := cmp.Diff(want, s.Trains["x"].Stages[0].Findings); diff != "" {
				t.Errorf("the stage's (-want +got):\n%s", diff)
			}
			if policy := s.Trains["x"].Stages[1].Findings["failures"]; policy.Action != spec.FindingStops {
				t.Errorf("the other stage's: %+v", s.Trains["x"].Stages[1].Findings)
			}
		}
		stored := string(s.Resolved())
		if attributes != "" && !strings.Contains(stored, `"findings":{`) && !strings.Contains(stored, `"expect":{`) {
			t.Errorf("not in the stored spec: %s", stored)
		}
		return s.Identity("x")
	}
	plain := identity("")
	for _, same := range []string{
		"findings {\n on \"cut\" {\n action = \"stop\"\n after = 2\n }\n}",
		"expect \"goal\" { condition = validation.success_rate > 0.9 }",
	} {
		if !bytes.Equal(plain, identity(same)) {
			t.Errorf("changes the identity: %s", same)
		}
	}
	if bytes.Equal(plain, identity("findings {\n on \"cut\" { action = \"mask\" }\n}")) {
		t.Error("masking does not change the identity")
	}
	identity(`findings {
  on "failures" { action = "stop" }
}
stage "a" {
  findings {
    on "cut" {
      action = "stop"
      after  = 3
    }
  }
}
stage "b" {}`)
}
