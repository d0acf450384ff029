package text

import (
	"os"
	"path/filepath"
)

// Path returns a path for display: relative if it is below the working directory.
func Path(path string) string {
	here, err := os.Getwd()
	if err != nil {
		return path
	}
	if rel, err := filepath.Rel(here, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}
