dataset "jsonl" "train" { path = "data/arithmetic.train.jsonl" }
dataset "jsonl" "held_out" { path = "data/arithmetic.test.jsonl" }
agent "react" "solver" {}
reward "math" "answer" {}
reward "format" "tags" { tags = ["think", "answer"] }
adapter "local" "laptop" {}

train "first" {
  agent      = agent.react.solver
  dataset    = dataset.jsonl.train
  validation = dataset.jsonl.held_out
  adapter    = adapter.local.laptop
  reward     = 0.9 * reward.math.answer.score + 0.1 * try(reward.format.tags.score, 0)
  success    = reward.math.answer.score == 1
  steps      = 60

  validate { every = 10 }
  stage "easy" { advance_when = validation.success_rate > 0.8 }
  stage "hard" {}
}
