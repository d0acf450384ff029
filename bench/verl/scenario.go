package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/awhost/awhost/bench/verl/relay"
)

const groupSize = 8

// specText is the spec for this measurement.
const specText = `awhost {
  required_plugins {
    relay = { source = "./relay" }
  }
}

dataset "jsonl" "questions" { path = "questions.jsonl" }

environment "relay" "shop" { turns = %[1]d }

agent "react" "solver" {
  environment = environment.relay.shop
  max_turns   = %[1]d
}

reward "relay" "answered" {}

adapter "relay" "policy" {
  command     = %[2]s
  pythonpath  = %[3]q
  concurrency = %[4]s
  profile     = %[5]t
}

train "turns" {
  agent   = agent.react.solver
  dataset = dataset.jsonl.questions
  adapter = adapter.relay.policy
  reward  = reward.relay.answered.score
  success = reward.relay.answered.score == 1
  steps   = %[6]d
  batch {
    prompts    = %[7]d
    group_size = %[8]d
  }
  limits { message_tokens = 1024 }
  checkpoint { keep = 2 }
  concurrency     = %[9]d
  episode_timeout = "5m"
}
`

// write creates the run's directory.
func (o options) write(dir string) error {
	conversation, err := relay.NewConversation(o.turns)
	if err != nil {
		return err
	}
	described, err := json.Marshal(conversation)
	if err != nil {
		return err
	}
	task, err := json.Marshal(map[string]string{"id": "shelf", "prompt": conversation.Prompt, "ground_truth": "yes"})
	if err != nil {
		return err
	}
	program, err := os.ReadFile(o.self)
	if err != nil {
		return err
	}
	spec, err := o.spec(dir)
	if err != nil {
		return err
	}
	for name, text := range map[string][]byte{
		"train.hcl": spec, "questions.jsonl": append(task, '\n'), "conversation.json": described, "driver.py": driverText,
		"relay": program,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o755); err != nil {
			return err
		}
	}
	return nil
}

func (o options) spec(dir string) ([]byte, error) {
	command, err := json.Marshal([]string{o.python, filepath.Join(dir, "driver.py"),
		filepath.Join(dir, "conversation.json"), dir})
	if err != nil {
		return nil, err
	}
	var texts []string
	for _, n := range o.concurrency {
		texts = append(texts, strconv.Itoa(n))
	}
	concurrency, err := json.Marshal(texts)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(o.root, "plugins", "verl", "shim") + string(os.PathListSeparator) + filepath.Join(o.root, "sdk",
		"python")
	return fmt.Appendf(nil, specText, o.turns, command, path, concurrency, o.profile, (o.rounds+1)*len(o.concurrency),
		o.episodes/groupSize, groupSize, slices.Max(o.concurrency)), nil
}
