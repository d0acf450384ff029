# quick, but its episodes wait at a gate in the third step, so that a script can do something meanwhile. Once gate/open is
# there the gate does nothing.

awhost {
  required_plugins {
    gated = { source = "../plugins/gated" }
  }
}

variable "steps" {
  type    = number
  default = 4
}

variable "seed" {
  type    = number
  default = 1
}

variable "concurrency" {
  type    = number
  default = 64
}

dataset "jsonl" "train" { path = "../quick/data/train.jsonl" }
dataset "jsonl" "held_out" { path = "../quick/data/held_out.jsonl" }
dataset "jsonl" "demonstrations" { path = "../quick/data/demos.jsonl" }

environment "gated" "desk" {
  gate  = "gate"
  after = 40
}

agent "react" "solver" {
  environment = environment.gated.desk
  max_turns   = 4
}

reward "calculator" "shape" {}
reward "gaia" "answer" {}

adapter "local" "grpo" {
  warm_start {
    dataset       = dataset.jsonl.demonstrations
    steps         = 50
    batch         = 2
    learning_rate = 5e-3
  }
}

train "quickstart" {
  agent       = agent.react.solver
  dataset     = dataset.jsonl.train
  validation  = dataset.jsonl.held_out
  adapter     = adapter.local.grpo
  reward      = reward.calculator.shape.score
  success     = reward.calculator.shape.score == 1 && reward.gaia.answer.score == 1
  steps       = var.steps
  seed        = var.seed
  concurrency = var.concurrency

  batch {
    prompts    = 4
    group_size = 4
  }
  sampling { temperature = 0.8 }
  limits {
    message_tokens = 60
  }
  validate {
    every        = 2
    before_train = true
  }
  checkpoint {
    every = 2
    keep  = 2
  }
}

output "checkpoint" { value = train.quickstart.checkpoint }
