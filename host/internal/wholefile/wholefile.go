// Package wholefile writes files in one step, and tells files apart by all that is in them.
//
//	err := wholefile.Write("train.hcl", ".tmp-*", 0o644, func(w io.Writer) error { … })
//	sum, err := wholefile.Digest("data.jsonl")   // "sha256:2ba4…"
//
// The package must not know what the files are for.
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
)

// Write makes a file hold what write gives, or leaves it as it is: what is written has another name until it is
// complete and on the disk. pattern is that name's, as os.CreateTemp takes it; whoever is killed leaves such a file.
// Directories that are missing are made.
func Write(path, pattern string, mode fs.FileMode, write func(io.Writer) error) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), pattern)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name())
		}
	}()
	if err := errors.Join(write(f), f.Chmod(mode), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// Text is a write for Write.
func Text(text []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	}
}

// Digest returns the SHA-256 of a regular file's content, as "sha256:" and hexadecimal digits.
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
