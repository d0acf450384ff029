package retry

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

// ErrStalled says that an attempt was ended because nothing arrived.
var ErrStalled = errors.New("nothing arrived for a while")

// Watch makes a reader by whose bytes an attempt is seen to move.
type Watch func(io.Reader) io.Reader

// Moving makes an attempt, whose context ends with ErrStalled when nothing has arrived for as long as stall: an answer,
// until there is one, and then bytes of what is watched. An error that follows from that is ErrStalled.
func Moving(ctx context.Context, stall time.Duration, attempt func(context.Context, Watch) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	timer := time.AfterFunc(stall, func() { cancel(fmt.Errorf("%w (%s)", ErrStalled, stall)) })
	defer timer.Stop()
	err := attempt(ctx, func(r io.Reader) io.Reader {
		return &watched{r, func() { timer.Reset(stall) }}
	})
	if err != nil && errors.Is(context.Cause(ctx), ErrStalled) {
		return context.Cause(ctx)
	}
	return err
}

// watched tells of all bytes that arrive.
type watched struct {
	io.Reader
	alive func()
}

// Read implements io.Reader.
func (w *watched) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	if n > 0 {
		w.alive()
	}
	return n, err
}

var _ io.Reader = (*watched)(nil)
