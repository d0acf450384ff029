package sandbox

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"syscall"
)

// MaxNames limits the number of files that are collected for a program.
const MaxNames = 1000

// ReadFile reads at most most bytes from a regular file below a root to which a program can write. Any other file, such
// as a FIFO that has replaced it, is treated as empty without waiting for its other end.
func ReadFile(root *os.Root, name string, most int64) ([]byte, error) {
	f, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0) // does not follow links out of the root
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(f, most))
}

// Remove removes a directory and everything that a program may have created in it, including directories without
// permissions. Symbolic links are removed, not followed. A missing folder is not an error.
func Remove(folder string) error {
	if err := os.RemoveAll(folder); err == nil {
		return nil
	}
	_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() {
			_ = os.Chmod(path, 0o700) // before it is read
		}
		return nil //nolint:nilerr // the removal says what is wrong
	})
	return os.RemoveAll(folder)
}

// LockFolder creates a directory for the private directories of episodes and removes what a killed process left there.
// The directory is in use until the result is closed. If another process is using it, nothing is removed.
func LockFolder(folder string, log *slog.Logger) (held *os.File, err error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	held, err = os.Open(folder)
	if err != nil {
		return nil, err
	}
	if syscall.Flock(int(held.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
		left, err := held.Readdirnames(0)
		for _, name := range left {
			err = errors.Join(err, Remove(filepath.Join(folder, name)))
		}
		if err != nil {
			log.Warn("folders of earlier episodes cannot be removed", "folder", folder, "error", err)
		}
	}
	if err := syscall.Flock(int(held.Fd()), syscall.LOCK_SH); err != nil {
		held.Close()
		return nil, fmt.Errorf("lock %s: %w", folder, err)
	}
	return held, nil
}
