# The quick start with a reward of one's own: a Go package beside the spec, which awhost builds.
#
#   awhost init examples/own-reward/train.hcl      # builds it and records that you allow it to run
#   awhost apply examples/own-reward/train.hcl
#
# Only the answer counts here, not the way to it: there is no partial credit for the right tool.

awhost {
  required_plugins {
    exact = { source = "../rewards/exact" }
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

agent "react" "solver" {
  environment = environment.calculator.desk
  max_turns   = 4
}

reward "exact" "answer" {}

adapter "local" "grpo" {
  warm_start { dataset = dataset.jsonl.demonstrations }
}

train "own-reward" {
  agent      = agent.react.solver
  dataset    = dataset.jsonl.train
  validation = dataset.jsonl.held_out
  adapter    = adapter.local.grpo
  reward     = reward.exact.answer.score
  success    = reward.exact.answer.score == 1
  steps      = var.steps

  validate {
    every        = 10
    before_train = true
  }
  limits { message_tokens = 60 }
}
