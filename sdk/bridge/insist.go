package bridge

import (
	"context"
	"errors"
	"time"

	"github.com/awhost/awhost/sdk"
)

// The waits before a call is repeated that could not be carried out.
const (
	firstPause = 50 * time.Millisecond
	mostPause  = 5 * time.Second
)

// insist makes a call of the handler again until it is carried out, or ctx ends. The host, or the adapter, that cannot carry it out is
// gone, or about to go, or waits for space on its disk: what ends them is never an answer, which workers would act on for good. A later
// adapter is asked again.
func (s *Server) insist(ctx context.Context, what string, call func() error) error {
	for pause := firstPause; ; pause = min(2*pause, mostPause) {
		err := call()
		if !errors.Is(err, sdk.ErrUnavailable) || ctx.Err() != nil {
			return err
		}
		if s.waits.pass(time.Now()) {
			s.options.Logger.Warn("workers wait: what they ask for cannot be carried out at the moment", "for", what, "error", err)
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return err
		}
	}
}
