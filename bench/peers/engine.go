package main

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// engine is a fake inference engine with OpenAI's chat completions API. It responds to a question with a tool call, and
// to the tool's result with an answer that repeats it. Each message takes the same time.
type engine struct {
	latency time.Duration
	url     string // including /v1
	close   func() error

	mu    sync.Mutex
	turns int                  // messages sent so far
	calls int                  // requests so far
	sent  map[string]time.Time // tool calls without a result, by ID
	added []time.Duration      // from each tool call to the request with its result
}

// startEngine serves an engine on a free loopback port.
func startEngine(latency time.Duration) (*engine, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	e := &engine{latency: latency, url: fmt.Sprintf("http://%s/v1", listener.Addr()), sent: map[string]time.Time{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", e.complete)
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, object{"object": "list", "data": []object{
			{"id": modelName, "object": "model", "created": 0, "owned_by": "awhost"},
		}})
	})
	mux.HandleFunc("GET /health", func(http.ResponseWriter, *http.Request) {}) // rllm's gateway requests it
	server := &http.Server{Handler: mux, ReadHeaderTimeout: time.Minute, ReadTimeout: time.Minute, IdleTimeout: time.Hour}
	e.close = server.Close
	go func() { _ = server.Serve(listener) }() // returns when the server is closed
	return e, nil
}

// modelName is the name under which the engine is requested.
const modelName = "fake"

// count returns the number of messages sent so far.
func (e *engine) count() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.turns
}

// takeAdded returns the delays since the last call of takeAdded, sorted.
func (e *engine) takeAdded() []time.Duration {
	e.mu.Lock()
	defer e.mu.Unlock()
	taken := e.added
	e.added = nil
	slices.Sort(taken)
	return taken
}

type object = map[string]any

// chatRequest holds the members of a request that the engine reads.
type chatRequest struct {
	Model    string `json:"model"`
	Messages []struct {
		Role       string `json:"role"`
		Content    any    `json:"content"`
		ToolCallID string `json:"tool_call_id"`
	} `json:"messages"`
	Tools []struct {
		Function struct {
			Name string `json:"name"`
		} `json:"function"`
	} `json:"tools"`
	Stream   bool `json:"stream"`
	LogProbs bool `json:"logprobs"`
	TokenIDs bool `json:"return_token_ids"`
}

var (
	questions = regexp.MustCompile(`Q\d+: what is (\d+) \+ (\d+)\?`)
	numbers   = regexp.MustCompile(`-?\d+`)
)

// text returns the text of a message, which is a string or a list of parts.
func text(content any) (out string) {
	switch content := content.(type) {
	case string:
		return content
	case []any:
		for _, part := range content {
			out += text(part)
		}
	case object:
		return text(content["text"])
	}
	return out
}

// complete responds to a request after the engine's latency.
func (e *engine) complete(w http.ResponseWriter, r *http.Request) {
	ready := time.Now().Add(e.latency)
	var req chatRequest
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var a, b, result, answered string
	for _, m := range req.Messages {
		if found := questions.FindStringSubmatch(text(m.Content)); m.Role == "user" && found != nil {
			a, b = found[1], found[2]
		}
		if m.Role == "tool" {
			result, answered = text(m.Content), m.ToolCallID
		}
	}
	id, call := e.begin(answered, ready.Add(-e.latency)), ""
	found := append([]string{"missing"}, numbers.FindAllString(result, -1)...)
	answer := "<answer>" + found[len(found)-1] + "</answer>"
	message, finish := object{"role": "assistant", "content": answer}, "stop"
	if answered == "" && len(req.Tools) > 0 && a != "" {
		call = "call_" + id
		message, finish = toolCall(call, addTool(req), a, b), "tool_calls"
	}
	reply := completion(req, id, message, finish)
	time.Sleep(time.Until(ready))
	e.mu.Lock()
	e.turns++
	if call != "" {
		e.sent[call] = time.Now()
	}
	e.mu.Unlock()
	if req.Stream {
		writeEvents(w, reply)
		return
	}
	writeJSON(w, reply)
}

// begin assigns an ID to a request and records the delay of the tool result in it.
func (e *engine) begin(answered string, at time.Time) (id string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.calls++
	if sent, ok := e.sent[answered]; ok {
		e.added = append(e.added, at.Sub(sent))
		delete(e.sent, answered)
	}
	return strconv.Itoa(e.calls)
}

// addTool returns the name of the tool that adds, which some systems prefix.
func addTool(req chatRequest) string {
	for _, tool := range req.Tools {
		if strings.HasSuffix(tool.Function.Name, "add") {
			return tool.Function.Name
		}
	}
	return req.Tools[0].Function.Name
}

func toolCall(id, name, a, b string) object {
	return object{"role": "assistant", "content": nil, "tool_calls": []object{{
		"index": 0, "id": id, "type": "function",
		"function": object{"name": name, "arguments": fmt.Sprintf(`{"a": %s, "b": %s}`, a, b)},
	}}}
}

// The lengths that the engine reports.
const (
	promptTokens  = 300
	messageTokens = 24
)

// completion returns a whole response, with log probabilities and token IDs if the request asks for them.
func completion(req chatRequest, id string, message object, finish string) object {
	choice := object{"index": 0, "message": message, "finish_reason": finish, "logprobs": nil}
	reply := object{
		"id": "chatcmpl-" + id, "object": "chat.completion", "created": 0, "model": req.Model, "choices": []object{choice},
		"usage": object{
			"prompt_tokens": promptTokens, "completion_tokens": messageTokens, "total_tokens": promptTokens + messageTokens,
		},
	}
	if req.TokenIDs {
		choice["token_ids"], reply["prompt_token_ids"] = tokens(1000, messageTokens), tokens(100, promptTokens)
	}
	if req.LogProbs || req.TokenIDs {
		var content []object
		for _, token := range tokens(1000, messageTokens) {
			content = append(content, object{
				"token": fmt.Sprintf("token_id:%d", token), "logprob": -0.1, "bytes": nil, "top_logprobs": []object{},
			})
		}
		choice["logprobs"] = object{"content": content}
	}
	return reply
}

func tokens(first, n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = first + i
	}
	return out
}

func writeJSON(w http.ResponseWriter, value any) {
	text := encode(value)
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	_, _ = w.Write(text)
}

// writeEvents sends a response as a stream with one chunk.
func writeEvents(w http.ResponseWriter, reply object) {
	choice := reply["choices"].([]object)[0]
	reply["object"], choice["delta"] = "chat.completion.chunk", choice["message"]
	delete(choice, "message")
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprintf(w, "data: %s\n\ndata: [DONE]\n\n", encode(reply))
}

func encode(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // objects of texts and numbers always have a JSON form
	}
	return text
}
