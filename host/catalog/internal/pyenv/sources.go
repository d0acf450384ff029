package pyenv

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/awhost/awhost/host/catalog/internal/archive"
)

// list returns a package's files without tool files: build products, caches, virtual environments, and names that begin
// with a dot.
func list(dir string) ([]archive.Source, error) { return archive.List(dir, leftByTools) }

func leftByTools(name, path string, d fs.DirEntry) bool {
	base := d.Name()
	if strings.HasPrefix(base, ".") || strings.HasSuffix(base, ".pyc") {
		return true
	}
	if !d.IsDir() {
		return false
	}
	if base == "__pycache__" || strings.HasSuffix(base, ".egg-info") || name == "build" || name == "dist" {
		return true
	}
	_, err := os.Stat(filepath.Join(path, "pyvenv.cfg"))
	return err == nil
}

// sourcesDigest hashes the names and contents of a package's files, the Python interpreter, and the SDK.
func sourcesDigest(files []archive.Source, py python) (string, error) {
	sdk, err := sdkWheel()
	if err != nil {
		return "", err
	}
	return archive.Digest(files, py.identity(), sdk.Hash)
}

// copySources copies a package so that a backend can write to the copy.
func copySources(dir, to string) error {
	files, err := list(dir)
	if err != nil {
		return err
	}
	return archive.Copy(files, to, 0o644)
}
