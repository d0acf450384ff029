package plan_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/awhost/awhost/host/diag"
)

const tracked = `dataset "jsonl" "train" { path = "data/train.jsonl" }
environment "scripted" "desk" {}
agent "react" "solver" {
  environment = environment.scripted.desk
  max_turns   = 3
}
reward "scripted" "answer" {}
adapter "scripted" "trainer" {}
variable "rate" { default = 0.5 }
train "sums" {
  agent   = agent.react.solver
  dataset = dataset.jsonl.train
  adapter = adapter.scripted.trainer
  reward  = reward.scripted.answer
  steps   = 5
  sampling { temperature = var.rate }
  env { TRACKER_KEY = env("TOKEN") }
  tracking {
    wandb   = true
    swanlab = true
    python  = "bare/python"
    offline = true
  }
}
`

// python writes a program at the path of the spec's Python.
func python(t *testing.T, dir, script string) {
	t.Helper()
	path := filepath.Join(dir, "bare", "python")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
}

func TestMake_RefusesATrackerThatCannotWork(t *testing.T) {
	for name, tc := range map[string]struct {
		script string
		want   []string
	}{
		"the standard library alone": {`exec python3 -I -S "$@"`, []string{
			"train.hcl:19", "Tracker without its package", "has no package wandb", "bare/python -m pip install wandb",
			"wandb = false",
			"train.hcl:20", "pip install swanlab",
		}},
		"no Python":     {`echo usage: bare; exit 2`, []string{"train.hcl:21", "Unusable Python", "exited with status 2"}},
		"other answers": {`echo hello`, []string{"train.hcl:21", "Unusable Python", "hello"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := setting{dir: t.TempDir(), secret: "hunter2-canary"}
			s.write(t, []txtar.File{{Name: "train.hcl", Data: []byte(tracked)}})
			python(t, s.dir, tc.script)
			_, problems := s.make(t)
			var b bytes.Buffer
			if err := diag.WriteHuman(&b, problems, diag.Style{}); err != nil {
				t.Fatal(err)
			}
			for _, part := range tc.want {
				if !strings.Contains(b.String(), part) {
					t.Errorf("it does not say %q:\n%s", part, b.String())
				}
			}
		})
	}
}

func TestHyperParameters_HaveNeitherSecretsNorTheEnvironment(t *testing.T) {
	s := setting{dir: t.TempDir(), secret: "hunter2-canary"}
	s.write(t, []txtar.File{{Name: "train.hcl", Data: []byte(tracked)}})
	python(t, s.dir, `echo "[]"`)
	p, problems := s.make(t)
	if problems.HasErrors() {
		t.Fatal(problems)
	}
	got := p.HyperParameters()
	for name, v := range got {
		text, _ := v.(string)
		if strings.Contains(text, "hunter2") || strings.HasPrefix(name, "env") {
			t.Errorf("%s = %v", name, v)
		}
	}
	for name, want := range map[string]any{
		"sampling.temperature": 0.5, "steps": 5.0, "reward": "reward.scripted.answer", "agent": "agent.react.solver",
		"dataset": "dataset.jsonl.train",
	} {
		if got[name] != want {
			t.Errorf("%s is %v, not %v", name, got[name], want)
		}
	}
}
