# The quick start with the tools of an MCP server, server.py.
#
#   python3 -m venv .venv && .venv/bin/pip install fastmcp==4.1.0     # in the directory of this file
#   awhost apply examples/mcp/train.hcl

variable "python" {
  type        = string
  default     = ".venv/bin/python"
  description = "a Python with fastmcp"
}

variable "steps" {
  type        = number
  default     = 60
  description = "optimizer steps"
}

dataset "jsonl" "train" { path = "../../data/arithmetic.train.jsonl" }
dataset "jsonl" "held_out" { path = "../../data/arithmetic.test.jsonl" }
dataset "jsonl" "demonstrations" { path = "../../data/arithmetic.demos.jsonl" }

environment "mcp" "calculator" {
  server "arithmetic" {
    command = [var.python, "server.py"]
    session = "shared" # one server for all episodes: its tools have no state
  }
}

agent "react" "solver" {
  environment = environment.mcp.calculator
  max_turns   = 4
}

reward "gaia" "answer" {} # compares the text between <answer> and </answer> with the ground truth

adapter "local" "grpo" {
  warm_start { dataset = dataset.jsonl.demonstrations }
}

train "mcp" {
  agent      = agent.react.solver
  dataset    = dataset.jsonl.train
  validation = dataset.jsonl.held_out
  adapter    = adapter.local.grpo
  reward     = reward.gaia.answer.score
  success    = reward.gaia.answer.score == 1
  steps      = var.steps

  validate {
    every        = 10
    before_train = true
  }
  limits { message_tokens = 60 }
}
