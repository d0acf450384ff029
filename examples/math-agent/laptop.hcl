# A small policy learns to put questions in words into code, and to read what the code writes, on a laptop: in two and
# a half minutes on two cores.
#
#   awhost apply laptop.hcl
#
# The demonstrations show how code is written and told. Which operator a word means they do not: the right one stands in
# 36 % of them, and in no question.

variable "agent" {
  type        = string
  default     = "solve"
  description = "which agent of agents.py: deaf is the control, which is not told what the code writes"
}

variable "sandbox" {
  type        = string
  default     = "process"
  description = "none, where the kernel has no sandbox: the policy's code then runs as you"
}

variable "steps" {
  type        = number
  default     = 40
  description = "optimiser steps"
}

variable "warm_start" {
  type        = number
  default     = 500
  description = "steps on the demonstrations, before the first"
}

environment "code" "python" {
  sandbox = var.sandbox
}

agent "python" "solver" {
  file        = "agents.py"
  name        = var.agent
  environment = environment.code.python
  max_turns   = 3
}

# Rows in GSM8K's form: a question, and a worked solution whose last line is "#### 37".
dataset "jsonl" "train" {
  path = "data/laptop.train.jsonl"
}
dataset "jsonl" "held_out" {
  path = "data/laptop.test.jsonl"
}
dataset "jsonl" "demonstrations" {
  path = "data/laptop.demos.jsonl"
}

reward "math" "answer" {}

adapter "local" "grpo" {
  warm_start {
    dataset = dataset.jsonl.demonstrations
    steps   = var.warm_start
  }
}

train "math-agent" {
  agent      = agent.python.solver
  dataset    = dataset.jsonl.train
  validation = dataset.jsonl.held_out
  adapter    = adapter.local.grpo
  reward     = reward.math.answer.score
  success    = reward.math.answer.score == 1
  steps      = var.steps

  batch {
    prompts    = 16
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
  limits {
    message_tokens = 80
    overlong       = "score"
  }
  validate {
    every        = 10
    before_train = true
    best_by      = "success_rate"
  }
  checkpoint {
    every = 10
    keep  = 1
  }
}
