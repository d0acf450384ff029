package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// scenario is one run.
type scenario struct {
	concurrency int
	episodes    int // measured, without the warm-up
}

const (
	groupSize = 8
	warmSteps = 2 // before the measurement: pools fill, heaps grow, connections open
	coolSteps = 1 // after it: the processes must still exist at the last measured boundary
)

// lastStep returns the last measured step for steps of that many episodes.
func (s scenario) lastStep(episodes int) int { return warmSteps + max(1, s.episodes/episodes) }

// specText is the spec of this scenario.
const specText = `%s
dataset "jsonl" "questions" { path = "questions.jsonl" }

environment "calculator" "desk" { max_turns = %d }

agent "react" "solver" {
  environment = environment.calculator.desk
  max_turns   = %d
}

reward "calculator" "shape" {}

adapter "instant" "policy" { turns = %d }

train "turns" {
  agent   = agent.react.solver
  dataset = dataset.jsonl.questions
  adapter = adapter.instant.policy
  reward  = reward.calculator.shape.score
  success = reward.calculator.shape.score == 1
  steps   = %d
  batch {
    prompts    = %d
    group_size = %d
  }
  limits { message_tokens = 60 }
  checkpoint { keep = 2 }
  concurrency     = %d
  episode_timeout = "5m"
}
`

// requiredPlugin declares the adapter plugin, which is built into the baseline.
const requiredPlugin = `awhost {
  required_plugins {
    instant = { source = "./instant" }
  }
}
`

// write creates a run's directory: spec, data and, for a real run, the plugin program.
func (s scenario) write(o options, dir string, real bool) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	head := ""
	if real {
		head = requiredPlugin
		if err := copyProgram(o.self, filepath.Join(dir, "instant")); err != nil {
			return err
		}
	}
	text := fmt.Sprintf(specText, head, o.turns+1, o.turns+1, o.turns, s.lastStep(o.step)+coolSteps, o.step/groupSize,
		groupSize, s.concurrency)
	if err := os.WriteFile(filepath.Join(dir, "train.hcl"), []byte(text), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "questions.jsonl"), []byte(questions()), 0o644)
}

func copyProgram(from, to string) error {
	program, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, program, 0o755)
}

// questions returns tasks like those in the quick start.
func questions() string {
	var out strings.Builder
	for a := 10; a < 90; a += 2 {
		for b := 1; b < 10; b++ {
			fmt.Fprintf(&out, `{"id":"add-%d-%d","prompt":"%d+%d=","ground_truth":"%d"}`+"\n", a, b, a, b, a+b)
			fmt.Fprintf(&out, `{"id":"mul-%d-%d","prompt":"%d*%d=","ground_truth":"%d"}`+"\n", a, b, a, b, a*b)
		}
	}
	return out.String()
}
