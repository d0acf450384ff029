package launch

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"time"

	"github.com/awhost/awhost/sdk/ownerfile"
)

const (
	// logInterval is how often a log is fetched at most.
	logInterval = 2 * time.Second
	// logShare bounds the time that fetching takes: one part in so many. A log comes whole each time.
	logShare = 20
)

// follower keeps a file in step with a log that can only be fetched whole. The file's size says how much of it is there
// already, so that a later life of us goes on where this one was.
type follower struct {
	mu   sync.Mutex
	next time.Time
}

// follow appends what is new, if it is time for that, or for the last time.
func (f *follower) follow(path string, last bool, fetch func() (string, error)) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	began := time.Now()
	if began.Before(f.next) && !last {
		return nil
	}
	text, err := fetch()
	f.next = time.Now().Add(max(logInterval, logShare*time.Since(began)))
	if err != nil {
		return fmt.Errorf("fetch the job's log: %w", err)
	}
	return appendRest(path, text)
}

// appendRest brings a file up to a text that it is the beginning of.
func appendRest(path, text string) (err error) {
	have := int64(0)
	info, err := os.Stat(path)
	switch {
	case err == nil:
		have = info.Size()
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("keep the job's log: %w", err)
	}
	if have == int64(len(text)) {
		return nil
	}
	if have > int64(len(text)) {
		return fmt.Errorf("keep the job's log %s: %w", path, errShorter)
	}
	file, err := ownerfile.Append(path)
	if err != nil {
		return fmt.Errorf("keep the job's log: %w", err)
	}
	_, err = file.WriteString(text[have:])
	return errors.Join(err, file.Close())
}
