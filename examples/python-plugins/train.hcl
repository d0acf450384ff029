# The quick start with an agent and a reward that are plugins in Python: packages beside the spec, which awhost builds.
#
#   awhost init examples/python-plugins/train.hcl      # makes their environments and records that you allow them to run
#   awhost apply examples/python-plugins/train.hcl

awhost {
  required_plugins {
    pyexact  = { source = "./reward" }
    pysolver = { source = "./agent" }
  }
}

variable "steps" {
  type    = number
  default = 60
}

dataset "jsonl" "train" { path = "../../data/arithmetic.train.jsonl" }
dataset "jsonl" "held_out" { path = "../../data/arithmetic.test.jsonl" }
dataset "jsonl" "demonstrations" { path = "../../data/arithmetic.demos.jsonl" }

environment "calculator" "desk" {}

agent "pysolver" "mine" {
  environment = environment.calculator.desk
}

reward "pyexact" "answer" {}

adapter "local" "grpo" {
  warm_start { dataset = dataset.jsonl.demonstrations }
}

train "python-plugins" {
  agent      = agent.pysolver.mine
  dataset    = dataset.jsonl.train
  validation = dataset.jsonl.held_out
  adapter    = adapter.local.grpo
  reward     = reward.pyexact.answer.score
  success    = reward.pyexact.answer.score == 1
  steps      = var.steps

  validate {
    every        = 10
    before_train = true
  }
  limits { message_tokens = 60 }
}
