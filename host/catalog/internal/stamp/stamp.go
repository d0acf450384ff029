// Package stamp hashes files again without reading those that cannot have changed.
//
//	var sums stamp.Sums
//	sum, err := sums.File(path) // reads the file
//	sum, err = sums.File(path)  // does not, unless somebody wrote to it or replaced it
//
// A file is taken for unchanged while device, inode, size, mode and both times of change are the same. The time of the
// inode's last change (ctime) is the kernel's own: neither `touch -d` nor a restored backup can set it. A file that was
// changed just before it was read is read again, because the clock of a file system is coarse. Where the system does
// not tell these numbers every file is read each time.
//
// It must not know what the files are.
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

// settled is how old a change must be for the next one to get another time: network file systems count in seconds.
const settled = 3 * time.Second

// Sums are the SHA-256 sums of files that were read before, by their paths. The zero value knows none, and a nil
// pointer remembers none. It may be used by several goroutines.
type Sums struct {
	mu    sync.Mutex
	known map[string]sum
}

type sum struct {
	stamp stamp
	hex   string
}

// stamp changes with whatever is done to a file.
type stamp struct {
	device, inode    uint64
	size             int64
	mode             os.FileMode
	changed, written time.Time // of the inode, of the content
}

// File returns the SHA-256 of a regular file in hexadecimal digits. A symbolic link is an error, and so is whatever
// else could take for ever to read.
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

// linked says of a symbolic link, which the system calls one level too many, what it is and where it leads.
func linked(path string, err error) error {
	if _, none := os.Readlink(path); none != nil {
		return err
	}
	target, none := filepath.EvalSymlinks(path)
	if none != nil {
		return fmt.Errorf("%s is a symbolic link that leads nowhere: %w", path, none)
	}
	return fmt.Errorf("%s is a symbolic link, and where it leads may change: name the file itself, %s", path, target)
}
