# GSM8K on AReaL: questions and numbers, no environment, on one machine with eight GPUs. The settings are those of AReaL's own
# recipe for it (examples/math/gsm8k_grpo.yaml), as far as the spec has knobs for them; areal.yaml has the rest.
#
#   hf download --repo-type dataset openai/gsm8k --local-dir gsm8k
#   awhost plan  examples/areal-math/train.hcl --var data=$PWD/gsm8k
#   awhost apply examples/areal-math/train.hcl --var data=$PWD/gsm8k

variable "data" {
  type        = string
  description = "directory of the dataset openai/gsm8k"
}

variable "python" {
  type        = string
  default     = null
  description = "the Python that has AReaL 1.0.4 or 2.0; null: that of the active environment's"
}

variable "model" {
  type        = string
  default     = "Qwen/Qwen2.5-1.5B-Instruct"
  description = "the model to train: a directory, or a name on the hub"
}

variable "gpus" {
  type        = number
  default     = 8
  description = "GPUs of the machine: half of them train, half sample"
}

# The question is the prompt. The answer is a worked solution and then "#### 72": only what is behind that is kept, and only
# rewards see it.
dataset "huggingface" "train" {
  path    = var.data
  config  = "main"
  split   = "train"
  extract = { ground_truth = "#### (.*)" }
}
dataset "huggingface" "held_out" {
  path    = var.data
  config  = "main"
  split   = "test"
  extract = { ground_truth = "#### (.*)" }
}

agent "react" "solver" {
  system_prompt = "Think step by step. Then give the result as a number alone, like this: <answer>72</answer>"
}

# 1 where the answer is the same number, "1,450" and 1450.0 included.
reward "gaia" "answer" {}

model "hf" "policy" { path = var.model }

adapter "areal" "grpo" {
  python        = var.python
  gpus_per_node = var.gpus
  actor         = "fsdp:d${var.gpus / 2}"
  rollout       = "sglang:d${var.gpus / 2}"
  max_staleness = 2 # versions of the weights: the next batches are sampled while this one is trained
  max_context   = 4096
  config        = "areal.yaml"
}

train "gsm8k" {
  agent      = agent.react.solver
  dataset    = dataset.huggingface.train
  validation = dataset.huggingface.held_out
  adapter    = adapter.areal.grpo
  policy     = model.hf.policy
  reward     = reward.gaia.answer.score
  epochs     = 10
  seed       = 1

  batch {
    prompts    = 256
    group_size = 4
  }
  optimizer {
    learning_rate = 1.7e-5
    weight_decay  = 0.017
    schedule      = "constant"
    max_grad_norm = 1
  }
  algorithm "grpo" {
    clip_low = 0.4
    kl       = 0
  }
  sampling { temperature = 1.0 }
  limits { message_tokens = 1024 }
  validate {
    every   = 29 # steps: about an epoch
    best_by = "success_rate"
  }
  checkpoint { every = 29 }
  concurrency     = 1024
  episode_timeout = "10m"
}

output "checkpoint" { value = train.gsm8k.checkpoint }
