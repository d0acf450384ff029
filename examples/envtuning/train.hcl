# EnvTuning (arXiv 2510.10197): its repository's three stages and hyper-parameters on the multi-turn tasks of BFCL.
#
#   awhost validate examples/envtuning/train.hcl --var source=$PWD/bfcl_eval-2025.6.15-py3-none-any.whl
#   awhost plan     examples/envtuning/train.hcl --var source=$PWD/…
#
# This is a run for eight GPUs: examples/verl-bfcl is the same on verl. Here the adapter block is `local`, the embedded trainer;
# `plan` says, knob by knob, what it cannot do, and tiny.hcl is the same with what it can do.

variable "source" {
  type        = string
  description = "BFCL's data of version 3: `pip download --no-deps bfcl-eval==2025.6.15` gets the wheel"
}

variable "model" {
  type        = string
  default     = "Qwen/Qwen2.5-7B-Instruct"
  description = "the model to train"
}

# The environment with errors that say what to do. The repository has no other one, so all three stages are in it.
environment "bfcl" "augmented" {
  source  = var.source
  profile = "envtuning"
  mode    = "envtuning"
}

# The same with the first of the four categories alone, for its tasks.
environment "bfcl" "base" {
  source     = var.source
  profile    = "envtuning"
  mode       = "envtuning"
  categories = ["base"]
}

# EnvTuning trains on half of each category and has published neither file nor ids. What stands in for its files is the
# environment's own half: drawn by split_seed (1) from the tasks' ids, the same whatever release the data are of.
#
#   train_format_75.parquet    75 tasks of the training half of base: its first
#   bfcl_train_base.parquet    the training half of base, 100 tasks
#   bfcl_train.parquet         the training halves of all four categories, 400 tasks
#   bfcl_val.parquet           the other halves, 400 tasks
#
# Who has the files reads them as they are: README.md.
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

adapter "local" "grpo" {}

train "envtuning" {
  agent      = agent.react.solver
  validation = dataset.environment.held_out
  adapter    = adapter.local.grpo
  policy     = model.hf.policy
  success    = reward.bfcl_official.valid == 1
  epochs     = 20 # per stage

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
  validate { every = 1 }
  # In steps, as verl's save_freq counts: an epoch has three to twelve steps here, and with every = 5 epochs a failure
  # could cost sixty of them.
  checkpoint {
    every = 5
    unit  = "steps"
  }

  stage "format" {
    dataset = dataset.environment.format_75
    reward  = reward.bfcl_format.format.score
    batch {
      prompts    = 16
      group_size = 16
    }
    # ppo_mini_batch_size is 32 prompts, more than the 16 of a batch: one update per step.
    mini_batch { size = 256 }
    limits {
      prompt_tokens   = 8192
      response_tokens = 10000
    }
  }

  # The paper's figure has the progress reward from here on; the repository's file has this one. paper.hcl follows the figure.
  stage "base" {
    dataset = dataset.environment.base
    reward  = reward.bfcl_format.format.score
    batch {
      prompts    = 32
      group_size = 16
    }
    mini_batch { size = 512 }
    limits {
      prompt_tokens   = 8192
      response_tokens = 10000
    }
  }

  # prompt_tokens and response_tokens together are the max_model_len of 32,768.
  stage "all" {
    dataset = dataset.environment.all
    reward  = reward.bfcl_progress.progress.score
    batch {
      prompts    = 32
      group_size = 16
    }
    mini_batch { size = 512 }
    limits {
      prompt_tokens   = 8192
      response_tokens = 24576
    }
  }
}

output "checkpoint" { value = train.envtuning.checkpoint }
