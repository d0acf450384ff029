package server

import (
	"cmp"
	"context"
	"encoding/json"
	"sync/atomic"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// A tap sees the answers to the requests of one call as they came: mcp-go drops keywords of schemas that it does not
// know, and makes one kind of error of refusals and of lost connections.
type tap struct {
	results []json.RawMessage
	// answered is whether the last request got a result: an error after that is of what the server answered.
	answered bool
	refused  *mcp.JSONRPCErrorDetails // by the server; the last one
	// unaddressed is a refusal of a request that the server could not read the id of, or has no session for.
	unaddressed bool
	size        int64       // of the results, in bytes
	exceeded    atomic.Bool // an answer was larger than may be read
}

type tapKey struct{}

// tapped returns a context whose requests are seen by the tap.
func tapped(ctx context.Context) (context.Context, *tap) {
	t := &tap{}
	return context.WithValue(ctx, tapKey{}, t), t
}

// ask begins a request.
func ask(ctx context.Context) {
	if t, ok := ctx.Value(tapKey{}).(*tap); ok {
		t.answered = false
	}
}

// see takes the answer to a request in. An error ends the call: it has got more answers than it may.
func see(ctx context.Context, response *transport.JSONRPCResponse) error {
	t, ok := ctx.Value(tapKey{}).(*tap)
	if !ok || response == nil {
		return nil
	}
	t.refused, t.unaddressed = response.Error, response.Error != nil && response.ID.IsNil()
	if response.Error == nil {
		t.results, t.answered = append(t.results, response.Result), true
	}
	if t.size += int64(len(response.Result)); t.size > mostAnswerBytes || len(t.results) > mostPages {
		t.exceeded.Store(true)
		return tooLarge{}
	}
	return nil
}

// stdio and overHTTP are the transports of mcp-go with taps.
type stdio struct{ *transport.Stdio }

type overHTTP struct{ *transport.StreamableHTTP }

// SendRequest implements transport.Interface.
func (s stdio) SendRequest(ctx context.Context, r transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
	ask(ctx)
	response, err := s.Stdio.SendRequest(ctx, r)
	return response, cmp.Or(err, see(ctx, response))
}

// SendRequest implements transport.Interface.
func (s overHTTP) SendRequest(ctx context.Context, r transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
	ask(ctx)
	response, err := s.StreamableHTTP.SendRequest(ctx, r)
	return response, cmp.Or(err, see(ctx, response))
}

var (
	_ transport.BidirectionalInterface = stdio{}
	_ transport.BidirectionalInterface = overHTTP{}
	_ transport.HTTPConnection         = overHTTP{}
)
