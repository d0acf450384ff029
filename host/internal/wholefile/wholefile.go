// Package wholefile writes files atomically, and identifies files by their contents.
//
//	err := wholefile.Write("train.hcl", ".tmp-*", 0o644, func(w io.Writer) error { … })
//	sum, err := wholefile.Digest("data.jsonl")   // "sha256:2ba4…"
//
// The package must not depend on the purpose of the files.
package wholefile

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Write atomically replaces the contents of a file. The new contents are stored under a temporary name until they are
// complete and on disk. pattern is the name's pattern, as for os.CreateTemp. If the process is killed, the file remains
// until Sweep removes it. Missing directories are created.
func Write(path, pattern string, mode fs.FileMode, write func(io.Writer) error) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := create(filepath.Dir(path), pattern)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name())
		}
	}()
	defer func() { err = errors.Join(err, f.Close()) }() // the lock is held until the file has its name
	if err := errors.Join(write(f), f.Chmod(mode), f.Sync()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// WithoutForks runs a function that writes an executable, while this process starts no children. A child started while
// the executable is open for writing inherits the descriptor, and the executable's start fails with "text file busy"
// (golang/go#22315). The function must close the file, and must not start a child.
func WithoutForks(write func() error) error {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	return write()
}

// create creates a file that is locked while it is open, so that Sweep can recognize files that are being written.
func create(dir, pattern string) (*os.File, error) {
	for {
		f, err := os.CreateTemp(dir, pattern)
		if err != nil {
			return nil, err
		}
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err != nil && !errors.Is(err, syscall.EWOULDBLOCK) {
			return f, nil // a file system without locks, where Sweep removes nothing
		}
		if _, gone := os.Lstat(f.Name()); err == nil && gone == nil {
			return f, nil
		}
		_ = f.Close() // Sweep removed the file meanwhile
	}
}

// Sweep removes temporary files left by killed writers from a directory, using the pattern that they passed to Write.
// It keeps files that are being written.
func Sweep(dir, pattern string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var problems []error
	for _, entry := range entries {
		left, err := filepath.Match(pattern, entry.Name())
		if err == nil && left && entry.Type().IsRegular() {
			err = remove(filepath.Join(dir, entry.Name()))
		}
		problems = append(problems, err)
	}
	return errors.Join(problems...)
}

// remove removes a file that is not being written.
func remove(path string) error {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		return nil // it is being written
	}
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Text returns a function for Write that writes text.
func Text(text []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	}
}

// Digest returns the SHA-256 of a regular file's content, as "sha256:" followed by hexadecimal digits.
func Digest(path string) (string, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file", path)
	}
	if err != nil {
		return "", err
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", fmt.Errorf("read %s: %w", path, err)
	}
	return "sha256:" + hex.EncodeToString(sum.Sum(nil)), nil
}
