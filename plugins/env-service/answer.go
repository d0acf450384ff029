package envservice

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/retry"
)

// maxAnswerBytes bounds the size of a response, because an endless response would fill the memory.
var maxAnswerBytes int64 = 16 << 20

// kind classifies the error from a call.
type kind string

const (
	kindUnsent      kind = "unsent" // the service was not reached
	kindBusy        kind = "busy"   // the service asked to retry later: nothing was done
	kindUnavailable kind = "away"   // the service or a proxy is gone: the call may have been executed
	kindTimeout     kind = "slow"   // the service is running, but did not answer in time
	kindFailed      kind = "failed" // the service answered with an error
	kindUnreadable  kind = "unread" // the answer is unreadable
)

// callError is a failed call.
type callError struct {
	call   string
	url    string
	kind   kind
	status int // HTTP status; 0: none
	why    string
	after  time.Duration // the service's Retry-After; 0: missing
	tries  int
}

// Error implements error.
func (e *callError) Error() string {
	times := ""
	if e.tries > 1 {
		times = fmt.Sprintf(" (tried %d times)", e.tries)
	}
	return fmt.Sprintf("%s of the environment service, POST %s: %s%s", e.call, e.url, e.why, times)
}

func (c *client) problem(call string, kind kind, why string) *callError {
	return &callError{call: call, url: c.url(call), kind: kind, why: why}
}

// classified converts an error from a call to the episode's error classes. If the service is unavailable, the attempt
// is lost, and the host retries it independently of the failure budgets.
func classified(err error) error {
	var of *callError
	if errors.Is(err, sdk.ErrSessionLost) || !errors.As(err, &of) {
		return err
	}
	switch of.kind {
	case kindUnsent, kindBusy, kindUnavailable:
		return &sdk.Failure{Class: sdk.FailureInfrastructure, Detail: err.Error(), Retryable: true}
	case kindUnreadable:
		return &sdk.Failure{Class: sdk.FailureEnvironment, Detail: err.Error()}
	}
	return &sdk.Failure{Class: sdk.FailureEnvironment, Detail: err.Error(), Retryable: true}
}

// answered reports whether the error from a call is the service's own response, in which case the service has finished
// its work.
func answered(err error) bool {
	var of *callError
	return errors.As(err, &of) && (of.kind == kindFailed || of.kind == kindUnreadable)
}

// withoutURL returns the error from a request without its URL, because callError contains the URL.
func withoutURL(err error) error {
	if of := (*url.Error)(nil); errors.As(err, &of) {
		return of.Err
	}
	return err
}

// read reads a response: {"data": …}, or {"success": …} for a release.
func (c *client) read(call string, resp *http.Response) (json.RawMessage, error) {
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswerBytes+1))
	if err != nil {
		return nil, c.problem(call, kindUnavailable, "the answer broke off: "+err.Error())
	}
	if int64(len(text)) > maxAnswerBytes {
		return nil, c.problem(call, kindUnreadable, fmt.Sprintf("the answer has more than %d bytes", maxAnswerBytes))
	}
	if resp.StatusCode != http.StatusOK {
		return nil, c.refused(call, resp, text)
	}
	var answer struct {
		Data    json.RawMessage `json:"data"`
		Success *bool           `json:"success"`
		Error   json.RawMessage `json:"error"`
		Detail  json.RawMessage `json:"detail"`
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		return nil, c.problem(call, kindUnreadable, "the answer is no object of JSON: "+excerpt(text))
	}
	switch {
	case answer.Success != nil && !*answer.Success:
		return nil, c.problem(call, kindFailed, "the service did not succeed: "+excerpt(text))
	case present(answer.Data):
		return answer.Data, nil
	case present(answer.Error):
		return nil, c.problem(call, kindFailed, "the service says: "+jsonText(answer.Error))
	case present(answer.Detail):
		return nil, c.problem(call, kindFailed, "the service says: "+jsonText(answer.Detail))
	case call == callRelease && answer.Success != nil:
		return nil, nil
	}
	return nil, c.problem(call, kindUnreadable, "the answer has no data: "+excerpt(text))
}

// refused reads a response with a status other than 200.
func (c *client) refused(call string, resp *http.Response, text []byte) error {
	why := fmt.Sprintf("HTTP status %d: ", resp.StatusCode)
	var answer struct {
		Detail json.RawMessage `json:"detail"`
		Error  json.RawMessage `json:"error"`
	}
	switch _ = json.Unmarshal(text, &answer); {
	case resp.Header.Get("Location") != "":
		why += "it redirects to " + resp.Header.Get("Location") + ": write where it answers itself as the url"
	case present(answer.Detail):
		why += jsonText(answer.Detail)
	case present(answer.Error):
		why += jsonText(answer.Error)
	default:
		why += excerpt(text)
	}
	kind := kindFailed
	switch resp.StatusCode {
	case http.StatusTooManyRequests:
		kind = kindBusy
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		kind = kindUnavailable
	}
	out := c.problem(call, kind, why)
	out.status, out.after = resp.StatusCode, retry.After(resp.Header)
	return out
}

func present(value json.RawMessage) bool { return len(value) > 0 && string(value) != "null" }

// jsonText returns a JSON string as plain text, and any other value as JSON.
func jsonText(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return excerpt([]byte(text))
	}
	return excerpt(value)
}

// excerpt returns the beginning of a string on one line.
func excerpt(text []byte) string {
	const most = 300
	line := strings.Join(strings.Fields(string(bytes.ToValidUTF8(text[:min(len(text), 4*most)], nil))), " ")
	if len(line) > most {
		line = strings.ToValidUTF8(line[:most], "") + "…"
	}
	if line == "" {
		return "(an empty answer)"
	}
	return line
}
