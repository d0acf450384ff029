package hub

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/awhost/awhost/sdk/retry"
)

// asked describes what a request is about, for use in messages.
type asked struct{ repo, revision, path string }

// NotFoundError reports a repository, revision or file that does not exist or is not visible to this user.
type NotFoundError struct {
	What   string // "repo", "revision" or "file"
	Reason string
}

// Error implements error.
func (e *NotFoundError) Error() string { return e.Reason }

// temporary is an error after which the same request may succeed.
type temporary struct {
	cause error
	after time.Duration // requested by the server; 0: not specified
}

// Error implements error.
func (e *temporary) Error() string { return e.cause.Error() }

// Unwrap returns the cause.
func (e *temporary) Unwrap() error { return e.cause }

// refused returns the error for an unsuccessful response. The hub describes its status in headers.
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
		reason := fmt.Sprintf("dataset %s has no revision %q on %s", what.repo, what.revision, c.Endpoint)
		return &NotFoundError{"revision", reason}
	case code == "EntryNotFound" || status == http.StatusNotFound && what.path != "":
		reason := fmt.Sprintf("dataset %s has no file %s at %s", what.repo, what.path, what.revision)
		return &NotFoundError{"file", reason}
	case code == "RepoNotFound" || status == http.StatusNotFound || status == http.StatusUnauthorized:
		return c.unknown(what, status)
	case status == http.StatusTooManyRequests || status >= 500 || status == http.StatusRequestTimeout:
		return &temporary{
			cause: fmt.Errorf("%s returned %s%s", c.Endpoint, response.Status, quote(said)),
			after: retry.After(response.Header),
		}
	}
	return fmt.Errorf("%s returned %s%s", c.Endpoint, response.Status, quote(said))
}

func (c Client) gated(what asked, said string) error {
	page := c.Endpoint + "/datasets/" + what.repo
	if c.Token == "" {
		return fmt.Errorf("dataset %s is gated%s: accept its conditions at %s, create a token with read access at "+
			"%s/settings/tokens, and set it as %s", what.repo, quote(said), page, c.Endpoint, c.variable())
	}
	return fmt.Errorf("dataset %s is gated, and the owner of the token in %s has no access%s: accept its conditions at "+
		"%s, or use another token", what.repo, c.variable(), quote(said), page)
}

// unknown returns the error for a repository that does not exist or is private: the hub does not distinguish between
// the two.
func (c Client) unknown(what asked, status int) error {
	reason := fmt.Sprintf("dataset %s does not exist on %s, or is private", what.repo, c.Endpoint)
	switch {
	case c.Token == "":
		reason += fmt.Sprintf(": correct its name, OWNER/NAME, or set %s to a token that may read it", c.variable())
	case status == http.StatusUnauthorized:
		reason += fmt.Sprintf(", and the token in %s was not accepted: correct the name, or create another token",
			c.variable())
	default:
		reason += fmt.Sprintf(" and the token in %s may not read it: correct its name, OWNER/NAME, or use another "+
			"token",
			c.variable())
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

const (
	tries      = 6
	firstPause = time.Second
	longPause  = 5 * time.Minute // maximum wait that a server may request
)

// try repeats an attempt after temporary errors, up to the maximum number of tries.
func (c Client) try(ctx context.Context, attempt func(context.Context, retry.Watch) error) error {
	for n := 1; ; n++ {
		err := c.guarded(ctx, attempt)
		var again *temporary
		switch {
		case err == nil || !errors.As(err, &again):
			return err
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case n == tries:
			return fmt.Errorf("%w: gave up after %d attempts: run `awhost init` again later to resume the download",
				err, n)
		case again.after > longPause:
			return fmt.Errorf("%w: the hub allows the next request in %s: run `awhost init` again then",
				err, again.after.Round(time.Second))
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

// guarded ends an attempt that receives no data.
func (c Client) guarded(ctx context.Context, attempt func(context.Context, retry.Watch) error) error {
	err := retry.WithStallTimeout(ctx, cmp.Or(c.Stall, time.Minute), attempt)
	if errors.Is(err, retry.ErrStalled) {
		return &temporary{cause: fmt.Errorf("%s: %w", c.Endpoint, err)}
	}
	return err
}

func (c Client) wait(ctx context.Context, pause time.Duration) error {
	if c.Wait != nil {
		return c.Wait(ctx, pause)
	}
	return retry.Pause(ctx, pause)
}
