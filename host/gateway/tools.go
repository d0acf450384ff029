package gateway

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/awhost/awhost/sdk"
)

// Environment is the environment behind a lease's tools.
type Environment interface {
	sdk.AgentSession
	// Tools returns the tools that are currently available. Callers must not modify the result.
	Tools() []sdk.Tool
}

// toolsPath is the path of the MCP server.
const toolsPath = "/mcp"

// The bounds of a lease's MCP server.
const (
	mostToolBytes = 16 << 20 // of a request
	mostSessions  = 256      // opened and not deleted; later ones get no ID, which clients do not need
	mostListeners = 64       // concurrent notification streams
	mostPending   = 256      // calls that wait for their turn
	mostCut       = 256      // cut-off calls whose answers are kept for repeated requests
)

// ToolServer returns a lease's tool endpoint, which accepts the same key as its model endpoint.
func (g *Gateway) ToolServer(granted sdk.ModelEndpoint) *sdk.ToolEndpoint {
	return &sdk.ToolEndpoint{URL: g.URL() + toolsPath, Token: granted.APIKey}
}

// tools serves MCP in both protocol versions.
func (g *Gateway) tools(w http.ResponseWriter, r *http.Request) {
	l, p := g.of(r)
	if p != nil {
		failTools(w, p)
		return
	}
	if p := l.enter(g.bounds.perLease); p != nil {
		failTools(w, p)
		return
	}
	defer l.leave()
	if l.Tools == nil {
		failTools(w, &problem{status: http.StatusNotFound,
			text: "the agent of this key has no environment, and so no tools: name one in its block"})
		return
	}
	l.toolServer(g).serve(w, r)
}

// failTools sends a transport error, which means that nothing was called.
func failTools(w http.ResponseWriter, p *problem) {
	body := mcp.NewJSONRPCError(mcp.NewRequestId(nil), mcp.INVALID_REQUEST, p.Error(), nil)
	text, _ := json.Marshal(body) // can be encoded as JSON
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(p.status)
	_, _ = w.Write(text)
}

// toolServer is the MCP server of one lease. It has no per-session state: a program with the key may open any number
// of sessions.
type toolServer struct {
	gateway   *Gateway
	lease     *lease
	protocol  *server.MCPServer
	transport *server.StreamableHTTPServer

	mu        sync.Mutex
	offered   []sdk.Tool // as last seen
	listing   []mcp.Tool // the same, in MCP's form
	listeners int
	calls     toolCalls
}

// toolServer creates the server on the first request that needs it.
func (l *lease) toolServer(g *Gateway) *toolServer {
	l.serving.Do(func() {
		s := &toolServer{gateway: g, lease: l, calls: newToolCalls()}
		s.protocol = server.NewMCPServer("awhost", sdk.Version,
			server.WithToolCapabilities(true), server.WithRecovery(), server.WithHooks(s.hooks()),
			server.WithToolFilter(func(ctx context.Context, asked []mcp.Tool) []mcp.Tool {
				if ctx.Value(postedKey{}).(*posted).unoffered != "" {
					return asked
				}
				return s.list()
			}),
		)
		s.transport = server.NewStreamableHTTPServer(s.protocol,
			server.WithSessionIdManager(&sessions{open: map[string]bool{}}),
			server.WithStreamableHTTPLogger(slog.New(slog.DiscardHandler)), // it would log the programs' input
		)
		l.tools = s
	})
	return l.tools
}

// serve answers a request.
func (s *toolServer) serve(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(s.lease.ctx, cancel)()
	out := &toolWriter{w: w, header: http.Header{}, leaseCtx: s.lease.ctx, patience: s.gateway.bounds.write}
	defer s.lease.atEnd(out.shortenDeadline)()
	p := &posted{out: out, connection: r.Context(), lease: s.lease}
	done, problem := s.accept(p, w, r)
	if problem != nil {
		failTools(w, problem)
		return
	}
	defer done()
	s.transport.ServeHTTP(out, r.WithContext(context.WithValue(ctx, postedKey{}, p)))
	if !out.begun && s.lease.ctx.Err() != nil {
		if p.call != nil {
			<-p.call.done // soon, because its context has ended; it may be the cause of the failure
		}
		failTools(w, s.lease.ended()) // it was in progress when the episode ended
		return
	}
	if p.call != nil {
		s.release(p, out.arrived() && r.Context().Err() == nil)
	}
}

// accept reads a request, and counts it if it waits for notifications. The caller calls done when it has finished.
func (s *toolServer) accept(p *posted, w http.ResponseWriter, r *http.Request) (done func(), _ *problem) {
	switch r.Method {
	case http.MethodPost:
		body, understood, problem := s.gateway.read(w, r, s.lease, mostToolBytes)
		if problem != nil {
			return nil, problem
		}
		understood = sync.OnceFunc(understood)
		p.read(r.Header, body.Bytes())
		stopListening := func() {}
		if p.listens {
			if stopListening, problem = s.listen(); problem != nil {
				understood()
				return nil, problem
			}
		}
		r.Body = &once{bytes.NewReader(body.Bytes()), understood}
		s.look()
		return func() {
			understood() // a request may have been rejected unread
			stopListening()
		}, nil
	case http.MethodGet:
		_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // the stream lasts as long as the episode
		return s.listen()
	case http.MethodDelete:
		return func() {}, nil
	}
	w.Header().Set("Allow", "GET, POST, DELETE")
	return nil, &problem{status: http.StatusMethodNotAllowed, text: r.Method + " is not served here"}
}

// once is a request body that the library copies into memory. When it has been read, done is called and the body is
// released: a call may wait for minutes and no longer needs it.
type once struct {
	body *bytes.Reader // nil: it has been read
	done func()
}

// Read implements io.Reader.
func (b *once) Read(p []byte) (int, error) {
	if b.body == nil {
		return 0, io.EOF
	}
	n, err := b.body.Read(p)
	if err != nil {
		b.body = nil
		b.done()
	}
	return n, err
}

// Close implements io.Closer.
func (*once) Close() error { return nil }

// listen registers a notification stream if the limit allows another one. The caller calls done when it has finished.
func (s *toolServer) listen() (done func(), _ *problem) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.listeners == mostListeners {
		return nil, &problem{status: http.StatusTooManyRequests, text: fmt.Sprintf(
			"an episode has at most %d streams of notifications at a time", mostListeners)}
	}
	s.listeners++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.listeners--
	}, nil
}

// look refreshes the list of tools. Programs are notified if the list has changed.
func (s *toolServer) look() {
	s.mu.Lock()
	defer s.mu.Unlock()
	tools := s.lease.Tools.Tools()
	if s.listing != nil && slices.EqualFunc(tools, s.offered, sameTool) {
		return
	}
	s.offered, s.listing = tools, make([]mcp.Tool, len(tools))
	known := make([]server.ServerTool, len(tools))
	for i, t := range tools {
		s.listing[i] = mcp.NewToolWithRawSchema(t.Name, t.Description, schemaOf(t))
		// The library receives no schemas, because it would interpret parts of them, for example x-mcp-header.
		known[i] = server.ServerTool{Tool: mcp.Tool{Name: t.Name}, Handler: s.call}
	}
	known = append(known, server.ServerTool{Tool: mcp.Tool{Name: unofferedTool}, Handler: s.call})
	s.protocol.SetTools(known...)
}

// unofferedTool handles calls to all tools that are not offered. It is never listed.
const unofferedTool = "awhost/unoffered"

// hooks lets the environment respond to calls to tools that it does not offer, as it does when the host makes an
// agent's calls: a model that invents a tool name sees the result. The library would return a protocol error, which
// makes most programs exit.
func (s *toolServer) hooks() *server.Hooks {
	hooks := &server.Hooks{}
	hooks.AddBeforeCallTool(func(ctx context.Context, _ any, r *mcp.CallToolRequest) {
		if s.offers(r.Params.Name) {
			return
		}
		ctx.Value(postedKey{}).(*posted).unoffered = r.Params.Name
		r.Params.Name = unofferedTool
	})
	return hooks
}

func (s *toolServer) offers(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return name == "" || slices.ContainsFunc(s.offered, func(t sdk.Tool) bool { return t.Name == name })
}

func (s *toolServer) list() []mcp.Tool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.listing
}

func sameTool(a, b sdk.Tool) bool {
	return a.Name == b.Name && a.Description == b.Description && bytes.Equal(a.Parameters, b.Parameters)
}

// schemaOf returns the environment's schema, adding a missing type. Clients reject the whole list if a schema lacks the
// type, which MCP requires.
func schemaOf(t sdk.Tool) json.RawMessage {
	var members map[string]json.RawMessage
	if json.Unmarshal(t.Parameters, &members) != nil || len(members) == 0 {
		return json.RawMessage(`{"type":"object"}`)
	}
	if _, typed := members["type"]; typed {
		return t.Parameters
	}
	_, rest, _ := bytes.Cut(t.Parameters, []byte("{"))
	return append([]byte(`{"type":"object",`), rest...)
}

// sessions holds the legacy-protocol sessions. The server responds to an unknown or deleted ID with 404, and the client
// starts a new session. A missing ID is accepted.
type sessions struct {
	mu   sync.Mutex
	open map[string]bool
}

// Generate implements server.SessionIdManager.
func (s *sessions) Generate() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.open) == mostSessions {
		return ""
	}
	id := rand.Text()
	s.open[id] = true
	return id
}

// Validate implements server.SessionIdManager.
func (s *sessions) Validate(id string) (isTerminated bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return id != "" && !s.open[id], nil
}

// Terminate implements server.SessionIdManager.
func (s *sessions) Terminate(id string) (isNotAllowed bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, id)
	return false, nil
}

// toolWriter writes a tool result to the client, optionally after keep-alive comments.
type toolWriter struct {
	w        http.ResponseWriter
	leaseCtx context.Context // of the lease
	header   http.Header     // of the answer, until it has begun
	patience time.Duration   // limit for a program that does not read

	mu     sync.Mutex
	begun  bool
	failed bool
}

// Header implements http.ResponseWriter.
func (o *toolWriter) Header() http.Header { return o.header }

// WriteHeader implements http.ResponseWriter.
func (o *toolWriter) WriteHeader(status int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.begun {
		return // a comment has begun it
	}
	o.begun = true
	for name, values := range o.header {
		o.w.Header()[name] = values
	}
	o.w.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (o *toolWriter) Write(text []byte) (int, error) {
	o.WriteHeader(http.StatusOK)
	o.mu.Lock()
	defer o.mu.Unlock()
	o.extend()
	n, err := o.w.Write(text)
	o.failed = o.failed || err != nil
	return n, err
}

// extend restarts the write deadline for the next part, regardless of how much time has already passed.
func (o *toolWriter) extend() {
	_ = http.NewResponseController(o.w).SetWriteDeadline(time.Now().Add(o.patience))
	if o.leaseCtx.Err() != nil {
		o.shortenDeadline()
	}
}

// shortenDeadline shortens the write deadline when an episode ends, because the end does not wait for a program that
// does not read.
func (o *toolWriter) shortenDeadline() {
	_ = http.NewResponseController(o.w).SetWriteDeadline(time.Now().Add(hurried))
}

// Flush implements http.Flusher.
func (o *toolWriter) Flush() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.extend()
	o.failed = http.NewResponseController(o.w).Flush() != nil || o.failed
}

// comment writes a keep-alive comment to the stream.
func (o *toolWriter) comment() {
	o.mu.Lock()
	if !o.begun {
		o.begun = true
		o.w.Header().Set("Content-Type", "text/event-stream")
		o.w.Header().Set("Cache-Control", "no-cache")
		o.w.WriteHeader(http.StatusOK)
	}
	o.extend()
	_, err := o.w.Write([]byte(": keep-alive\n"))
	o.failed = o.failed || err != nil
	o.mu.Unlock()
	o.Flush()
}

// arrived reports whether everything was written.
func (o *toolWriter) arrived() bool {
	o.Flush()
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.begun && !o.failed
}

var (
	_ http.ResponseWriter     = (*toolWriter)(nil)
	_ http.Flusher            = (*toolWriter)(nil)
	_ server.SessionIdManager = (*sessions)(nil)
)
