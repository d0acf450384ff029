# Environment and reward in Python.

awhost {
  required_plugins {
    desk = { source = "./desk" }
  }
}

environment "desk" "adder" {}

agent "react" "builtin" {
  environment = environment.desk.adder
  max_turns   = 4
}

reward "python" "answer" {
  file      = "rewards.py"
  name      = "score"
  python    = var.python
  arguments = { raising = var.raising }
}

train "peers" {
  agent           = agent.react.builtin
  dataset         = dataset.jsonl.tasks
  validation      = dataset.jsonl.tasks
  adapter         = adapter.local.unused
  reward          = reward.python.answer.score
  success         = reward.python.answer.score == 1
  steps           = 1
  episode_timeout = "5m"
  limits { message_tokens = 60 }
}
