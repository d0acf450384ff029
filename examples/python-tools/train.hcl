# The quick start with Python functions as tools: the package in desk/ is the environment.
#
#   awhost init examples/python-tools/train.hcl       # builds the package, and records that you allow it to run
#   awhost apply examples/python-tools/train.hcl

awhost {
  required_plugins {
    desk = { source = "./desk" }
  }
}

variable "steps" {
  type        = number
  default     = 60
  description = "optimizer steps"
}

dataset "jsonl" "train" { path = "../../data/arithmetic.train.jsonl" }
dataset "jsonl" "held_out" { path = "../../data/arithmetic.test.jsonl" }
dataset "jsonl" "demonstrations" { path = "../../data/arithmetic.demos.jsonl" }

environment "desk" "calculator" {}

agent "react" "solver" {
  environment = environment.desk.calculator
}

reward "gaia" "answer" {} # compares the text between <answer> and </answer> with the ground truth

adapter "local" "grpo" {
  warm_start { dataset = dataset.jsonl.demonstrations }
}

train "python-tools" {
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
