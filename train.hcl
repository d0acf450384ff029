# Trains a small policy to answer arithmetic questions by calling the right tool, on a laptop, in about a minute:
#
#   awhost apply train.hcl
#
# The policy starts from random weights. Demonstrations teach it the form of a tool call, but in 80 % of them the tool is
# picked at random, so that imitation alone stays near 30 %. Reinforcement learning does the rest.

variable "steps" {
  type        = number
  default     = 60
  description = "optimiser steps"
  validation {
    condition     = var.steps > 0
    error_message = "steps must be positive."
  }
}

variable "seed" {
  type        = number
  default     = 1
  description = "all randomness comes from it"
}

dataset "jsonl" "train" { path = "data/arithmetic.train.jsonl" }
dataset "jsonl" "held_out" { path = "data/arithmetic.test.jsonl" }
dataset "jsonl" "demonstrations" { path = "data/arithmetic.demos.jsonl" }

environment "calculator" "desk" {}

agent "react" "solver" {
  environment = environment.calculator.desk
  max_turns   = 4
}

reward "calculator" "shape" {}
reward "gaia" "answer" {}

adapter "local" "grpo" {
  warm_start {
    dataset = dataset.jsonl.demonstrations
    steps   = 400
  }
}

train "quickstart" {
  agent      = agent.react.solver
  dataset    = dataset.jsonl.train
  validation = dataset.jsonl.held_out
  adapter    = adapter.local.grpo
  reward     = reward.calculator.shape.score
  success    = reward.calculator.shape.score == 1 && reward.gaia.answer.score == 1
  steps      = var.steps
  seed       = var.seed

  batch {
    prompts    = 32
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
    kl        = 0
  }
  sampling { temperature = 1.0 }
  limits {
    message_tokens = 60
    overlong       = "score"
  }
  validate {
    every        = 10
    before_train = true
    best_by      = "success_rate"
  }
  checkpoint {
    every = 10
    keep  = 3
  }
  concurrency     = 64
  episode_timeout = "5m"
}

output "checkpoint" { value = train.quickstart.checkpoint }
