agent "react" "leader" {}
agent "react" "researcher" {
  description = "Researches one question."
}

swarm "team" "office" {
  members   = [agent.react.leader, agent.react.researcher]
  max_turns = 20
}
