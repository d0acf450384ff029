// Command readingorder counts how often a reader returns to a file when following one request through a package.
//
//	go run ./internal/readingorder ./host/rollout Engine.RunEpisode
//
// The walk starts at a function and visits all functions that it calls in its own package, in source order, depth
// first. Function literals count as part of the enclosing function. Each function is visited once, at its first call.
// Calls to interface methods and function values leave the package and are not followed. The result counts how often
// the next function is in a file that was previously left. Staying in the same file and opening a file for the first
// time are free. Files without a visited function do not count.
package main

import (
	"fmt"
	"os"
	"strings"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr,
			"usage: go run ./internal/readingorder PACKAGE FUNCTION, such as ./host/rollout Engine.RunEpisode")
		os.Exit(2)
	}
	steps, err := walk(".", os.Args[1], os.Args[2])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for _, s := range steps {
		mark := ""
		if s.returns {
			mark = "  <- returns"
		}
		fmt.Printf("%-18s %s%s%s\n", s.file, strings.Repeat("  ", s.depth), s.function, mark)
	}
	fmt.Println(returns(steps), "returns to a file that was left")
}
