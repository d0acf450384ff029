package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/client/transport"
)

// idleConnTimeout is shorter than the timeouts of servers, such as Uvicorn's five seconds. A request that meets the end
// of its connection fails, because a call must not be sent again.
const idleConnTimeout = time.Second

// maxIdleConns limits the number of idle connections to a server.
const maxIdleConns = 64

// dialHTTP returns the transport for a server at a URL: streamable HTTP, or HTTP+SSE of the first version of MCP. All
// requests carry the headers, including the request that ends a session.
func (conn *Conn) dialHTTP(session string, events bool) (transport.Interface, *http.Transport, error) {
	c := conn.config
	to, err := url.Parse(c.URL)
	if err != nil {
		return nil, nil, fmt.Errorf("MCP server %q: its url is invalid", c.Name)
	}
	headers := maps.Clone(c.Headers)
	if c.SessionHeader != "" && session != "" {
		if headers == nil {
			headers = map[string]string{}
		}
		headers[c.SessionHeader] = session
	}
	connections := http.DefaultTransport.(*http.Transport).Clone()
	connections.MaxIdleConnsPerHost, connections.IdleConnTimeout = maxIdleConns, idleConnTimeout
	client := &http.Client{Transport: withHeaders{headers, connections, to, &conn.stream}, CheckRedirect: refuseOtherHosts}
	if events {
		t, err := transport.NewSSE(c.URL, transport.WithHTTPClient(client), transport.WithSSELogger(c.Log),
			transport.WithEndpointTimeout(c.Connect+time.Minute),
			transport.WithResponseTimeout(max(c.Call, c.Connect)+time.Minute))
		if err != nil {
			return nil, nil, fmt.Errorf("MCP server %q: %w", c.Name, err)
		}
		t.SetConnectionLostHandler(func(error) {
			_ = t.Close() // ends the calls; it returns nil
			go conn.abandon()
		})
		return tappedSSE{t}, connections, nil
	}
	t, err := transport.NewStreamableHTTP(c.URL, transport.WithHTTPBasicClient(client), transport.WithHTTPLogger(c.Log))
	if err != nil {
		return nil, nil, fmt.Errorf("MCP server %q: %w", c.Name, err)
	}
	return tappedHTTP{t}, connections, nil
}

// withHeaders adds headers to requests to one server.
type withHeaders struct {
	headers  map[string]string
	next     http.RoundTripper
	to       *url.URL
	exceeded *atomic.Bool // an event of the server's stream exceeded the limit
}

// RoundTrip implements http.RoundTripper.
func (w withHeaders) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Host != w.to.Host || r.URL.Scheme != w.to.Scheme {
		return nil, fmt.Errorf("the server requests messages at %s://%s, which would receive the headers: write that one as "+
			"the url", r.URL.Scheme, r.URL.Host)
	}
	r = r.Clone(r.Context())
	for name, value := range w.headers {
		r.Header.Set(name, value)
	}
	response, err := w.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	response = bounded(r, response, w.exceeded)
	if seen, ok := r.Context().Value(tapKey{}).(*tap); ok && r.Method == http.MethodPost &&
		response.StatusCode >= http.StatusBadRequest {
		seen.rejected = &httpError{status: response.StatusCode}
		response.Body, err = seen.rejected.read(response.Body)
	}
	return response, err
}

// httpError is an HTTP error response. mcp-go reports all 4xx responses to initialize as the same error.
type httpError struct {
	status   int
	sentence string // from the body
}

// read reads the sentence from a body, and returns a body with the same content.
func (e *httpError) read(body io.ReadCloser) (io.ReadCloser, error) {
	const maxSentence = 300 // bytes
	defer body.Close()
	text, err := io.ReadAll(body)
	if err != nil {
		return nil, fmt.Errorf("HTTP %d %s: %w", e.status, http.StatusText(e.status), err)
	}
	var answer transport.JSONRPCResponse
	e.sentence = string(text)
	if json.Unmarshal(text, &answer) == nil && answer.Error != nil {
		e.sentence = answer.Error.Message
	}
	e.sentence = strings.Join(strings.Fields(e.sentence), " ")
	e.sentence = strings.ToValidUTF8(e.sentence[:min(len(e.sentence), maxSentence)], "")
	return io.NopCloser(bytes.NewReader(text)), nil
}

// Error implements error.
func (e *httpError) Error() string {
	text := fmt.Sprintf("HTTP %d %s", e.status, http.StatusText(e.status))
	if e.sentence != "" {
		text += ": " + e.sentence
	}
	if e.isOtherTransport() {
		text += " (check the URL)"
	}
	return text
}

// isOtherTransport reports whether the URL may serve HTTP+SSE instead of streamable HTTP.
func (e *httpError) isOtherTransport() bool {
	return slices.Contains([]int{
		http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotAcceptable, http.StatusGone,
		http.StatusUnsupportedMediaType,
	}, e.status)
}

// refuseOtherHosts rejects redirects to other hosts, which would receive the headers, including secrets.
func refuseOtherHosts(next *http.Request, before []*http.Request) error {
	const mostRedirects = 10
	if first := before[0].URL; next.URL.Host != first.Host || next.URL.Scheme != first.Scheme {
		return fmt.Errorf("%s redirects to another host, %s: write that one as the url", first.Host, next.URL.Host)
	}
	if len(before) >= mostRedirects {
		return fmt.Errorf("stopped after %d redirects", mostRedirects)
	}
	return nil
}

// Unauthorized reports whether an HTTP server rejected a request because it was not authorized.
func Unauthorized(err error) bool { return errors.Is(err, transport.ErrAuthorizationRequired) }
