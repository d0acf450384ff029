// Package data holds the quick-start datasets, which are small enough to read.
//
//	arithmetic.train.jsonl   {"id":"add-17-25","prompt":"17+25=","ground_truth":"42"}
//	arithmetic.test.jsonl    the same, with operands that the other files never show
//	arithmetic.demos.jsonl   conversations that show how to call a tool, with a tool picked mostly at random
//
// The files are generated; change plugins/calculator/quickstart and run `go generate ./data/...`. There is no
// code in this package.
package data

//go:generate go run ../plugins/calculator/internal/gendata -out .
