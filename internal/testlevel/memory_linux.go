package testlevel

import "golang.org/x/sys/unix"

const (
	memory     = "/dev/shm"
	enoughFree = 2 << 30 // bytes
)

// memoryFits reports whether programs can be executed from memory and there is enough space for the tests' directories.
func memoryFits() bool {
	var s unix.Statfs_t
	if err := unix.Statfs(memory, &s); err != nil {
		return false
	}
	return s.Flags&unix.ST_NOEXEC == 0 && s.Bavail*uint64(s.Bsize) >= enoughFree
}
