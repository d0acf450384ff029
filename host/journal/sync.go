package journal

import (
	"context"
	"errors"
	"fmt"
)

// Sync returns when all records appended before the call are durable. Callers share fsyncs: a call made during a
// running fsync waits for the next one. If ctx is done first, Sync returns its error and the fsync continues.
func (j *Journal) Sync(ctx context.Context) error {
	j.mu.Lock()
	want := j.end.Offset
	for {
		if done, err := j.synced(want); done {
			j.mu.Unlock()
			return err
		}
		if j.flight == nil {
			j.flight = make(chan struct{})
			go j.flush(j.end.Offset, j.flight)
		}
		flight := j.flight
		j.mu.Unlock()
		select {
		case <-flight:
		case <-ctx.Done():
			return fmt.Errorf("sync journal %s: %w", j.path, ctx.Err())
		}
		j.mu.Lock()
	}
}

// synced reports whether a Sync up to the given length has a result. The caller holds the lock.
func (j *Journal) synced(want int64) (bool, error) {
	if j.durable >= want {
		return true, nil
	}
	return j.err != nil, j.err
}

// flush runs one fsync for all callers that are waiting for flight. It ends when the fsync does; Close waits for it.
func (j *Journal) flush(upTo int64, flight chan struct{}) {
	err := j.file.Sync()
	j.mu.Lock()
	defer j.mu.Unlock()
	switch {
	case err == nil:
		j.durable = upTo
	case j.err == nil || errors.Is(j.err, ErrClosed):
		// After a failed fsync, the kernel may have dropped the pages, so another attempt would wrongly report success.
		j.err = fmt.Errorf("sync journal %s: %w", j.path, err)
	}
	j.flight = nil
	close(flight)
}
