# A planner and a solver, both trained, share the tools of three MCP servers. The planner alone can read the note that a
# task names; the solver alone can calculate. Neither of them can do it without the other:
#
#   npm install @modelcontextprotocol/server-everything@2026.8.31
#   python3 -m venv .venv && .venv/bin/pip install fastmcp==4.1.0
#   awhost apply swarm.hcl
#
# The demonstrations show how a tool is called; which one is right they do not.

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

variable "teacher" {
  type        = string
  default     = ""
  description = "URL of a server that speaks OpenAI's protocol, with /v1: then a model there is the planner, untrained"
}

variable "members" {
  type        = list(string)
  default     = ["planner", "solver"]
  description = "who plays; mute_planner and mute_solver say nothing in their place"
}

variable "steps" {
  type        = number
  default     = 60
  description = "optimiser steps"
}

locals {
  agents = {
    planner      = agent.react.planner
    solver       = agent.react.solver
    mute_planner = agent.python.planner
    mute_solver  = agent.python.solver
  }
}

environment "mcp" "desk" {
  server "notes" {
    command = [var.python, "servers/notes.py"]
    session = "shared"
  }
  server "everything" {
    command = var.everything
    session = "shared"
  }
  server "arithmetic" {
    command = [var.python, "servers/arithmetic.py"]
    session = "shared"
  }
  tools = ["notes", "everything/get-sum", "arithmetic"]
}

agent "react" "planner" {
  environment = environment.mcp.desk
  tools       = ["notes"]
  model       = var.teacher == "" ? null : model.openai.teacher
  max_turns   = 3
}

model "openai" "teacher" {
  base_url = var.teacher == "" ? "http://localhost:8000/v1" : var.teacher
  name     = "teacher"
}

agent "react" "solver" {
  environment = environment.mcp.desk
  tools       = ["everything/get-sum", "arithmetic"]
  max_turns   = 3
}

agent "python" "planner" {
  file = "agents.py"
  name = "mute"
}

agent "python" "solver" {
  file = "agents.py"
  name = "mute"
}

swarm "workflow" "duo" { members = [for m in var.members : local.agents[m]] }

dataset "jsonl" "train" {
  path = "data/swarm.train.jsonl"
}
dataset "jsonl" "held_out" {
  path = "data/swarm.test.jsonl"
}
dataset "jsonl" "demonstrations" {
  path = "data/swarm.demos.jsonl"
}

reward "gaia" "answer" {}

adapter "local" "grpo" {
  warm_start {
    dataset = dataset.jsonl.demonstrations
    steps   = 500
  }
}

train "swarm" {
  agent      = swarm.workflow.duo
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
