// Command gendata writes the quick-start datasets. `go generate ./data/...` runs it.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/awhost/awhost/plugins/calculator/quickstart"
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
	for name, content := range quickstart.Files() {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			return fmt.Errorf("write %s: %w", name, err)
		}
	}
	return nil
}
