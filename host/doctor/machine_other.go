//go:build unix && !linux

package doctor

import (
	"os"

	"golang.org/x/sys/unix"
)

func kernel() string { return "" }

func limitOfMemory() (limit, used uint64) { return 0, 0 }

func statDisk(path string) (disk, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(path, &s); err != nil {
		return disk{}, &os.PathError{Op: "statfs", Path: path, Err: err}
	}
	return disk{name: "file system", free: uint64(s.Bavail) * uint64(s.Bsize), total: uint64(s.Blocks) * uint64(s.Bsize)},
		nil
}

func tryLock(_, there string) error { return lockShared(there) }
