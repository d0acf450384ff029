// Command gendata writes the quick-start datasets. `go generate ./data/...` runs it.
//
// It writes three JSON Lines files, always the same bytes:
//
//	arithmetic.train.jsonl   training problems
//	arithmetic.test.jsonl    held-out problems: no pair of operands occurs in the other files
//	arithmetic.demos.jsonl   demonstrations: how to call a tool and report its result, but mostly not which tool
//
// The demonstrator picks the tool at random in 80 % of the cases, so that 40 % of the demonstrations use the right
// tool. Imitation alone cannot exceed that. A policy can improve further only through the reward.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	dir := flag.String("out", ".", "the directory to write to")
	flag.Parse()
	if err := generate(*dir); err != nil {
		fmt.Fprintln(os.Stderr, "gendata:", err)
		os.Exit(1)
	}
}

// generate writes the files to an existing directory.
func generate(dir string) error {
	for _, file := range files() {
		var content bytes.Buffer
		for _, line := range file.lines {
			content.WriteString(line)
			content.WriteByte('\n')
		}
		if err := os.WriteFile(filepath.Join(dir, file.name), content.Bytes(), 0o644); err != nil {
			return fmt.Errorf("write %s: %w", file.name, err)
		}
	}
	return nil
}
