model "hf" "policy" {
  path = "Qwen/Qwen2.5-7B-Instruct"
}

model "openai" "helper" {
  base_url    = "http://localhost:8000/v1"
  name        = "Qwen/Qwen2.5-72B-Instruct"
  temperature = 0.2
}
