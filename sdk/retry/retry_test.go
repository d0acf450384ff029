package retry_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/awhost/awhost/sdk/retry"
)

func TestAfter(t *testing.T) {
	soon := time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)
	for value, want := range map[string][2]time.Duration{
		"": {0, 0}, "soon": {0, 0}, "-1": {0, 0}, "NaN": {0, 0}, "0": {0, 0},
		"2":   {2 * time.Second, 2 * time.Second},
		"0.1": {100 * time.Millisecond, 100 * time.Millisecond},
		// The longest possible pause.
		"1e300": {1e9 * time.Second, 1e9 * time.Second}, "1e999": {1e9 * time.Second, 1e9 * time.Second},
		soon:                            {time.Minute, time.Hour},
		"Thu, 01 Jan 1970 00:00:00 GMT": {time.Millisecond, time.Millisecond},
	} {
		if got := retry.After(http.Header{"Retry-After": {value}}); got < want[0] || got > want[1] {
			t.Errorf("%q: %s, want %s to %s", value, got, want[0], want[1])
		}
	}
}

func TestPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		if err := retry.Pause(t.Context(), time.Hour); err != nil || time.Since(began) != time.Hour {
			t.Errorf("%v after %s", err, time.Since(began))
		}
		why := errors.New("no longer wanted")
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(why)
		if err := retry.Pause(ctx, time.Hour); !errors.Is(err, why) {
			t.Errorf("got %v", err)
		}
	})
}

// drip returns a byte after each pause.
type drip struct {
	ctx    context.Context
	pauses []time.Duration
}

func (d *drip) Read(p []byte) (int, error) {
	if len(d.pauses) == 0 {
		return 0, io.EOF
	}
	if err := retry.Pause(d.ctx, d.pauses[0]); err != nil {
		return 0, err
	}
	d.pauses = d.pauses[1:]
	return copy(p, "x"), nil
}

func TestWithStallTimeout(t *testing.T) {
	const s = time.Second
	refused := errors.New("refused")
	for name, test := range map[string]struct {
		pauses []time.Duration
		err    error // of the attempt itself
		want   error
	}{
		"slow, and longer than the bound together": {[]time.Duration{50 * s, 50 * s, 50 * s}, nil, nil},
		"stalled":              {[]time.Duration{50 * s, 61 * s}, nil, retry.ErrStalled},
		"refused":              {nil, refused, refused},
		"nothing ever arrives": {[]time.Duration{time.Hour}, nil, retry.ErrStalled},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				err := retry.WithStallTimeout(t.Context(), 60*s, func(ctx context.Context, watch retry.Watch) error {
					_, err := io.Copy(io.Discard, watch(&drip{ctx, test.pauses}))
					return errors.Join(err, test.err)
				})
				if !errors.Is(err, test.want) {
					t.Errorf("got %v, want %v", err, test.want)
				}
			})
		})
	}
}
