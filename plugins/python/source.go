package pythonplugin

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/awhost/awhost/sdk"
)

// maxSourceBytes limits the size of a user's file, because it is sent to each process.
const maxSourceBytes = 4 << 20

// source is a user's file as it was when the plugin was configured. A replacement process receives the same contents,
// so that an edit does not affect a run in progress.
type source struct {
	path string // absolute
	text []byte
}

// read reads a target's file.
func (t *target) read() (*source, *sdk.Diagnostic) {
	path, err := filepath.Abs(t.File)
	if err != nil {
		return nil, about("file", "No such file", err.Error())
	}
	info, err := os.Stat(path)
	switch {
	case os.IsNotExist(err):
		return nil, about("file", "No such file", fmt.Sprintf("%s does not exist.%s", path, siblingFiles(path)))
	case err != nil:
		return nil, about("file", "Unreadable file", err.Error())
	case !info.Mode().IsRegular():
		return nil, about("file", "Not a file", fmt.Sprintf("%s is not a regular file: name a Python file.", path))
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, about("file", "Unreadable file", err.Error())
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxSourceBytes+1))
	switch {
	case err != nil:
		return nil, about("file", "Unreadable file", err.Error())
	case len(text) > maxSourceBytes:
		return nil, about("file", "Large file", fmt.Sprintf("%s exceeds %d MiB: name a file with code.", path,
			maxSourceBytes>>20))
	}
	return &source{path: path, text: text}, nil
}

// siblingFiles lists the Python files in the directory of a missing file.
func siblingFiles(path string) string {
	found, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*.py")) // an invalid pattern matches nothing
	if len(found) == 0 || len(found) > 10 {
		return ""
	}
	names := make([]string, len(found))
	for i, f := range found {
		names[i] = filepath.Base(f)
	}
	return " Its folder has " + strings.Join(names, ", ") + "."
}

// base returns the file's name for use in messages.
func (s *source) base() string { return filepath.Base(s.path) }
