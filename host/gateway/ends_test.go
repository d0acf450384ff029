package gateway

import (
	"bufio"
	"errors"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/awhost/awhost/sdk"
)

// ends maps each path to the status at which harnesses were observed to exit after one request. They retried at other
// statuses. Measured versions:
//
//	Codex 0.169.0       1 request at 400; 6 at 401, 403, 404, 409, 410, 413 and 422; 30 at 500. Within a stream 1 after
//	                    response.failed with invalid_prompt or context_length_exceeded; 6 with other codes, after an
//	                    event of type error, and where the stream is cut
//	Claude Code 2.1.197 1 request at 400, 401, 403, 410; 2 after an event of type error
//	openai, anthropic   1 request at each 4xx but 408, 409 and 429
//	opencode 1.18.33    1 request at 410, and one for its title, unless a body or an event has one of retried; then 6
var ends = map[string]int{"/v1/chat/completions": 410, "/v1/responses": 400, "/v1/messages": 410}

// retried matches the texts of a body at which opencode 1.18.33 retries, whatever the status: the list of its
// SessionRetry, and some more.
var retried = regexp.MustCompile(`(?i)429|500|502|503|504|524|rate.?limit|too many requests|overloaded|` +
	`(service|temporarily|currently).?unavailable|internal.?error|server.?error|provider.?returned.?error|terminated|` +
	`fetch failed|failed to fetch|network.?error|upstream connect|connection (error|refused|lost)|socket hang up|` +
	`reset before headers|getaddrinfo|enotfound|eai_again|econnrefused|econnreset|etimedout|timed? ?out|retry|try |` +
	`exhausted|unavailable|at capacity|too_many_requests`)

// errGone is the error of an engine whose message makes opencode retry.
var errGone = errors.New("the engine is gone: POST http://127.0.0.1:5003: connection refused; 503 server error")

// tells reports whether a program receives errGone: with its message, or without any text that would make it retry.
func tells(path, text string) bool {
	if path == "/v1/chat/completions" {
		return strings.Contains(text, "the episode has failed") && !retried.MatchString(text)
	}
	return strings.Contains(text, errGone.Error())
}

// TestEnds_ADeadEngine checks that the requesting program gets the failure once, at the status that makes it exit. All
// other requests with its key are answered the same way and do not reach the policy.
func TestEnds_ADeadEngine(t *testing.T) {
	for _, c := range asking {
		for _, stream := range []bool{false, true} {
			p := &policy{answer: func(int, sdk.ModelRequest) (*sdk.ModelReply, error) {
				return nil, errGone
			}}
			e, end := serve(t, p)
			body := c.body
			if stream {
				body = strings.TrimSuffix(body, "}") + `,"stream":true}`
			}
			at := func(r *http.Request) { r.URL.Path = c.path }
			status, text := post(t, e, body, at)
			begun := status == http.StatusOK && stream // the keep-alive came first
			if !begun && status != ends[c.path] || !tells(c.path, text) {
				t.Errorf("%s: %d: %s", c.path, status, text)
			}
			for n := range 30 { // as many times as Codex retries
				other := strings.Replace(c.body, "1+2", strings.Repeat("1+", n)+"2", 1)
				if status, text := post(t, e, other, at); status != ends[c.path] || !tells(c.path, text) {
					t.Fatalf("%s again: %d: %s", c.path, status, text)
				}
			}
			if stats := end(); len(p.asked()) != c.samples || stats[metricCalls] != float64(c.samples) {
				t.Errorf("%s: the policy was asked %d times: %+v", c.path, len(p.asked()), stats)
			}
			if status, text := post(t, e, c.body, at); status != ends[c.path] {
				t.Errorf("%s after the end: %d: %s", c.path, status, text)
			}
		}
	}
}

// TestEnds_WhatPassesIsNone checks that an overlong conversation and a mistake of the program do not end the episode.
func TestEnds_WhatPassesIsNone(t *testing.T) {
	for _, c := range asking {
		p := &policy{answer: func(n int, _ sdk.ModelRequest) (*sdk.ModelReply, error) {
			switch n {
			case 1:
				return nil, &sdk.GenerateError{Kind: sdk.GenerateContextFull, Detail: "9 tokens"}
			case 2:
				return nil, &sdk.Failure{Class: sdk.FailureAgent, Detail: "no chain"}
			case 3:
				return nil, &sdk.GenerateError{Kind: sdk.GenerateRefused, Detail: "no stop strings"}
			}
			return &sdk.ModelReply{Message: sdk.Message{Content: "shorter"}}, nil
		}}
		e, _ := serve(t, p)
		at := func(r *http.Request) { r.URL.Path = c.path }
		body := strings.Replace(c.body, `,"n":3`, "", 1)
		for n, want := range []int{400, 400, 400, 200} {
			if status, text := post(t, e, body, at); status != want {
				t.Errorf("%s, %d: %d: %s", c.path, n, status, text)
			}
		}
	}
}

// TestEnds_WithinAStream checks that an error after the status has been sent is an event that makes the program exit,
// and that a full context is one that makes it compact.
func TestEnds_WithinAStream(t *testing.T) {
	full := &sdk.GenerateError{Kind: sdk.GenerateContextFull, Detail: "9 tokens"}
	for path, want := range map[string]map[error][]string{
		"/v1/responses": {
			errGone: {`event: response.created`, `event: response.failed`, `"code":"invalid_prompt"`},
			full:    {`event: response.created`, `event: response.failed`, `"code":"context_length_exceeded"`},
		},
		"/v1/messages": {
			errGone: {`event: error`, `"type":"api_error"`},
			full:    {`event: error`, `"type":"invalid_request_error"`, "prompt is too long: 9 tokens"},
		},
		"/v1/chat/completions": {
			errGone: {`data: {"error":`, `"code":"episode_failed"`},
			full:    {`data: {"error":`, `"code":"context_length_exceeded"`, "maximum context length"},
		},
	} {
		for failure, words := range want {
			p := &policy{wait: make(chan struct{}), answer: func(int, sdk.ModelRequest) (*sdk.ModelReply, error) {
				return nil, failure
			}}
			g, err := Listen(Options{KeepAlive: time.Millisecond})
			if err != nil {
				t.Fatal(err)
			}
			e, _ := g.Grant(t.Context(), Lease{Model: p})
			var body string
			for _, c := range asking {
				if c.path == path && c.samples == 1 {
					body = strings.TrimSuffix(c.body, "}") + `,"stream":true}`
				}
			}
			_, in := dialed(t, g, head(e, path, len(body))+body)
			begun, err := http.ReadResponse(in, nil) // begun by a keep-alive comment
			if err != nil {
				t.Fatal(err)
			}
			close(p.wait)
			text := &strings.Builder{}
			if _, err := bufio.NewReader(begun.Body).WriteTo(text); err != nil || begun.StatusCode != http.StatusOK {
				t.Errorf("%s: %v, %s", path, err, begun.Status)
			}
			if failure == errGone && !tells(path, text.String()) {
				t.Errorf("%s: %s", path, text)
			}
			for _, word := range words {
				if !strings.Contains(text.String(), word) {
					t.Errorf("%s: %s; want %s", path, text, word)
				}
			}
			_ = begun.Body.Close()
			g.Close()
		}
	}
}
