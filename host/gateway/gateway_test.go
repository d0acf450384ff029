package gateway

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	openai "github.com/sashabaranov/go-openai"
	"go.uber.org/goleak"

	"github.com/awhost/awhost/sdk"
)

func TestMain(m *testing.M) {
	// A server waits half a second after the answer to a body that was too large.
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("net/http.(*conn).closeWriteAndWait"))
}

// policy answers with the number of the request, and keeps the requests.
type policy struct {
	mu       sync.Mutex
	requests []sdk.ModelRequest
	answer   func(n int, req sdk.ModelRequest) (*sdk.ModelReply, error) // nil: answers with a text that contains n
	wait     chan struct{}                                              // nil: answers at once
}

func (p *policy) Generate(ctx context.Context, req sdk.ModelRequest) (*sdk.ModelReply, error) {
	p.mu.Lock()
	p.requests = append(p.requests, req)
	n := len(p.requests)
	p.mu.Unlock()
	if p.wait != nil {
		select {
		case <-p.wait:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	reply := &sdk.ModelReply{Message: sdk.Message{Role: sdk.RoleAssistant, Content: fmt.Sprint("answer ", n)}}
	if p.answer != nil {
		var err error
		if reply, err = p.answer(n, req); err != nil {
			return nil, err
		}
		reply.Message.Role = sdk.RoleAssistant
	}
	reply.CallID, reply.PromptTokens, reply.OutputTokens = fmt.Sprint("e/1.", n), 10, 3
	if reply.Chain = req.Chain; reply.Chain == "" {
		reply.Chain = fmt.Sprint("c", n)
	}
	reply.ChainLength = req.Base + len(req.Messages) + 1
	return reply, nil
}

func (p *policy) asked() []sdk.ModelRequest {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.requests)
}

// serve starts a gateway with one lease.
func serve(t *testing.T, p *policy) (sdk.ModelEndpoint, func() map[string]float64) {
	t.Helper()
	g, err := Listen(Options{KeepAlive: 20 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.Close)
	return g.Grant(t.Context(), Lease{Model: p})
}

func client(e sdk.ModelEndpoint) *openai.Client {
	config := openai.DefaultConfig(e.APIKey)
	config.BaseURL = e.BaseURL
	config.HTTPClient = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	return openai.NewClientWithConfig(config)
}

func user(text string) openai.ChatCompletionMessage {
	return openai.ChatCompletionMessage{Role: "user", Content: text}
}

// post sends a body unchanged.
func post(t *testing.T, e sdk.ModelEndpoint, body string, change func(*http.Request)) (int, string) {
	t.Helper()
	url := e.BaseURL + "/chat/completions"
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+e.APIKey)
	if change != nil {
		change(r)
	}
	response, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

const question = `{"model":"m","messages":[{"role":"user","content":"1+2"}]}`

// TestCompletions_AConversationGoesOn checks that a call and its result, as sent back by a client, continue the chain
// that contains them, and that go-openai reads whole and streamed answers.
func TestCompletions_AConversationGoesOn(t *testing.T) {
	for _, stream := range []bool{false, true} {
		t.Run(fmt.Sprint("stream ", stream), func(t *testing.T) {
			p := &policy{answer: func(n int, _ sdk.ModelRequest) (*sdk.ModelReply, error) {
				if n > 1 {
					return &sdk.ModelReply{Message: sdk.Message{Content: "3"}}, nil
				}
				return &sdk.ModelReply{Message: sdk.Message{Reasoning: "hm", Content: "I add.", ToolCalls: []sdk.ToolCall{
					{ID: "call_1", Name: "add", Arguments: `{"a": 1,"b":2}`}, {ID: "call_2", Name: "add", Arguments: `{}`},
				}}}, nil
			}}
			e, _ := serve(t, p)
			request := openai.ChatCompletionRequest{Messages: []openai.ChatCompletionMessage{
				{Role: "system", Content: "Add."}, user("1+2"),
			}}
			first, finish := complete(t, e, request, stream)
			if finish != openai.FinishReasonToolCalls || len(first.ToolCalls) != 2 || first.Content != "I add." {
				t.Fatalf("finish %s: %+v", finish, first)
			}
			first.ToolCalls[0].Function.Arguments = `{"b":2,"a":1}` // clients encode arguments again
			first.ReasoningContent = ""
			request.Messages = append(request.Messages, first,
				openai.ChatCompletionMessage{Role: "tool", ToolCallID: "call_1", Content: "3"},
				openai.ChatCompletionMessage{Role: "tool", ToolCallID: "call_2", Content: "error"})
			second, finish := complete(t, e, request, stream)
			if second.Content != "3" || finish != openai.FinishReasonStop {
				t.Errorf("finish %s: %+v", finish, second)
			}
			got := p.asked()[1]
			want := sdk.ModelRequest{
				Chain: "c1", Base: 3, Tools: got.Tools, Repeat: got.Repeat, Stop: got.Stop,
				Messages: []sdk.Message{
					{Role: sdk.RoleTool, ToolCallID: "call_1", Name: "add", Content: "3"},
					{Role: sdk.RoleTool, ToolCallID: "call_2", Name: "add", Content: "error"},
				},
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if len(got.Tools) != 0 {
				t.Errorf("tools of a request that names none: %v", got.Tools)
			}
		})
	}
}

// complete requests a message, and assembles it from a stream if necessary.
func complete(
	t *testing.T, e sdk.ModelEndpoint, request openai.ChatCompletionRequest, stream bool,
) (openai.ChatCompletionMessage, openai.FinishReason) {
	t.Helper()
	if !stream {
		out, err := client(e).CreateChatCompletion(t.Context(), request)
		if err != nil {
			t.Fatal(err)
		}
		if out.Usage.TotalTokens != 13 || out.Choices[0].Message.Role != "assistant" {
			t.Errorf("%+v", out)
		}
		return out.Choices[0].Message, out.Choices[0].FinishReason
	}
	request.StreamOptions = &openai.StreamOptions{IncludeUsage: true}
	events, err := client(e).CreateChatCompletionStream(t.Context(), request)
	if err != nil {
		t.Fatal(err)
	}
	defer events.Close()
	message := openai.ChatCompletionMessage{Role: "assistant"}
	var finish openai.FinishReason
	var usage *openai.Usage
	for {
		chunk, err := events.Recv()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if usage = chunk.Usage; len(chunk.Choices) == 0 {
			continue
		}
		delta := chunk.Choices[0].Delta
		message.Content += delta.Content
		message.ReasoningContent += delta.ReasoningContent
		for _, c := range delta.ToolCalls {
			if *c.Index == len(message.ToolCalls) {
				message.ToolCalls = append(message.ToolCalls, openai.ToolCall{ID: c.ID, Type: c.Type})
			}
			message.ToolCalls[*c.Index].Function.Name += c.Function.Name
			message.ToolCalls[*c.Index].Function.Arguments += c.Function.Arguments
		}
		if chunk.Choices[0].FinishReason != "" {
			finish = chunk.Choices[0].FinishReason
		}
	}
	if usage == nil || usage.TotalTokens != 13 {
		t.Errorf("usage %+v", usage)
	}
	return message, finish
}

// TestCompletions_EqualBodiesAreSamples checks five concurrent equal requests, and sequential ones.
func TestCompletions_EqualBodiesAreSamples(t *testing.T) {
	p := &policy{}
	e, end := serve(t, p)
	var mu sync.Mutex
	answers := map[string]int{}
	var asking sync.WaitGroup
	for range 5 {
		asking.Go(func() {
			status, text := post(t, e, question, nil)
			mu.Lock()
			defer mu.Unlock()
			if answers[text]++; status != http.StatusOK {
				t.Errorf("%d: %s", status, text)
			}
		})
	}
	asking.Wait()
	for range 2 { // a loop that asks until it accepts the answer
		_, text := post(t, e, question, nil)
		answers[text]++
	}
	out, err := client(e).CreateChatCompletion(t.Context(), openai.ChatCompletionRequest{
		Messages: []openai.ChatCompletionMessage{user("1+2")}, N: 3,
	})
	if err != nil || len(out.Choices) != 3 || len(answers) != 7 {
		t.Errorf("%v: %d choices; answers %v", err, len(out.Choices), answers)
	}
	var repeats []int
	for _, r := range p.asked() {
		repeats = append(repeats, *r.Repeat)
	}
	slices.Sort(repeats)
	if diff := cmp.Diff([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, repeats); diff != "" {
		t.Errorf("repeats (-want +got):\n%s", diff)
	}
	if stats := end(); stats["calls"] != 10 || stats["joined"] != 0 {
		t.Errorf("%+v", stats)
	}
}

// cutWriter is a connection that ends at its nth write.
type cutWriter struct {
	*httptest.ResponseRecorder
	left int
}

var errCut = errors.New("the connection is cut")

func (c *cutWriter) Write(p []byte) (int, error) {
	if c.left == 0 {
		return 0, errCut
	}
	c.left--
	return c.ResponseRecorder.Write(p)
}

func (c *cutWriter) FlushError() error { return nil }

// cutAfter returns the received part of chat completions whose connection ends after the given number of writes.
func cutAfter(t *testing.T, g *Gateway, e sdk.ModelEndpoint, body string, left int, stream bool) string {
	t.Helper()
	return streamed(t, g, e, "/v1/chat/completions", body, left, stream)
}

// TestReplay_AnEqualBodyIsTheSameCall checks repeats of cut, streamed, arrived and concurrent requests, until a call
// continues the answer.
func TestReplay_AnEqualBodyIsTheSameCall(t *testing.T) {
	g, err := Listen(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	p := &policy{wait: make(chan struct{})}
	e, end := g.Grant(t.Context(), Lease{Model: p, Repeats: RepeatsReplay})
	var asking sync.WaitGroup
	for n := range 5 {
		asking.Go(func() {
			if got := cutAfter(t, g, e, question, 1000, n%2 == 0); !strings.Contains(got, "answer 1") {
				t.Errorf("at once: %s", got)
			}
		})
	}
	close(p.wait)
	asking.Wait()
	cutAfter(t, g, e, question, 2, true)
	if got := cutAfter(t, g, e, question, 1000, false); len(p.asked()) != 1 || !strings.Contains(got, "answer 1") {
		t.Errorf("%d samples, %s", len(p.asked()), got)
	}
	on := `{"messages":[{"role":"user","content":"1+2"},{"role":"assistant","content":"answer 1"},` +
		`{"role":"user","content":"on"}]}`
	for range 2 {
		if got := cutAfter(t, g, e, on, 1000, false); !strings.Contains(got, "answer 2") {
			t.Errorf("it continues: %s", got)
		}
	}
	for range 2 { // the first answer has been continued
		if got := cutAfter(t, g, e, question, 1000, false); !strings.Contains(got, "answer 3") {
			t.Errorf("asked again: %s", got)
		}
	}
	stats := end()
	if stats[metricCalls] != 3 || stats[metricJoined]+stats[metricReplayed] != 8 || stats[metricReplayed] < 4 {
		t.Errorf("%+v", stats)
	}
}

// TestAuxiliary_IsAnotherMember checks that calls matched by the rules belong to another member and continue none of
// the agent's messages.
func TestAuxiliary_IsAnotherMember(t *testing.T) {
	rules, err := ParseRules([]string{"no_tools", "prompt:^Write a title", "header:x-kind:^title$", "model:haiku"})
	if err != nil {
		t.Fatal(err)
	}
	tools := `,"tools":[{"type":"function","function":{"name":"f"}}]}`
	with := strings.TrimSuffix(question, "}") + tools
	for name, c := range map[string]struct {
		body   string
		header string
		member string
	}{
		"the task":  {with, "", ""},
		"no tools":  {question, "", MemberAuxiliary},
		"a prompt":  {strings.Replace(with, "1+2", "Write a title for 1+2", 1), "", MemberAuxiliary},
		"a header":  {with, "title", MemberAuxiliary},
		"a model":   {strings.Replace(with, `"m"`, `"claude-haiku-4-5"`, 1), "", MemberAuxiliary},
		"a larger":  {strings.Replace(with, `"m"`, `"claude-opus-4-5"`, 1), "", ""},
		"another":   {with, "entitled", ""},
		"its words": {strings.Replace(with, `"user"`, `"assistant"`, 1), "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			a, p := (&lease{Lease: Lease{Auxiliary: rules}}).decode(
				completions{}, []byte(c.body), http.Header{"X-Kind": {c.header}})
			if p != nil || a.request.Member != c.member {
				t.Errorf("%v, %+v", p, a)
			}
		})
	}
	p := &policy{}
	g, err := Listen(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	e, end := g.Grant(t.Context(), Lease{Model: p, Auxiliary: rules})
	post(t, e, with, nil)
	post(t, e, `{"messages":[{"role":"user","content":"1+2"},{"role":"assistant","content":"answer 1"},`+
		`{"role":"user","content":"a title"}]}`, nil)
	if asked := p.asked(); asked[1].Member != MemberAuxiliary || asked[1].Chain != "" || len(asked[1].Messages) != 3 {
		t.Errorf("%+v", asked[1])
	}
	if stats := end(); stats[metricCalls] != 2 || stats[metricAuxiliary] != 1 {
		t.Errorf("%+v", stats)
	}
	for _, wrong := range []string{"", "no_tools:x", "prompt:", "prompt:(", "model:", "header:x", "header::x", "titles"} {
		if _, err := ParseRules([]string{wrong}); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%q", wrong)) {
			t.Errorf("%q: %v", wrong, err)
		}
	}
}

// TestCompletions_WhoGoesAwayIsAwaited checks a client that disconnects while the policy answers, and asks again.
func TestCompletions_WhoGoesAwayIsAwaited(t *testing.T) {
	p := &policy{wait: make(chan struct{})}
	e, end := serve(t, p)
	ctx, cancel := context.WithCancel(t.Context())
	gone := make(chan error)
	go func() {
		_, err := client(e).CreateChatCompletion(ctx, openai.ChatCompletionRequest{
			Messages: []openai.ChatCompletionMessage{user("hi")},
		})
		gone <- err
	}()
	for len(p.asked()) == 0 {
		time.Sleep(time.Millisecond)
	}
	cancel()
	<-gone
	time.AfterFunc(100*time.Millisecond, func() { close(p.wait) })
	// The end of a connection is detected a little later: until then an equal body is another sample.
	for {
		out, err := client(e).CreateChatCompletion(t.Context(), openai.ChatCompletionRequest{
			Messages: []openai.ChatCompletionMessage{user("hi")},
		})
		if err != nil {
			t.Fatal(err)
		}
		if out.Choices[0].Message.Content == "answer 1" {
			break
		}
	}
	if stats := end(); stats["joined"] != 1 {
		t.Errorf("%+v", stats)
	}
}

// TestCompletions_ErrorsInTheCallersWords checks the client's errors, with the texts that harnesses search for.
func TestCompletions_ErrorsInTheCallersWords(t *testing.T) {
	for name, c := range map[string]struct {
		err    error
		status int
		want   []string
	}{
		"too long": {&sdk.GenerateError{Kind: sdk.GenerateContextFull, Detail: "192 tokens"}, 400,
			[]string{`"code":"context_length_exceeded"`, "maximum context length"}},
		"refused by the adapter": {&sdk.GenerateError{Kind: sdk.GenerateRefused, Detail: "no stop strings"}, 400,
			[]string{"no stop strings", `"type":"invalid_request_error"`}},
		"the agent's mistake": {&sdk.Failure{Class: sdk.FailureAgent, Detail: "no chain"}, 400, []string{"no chain"}},
		"the episode fails":   {errors.New("engine"), 410, []string{`"code":"episode_failed"`, "the episode has failed"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := &policy{answer: func(int, sdk.ModelRequest) (*sdk.ModelReply, error) { return nil, c.err }}
			e, _ := serve(t, p)
			status, text := post(t, e, question, nil)
			for _, want := range c.want {
				if status != c.status || !strings.Contains(text, want) {
					t.Errorf("%d: %s; want %d with %s", status, text, c.status, want)
				}
			}
			_, err := client(e).CreateChatCompletion(t.Context(), openai.ChatCompletionRequest{
				Messages: []openai.ChatCompletionMessage{user("hi")},
			})
			var told *openai.APIError
			if !errors.As(err, &told) || told.HTTPStatusCode != c.status {
				t.Errorf("go-openai: %v", err)
			}
		})
	}
}

// TestStream_KeepsAlive checks that a client that waits for a stream gets keep-alives, and an error as an event.
func TestStream_KeepsAlive(t *testing.T) {
	for name, fails := range map[string]bool{"answer": false, "error": true} {
		t.Run(name, func(t *testing.T) {
			p := &policy{wait: make(chan struct{})}
			if fails {
				p.answer = func(int, sdk.ModelRequest) (*sdk.ModelReply, error) { return nil, errors.New("gone") }
			}
			e, _ := serve(t, p)
			time.AfterFunc(200*time.Millisecond, func() { close(p.wait) })
			status, text := post(t, e, strings.TrimSuffix(question, "}")+`,"stream":true}`, nil)
			want := "answer 1"
			if fails {
				want = `data: {"error":{`
			}
			if status != 200 || !strings.HasPrefix(text, ": keep-alive\n") || !strings.Contains(text, want) {
				t.Errorf("%d: %s", status, text)
			}
		})
	}
}

// TestParams checks which parameters are used, which are the spec's, and which are rejected by name.
func TestParams(t *testing.T) {
	p := &policy{}
	e, end := serve(t, p)
	body := func(more string) string {
		if strings.HasPrefix(more, `"messages"`) {
			return "{" + more + "}"
		}
		return strings.TrimSuffix(question, "}") + "," + more + "}"
	}
	status, text := post(t, e, body(`"max_tokens":7,"stop":["x","y"],"temperature":0.1,"top_p":0.5,"seed":3,"user":"me",`+
		`"tool_choice":"auto","frequency_penalty":0,"logprobs":false,"response_format":{"type": "text"},"audio":null,`+
		`"tools":[{"type":"function","function":{"name":"sub","description":"d","parameters":{"type":"object"}}}]`), nil)
	if status != 200 {
		t.Fatal(text)
	}
	got := p.asked()[0]
	if got.MaxTokens != 7 || !slices.Equal(got.Stop, []string{"x", "y"}) ||
		len(got.Tools) != 1 || got.Tools[0].Name != "sub" {
		t.Errorf("%+v", got)
	}
	for more, want := range map[string]string{
		`"tool_choice":"required"`:                 `"param":"tool_choice"`,
		`"response_format":{"type":"json_object"}`: `"param":"response_format"`,
		`"presence_penalty":0.5`:                   `"param":"presence_penalty"`,
		`"logprobs":true`:                          `"param":"logprobs"`,
		`"magic":1`:                                `does not know magic`,
		`"n":0`:                                    `"param":"n"`,
		`"n":1000`:                                 `"param":"n"`,
		`"max_tokens":0`:                           `"param":"max_tokens"`,
		`"tools":[{"type":"web_search"}]`:          `"param":"tools"`,
		`"model":"x"`:                              `the request has model twice`,
		`"messages":[]`:                            `messages is empty`,
		`"messages":[{"role":"robot"}]`:            `messages[0].role = \"robot\" is not supported: the roles are`,
		`"messages":[{"role":"user","content":7}]`: `content is neither text`,
		`"messages":[{"role":"user","content":[{"type":"audio"}]}]`: `content[0].type = \"audio\"`,
	} {
		if status, text := post(t, e, body(more), nil); status != 400 || !strings.Contains(text, want) {
			t.Errorf("%s: %d: %s; want %s", more, status, text, want)
		}
	}
	if status, text := post(t, e, `[1`, nil); status != 400 || !strings.Contains(text, "not a JSON object") {
		t.Errorf("%d: %s", status, text)
	}
	stats := end()
	if diff := cmp.Diff(map[string]float64{"calls": 1, "refused": 15, "spec_parameters": 3}, stats); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestGateway_AcceptsTheSchemeInLowerCase(t *testing.T) {
	e, _ := serve(t, &policy{})
	lower := func(r *http.Request) { r.Header.Set("Authorization", "bearer "+e.APIKey) }
	if status, text := post(t, e, question, lower); status != 200 {
		t.Errorf("%d: %s", status, text)
	}
}

// TestGateway_RefusesStrangers checks that unknown keys, keys of ended episodes, other host names, web pages, and
// oversized requests are rejected and do not reach the policy.
func TestGateway_RefusesStrangers(t *testing.T) {
	p := &policy{}
	e, end := serve(t, p)
	for name, c := range map[string]struct {
		change func(*http.Request)
		status int
	}{
		"no key":         {func(r *http.Request) { r.Header.Del("Authorization") }, 401},
		"another key":    {func(r *http.Request) { r.Header.Set("Authorization", "Bearer aw-x") }, 401},
		"another name":   {func(r *http.Request) { r.Host = "example.com:80" }, 403},
		"a page":         {func(r *http.Request) { r.Header.Set("Origin", "http://localhost:1") }, 403},
		"another path":   {func(r *http.Request) { r.URL.Path = "/v1/embeddings" }, 404},
		"another method": {func(r *http.Request) { r.Method = http.MethodGet }, 404},
	} {
		if status, text := post(t, e, question, c.change); status != c.status || !strings.Contains(text, `"error"`) {
			t.Errorf("%s: %d: %s", name, status, text)
		}
	}
	large := bytes.Repeat([]byte(" "), int(defaultBounds.body)+1)
	if status, text := post(t, e, string(large), nil); status != 413 {
		t.Errorf("too large: %d: %.200s", status, text)
	}
	if len(p.asked()) != 0 {
		t.Errorf("the policy was asked %d times", len(p.asked()))
	}
	if status, _ := post(t, e, question, func(r *http.Request) {
		r.Header.Del("Authorization")
		r.Header.Set("X-Api-Key", e.APIKey)
	}); status != 200 {
		t.Errorf("x-api-key: %d", status)
	}
	models, err := client(e).ListModels(t.Context())
	if err != nil || len(models.Models) != 1 || models.Models[0].ID != "policy" {
		t.Errorf("%+v, %v", models, err)
	}
	end()
	if status, text := post(t, e, question, nil); status != 410 || !strings.Contains(text, "episode_over") {
		t.Errorf("a late call: %d: %s", status, text)
	}
	if len(p.asked()) != 1 {
		t.Errorf("the policy was asked %d times", len(p.asked()))
	}
}

// TestGrant_EndsWhatIsUnderWay checks that a call whose episode ends is answered with 410, and that end waits for it.
func TestGrant_EndsWhatIsUnderWay(t *testing.T) {
	p := &policy{wait: make(chan struct{})}
	e, end := serve(t, p)
	status := make(chan int)
	go func() {
		got, _ := post(t, e, question, nil)
		status <- got
	}()
	for len(p.asked()) == 0 {
		time.Sleep(time.Millisecond)
	}
	end()
	if got := <-status; got != http.StatusGone {
		t.Errorf("status %d", got)
	}
}

// decoded returns a request as decoded by a lease without settings.
func decoded(d dialect, body string) (*ask, *problem) {
	return (&lease{}).decode(d, []byte(body), http.Header{})
}

// TestEnd_OfTheAgentIsTheEndOfTheLease checks that requests between the end of an agent's context and the end of its
// lease get the error that the episode has ended. They used to get an empty 200, because the deadline for their body
// passed.
func TestEnd_OfTheAgentIsTheEndOfTheLease(t *testing.T) {
	g, err := Listen(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	for range 50 {
		ctx, cancel := context.WithCancel(t.Context())
		e, end := g.Grant(ctx, Lease{Model: &policy{}})
		cancel()
		if status, text := post(t, e, question, nil); status != http.StatusGone || !strings.Contains(text, "episode_over") {
			t.Fatalf("%d: %q", status, text)
		}
		end()
	}
}
