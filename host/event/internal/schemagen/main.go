// Command schemagen generates the description of the JSON events from the Go structs of host/event: the JSON Schema
// docs/events.schema.json and the reference in docs/reference/json-events.md. It parses the source files, so that field
// comments become the descriptions.
//
//	go generate ./host/event
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	root := flag.String("root", "../..", "the repository")
	flag.Parse()
	if err := generate(*root); err != nil {
		fmt.Fprintln(os.Stderr, "schemagen:", err)
		os.Exit(1)
	}
}

func generate(root string) error {
	files, err := Generate(root)
	if err != nil {
		return err
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(root, name), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// Generate returns the contents of the generated files, keyed by their paths relative to root.
func Generate(root string) (map[string][]byte, error) {
	events, err := parse(filepath.Join(root, "host/event"), filepath.Join(root, "sdk"))
	if err != nil {
		return nil, err
	}
	schema, err := events.schema()
	if err != nil {
		return nil, err
	}
	page, err := events.page(filepath.Join(root, pageFile))
	if err != nil {
		return nil, err
	}
	return map[string][]byte{schemaFile: schema, pageFile: page}, nil
}

const (
	schemaFile = "docs/events.schema.json"
	pageFile   = "docs/reference/json-events.md"
)
