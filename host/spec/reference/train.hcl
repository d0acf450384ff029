dataset "jsonl" "train" { path = "data/arithmetic.train.jsonl" }
environment "calculator" "desk" {}
agent "react" "solver" { environment = environment.calculator.desk }
reward "calculator" "answer" {}
adapter "local" "laptop" {}

train "first" {
  agent   = agent.react.solver
  dataset = dataset.jsonl.train
  adapter = adapter.local.laptop
  reward  = reward.calculator.answer.score
  steps   = 60

  batch {
    prompts    = 32
    group_size = 8
  }
  optimizer { learning_rate = 1e-3 }
  checkpoint { every = 10 }
}
