# A small policy learns to use the tools of two MCP servers that others wrote, on a laptop, in about two minutes:
#
#   npm install @modelcontextprotocol/server-everything@2026.8.31
#   python3 -m venv .venv && .venv/bin/pip install fastmcp==4.1.0
#   awhost apply laptop.hcl
#
# The demonstrations show how a tool is called; which one is right they do not: it stands in 28 % of them.

variable "everything" {
  type        = list(string)
  default     = ["npx", "@modelcontextprotocol/server-everything", "stdio"]
  description = "the command of server-everything"
}

variable "python" {
  type        = string
  default     = ".venv/bin/python"
  description = "a Python with fastmcp"
}

variable "shuffled" {
  type        = bool
  default     = false
  description = "each call gets the result of another one"
}

variable "steps" {
  type        = number
  default     = 60
  description = "optimiser steps"
}

locals {
  shuffle = var.shuffled ? [var.python, "servers/shuffle.py"] : []
}

environment "mcp" "desk" {
  server "everything" {
    command = concat(local.shuffle, var.everything)
    session = "shared"
  }
  server "arithmetic" {
    command = concat(local.shuffle, [var.python, "servers/arithmetic.py"])
    session = "shared"
  }
  tools = ["everything/get-sum", "arithmetic"]
}

agent "react" "solver" {
  environment = environment.mcp.desk
  max_turns   = 3
}

dataset "jsonl" "train" {
  path = "data/laptop.train.jsonl"
}
dataset "jsonl" "held_out" {
  path = "data/laptop.test.jsonl"
}
dataset "jsonl" "demonstrations" {
  path = "data/laptop.demos.jsonl"
}

reward "gaia" "answer" {}

adapter "local" "grpo" {
  warm_start {
    dataset = dataset.jsonl.demonstrations
    steps   = 500
  }
}

train "laptop" {
  agent      = agent.react.solver
  dataset    = dataset.jsonl.train
  validation = dataset.jsonl.held_out
  adapter    = adapter.local.grpo
  reward     = reward.gaia.answer.score
  success    = reward.gaia.answer.score == 1
  steps      = var.steps

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
  limits {
    message_tokens = 64
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
