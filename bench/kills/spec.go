package main

// spec describes a run that takes a few seconds and has all parts: a short warm start, validations, and commits that
// are kept and pruned.
const spec = `
variable "concurrency" { type = number }

dataset "jsonl" "train" { path = "data/arithmetic.train.jsonl" }
dataset "jsonl" "held_out" {
  path  = "data/arithmetic.test.jsonl"
  limit = 16
}
dataset "jsonl" "demonstrations" { path = "data/arithmetic.demos.jsonl" }

environment "calculator" "desk" {}

agent "react" "solver" {
  environment = environment.calculator.desk
  max_turns   = 4
}

reward "calculator" "shape" {}
reward "gaia" "answer" {}
reward "format" "form" { tags = ["answer"] }

adapter "local" "grpo" {
  warm_start {
    dataset = dataset.jsonl.demonstrations
    steps   = 30
  }
}

train "kills" {
  agent        = agent.react.solver
  dataset      = dataset.jsonl.train
  validation   = dataset.jsonl.held_out
  adapter      = adapter.local.grpo
  reward       = reward.calculator.shape.score + 0.1 * reward.format.form.score
  success      = reward.gaia.answer.score == 1
  steps        = 8
  seed         = 1
  max_restarts = 1000

  batch {
    prompts    = 4
    group_size = 4
  }
  limits { message_tokens = 60 }
  validate {
    every        = 4
    before_train = true
    best_by      = "success_rate"
  }
  checkpoint {
    every = 4
    keep  = 2
  }
  concurrency = var.concurrency
}
`
