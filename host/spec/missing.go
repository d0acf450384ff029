package spec

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/awhost/awhost/host/diag"
)

// MissingPlugins reports plugins whose sources are not there, by local name, where the spec names them.
func (s *Spec) MissingPlugins(sources map[string]error) diag.Diagnostics {
	var out diag.Diagnostics
	for _, name := range slices.Sorted(maps.Keys(sources)) {
		at := s.Required.Plugins[name].Range
		out = append(out, s.redactor().clean(diag.Diagnostic{
			Severity: diag.Error, Summary: "Missing plugin", Range: &at, Snippet: s.Sources.Snippet(at, "required_plugins"),
			Detail: fmt.Sprintf("Plugin %s: %v. A relative path starts at the directory of the spec, %s.", name, sources[name], s.Dir),
		}))
	}
	return out
}

// missingFile says that there is nothing at a path; empty: there is something, or it cannot be told.
func missingFile(dir, path string) string {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	shown := shownPath(dir, path)
	return fmt.Sprintf("There is no %s%s. A relative path starts at the directory of the spec, %s.", shown, nearbyFile(dir, filepath.FromSlash(shown)), dir)
}

// shownPath is a path as a spec would name it.
func shownPath(dir, path string) string {
	if relative, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(relative) {
		return filepath.ToSlash(relative)
	}
	return path
}
