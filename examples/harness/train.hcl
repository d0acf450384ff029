# Coding harnesses as agents: Codex, Claude Code, Qwen Code or opencode, started once per episode.
#
#   npm install -g @qwen-code/qwen-code@0.24.4
#   awhost eval examples/harness/train.hcl --base-url http://localhost:8000/v1 --model-name Qwen/Qwen3-8B
#
# docs/guides/harnesses.md goes from nothing to a training run. Their prompts are 8 to 20 thousand tokens long: train with verl
# or AReaL, the embedded trainer's model is far too small for them.

variable "preset" {
  type        = string
  default     = "qwen-code"
  description = "codex, claude-code, qwen-code or opencode"
}

variable "directory" {
  type        = string
  default     = null
  description = "where the folders of episodes are made"
}

variable "concurrency" {
  type    = number
  default = 4
}

dataset "jsonl" "tasks" { path = "tasks.jsonl" }

environment "calculator" "desk" {}

agent "command" "coder" {
  sandbox     = "none" # what the policy decides happens as you: leave it out where your kernel has a sandbox
  preset      = var.preset
  directory   = var.directory
  template    = "workspace"
  environment = environment.calculator.desk
  max_turns   = 12
  timeout     = "10m"
  collect     = ["*.txt"]
  diff        = true
}

reward "python" "work" {
  file = "rewards.py"
  name = "note_and_sum"
}

adapter "local" "grpo" {
  context = 1024
}

train "harness" {
  agent       = agent.command.coder
  dataset     = dataset.jsonl.tasks
  validation  = dataset.jsonl.tasks
  adapter     = adapter.local.grpo
  reward      = reward.python.work.score
  steps       = 2
  concurrency = var.concurrency

  episode_timeout = "20m"

  batch {
    prompts    = 2
    group_size = 4
  }
}
