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

// mostAnswerBytes bounds an answer: one that never comes to an end would take all memory.
var mostAnswerBytes int64 = 16 << 20

// kind says what is wrong with a call.
type kind string

const (
	unsent kind = "unsent" // the service was not reached
	busy   kind = "busy"   // it was told to come back: nothing was done
	away   kind = "away"   // it is gone, or what stands before it says so: nobody knows what was done
	slow   kind = "slow"   // it is there, and did not answer in time
	failed kind = "failed" // it answered with an error of its own
	unread kind = "unread" // what it answered cannot be read
)

// callError is a call that came to nothing.
type callError struct {
	call   string
	url    string
	kind   kind
	status int // of HTTP; 0: none
	why    string
	after  time.Duration // is asked for by the service; 0: it does not say
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

// classified says whose fault an error of a call is, as an episode sees it. What is gone takes the attempt along: the
// host tries again, whatever the budgets for failures say.
func classified(err error) error {
	var of *callError
	if errors.Is(err, sdk.ErrSessionLost) || !errors.As(err, &of) {
		return err
	}
	switch of.kind {
	case unsent, busy, away:
		return &sdk.Failure{Class: sdk.FailureInfrastructure, Detail: err.Error(), Retryable: true}
	case unread:
		return &sdk.Failure{Class: sdk.FailureEnvironment, Detail: err.Error()}
	}
	return &sdk.Failure{Class: sdk.FailureEnvironment, Detail: err.Error(), Retryable: true}
}

// answered reports whether an error of a call is what the service answered itself: then it is not at work any more.
func answered(err error) bool {
	var of *callError
	return errors.As(err, &of) && (of.kind == failed || of.kind == unread)
}

// withoutURL is an error of a request without its URL, which callError has.
func withoutURL(err error) error {
	if of := (*url.Error)(nil); errors.As(err, &of) {
		return of.Err
	}
	return err
}

// read reads an answer: {"data": …}, or {"success": …} of a release.
func (c *client) read(call string, resp *http.Response) (json.RawMessage, error) {
	text, err := io.ReadAll(io.LimitReader(resp.Body, mostAnswerBytes+1))
	if err != nil {
		return nil, c.problem(call, away, "the answer broke off: "+err.Error())
	}
	if int64(len(text)) > mostAnswerBytes {
		return nil, c.problem(call, unread, fmt.Sprintf("the answer has more than %d bytes", mostAnswerBytes))
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
		return nil, c.problem(call, unread, "the answer is no object of JSON: "+excerpt(text))
	}
	switch {
	case answer.Success != nil && !*answer.Success:
		return nil, c.problem(call, failed, "the service did not succeed: "+excerpt(text))
	case present(answer.Data):
		return answer.Data, nil
	case present(answer.Error):
		return nil, c.problem(call, failed, "the service says: "+said(answer.Error))
	case present(answer.Detail):
		return nil, c.problem(call, failed, "the service says: "+said(answer.Detail))
	case call == callRelease && answer.Success != nil:
		return nil, nil
	}
	return nil, c.problem(call, unread, "the answer has no data: "+excerpt(text))
}

// refused reads an answer with another status than 200.
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
		why += said(answer.Detail)
	case present(answer.Error):
		why += said(answer.Error)
	default:
		why += excerpt(text)
	}
	kind := failed
	switch resp.StatusCode {
	case http.StatusTooManyRequests:
		kind = busy
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		kind = away
	}
	out := c.problem(call, kind, why)
	out.status, out.after = resp.StatusCode, retry.After(resp.Header)
	return out
}

func present(value json.RawMessage) bool { return len(value) > 0 && string(value) != "null" }

// said is a text of JSON as it is, and anything else as JSON.
func said(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return excerpt([]byte(text))
	}
	return excerpt(value)
}

// excerpt is the beginning of a text on one line.
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
