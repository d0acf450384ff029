# BFCL's multi-turn tasks on verl, in the stages of EnvTuning (arXiv 2510.10197), for one machine with eight GPUs of 80 GB.
#
#   awhost plan  examples/verl-bfcl/train.hcl --var source=$PWD/bfcl_eval-2025.6.15-py3-none-any.whl
#   awhost apply examples/verl-bfcl/train.hcl --var source=$PWD/…
#
# Stages, tasks, rewards and hyper-parameters are those of examples/envtuning/train.hcl, which explains them. What is different
# is the adapter.

variable "source" {
  type        = string
  description = "BFCL's data of version 3: `pip download --no-deps bfcl-eval==2025.6.15` gets the wheel"
}

variable "python" {
  type        = string
  default     = "../../.venv/bin/python"
  description = "the Python that has verl and SGLang or vLLM"
}

variable "model" {
  type        = string
  default     = "Qwen/Qwen2.5-7B-Instruct"
  description = "the model to train"
}

variable "engine" {
  type        = string
  default     = "vllm"
  description = "what samples: vllm or sglang"
}

variable "gpus" {
  type        = number
  default     = 8
  description = "GPUs of the machine"
}

# The environment with errors that say what to do, and the first of its four categories alone.
environment "bfcl" "augmented" {
  source  = var.source
  profile = "envtuning"
  mode    = "envtuning"
}
environment "bfcl" "base" {
  source     = var.source
  profile    = "envtuning"
  mode       = "envtuning"
  categories = ["base"]
}

dataset "environment" "format_75" {
  environment = environment.bfcl.base
  limit       = 75
}
dataset "environment" "base" { environment = environment.bfcl.base }
dataset "environment" "all" { environment = environment.bfcl.augmented }
dataset "environment" "held_out" {
  environment = environment.bfcl.augmented
  split       = "validation"
}

agent "react" "solver" {
  environment = environment.bfcl.augmented
  max_turns   = 100
}

reward "bfcl_format" "format" {}
reward "bfcl_progress" "progress" {}
reward "bfcl_official" "valid" {}

model "hf" "policy" { path = var.model }

adapter "verl" "grpo" {
  python        = var.python
  engine        = var.engine
  gpus_per_node = var.gpus

  # What has no knob: verl.yaml is written as verl's users write it, and the overrides are what depends on the machine.
  config = "verl.yaml"
  overrides = {
    "actor_rollout_ref.rollout.tensor_model_parallel_size" = min(2, var.gpus)
  }
}

train "bfcl" {
  agent      = agent.react.solver
  validation = dataset.environment.held_out
  adapter    = adapter.verl.grpo
  policy     = model.hf.policy
  success    = reward.bfcl_official.valid == 1
  epochs     = 20 # per stage
  seed       = 1

  optimizer {
    learning_rate = 1e-6
    max_grad_norm = 1
  }
  algorithm "grpo" {
    clip_low  = 0.2
    clip_high = 0.28
    kl        = 0.1
    entropy   = 0.001
  }
  validate {
    every        = 5
    before_train = true
    best_by      = "success_rate"
  }
  checkpoint { # in steps, as verl's save_freq counts. A stop waits for the next one
    every = 5
    keep  = 2
  }
  concurrency     = 256
  episode_timeout = "30m"

  stage "format" {
    dataset = dataset.environment.format_75
    reward  = reward.bfcl_format.format.score
    batch {
      prompts    = 16
      group_size = 16
    }
    limits {
      prompt_tokens   = 8192
      response_tokens = 10000
    }
  }

  stage "base" {
    dataset = dataset.environment.base
    reward  = reward.bfcl_format.format.score
    batch {
      prompts    = 32
      group_size = 16
    }
    limits {
      prompt_tokens   = 8192
      response_tokens = 10000
    }
  }

  stage "all" {
    dataset = dataset.environment.all
    reward  = reward.bfcl_progress.progress.score
    batch {
      prompts    = 32
      group_size = 16
    }
    limits { # together a context of 32,768
      prompt_tokens   = 8192
      response_tokens = 24576
    }
  }
}

output "checkpoint" { value = train.bfcl.checkpoint }
