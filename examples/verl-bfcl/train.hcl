# BFCL's multi-turn tasks on verl, in the stages of EnvTuning (arXiv 2510.10197), for one machine with eight GPUs of 80 GB.
#
#   awhost plan  examples/verl-bfcl/train.hcl --var source=$PWD/bfcl_eval-2025.6.15-py3-none-any.whl
#   awhost apply examples/verl-bfcl/train.hcl --var source=$PWD/…
#
# examples/envtuning/train.hcl explains stages, tasks and rewards. All values equal EnvTuning's scripts, unless a
# comment next to a value explains the difference.

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
  default     = "sglang"
  description = "the engine that samples: sglang or vllm"
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

  # Settings without a knob. Where the file and the spec leave validation open, verl's default applies, as in the scripts:
  # greedy.
  config = "verl.yaml"
}

train "bfcl" {
  agent      = agent.react.solver
  validation = dataset.environment.held_out
  adapter    = adapter.verl.grpo
  policy     = model.hf.policy
  success    = reward.bfcl_official.valid == 1
  seed       = 1 # verl's default is unseeded; with a seed a run can be resumed

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
    every        = 1
    before_train = true # verl's default
    best_by      = "success_rate"
  }
  checkpoint { # in steps, as verl's save_freq counts. A stop waits for the next one
    every = 5
    keep  = 2 # the scripts keep all, each with the optimizer's state
  }
  concurrency     = 512   # all episodes of a step, as in verl's own loop
  episode_timeout = "30m" # the scripts have no limit: one episode that hangs stops the training

  stage "format" {
    dataset = dataset.environment.format_75
    reward  = reward.bfcl_format.format.score
    steps   = 80 # 20 epochs of 4: verl leaves out the last 11 of 75 tasks in each
    batch {
      prompts    = 16 # less than the scripts' ppo_mini_batch_size, 32: a step is one update there, too
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
    steps   = 60 # 20 epochs of 3: 4 of 100 tasks are left out
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
    steps   = 240 # 20 epochs of 12: 16 of 400 tasks are left out
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
