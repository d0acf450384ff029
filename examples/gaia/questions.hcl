# Forty questions in the form of GAIA, which take files, tables, pages and arithmetic, for any served model:
#
#   npm install @modelcontextprotocol/server-everything@2026.8.31
#   python3 -m venv .venv && .venv/bin/pip install fastmcp==4.1.0
#   awhost eval questions.hcl --base-url http://localhost:8000/v1 --model-name NAME
#
# A copy of GAIA's repository has the same layout: --var folder=GAIA asks its questions.

variable "everything" {
  type        = list(string)
  default     = ["npx", "@modelcontextprotocol/server-everything", "stdio"]
  description = "the command of server-everything"
}

variable "python" {
  type        = string
  default     = ".venv/bin/python"
  description = "a Python with fastmcp"
}

variable "folder" {
  type        = string
  default     = "data/questions"
  description = "a dataset in GAIA's form, with the files that the questions are about"
}

variable "form" {
  type        = string
  default     = "parquet"
  description = "which of the dataset's two forms is read: parquet or jsonl"
  validation {
    condition     = contains(["parquet", "jsonl"], var.form)
    error_message = "GAIA has the forms parquet and jsonl."
  }
}

variable "files" {
  type        = bool
  default     = true
  description = "whether the model may use the tools that read files"
}

locals {
  split = "2023/validation"
  # The form that is not read is that of our own questions: not every copy of GAIA has both.
  path   = { for form in ["parquet", "jsonl"] : form => form == var.form ? var.folder : "data/questions" }
  fields = { id = "task_id", ground_truth = "Final answer" }
  answer = "Write the answer alone between <answer> and </answer>: a number without its unit, or a few words."
}

environment "mcp" "desk" {
  server "everything" {
    command = var.everything
    session = "shared"
  }
  server "arithmetic" {
    command = [var.python, "servers/arithmetic.py"]
    session = "shared"
  }
  server "files" {
    command = [var.python, "servers/files.py", var.folder]
    session = "shared"
  }
  tools = concat(["everything/get-sum", "arithmetic"], var.files ? ["files"] : [])
}

agent "react" "solver" {
  environment  = environment.mcp.desk
  max_turns    = 30
  on_malformed = "tell"
}

# GAIA's Parquet files name the path of an attachment, from the top of the folder.
dataset "parquet" "questions" {
  path = "${local.path.parquet}/${local.split}/metadata.parquet"
  map  = local.fields
  drop = ["Annotator Metadata"] # it tells the steps
  template = {
    prompt   = "{{Question}}{{#file_path}}\n\nThe file: {{file_path}}{{/file_path}}\n\n${local.answer}"
    category = "level {{Level}}"
  }
}

# The older JSON lines have its name alone.
dataset "jsonl" "questions" {
  path = "${local.path.jsonl}/${local.split}/metadata.jsonl"
  map  = local.fields
  drop = ["Annotator Metadata"]
  template = {
    prompt   = "{{Question}}{{#file_name}}\n\nThe file: ${local.split}/{{file_name}}{{/file_name}}\n\n${local.answer}"
    category = "level {{Level}}"
  }
}

reward "gaia" "answer" {}

# The embedded policy is far too small for such questions: it shows that everything fits together.
adapter "local" "grpo" {
  context = 1024
}

train "questions" {
  agent      = agent.react.solver
  dataset    = var.form == "parquet" ? dataset.parquet.questions : dataset.jsonl.questions
  validation = var.form == "parquet" ? dataset.parquet.questions : dataset.jsonl.questions
  adapter    = adapter.local.grpo
  reward     = reward.gaia.answer.score
  success    = reward.gaia.answer.score == 1
  steps      = 1

  episode_timeout = "10m"

  batch {
    prompts    = 4
    group_size = 2
  }
}
