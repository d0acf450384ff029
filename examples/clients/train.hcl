# Agents that others wrote for OpenAI's or Anthropic's clients, each trained as it is but for its base URL and its key.
#
#   awhost apply examples/clients/train.hcl --var client=langgraph --var venv=.venv
#
# The tools are the agents' own: the episodes have no environment.

variable "client" {
  type        = string
  default     = "openai_chat"
  description = "which agent of the file"
}

variable "file" {
  type    = string
  default = "clients.py"
}

variable "venv" {
  type        = string
  default     = ".venv"
  description = "a virtual environment with the client; without it, the Python of the shell"
}

variable "steps" {
  type    = number
  default = 2
}

variable "imitation" {
  type        = number
  default     = 200
  description = "steps of behaviour cloning"
}

variable "prompts" {
  type    = number
  default = 4
}

variable "concurrency" {
  type    = number
  default = 16
}

dataset "jsonl" "train" { path = "../../data/arithmetic.train.jsonl" }
dataset "jsonl" "demonstrations" { path = "../../data/arithmetic.demos.jsonl" }

agent "python" "mine" {
  file      = var.file
  name      = var.client
  venv      = var.venv
  max_turns = 4
}

reward "calculator" "shape" {}

adapter "local" "grpo" {
  warm_start {
    dataset = dataset.jsonl.demonstrations
    steps   = var.imitation
  }
}

train "clients" {
  agent       = agent.python.mine
  dataset     = dataset.jsonl.train
  adapter     = adapter.local.grpo
  reward      = reward.calculator.shape.score
  success     = reward.calculator.shape.score == 1
  steps       = var.steps
  concurrency = var.concurrency

  batch {
    prompts    = var.prompts
    group_size = 4
  }
  limits { message_tokens = 60 }
}
