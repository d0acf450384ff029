// Command exports lists exported names that no other package uses. deadcode finds unreachable code; this command
// finds exported code that only its own package uses.
//
//	go run ./internal/exports
//
// It exits with 1 if it finds one. It omits methods, which interfaces need; errors, which callers may need to
// distinguish; and generated files. In a public package it finds only names that no code and no example uses.
package main

import (
	"fmt"
	"os"
)

// public lists the packages with names that are only for other modules: the types of conformance.json, and the kit of
// adapters.
var public = []string{"github.com/awhost/awhost/sdk/conformance", "github.com/awhost/awhost/sdk/framework"}

func main() {
	unused, err := find(".", public, "./...")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for _, name := range unused {
		fmt.Println(name)
	}
	if len(unused) > 0 {
		fmt.Fprintln(os.Stderr, "no other package uses these, except in tests of the same package: write them in lower "+
			"case, or delete them")
		os.Exit(1)
	}
}
