package index

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// unusedFor is how long an index is kept that nobody opens.
const unusedFor = 30 * 24 * time.Hour

// ownPrefix begins the names of folders that go with their process.
const ownPrefix = "own-"

// Sweep removes from a folder of indexes those that nobody has opened for a month, and those that viewers left behind
// which were killed. One that is open stays.
func Sweep(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	var errs []error
	for _, entry := range entries {
		if entry.IsDir() {
			errs = append(errs, sweepOne(filepath.Join(dir, entry.Name())))
		}
	}
	return errors.Join(append(errs, err)...)
}

func sweepOne(dir string) error {
	path := filepath.Join(dir, lockFile)
	lock, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil // no index of ours, or one that is just being made
	}
	if err != nil {
		return err
	}
	defer lock.Close()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil // it is open
	}
	info, err := lock.Stat()
	if err != nil || !strings.HasPrefix(filepath.Base(dir), ownPrefix) && time.Since(info.ModTime()) < unusedFor {
		return err
	}
	return os.RemoveAll(dir) // while the lock is held
}
