# Environment, agent, and reward in Go.

environment "calculator" "desk" {}

agent "react" "builtin" {
  environment = environment.calculator.desk
  max_turns   = 4
}

reward "gaia" "answer" {}

train "peers" {
  agent           = agent.react.builtin
  dataset         = dataset.jsonl.tasks
  validation      = dataset.jsonl.tasks
  adapter         = adapter.local.unused
  reward          = reward.gaia.answer.score
  success         = reward.gaia.answer.score == 1
  steps           = 1
  episode_timeout = "5m"
  limits { message_tokens = 60 }
}
