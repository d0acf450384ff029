# A run of two seconds that is real all the same: the warm start learns two questions by heart and which tools there are,
# so that episodes call tools, some solve their task, and every step changes the weights.

variable "steps" {
  type    = number
  default = 2
  validation {
    condition     = var.steps > 0
    error_message = "steps must be positive."
  }
}

variable "seed" {
  type    = number
  default = 1
}

variable "concurrency" {
  type    = number
  default = 64
}

dataset "jsonl" "train" { path = "data/train.jsonl" }
dataset "jsonl" "held_out" { path = "data/held_out.jsonl" }
dataset "jsonl" "demonstrations" { path = "data/demos.jsonl" }

environment "calculator" "desk" {}

agent "react" "solver" {
  environment = environment.calculator.desk
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
