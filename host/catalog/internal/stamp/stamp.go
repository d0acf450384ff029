// Package stamp hashes files without reading unchanged files again.
//
//	var sums stamp.Sums
//	sum, err := sums.File(path) // reads the file
//	sum, err = sums.File(path)  // does not, unless it was modified or replaced
//
// A file is considered unchanged while its device, inode, size, mode and both times of change are the same. The kernel
// sets the time of the inode's last change (ctime), so neither `touch -d` nor restoring a backup can set it. A file
// that was changed just before it was read is read again, because file systems have coarse clocks. On systems that do
// not provide these values, every file is read each time.
//
// The package must not depend on the contents of the files.
package stamp

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

// settled is the minimum age at which a change is guaranteed to have a different time from the next change: network
// file systems count in seconds.
const settled = 3 * time.Second

// Sums caches the SHA-256 checksums of files by path. The zero value is empty, and a nil pointer caches nothing. It is
// safe for concurrent use.
type Sums struct {
	mu    sync.Mutex
	known map[string]sum
}

type sum struct {
	stamp stamp
	hex   string
}

// stamp changes whenever a file changes.
type stamp struct {
	device, inode    uint64
	size             int64
	mode             os.FileMode
	changed, written time.Time // of the inode, of the content
}

// File returns the SHA-256 checksum of a regular file in hexadecimal digits. A symbolic link causes an error, as do
// other types of files, because reading them might never end.
func (s *Sums) File(path string) (string, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return "", linked(path, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s is not a regular file", path)
	}
	now := time.Now()
	before, told := stampOf(info)
	if hex, ok := s.recall(path, before); told && ok {
		return hex, nil
	}
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	text := hex.EncodeToString(h.Sum(nil))
	if info, err = f.Stat(); err != nil {
		return "", err
	}
	if after, _ := stampOf(info); told && after == before && now.Sub(before.changed) > settled {
		s.remember(path, sum{before, text})
	}
	return text, nil
}

func (s *Sums) recall(path string, now stamp) (string, bool) {
	if s == nil {
		return "", false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	known, ok := s.known[path]
	return known.hex, ok && known.stamp == now
}

func (s *Sums) remember(path string, known sum) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known == nil {
		s.known = map[string]sum{}
	}
	s.known[path] = known
}

// linked replaces the system's error for a symbolic link, which is misleading, with one that names the link and its
// target.
func linked(path string, err error) error {
	if _, none := os.Readlink(path); none != nil {
		return err
	}
	target, none := filepath.EvalSymlinks(path)
	if none != nil {
		return fmt.Errorf("%s is a broken symbolic link: %w", path, none)
	}
	return fmt.Errorf("%s is a symbolic link, whose target may change: use the file itself, %s", path, target)
}
