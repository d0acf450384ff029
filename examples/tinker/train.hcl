# The quick start on a server that speaks Tinker's API: the same data, environment, agent, and rewards.
#
#   python3 -m venv .venv && .venv/bin/pip install tinker==0.38.0
#   export TINKER_API_KEY=tml-…
#   awhost apply examples/tinker/train.hcl --var model=Qwen/Qwen3-8B
#
# `awhost apply --smoke` tests everything except the server.

variable "python" {
  type        = string
  default     = "../../.venv/bin/python"
  description = "the Python with the package tinker"
}

variable "base_url" {
  type        = string
  default     = ""
  description = "URL of the server; empty: Tinker's own service"
}

variable "model" {
  type        = string
  description = "directory of the model's tokenizer, or its name where the hub can be reached"
}

variable "base_model" {
  type        = string
  default     = ""
  description = "the server's name of the model; empty: the same name"
}

variable "prompts" {
  type        = number
  default     = 32
  description = "groups per step"
}

variable "steps" {
  type        = number
  default     = 60
  description = "optimizer steps"
}

variable "prompt_tokens" {
  type        = number
  default     = 1024
  description = "room for the question and the schemas of the tools"
}

variable "response_tokens" {
  type        = number
  default     = 512
  description = "room for an episode's answers and tool results"
}

variable "checkpoints" {
  type        = number
  default     = 5
  description = "steps from one checkpoint to the next"
}

dataset "jsonl" "train" { path = "../../data/arithmetic.train.jsonl" }
dataset "jsonl" "held_out" { path = "../../data/arithmetic.test.jsonl" }

environment "calculator" "desk" {}

agent "react" "solver" {
  environment = environment.calculator.desk
  max_turns   = 4
}

reward "calculator" "shape" {}
reward "gaia" "answer" {}

model "hf" "policy" { path = var.model }

adapter "tinker" "grpo" {
  python      = var.python
  base_url    = var.base_url
  base_model  = var.base_model
  api_key_env = "TINKER_API_KEY"
}

train "tinker" {
  agent      = agent.react.solver
  dataset    = dataset.jsonl.train
  validation = dataset.jsonl.held_out
  adapter    = adapter.tinker.grpo
  policy     = model.hf.policy
  reward     = reward.calculator.shape.score
  success    = reward.calculator.shape.score == 1 && reward.gaia.answer.score == 1
  steps      = var.steps
  seed       = 1

  batch {
    prompts    = var.prompts
    group_size = 8
  }
  optimizer {
    learning_rate = 1e-3
    schedule      = "linear"
    warmup_steps  = 5
  }
  algorithm "grpo" {
    clip_low  = 0.2
    clip_high = 0.28
  }
  limits {
    prompt_tokens   = var.prompt_tokens
    response_tokens = var.response_tokens
    message_tokens  = 60
    overlong        = "score"
  }
  validate {
    every        = 15
    before_train = true
    best_by      = "success_rate"
  }
  checkpoint {
    every = var.checkpoints
    keep  = 3
  }
  concurrency     = 128
  episode_timeout = "5m"
}

output "checkpoint" { value = train.tinker.checkpoint }
