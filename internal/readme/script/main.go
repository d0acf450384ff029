// Command script prints the commands from a page, and from all pages that follow it on its path, as a shell script.
// Each page begins with a call to the shell function page with the page's path.
//
//	go run ./internal/readme/script docs/start/install.md
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/awhost/awhost/internal/readme"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: script PAGE")
		os.Exit(2)
	}
	for path := os.Args[1]; ; {
		text, err := os.ReadFile(path)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Printf("page %s\n%s", path, readme.Script(string(text)))
		next := readme.Next(string(text))
		if next == "" {
			return
		}
		path = filepath.Join(filepath.Dir(path), next)
	}
}
