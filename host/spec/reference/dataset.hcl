dataset "jsonl" "arithmetic" {
  path  = "data/arithmetic.train.jsonl"
  limit = 10000
}

dataset "split" "train" {
  dataset = dataset.jsonl.arithmetic
  split   = "train"
}

dataset "split" "held_out" {
  dataset = dataset.jsonl.arithmetic
  split   = "held_out"
}
