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
	turns       int // of an episode
	step        int // episodes of a step, a multiple of groupSize
	text        int // bytes of text in each message
	tools       int // in addition to the calculator's four
}

const (
	groupSize = 8
	warmSteps = 2 // before the measurement: pools fill, heaps grow, connections open
	coolSteps = 1 // after it: the processes must still exist at the last measured boundary
)

// lastStep returns the last measured step.
func (s scenario) lastStep() int { return warmSteps + max(1, s.episodes/s.step) }

// specText is the spec of this scenario.
const specText = `%s
dataset "jsonl" "questions" { path = "questions.jsonl" }

environment %q "desk" {
  max_turns = %d%s
}

agent "react" "solver" {
  environment = environment.%s.desk
  max_turns   = %d
}

reward %q "shape" {}

adapter "instant" "policy" {
  turns = %d
  text  = %d
}

train "turns" {
  agent   = agent.react.solver
  dataset = dataset.jsonl.questions
  adapter = adapter.instant.policy
  reward  = reward.%s.shape.score
  success = reward.%s.shape.score == 1
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
	environment, reward, attributes := "calculator", "calculator", ""
	if s.text > 0 || s.tools > 0 {
		environment, reward = "instant", "gaia"
		attributes = fmt.Sprintf("\n  text = %d\n  tools = %d", s.text, 4+s.tools)
	}
	text := fmt.Sprintf(specText, head, environment, s.turns+1, attributes, environment, s.turns+1, reward, s.turns,
		s.text, reward, reward, s.lastStep()+coolSteps, s.step/groupSize, groupSize, s.concurrency)
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
