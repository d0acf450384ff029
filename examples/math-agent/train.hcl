# A math agent on eight GPUs: Qwen2.5-7B-Instruct learns GSM8K with a Python interpreter at hand, on verl. The settings
# are those of AgentJet's tutorial for it, as far as the spec has knobs for them.
#
#   awhost init train.hcl             # downloads openai/gsm8k, and pins it in awhost.lock.hcl
#   awhost plan train.hcl
#   awhost apply --smoke train.hcl    # on a CPU, before the GPUs are rented
#   awhost apply train.hcl
#
# `awhost new spec DIR --template math` writes a run with the embedded policy, for a laptop.

variable "python" {
  type        = string
  default     = ".venv-verl/bin/python"
  description = "a Python with verl"
}

variable "model" {
  type        = string
  default     = "Qwen/Qwen2.5-7B-Instruct"
  description = "the policy: a directory, or a name on the hub"
}

variable "data" {
  type        = string
  default     = null
  description = "a directory with openai/gsm8k, where it lies already"
}

variable "gpus" {
  type        = number
  default     = 8
  description = "GPUs of the machine"
}

environment "code" "python" {
  warm    = 16
  timeout = "20s"
}

agent "react" "solver" {
  environment   = environment.code.python
  system_prompt = "Solve the problem. You can run Python code to calculate or check. Write the result within \\boxed{}."
  max_turns     = 4
  on_malformed  = "tell"

  # Gibberish and broken calls get nothing, whatever the judge says of their answer.
  checks "madness" {
    reward = 0
  }
}

dataset "huggingface" "train" {
  repo   = var.data == null ? "openai/gsm8k" : null
  path   = var.data
  config = "main"
  split  = "train"
}
dataset "huggingface" "held_out" {
  repo   = var.data == null ? "openai/gsm8k" : null
  path   = var.data
  config = "main"
  split  = "test"
  limit  = 256
}

reward "math" "answer" {}

model "hf" "policy" { path = var.model }

adapter "verl" "grpo" {
  python        = var.python
  gpus_per_node = var.gpus
}

train "math-agent" {
  agent      = agent.react.solver
  dataset    = dataset.huggingface.train
  validation = dataset.huggingface.held_out
  adapter    = adapter.verl.grpo
  policy     = model.hf.policy
  reward     = reward.math.answer.score
  success    = reward.math.answer.score == 1
  epochs     = 2

  batch {
    prompts    = 96
    group_size = 4
  }
  sampling {
    temperature = 0.7
  }
  optimizer {
    learning_rate = 1e-6
  }
  limits {
    prompt_tokens   = 3000
    response_tokens = 10000
    message_tokens  = 1024
  }
  validate {
    every        = 10
    before_train = true
  }
  checkpoint {
    every = 10
    keep  = 2
  }
}
