package bridge

import (
	"context"
	"errors"
	"time"

	"github.com/awhost/awhost/sdk"
)

// The pauses before a call to an unavailable handler is repeated.
const (
	firstPause = 50 * time.Millisecond
	maxPause   = 5 * time.Second
)

// retryUnavailable repeats a call of the handler until it succeeds, fails otherwise, or ctx ends. A host or adapter
// that is unavailable is gone, or about to go, or waits for disk space. Workers must not get this as an answer, because
// they would act on it permanently. A later adapter is asked again.
func (s *Server) retryUnavailable(ctx context.Context, what string, call func() error) error {
	for pause := firstPause; ; pause = min(2*pause, maxPause) {
		err := call()
		if !errors.Is(err, sdk.ErrUnavailable) || ctx.Err() != nil {
			return err
		}
		if s.waitLog.allow(time.Now()) {
			s.options.Logger.Warn("workers are waiting: their requests cannot be served at the "+
				"moment", "for", what, "error", err)
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return err
		}
	}
}
