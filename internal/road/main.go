// Command road tells how many files a reader has to come back to when they follow one request through a package.
//
//	go run ./internal/road ./host/rollout Engine.RunEpisode
//
// The walk goes from a function through all that it calls in its own package, in the order of the source, deeper first;
// function literals belong to the function in which they stand. Each function is read once, where it is first called.
// Calls of interfaces and of function values lead out of the package and are not followed. The figure is how often the
// next function to read stands in a file that was left before: reading on in the same file, and opening a file for the
// first time, cost nothing. Files of types, without a function on the road, do not count.
package main

import (
	"fmt"
	"os"
	"strings"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: go run ./internal/road PACKAGE FUNCTION, such as ./host/rollout Engine.RunEpisode")
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
