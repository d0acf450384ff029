package server

import (
	"errors"
	"fmt"
	"maps"
	"net/http"

	"github.com/mark3labs/mcp-go/client/transport"
)

// maxIdleConns limits the number of idle connections to a server.
const maxIdleConns = 64

// dialHTTP returns the transport for a server at a URL. All requests carry the headers, including the request that ends
// a session.
func dialHTTP(c Config, session string) (tappedHTTP, *http.Transport, error) {
	headers := maps.Clone(c.Headers)
	if c.SessionHeader != "" && session != "" {
		if headers == nil {
			headers = map[string]string{}
		}
		headers[c.SessionHeader] = session
	}
	connections := http.DefaultTransport.(*http.Transport).Clone()
	connections.MaxIdleConnsPerHost = maxIdleConns
	client := &http.Client{Transport: withHeaders{headers, connections}, CheckRedirect: refuseOtherHosts}
	t, err := transport.NewStreamableHTTP(c.URL, transport.WithHTTPBasicClient(client), transport.WithHTTPLogger(c.Log))
	if err != nil {
		return tappedHTTP{}, nil, fmt.Errorf("MCP server %q: %w", c.Name, err)
	}
	return tappedHTTP{t}, connections, nil
}

// withHeaders adds headers to requests.
type withHeaders struct {
	headers map[string]string
	next    http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (w withHeaders) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	for name, value := range w.headers {
		r.Header.Set(name, value)
	}
	response, err := w.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	return bounded(r.Context(), response), nil
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
