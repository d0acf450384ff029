package retry

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

// ErrStalled reports that an attempt was ended because no data arrived.
var ErrStalled = errors.New("nothing arrived for a while")

// Watch wraps a reader so that the bytes read from it count as progress in an attempt.
type Watch func(io.Reader) io.Reader

// WithStallTimeout makes an attempt. Its context ends with ErrStalled if nothing has arrived for the duration stall:
// first a response, and then bytes from watched readers. The resulting error is replaced with ErrStalled.
func WithStallTimeout(ctx context.Context, stall time.Duration, attempt func(context.Context, Watch) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	timer := time.AfterFunc(stall, func() { cancel(fmt.Errorf("%w (%s)", ErrStalled, stall)) })
	defer timer.Stop()
	err := attempt(ctx, func(r io.Reader) io.Reader {
		return &progressReader{r, func() { timer.Reset(stall) }}
	})
	if err != nil && errors.Is(context.Cause(ctx), ErrStalled) {
		return context.Cause(ctx)
	}
	return err
}

// progressReader reports all bytes that arrive.
type progressReader struct {
	io.Reader
	onProgress func()
}

// Read implements io.Reader.
func (w *progressReader) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	if n > 0 {
		w.onProgress()
	}
	return n, err
}

var _ io.Reader = (*progressReader)(nil)
