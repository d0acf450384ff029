# EnvTuning as its paper has it (arXiv 2510.10197, figure of the pipeline): four stages, of which the repository's scripts have
# three. The first and the last are in the standard environment, those between in the augmented one.
#
#   awhost plan examples/envtuning/paper.hcl --var source=$PWD/bfcl_eval-2025.6.15-py3-none-any.whl
#
# The comments of train.hcl on data and knobs apply here, too. The trainer is verl, with the keys of examples/verl-bfcl. The paper
# publishes no sizes for stage four: stage three's are used.

variable "source" {
  type        = string
  description = "BFCL's data of version 3: `pip download --no-deps bfcl-eval==2025.6.15` gets the wheel"
}

variable "python" {
  type        = string
  default     = "../../.venv/bin/python"
  description = "the Python that has verl and SGLang"
}

variable "model" {
  type        = string
  default     = "Qwen/Qwen2.5-7B-Instruct"
  description = "the model to train"
}

environment "bfcl" "standard" {
  source  = var.source
  profile = "v3"
  mode    = "envtuning"
}
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

# Tasks are the same in both environments: these lists serve all stages.
dataset "environment" "format_75" {
  environment = environment.bfcl.base
  limit       = 75
}
dataset "environment" "base" { environment = environment.bfcl.base }
dataset "environment" "all" { environment = environment.bfcl.standard }
dataset "environment" "held_out" {
  environment = environment.bfcl.standard
  split       = "validation"
}

agent "react" "standard" {
  environment = environment.bfcl.standard
  max_turns   = 100
}
agent "react" "augmented" {
  environment = environment.bfcl.augmented
  max_turns   = 100
}

reward "bfcl_format" "format" {}
reward "bfcl_progress" "progress" {}
reward "bfcl_official" "valid" {}

model "hf" "policy" { path = var.model }

adapter "verl" "grpo" {
  python = var.python
  engine = "sglang"
  config = "../verl-bfcl/verl.yaml"
}

train "envtuning" {
  validation = dataset.environment.held_out
  adapter    = adapter.verl.grpo
  policy     = model.hf.policy
  success    = reward.bfcl_official.valid == 1
  epochs     = 20 # per stage

  batch {
    prompts    = 32
    group_size = 16
  }
  mini_batch { size = 512 }
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
  limits {
    prompt_tokens   = 8192
    response_tokens = 24576
  }
  validate { every = 1 }
  checkpoint { # in steps, as verl's save_freq counts
    every = 5
    unit  = "steps"
  }

  stage "format" {
    agent   = agent.react.standard
    dataset = dataset.environment.format_75
    reward  = reward.bfcl_format.format.score
    batch {
      prompts    = 16
      group_size = 16
    }
    mini_batch { size = 256 }
    limits {
      prompt_tokens   = 8192
      response_tokens = 10000
    }
  }
  stage "base" {
    agent   = agent.react.augmented
    dataset = dataset.environment.base
    reward  = reward.bfcl_progress.progress.score
    limits {
      prompt_tokens   = 8192
      response_tokens = 10000
    }
  }
  stage "all" {
    agent   = agent.react.augmented
    dataset = dataset.environment.all
    reward  = reward.bfcl_progress.progress.score
  }
  stage "standard" {
    agent   = agent.react.standard
    dataset = dataset.environment.all
    reward  = reward.bfcl_progress.progress.score
  }
}

output "checkpoint" { value = train.envtuning.checkpoint }
