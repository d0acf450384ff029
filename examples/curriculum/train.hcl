# A curriculum that learns on a laptop: first questions with one operation, "17+25=", then questions with two,
# "(17+25)*3=", of which the second call needs what the first one returned.
#
#   go run ./cmd/awhost apply examples/curriculum/train.hcl
#
# Trained on the second kind alone, the policy that imitation leaves solves so few questions that most groups teach
# nothing. README.md has the figures.

variable "seed" {
  type        = number
  default     = 1
  description = "all randomness comes from it"
}

variable "one_steps" {
  type        = number
  default     = 40
  description = "most steps of the stage with one operation"
}

variable "two_steps" {
  type        = number
  default     = 80
  description = "most steps of the stage with two operations"
}

variable "warm_start" {
  type        = number
  default     = 600
  description = "steps of imitation"
}

dataset "jsonl" "one" { path = "data/one.train.jsonl" }
dataset "jsonl" "one_held_out" { path = "data/one.test.jsonl" }
dataset "jsonl" "two" { path = "data/two.train.jsonl" }
dataset "jsonl" "two_held_out" { path = "data/two.test.jsonl" }
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
    dataset = dataset.jsonl.demonstrations
    steps   = var.warm_start
  }
}

train "curriculum" {
  agent   = agent.react.solver
  adapter = adapter.local.grpo
  seed    = var.seed

  batch {
    prompts    = 16
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
  limits { message_tokens = 60 }
  validate {
    every        = 5
    before_train = true
  }
  checkpoint {
    every = 5
    keep  = 3
  }

  # The reward of this stage pays for the form: a call, the right tool, the right arguments.
  stage "one" {
    dataset      = dataset.jsonl.one
    validation   = dataset.jsonl.one_held_out
    reward       = reward.calculator.shape.score
    success      = reward.calculator.shape.score == 1
    steps        = var.one_steps
    advance_when = validation.success_rate > 0.85
  }

  # That of this one pays for nothing but the answer.
  stage "two" {
    dataset      = dataset.jsonl.two
    validation   = dataset.jsonl.two_held_out
    reward       = reward.gaia.answer.score
    success      = reward.gaia.answer.score == 1
    steps        = var.two_steps
    advance_when = validation.success_rate > 0.85
  }
}

output "checkpoint" { value = train.curriculum.checkpoint }
