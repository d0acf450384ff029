package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime/pprof"
	"strconv"
	"strings"
	"time"

	"github.com/awhost/awhost/host/gateway"
	"github.com/awhost/awhost/host/journal"
	"github.com/awhost/awhost/sdk"
)

// The kinds of serving processes.
const (
	servesGateway = "gateway"
	servesBare    = "bare"
)

// turnsPerEpisode counts seven tool calls and a final answer.
const turnsPerEpisode = 8

// serve serves until its standard input ends. It first prints its URL, and then answers commands for leases: "grant"
// with a key, "end KEY" without output.
func serve(kind string, o options, in io.Reader, out io.Writer) error {
	if o.profile != "" {
		file, err := os.Create(o.profile)
		if err != nil {
			return err
		}
		defer file.Close()
		if err := pprof.StartCPUProfile(file); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	if kind == servesBare {
		return serveBare(o.latency, in, out)
	}
	return serveGateway(o.latency, in, out)
}

func serveGateway(latency time.Duration, in io.Reader, out io.Writer) (err error) {
	dir, err := os.MkdirTemp("", "awhost-bench-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	record, _, err := journal.Open(filepath.Join(dir, "journal"), journal.Options{Writer: "bench"})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, record.Close()) }()
	g, err := gateway.Listen(gateway.Options{})
	if err != nil {
		return err
	}
	defer g.Close()
	fmt.Fprintln(out, g.URL())
	leases := map[string]func() map[string]float64{}
	for lines := bufio.NewScanner(in); lines.Scan(); {
		if key, ends := strings.CutPrefix(lines.Text(), "end "); ends {
			leases[key]()
			delete(leases, key)
			continue
		}
		endpoint, end := g.Grant(context.Background(), gateway.Lease{Model: &policy{latency: latency, record: record}})
		leases[endpoint.APIKey] = end
		fmt.Fprintln(out, endpoint.APIKey)
	}
	return nil
}

// policy plays one episode and records each response before it returns it.
type policy struct {
	latency time.Duration
	record  *journal.Journal
	calls   int // sequential
}

// Generate implements sdk.AgentModel.
func (p *policy) Generate(ctx context.Context, req sdk.ModelRequest) (*sdk.ModelReply, error) {
	answers := time.After(p.latency)
	p.calls++
	reply := &sdk.ModelReply{
		CallID: fmt.Sprintf("episode/1.%d", p.calls), Chain: "chain", ChainLength: req.Base + len(req.Messages) + 1,
		PromptTokens: 300 + 60*p.calls, OutputTokens: 24, Message: sdk.Message{Role: sdk.RoleAssistant},
	}
	if p.calls < turnsPerEpisode {
		id := "call_" + strconv.Itoa(p.calls)
		reply.Message.ToolCalls = []sdk.ToolCall{{ID: id, Name: "add", Arguments: `{"a": 7, "b": 1}`}}
	} else {
		reply.Message.Content = finalAnswer
	}
	select {
	case <-answers:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if _, err := p.record.Append(ctx, 1, reply); err != nil {
		return nil, err
	}
	return reply, nil
}

const finalAnswer = "The answer is 7"

// serveBare sends the same bytes as the gateway and reads only an episode's progress from a request.
func serveBare(latency time.Duration, in io.Reader, out io.Writer) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: bare(latency), ReadHeaderTimeout: time.Minute}
	serving := make(chan error, 1)
	go func() { serving <- server.Serve(listener) }()
	fmt.Fprintln(out, "http://"+listener.Addr().String())
	for lines := bufio.NewScanner(in); lines.Scan(); {
		if lines.Text() == "grant" {
			fmt.Fprintln(out, "key")
		}
	}
	if err := server.Close(); err != nil {
		return err
	}
	if err := <-serving; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func bare(latency time.Duration) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		answers := time.After(latency)
		body, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		turn := bytes.Count(body, []byte(`"role":"tool"`)) + 1
		text := answerText(turn, bytes.Contains(body, []byte(`"stream":true`)))
		<-answers
		if strings.HasPrefix(text, "data:") {
			w.Header().Set("Content-Type", "text/event-stream")
		} else {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Length", strconv.Itoa(len(text)))
		}
		_, _ = io.WriteString(w, text)
	}
}

// answerText returns the gateway's answer in the given turn.
func answerText(turn int, stream bool) string {
	message := map[string]any{"role": "assistant", "content": finalAnswer, "refusal": nil}
	finish := "stop"
	call := map[string]any{
		"id": "call_" + strconv.Itoa(turn), "type": "function",
		"function": map[string]any{"name": "add", "arguments": `{"a": 7, "b": 1}`},
	}
	if turn < turnsPerEpisode {
		message["content"], message["tool_calls"], finish = nil, []any{call}, "tool_calls"
	}
	frame := func(object string, choice any) map[string]any {
		return map[string]any{
			"id": fmt.Sprintf("chatcmpl-episode/1.%d", turn), "object": object, "created": 0, "model": "policy",
			"choices": []any{choice},
		}
	}
	if !stream {
		whole := frame("chat.completion", map[string]any{
			"index": 0, "message": message, "finish_reason": finish, "logprobs": nil,
		})
		whole["usage"] = map[string]any{
			"prompt_tokens": 300 + 60*turn, "completion_tokens": 24, "total_tokens": 324 + 60*turn,
		}
		return encode(whole) + "\n"
	}
	var out strings.Builder
	delta := func(d map[string]any, finish any) {
		out.WriteString("data: " + encode(frame("chat.completion.chunk", map[string]any{
			"index": 0, "delta": d, "finish_reason": finish, "logprobs": nil,
		})) + "\n\n")
	}
	delta(map[string]any{"role": "assistant", "content": ""}, nil)
	if turn < turnsPerEpisode {
		delta(map[string]any{"tool_calls": []any{call}}, nil)
	} else {
		delta(map[string]any{"content": finalAnswer}, nil)
	}
	delta(map[string]any{}, finish)
	return out.String() + "data: [DONE]\n\n"
}

func encode(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // maps of texts and numbers always have a JSON form
	}
	return string(text)
}
