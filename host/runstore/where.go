package runstore

import (
	"os"
	"path/filepath"
	"strings"
)

// WhereFlag is the --dir with which a command that is started here finds the runs beside a run directory: " --dir ../x",
// or nothing where they are those of the current directory.
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

// ShellWord quotes a word that a shell would take apart.
func ShellWord(word string) string {
	if !strings.ContainsAny(word, " \t\n\"'\\$`&;|<>()*?[]#~!{}") {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
