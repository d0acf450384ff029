// Package download fetches a file over HTTP, completely or not at all.
//
//	err := download.Config{}.Fetch(ctx, "https://example.com/mine-1.2.0.tar.gz", file)
//
// The caller checks the type and the content of the file.
package download

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/awhost/awhost/sdk/retry"
)

// Config limits a download. The zero value uses the defaults.
type Config struct {
	Bytes int64         // maximum size; 0: 2 GiB
	Stall time.Duration // maximum time without data; 0: 60 s
}

const (
	defaultBytes = 2 << 30
	defaultStall = time.Minute
	maxRedirects = 10
)

// Fetch downloads the file at an address. It uses the proxies set in the environment (HTTPS_PROXY) and follows
// redirects, except from https to http.
func (c Config) Fetch(ctx context.Context, address string, into *os.File) error {
	if c.Bytes == 0 {
		c.Bytes = defaultBytes
	}
	if c.Stall == 0 {
		c.Stall = defaultStall
	}
	err := retry.WithStallTimeout(ctx, c.Stall, func(ctx context.Context, watch retry.Watch) error {
		return c.fetch(ctx, address, into, watch)
	})
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err // the address is added below
	}
	if err != nil {
		return fmt.Errorf("download %s: %w", address, err)
	}
	return nil
}

func (c Config) fetch(ctx context.Context, address string, into *os.File, watch retry.Watch) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DisableCompression = true // archives must not be decompressed
	defer transport.CloseIdleConnections()
	client := http.Client{Transport: transport, CheckRedirect: checkRedirect}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	switch {
	case response.StatusCode == http.StatusUnauthorized || response.StatusCode == http.StatusForbidden:
		return fmt.Errorf("the server responded with %s; awhost sends no credentials, so download the file yourself "+
			"and use it as the source", response.Status)
	case response.StatusCode != http.StatusOK:
		return fmt.Errorf("the server responded with %s", response.Status)
	case response.ContentLength > c.Bytes:
		return fmt.Errorf("it has %d bytes, but the maximum is %d", response.ContentLength, c.Bytes)
	}
	n, err := io.Copy(into, io.LimitReader(watch(response.Body), c.Bytes+1))
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("the connection ended after %d of %d bytes: %w", n, response.ContentLength, err)
	case err != nil:
		return err
	case n > c.Bytes:
		return fmt.Errorf("it has more than %d bytes", c.Bytes)
	}
	return nil
}

func checkRedirect(next *http.Request, before []*http.Request) error {
	switch {
	case len(before) >= maxRedirects:
		return fmt.Errorf("more than %d redirects", maxRedirects)
	case before[0].URL.Scheme == "https" && next.URL.Scheme != "https":
		return fmt.Errorf("the server redirects to %s, which is not https", next.URL.Redacted())
	}
	return nil
}
