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

// The numbers of a lease's tools.
const (
	metricToolCalls  = "tool_calls"  // that were made
	metricToolErrors = "tool_errors" // of them those that failed, whatever the reason, and were not called off
	metricToolJoined = "tool_joined" // requests that got the answer of a call whose connection had been cut
)

// toolKey is what makes two requests one: the id that the program gave it, the session of the older era in which it did
// so, and the body.
type toolKey struct {
	session, id string
	body        [sha256.Size]byte
}

// toolCalls are the calls of a lease that are under way, or were cut off. Guarded by toolServer.mu.
type toolCalls struct {
	open    map[toolKey][]*toolCall
	kept    []*toolCall // cut off, with an answer that nobody takes: at most mostCut, the oldest first
	pending int
	made    int
	last    chan struct{} // closed when the last call has had its turn
	ended   string        // how the environment has ended the episode
}

func newToolCalls() toolCalls {
	first := make(chan struct{})
	close(first)
	return toolCalls{open: map[toolKey][]*toolCall{}, last: first}
}

// toolCall is a step that is taken once, whoever asks for it how often.
type toolCall struct {
	key    toolKey
	stop   context.CancelFunc
	done   chan struct{} // closed when it has an answer
	result *mcp.CallToolResult
	err    error

	// guarded by toolServer.mu
	holders  int  // requests that wait for it
	cut      bool // its connection ended before its answer was written
	answered bool // it was not called off
}

// posted is a request as it came.
type posted struct {
	out        *toolWriter
	connection context.Context
	lease      *lease
	key        toolKey
	modern     bool   // of the newer era
	listens    bool   // it asks for a stream of notifications, as the newer era does
	unoffered  string // the tool that it calls, where the environment offers none of that name
	call       *toolCall
}

type postedKey struct{}

// read finds what a body asks for, and what names the call, if it asks for one.
func (p *posted) read(header http.Header, body []byte) {
	var request struct {
		ID     json.RawMessage `json:"id"`
		Method mcp.MCPMethod   `json:"method"`
	}
	_ = json.Unmarshal(body, &request) // what is no request is refused elsewhere
	p.listens = request.Method == mcp.MethodSubscriptionsListen
	p.modern = mcp.IsModernProtocol(header.Get(mcp.HeaderProtocolVersion))
	p.key = toolKey{id: string(request.ID), body: sha256.Sum256(body)}
	if !p.modern { // there are no sessions in the newer one
		p.key.session = header.Get(server.HeaderKeySessionID)
	}
}

// call answers tools/call. An error of it ends most programs, and says that the episode is over.
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
				<-ctx.Done() // nothing is written then, and the program hears that the episode is over
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

// waiting says that the answer is under way, so that no limit of the program's passes: as progress where it wants to
// hear of that.
func (s *toolServer) waiting(ctx context.Context, p *posted, meta *mcp.Meta, n int) {
	if meta != nil && meta.ProgressToken != nil {
		_ = s.protocol.SendNotificationToClient(ctx, "notifications/progress", map[string]any{
			"progressToken": meta.ProgressToken, "progress": n, "message": "under way",
		}) // one that is lost makes no difference
		return
	}
	if stream, ok := server.ClientSessionFromContext(ctx).(server.SessionWithStreamableHTTPConfig); ok {
		stream.UpgradeToSSEWhenReceiveNotification()
		p.out.comment()
	}
}

// ask finds the call of a request: a new one, or the one that it repeats. It refuses what cannot be called any more.
func (s *toolServer) ask(p *posted, r mcp.CallToolRequest) (c *toolCall, refusal string) {
	if decoded, ok := r.Params.Arguments.(map[string]any); ok {
		clear(decoded) // the environment gets the arguments as they were written, and the call may take minutes
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
		<-before // whoever is next waits for all before
		s.mu.Lock()
		defer s.mu.Unlock()
		s.calls.pending--
	})
	return c, ""
}

// repeated finds the call that a request repeats: within a session of the older era an id means one call; without one
// another program may use the same, unless nobody waits for the call any more.
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

// messageOf is a call as a message of the agent's own. Where the program says which call of the model it carries out,
// the call has that id.
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

// metaToolUse is where Claude Code says which call of the model it carries out.
const metaToolUse = "claudecode/toolUseId"

// step takes the step of a call, when it is its turn.
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
	case ctx.Err() != nil && errors.Is(err, ctx.Err()): // called off: who asks again wants another call
		c.err = fmt.Errorf("the call was called off: %w", ctx.Err())
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

// release says what became of an answer. Where it has not arrived, a repeat gets it; in the newer era the end of a
// connection calls the call off, too.
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

// keep has a repeat get the answer of a call that was cut off, and forgets the oldest of too many. A call that has no
// answer, as it is under way or was called off, takes the place of none that has.
func (t *toolCalls) keep(c *toolCall) {
	if !c.cut || c.holders > 0 || !c.answered {
		return
	}
	t.kept = append(t.kept, c)
	if len(t.kept) > mostCut {
		t.forget(t.kept[0])
	}
}

// forget makes the next request that is equal another call.
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

// The ends of an episode, as a program hears of them when it calls a tool afterwards.
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

// resultOf is the answer of the environment to one call: the result, and whatever it says besides.
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

// attach adds what the environment answered beside text. The text still says that it is there.
func attach(result *mcp.CallToolResult, list []sdk.Attachment) {
	for _, a := range list {
		data := base64.StdEncoding.EncodeToString(a.Data)
		switch {
		case a.Kind == sdk.AttachmentStructured:
			result.StructuredContent = a.JSON
		case a.Kind == sdk.AttachmentLink:
			result.Content = append(result.Content, mcp.NewResourceLink(a.URI, cmp.Or(a.Name, a.URI), "", a.MIMEType))
		case a.Data == nil: // the text has it, or it was left out
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

// failureOf is an error of a step: a mistake of the program's, which it hears of, or the end of the episode.
func failureOf(err error) (*mcp.CallToolResult, error) {
	var failure *sdk.Failure
	if errors.As(err, &failure) && failure.Class == sdk.FailureAgent {
		return mcp.NewToolResultError(failure.Detail), nil
	}
	return nil, fmt.Errorf("the episode has failed: %w", err)
}
