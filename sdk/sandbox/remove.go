package sandbox

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// MostNames bounds the files that a program can have collected.
const MostNames = 1000

// ReadFile reads at most most bytes of a regular file below a root that a program could write. Anything else, such as a
// FIFO that has replaced the file, is read as empty, without waiting for its other end.
func ReadFile(root *os.Root, name string, most int64) ([]byte, error) {
	f, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0) // follows no link out of the root
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(f, most))
}

// Remove removes a folder with all that a program may have made of it: folders without permissions, too. Links are
// removed and not followed. A folder that is not there is no error.
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
