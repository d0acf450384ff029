# A workflow that was written for AgentJet, as it is.
#
#   awhost apply examples/agentjet/train.hcl --var file=workflow.py --var workflow=MathAgentWorkflow --var venv=…
#
# workflows.py has one for each form of the tuner. The Python needs agentscope==1.0.8, with 'mcp<2' and tqdm.

variable "file" {
  type    = string
  default = "workflows.py"
}

variable "workflow" {
  type        = string
  default     = "Direct"
  description = "a class of the file with execute(workflow_task, tuner)"
}

variable "venv" {
  type    = string
  default = ".venv"
}

variable "tasks" {
  type    = string
  default = "../../data/arithmetic.train.jsonl"
}

variable "demonstrations" {
  type    = string
  default = "../../data/arithmetic.demos.jsonl"
}

variable "imitation" {
  type        = number
  default     = 200
  description = "steps of behaviour cloning"
}

variable "steps" {
  type    = number
  default = 2
}

variable "prompts" {
  type    = number
  default = 4
}

variable "context" {
  type    = number
  default = 512
}

dataset "jsonl" "train" { path = var.tasks }
dataset "jsonl" "demonstrations" { path = var.demonstrations }

agent "python" "mine" {
  file = var.file
  name = var.workflow
  venv = var.venv
}

reward "math" "answer" {}

adapter "local" "grpo" {
  context = var.context
  warm_start {
    dataset = dataset.jsonl.demonstrations
    steps   = var.imitation
  }
}

# What the workflow gives as its reward counts; where it gives none, the judge does.
train "agentjet" {
  agent       = agent.python.mine
  dataset     = dataset.jsonl.train
  adapter     = adapter.local.grpo
  reward      = try(agent.python.mine.reward, reward.math.answer.score)
  success     = try(agent.python.mine.is_success, reward.math.answer.score == 1)
  steps       = var.steps
  concurrency = 8

  batch {
    prompts    = var.prompts
    group_size = 2
  }
  limits { message_tokens = 80 }
}
