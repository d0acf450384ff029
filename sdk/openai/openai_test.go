package openai_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/openai"
)

const key = "sk-very-secret-1234"

// server answers requests from a script and records them.
type server struct {
	t       *testing.T
	url     string
	answers []answer // the last one repeats
	bodies  []map[string]any
	headers []http.Header
}

type answer struct {
	status int
	header map[string]string
	body   string
}

func ok(message string) answer {
	return answer{body: `{"choices":[{"message":` + message +
		`,"finish_reason":"stop"}],"usage":{"prompt_tokens":7,"completion_tokens":3}}`}
}

func refuse(status int, body string, header ...string) answer {
	a := answer{status: status, body: body, header: map[string]string{}}
	for i := 0; i+1 < len(header); i += 2 {
		a.header[header[i]] = header[i+1]
	}
	return a
}

func serve(t *testing.T, answers ...answer) *server {
	t.Helper()
	s := &server{t: t, answers: answers}
	h := httptest.NewServer(s)
	t.Cleanup(h.Close)
	s.url = h.URL + "/v1"
	return s
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/v1/chat/completions" {
		http.NotFound(w, r)
		return
	}
	text, err := io.ReadAll(r.Body)
	var body map[string]any
	if err != nil || json.Unmarshal(text, &body) != nil {
		s.t.Errorf("the request is not a JSON object: %s", text)
	}
	a := s.answers[min(len(s.bodies), len(s.answers)-1)]
	s.bodies, s.headers = append(s.bodies, body), append(s.headers, r.Header)
	for name, value := range a.header {
		w.Header().Set(name, value)
	}
	if a.status != 0 {
		w.WriteHeader(a.status)
	}
	_, _ = io.WriteString(w, a.body)
}

// endpoint returns an endpoint of the server whose pauses take no time, and the list of these pauses.
func (s *server) endpoint(change func(*openai.Config)) (*openai.Endpoint, *[]time.Duration) {
	s.t.Helper()
	pauses := &[]time.Duration{}
	c := openai.Config{BaseURL: s.url, APIKey: key, Name: "m", MaxRetries: 3, Timeout: time.Minute,
		Wait: func(_ context.Context, d time.Duration) error {
			*pauses = append(*pauses, d)
			return nil
		}}
	if change != nil {
		change(&c)
	}
	e, err := openai.New(c)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(e.Close)
	return e, pauses
}

func say(text string) sdk.GenerateRequest {
	return sdk.GenerateRequest{EpisodeID: "e", Attempt: 1, CallID: "1",
		Messages: []sdk.Message{{Role: sdk.RoleUser, Content: text}}}
}

func ptr[T any](v T) *T { return &v }

func TestGenerate_RequestBody(t *testing.T) {
	s := serve(t, ok(`{"role":"assistant","content":"42"}`))
	e, _ := s.endpoint(func(c *openai.Config) {
		c.Headers = map[string]string{"X-Team": "math"}
		c.Extra = map[string]json.RawMessage{"chat_template_kwargs": json.RawMessage(`{"enable_thinking":false}`)}
	})
	req := say("17+25?")
	req.ChatTemplateKwargs = json.RawMessage(`{"overridden":true}`)
	req.Sampling = sdk.Sampling{Temperature: ptr(0.0), TopP: ptr(0.9), TopK: 5, MaxTokens: 96, Stop: []string{"\n"}}
	req.Seed = 1 << 40
	req.Tools = []sdk.Tool{
		{Name: "math/add", Description: "adds", Parameters: json.RawMessage(`{"type":"object","default":{},"x-kept":1}`)},
		{Name: "math_add"},
	}
	req.Constraints = &sdk.DecodingConstraints{
		ToolRequired: true, Tool: "math/add", SingleCall: true, Format: json.RawMessage(`{"type":"json_object"}`),
	}
	out, err := e.Generate(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	want := &sdk.GenerateResponse{
		Message: sdk.Message{Role: sdk.RoleAssistant, Content: "42"}, Finish: sdk.FinishStop, PromptTokens: 7,
		OutputTokens: 3, Chain: "e/a1/c1", ChainLength: 2,
	}
	if diff := cmp.Diff(want, out); diff != "" {
		t.Errorf("answer (-want +got):\n%s", diff)
	}
	wantBody := map[string]any{
		"model": "m", "temperature": 0.0, "top_p": 0.9, "top_k": 5.0, "max_tokens": 96.0, "stop": []any{"\n"}, "seed": 128.0,
		"chat_template_kwargs": map[string]any{"enable_thinking": false},
		"messages":             []any{map[string]any{"role": "user", "content": "17+25?"}},
		"tool_choice":          map[string]any{"type": "function", "function": map[string]any{"name": "math_add_2"}},
		"parallel_tool_calls":  false, "response_format": map[string]any{"type": "json_object"},
		"tools": []any{
			map[string]any{"type": "function", "function": map[string]any{
				"name": "math_add_2", "description": "adds",
				"parameters": map[string]any{"type": "object", "default": map[string]any{}, "x-kept": 1.0},
			}},
			map[string]any{"type": "function", "function": map[string]any{"name": "math_add",
				"parameters": map[string]any{"type": "object", "properties": map[string]any{}}}},
		},
	}
	if diff := cmp.Diff(wantBody, s.bodies[0]); diff != "" {
		t.Errorf("request (-want +got):\n%s", diff)
	}
	if got := s.headers[0].Get("Authorization") + " " + s.headers[0].Get("X-Team"); got != "Bearer "+key+" math" {
		t.Errorf("headers: %s", got)
	}
}

// Members without a value must be omitted from echoed messages, and content must be present even if empty.
func TestGenerate_KeepsTheConversation(t *testing.T) {
	call := `{"role":"assistant","content":null,"refusal":null,"reasoning":"carry","tool_calls":[{"id":"c1","type":"function","function":{"name":"add","arguments":"{\"a\": 1}"}}]}`
	s := serve(t, ok(call), ok(`{"content":""}`), ok(`{"content":[{"type":"text","text":"2"}]}`))
	e, _ := s.endpoint(nil)
	first, err := e.Generate(t.Context(), say("1+1?"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(sdk.Message{
		Role: sdk.RoleAssistant, Reasoning: "carry", ToolCalls: []sdk.ToolCall{{ID: "c1", Name: "add",
			Arguments: `{"a": 1}`}},
	}, first.Message); diff != "" || first.Finish != sdk.FinishToolCalls {
		t.Errorf("finish %s; the call (-want +got):\n%s", first.Finish, diff)
	}
	next := sdk.GenerateRequest{
		EpisodeID: "e", Attempt: 1, CallID: "2", Chain: first.Chain, Base: first.ChainLength,
		Messages: []sdk.Message{{Role: sdk.RoleTool, ToolCallID: "c1", Name: "add"}},
	}
	second, err := e.Generate(t.Context(), next)
	if err != nil {
		t.Fatal(err)
	}
	next.Base, next.Chain, next.Messages = second.ChainLength, second.Chain,
		[]sdk.Message{{Role: sdk.RoleUser, Content: "well?"}}
	third, err := e.Generate(t.Context(), next)
	if err != nil || third.Message.Content != "2" {
		t.Fatalf("%+v, %v", third, err)
	}
	user := func(text string) map[string]any { return map[string]any{"role": "user", "content": text} }
	want := []any{
		user("1+1?"),
		map[string]any{"role": "assistant", "reasoning": "carry", "tool_calls": []any{map[string]any{
			"id": "c1", "type": "function", "function": map[string]any{"name": "add", "arguments": `{"a": 1}`},
		}}},
		map[string]any{"role": "tool", "tool_call_id": "c1", "content": ""},
		map[string]any{"role": "assistant", "content": ""},
		user("well?"),
	}
	if diff := cmp.Diff(want, s.bodies[2]["messages"]); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}

	next.Base = 1 // as if the agent had rewritten the messages after the question
	fork, err := e.Generate(t.Context(), next)
	if err != nil || fork.Drift != "FORK" || fork.Chain == third.Chain {
		t.Errorf("fork: %+v, %v", fork, err)
	}
	e.Release("e")
	var refused *sdk.GenerateError
	if _, err := e.Generate(t.Context(), next); !errors.As(err, &refused) || refused.Kind != sdk.GenerateAborted {
		t.Errorf("a chain of a released episode continued: %v", err)
	}
}

func TestGenerate_ReadsALegacyFunctionCall(t *testing.T) {
	s := serve(t, ok(`{"content":null,"reasoning_content":"hm","function_call":{"name":"add","arguments":"{}"}}`))
	e, _ := s.endpoint(nil)
	out, err := e.Generate(t.Context(), say("?"))
	if err != nil {
		t.Fatal(err)
	}
	want := sdk.Message{Role: sdk.RoleAssistant, Reasoning: "hm", ToolCalls: []sdk.ToolCall{
		{ID: "call_1_0", Name: "add", Arguments: "{}"},
	}}
	if diff := cmp.Diff(want, out.Message); diff != "" || out.Finish != sdk.FinishToolCalls {
		t.Errorf("finish %s (-want +got):\n%s", out.Finish, diff)
	}
}

func TestGenerate_ReadsCallsOfEveryKind(t *testing.T) {
	s := serve(t, ok(`{"content":"so","tool_calls":[
		{"id":"","function":{"name":"add","arguments":""}},
		{"id":"x","function":{"name":"add","arguments":"{\"a\":"}},
		{"id":"y","function":{"name":"add","arguments":"[1]"}},
		{"id":"x2","function":{"name":"add","arguments":"{}"}}]}`))
	e, _ := s.endpoint(nil)
	out, err := e.Generate(t.Context(), say("?"))
	if err != nil {
		t.Fatal(err)
	}
	want := sdk.Message{
		Role: sdk.RoleAssistant, Content: "so\n{\"name\":\"add\",\"arguments\":{\"a\":}\n{\"name\":\"add\",\"arguments\":[1]}",
		ToolCalls: []sdk.ToolCall{{ID: "call_1_0", Name: "add", Arguments: "{}"}, {ID: "x2", Name: "add", Arguments: "{}"}},
		Malformed: []sdk.Malformed{
			{Text: `{"name":"add","arguments":{"a":}`, Reason: "the arguments are not JSON"},
			{Text: `{"name":"add","arguments":[1]}`, Reason: "the arguments are not an object"},
		},
	}
	if diff := cmp.Diff(want, out.Message); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A request must be retried only without an answer.
func TestGenerate_RetriesOnlyUnansweredRequests(t *testing.T) {
	fine := ok(`{"content":"ok"}`)
	seconds := func(s ...float64) []time.Duration {
		var out []time.Duration
		for _, v := range s {
			out = append(out, time.Duration(v*float64(time.Second)))
		}
		return out
	}
	for name, test := range map[string]struct {
		answers []answer
		want    string // the error; empty: an answer
		pauses  []time.Duration
	}{
		"429 with a header": {[]answer{refuse(429, "", "Retry-After", "2"), fine}, "", seconds(2)},
		"429 without":       {[]answer{refuse(429, ""), refuse(429, ""), fine}, "", seconds(0.5, 1)},
		"429 for good": {[]answer{refuse(429, `{"error":{"message":"slow down"}}`)},
			"429 Too Many Requests: slow down (sent 4 times)", seconds(0.5, 1, 2)},
		"429, the bill": {[]answer{refuse(429, `{"error":{"message":"pay","code":"insufficient_quota"}}`)}, "pay", nil},
		"429 beyond the limit": {[]answer{refuse(429, "", "Retry-After", "3600")}, "the next attempt is due in " +
			"1h0m0s", nil},
		"429 beyond all limits": {[]answer{refuse(429, "", "Retry-After", "36000000000")}, "the next attempt is " +
			"due in", nil},
		"503":                 {[]answer{refuse(503, "loading"), fine}, "", seconds(0.5)},
		"502 with a header":   {[]answer{refuse(502, "", "Retry-After", "0.1"), fine}, "", seconds(0.1)},
		"502 without":         {[]answer{refuse(502, "bad gateway"), fine}, "", seconds(0.5)},
		"500":                 {[]answer{refuse(500, "oops", "Retry-After", "1"), fine}, "", seconds(1)},
		"500 that may not be": {[]answer{refuse(500, "oops", "X-Should-Retry", "false"), fine}, "500", nil},
		"500 that may be":     {[]answer{refuse(500, "oops", "X-Should-Retry", "true"), fine}, "", seconds(0.5)},
		"429 that must not":   {[]answer{refuse(429, "no", "X-Should-Retry", "false"), fine}, "429", nil},
		"401":                 {[]answer{refuse(401, `{"error":{"message":"wrong key `+key+`"}}`)}, "wrong key …", nil},
		"a redirect": {[]answer{refuse(307, "", "Location", "http://127.0.0.1:1/elsewhere")},
			"set base_url to the address that responds without a redirect", nil},
		"an error with 200": {[]answer{{body: `{"error":{"message":"upstream died"}}`}}, "upstream died", nil},
		"no choice":         {[]answer{{body: `{"choices":[]}`}}, "contains no choice", nil},
		"no JSON":           {[]answer{{body: `<html>`}}, "not a chat completion", nil},
		"no finish reason":  {[]answer{{body: `{"choices":[{"message":{"content":"half"}}]}`}}, "no finish_reason", nil},
		"a filter": {[]answer{{body: `{"choices":[{"message":{"content":""},"finish_reason":"content_filter"}]}`}},
			"content_filter", nil},
		"a newer model's limits": {[]answer{refuse(400,
			`{"error":{"message":"Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."}}`), fine}, "",
			nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, test.answers...)
			e, pauses := s.endpoint(nil)
			req := say("?")
			req.Sampling.MaxTokens = 5
			_, err := e.Generate(t.Context(), req)
			var failed *sdk.GenerateError
			switch {
			case test.want == "" && err != nil:
				t.Errorf("error %v", err)
			case test.want != "" && (!errors.As(err, &failed) || failed.Kind != sdk.GenerateEngine ||
				!strings.Contains(err.Error(), test.want)):
				t.Errorf("error %v; want one of the engine with %q", err, test.want)
			}
			if err != nil && strings.Contains(err.Error(), key) {
				t.Errorf("the error shows the key: %v", err)
			}
			if diff := cmp.Diff(test.pauses, *pauses, cmp.Transformer("none",
				func(d []time.Duration) []time.Duration { return append([]time.Duration{}, d...) })); diff != "" {
				t.Errorf("pauses (-want +got):\n%s", diff)
			}
		})
	}
}

// Negative token counts of a server must count as zero.
func TestGenerate_NegativeTokenCounts(t *testing.T) {
	s := serve(t, answer{body: `{"choices":[{"message":{"content":"42"},"finish_reason":"stop"}],
		"usage":{"prompt_tokens":-7,"completion_tokens":-1}}`})
	e, _ := s.endpoint(nil)
	reply, err := e.Generate(t.Context(), say("?"))
	if err != nil {
		t.Fatal(err)
	}
	if reply.PromptTokens != 0 || reply.OutputTokens != 0 {
		t.Errorf("%d tokens read and %d written", reply.PromptTokens, reply.OutputTokens)
	}
}

func TestGenerate_ContextFull(t *testing.T) {
	for name, a := range map[string]answer{
		"OpenAI":    refuse(400, `{"error":{"message":"This model's maximum context length is 8192 tokens.","code":"context_length_exceeded"}}`),
		"vLLM":      refuse(400, `{"object":"error","message":"This model's maximum context length is 4096 tokens. However, you requested 5000 tokens","type":"BadRequestError","code":400}`),
		"llama.cpp": refuse(400, `{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error"}}`),
		"SGLang":    refuse(400, `{"message":"The input (5000 tokens) is longer than the model's context length (4096 tokens). maximum context length"}`),
	} {
		t.Run(name, func(t *testing.T) {
			e, _ := serve(t, a).endpoint(nil)
			var failed *sdk.GenerateError
			if _, err := e.Generate(t.Context(), say("?")); !errors.As(err, &failed) || failed.Kind != sdk.GenerateContextFull {
				t.Errorf("error %v, want context_full", err)
			}
		})
	}
}

// A server that cannot be reached must be tried again, because it cannot have served the request.
func TestGenerate_RetriesUnreachableServer(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &server{t: t, url: "http://" + listener.Addr().String() + "/v1"}
	listener.Close()
	e, pauses := s.endpoint(nil)
	var failed *sdk.GenerateError
	if _, err := e.Generate(t.Context(), say("?")); !errors.As(err, &failed) || failed.Kind != sdk.GenerateEngine ||
		len(*pauses) != 3 {
		t.Errorf("error %v after %d retries, want one of the engine after 3", err, len(*pauses))
	}
}

// A request whose connection was cut must not be repeated, because the server may have answered.
func TestGenerate_NoRetryAfterCutResponse(t *testing.T) {
	var asked atomic.Int32
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		_, _ = io.Copy(io.Discard, r.Body)
		conn, _, err := w.(http.Hijacker).Hijack()
		if err == nil {
			conn.Close()
		}
	}))
	defer h.Close()
	e, pauses := (&server{t: t, url: h.URL}).endpoint(nil)
	if _, err := e.Generate(t.Context(), say("?")); err == nil || asked.Load() != 1 || len(*pauses) != 0 {
		t.Errorf("error %v after %d requests", err, asked.Load())
	}
}

func TestGenerate_EndsWithItsCaller(t *testing.T) {
	asked, release := make(chan struct{}), make(chan struct{})
	h := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		asked <- struct{}{}
		<-release
	}))
	defer h.Close()
	defer close(release)
	e, _ := (&server{t: t, url: h.URL}).endpoint(nil)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-asked; cancel() }()
	if _, err := e.Generate(ctx, say("?")); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want the caller's", err)
	}
	slow := say("?")
	slow.Deadline = time.Millisecond
	go func() {
		select {
		case <-asked:
		case <-t.Context().Done():
		}
	}()
	var failed *sdk.GenerateError
	if _, err := e.Generate(t.Context(), slow); !errors.As(err, &failed) || !strings.Contains(err.Error(), "in time") {
		t.Errorf("error %v, want one of the engine", err)
	}
}

func TestNew_RejectsInvalidConfig(t *testing.T) {
	for name, c := range map[string]openai.Config{
		"no URL":                {Name: "m"},
		"no server":             {BaseURL: "/v1", Name: "m"},
		"a file":                {BaseURL: "file:///etc/passwd", Name: "m"},
		"a password in the URL": {BaseURL: "http://me:secret@localhost/v1", Name: "m"},
		"no model":              {BaseURL: "http://localhost/v1"},
	} {
		if _, err := openai.New(c); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
}

func TestGenerate_SamplingSettings(t *testing.T) {
	s := serve(t, ok(`{"role":"assistant","content":"42"}`))
	e, _ := s.endpoint(func(c *openai.Config) { c.Sampling = sdk.Sampling{Temperature: ptr(0.0), MaxTokens: 12} })
	req := say("17+25?")
	req.Sampling = sdk.Sampling{Temperature: ptr(1.0), TopP: ptr(0.5), MaxTokens: 96}
	if _, err := e.Generate(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	got := []any{s.bodies[0]["temperature"], s.bodies[0]["top_p"], s.bodies[0]["max_tokens"]}
	if diff := cmp.Diff([]any{0.0, 0.5, 12.0}, got); diff != "" {
		t.Errorf("sampling (-want +got):\n%s", diff)
	}
}

func TestEnter_LimitsConcurrency(t *testing.T) {
	var mu sync.Mutex
	under, most := 0, 0
	count := func(by int) {
		mu.Lock()
		defer mu.Unlock()
		under += by
		most = max(most, under)
	}
	reached, leave := make(chan struct{}, 8), make(chan struct{})
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		count(+1)
		reached <- struct{}{}
		<-leave
		count(-1)
		_, _ = io.WriteString(w, ok(`{"role":"assistant","content":"42"}`).body)
	}))
	t.Cleanup(h.Close)
	e, err := openai.New(openai.Config{BaseURL: h.URL + "/v1", Name: "m", Concurrent: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	answers := make(chan error)
	for range 8 {
		go func() {
			leave, err := e.Enter(t.Context())
			if err == nil {
				_, err = e.Generate(t.Context(), say("17+25?"))
				leave()
			}
			answers <- err
		}()
	}
	<-reached
	<-reached
	close(leave)
	for range 8 {
		if err := <-answers; err != nil {
			t.Error(err)
		}
	}
	full, err := e.Enter(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer full()
	if _, err := e.Enter(t.Context()); err != nil {
		t.Fatal(err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := e.Enter(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("a third caller ends with %v, want the end of its context", err)
	}
	if most != 2 {
		t.Errorf("%d requests were in progress at a time, want 2", most)
	}
}
