package mcpenv

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/awhost/awhost/plugins/mcp-env/internal/server"
	"github.com/awhost/awhost/plugins/mcp-env/internal/toolset"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/placeholder"
)

// maxAttachedBytes limits the size of the attachments in one response: a message to the host is limited to 32 MiB,
// including the response's text.
const maxAttachedBytes = 8 << 20

// maxKeptCalls limits the number of calls listed in a state. All of them are counted.
const maxKeptCalls = 256

// session is one open episode.
type session struct {
	environment *environment
	id          string // unique across runs
	values      values

	turn            sync.Mutex // guards the calls of the episode, and their counts
	state           state
	errors, omitted int
	truncated       int

	mu     sync.Mutex              // held only briefly: ending the episode does not wait for its calls
	conns  map[string]*sessionConn // by server
	closed bool
}

// sessionConn is an episode's connection to a server.
type sessionConn struct {
	source *source
	conn   *server.Conn // changes under the session's lock; nil until the first call of a server that is started
	// modified is true if the episode has called a tool that may change something. In that case, it cannot continue on
	// another connection.
	modified bool
}

// state is the content of a Snapshot.
type state struct {
	Turns    int                        `json:"turns"`
	NumCalls int                        `json:"num_calls"`
	Calls    []callState                `json:"calls"` // the first calls
	State    map[string]json.RawMessage `json:"state,omitempty"`
}

// callState is a call made by the agent.
type callState struct {
	Tool    string `json:"tool"` // server/tool; for unknown tools the model's text
	IsError bool   `json:"is_error,omitempty"`
}

// connect takes the episode's connections to all servers concurrently, except for servers that start on their first
// call. If there are several errors, it returns the first server's error.
func (s *session) connect(ctx context.Context) error {
	problems := make([]error, len(s.environment.sources))
	var connecting sync.WaitGroup
	for i, source := range s.environment.sources {
		connecting.Go(func() {
			var conn *server.Conn
			if source.ready == nil {
				conn, problems[i] = source.take(ctx, s.id, s.values)
			}
			if problems[i] == nil {
				problems[i] = s.setConn(&sessionConn{source: source}, conn)
			}
		})
	}
	connecting.Wait()
	return cmp.Or(problems...)
}

// errEnded reports that an episode was ended while it was starting or during a call.
var errEnded = fmt.Errorf("%w: the episode has ended", sdk.ErrSessionLost)

// setConn assigns a connection to an open episode. If the episode has ended in the meantime, it ends the connection.
func (s *session) setConn(h *sessionConn, conn *server.Conn) error {
	s.mu.Lock()
	shut := s.closed
	if !shut {
		h.conn = conn
		s.conns[h.source.config.Name] = h
	}
	s.mu.Unlock()
	if !shut {
		return nil
	}
	(&sessionConn{source: h.source, conn: conn}).end()
	return errEnded
}

// end ends a connection that belongs to the episode.
func (h *sessionConn) end() {
	if !h.source.shared && h.conn != nil {
		h.conn.Close()
	}
}

// close ends the connections that belong to the episode, including their pending calls.
func (s *session) close() {
	s.mu.Lock()
	var open []*sessionConn
	if !s.closed {
		open = slices.Collect(maps.Values(s.conns))
	}
	s.closed = true
	s.mu.Unlock()
	var ending sync.WaitGroup
	for _, h := range open {
		ending.Go(h.end)
	}
	ending.Wait()
}

// with returns the episode's connection to a server.
func (s *session) with(server string) *sessionConn {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.conns[server]
}

// own makes awhost's own calls, in order.
func (s *session) own(ctx context.Context, calls []callConfig, take func(key string, r *server.Result) error) error {
	for _, c := range calls {
		arguments, err := parseArguments(c.Arguments, func(string) error { return nil }) // checked by validate
		if err != nil {
			return err
		}
		filled, err := placeholder.Fill(arguments, s.values)
		if err != nil {
			return &sdk.Failure{Class: sdk.FailureEnvironment, Detail: fmt.Sprintf("call %s: %s", c.Tool, err)}
		}
		text, err := json.Marshal(filled)
		if err != nil {
			return err
		}
		result, err := s.call(ctx, s.environment.tool(c.Tool), text)
		if err != nil {
			return err
		}
		if err := take(c.key(), result); err != nil {
			return err
		}
	}
	return nil
}

// checkSucceeded returns an error for an episode if its own calls fail.
func checkSucceeded(key string, r *server.Result) error {
	if !r.IsError {
		return nil
	}
	text, _ := textOf(r)
	return &sdk.Failure{Class: sdk.FailureEnvironment, Detail: fmt.Sprintf("call %s: %s", key, text)}
}

// call calls a tool. If the connection is lost, a repeatable tool is called again on a new one, provided that the
// episode has no state on the old one.
func (s *session) call(ctx context.Context, tool toolset.Tool, arguments json.RawMessage) (*server.Result, error) {
	h := s.with(tool.Server)
	if h == nil {
		return nil, errEnded
	}
	if err := s.renew(ctx, h); err != nil {
		return nil, err
	}
	result, err := h.conn.Call(ctx, tool.Name, arguments)
	if errors.Is(err, server.ErrLost) && tool.Repeatable && h.source.shared && !h.modified {
		h.source.config.Log.Warn("called again", "tool", tool.Name, "because", err)
		if err := s.renew(ctx, h); err != nil {
			return nil, err
		}
		result, err = h.conn.Call(ctx, tool.Name, arguments)
	}
	h.modified = h.modified || !tool.ReadOnly
	return result, classified(err)
}

// renew starts a server at the episode's first call. If the connection to a shared server has been lost, and the
// episode has no state there, it assigns the current connection.
func (s *session) renew(ctx context.Context, h *sessionConn) error {
	started := h.conn != nil
	if started && alive(h.conn) {
		return nil
	}
	if started && (!h.source.shared || h.modified) {
		return fmt.Errorf("%w: the connection with MCP server %q is lost", sdk.ErrSessionLost, h.source.config.Name)
	}
	conn, err := h.source.take(ctx, s.id, s.values)
	if err != nil {
		return err
	}
	return s.setConn(h, conn)
}

// classified converts a call's error to one of the host's error classes.
func classified(err error) error {
	if wrong := (*server.WrongAnswer)(nil); errors.As(err, &wrong) {
		return &sdk.Failure{Class: sdk.FailureEnvironment, Detail: err.Error()}
	}
	if errors.Is(err, server.ErrLost) {
		return fmt.Errorf("%w: %w", sdk.ErrSessionLost, err)
	}
	return err
}

// step handles an assistant message. A message that contains no calls, valid or malformed, is the last one.
func (s *session) step(ctx context.Context, message sdk.Message) (*sdk.StepResponse, error) {
	s.turn.Lock()
	defer s.turn.Unlock()
	s.state.Turns++
	response := &sdk.StepResponse{}
	for _, call := range message.ToolCalls {
		reply, err := s.answer(ctx, call)
		if err != nil {
			return nil, err
		}
		response.Messages = append(response.Messages, reply)
	}
	response.Messages = sdk.BoundAttachments(response.Messages, maxAttachedBytes)
	if len(message.ToolCalls) == 0 && len(message.Malformed) == 0 {
		response.Done = true
	} else if most := s.environment.config.MaxTurns; most > 0 && s.state.Turns >= most {
		response.Done, response.Truncated = true, true
	}
	return response, nil
}

// answer executes one of the agent's calls.
func (s *session) answer(ctx context.Context, call sdk.ToolCall) (sdk.Message, error) {
	reply := sdk.Message{Role: sdk.RoleTool, ToolCallID: call.ID, Name: call.Name}
	tool, known := s.environment.set.Find(call.Name)
	result := unknownTool(call.Name, s.environment.set)
	if known {
		var err error
		if result, err = s.attempt(ctx, tool, call.Arguments); err != nil {
			return reply, err
		}
	}
	var omitted int
	reply.Content, omitted = textOf(result)
	if short, cut := truncate(reply.Content, s.environment.config.MaxResult); cut {
		reply.Content = short
		s.truncated++
	}
	reply.Attachments = attachmentsOf(result)
	reply.IsError = result.IsError
	s.record(tool, call.Name, known, result.IsError)
	s.omitted += omitted
	return reply, nil
}

func (s *session) attempt(ctx context.Context, tool toolset.Tool, arguments string) (*server.Result, error) {
	var object map[string]json.RawMessage
	if err := json.Unmarshal([]byte(arguments), &object); err != nil || object == nil {
		return refusal("the arguments of %s are no JSON object", tool.Shown), nil
	}
	return s.call(ctx, tool, json.RawMessage(arguments))
}

func refusal(format string, args ...any) *server.Result {
	text := fmt.Sprintf(format, args...)
	return &server.Result{IsError: true, Content: []server.Content{{Kind: server.Text, Text: text}}}
}

// maxNamed limits the number of tools named in a refusal.
const maxNamed = 20

func unknownTool(name string, set *toolset.Set) *server.Result {
	var names []string
	for _, t := range set.Offered() {
		names = append(names, t.Shown)
	}
	if len(names) > maxNamed {
		names = append(names[:maxNamed:maxNamed], "…")
	}
	return refusal("there is no tool %.80q: use one of %s", name, strings.Join(names, ", "))
}

func (s *session) record(tool toolset.Tool, written string, known, isError bool) {
	s.state.NumCalls++
	if isError {
		s.errors++
	}
	if len(s.state.Calls) == maxKeptCalls {
		return
	}
	key := tool.Key()
	if !known {
		key = strings.ToValidUTF8(strings.Clone(written[:min(len(written), maxKeptName)]), "")
	}
	s.state.Calls = append(s.state.Calls, callState{Tool: key, IsError: isError})
}

// maxKeptName limits the length of an unknown tool's name in a state, in bytes.
const maxKeptName = 64

// snapshot requests the servers' state and returns it, together with the calls, as JSON.
func (s *session) snapshot(ctx context.Context) (json.RawMessage, error) {
	s.turn.Lock()
	defer s.turn.Unlock()
	shown := s.state
	shown.Calls = slices.Clone(s.state.Calls)
	if len(s.environment.config.State) > 0 {
		shown.State = map[string]json.RawMessage{}
	}
	err := s.own(ctx, s.environment.config.State, func(key string, r *server.Result) error {
		if err := checkSucceeded(key, r); err != nil {
			return err
		}
		if shown.State[key] = r.Structured; r.Structured == nil {
			text, _ := textOf(r)
			shown.State[key] = asJSON(text)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return json.Marshal(shown)
}

// asJSON returns a string unchanged if it is valid JSON, and encodes any other string as a JSON string.
func asJSON(text string) json.RawMessage {
	if json.Valid([]byte(text)) {
		return json.RawMessage(text)
	}
	quoted, _ := json.Marshal(text) // a string has a JSON form
	return quoted
}

func (s *session) metrics() map[string]float64 {
	s.turn.Lock()
	defer s.turn.Unlock()
	return map[string]float64{
		metricCalls: float64(s.state.NumCalls), metricErrors: float64(s.errors), metricOmitted: float64(s.omitted),
		metricCut: float64(s.truncated),
	}
}
