package process

import (
	"io"
	"os"
	"time"
)

const followInterval = 50 * time.Millisecond

// follower reads a file that grows, which is the log that a detachable process writes itself. It stops at the end of
// the file once stop has been closed.
type follower struct {
	file  *os.File
	stop  <-chan struct{}
	ended bool
}

// follow opens path at its current end of file.
func follow(path string, stop <-chan struct{}) (*follower, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if _, err := f.Seek(0, io.SeekEnd); err != nil {
		f.Close()
		return nil, err
	}
	return &follower{file: f, stop: stop}, nil
}

// Read implements io.Reader. It waits for more data at the end of the file.
func (f *follower) Read(p []byte) (int, error) {
	for {
		n, err := f.file.Read(p)
		if n > 0 || err != io.EOF || f.ended {
			return n, err
		}
		f.wait()
	}
}

func (f *follower) wait() {
	timer := time.NewTimer(followInterval)
	defer timer.Stop()
	select {
	case <-f.stop:
		f.ended = true // data written before the stop is still read
	case <-timer.C:
	}
}

// Close implements io.Closer.
func (f *follower) Close() error { return f.file.Close() }

var _ io.ReadCloser = (*follower)(nil)
