// Package python contains the parts shared by adapters for Python frameworks: the code that runs alongside a run,
// diagnosis of trainer logs, Python's package paths, and the rows that result from a chat template.
package python

import (
	"embed"
	"io/fs"
	"os"
	"path/filepath"
)

// Bridge is the package awhost_bridge, which is imported by framework workers. It uses only the standard library.
//
//go:embed awhost_bridge/*.py
var Bridge embed.FS

// BridgeHF is the package awhost_bridge.hf, which needs torch and transformers.
//
//go:embed awhost_bridge/hf/*.py
var BridgeHF embed.FS

// Unpack writes file trees below a directory that every worker can read. It omits compiled code.
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
