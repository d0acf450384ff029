// Package retry supports callers that repeat requests to a server: it determines how long to wait, and when to give up
// on a response that does not arrive.
//
//	err := retry.WithStallTimeout(ctx, time.Minute, func(ctx context.Context, watch retry.Watch) error {
//		response, err := client.Do(request.WithContext(ctx))
//		…
//		_, err = io.Copy(file, watch(response.Body)) // ends when nothing has arrived for a minute
//		return err
//	})
//	…
//	err = retry.Pause(ctx, max(pause, retry.After(response.Header)))
//
// Its callers decide which errors to retry, and how often.
package retry

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"
)

// Pause waits, or returns the cause if ctx is done first.
func Pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// maxSeconds limits the pause requested by a server to a value that is longer than any deadline and valid as a
// time.Duration.
const maxSeconds = 1e9

// After returns the pause that a server requests in the Retry-After header, which is a number of seconds or a date; 0
// means that it is not specified.
func After(header http.Header) time.Duration {
	value := header.Get("Retry-After")
	if seconds, err := strconv.ParseFloat(value, 64); (err == nil || errors.Is(err, strconv.ErrRange)) && seconds >= 0 {
		return time.Duration(min(seconds, maxSeconds) * float64(time.Second))
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(time.Until(at), time.Millisecond)
	}
	return 0
}
