//go:build linux

package main

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"
)

// modelKey is the key that model servers require. It must appear nowhere else.
const modelKey = "sk-canary-31415926535"

// modelServer implements `modelserver KIND`: it starts an OpenAI-style server with a model that calculates sums with
// the calculator, and stores its address in $MODEL_URL. The kinds:
//
//	knows    calls the right tool and answers with its result
//	advises  like knows, and answers with text to callers without tools
//	writes   like knows, and writes its calls as text
//	mute     answers with empty text
//	crowded  like knows, and refuses each request once as one too many
//	broken   ends in an error that quotes the key
//	small    has a context that is always too short
//	tokens   like knows, with tokens in vLLM's form; a fake: nothing is sampled
//	offbyone the same, with one log-probability too many
//	logprobs the same, without ids
//	judges   gives 7 of 10 points for the criterion "right"; a fake judge
//
// The file requests in the script's directory has a line for each received request.
func modelServer(ts *testscript.TestScript, neg bool, args []string) {
	want(
		ts,
		!neg && len(args) == 1,
		"modelserver knows|advises|writes|mute|crowded|broken|small|tokens|offbyone|logprobs|judges",
	)
	requests, err := os.Create(filepath.Join(ts.Getenv("WORK"), "requests"))
	ts.Check(err)
	ts.Defer(func() { _ = requests.Close() })
	model := &sumModel{kind: args[0], refused: map[string]bool{}, requests: requests}
	server := httptest.NewServer(model)
	ts.Defer(server.Close)
	ts.Setenv("MODEL_URL", server.URL+"/v1")
}

type sumModel struct {
	kind string

	mu       sync.Mutex
	refused  map[string]bool // bodies
	requests io.Writer
}

type chatMessage struct {
	Role    string `json:"role"`
	Content string `json:"content"`

	ToolCalls []struct {
		Function struct {
			Name      string `json:"name"`
			Arguments string `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
}

// text returns a message as rendered by the fake's template. Its bytes are the tokens.
func (m chatMessage) text() string {
	out := "<" + m.Role + ">" + m.Content
	for _, call := range m.ToolCalls {
		out += call.Function.Name + call.Function.Arguments
	}
	return out + ";"
}

// ServeHTTP implements http.Handler.
func (m *sumModel) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	m.mu.Lock()
	_, failed := fmt.Fprintf(m.requests, "%x\n", sha256.Sum256(body))
	m.mu.Unlock()
	err = errors.Join(err, failed)
	var request struct {
		Model    string        `json:"model"`
		Messages []chatMessage `json:"messages"`
		Tools    []chatTool    `json:"tools"`
	}
	switch {
	case r.Header.Get("Authorization") != "Bearer "+modelKey:
		refuse(w, http.StatusUnauthorized, "no key")
	case err != nil || json.Unmarshal(body, &request) != nil || request.Model != "sums" ||
		len(request.Tools) == 0 && m.kind != "advises" && m.kind != "writes" && m.kind != "judges" && !m.gives():
		refuse(w, http.StatusBadRequest, "this is no request for sums with tools")
	case m.kind == "judges":
		_, id, _ := strings.Cut(request.Messages[1].Content, "The id of your verdict is ")
		reply(
			w,
			fmt.Sprintf(
				`{"role":"assistant","content":"{\"id\":\"%s\",\"reason\":\"so it seems\",\"points\":{\"right\":7}}"}`,
				strings.TrimSuffix(id, "."),
			),
			"stop",
		)
	case m.kind == "broken":
		w.Header().Set("X-Should-Retry", "false") // the pauses between retries take time
		refuse(w, http.StatusInternalServerError, "cannot serve "+modelKey)
	case m.kind == "small":
		refuse(w, http.StatusBadRequest, "This model's maximum context length is 2 tokens.")
	case m.kind == "crowded" && m.first(string(body)):
		w.Header().Set("Retry-After", "0.001")
		refuse(w, http.StatusTooManyRequests, "too many requests")
	case m.gives():
		m.replyInTokens(w, request.Messages, request.Tools)
	case len(request.Tools) == 0:
		reply(w, `{"role":"assistant","content":"Use a tool."}`, "stop")
	case m.kind == "mute":
		reply(w, `{"role":"assistant","content":""}`, "stop")
	default:
		message, finish := work(request.Messages, request.Tools)
		if m.kind == "writes" {
			message, finish = asText(message), "stop"
		}
		reply(w, message, finish)
	}
}

// asText returns a message with its calls in its text, as from a server that was started without a tool parser.
func asText(message string) string {
	var said chatMessage
	if json.Unmarshal([]byte(message), &said) != nil || len(said.ToolCalls) == 0 {
		return message
	}
	called := said.ToolCalls[0].Function
	text := fmt.Sprintf(`<tool_call>{"name":%q,"arguments":%s}</tool_call>`, called.Name, called.Arguments)
	return `{"role":"assistant","content":` + strconv.Quote(text) + `}`
}

// gives reports whether the model returns more than text.
func (m *sumModel) gives() bool {
	return m.kind == "tokens" || m.kind == "offbyone" || m.kind == "logprobs"
}

// replyInTokens answers in vLLM's form, according to its sources.
func (m *sumModel) replyInTokens(w http.ResponseWriter, messages []chatMessage, tools []chatTool) {
	message, finish := `{"role":"assistant","content":"Use a tool."}`, "stop"
	if len(tools) > 0 {
		message, finish = work(messages, tools)
	}
	var said chatMessage
	if json.Unmarshal([]byte(message), &said) != nil {
		refuse(w, http.StatusInternalServerError, "the fake's own message cannot be read")
		return
	}
	prompt := ""
	for _, m := range messages {
		prompt += m.text()
	}
	sampled := strings.TrimPrefix(said.text(), "<assistant>")
	answer := map[string]any{
		"usage": map[string]int{"prompt_tokens": len(prompt) + 11, "completion_tokens": len(sampled)},
	}
	content := []any{}
	for range sampled {
		content = append(content, map[string]any{"token": "", "logprob": -0.5})
	}
	if m.kind == "offbyone" {
		content = append(content, content[0])
	}
	choice := map[string]any{
		"index": 0, "message": json.RawMessage(message), "finish_reason": finish,
		"logprobs": map[string]any{"content": content},
	}
	if m.kind != "logprobs" {
		answer["prompt_token_ids"], choice["token_ids"] = tokensOf(prompt+"<assistant>"), tokensOf(sampled)
	}
	answer["choices"] = []any{choice}
	_ = json.NewEncoder(w).Encode(answer)
}

func tokensOf(text string) (out []int) {
	for _, b := range []byte(text) {
		out = append(out, int(b))
	}
	return out
}

func (m *sumModel) first(body string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	was := m.refused[body]
	m.refused[body] = true
	return !was
}

func refuse(w http.ResponseWriter, status int, message string) {
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"error":{"message":%s}}`, strconv.Quote(message))
}

func reply(w http.ResponseWriter, message, finish string) {
	fmt.Fprintf(
		w,
		`{"id":"1","object":"chat.completion","choices":[{"index":0,"message":%s,"finish_reason":%q,"logprobs":null}],"usage":{"prompt_tokens":9,"completion_tokens":5,"total_tokens":14}}`,
		message,
		finish,
	)
}

var sumPattern = regexp.MustCompile(`^(\d+)([-+*%])(\d+)=(?:\n|$)`) // other members' text may follow

// chatTool is a tool in a request.
type chatTool struct {
	Function struct {
		Name        string `json:"name"`
		Description string `json:"description"`
	} `json:"function"`
}

// knowsSums is the description of the member of a swarm that the model asks.
const knowsSums = "knows sums"

// work returns the model's next message: a question to the member that knows sums, if there is one, or a tool call.
// After a result it returns the answer.
func work(messages []chatMessage, tools []chatTool) (message, finish string) {
	last := messages[len(messages)-1]
	if last.Role == "tool" {
		answer := last.Content
		if !strings.Contains(answer, "<answer>") {
			answer = "<answer>" + answer + "</answer>"
		}
		return fmt.Sprintf(`{"role":"assistant","content":%s}`, strconv.Quote(answer)), "stop"
	}
	for _, tool := range tools {
		if tool.Function.Description == knowsSums {
			asked, _ := json.Marshal(map[string]string{"content": last.Content})
			return call(tool.Function.Name, string(asked)), "tool_calls"
		}
	}
	sum := sumPattern.FindStringSubmatch(last.Content)
	if sum == nil {
		return `{"role":"assistant","content":"I do sums only."}`, "stop"
	}
	name := map[string]string{"+": "add", "-": "sub", "*": "mul", "%": "mod"}[sum[2]]
	return call(name, `{"a":`+sum[1]+`,"b":`+sum[3]+`}`), "tool_calls"
}

func call(name, arguments string) string {
	return `{"role":"assistant","content":null,"refusal":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"` +
		name + `","arguments":` + strconv.Quote(
		arguments,
	) + `}}]}`
}

// sameSuccess compares an evaluation with the last validation that a run has reported.
func sameSuccess(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, !neg && len(args) == 2, "samesuccess EVENTS EVALUATION")
	var metrics map[string]float64
	ts.Check(json.Unmarshal(lastOf(ts, args[0], "run_finished")["metrics"], &metrics))
	var rate struct{ Value float64 }
	ts.Check(json.Unmarshal(lastOf(ts, args[1], "evaluation")["success_rate"], &rate))
	recorded, ok := metrics["validation/success_rate"]
	if !ok || recorded != rate.Value {
		ts.Fatalf(
			"the run validated with a success of %v (known: %v), the evaluation found %v",
			recorded,
			ok,
			rate.Value,
		)
	}
	if strings.Contains(ts.ReadFile(args[1]), modelKey) {
		ts.Fatalf("%s shows the key", args[1])
	}
}

var _ http.Handler = (*sumModel)(nil)
