package stamp

import (
	"os"
	"syscall"
	"time"
)

func stampOf(info os.FileInfo) (stamp, bool) {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return stamp{}, false
	}
	return stamp{
		device: uint64(s.Dev), inode: s.Ino, size: info.Size(), mode: info.Mode(),
		changed: time.Unix(s.Ctim.Unix()), written: time.Unix(s.Mtim.Unix()),
	}, true
}
