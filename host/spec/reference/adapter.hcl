adapter "verl" "gpus" {
  python        = ".venv/bin/python"
  nodes         = 2
  gpus_per_node = 8
  overrides     = { "actor_rollout_ref.rollout.tensor_model_parallel_size" = 2 }
}

adapter "local" "laptop" {}
