package scaffold

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// SpecFile is the spec that Spec writes.
const SpecFile = "train.hcl"

// Spec creates the directory for a working training run with the given files by their paths, which include SpecFile. It
// returns the paths. It does not replace anything, and it leaves nothing behind after a failure.
func Spec(dir string, files map[string][]byte) (paths []string, err error) {
	made, err := prepareDir(dir, "choose another name")
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, undo(dir, made))
		}
	}()
	paths = slices.Sorted(maps.Keys(files))
	for _, name := range paths {
		if err := writeFile(filepath.Join(dir, filepath.FromSlash(name)), files[name]); err != nil {
			return nil, err
		}
	}
	return paths, nil
}

// AgentFunction is the name of the function in a file that Agent writes.
const AgentFunction = "solve"

// Agent writes a Python file with an agent into a directory, which is created if necessary, and returns the file name.
// If the file exists, it is kept, and the error is fs.ErrExist.
func Agent(dir, name string) (file string, err error) {
	if !nameForm.MatchString(name) || len(name) > longestName {
		return "", fmt.Errorf("invalid agent name %q: use at most %d lowercase letters, digits, and single hyphens, "+
			"starting with a letter, as in my-solver", name, longestName)
	}
	module := strings.ReplaceAll(name, "-", "_")
	if err := checkPythonModule("an agent", module); err != nil {
		return "", err
	}
	text, err := templates.ReadFile("templates/agent.py.tmpl")
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	file = module + ".py"
	f, err := os.OpenFile(filepath.Join(dir, file), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return file, err
	}
	_, err = f.Write(text)
	return file, errors.Join(err, f.Close())
}
