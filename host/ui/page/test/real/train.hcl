# What the page is held to: a policy that is trained, and a served model that speaks after it, whose server is part of
# the test. It waits when the test wants it to, writes what a browser or a terminal would obey, and gives its tokens.

variable "steps" {
  type    = number
  default = 4
}

variable "seed" {
  type    = number
  default = 1
}

dataset "jsonl" "train" { path = "train.jsonl" }
dataset "jsonl" "held_out" { path = "held_out.jsonl" }
dataset "jsonl" "demonstrations" { path = "demos.jsonl" }

environment "calculator" "desk" {}

model "openai" "speaker" {
  base_url     = env("SPEAKER_URL")
  name         = "speaker"
  timeout      = "20m"
  tokens       = "required"
  input_price  = 3
  output_price = 15
}

agent "react" "solver" {
  environment = environment.calculator.desk
  max_turns   = 4
}

agent "react" "speaker" { model = model.openai.speaker }

swarm "workflow" "pair" { members = [agent.react.solver, agent.react.speaker] }

reward "calculator" "shape" {}
reward "gaia" "answer" {}

adapter "local" "grpo" {
  warm_start {
    dataset       = dataset.jsonl.demonstrations
    steps         = 50
    batch         = 2
    learning_rate = 5e-3
  }
}

train "watched" {
  agent           = swarm.workflow.pair
  dataset         = dataset.jsonl.train
  validation      = dataset.jsonl.held_out
  adapter         = adapter.local.grpo
  reward          = 0.75 * reward.calculator.shape.score + 0.25 * reward.gaia.answer.score
  success         = reward.calculator.shape.score == 1 && reward.gaia.answer.score == 1
  steps           = var.steps
  seed            = var.seed
  episode_timeout = "30m"

  batch {
    prompts    = 4
    group_size = 4
  }
  sampling { temperature = 0.8 }
  limits { message_tokens = 60 }
  validate {
    every        = 2
    before_train = true
  }
  checkpoint {
    every = 1
    keep  = 2
  }
}
