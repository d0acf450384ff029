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

// Environment is what the tools of a lease act in.
type Environment interface {
	sdk.AgentSession
	// Tools are those that the program may use at the moment. Nobody changes what it returns.
	Tools() []sdk.Tool
}

// toolsPath is where MCP is spoken.
const toolsPath = "/mcp"

// The bounds of a lease's MCP server.
const (
	mostToolBytes = 16 << 20 // of a request
	mostSessions  = 256      // that a program has opened and not deleted; later ones get no id, which no client needs
	mostListeners = 64       // streams on which a program waits for notifications
	mostPending   = 256      // calls that wait for their turn
	mostCut       = 256      // calls that were cut off, and whose answers a repeat gets
)

// ToolServer is where the tools of a lease are served, under the key of its model.
func (g *Gateway) ToolServer(granted sdk.ModelEndpoint) *sdk.ToolEndpoint {
	return &sdk.ToolEndpoint{URL: g.URL() + toolsPath, Token: granted.APIKey}
}

// tools serves MCP, of both eras.
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

// failTools answers with an error of the transport: nothing was called.
func failTools(w http.ResponseWriter, p *problem) {
	body := mcp.NewJSONRPCError(mcp.NewRequestId(nil), mcp.INVALID_REQUEST, p.Error(), nil)
	text, _ := json.Marshal(body) // it has a JSON form
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(p.status)
	_, _ = w.Write(text)
}

// toolServer is the MCP server of one lease. Nothing in it is of a session: who knows the key plays the episode, with
// as many sessions as it likes.
type toolServer struct {
	gateway   *Gateway
	lease     *lease
	protocol  *server.MCPServer
	transport *server.StreamableHTTPServer

	mu        sync.Mutex
	offered   []sdk.Tool // as last seen
	listing   []mcp.Tool // the same
	listeners int
	calls     toolCalls
}

// toolServer makes the server for the first request that wants one.
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
			server.WithStreamableHTTPLogger(slog.New(slog.DiscardHandler)), // it would log what programs send
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
	out := &toolWriter{w: w, header: http.Header{}, over: s.lease.ctx, patience: s.gateway.bounds.write}
	defer s.lease.atEnd(out.hurry)()
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
			<-p.call.done // soon, with its context: it may be what failed
		}
		failTools(w, s.lease.ended()) // it was under way when the episode ended
		return
	}
	if p.call != nil {
		s.release(p, out.arrived() && r.Context().Err() == nil)
	}
}

// accept reads what a request asks for, and counts it where it waits for notifications. done is for its end.
func (s *toolServer) accept(p *posted, w http.ResponseWriter, r *http.Request) (done func(), _ *problem) {
	switch r.Method {
	case http.MethodPost:
		body, understood, problem := s.gateway.read(w, r, s.lease, mostToolBytes)
		if problem != nil {
			return nil, problem
		}
		understood = sync.OnceFunc(understood)
		p.read(r.Header, body.Bytes())
		heard := func() {}
		if p.listens {
			if heard, problem = s.listen(); problem != nil {
				understood()
				return nil, problem
			}
		}
		r.Body = &once{bytes.NewReader(body.Bytes()), understood}
		s.look()
		return func() {
			understood() // a request may have been refused unread
			heard()
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

// once is a body that the library reads to its end, into a copy. There done is called, and the body is let go: a call
// may wait for minutes, and needs it no more.
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

// listen counts a stream of notifications, where there may be one more. done is for its end.
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

// look takes notice of the tools that there are: programs hear when there are others.
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
		// What the library makes of schemas, as of x-mcp-header in them, is not the environment's word.
		known[i] = server.ServerTool{Tool: mcp.Tool{Name: t.Name}, Handler: s.call}
	}
	known = append(known, server.ServerTool{Tool: mcp.Tool{Name: unofferedTool}, Handler: s.call})
	s.protocol.SetTools(known...)
}

// unofferedTool has the calls of all tools that are not offered. It is in no list.
const unofferedTool = "awhost/unoffered"

// hooks has the environment answer calls of tools that it does not offer, as it does where the host calls for an agent:
// a model makes up names, and is to see what comes of that. The library would answer with an error of the protocol,
// which ends most programs.
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

// schemaOf is the schema as the environment gave it. MCP wants its type said: clients refuse the whole list otherwise.
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

// sessions are those of the older era. An id that is not known, also one that was deleted, is answered with 404, and
// the client begins anew; none at all does no harm.
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

// toolWriter is the way of an answer to a program. A comment may go before it.
type toolWriter struct {
	w        http.ResponseWriter
	over     context.Context // of the lease
	header   http.Header     // of the answer, as long as it has not begun
	patience time.Duration   // with a program that does not read

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
		return // by a comment
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

// extend gives a program its time to take what comes next, however long it was in coming.
func (o *toolWriter) extend() {
	_ = http.NewResponseController(o.w).SetWriteDeadline(time.Now().Add(o.patience))
	if o.over.Err() != nil {
		o.hurry()
	}
}

// hurry is for the end of an episode, which waits for nobody who does not read.
func (o *toolWriter) hurry() {
	_ = http.NewResponseController(o.w).SetWriteDeadline(time.Now().Add(hurried))
}

// Flush implements http.Flusher.
func (o *toolWriter) Flush() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.extend()
	o.failed = http.NewResponseController(o.w).Flush() != nil || o.failed
}

// comment says in a stream that the answer is under way.
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
