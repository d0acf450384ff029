# Plays castles with the embedded trainer: it shows that all parts fit. Its policy is too small to learn the game.
#
#   awhost init examples/plugins/text-game/train.hcl
#   awhost apply examples/plugins/text-game/train.hcl

awhost {
  required_plugins {
    castle = { source = "." }
  }
}

environment "castle" "keep" {
  max_actions = 20
}

dataset "environment" "castles" {
  environment = environment.castle.keep
  limit       = 200 # those with three rooms
}

agent "react" "player" {
  environment = environment.castle.keep
  max_turns   = 4
}

reward "castle_treasure" "found" {}

adapter "local" "grpo" {}

train "castles" {
  agent   = agent.react.player
  dataset = dataset.environment.castles
  adapter = adapter.local.grpo
  reward  = reward.castle_treasure.found.score
  success = reward.castle_treasure.found.is_success
  steps   = 2

  limits { message_tokens = 60 }
}
