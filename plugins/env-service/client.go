package envservice

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/retry"
)

// The calls that the service supports.
const (
	callCreate   = "create"
	callStep     = "step"
	callEvaluate = "evaluate"
	callRelease  = "release"
	callInfo     = "get_info"
	callProfile  = "get_env_profile"
)

// body is the request body of every call.
type body struct {
	EnvType    string          `json:"env_type"`
	TaskID     json.RawMessage `json:"task_id"`
	InstanceID *string         `json:"instance_id"`
	Messages   any             `json:"messages"`
	Params     json.RawMessage `json:"params"`
}

// client calls the service.
type client struct {
	config *config
	base   string // without a trailing slash
	http   *http.Client
	idle   *http.Transport
	log    *slog.Logger
}

// idleTimeout is how long an unused connection stays open; it is shorter than on servers, so that no call uses a
// connection that is about to be closed.
const idleTimeout = 2 * time.Second

func newClient(c *config, log *slog.Logger) *client {
	connections := http.DefaultTransport.(*http.Transport).Clone()
	connections.IdleConnTimeout = idleTimeout
	connections.MaxIdleConnsPerHost = 64
	return &client{
		config: c, base: strings.TrimRight(c.URL, "/"), idle: connections, log: log,
		http: &http.Client{
			Transport:     connections,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

// close closes idle connections.
func (c *client) close() { c.idle.CloseIdleConnections() }

// url returns the URL of a call.
func (c *client) url(call string) string { return c.base + "/" + call }

// limit returns the time limit for a call.
func (c *client) limit(call string) time.Duration {
	const preset = 5 * time.Minute
	switch call {
	case callStep:
		return orDefault(c.config.Step, preset)
	case callEvaluate:
		return orDefault(c.config.Evaluate, preset)
	case callRelease:
		return min(releaseLimit, orDefault(c.config.Create, preset))
	}
	return orDefault(c.config.Create, preset)
}

// connectTimeout returns the time limit for a service that is unavailable.
func (c *client) connectTimeout() time.Duration { return orDefault(c.config.Connect, 30*time.Second) }

// releaseLimit is the time limit for a release, which is short because an episode waits for it.
const releaseLimit = 30 * time.Second

const (
	minBackoff  = 250 * time.Millisecond // before a retry; doubled for each further one
	maxBackoff  = 5 * time.Second
	maxAttempts = 3 // of a call that the service answers with an error
)

// ask makes a call and returns the `data` from its response. All calls except step apply to an instance or change
// nothing, so they are retried if the service was not reached, closed the connection, or reported an internal error. A
// step is retried only if it is certain that the service did not receive it.
func (c *client) ask(ctx context.Context, call string, b body) (json.RawMessage, error) {
	text, err := json.Marshal(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", call, err)
	}
	began := time.Now()
	for try := 1; ; try++ {
		data, err := c.once(ctx, call, text)
		if err == nil || ctx.Err() != nil {
			return data, err
		}
		pause := min(minBackoff<<min(try-1, 10), maxBackoff)
		pause += rand.N(pause / 2) // so that episodes that failed together do not all retry together
		pause = max(pause, wanted(err))
		if !c.mayRetry(call, err, try, time.Since(began)+pause) {
			return nil, withAttempts(err, try)
		}
		c.log.Warn("a call is made again", "call", call, "because", err)
		if retry.Pause(ctx, pause) != nil {
			return nil, err
		}
	}
}

// wanted returns the delay that the service requests before the next call.
func wanted(err error) time.Duration {
	if of := (*callError)(nil); errors.As(err, &of) {
		return of.after
	}
	return 0
}

func withAttempts(err error, times int) error {
	if of := (*callError)(nil); times > 1 && errors.As(err, &of) {
		of.tries = times
	}
	return err
}

// mayRetry reports whether a call should be retried.
func (c *client) mayRetry(call string, err error, try int, spent time.Duration) bool {
	var of *callError
	if !errors.As(err, &of) {
		return false
	}
	patient := spent < c.connectTimeout()
	switch of.kind {
	case kindUnsent, kindBusy:
		return patient
	case kindUnavailable:
		return patient && call != callStep
	case kindFailed:
		return try < maxAttempts && call != callStep && of.status >= http.StatusInternalServerError
	}
	return false
}

// once makes a call without retries.
func (c *client) once(ctx context.Context, call string, text []byte) (json.RawMessage, error) {
	limit := c.limit(call)
	limited, cancel := context.WithTimeoutCause(ctx, limit, errLate)
	defer cancel()
	req, err := http.NewRequestWithContext(limited, http.MethodPost, c.url(call), bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "awhost/"+sdk.Version)
	for name, value := range c.config.Headers {
		req.Header.Set(name, value)
	}
	data, err := c.send(req, call)
	switch {
	case err == nil:
		return data, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(context.Cause(limited), errLate):
		return nil, c.late(ctx, call, limit)
	}
	return nil, err
}

var errLate = errors.New("it did not answer in time")

// send sends a request and reads the response.
func (c *client) send(req *http.Request, call string) (json.RawMessage, error) {
	resp, err := c.http.Do(req)
	if err != nil {
		kind := kindUnavailable
		if dialing := (*net.OpError)(nil); errors.As(err, &dialing) && dialing.Op == "dial" {
			kind = kindUnsent
		}
		return nil, c.problem(call, kind, withoutURL(err).Error())
	}
	defer resp.Body.Close()
	return c.read(call, resp)
}

// late distinguishes a slow call from a service that no longer responds.
func (c *client) late(ctx context.Context, call string, limit time.Duration) error {
	if err := c.ping(ctx); err != nil {
		return c.problem(call, kindUnavailable, fmt.Sprintf("no answer within %s, and no sign of life: %v", limit, err))
	}
	const why = "no answer within %s, of a service that is there: raise %s if it needs longer"
	return c.problem(call, kindTimeout, fmt.Sprintf(why, limit, limitName(call)))
}

func limitName(call string) string {
	switch call {
	case callStep, callEvaluate:
		return call + "_timeout"
	}
	return "create_timeout"
}

// ping sends a request for which any response is accepted.
func (c *client) ping(ctx context.Context) error {
	const patience = 10 * time.Second
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+"/", nil)
	if err != nil {
		return err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return withoutURL(err)
	}
	return resp.Body.Close()
}

// await waits until the service answers, up to connect_timeout.
func (c *client) await(ctx context.Context) error {
	began := time.Now()
	for {
		err := c.ping(ctx)
		if err == nil || ctx.Err() != nil || time.Since(began) > c.connectTimeout() {
			return err
		}
		if err := retry.Pause(ctx, minBackoff); err != nil {
			return err
		}
	}
}
