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

// MissingPlugins reports plugins with missing sources by local name, at their entries in the spec.
func (s *Spec) MissingPlugins(sources map[string]error) diag.Diagnostics {
	var out diag.Diagnostics
	for _, name := range slices.Sorted(maps.Keys(sources)) {
		at := s.Required.Plugins[name].Range
		out = append(out, s.redactor().clean(diag.Diagnostic{
			Severity: diag.Error, Summary: "Missing plugin", Range: &at, Snippet: s.Sources.Snippet(at, "required_plugins"),
			Detail: fmt.Sprintf("Plugin %s: %v. Relative paths start at the spec's directory, %s.", name, sources[name], s.Dir),
		}))
	}
	return out
}

// missingFile describes a path that does not exist. It returns an empty string if the path exists or cannot be
// checked.
func missingFile(dir, path string) string {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	shown := shownPath(dir, path)
	return fmt.Sprintf("%s does not exist%s. Relative paths start at the spec's directory, "+
		"%s.", shown, nearbyFile(dir, filepath.FromSlash(shown)), dir)
}

// shownPath returns a path in the form used in a spec.
func shownPath(dir, path string) string {
	if relative, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(relative) {
		return filepath.ToSlash(relative)
	}
	return path
}
