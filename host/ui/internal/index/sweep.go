package index

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// unusedFor is how long an index can remain unused before it is removed.
const unusedFor = 30 * 24 * time.Hour

// ownPrefix is the prefix of the names of directories that belong to one process.
const ownPrefix = "own-"

// Sweep removes from a directory of indexes those not opened for a month, and those left behind by killed viewers.
// Open ones are kept.
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
		return nil // not an index, or one that is just being created
	}
	if err != nil {
		return err
	}
	defer lock.Close()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil // it is in use
	}
	info, err := lock.Stat()
	if err != nil || !strings.HasPrefix(filepath.Base(dir), ownPrefix) && time.Since(info.ModTime()) < unusedFor {
		return err
	}
	return os.RemoveAll(dir) // the lock is still held
}
