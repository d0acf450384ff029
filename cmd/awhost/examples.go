package main

import (
	"strings"

	"github.com/spf13/cobra"
)

// examples holds the examples for each command's help, keyed by the command's path.
var examples = map[string][]string{
	"data":       {"awhost data check"},
	"data head":  {"awhost data head", "awhost data head -n 1 --dataset dataset.jsonl.train --json"},
	"data check": {"awhost data check", "awhost data check train.hcl --dataset dataset.jsonl.train --json"},
	"init":       {"awhost init", "awhost init examples/own-reward/train.hcl", "awhost init --upgrade"},
	"new":        {"awhost new spec demo", "awhost new agent solver"},
	"new spec":   {"awhost new spec demo", "awhost new spec math --template math"},
	"new agent":  {"awhost new agent solver", "awhost new agent solver --out agents"},
	"import":     {"awhost import ajet math_agent.yaml", "awhost import verl run.sh"},
	"import ajet": {
		"awhost import ajet math_agent.yaml",
		"awhost import ajet math_agent.yaml --adapter verl --out verl.hcl",
	},
	"import areal": {"awhost import areal gsm8k_grpo.yaml", "awhost import areal gsm8k_grpo.yaml --out awhost/train.hcl"},
	"import swift": {"awhost import swift grpo.sh", "awhost import swift rlhf.yaml --json"},
	"import trl":   {"awhost import trl grpo.yaml", "awhost import trl run.sh --out awhost/train.hcl"},
	"import verl":  {"awhost import verl run.sh", "MODEL=/models/Qwen3-4B awhost import verl run.sh --overwrite"},
	"validate":     {"awhost validate", "awhost validate my.hcl --var seed=2"},
	"fmt":          {"awhost fmt", "awhost fmt --check .", "awhost fmt - < train.hcl"},
	"plan": {
		"awhost plan",
		"awhost plan --all my.hcl",
		"awhost plan --out night.plan && awhost apply night.plan",
	},
	"apply": {
		"awhost apply",
		"awhost apply my.hcl --var seed=2 --new",
		"awhost apply --detach",
		"awhost apply --smoke",
		"awhost apply verl.hcl -- actor_rollout_ref.actor.optim.lr=1e-6",
	},
	"sweep": {
		"awhost sweep --seeds 5",
		"awhost sweep my.hcl --var 'lr=[1e-3, 3e-4]' --seeds 3 --jobs 2",
		"awhost sweep my.hcl --var 'lr=[1e-3, 3e-4]' --seeds 3 --show",
	},
	"eval": {
		"awhost eval",
		"awhost eval --checkpoint quickstart-1/step-20 --samples 4",
		"awhost eval --base-url http://127.0.0.1:8000/v1 --model-name Qwen/Qwen3-8B",
	},
	"ask": {
		`awhost ask "17+25="`,
		`awhost ask my.hcl "17+25=" --ground-truth 42`,
		"awhost ask --task 1+2-held-out --checkpoint base",
	},
	"debug": {
		"awhost debug",
		"awhost debug --failed quickstart-1 --checkpoint base",
		"awhost debug --ui --plain --limit 5",
		"awhost debug --debug reward.exact --wait --plain",
		"awhost debug --attach environment.desk=/tmp/awhost-debug-1/attach.json",
	},
	"score": {
		"awhost score gaia --set compatibility=reference < items.jsonl",
		"awhost score exact --spec my.hcl < items.jsonl",
	},
	"play": {
		"awhost play calculator --task add-45-49 --reward gaia",
		"awhost play game --spec my.hcl --dataset tasks.jsonl",
		"awhost play swarm.team.desk --task 1+2-held-out",
	},
	"runs":     {"awhost runs", "awhost runs --tag baseline --since 7d", "awhost runs --dir examples/own-reward --json"},
	"runs set": {`awhost runs set quickstart-3 --name baseline --tag paper --note "no KL"`},
	"runs rm":  {"awhost runs rm quickstart-3", "awhost runs rm baseline quickstart-4 --yes"},
	"runs gc":  {"awhost runs gc --keep 3 --older-than 30d", "awhost runs gc --failed --apply"},
	"show": {
		"awhost show",
		"awhost show quickstart-1 --all",
		"awhost show 1 --audit",
		"awhost show 1 --episodes | jq 'select(.failure)'",
	},
	"checkpoints": {"awhost checkpoints", "awhost checkpoints quickstart-1 --verify"},
	"scan":        {"awhost scan", "awhost scan quickstart-1 --judge reward.llm_judge.scan --every 10"},
	"compare":     {"awhost compare quickstart-1 quickstart-2", "awhost compare 1 ../other/2 --all"},
	"export":      {"awhost export --out policy", "awhost export quickstart-1/step-20 --out policy"},
	"logs":        {"awhost logs", "awhost logs quickstart-1 --plugin reward.gaia.answer", "awhost logs -f --since 10m"},
	"ui":          {"awhost ui", "awhost ui --listen 127.0.0.1:8080", "awhost ui --json | jq -r .url"},
	"where":       {"awhost where", "awhost where quickstart-1", "awhost where --json | jq -r .dir"},
	"attach":      {"awhost attach", "awhost attach quickstart-1 --plain"},
	"stuck":       {"awhost stuck", "awhost stuck quickstart-1 --json"},
	"top":         {"awhost top", "awhost top --json | jq -r .dir"},
	"stop":        {"awhost stop", "awhost stop quickstart-1 --now"},
	"resume":      {"awhost resume", "awhost resume quickstart-1", "awhost resume --dir examples/own-reward"},
	"doctor":      {"awhost doctor", "awhost doctor train.hcl --torch all", "awhost doctor --python .venv"},
	"docs":        {"awhost docs", "awhost docs guides/mcp", "awhost docs --all > docs.md"},
	"schema":      {"awhost schema > spec.schema.json", "awhost schema reference", "awhost schema events"},
	"completion":  {"source <(awhost completion bash)"},
	"version":     {"awhost version", "awhost version --json"},
	"plugin":      {"awhost plugin list", "awhost plugin new reward exact --lang python"},
	"plugin list": {"awhost plugin list", "awhost plugin list my.hcl"},
	"plugin new": {
		"awhost plugin new reward exact --lang python",
		"awhost plugin new environment desk --lang go --out plugins/desk",
	},
	"plugin sdk":      {"awhost plugin sdk", "awhost plugin sdk --out ../awhost-sdk"},
	"plugin describe": {"awhost plugin describe gaia", "awhost plugin describe ./exact"},
	"plugin docs":     {"awhost plugin docs gaia", "awhost plugin docs ./exact > REFERENCE.md"},
	"plugin call": {
		`awhost plugin call ./game environment.game Open '{"episode_id": "e", "seed": 7, "task": {"id": "t"}}'`,
	},
	"plugin test": {
		"awhost plugin test ./exact",
		"awhost plugin test ./exact --junit report.xml",
		"awhost plugin test --mcp http://localhost:8000/mcp",
		"awhost plugin test --list",
	},
	"plugin serve": {"awhost plugin serve gaia describe"},
}

// addExamples adds examples to every command below cmd.
func addExamples(cmd *cobra.Command, path string) {
	for _, c := range cmd.Commands() {
		name := strings.TrimSpace(path + " " + c.Name())
		if lines := examples[name]; len(lines) > 0 {
			c.Example = "  " + strings.Join(lines, "\n  ")
		}
		addExamples(c, name)
	}
}
