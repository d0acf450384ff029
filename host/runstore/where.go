package runstore

import (
	"os"
	"path/filepath"
	"strings"
)

// WhereFlag returns the flag with which a command started here finds the runs next to a run directory, such as " --dir
// ../x". It returns an empty string if they are in the current directory.
func WhereFlag(runDir string) string {
	spec := filepath.Dir(filepath.Dir(filepath.Dir(runDir))) // .awhost/runs/NAME
	here, err := os.Getwd()
	if err != nil {
		return " --dir " + ShellWord(spec)
	}
	real, err := filepath.EvalSymlinks(spec)
	if spec == here || err == nil && real == here {
		return ""
	}
	if rel, err := filepath.Rel(here, spec); err == nil && filepath.IsLocal(rel) {
		spec = rel
	}
	return " --dir " + ShellWord(spec)
}

// ShellWord quotes a word if a shell would interpret it.
func ShellWord(word string) string {
	if !strings.ContainsAny(word, " \t\n\"'\\$`&;|<>()*?[]#~!{}") {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
