// Command exports lists the names that a package declares for other packages and that no other package uses. deadcode
// finds what nothing reaches; this finds what only its own package reaches, and shows to all.
//
//	go run ./internal/exports
//
// It ends with 1 when there is one. Left out are methods, which interfaces want, errors, which callers tell apart when
// they need to, generated files, and the packages whose users are in other modules: see public.
package main

import (
	"fmt"
	"os"
)

// public are the packages whose users are in other modules.
var public = []string{"github.com/awhost/awhost/sdk"}

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
		fmt.Fprintln(os.Stderr, "no other package uses these: write them in lower case, or delete them")
		os.Exit(1)
	}
}
