environment "calculator" "desk" {}

agent "react" "solver" {
  system_prompt = "Use the tools. Answer in <answer></answer>."
  environment   = environment.calculator.desk
  max_turns     = 4

  checks "madness" { then = "end" }
}
