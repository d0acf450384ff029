package hub

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// asked is what a request was about, for messages.
type asked struct{ repo, revision, path string }

// NotFoundError says that there is no such repository, revision or file, as far as this user may know.
type NotFoundError struct {
	What   string // "repo", "revision" or "file"
	Reason string
}

// Error implements error.
func (e *NotFoundError) Error() string { return e.Reason }

// temporary is an error after which the same request may succeed.
type temporary struct {
	cause error
	after time.Duration // that the server asks to wait; 0: it does not say
}

// Error implements error.
func (e *temporary) Error() string { return e.cause.Error() }

// Unwrap gives the cause.
func (e *temporary) Unwrap() error { return e.cause }

// refused explains an answer that is none. The hub says in headers what its status means.
func (c Client) refused(response *http.Response, what asked) error {
	code, said := response.Header.Get("X-Error-Code"), response.Header.Get("X-Error-Message")
	if said == "" {
		text, _ := io.ReadAll(io.LimitReader(response.Body, 500)) // it only illustrates the status
		said = strings.Join(strings.Fields(string(text)), " ")
	}
	switch status := response.StatusCode; {
	case code == "GatedRepo" || status == http.StatusForbidden:
		return c.gated(what, said)
	case code == "RevisionNotFound":
		return &NotFoundError{
			"revision",
			fmt.Sprintf("dataset %s has no revision %q on %s", what.repo, what.revision, c.Endpoint),
		}
	case code == "EntryNotFound" || status == http.StatusNotFound && what.path != "":
		return &NotFoundError{
			"file",
			fmt.Sprintf("dataset %s has no file %s at %s", what.repo, what.path, what.revision),
		}
	case code == "RepoNotFound" || status == http.StatusNotFound || status == http.StatusUnauthorized:
		return c.unknown(what, status)
	case status == http.StatusTooManyRequests || status >= 500 || status == http.StatusRequestTimeout:
		return &temporary{
			cause: fmt.Errorf("%s says %s%s", c.Endpoint, response.Status, quote(said)),
			after: retryAfter(response.Header),
		}
	}
	return fmt.Errorf("%s says %s%s", c.Endpoint, response.Status, quote(said))
}

func (c Client) gated(what asked, said string) error {
	page := c.Endpoint + "/datasets/" + what.repo
	if c.Token == "" {
		return fmt.Errorf(
			"dataset %s is gated%s: accept its conditions at %s, "+
				"make a token with read access at %s/settings/tokens, and set it as %s",
			what.repo,
			quote(said),
			page,
			c.Endpoint,
			c.variable(),
		)
	}
	return fmt.Errorf(
		"dataset %s is gated, and the owner of the token in %s has no access%s: "+
			"accept its conditions at %s, or take another token",
		what.repo,
		c.variable(),
		quote(said),
		page,
	)
}

// unknown is what the hub says of repositories that are not there and of private ones alike.
func (c Client) unknown(what asked, status int) error {
	reason := fmt.Sprintf("there is no dataset %s on %s, or it is private", what.repo, c.Endpoint)
	switch {
	case c.Token == "":
		reason += fmt.Sprintf(": correct its name, OWNER/NAME, or set %s to a token that may read it", c.variable())
	case status == http.StatusUnauthorized:
		reason += fmt.Sprintf(
			", and the token in %s was not accepted: correct the name, or make another token",
			c.variable(),
		)
	default:
		reason += fmt.Sprintf(
			" and the token in %s may not read it: correct its name, OWNER/NAME, or take another token",
			c.variable(),
		)
	}
	return &NotFoundError{"repo", reason}
}

func (c Client) variable() string {
	if c.TokenEnv == "" {
		return "HF_TOKEN"
	}
	return c.TokenEnv
}

func quote(said string) string {
	if said == "" {
		return ""
	}
	return fmt.Sprintf(" (%q)", said)
}

// retryAfter reads the header of this name, in seconds or as a date.
func retryAfter(header http.Header) time.Duration {
	text := header.Get("Retry-After")
	if seconds, err := strconv.Atoi(text); err == nil && seconds > 0 {
		return time.Duration(seconds) * time.Second
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	return max(time.Until(at), 0)
}

const (
	tries      = 6
	firstPause = time.Second
	longPause  = 5 * time.Minute // longer a server may not ask to wait
)

// try repeats an attempt after temporary errors, as long as the server gets anywhere.
func (c Client) try(ctx context.Context, attempt func(ctx context.Context, alive func()) error) error {
	for n := 1; ; n++ {
		err := c.guarded(ctx, attempt)
		var again *temporary
		switch {
		case err == nil || !errors.As(err, &again):
			return err
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case n == tries:
			return fmt.Errorf(
				"%w: gave up after %d attempts: run `awhost init` again later, which goes on from here",
				err,
				n,
			)
		case again.after > longPause:
			return fmt.Errorf(
				"%w: it wants %s to pass before the next request: run `awhost init` again then",
				err,
				again.after.Round(time.Second),
			)
		}
		pause := max(firstPause<<(n-1), again.after)
		if c.Retrying != nil {
			c.Retrying(fmt.Sprintf("%s; trying again in %s", err, pause.Round(time.Second)))
		}
		if err := c.wait(ctx, pause); err != nil {
			return err
		}
	}
}

var errStalled = errors.New("nothing arrived for a while")

// guarded ends an attempt for which nothing arrives.
func (c Client) guarded(ctx context.Context, attempt func(ctx context.Context, alive func()) error) error {
	stall := c.Stall
	if stall == 0 {
		stall = time.Minute
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	timer := time.AfterFunc(stall, func() { cancel(fmt.Errorf("%w (%s)", errStalled, stall)) })
	defer timer.Stop()
	err := attempt(ctx, func() { timer.Reset(stall) })
	if err != nil && errors.Is(context.Cause(ctx), errStalled) {
		return &temporary{cause: fmt.Errorf("%s: %w", c.Endpoint, context.Cause(ctx))}
	}
	return err
}

func (c Client) wait(ctx context.Context, pause time.Duration) error {
	if c.Wait != nil {
		return c.Wait(ctx, pause)
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
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
