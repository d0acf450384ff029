package dataset

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// inFile adds the file's name to an error. A *ConfigError is returned unchanged, because it concerns the configuration.
func inFile(path string, err error) error {
	var wrong *ConfigError
	if err == nil || errors.As(err, &wrong) {
		return err
	}
	return fmt.Errorf("read dataset %s: %w", path, err)
}

// openFile opens a file that contains rows after checking that it is a regular file.
func openFile(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fileError(path, err)
	}
	if info.IsDir() {
		return nil, errors.New("the path is a directory: name the file in it")
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("not a regular file, but rows are read more than once: write them to a file")
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, fileError(path, err)
	}
	if isPointer(file) {
		_ = file.Close() // read-only
		return nil, errors.New("the file is a Git LFS pointer: fetch the contents with `git lfs pull`")
	}
	return file, nil
}

// openPlain opens a file that is expected to be text.
func openPlain(path string) (*os.File, error) {
	file, err := openFile(path)
	if err != nil {
		return nil, err
	}
	if begins(file, "PAR1") {
		_ = file.Close() // read-only
		return nil, errors.New(`the file is in Parquet format: use dataset "parquet"`)
	}
	return file, nil
}

// isPointer reports whether the file is a placeholder for a file that Git LFS has not fetched.
func isPointer(file *os.File) bool { return begins(file, "version https://git-lfs.github.com/spec/") }

func begins(file *os.File, text string) bool {
	start := make([]byte, len(text))
	n, _ := file.ReadAt(start, 0) // an error will recur when the file is read
	return string(start[:n]) == text
}

// fileError describes why a file cannot be opened. If the file is missing, it lists similar ones.
func fileError(path string, err error) error {
	var reason *fs.PathError
	if errors.As(err, &reason) {
		err = reason.Err // the path is already part of the message
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	remedy := "create it, or correct the path, which is relative to the spec"
	if there := neighbours(path); there != "" {
		remedy += "; the directory contains " + there
	}
	return fmt.Errorf("%w: %s", err, remedy)
}

// neighbours lists a few files with the same extension in the directory of a missing file.
func neighbours(path string) string {
	const most = 5
	found, err := filepath.Glob(filepath.Join(escapeGlob(filepath.Dir(path)), "*"+escapeGlob(filepath.Ext(path))))
	if err != nil || len(found) == 0 {
		return ""
	}
	names := make([]string, 0, most)
	for _, f := range found[:min(most, len(found))] {
		names = append(names, filepath.Base(f))
	}
	return strings.Join(names, ", ")
}

func escapeGlob(text string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(text)
}
