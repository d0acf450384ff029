# The parts of the comparison that all of awhost's variants share. The spec is only evaluated, never trained.

variable "base_url" { type = string }

variable "python" {
  type        = string
  description = "interpreter of the agent and the reward in Python"
}

variable "raising" {
  type        = bool
  default     = false
  description = "the reward in Python raises an exception for each twentieth task"
}

dataset "jsonl" "tasks" { path = "tasks.jsonl" }

model "openai" "fake" {
  base_url = var.base_url
  name     = "fake"
}

adapter "local" "unused" {}
