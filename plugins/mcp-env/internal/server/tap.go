package server

import (
	"context"
	"encoding/json"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// A tap sees the answers to the requests of one call as they came: mcp-go drops keywords of schemas that it does not
// know, and makes one kind of error of refusals and of lost connections.
type tap struct {
	results []json.RawMessage
	refused *mcp.JSONRPCErrorDetails // by the server; the last one
	// unaddressed is a refusal of a request that the server could not read the id of, or has no session for.
	unaddressed bool
}

type tapKey struct{}

// tapped returns a context whose requests are seen by the tap.
func tapped(ctx context.Context) (context.Context, *tap) {
	t := &tap{}
	return context.WithValue(ctx, tapKey{}, t), t
}

func see(ctx context.Context, response *transport.JSONRPCResponse) {
	t, ok := ctx.Value(tapKey{}).(*tap)
	if !ok || response == nil {
		return
	}
	t.refused, t.unaddressed = response.Error, response.Error != nil && response.ID.IsNil()
	if response.Error == nil {
		t.results = append(t.results, response.Result)
	}
}

// stdio and overHTTP are the transports of mcp-go with taps.
type stdio struct{ *transport.Stdio }

type overHTTP struct{ *transport.StreamableHTTP }

// SendRequest implements transport.Interface.
func (s stdio) SendRequest(ctx context.Context, r transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
	response, err := s.Stdio.SendRequest(ctx, r)
	see(ctx, response)
	return response, err
}

// SendRequest implements transport.Interface.
func (s overHTTP) SendRequest(ctx context.Context, r transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
	response, err := s.StreamableHTTP.SendRequest(ctx, r)
	see(ctx, response)
	return response, err
}

var (
	_ transport.BidirectionalInterface = stdio{}
	_ transport.BidirectionalInterface = overHTTP{}
	_ transport.HTTPConnection         = overHTTP{}
)
