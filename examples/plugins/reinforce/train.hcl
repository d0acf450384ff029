# The quick start with a training loop in plain PyTorch: the same data, environment, agent, and rewards.
#
#   awhost init examples/plugins/reinforce/train.hcl
#   awhost apply examples/plugins/reinforce/train.hcl --var model=/models/Qwen2.5-1.5B-Instruct
#
# On a CPU, with a tiny model, as in its test:
#
#   awhost apply examples/plugins/reinforce/train.hcl --var model=DIR --var device=cpu --var prompts=16 --var steps=15 \
#     --var prompt_tokens=16 --var response_tokens=80

awhost {
  required_plugins {
    reinforce = { source = "." } # this directory: a Python package
  }
}

variable "python" {
  type        = string
  default     = "../../../.venv/bin/python"
  description = "the Python that has torch, transformers, and accelerate"
}

variable "model" {
  type        = string
  description = "directory of the model, or its name where the hub can be reached"
}

variable "device" {
  type        = string
  default     = "gpu"
  description = "gpu, or cpu for a tiny model"
}

variable "prompts" {
  type        = number
  default     = 32
  description = "groups per step"
}

variable "steps" {
  type        = number
  default     = 60
  description = "optimizer steps"
}

variable "prompt_tokens" {
  type        = number
  default     = 1024
  description = "room for the question and the schemas of the tools"
}

variable "response_tokens" {
  type        = number
  default     = 512
  description = "room for an episode's answers and tool results"
}

variable "micro_batch" {
  type        = number
  default     = 32
  description = "rows that are computed at once; memory limits it"
}

variable "patience" {
  type        = string
  default     = "1s"
  description = "how long a forward pass waits for episodes that may still ask"
}

variable "checkpoints" {
  type        = number
  default     = 5
  description = "steps from one checkpoint to the next"
}

dataset "jsonl" "train" { path = "../../../data/arithmetic.train.jsonl" }
dataset "jsonl" "held_out" { path = "../../../data/arithmetic.test.jsonl" }

environment "calculator" "desk" {}

agent "react" "solver" {
  environment = environment.calculator.desk
  max_turns   = 4
}

reward "calculator" "shape" {}
reward "gaia" "answer" {}

model "hf" "policy" { path = var.model }

adapter "reinforce" "grpo" {
  python   = var.python
  device   = var.device
  patience = var.patience
  rows     = var.micro_batch
}

train "reinforce" {
  agent      = agent.react.solver
  dataset    = dataset.jsonl.train
  validation = dataset.jsonl.held_out
  adapter    = adapter.reinforce.grpo
  policy     = model.hf.policy
  reward     = reward.calculator.shape.score
  success    = reward.calculator.shape.score == 1 && reward.gaia.answer.score == 1
  steps      = var.steps
  seed       = 1

  batch {
    prompts    = var.prompts
    group_size = 8
  }
  optimizer {
    learning_rate = 1e-3
    schedule      = "linear"
    warmup_steps  = 5
    weight_decay  = 0
  }
  algorithm "grpo" {}
  sampling { temperature = 1.0 }
  limits {
    prompt_tokens   = var.prompt_tokens
    response_tokens = var.response_tokens
    message_tokens  = 60
    overlong        = "score"
  }
  validate {
    every        = 15
    before_train = true
    best_by      = "success_rate"
  }
  checkpoint {
    every = var.checkpoints
    keep  = 3
  }
  concurrency     = 128
  episode_timeout = "5m"
}

output "checkpoint" { value = train.reinforce.checkpoint }
