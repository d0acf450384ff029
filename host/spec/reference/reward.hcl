reward "math" "answer" {}

reward "format" "tags" {
  tags = ["think", "answer"]
}

reward "python" "mine" {
  file = "format_reward.py"
  name = "compute_score"
}
