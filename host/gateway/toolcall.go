package gateway

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/awhost/awhost/sdk"
)

// The tool metrics of a lease.
const (
	metricToolCalls  = "tool_calls"  // calls made
	metricToolErrors = "tool_errors" // calls that failed for any reason and were not canceled
	metricToolJoined = "tool_joined" // requests that got the answer of a call whose connection had been cut
)

// toolKey identifies equal requests: the request ID chosen by the program, the session in the legacy protocol, and the
// body.
type toolKey struct {
	session, id string
	body        [sha256.Size]byte
}

// toolCalls are the calls of a lease that are in progress or were cut off. Guarded by toolServer.mu.
type toolCalls struct {
	open    map[toolKey][]*toolCall
	kept    []*toolCall // cut off, with an undelivered answer: at most mostCut, the oldest first
	pending int
	made    int
	last    chan struct{} // closed when the last call has had its turn
	ended   string        // reason why the environment ended the episode
}

func newToolCalls() toolCalls {
	first := make(chan struct{})
	close(first)
	return toolCalls{open: map[toolKey][]*toolCall{}, last: first}
}

// toolCall is a step that is executed once, no matter how often it is requested.
type toolCall struct {
	key    toolKey
	stop   context.CancelFunc
	done   chan struct{} // closed when the call has an answer
	result *mcp.CallToolResult
	err    error

	// guarded by toolServer.mu
	holders  int  // requests that wait for it
	cut      bool // its connection ended before its answer was written
	answered bool // it was not canceled
}

// posted is a received request.
type posted struct {
	out        *toolWriter
	connection context.Context
	lease      *lease
	key        toolKey
	modern     bool   // modern protocol
	listens    bool   // opens a stream of notifications (modern protocol)
	unoffered  string // the called tool, if the environment does not offer it
	call       *toolCall
}

type postedKey struct{}

// read parses the method and the call's key from a body.
func (p *posted) read(header http.Header, body []byte) {
	var request struct {
		ID     json.RawMessage `json:"id"`
		Method mcp.MCPMethod   `json:"method"`
	}
	_ = json.Unmarshal(body, &request) // invalid requests are rejected elsewhere
	p.listens = request.Method == mcp.MethodSubscriptionsListen
	p.modern = mcp.IsModernProtocol(header.Get(mcp.HeaderProtocolVersion))
	p.key = toolKey{id: string(request.ID), body: sha256.Sum256(body)}
	if !p.modern { // the modern protocol has no sessions
		p.key.session = header.Get(server.HeaderKeySessionID)
	}
}

// call answers tools/call. An error, which makes most programs exit, states that the episode has ended.
func (s *toolServer) call(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	p := ctx.Value(postedKey{}).(*posted)
	r.Params.Name = cmp.Or(p.unoffered, r.Params.Name)
	c, refusal := s.ask(p, r)
	if refusal != "" {
		s.lease.add(metricToolErrors)
		return mcp.NewToolResultError(refusal), nil
	}
	p.call = c
	tick := time.NewTicker(s.gateway.options.KeepAlive)
	defer tick.Stop()
	for n := 1; ; n++ {
		select {
		case <-c.done:
			if c.err != nil && s.lease.ctx.Err() != nil {
				<-ctx.Done() // nothing is written then, and the program gets the reply that the episode has ended
			}
			return c.result, c.err
		case <-ctx.Done():
			if p.connection.Err() == nil { // notifications/cancelled
				c.stop()
			}
			return nil, ctx.Err()
		case <-tick.C:
			s.waiting(ctx, p, r.Params.Meta, n)
		}
	}
}

// waiting sends a keep-alive so that the program does not time out: a progress notification if the program requested
// progress, and a comment otherwise.
func (s *toolServer) waiting(ctx context.Context, p *posted, meta *mcp.Meta, n int) {
	if meta != nil && meta.ProgressToken != nil {
		_ = s.protocol.SendNotificationToClient(ctx, "notifications/progress", map[string]any{
			"progressToken": meta.ProgressToken, "progress": n, "message": "under way",
		}) // a lost notification is harmless
		return
	}
	if stream, ok := server.ClientSessionFromContext(ctx).(server.SessionWithStreamableHTTPConfig); ok {
		stream.UpgradeToSSEWhenReceiveNotification()
		p.out.comment()
	}
}

// ask returns the call of a request: a new one, or the one that the request repeats. It returns a refusal if no call
// can be made.
func (s *toolServer) ask(p *posted, r mcp.CallToolRequest) (c *toolCall, refusal string) {
	if decoded, ok := r.Params.Arguments.(map[string]any); ok {
		clear(decoded) // the environment gets the raw arguments, and the call may take minutes
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.calls.repeated(p.key); c != nil {
		s.lease.add(metricToolJoined)
		return c, ""
	}
	s.lease.add(metricToolCalls)
	switch {
	case s.calls.ended != "":
		return nil, s.calls.ended
	case s.calls.pending == mostPending:
		return nil, fmt.Sprintf(
			"%d calls wait for their turn already: the environment takes one after the other", mostPending)
	}
	s.calls.made++
	s.calls.pending++
	c = &toolCall{key: p.key, done: make(chan struct{}), holders: 1}
	var ctx context.Context
	ctx, c.stop = context.WithCancel(s.lease.ctx)
	s.calls.open[p.key] = append(s.calls.open[p.key], c)
	message := messageOf(r, s.calls.made)
	before, turn := s.calls.last, make(chan struct{})
	s.calls.last = turn
	s.lease.busy.Go(func() {
		defer close(turn)
		defer c.stop()
		s.step(ctx, c, before, message)
		<-before // the next call waits for all earlier ones
		s.mu.Lock()
		defer s.mu.Unlock()
		s.calls.pending--
	})
	return c, ""
}

// repeated returns the call that a request repeats. Within a legacy-protocol session, an ID identifies one call.
// Without a session, another program may use the same ID, so a call is repeated only if no request is waiting for it.
func (t *toolCalls) repeated(key toolKey) *toolCall {
	for _, c := range t.open[key] {
		if c.cut && c.holders == 0 || key.session != "" {
			c.cut = false
			c.holders++
			t.kept = without(t.kept, c)
			return c
		}
	}
	return nil
}

// messageOf converts a call to an assistant message. If the program provides the ID of the model's call that it
// executes, the message uses that ID.
func messageOf(r mcp.CallToolRequest, number int) sdk.Message {
	arguments := strings.TrimSpace(string(r.Params.RawArguments))
	if arguments == "" || arguments == "null" {
		arguments = "{}"
	}
	id := fmt.Sprintf("mcp.%d", number)
	if r.Params.Meta != nil {
		if said, ok := r.Params.Meta.AdditionalFields[metaToolUse].(string); ok && said != "" {
			id = said
		}
	}
	return sdk.Message{Role: sdk.RoleAssistant, ToolCalls: []sdk.ToolCall{
		{ID: id, Name: r.Params.Name, Arguments: arguments},
	}}
}

// metaToolUse is the field in which Claude Code sends the ID of the model's call.
const metaToolUse = "claudecode/toolUseId"

// step executes a call's step when its turn comes.
func (s *toolServer) step(ctx context.Context, c *toolCall, before <-chan struct{}, message sdk.Message) {
	var out *sdk.StepResponse
	var err error
	select {
	case <-before:
		out, err = s.lease.Tools.Step(ctx, sdk.AgentStep{Message: &message})
	case <-ctx.Done():
		err = ctx.Err()
	}
	if err == nil && out.ToolsChanged {
		s.look()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	defer close(c.done)
	switch {
	case err == nil:
		c.result = resultOf(out)
		s.calls.ended = cmp.Or(s.calls.ended, endingOf(out))
	case ctx.Err() != nil && errors.Is(err, ctx.Err()): // canceled: a repeated request is another call
		c.err = fmt.Errorf("the tool call was canceled: %w", ctx.Err())
		s.calls.forget(c)
		return
	default:
		if c.result, c.err = failureOf(err); c.err != nil {
			s.lease.fail(err)
		}
	}
	if c.err != nil || c.result.IsError {
		s.lease.add(metricToolErrors)
	}
	c.answered = true
	s.calls.keep(c)
}

// release records whether a response was delivered. If it was not, a repeated request receives it. In the modern
// protocol, closing the connection also cancels the call.
func (s *toolServer) release(p *posted, arrived bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := p.call
	if c.holders--; c.holders > 0 {
		return
	}
	if arrived {
		s.calls.forget(c)
		return
	}
	if c.cut = true; p.modern {
		c.stop()
	}
	s.calls.keep(c)
}

// keep retains the response of a call that was cut off, for a repeated request, and drops the oldest one if there are
// too many. A call without a response, because it is in progress or was canceled, never displaces one with a response.
func (t *toolCalls) keep(c *toolCall) {
	if !c.cut || c.holders > 0 || !c.answered {
		return
	}
	t.kept = append(t.kept, c)
	if len(t.kept) > mostCut {
		t.forget(t.kept[0])
	}
}

// forget drops a call, so that the next identical request starts a new call.
func (t *toolCalls) forget(c *toolCall) {
	if t.open[c.key] = without(t.open[c.key], c); len(t.open[c.key]) == 0 {
		delete(t.open, c.key)
	}
	t.kept = without(t.kept, c)
}

func without(list []*toolCall, c *toolCall) []*toolCall {
	kept := list[:0]
	for _, other := range list {
		if other != c {
			kept = append(kept, other)
		}
	}
	return kept
}

// The replies to tool calls after the end of an episode.
const (
	endedDone      = "the environment has ended the episode: no tool can be called any more"
	endedTruncated = "the environment has ended the episode, because a limit of its own was reached: no tool can be " +
		"called any more"
)

func endingOf(out *sdk.StepResponse) string {
	switch {
	case out.Truncated:
		return endedTruncated
	case out.Done:
		return endedDone
	}
	return ""
}

// resultOf converts the environment's response to one call, including all of its messages.
func resultOf(out *sdk.StepResponse) *mcp.CallToolResult {
	result := &mcp.CallToolResult{Content: []mcp.Content{}}
	for _, m := range out.Messages {
		if m.Content == "" && len(m.Images) == 0 {
			result.Content = append(result.Content, mcp.NewTextContent(""))
		}
		for _, part := range m.Parts() {
			if part.Image == nil {
				result.Content = append(result.Content, mcp.NewTextContent(part.Text))
				continue
			}
			result.Content = append(result.Content, pictureOf(*part.Image))
		}
		attach(result, m.Attachments)
		result.IsError = result.IsError || m.IsError
	}
	if ending := endingOf(out); len(out.Messages) == 0 && ending != "" {
		result.Content = append(result.Content, mcp.NewTextContent(ending))
	}
	return result
}

// attach adds the attachments from the environment's response. The text still mentions them.
func attach(result *mcp.CallToolResult, list []sdk.Attachment) {
	for _, a := range list {
		data := base64.StdEncoding.EncodeToString(a.Data)
		switch {
		case a.Kind == sdk.AttachmentStructured:
			result.StructuredContent = a.JSON
		case a.Kind == sdk.AttachmentLink:
			result.Content = append(result.Content, mcp.NewResourceLink(a.URI, cmp.Or(a.Name, a.URI), "", a.MIMEType))
		case a.Data == nil: // contained in the text, or omitted
		case a.Kind == sdk.AttachmentImage:
			result.Content = append(result.Content, mcp.NewImageContent(data, a.MIMEType))
		case a.Kind == sdk.AttachmentAudio:
			result.Content = append(result.Content, mcp.NewAudioContent(data, a.MIMEType))
		case a.Kind == sdk.AttachmentResource:
			result.Content = append(result.Content, mcp.NewEmbeddedResource(
				mcp.BlobResourceContents{URI: a.URI, MIMEType: a.MIMEType, Blob: data}))
		}
	}
}

func pictureOf(image sdk.Image) mcp.Content {
	if image.URL != "" {
		return mcp.NewResourceLink(image.URL, "image", "", image.MIMEType)
	}
	return mcp.NewImageContent(base64.StdEncoding.EncodeToString(image.Data), image.MIMEType)
}

// failureOf converts a step error: to a tool error if the program caused it, or to the end of the episode otherwise.
func failureOf(err error) (*mcp.CallToolResult, error) {
	var failure *sdk.Failure
	if errors.As(err, &failure) && failure.Class == sdk.FailureAgent {
		return mcp.NewToolResultError(failure.Detail), nil
	}
	return nil, fmt.Errorf("the episode has failed: %w", err)
}
