# The blocks of train.hcl, made so small that the embedded trainer plans and runs them: a look at how the parts fit, and a
# toy. Its policy reads bytes, begins with random weights and has a context of 1,024, so that
#
#   * the functions are not listed (system_prompt = ""); what it knows of them, it has from 24 demonstrations of ours;
#   * only the first turn of each task is played (turns = 1), and of the tasks only the first few;
#   * a stage has two steps.
#
#   awhost apply examples/envtuning/tiny.hcl --var source=$PWD/bfcl_eval-2025.6.15-py3-none-any.whl
#
# It learns nothing about BFCL, and most of its episodes are worth 0. What it shows is how messages get scores and episodes
# rewards, that stages follow one another, and what a run leaves behind.

variable "source" {
  type        = string
  description = "BFCL's data of version 3: `pip download --no-deps bfcl-eval==2025.6.15` gets the wheel"
}

variable "steps" {
  type        = number
  default     = 2
  description = "steps of each stage"
}

variable "warm_start" {
  type        = number
  default     = 120
  description = "steps of imitation"
}

environment "bfcl" "augmented" {
  source        = var.source
  profile       = "envtuning"
  mode          = "envtuning"
  categories    = ["base", "miss_func", "miss_param"]
  turns         = 1
  system_prompt = ""
}

environment "bfcl" "base" {
  source        = var.source
  profile       = "envtuning"
  mode          = "envtuning"
  categories    = ["base"]
  turns         = 1
  system_prompt = ""
}

dataset "environment" "format" {
  environment = environment.bfcl.base
  limit       = 8
}
dataset "environment" "base" {
  environment = environment.bfcl.base
  limit       = 16
}
dataset "environment" "all" { environment = environment.bfcl.augmented }
dataset "environment" "held_out" {
  environment = environment.bfcl.augmented
  split       = "validation"
  limit       = 8
}
dataset "jsonl" "demonstrations" { path = "demos.jsonl" }

agent "react" "solver" {
  environment = environment.bfcl.augmented
  max_turns   = 100
}

reward "bfcl_format" "format" {}
reward "bfcl_progress" "progress" {}
reward "bfcl_official" "valid" {}

adapter "local" "grpo" {
  context = 1024
  warm_start {
    dataset       = dataset.jsonl.demonstrations
    steps         = var.warm_start
    batch         = 6
    learning_rate = 5e-3
  }
}

train "envtuning" {
  agent      = agent.react.solver
  validation = dataset.environment.held_out
  adapter    = adapter.local.grpo
  success    = reward.bfcl_official.valid == 1
  steps      = var.steps # per stage

  batch {
    prompts    = 4
    group_size = 4
  }
  optimizer {
    learning_rate = 1e-3
    max_grad_norm = 1
  }
  algorithm "grpo" {
    clip_low  = 0.2
    clip_high = 0.28
    kl        = 0.1
    entropy   = 0.001
  }
  limits {
    message_tokens  = 150
    response_tokens = 800
  }
  validate { every = 2 }
  checkpoint {
    every = 2
    unit  = "steps"
  }

  stage "format" {
    dataset = dataset.environment.format
    reward  = reward.bfcl_format.format.score
  }
  stage "base" {
    dataset = dataset.environment.base
    reward  = reward.bfcl_format.format.score
  }
  stage "all" {
    dataset = dataset.environment.all
    reward  = reward.bfcl_progress.progress.score
  }
}

output "checkpoint" { value = train.envtuning.checkpoint }
