package python

import (
	"os"
	"os/exec"
	"path/filepath"
)

// Own returns the user's own Python: the Python in the shell's virtual environment, or else python3 or python on PATH.
// why names the source. A plan does not start any other Python: a spec may come from a third party, and the executable
// that it names, or that is next to it, may be any program.
func Own() (path, why string, ok bool) {
	if active := os.Getenv("VIRTUAL_ENV"); active != "" {
		if path, ok := InVenv(active); ok {
			return path, "the active virtual environment, VIRTUAL_ENV", true
		}
	}
	for _, name := range []string{"python3", "python"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, name + " on PATH", true
		}
	}
	return "", "", false
}

// InVenv returns the Python in a virtual environment.
func InVenv(dir string) (string, bool) {
	if dir == "" {
		return "", false
	}
	path, err := filepath.Abs(filepath.Join(dir, "bin", "python"))
	if err != nil {
		return "", false
	}
	info, err := os.Stat(path)
	return path, err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}
