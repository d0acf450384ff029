package gateway

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/awhost/awhost/sdk"
)

// answer writes a response to a program. Streams are generated from the complete response, which has already been
// recorded.
type answer struct {
	w         http.ResponseWriter
	control   *http.ResponseController
	ctx       context.Context // of the connection
	lease     *lease
	ask       *ask
	dialect   dialect
	keepAlive time.Duration
	patience  time.Duration // limit for a program that does not read
	begun     bool          // the status has been written
}

// await waits for a response. Streaming clients receive keep-alive comments; an error that occurs before the first
// comment is sent with its own status. It returns false if the connection has been closed.
func (a *answer) await(done, over <-chan struct{}) bool {
	tick := time.NewTicker(a.keepAlive)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return a.ctx.Err() == nil
		case <-over:
			<-done // soon: the policy's calls are canceled
			return a.ctx.Err() == nil
		case <-a.ctx.Done():
			return false
		case <-tick.C:
			if a.ask.stream && !a.comment() {
				return false
			}
		}
	}
}

// comment writes a line that clients of event streams ignore. An empty line after it would form an empty event, which
// some clients try to parse as JSON.
func (a *answer) comment() bool {
	a.begin()
	return a.send([]byte(": keep-alive\n")) && a.flushed()
}

func (a *answer) begin() {
	if a.begun {
		return
	}
	a.begun = true
	h := a.w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-cache")
	h.Set("X-Accel-Buffering", "no")
	a.w.WriteHeader(http.StatusOK)
}

// send writes text. A program that does not read for a while is considered disconnected.
func (a *answer) send(text []byte) bool {
	a.wait()
	_, err := a.w.Write(text)
	return err == nil
}

// hurried is how long a program has to read a response after its episode has ended: the end of the episode waits for
// it.
const hurried = time.Second

func (a *answer) shortenDeadline() { _ = a.control.SetWriteDeadline(time.Now().Add(hurried)) }

// wait extends the deadline for the next write.
func (a *answer) wait() {
	_ = a.control.SetWriteDeadline(time.Now().Add(a.patience))
	if a.lease.ctx.Err() != nil {
		a.shortenDeadline()
	}
}

// flushed reports whether the written bytes were sent on a connection that was still open. A program that closes the
// connection right afterward has received all of them.
func (a *answer) flushed() bool { return a.ctx.Err() == nil && a.control.Flush() == nil }

// fail sends an error and reports whether it has arrived.
func (a *answer) fail(p *problem) bool {
	if !a.begun {
		a.wait()
		return a.ctx.Err() == nil && fail(a.w, a.dialect, p)
	}
	return a.events(a.dialect.trouble(p))
}

// write sends a response and reports whether its last part has arrived.
func (a *answer) write(replies []*sdk.ModelReply) bool {
	if !a.ask.stream {
		return a.ctx.Err() == nil && replyWhen(a.w, a.dialect.whole(replies, a.ask), a.wait)
	}
	a.begin()
	return a.events(a.dialect.events(replies, a.ask))
}

func (a *answer) events(list []event) bool {
	for _, e := range list {
		if !a.send(e.text()) {
			return false
		}
	}
	return a.flushed()
}

type wireCall struct {
	Index    *int         `json:"index,omitempty"` // in streams
	ID       string       `json:"id,omitempty"`
	Type     string       `json:"type,omitempty"`
	Function wireFunction `json:"function"`
}

type wireFunction struct {
	Name      string `json:"name,omitempty"`
	Arguments string `json:"arguments"`
}

type wireUsage struct {
	Prompt     int `json:"prompt_tokens"`
	Completion int `json:"completion_tokens"`
	Total      int `json:"total_tokens"`
}

// usageOf returns the usage. The prompt is counted once, as it is for several samples of one prompt.
func usageOf(replies []*sdk.ModelReply) wireUsage {
	u := wireUsage{Prompt: replies[0].PromptTokens}
	for _, r := range replies {
		u.Completion += r.OutputTokens
	}
	u.Total = u.Prompt + u.Completion
	return u
}

func callsOf(m sdk.Message, indexed bool) []wireCall {
	var out []wireCall
	for i, c := range m.ToolCalls {
		call := wireCall{ID: c.ID, Type: "function", Function: wireFunction{Name: c.Name, Arguments: c.Arguments}}
		if indexed {
			call.Index = &i
		}
		out = append(out, call)
	}
	return out
}

// finishOf returns the finish reason of a message.
func finishOf(r *sdk.ModelReply) string {
	switch {
	case r.Finish == sdk.FinishLength:
		return "length"
	case len(r.Message.ToolCalls) > 0:
		return "tool_calls"
	}
	return "stop"
}

// idOf derives the ID of a response from its first message.
func idOf(replies []*sdk.ModelReply) string { return "chatcmpl-" + replies[0].CallID }

// whole implements dialect.
func (completions) whole(replies []*sdk.ModelReply, a *ask) any {
	choices := make([]any, len(replies))
	for i, r := range replies {
		message := map[string]any{"role": "assistant", "content": r.Message.Content, "refusal": nil}
		if calls := callsOf(r.Message, false); len(calls) > 0 {
			message["tool_calls"] = calls
			if r.Message.Content == "" {
				message["content"] = nil
			}
		}
		if r.Message.Reasoning != "" {
			message["reasoning_content"] = r.Message.Reasoning
		}
		choices[i] = map[string]any{"index": i, "message": message, "finish_reason": finishOf(r), "logprobs": nil}
	}
	return map[string]any{
		"id": idOf(replies), "object": "chat.completion", "created": stamp, "model": cmp.Or(a.by, modelName),
		"choices": choices, "usage": usageOf(replies),
	}
}

// events implements dialect: it returns the role, the text, each call as its name followed by its arguments, and the
// end.
func (completions) events(replies []*sdk.ModelReply, a *ask) []event {
	usage := a.usage
	var out []event
	chunk := func(choices any, more ...any) {
		c := map[string]any{
			"id": idOf(replies), "object": "chat.completion.chunk", "created": stamp, "model": cmp.Or(a.by, modelName),
			"choices": choices,
		}
		if len(more) > 0 {
			c["usage"] = more[0]
		} else if usage {
			c["usage"] = nil
		}
		out = append(out, event{data: c})
	}
	for i, r := range replies {
		delta := func(d map[string]any, finish any) {
			chunk([]any{map[string]any{"index": i, "delta": d, "finish_reason": finish, "logprobs": nil}})
		}
		delta(map[string]any{"role": "assistant", "content": ""}, nil)
		if r.Message.Reasoning != "" {
			delta(map[string]any{"reasoning_content": r.Message.Reasoning}, nil)
		}
		if r.Message.Content != "" {
			delta(map[string]any{"content": r.Message.Content}, nil)
		}
		for _, c := range callsOf(r.Message, true) {
			opening := c
			opening.Function.Arguments = ""
			delta(map[string]any{"tool_calls": []wireCall{opening}}, nil)
			delta(map[string]any{"tool_calls": []wireCall{
				{Index: c.Index, Function: wireFunction{Arguments: c.Function.Arguments}},
			}}, nil)
		}
		delta(map[string]any{}, finishOf(r))
	}
	if usage {
		chunk([]any{}, usageOf(replies))
	}
	return append(out, event{data: json.RawMessage("[DONE]")})
}
