// Package python is what adapters of Python frameworks have in common: the code that they put beside a run, what a
// trainer's log says, where a Python looks for packages, and which rows follow from a chat template.
package python

import (
	"embed"
	"io/fs"
	"os"
	"path/filepath"
)

// Bridge is the package awhost_bridge, which framework workers import: standard library only.
//
//go:embed awhost_bridge/*.py
var Bridge embed.FS

// Unpack writes trees of files below a folder, where every worker can read them. Compiled code is left out.
func Unpack(dir string, trees ...fs.FS) error {
	for _, tree := range trees {
		if err := unpack(dir, tree); err != nil {
			return err
		}
	}
	return nil
}

func unpack(dir string, tree fs.FS) error {
	return fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		target := filepath.Join(dir, filepath.FromSlash(name))
		switch {
		case entry.IsDir() && entry.Name() == "__pycache__":
			return fs.SkipDir
		case entry.IsDir():
			return os.MkdirAll(target, 0o755)
		}
		data, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		return os.WriteFile(target, data, 0o644)
	})
}
