# An agent with OpenAI's client, whose requests pass the gateway. Environment and reward in Go.

environment "calculator" "desk" {}

agent "python" "openai" {
  file        = "agents.py"
  name        = "solve"
  python      = var.python
  environment = environment.calculator.desk
}

reward "gaia" "answer" {}

train "peers" {
  agent           = agent.python.openai
  dataset         = dataset.jsonl.tasks
  validation      = dataset.jsonl.tasks
  adapter         = adapter.local.unused
  reward          = reward.gaia.answer.score
  success         = reward.gaia.answer.score == 1
  steps           = 1
  episode_timeout = "5m"
  limits { message_tokens = 60 }
}
