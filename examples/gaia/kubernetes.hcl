# The questions of questions.hcl with their servers on Kubernetes (kubernetes/environment.yaml), for any served model:
#
#   kubectl port-forward service/gaia-questions 8000 &      # or run awhost in the cluster, with --var url=…
#   export GAIA_TOKEN=$(kubectl get secret gaia-questions -o jsonpath='{.data.token}' | base64 -d)
#   awhost plan kubernetes.hcl
#   awhost eval kubernetes.hcl --base-url http://localhost:8001/v1 --model-name NAME

variable "url" {
  type        = string
  default     = "http://localhost:8000/mcp"
  description = "the service; in the cluster http://gaia-questions:8000/mcp"
}

variable "everything" {
  type        = list(string)
  default     = ["npx", "@modelcontextprotocol/server-everything", "stdio"]
  description = "the command of server-everything, which runs beside awhost"
}

variable "folder" {
  type        = string
  default     = "data/questions"
  description = "a dataset in GAIA's form: the files are where the servers are"
}

environment "mcp" "desk" {
  server "questions" {
    url            = var.url
    headers        = { Authorization = "Bearer ${env("GAIA_TOKEN")}" }
    session_header = "SESSION_ID"
    min_tools      = 8 # five for files, three for numbers
    call_timeout   = "30s"
  }
  server "everything" {
    command = var.everything
    session = "shared"
  }
  tools = ["questions", "everything/get-sum"]
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

locals {
  answer = "Write the answer alone between <answer> and </answer>: a number without its unit, or a few words."
}

reward "gaia" "answer" {}

# The embedded policy is far too small for such questions: it shows that everything fits together.
adapter "local" "grpo" {
  context = 1024
}

train "questions" {
  agent      = agent.react.solver
  dataset    = dataset.parquet.questions
  validation = dataset.parquet.questions
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
