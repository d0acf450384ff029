# AWorld's GAIA set-up on eight GPUs, with AWorld's own grpo_trainer.yaml and gaia_reward_function.py as they are:
#
#   python3 -m venv .venv-aworld && .venv-aworld/bin/pip install aworld   # the reward function imports its logger
#   awhost plan --connect train.hcl --var config=grpo_trainer.yaml --var reward=gaia_reward_function.py
#   awhost apply --smoke train.hcl …  # on a CPU, before the GPUs are rented
#   awhost apply train.hcl …
#
# The questions and servers are those of questions.hcl.

variable "config" {
  type        = string
  description = "AWorld's grpo_trainer.yaml, from train/examples/train_gaia_with_aworld_verl"
}

variable "reward" {
  type        = string
  description = "AWorld's gaia_reward_function.py, from the folder reward beside it"
}

variable "model" {
  type        = string
  default     = "Qwen/Qwen3-32B"
  description = "the policy: the file names the same"
}

variable "python" {
  type        = string
  default     = ".venv-verl/bin/python"
  description = "a Python with verl"
}

variable "everything" {
  type        = list(string)
  default     = ["npx", "@modelcontextprotocol/server-everything", "stdio"]
  description = "the command of server-everything"
}

variable "mcp_python" {
  type        = string
  default     = ".venv/bin/python"
  description = "a Python with fastmcp"
}

variable "reward_python" {
  type        = string
  default     = ".venv-aworld/bin/python"
  description = "a Python with what the reward function imports; aworld requires another mcp than fastmcp"
}

variable "folder" {
  type        = string
  default     = "data/questions"
  description = "a dataset in GAIA's form, with the files that the questions are about"
}

locals {
  answer = "Write the answer alone between <answer> and </answer>: a number without its unit, or a few words."
}

environment "mcp" "desk" {
  server "everything" {
    command = var.everything
    session = "shared"
  }
  server "arithmetic" {
    command = [var.mcp_python, "servers/arithmetic.py"]
    session = "shared"
  }
  server "files" {
    command = [var.mcp_python, "servers/files.py", var.folder]
    session = "shared"
  }
  tools = ["everything/get-sum", "arithmetic", "files"]
}

agent "react" "solver" {
  environment  = environment.mcp.desk
  max_turns    = 30
  on_malformed = "tell"
}

dataset "parquet" "questions" {
  path = "${var.folder}/2023/validation/metadata.parquet"
  map  = { id = "task_id", ground_truth = "Final answer" }
  drop = ["Annotator Metadata"] # it tells the steps
  template = {
    prompt   = "{{Question}}{{#file_path}}\n\nThe file: {{file_path}}{{/file_path}}\n\n${local.answer}"
    category = "level {{Level}}"
  }
}

reward "python" "aworld" {
  file   = var.reward
  name   = "gaia_reward_func"
  python = var.reward_python
}

# It decides as AWorld's does where that is right.
reward "gaia" "answer" {}

model "hf" "policy" { path = var.model }

adapter "verl" "grpo" {
  python        = var.python
  gpus_per_node = 8
  config        = var.config
}

# What the file says is not said again: batch, limits, optimizer and sampling are its own.
train "gaia" {
  agent   = agent.react.solver
  dataset = dataset.parquet.questions
  adapter = adapter.verl.grpo
  policy  = model.hf.policy
  reward  = reward.python.aworld.score
  success = reward.gaia.answer.score == 1
  epochs  = 1

  episode_timeout = "30m"
}
