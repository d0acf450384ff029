package launch

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/awhost/awhost/sdk/retry"
)

const (
	firstPause = time.Second
	mostPause  = 30 * time.Second
)

// Insist calls f again, ever less often, as long as it says ErrUnreachable and the bound is not over.
func Insist(ctx context.Context, bound time.Duration, f func(context.Context) error) error {
	began, pause := time.Now(), firstPause
	for {
		err := f(ctx)
		if !errors.Is(err, ErrUnreachable) {
			return err
		}
		if left := bound - time.Since(began); left <= 0 {
			return fmt.Errorf("asked for %s: %w", bound, err)
		} else if err := retry.Pause(ctx, min(pause, left)); err != nil {
			return err
		}
		pause = nextPause(pause)
	}
}

// nextPause returns the pause after one that did not help.
func nextPause(pause time.Duration) time.Duration { return min(2*max(pause, firstPause), mostPause) }

// awaitEnd asks for the status until the job has ended, and says whether it has within the patience.
func awaitEnd(ctx context.Context, patience, interval time.Duration, status func() (Status, error)) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		s, err := status()
		if err == nil && s.State == Ended {
			return true, nil
		}
		if retry.Pause(ctx, interval) != nil {
			return false, err
		}
	}
}
