package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	openaiapi "github.com/sashabaranov/go-openai"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/retry"
)

// maxAnswerBytes limits the size of a response; a message is far shorter.
const maxAnswerBytes = 64 << 20

// The pauses between retries if the server does not specify one.
const (
	firstPause = 500 * time.Millisecond
	maxPause   = 8 * time.Second
)

// statusError is a response with an error status code.
type statusError struct {
	status     int
	message    string
	code       string // the server's own code
	header     http.Header
	retryAfter time.Duration // 0: not specified
}

// Error implements error.
func (e *statusError) Error() string {
	return fmt.Sprintf("the server answered %d %s: %s", e.status, http.StatusText(e.status), e.message)
}

// complete requests a completion and retries if the request was not served.
func (e *Endpoint) complete(ctx context.Context, body []byte) (*completion, error) {
	for attempt := 0; ; attempt++ {
		answer, err := e.post(ctx, body)
		if err == nil {
			return answer, nil
		}
		if renamed := e.withOtherLengthField(body, err); renamed != nil {
			body = renamed
			attempt-- // it is another request; the server refused the first because of its form
			continue
		}
		pause, again := retryPause(err, attempt)
		if !again || attempt >= e.config.MaxRetries || !fitsDeadline(ctx, pause) {
			return nil, givenUp(ctx, err, attempt, again, pause)
		}
		e.retries.Add(1)
		if e.config.Wait(ctx, pause) != nil {
			return nil, err
		}
	}
}

// givenUp adds to an error the number of attempts and the pause that would exceed the deadline.
func givenUp(ctx context.Context, err error, attempt int, again bool, pause time.Duration) error {
	if attempt > 0 {
		err = fmt.Errorf("%w (sent %d times)", err, attempt+1)
	}
	if again && ctx.Err() == nil && !fitsDeadline(ctx, pause) {
		deadline, _ := ctx.Deadline()
		left := time.Until(deadline).Round(time.Second)
		return fmt.Errorf("%w: the next attempt is due in %s, but the message has only %s left; "+
			"timeout and episode_timeout limit its time", err, pause, left)
	}
	return err
}

// post sends one request.
func (e *Endpoint) post(ctx context.Context, body []byte) (*completion, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "awhost/"+sdk.Version)
	if e.config.APIKey != "" {
		req.Header.Set("Authorization", "Bearer "+e.config.APIKey)
	}
	for name, value := range e.config.Headers {
		req.Header.Set(name, value)
	}
	resp, err := e.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswerBytes+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("the response was interrupted: %w", err)
	case len(text) > maxAnswerBytes:
		return nil, fmt.Errorf("the response exceeds %d MiB", maxAnswerBytes>>20)
	case resp.StatusCode != http.StatusOK:
		return nil, parseStatusError(resp, text)
	}
	var out completion
	if err := json.Unmarshal(text, &out); err != nil {
		return nil, fmt.Errorf("the response is not a chat completion: %w: %s", err, excerpt(text))
	}
	if out.Error != nil {
		return nil, &statusError{status: http.StatusOK, message: out.Error.Message, code: fmt.Sprint(out.Error.Code)}
	}
	return &out, nil
}

// parseStatusError converts a response with a status other than 200.
func parseStatusError(resp *http.Response, text []byte) error {
	out := &statusError{
		status: resp.StatusCode, header: resp.Header, message: excerpt(text), retryAfter: retry.After(resp.Header),
	}
	var wrapped openaiapi.ErrorResponse
	if json.Unmarshal(text, &wrapped) == nil && wrapped.Error != nil && wrapped.Error.Message != "" {
		out.message = wrapped.Error.Message
		if wrapped.Error.Code != nil {
			out.code = fmt.Sprint(wrapped.Error.Code)
		}
	}
	if target := resp.Header.Get("Location"); target != "" {
		out.message = "it redirects to " + target + ": set base_url to the address that responds without a redirect"
	}
	return out
}

// excerpt returns the beginning of a text on one line.
func excerpt(text []byte) string {
	const most = 300
	line := strings.Join(strings.Fields(string(text)), " ")
	if len(line) > most {
		line = strings.ToValidUTF8(line[:most], "") + "…"
	}
	if line == "" {
		return "(empty response)"
	}
	return line
}

// retryPause reports whether a request definitely received no response, so that it can be sent again, and how long to
// pause first.
func retryPause(err error, attempt int) (pause time.Duration, again bool) {
	pause = min(firstPause<<min(attempt, 10), maxPause)
	var status *statusError
	if !errors.As(err, &status) {
		return pause, notDelivered(err)
	}
	if status.retryAfter > 0 {
		pause = status.retryAfter
	}
	switch status.header.Get("X-Should-Retry") {
	case "false":
		return 0, false
	case "true":
		return pause, true
	}
	if status.status == http.StatusTooManyRequests {
		return pause, status.code != insufficientQuota // waiting does not pay a bill
	}
	return pause, status.status >= http.StatusInternalServerError
}

// insufficientQuota is the error code for a customer who has to pay first.
const insufficientQuota = "insufficient_quota"

// notDelivered reports whether a request did not reach the server.
func notDelivered(err error) bool {
	var dialing *net.OpError
	return errors.As(err, &dialing) && dialing.Op == "dial"
}

// fitsDeadline reports whether the deadline leaves enough time for a pause followed by a request.
func fitsDeadline(ctx context.Context, pause time.Duration) bool {
	deadline, ok := ctx.Deadline()
	return ctx.Err() == nil && (!ok || time.Until(deadline) > pause)
}

// withOtherLengthField returns the request with the other name for the length limit if the server rejects the first
// name, or nil.
func (e *Endpoint) withOtherLengthField(body []byte, err error) []byte {
	var status *statusError
	if !errors.As(err, &status) || status.status != http.StatusBadRequest ||
		!strings.Contains(status.message, "max_completion_tokens") {
		return nil
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(body, &members) != nil || members["max_tokens"] == nil {
		return nil
	}
	e.completion.Store(true)
	members["max_completion_tokens"] = members["max_tokens"]
	delete(members, "max_tokens")
	renamed, err := json.Marshal(members)
	if err != nil {
		return nil
	}
	return renamed
}

// protocolError converts an error to one defined by the protocol. If the caller's context is done, its error is
// returned unchanged.
func (e *Endpoint) protocolError(ctx context.Context, err error) error {
	kind := sdk.GenerateEngine
	var status *statusError
	switch {
	case errors.Is(context.Cause(ctx), context.Canceled):
		return context.Cause(ctx)
	case errors.As(err, &status) && status.full():
		kind = sdk.GenerateContextFull
	case errors.Is(err, context.DeadlineExceeded):
		err = errors.New("the server did not answer in time")
	}
	return &sdk.GenerateError{Kind: kind, Detail: e.redact(e.Name() + ": " + sdk.DescribeError(err))}
}

// full reports whether the conversation exceeds the model's context. Servers report this with a code or only with a
// sentence.
func (e *statusError) full() bool {
	switch e.status {
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity, http.StatusOK:
	default:
		return false
	}
	if e.code == "context_length_exceeded" {
		return true
	}
	text := strings.ToLower(e.message)
	for _, sign := range []string{
		"maximum context length", "context length exceeded", "exceeds the available context", "exceed_context_size",
		"context window", "prompt is too long", "longer than the maximum model length", "input is too long",
		"maximum model length",
	} {
		if strings.Contains(text, sign) {
			return true
		}
	}
	return false
}

// redact removes the secrets, because some servers quote an incorrect key.
func (e *Endpoint) redact(text string) string {
	secrets := []string{e.config.APIKey}
	for _, value := range e.config.Headers {
		secrets = append(secrets, value, strings.TrimPrefix(value, "Bearer "))
	}
	for _, s := range secrets {
		if len(s) >= 4 {
			text = strings.ReplaceAll(text, s, "…")
		}
	}
	return text
}

var _ error = (*statusError)(nil)
