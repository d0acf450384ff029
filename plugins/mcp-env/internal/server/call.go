package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/awhost/awhost/sdk/traceparent"
)

// tooLong reports that a call reached one of its limits.
type tooLong struct {
	limit time.Duration
	what  string
}

// noProgress is the reason given when a call makes no progress for too long.
const noProgress = "no result and no progress"

// Error implements error.
func (e *tooLong) Error() string { return fmt.Sprintf("%s within %s", e.what, e.limit) }

// Call calls a tool with a JSON object. Its errors are ErrLost, *WrongAnswer and ctx errors.
func (c *Conn) Call(ctx context.Context, tool string, arguments json.RawMessage) (*Result, error) {
	limited, cancel := context.WithTimeoutCause(ctx, c.config.Call, &tooLong{c.config.Call, "no result"})
	defer cancel()
	var moved atomic.Bool
	token, watched, done := c.progress.watch(limited, c.config.Idle, &moved)
	defer done()
	request := mcp.CallToolRequest{}
	request.Params.Name, request.Params.Arguments = tool, arguments
	request.Params.Meta = &mcp.Meta{ProgressToken: token}
	if trace := traceparent.From(ctx); trace != "" {
		request.Params.Meta.AdditionalFields = map[string]any{traceparent.Header: trace}
	}
	answered, seen := tapped(watched)
	err := c.await(watched, func() error {
		_, err := c.client.CallTool(answered, request)
		return err
	})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	select {
	case <-c.ending: // the answer to an interrupted call is not a result
		return nil, fmt.Errorf("%w: %q: the connection was closed during the call", ErrLost, c.config.Name)
	default:
	}
	if slow := (*tooLong)(nil); errors.As(context.Cause(watched), &slow) {
		return c.timedOut(ctx, tool, slow, moved.Load() && slow.what != noProgress)
	}
	return c.result(seen, err)
}

// timedOut distinguishes a slow tool from a server that no longer responds. A server that has sent progress within the
// idle limit is considered alive, even if it does not send anything else during a call.
func (c *Conn) timedOut(ctx context.Context, tool string, slow *tooLong, alive bool) (*Result, error) {
	if !alive {
		if err := c.alive(ctx); err != nil {
			return nil, err
		}
	}
	result := failed(fmt.Sprintf("the tool %s was given up: %s", tool, slow))
	result.Unanswered = true
	return result, nil
}

// alive checks that the server responds within the time limit for a call without progress.
func (c *Conn) alive(ctx context.Context) error {
	limit := min(c.config.Idle, c.config.Call, c.config.Connect)
	limited, cancel := context.WithTimeoutCause(ctx, limit, &tooLong{limit, "no sign of life"})
	defer cancel()
	err := c.await(limited, func() error {
		if mcp.IsModernProtocol(c.client.ProtocolVersion()) {
			_, err := c.client.Discover(limited, mcp.DiscoverRequest{})
			return err
		}
		return c.client.Ping(limited) //lint:ignore SA1019 servers of the older era have nothing else
	})
	if err != nil && ctx.Err() == nil {
		return c.lost(err)
	}
	return ctx.Err()
}

// lost ends the connection and returns an ErrLost that contains the reason.
func (c *Conn) lost(why error) error {
	said := ""
	if c.child != nil {
		said = c.child.describeExit()
	}
	c.abandon()
	if said != "" {
		said = "; " + said
	}
	return fmt.Errorf("%w: %q: %w%s", ErrLost, c.config.Name, why, said)
}

// result returns the outcome of a call.
func (c *Conn) result(seen *tap, err error) (*Result, error) {
	switch {
	case seen.refused != nil && !seen.unaddressed:
		return failed(seen.refused.Message), nil
	case seen.unaddressed:
		return nil, c.lost(errors.New(seen.refused.Message))
	case c.exceeded(seen):
		return nil, &WrongAnswer{c.config.Name, "tools/call", tooLarge{}}
	case len(seen.results) == 0:
		return nil, c.lost(err)
	}
	raw := seen.results[len(seen.results)-1]
	result, wrong := resultOf(raw)
	if wrong == nil && err != nil && !isStructuredOnly(raw) { // mcp-go could not read the answer, or stopped
		wrong = err
	}
	if wrong != nil {
		return nil, &WrongAnswer{c.config.Name, "tools/call", wrong}
	}
	return result, nil
}

// isStructuredOnly reports whether a result has structured content and no other content. mcp-go rejects such results.
func isStructuredOnly(raw json.RawMessage) bool {
	var result struct {
		Content    json.RawMessage `json:"content"`
		Structured json.RawMessage `json:"structuredContent"`
	}
	err := json.Unmarshal(raw, &result)
	return err == nil && result.Content == nil && result.Structured != nil && string(result.Structured) != "null"
}

func failed(why string) *Result {
	return &Result{IsError: true, Content: []Content{{Kind: Text, Text: why}}}
}

// callResult is the result of tools/call in the format that servers use.
type callResult struct {
	Content []struct {
		Type     string `json:"type"`
		Text     string `json:"text"`
		Data     []byte `json:"data"`
		MIMEType string `json:"mimeType"`
		URI      string `json:"uri"`
		Name     string `json:"name"`
		Resource struct {
			URI      string `json:"uri"`
			MIMEType string `json:"mimeType"`
			Text     string `json:"text"`
			Blob     []byte `json:"blob"`
		} `json:"resource"`
	} `json:"content"`
	Structured json.RawMessage `json:"structuredContent"`
	IsError    bool            `json:"isError"`
}

// resultOf parses a result of tools/call.
func resultOf(raw json.RawMessage) (*Result, error) {
	var in callResult
	if err := json.Unmarshal(raw, &in); err != nil {
		return nil, err
	}
	out := &Result{IsError: in.IsError}
	if string(in.Structured) != "null" {
		out.Structured = in.Structured
	}
	for i, part := range in.Content {
		content := Content{
			Kind: Kind(part.Type), Text: part.Text, Data: part.Data, MIMEType: part.MIMEType, URI: part.URI, Name: part.Name,
		}
		switch content.Kind {
		case Text, Image, Audio, Link:
		case Resource:
			r := part.Resource
			content.Text, content.Data, content.MIMEType, content.URI = r.Text, r.Blob, r.MIMEType, r.URI
		default:
			return nil, fmt.Errorf("content %d is of type %q, which MCP does not have", i, part.Type)
		}
		out.Content = append(out.Content, content)
	}
	return out, nil
}

// progress holds the calls that are watched for progress.
type progress struct {
	last atomic.Int64

	mu    sync.Mutex
	calls map[string]func() // by token
}

// watch returns a token, and a context that ends when no progress with that token arrives within the idle time. The
// first progress notification sets moved.
func (p *progress) watch(
	ctx context.Context, idle time.Duration, moved *atomic.Bool,
) (string, context.Context, func()) {
	token := "call-" + strconv.FormatInt(p.last.Add(1), 10)
	ctx, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(idle, func() { cancel(&tooLong{idle, noProgress}) })
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.calls == nil {
		p.calls = map[string]func(){}
	}
	p.calls[token] = func() {
		moved.Store(true)
		timer.Reset(idle)
	}
	return token, ctx, func() {
		p.mu.Lock()
		delete(p.calls, token)
		p.mu.Unlock()
		timer.Stop()
		cancel(nil)
	}
}

// note handles a notification from the server.
func (p *progress) note(n mcp.JSONRPCNotification) {
	if n.Method != "notifications/progress" {
		return
	}
	token, _ := n.Params.AdditionalFields["progressToken"].(string)
	p.mu.Lock()
	defer p.mu.Unlock()
	if heard := p.calls[token]; heard != nil {
		heard()
	}
}
