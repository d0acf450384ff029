# Trains a tiny model with the real AReaL on a CPU: the same agent, environment, rewards and tasks as the quick start, with
# another adapter.
#
#   awhost apply examples/areal/train.hcl --var python=.venv/bin/python --var model=path/to/a/tiny/model
#
# On GPUs remove device = "cpu", and say what the machines have: gpus_per_node, actor, rollout.

variable "python" {
  type        = string
  default     = null
  description = "the Python that has AReaL 1.0.4 or 2.0; null: that of the active environment's"
}

variable "model" {
  type        = string
  description = "folder of a model in the layout of Hugging Face"
}

variable "steps" {
  type        = number
  default     = 2
  description = "optimiser steps"
}

variable "prompts" {
  type        = number
  default     = 4
  description = "tasks per step"
}

variable "group_size" {
  type        = number
  default     = 4
  description = "samples per task"
}

variable "mode" {
  type        = string
  default     = "auto"
  description = "auto, workflow or agent"
}

dataset "jsonl" "train" { path = "../../data/arithmetic.train.jsonl" }
dataset "jsonl" "held_out" { path = "../../data/arithmetic.test.jsonl" }

environment "calculator" "desk" {}

model "hf" "base" { path = var.model }

agent "react" "solver" {
  environment = environment.calculator.desk
  max_turns   = 4
}

reward "calculator" "shape" {}
reward "gaia" "answer" {}

adapter "areal" "cpu" {
  python = var.python
  mode   = var.mode
  device = "cpu"
}

train "tiny" {
  agent      = agent.react.solver
  dataset    = dataset.jsonl.train
  validation = dataset.jsonl.held_out
  adapter    = adapter.areal.cpu
  policy     = model.hf.base
  reward     = reward.calculator.shape.score
  success    = reward.calculator.shape.score == 1 && reward.gaia.answer.score == 1
  steps      = var.steps
  seed       = 1

  batch {
    prompts    = var.prompts
    group_size = var.group_size
  }
  optimizer {
    learning_rate = 1e-3
    schedule      = "linear"
    warmup_steps  = min(5, var.steps)
    weight_decay  = 0
  }
  algorithm "grpo" {
    clip_low  = 0.2
    clip_high = 0.28
    kl        = 0
  }
  sampling { temperature = 1.0 }
  limits {
    message_tokens = 60
    overlong       = "score"
  }
  validate {
    before_train = true
  }
  checkpoint { every = 5 }
  concurrency     = 64
  episode_timeout = "5m"
}

output "checkpoint" { value = train.tiny.checkpoint }
