package pythonplugin

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/awhost/awhost/sdk"
	pythons "github.com/awhost/awhost/sdk/python"
)

// python is a Python program and the reason why it was selected.
type python struct {
	path string
	why  string // "python3 on PATH"
	// own reports that the user installed it. It is false for a Python interpreter that is named by the spec or found
	// next to it. validate and plan run only the user's own interpreter.
	own bool
}

// String returns the description used in diagnostics.
func (p python) String() string { return fmt.Sprintf("%s (%s)", p.path, p.why) }

// find locates the Python interpreter for a target.
func (t *target) find() (python, *sdk.Diagnostic) {
	if runtime.GOOS == "windows" {
		return python{}, about("file", "Not on Windows",
			"Python files are run over inherited pipes, which Windows does not support: run awhost in WSL.")
	}
	if t.Python != "" {
		return t.named()
	}
	if path, ok := pythons.InVenv(t.Venv); ok {
		return python{path: path, why: "the virtual environment next to the spec"}, nil
	}
	if isVenv(t.Venv) {
		return python{}, about("venv", "Virtual environment without a Python", fmt.Sprintf(
			"%s has no executable bin/python, for example because its base Python was removed: create it again, or "+
				"set python.", t.Venv))
	}
	if path, why, ok := pythons.Own(); ok {
		return python{path: path, why: why, own: true}, nil
	}
	return python{}, about("python", "No Python", "The spec's directory has no .venv, VIRTUAL_ENV is not set, and "+
		"PATH has no python3: install Python 3.8 or newer, or set python to one.")
}

// named returns the Python interpreter that the spec names.
func (t *target) named() (python, *sdk.Diagnostic) {
	info, err := os.Stat(t.Python)
	switch {
	case err != nil:
		hint := ""
		if found, lookErr := exec.LookPath(filepath.Base(t.Python)); lookErr == nil {
			hint = fmt.Sprintf(" Write the full path of a program on PATH: %s.", found)
		}
		return python{}, about("python", "No such Python", fmt.Sprintf("%s.%s", sdk.DescribeError(err), hint))
	case info.IsDir():
		hint := "Name the program"
		if path, ok := pythons.InVenv(t.Python); ok {
			hint = "Name its " + path
		}
		return python{}, about("python", "Python is a directory", fmt.Sprintf("%s is a directory. %s.", t.Python, hint))
	case info.Mode()&0o111 == 0:
		return python{}, about("python", "Python cannot be run",
			fmt.Sprintf("%s is not executable: name a Python program.", t.Python))
	}
	return python{path: t.Python, why: "set by python"}, nil
}

func isVenv(dir string) bool {
	if dir == "" {
		return false
	}
	_, err := os.Stat(filepath.Join(dir, "pyvenv.cfg"))
	return err == nil
}

func about(attribute, summary, detail string) *sdk.Diagnostic {
	return &sdk.Diagnostic{Severity: sdk.SeverityError, Summary: summary, Detail: detail, Path: []string{attribute}}
}
