# AWorld's environment for GAIA: a container with a browser, search, documents and other servers behind one port. Either
# the hosted one:
#
#   cp .env.example .env         # and write your INVITATION_CODE into it
#   awhost plan aworld.hcl --var folder=GAIA --var hosted=true
#   awhost eval aworld.hcl --var folder=GAIA --var hosted=true --base-url http://localhost:8001/v1 --model-name NAME
#
# or one that awhost starts on this machine, with Docker and the folder env of AWorld (in its repository until December
# 2025, before commit b054ba22):
#
#   awhost plan --connect aworld.hcl --var folder=GAIA --var env=AWorld/env

variable "hosted" {
  type        = bool
  default     = false
  description = "whether the environment is AWorld's playground, and not a container of this machine"
}

variable "url" {
  type        = string
  default     = "https://playground.aworldagents.com/environments/mcp"
  description = "the hosted environment, or your own gateway"
}

variable "env" {
  type        = string
  default     = "env"
  description = "AWorld's folder env, with run-local.sh"
}

variable "folder" {
  type        = string
  default     = "data/questions"
  description = "GAIA's dataset: its folder has to be the container's gaia_dataset, too"
}

locals {
  # AWorld's own list. readweb-server has no tools; what AWorld's pages call browseruse-server is browser-server.
  servers = [
    "browser-server", "documents-csv-server", "documents-docx-server", "documents-pptx-server", "documents-pdf-server",
    "documents-txt-server", "download-server", "intelligence-code-server", "intelligence-think-server",
    "intelligence-guard-server", "media-audio-server", "media-image-server", "media-video-server", "parxiv-server",
    "terminal-server", "wayback-server", "wiki-server", "googlesearch-server",
  ]
  answer = "Write the answer alone between <answer> and </answer>: a number without its unit, or a few words."
}

environment "mcp" "container" {
  start {
    command   = ["sh", "run-local.sh"]
    cwd       = var.env
    ready_log = "Start mcp server success"
    ready_url = "http://localhost:8000/health"
    stop      = ["docker", "compose", "--project-directory", "gaia-mcp-server", "down"]
    view_url  = "http://localhost:5901/vnc.html?autoconnect=true"
    timeout   = "30m" # the first time it builds the image
  }
  server "gaia" {
    url             = "http://localhost:8000/mcp"
    session_header  = "SESSION_ID"
    headers         = { MCP_SERVERS = join(",", local.servers) }
    connect_timeout = "2m"
    call_timeout    = "10m"
    idle_timeout    = "10m"
  }
}

environment "mcp" "hosted" {
  server "gaia" {
    url            = var.url
    session_header = "SESSION_ID"
    headers = {
      Authorization = "Bearer ${env("INVITATION_CODE", "")}"
      ENV_CODE      = "gaia"
      MCP_SERVERS   = join(",", local.servers)
    }
    connect_timeout = "2m"
    call_timeout    = "10m"
    idle_timeout    = "10m"
  }
}

agent "react" "solver" {
  environment  = var.hosted ? environment.mcp.hosted : environment.mcp.container
  max_turns    = 100
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

reward "gaia" "answer" {}

# The embedded policy is far too small for such questions: it shows that everything fits together. train.hcl has verl.
adapter "local" "grpo" {
  context = 1024
}

train "gaia" {
  agent      = agent.react.solver
  dataset    = dataset.parquet.questions
  validation = dataset.parquet.questions
  adapter    = adapter.local.grpo
  reward     = reward.gaia.answer.score
  success    = reward.gaia.answer.score == 1
  steps      = 1

  episode_timeout = "20m" # as AWorld's

  batch {
    prompts    = 4
    group_size = 2
  }
}
