# The quick start on ModelScope's ms-swift (plugins/swift): the same data, environment, agent, and rewards.
#
#   awhost apply examples/swift/train.hcl --var model=/models/Qwen2.5-1.5B-Instruct
#
# On a CPU, with a tiny model, as in its test:
#
#   awhost apply examples/swift/train.hcl --var model=DIR --var device=cpu --var prompts=16 --var steps=15 \
#     --var prompt_tokens=16 --var response_tokens=80

variable "python" {
  type        = string
  default     = "../../.venv/bin/python"
  description = "the Python that has ms-swift"
}

variable "model" {
  type        = string
  description = "directory of the model, or its name where the hub can be reached"
}

variable "model_type" {
  type        = string
  default     = "qwen2"
  description = "ms-swift's name of the architecture, which it determines itself if only one fits"
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
  default     = 8
  description = "samples that are computed at once; memory bounds it"
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

dataset "jsonl" "train" { path = "../../data/arithmetic.train.jsonl" }
dataset "jsonl" "held_out" { path = "../../data/arithmetic.test.jsonl" }

environment "calculator" "desk" {}

agent "react" "solver" {
  environment = environment.calculator.desk
  max_turns   = 4
}

reward "calculator" "shape" {}
reward "gaia" "answer" {}

model "hf" "policy" { path = var.model }

adapter "swift" "grpo" {
  python   = var.python
  device   = var.device
  patience = var.patience
  config = {
    per_device_train_batch_size = var.micro_batch
    loss_type                   = ["dapo"]
    tuner_type                  = "full" # ms-swift's own default is lora
    model_type                  = var.model_type
  }
}

train "swift" {
  agent      = agent.react.solver
  dataset    = dataset.jsonl.train
  validation = dataset.jsonl.held_out
  adapter    = adapter.swift.grpo
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
  algorithm "grpo" {
    clip_low  = 0.2
    clip_high = 0.28
    kl        = 0
  }
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

output "checkpoint" { value = train.swift.checkpoint }
