package pyenv

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Maximum size of a package. A larger directory is most likely a home directory or a data set.
const (
	maxFiles = 20_000
	maxBytes = 512 << 20
)

// source is a file in a package.
type source struct {
	name       string // slashes, relative to the package
	path       string
	executable bool
}

// list returns a package's files in the order of their names, excluding tool files: build products, caches, virtual
// environments, and names that begin with a dot.
func list(dir string) ([]source, error) {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, err
	}
	var files []source
	bytes := int64(0)
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if leftByTools(name, path, d) {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if d.IsDir() {
			return nil
		}
		info, err := os.Stat(path) // follows links to files
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() {
			return fmt.Errorf("%s is neither a file nor a directory: packages with links to directories, pipes, or sockets "+
				"are not supported", path)
		}
		if bytes += info.Size(); len(files) == maxFiles || bytes > maxBytes {
			return fmt.Errorf("%s contains more than %d files or %d MiB: move data and models out of the package "+
				"directory", dir, maxFiles, maxBytes>>20)
		}
		files = append(files, source{filepath.ToSlash(name), path, info.Mode()&0o100 != 0})
		return nil
	})
	return files, err
}

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
func sourcesDigest(files []source, py python) (string, error) {
	sdk, err := sdkWheel()
	if err != nil {
		return "", err
	}
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%s\n", py.identity(), sdk.hash)
	for _, file := range files {
		sum, err := hashFile(file.path)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%q %t %s\n", file.name, file.executable, sum)
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil)), nil
}

// copySources copies a package so that a backend can write to the copy.
func copySources(dir, to string) error {
	files, err := list(dir)
	if err != nil {
		return err
	}
	for _, file := range files {
		if err := copyFile(file.path, filepath.Join(to, filepath.FromSlash(file.name)), file.executable); err != nil {
			return err
		}
	}
	return nil
}

func copyFile(from, to string, executable bool) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	return writeFile(to, in, executable)
}

// writeFile creates a file.
func writeFile(path string, text io.Reader, executable bool) error {
	mode := fs.FileMode(0o644)
	if executable {
		mode = 0o755
	}
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, text)
	return errors.Join(err, out.Close())
}

func hashFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
