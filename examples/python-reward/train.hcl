# The quick start with a reward in Python: a function in a file beside the spec, no package and no plugin.
#
#   awhost apply examples/python-reward/train.hcl
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

dataset "jsonl" "train" { path = "../../data/arithmetic.train.jsonl" }
dataset "jsonl" "held_out" { path = "../../data/arithmetic.test.jsonl" }
dataset "jsonl" "demonstrations" { path = "../../data/arithmetic.demos.jsonl" }

environment "calculator" "desk" {}

agent "react" "solver" {
  environment = environment.calculator.desk
  max_turns   = 4
}

reward "python" "mine" {
  file       = "rewards.py"
  name       = "answer_and_call"
  arguments  = { partial = 0.2 }
  components = ["acc", "called"] # what expressions below may name
}

adapter "local" "grpo" {
  warm_start {
    dataset = dataset.jsonl.demonstrations
    steps   = var.imitation
  }
}

train "python-reward" {
  agent      = agent.react.solver
  dataset    = dataset.jsonl.train
  validation = dataset.jsonl.held_out
  adapter    = adapter.local.grpo
  reward     = reward.python.mine.score
  success    = reward.python.mine.components.acc == 1 && reward.python.mine.components.called == 1
  steps      = var.steps

  validate {
    every        = 10
    before_train = true
  }
  limits { message_tokens = 60 }
}
