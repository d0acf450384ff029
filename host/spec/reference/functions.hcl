locals {
  model = env("MODEL", "Qwen/Qwen2.5-7B-Instruct")
}

model "hf" "policy" { path = local.model }

agent "react" "solver" {
  system_prompt = join("\n", ["Solve the task.", "Answer in \\boxed{}."])
}
