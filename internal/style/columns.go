package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

const (
	columnRule = "columns"
	maxColumns = 120
)

// wideLines finds lines longer than 120 characters that could be broken; table rows and URLs cannot.
func wideLines(root string, files []string) ([]finding, error) {
	var found []finding
	for _, path := range files {
		text, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			return nil, err
		}
		for number, line := range strings.Split(string(text), "\n") {
			if columns := utf8.RuneCountInString(line); columns > maxColumns && breakable(line) {
				found = append(found, finding{columnRule, path, number + 1, fmt.Sprintf("%d columns", columns)})
			}
		}
	}
	return found, nil
}

func breakable(line string) bool {
	return !strings.HasPrefix(strings.TrimLeft(line, " \t/*"), "|") && !strings.Contains(line, "http://") &&
		!strings.Contains(line, "https://")
}
