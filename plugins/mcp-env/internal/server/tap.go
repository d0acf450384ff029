package server

import (
	"cmp"
	"context"
	"encoding/json"
	"sync/atomic"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// tap records the raw responses to the requests of one call. mcp-go drops unsupported schema keywords, and returns the
// same kind of error for rejections and lost connections.
type tap struct {
	results []json.RawMessage
	// answered is true if the last request received a result: a later error concerns the content of the response.
	answered bool
	refused  *mcp.JSONRPCErrorDetails // by the server; the last one
	// unaddressed marks the rejection of a request whose ID the server could not read, or whose session the server does
	// not know.
	unaddressed bool
	rejected    *httpError  // HTTP error response to the last request
	size        int64       // of the results, in bytes
	exceeded    atomic.Bool // an answer exceeded the limit
}

type tapKey struct{}

// tapped returns a context whose requests are recorded by the tap.
func tapped(ctx context.Context) (context.Context, *tap) {
	t := &tap{}
	return context.WithValue(ctx, tapKey{}, t), t
}

// ask starts a request.
func ask(ctx context.Context) {
	if t, ok := ctx.Value(tapKey{}).(*tap); ok {
		t.answered, t.refused, t.unaddressed, t.rejected = false, nil, false, nil
	}
}

// recordAnswer records the response to a request. An error ends the call, because too many responses arrived.
func recordAnswer(ctx context.Context, response *transport.JSONRPCResponse) error {
	t, ok := ctx.Value(tapKey{}).(*tap)
	if !ok || response == nil {
		return nil
	}
	t.refused, t.unaddressed = response.Error, response.Error != nil && response.ID.IsNil()
	if response.Error == nil {
		t.results, t.answered = append(t.results, response.Result), true
	}
	if t.size += int64(len(response.Result)); t.size > maxAnswerBytes || len(t.results) > maxPages {
		t.exceeded.Store(true)
		return tooLarge{}
	}
	return nil
}

// tappedStdio, tappedHTTP, and tappedSSE are the transports of mcp-go with taps.
type tappedStdio struct{ *transport.Stdio }

type tappedHTTP struct{ *transport.StreamableHTTP }

type tappedSSE struct{ *transport.SSE }

// SendRequest implements transport.Interface.
func (s tappedStdio) SendRequest(ctx context.Context, r transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
	ask(ctx)
	response, err := s.Stdio.SendRequest(ctx, r)
	return response, cmp.Or(err, recordAnswer(ctx, response))
}

// SendRequest implements transport.Interface.
func (s tappedHTTP) SendRequest(ctx context.Context, r transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
	ask(ctx)
	response, err := s.StreamableHTTP.SendRequest(ctx, r)
	return response, cmp.Or(err, recordAnswer(ctx, response))
}

// SendRequest implements transport.Interface.
func (s tappedSSE) SendRequest(ctx context.Context, r transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
	ask(ctx)
	response, err := s.SSE.SendRequest(ctx, r)
	return response, cmp.Or(err, recordAnswer(ctx, response))
}

var (
	_ transport.BidirectionalInterface = tappedStdio{}
	_ transport.BidirectionalInterface = tappedHTTP{}
	_ transport.HTTPConnection         = tappedHTTP{}
	_ transport.HTTPConnection         = tappedSSE{}
)
