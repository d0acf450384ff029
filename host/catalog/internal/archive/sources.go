package archive

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

	"github.com/awhost/awhost/host/internal/wholefile"
)

// Maximum size of a directory with sources. A larger directory is most likely a home directory or a data set.
const (
	maxFiles = 20_000
	maxBytes = 512 << 20
)

// Source is a file in a directory that is under development.
type Source struct {
	name       string // slashes, relative to the directory
	path       string
	executable bool
}

// List returns a directory's files in the order of their names, without files and directories for which leave is true.
// It follows links to files.
func List(dir string, leave func(name, path string, d fs.DirEntry) bool) ([]Source, error) {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, err
	}
	var files []Source
	bytes := int64(0)
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if leave(name, path, d) {
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
		files = append(files, Source{filepath.ToSlash(name), path, info.Mode()&0o100 != 0})
		return nil
	})
	return files, err
}

// Digest hashes the names and contents of files, after other lines.
func Digest(files []Source, lines ...string) (string, error) {
	h := sha256.New()
	for _, line := range lines {
		fmt.Fprintln(h, line)
	}
	for _, file := range files {
		sum, err := wholefile.Digest(file.path)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%q %t %s\n", file.name, file.executable, strings.TrimPrefix(sum, "sha256:"))
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil)), nil
}

// Copy copies files to a directory. mode is the mode of files that are not executable.
func Copy(files []Source, to string, mode fs.FileMode) error {
	for _, file := range files {
		if err := file.copy(filepath.Join(to, filepath.FromSlash(file.name)), mode); err != nil {
			return err
		}
	}
	return nil
}

func (s Source) copy(to string, mode fs.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	in, err := os.Open(s.path)
	if err != nil {
		return err
	}
	defer in.Close()
	if s.executable {
		mode |= 0o111
	}
	return Write(to, in, mode)
}

// Write creates a file, which can be executed at once.
func Write(path string, content io.Reader, mode fs.FileMode) error {
	return wholefile.WithoutForks(func() error {
		out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if err != nil {
			return err
		}
		_, err = io.Copy(out, content)
		return errors.Join(err, out.Close())
	})
}
