# The quick start with an agent in Python: a function in a file beside the spec, no package and no plugin.
#
#   awhost apply examples/python-agent/train.hcl
#
# It runs in the Python of .venv beside this file if there is one, else in the one of your shell.

variable "steps" {
  type    = number
  default = 60
}

variable "imitation" {
  type        = number
  default     = 400
  description = "steps of behaviour cloning"
}

variable "concurrency" {
  type    = number
  default = 64
}

variable "agent" {
  type        = string
  default     = "solve"
  description = "which agent of agents.py"
}

dataset "jsonl" "train" { path = "../../data/arithmetic.train.jsonl" }
dataset "jsonl" "held_out" { path = "../../data/arithmetic.test.jsonl" }
dataset "jsonl" "demonstrations" { path = "../../data/arithmetic.demos.jsonl" }

environment "calculator" "desk" {}

agent "python" "mine" {
  file        = "agents.py"
  name        = var.agent
  environment = environment.calculator.desk
  max_turns   = 4
}

reward "calculator" "shape" {}
reward "gaia" "answer" {}

adapter "local" "grpo" {
  warm_start {
    dataset = dataset.jsonl.demonstrations
    steps   = var.imitation
  }
}

train "python-agent" {
  agent       = agent.python.mine
  dataset     = dataset.jsonl.train
  validation  = dataset.jsonl.held_out
  adapter     = adapter.local.grpo
  reward      = reward.calculator.shape.score
  success     = reward.calculator.shape.score == 1 && reward.gaia.answer.score == 1
  steps       = var.steps
  concurrency = var.concurrency

  validate {
    every        = 10
    before_train = true
  }
  limits { message_tokens = 60 }
}
