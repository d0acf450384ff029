package gateway

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	mcpclient "github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/awhost/awhost/sdk"
)

// The MCP versions of the legacy and the modern protocol.
const (
	legacy = "2025-11-25"
	modern = "2026-07-28"
)

// oddSchema has keywords, an order and numbers that decoding would lose.
const oddSchema = `{"type":"object","title":"Addends","unevaluatedProperties":false,` +
	`"properties":{"b":{"type":"number","maximum":1e30},"a":{"type":"integer","exclusiveMinimum":-9007199254740993}},` +
	`"required":["b","a"]}`

// desk is an environment that records its steps in order.
type desk struct {
	mu    sync.Mutex
	tools []sdk.Tool
	steps []string
	calls []sdk.ToolCall
	busy  int
	most  int // maximum of concurrent steps
	begun chan string
	wait  chan struct{} // blocks the tool "wait"
	ended bool
	fails func() // called when the desk breaks; nil: no call
}

func newDesk() *desk {
	return &desk{
		begun: make(chan string, 64), wait: make(chan struct{}),
		tools: []sdk.Tool{
			{Name: "wait", Parameters: json.RawMessage(`{"type":"object"}`)},
			{Name: "add", Description: "adds <two> numbers", Parameters: json.RawMessage(oddSchema)},
			{Name: "bare"}, {Name: "untyped", Parameters: json.RawMessage(`{ "properties": {"x": {}}}`)},
			{Name: "fail"}, {Name: "picture"}, {Name: "typed"}, {Name: "more"}, {Name: "finish"},
			{Name: "limit"}, {Name: "break"}, {Name: "huge"},
		},
	}
}

func (d *desk) Tools() []sdk.Tool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.tools
}

func (d *desk) seen() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.steps)
}

var pixel = []byte{0x89, 'P', 'N', 'G'}

func (d *desk) Step(ctx context.Context, step sdk.AgentStep) (*sdk.StepResponse, error) {
	call := step.Message.ToolCalls[0]
	d.mu.Lock()
	if d.ended {
		d.mu.Unlock()
		return nil, &sdk.Failure{Class: sdk.FailureAgent, Detail: "step: the environment has ended the episode"}
	}
	d.steps = append(d.steps, call.Name+call.Arguments)
	d.calls = append(d.calls, call)
	d.busy++
	d.most = max(d.most, d.busy)
	d.mu.Unlock()
	defer func() {
		d.mu.Lock()
		d.busy--
		d.mu.Unlock()
	}()
	select {
	case d.begun <- call.Arguments:
	default: // no test reads that many
	}
	result := sdk.Message{Role: sdk.RoleTool, ToolCallID: call.ID, Name: call.Name}
	out := &sdk.StepResponse{}
	switch call.Name {
	case "wait":
		select {
		case <-d.wait:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		result.Content = "waited"
	case "fail":
		result.Content, result.IsError = "no such file", true
	case "nosuch":
		result.Content, result.IsError = "there is no tool nosuch "+call.Arguments, true
	case "picture":
		result.Images = []sdk.Image{{MIMEType: "image/png", Data: pixel},
			{URL: "https://example.org/cat.jpg", MIMEType: "image/jpeg"}}
	case "typed":
		result.Content, result.Attachments = `{"n":1}`, []sdk.Attachment{
			{Kind: sdk.AttachmentImage, MIMEType: "image/png", Data: pixel},
			{Kind: sdk.AttachmentLink, URI: "file:///a", MIMEType: "text/plain"},
			{Kind: sdk.AttachmentStructured, JSON: json.RawMessage(`{"n":1}`)},
			{Kind: sdk.AttachmentResource, URI: "file:///b", Text: "b"},
		}
	case "more":
		d.mu.Lock()
		d.tools = append(slices.Clone(d.tools), sdk.Tool{Name: "sub"})
		d.mu.Unlock()
		out.ToolsChanged = true
		out.Messages = []sdk.Message{result, {Role: sdk.RoleUser, Content: "And now?"}}
		return out, nil
	case "finish":
		out.Done = true
		return out, nil
	case "limit":
		out.Done, out.Truncated = true, true
	case "huge":
		result.Content = "huge" + strings.Repeat("x", 16<<20) // more than the buffers of a connection hold
	case "break":
		if d.fails != nil {
			d.fails()
		}
		return nil, &sdk.Failure{Class: sdk.FailureEnvironment, Detail: "the desk is broken"}
	default:
		result.Content = "ok " + call.Arguments
	}
	out.Messages = []sdk.Message{result}
	return out, nil
}

// leaseTools starts a gateway with one lease that has an environment.
func leaseTools(t *testing.T, env Environment) (*sdk.ToolEndpoint, func() map[string]float64) {
	t.Helper()
	_, e, end := gatewayTools(t, env)
	return e, end
}

func gatewayTools(t *testing.T, env Environment) (*Gateway, *sdk.ToolEndpoint, func() map[string]float64) {
	t.Helper()
	g, err := Listen(Options{KeepAlive: 20 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.Close)
	granted, end := g.Grant(t.Context(), Lease{Model: &policy{}, Tools: env})
	return g, g.ToolServer(granted), end
}

// speak connects mcp-go's client of a protocol version. It forwards notifications to told.
func speak(t *testing.T, e *sdk.ToolEndpoint, version string) (c *mcpclient.Client, told chan string) {
	t.Helper()
	options := []transport.StreamableHTTPCOption{
		transport.WithHTTPHeaders(map[string]string{"Authorization": "Bearer " + e.Token}),
		transport.WithHTTPLogger(slog.New(slog.DiscardHandler)),
		transport.WithHTTPBasicClient(&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}),
	}
	if version == legacy {
		//lint:ignore SA1019 clients of the older era have nothing else
		options = append(options, transport.WithContinuousListening())
	}
	way, err := transport.NewStreamableHTTP(e.URL, options...)
	if err != nil {
		t.Fatal(err)
	}
	c = mcpclient.NewClient(way, mcpclient.WithDiscoverTimeout(time.Minute))
	told = make(chan string, 64)
	c.OnNotification(func(n mcp.JSONRPCNotification) { told <- n.Method })
	if err := c.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	request := mcp.InitializeRequest{}
	request.Params.ProtocolVersion = version
	request.Params.ClientInfo = mcp.Implementation{Name: "test", Version: "1"}
	if _, err := c.Initialize(t.Context(), request); err != nil {
		t.Fatal(err)
	}
	if got := c.ProtocolVersion(); got != version {
		t.Fatalf("it speaks %s, want %s", got, version)
	}
	return c, told
}

func callTool(ctx context.Context, c *mcpclient.Client, name string, arguments any) (*mcp.CallToolResult, error) {
	request := mcp.CallToolRequest{}
	request.Params.Name, request.Params.Arguments = name, arguments
	return c.CallTool(ctx, request)
}

func eras(t *testing.T, do func(t *testing.T, version string)) {
	for _, version := range []string{legacy, modern} {
		t.Run(version, func(t *testing.T) { do(t, version) })
	}
}

// said summarizes a result: its parts, and whether it is an error.
func said(t *testing.T, r *mcp.CallToolResult, err error) string {
	t.Helper()
	if err != nil {
		return "error: " + err.Error()
	}
	var parts []string
	for _, c := range r.Content {
		switch c := c.(type) {
		case mcp.TextContent:
			parts = append(parts, c.Text)
		case mcp.ImageContent:
			parts = append(parts, c.MIMEType+" "+c.Data)
		case mcp.ResourceLink:
			parts = append(parts, "link "+c.MIMEType+" "+c.URI)
		default:
			t.Errorf("a part is %T", c)
		}
	}
	text := strings.Join(parts, "|")
	if r.IsError {
		text = "failed: " + text
	}
	return text
}

// TestTools_AreThoseOfTheEnvironment checks names, order, descriptions and schemas, in both protocol versions, and
// every kind of result.
func TestTools_AreThoseOfTheEnvironment(t *testing.T) {
	eras(t, func(t *testing.T, version string) {
		d := newDesk()
		e, end := leaseTools(t, d)
		c, _ := speak(t, e, version)
		listed, err := c.ListTools(t.Context(), mcp.ListToolsRequest{})
		if err != nil {
			t.Fatal(err)
		}
		var names, want []string
		for _, tool := range listed.Tools {
			names = append(names, tool.Name)
		}
		for _, tool := range d.Tools() {
			want = append(want, tool.Name)
		}
		if diff := cmp.Diff(want, names); diff != "" {
			t.Errorf("tools (-want +got):\n%s", diff)
		}
		results := map[string]string{
			"add": `ok {"a":9007199254740993,"b":2.50}`, "fail": "failed: no such file", "bare": "ok {}",
			"picture": "image/png " + base64.StdEncoding.EncodeToString(pixel) + "|link image/jpeg https://example.org/cat.jpg",
		}
		for name, want := range results {
			var arguments any
			if name == "add" {
				arguments = json.RawMessage(`{"a":9007199254740993,"b":2.50}`)
			}
			result, err := callTool(t.Context(), c, name, arguments)
			if got := said(t, result, err); got != want {
				t.Errorf("%s: %s, want %s", name, got, want)
			}
		}
		result, err := callTool(t.Context(), c, "typed", nil)
		pixels := base64.StdEncoding.EncodeToString(pixel)
		if got := said(t, result, err); got != `{"n":1}|image/png `+pixels+"|link text/plain file:///a" {
			t.Error(got)
		}
		if diff := cmp.Diff(map[string]any{"n": 1.0}, result.StructuredContent); diff != "" {
			t.Errorf("structured (-want +got):\n%s", diff)
		}
		result, err = callTool(t.Context(), c, "nosuch", map[string]int{"a": 1})
		if got := said(t, result, err); got != `failed: there is no tool nosuch {"a":1}` {
			t.Error(got)
		}
		if listed, err = c.ListTools(t.Context(), mcp.ListToolsRequest{}); err != nil || len(listed.Tools) != len(want) {
			t.Errorf("then there are %d tools, want %d: %v", len(listed.Tools), len(want), err)
		}
		if diff := cmp.Diff(map[string]float64{"tool_calls": 6, "tool_errors": 2}, end()); diff != "" {
			t.Errorf("numbers (-want +got):\n%s", diff)
		}
	})
}

// TestTools_SchemasStayAsTheyAre checks that every byte of them is kept, except for the type that clients require.
func TestTools_SchemasStayAsTheyAre(t *testing.T) {
	e, _ := leaseTools(t, newDesk())
	_, _, body := postTools(t, e, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, nil)
	for _, want := range []string{
		`"inputSchema":` + oddSchema, `"name":"bare"`, `"inputSchema":{"type":"object"}`,
		`"inputSchema":{"type":"object","properties":{"x":{}}}`,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("the list is without %s:\n%s", want, body)
		}
	}
}

// postTools sends a body unchanged.
func postTools(t *testing.T, e *sdk.ToolEndpoint, body string, header map[string]string) (int, http.Header, string) {
	t.Helper()
	return requestTools(t, e, http.MethodPost, body, header)
}

func requestTools(
	t *testing.T, e *sdk.ToolEndpoint, method, body string, header map[string]string,
) (int, http.Header, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, e.URL, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+e.Token)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for name, value := range header {
		r.Header.Set(name, value)
		if name == "Host" {
			r.Host = value
		}
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
	return response.StatusCode, response.Header, string(text)
}

// TestTools_StepsAreSerial checks that the environment executes one step after the other, whatever a program does
// concurrently.
func TestTools_StepsAreSerial(t *testing.T) {
	eras(t, func(t *testing.T, version string) {
		d := newDesk()
		e, end := leaseTools(t, d)
		var calling sync.WaitGroup
		for i := range 8 {
			c, _ := speak(t, e, version)
			calling.Go(func() {
				for range 4 {
					result, err := callTool(t.Context(), c, "add", map[string]any{"a": i})
					if got, want := said(t, result, err), fmt.Sprintf(`ok {"a":%d}`, i); got != want {
						t.Errorf("%s, want %s", got, want)
					}
				}
			})
		}
		calling.Wait()
		if d.most != 1 || len(d.seen()) != 32 || end()["tool_calls"] != 32 {
			t.Errorf("%d at a time, %d steps, %v", d.most, len(d.seen()), end())
		}
	})
}

// TestTools_OrderOfArrival checks that waiting calls are executed in the order of their arrival, without canceled
// ones.
func TestTools_OrderOfArrival(t *testing.T) {
	d := newDesk()
	l := newLease(t.Context(), Lease{Model: &policy{}, Tools: d}, defaultBounds)
	defer l.end()
	s := l.toolServer(&Gateway{options: Options{KeepAlive: time.Second}, bounds: defaultBounds})
	calls := make([]*toolCall, 6)
	for i := range calls {
		name := "add"
		if i == 0 {
			name = "wait"
		}
		r := mcp.CallToolRequest{}
		r.Params.Name, r.Params.RawArguments = name, json.RawMessage(fmt.Sprint(i))
		calls[i], _ = s.ask(&posted{key: toolKey{id: fmt.Sprint(i)}}, r)
	}
	<-d.begun
	calls[2].stop()
	<-calls[2].done
	close(d.wait)
	for _, c := range calls {
		<-c.done
	}
	if diff := cmp.Diff([]string{"wait0", "add1", "add3", "add4", "add5"}, d.seen()); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
	if !errors.Is(calls[2].err, context.Canceled) {
		t.Errorf("the call that was called off: %v", calls[2].err)
	}
}

// TestTools_TheEndOfTheEpisode checks that the call that ends the episode gets its result, and later ones get the
// reason.
func TestTools_TheEndOfTheEpisode(t *testing.T) {
	eras(t, func(t *testing.T, version string) {
		for last, texts := range map[string][2]string{
			"finish": {endedDone, "failed: " + endedDone}, "limit": {"", "failed: " + endedTruncated},
		} {
			d := newDesk()
			e, end := leaseTools(t, d)
			c, _ := speak(t, e, version)
			for i, name := range []string{last, "add"} {
				result, err := callTool(t.Context(), c, name, nil)
				if got := said(t, result, err); got != texts[i] {
					t.Errorf("%s after %s: %q, want %q", name, last, got, texts[i])
				}
			}
			if diff := cmp.Diff(map[string]float64{"tool_calls": 2, "tool_errors": 1}, end()); diff != "" {
				t.Errorf("numbers (-want +got):\n%s", diff)
			}
			status, _, body := postTools(t, e, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, nil)
			if status != http.StatusGone || !strings.Contains(body, "has ended") {
				t.Errorf("after the lease: %d %s", status, body)
			}
		}
		d := newDesk()
		d.ended = true // by a step of another kind
		e, _ := leaseTools(t, d)
		c, _ := speak(t, e, version)
		result, err := callTool(t.Context(), c, "add", nil)
		if got := said(t, result, err); got != "failed: step: the environment has ended the episode" {
			t.Error(got)
		}
		d.ended = false
		result, err = callTool(t.Context(), c, "break", nil)
		if err == nil || !strings.Contains(err.Error(), "the episode has failed") {
			t.Error(said(t, result, err))
		}
	})
}

// TestTools_TheEnvironmentFails checks that later requests are answered with the environment's failure, and not as if
// the episode had ended with a final score. The end of the agent's context, which accompanies the failure, changes
// nothing.
func TestTools_TheEnvironmentFails(t *testing.T) {
	eras(t, func(t *testing.T, version string) {
		for _, ends := range []bool{false, true} {
			d := newDesk()
			g, err := Listen(Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer g.Close()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if ends {
				d.fails = cancel
			}
			granted, _ := g.Grant(ctx, Lease{Model: &policy{}, Tools: d})
			e := g.ToolServer(granted)
			body, header := numbered("break", 1), map[string]string(nil)
			if version == modern {
				body, header = modernCall(1, "break")
			}
			for n, want := range []int{200, 410, 410} { // the call, and later ones
				status, _, text := postTools(t, e, body, header)
				if ends {
					want = 410
				}
				if status != want || !strings.Contains(text, "the episode has failed") ||
					!strings.Contains(text, "the desk is broken") {
					t.Errorf("ends %t: %d: %d %s", ends, n, status, text)
				}
			}
			status, text := post(t, granted, question, nil)
			if status != http.StatusGone || !strings.Contains(text, "episode_failed") { // without the cause: ends_test.go
				t.Errorf("ends %t: the model: %d %s", ends, status, text)
			}
		}
	})
}

// TestTools_AReaderThatDoesNotRead checks that such a program delays the end of its episode by at most a second,
// whatever its write deadline was.
func TestTools_AReaderThatDoesNotRead(t *testing.T) {
	bounds := defaultBounds
	bounds.write = time.Hour
	g, err := listen(Options{}, bounds)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	granted, end := g.Grant(t.Context(), Lease{Model: &policy{}, Tools: newDesk()})
	body := numbered("huge", 1)
	const blank = "\r\n\r\n"
	typed := "\r\nContent-Type: application/json" + blank
	_, in := dialed(t, g, strings.Replace(head(granted, toolsPath, len(body)), blank, typed, 1)+body)
	if _, err := in.ReadByte(); err != nil { // the answer is being written
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]float64{"tool_calls": 1}, end()); diff != "" {
		t.Errorf("numbers (-want +got):\n%s", diff)
	}
}

// TestTools_ChangedTools checks that listening programs are notified of changes, and that a list always has the
// current tools.
func TestTools_ChangedTools(t *testing.T) {
	d := newDesk()
	e, _ := leaseTools(t, d)
	c, told := speak(t, e, legacy)
	result, err := callTool(t.Context(), c, "more", nil)
	if got := said(t, result, err); got != "|And now?" {
		t.Errorf("what the environment said besides: %q", got)
	}
	for heard := ""; heard != "notifications/tools/list_changed"; heard = <-told {
	}
	result, err = callTool(t.Context(), c, "sub", nil)
	if got := said(t, result, err); got != "ok {}" {
		t.Errorf("the new tool: %s", got)
	}
	listed, err := c.ListTools(t.Context(), mcp.ListToolsRequest{})
	if err != nil || listed.Tools[len(listed.Tools)-1].Name != "sub" {
		t.Errorf("got %v, %v", listed, err)
	}
}

// TestTools_WhoWaitsHears checks that a program that waits for a call gets periodic keep-alives in the form of its
// protocol version.
func TestTools_WhoWaitsHears(t *testing.T) {
	eras(t, func(t *testing.T, version string) {
		d := newDesk()
		e, _ := leaseTools(t, d)
		c, told := speak(t, e, version)
		done := make(chan string, 1)
		go func() {
			request := mcp.CallToolRequest{}
			request.Params.Name, request.Params.Meta = "wait", &mcp.Meta{ProgressToken: "p"}
			result, err := c.CallTool(t.Context(), request)
			done <- said(t, result, err)
		}()
		for heard := ""; heard != "notifications/progress"; heard = <-told {
		}
		close(d.wait)
		if got := <-done; got != "waited" {
			t.Error(got)
		}
	})
	d := newDesk()
	e, _ := leaseTools(t, d)
	r, w := io.Pipe()
	go func() {
		defer w.Close()
		body := strings.NewReader(numbered("wait", 7))
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, e.URL, body)
		if err != nil {
			t.Error(err)
			return
		}
		request.Header.Set("Authorization", "Bearer "+e.Token)
		request.Header.Set("Content-Type", "application/json")
		response, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(request)
		if err != nil {
			t.Error(err)
			return
		}
		defer response.Body.Close()
		_, _ = io.Copy(w, response.Body)
	}()
	answer := bufio.NewReader(r)
	line, err := answer.ReadString('\n')
	for ; err == nil && !strings.HasPrefix(line, ": keep-alive"); line, err = answer.ReadString('\n') {
	}
	if err != nil {
		t.Fatalf("it received nothing: %v", err)
	}
	close(d.wait)
	rest, err := io.ReadAll(answer)
	if err != nil || !strings.Contains(string(rest), `data: {"jsonrpc":"2.0","id":7,"result":`) {
		t.Errorf("%v, %s", err, rest)
	}
}

// modernCall returns a call of the modern protocol.
func modernCall(id int, name string) (body string, header map[string]string) {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":{},"_meta":{`+
			`"io.modelcontextprotocol/protocolVersion":%q,"io.modelcontextprotocol/clientCapabilities":{}}}}`, id, name, modern),
		map[string]string{"MCP-Protocol-Version": modern, "Mcp-Method": "tools/call", "Mcp-Name": name}
}

const initialize = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18",` +
	`"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`

// session opens a session of the legacy protocol.
func session(t *testing.T, e *sdk.ToolEndpoint) map[string]string {
	t.Helper()
	_, header, _ := postTools(t, e, initialize, nil)
	id := header.Get("Mcp-Session-Id")
	if id == "" {
		t.Fatal("there is no session")
	}
	return map[string]string{"Mcp-Session-Id": id, "Mcp-Protocol-Version": "2025-06-18"}
}

// played is a request that is answered in the test's process, so that the cut of its connection is detected at once.
type played struct {
	w    *cutWriter
	cut  func() // and waits until the cut is detected
	done chan struct{}
}

// play starts a request. Its connection ends after the given number of writes.
func play(t *testing.T, g *Gateway, e *sdk.ToolEndpoint, body string, header map[string]string, left int) *played {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	sent := io.MultiReader(strings.NewReader(body)) // keeps no bytes that were read
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, e.URL, sent)
	r.ContentLength = int64(len(body))
	r.Header.Set("Authorization", "Bearer "+e.Token)
	r.Header.Set("Content-Type", "application/json")
	for name, value := range header {
		r.Header.Set(name, value)
	}
	p := &played{w: &cutWriter{httptest.NewRecorder(), left}, done: make(chan struct{})}
	p.cut = func() {
		cancel()
		<-p.done
	}
	t.Cleanup(p.cut)
	go func() {
		defer close(p.done)
		g.routes().ServeHTTP(p.w, r)
	}()
	return p
}

const whole = 1000 // writes

// answer returns all received bytes.
func (p *played) answer() string {
	<-p.done
	return p.w.Body.String()
}

func numbered(name string, id int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":{}}}`, id, name)
}

// TestTools_ACutCallIsNotMadeTwice checks that the end of a connection cancels nothing in the legacy protocol, and
// that a repeated request gets the one answer, during the call and afterwards.
func TestTools_ACutCallIsNotMadeTwice(t *testing.T) {
	for name, begin := range map[string]func(*testing.T, *sdk.ToolEndpoint) map[string]string{
		"session": session, "no session": func(*testing.T, *sdk.ToolEndpoint) map[string]string { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk()
			g, e, end := gatewayTools(t, d)
			header := begin(t, e)
			first := play(t, g, e, numbered("wait", 7), header, whole)
			<-d.begun
			first.cut()
			play(t, g, e, numbered("wait", 7), header, whole).cut()
			second := play(t, g, e, numbered("wait", 7), header, 0) // written, but not arrived
			close(d.wait)
			<-second.done
			for left := range 1 { // of the answer in one piece
				<-play(t, g, e, numbered("wait", 7), header, left).done
			}
			if got := play(t, g, e, numbered("wait", 7), header, whole).answer(); !strings.Contains(got, `"text":"waited"`) {
				t.Errorf("got %s", got)
			}
			if steps := d.seen(); !slices.Equal(steps, []string{"wait{}"}) {
				t.Errorf("steps %v", steps)
			}
			if diff := cmp.Diff(map[string]float64{"tool_calls": 1, "tool_joined": 4}, end()); diff != "" {
				t.Errorf("numbers (-want +got):\n%s", diff)
			}
		})
	}
}

// TestTools_EqualCallsThatArrivedAreCalls checks that a repeated ID is another call after its answer has arrived, from
// another session, or without a session while the first is in progress.
func TestTools_EqualCallsThatArrivedAreCalls(t *testing.T) {
	d := newDesk()
	g, e, end := gatewayTools(t, d)
	one, other := session(t, e), session(t, e)
	first := play(t, g, e, numbered("wait", 7), one, whole)
	<-d.begun
	again := play(t, g, e, numbered("wait", 7), one, whole) // sent twice by an intermediary
	var more []*played
	for _, header := range []map[string]string{other, nil, nil} {
		more = append(more, play(t, g, e, numbered("wait", 7), header, whole))
	}
	close(d.wait)
	for _, p := range append(more, first, again) {
		if got := p.answer(); !strings.Contains(got, `"text":"waited"`) {
			t.Errorf("got %s", got)
		}
	}
	play(t, g, e, numbered("wait", 7), one, whole).answer()
	stats := end()
	calls, joined := stats["tool_calls"], stats["tool_joined"]
	if calls+joined != 6 || len(d.seen()) != int(calls) || joined > 1 {
		t.Errorf("%d steps, %v", len(d.seen()), stats)
	}
}

// TestTools_CallingOff checks cancellation: notifications/cancelled in the legacy protocol, the end of the connection
// in the modern one. Other calls continue.
func TestTools_CallingOff(t *testing.T) {
	off := map[string]func(*testing.T, *Gateway, *sdk.ToolEndpoint, *desk){
		legacy: func(t *testing.T, g *Gateway, e *sdk.ToolEndpoint, d *desk) {
			header := session(t, e)
			p := play(t, g, e, numbered("wait", 7), header, whole)
			<-d.begun
			cancelled := `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`
			status, _, _ := postTools(t, e, cancelled, header)
			if status != http.StatusAccepted {
				t.Errorf("status %d", status)
			}
			<-p.done
		},
		modern: func(t *testing.T, g *Gateway, e *sdk.ToolEndpoint, d *desk) {
			body, header := modernCall(7, "wait")
			p := play(t, g, e, body, header, whole)
			<-d.begun
			p.cut()
		},
	}
	eras(t, func(t *testing.T, version string) {
		d := newDesk()
		g, e, end := gatewayTools(t, d)
		off[version](t, g, e, d)
		c, _ := speak(t, e, version)
		result, err := callTool(t.Context(), c, "add", nil) // its turn comes when the other has ended
		if got := said(t, result, err); got != "ok {}" {
			t.Error(got)
		}
		if diff := cmp.Diff(map[string]float64{"tool_calls": 2}, end()); diff != "" {
			t.Errorf("numbers (-want +got):\n%s", diff)
		}
	})
}

// TestTools_ModernAnswersThatWereLost checks that a call answered before the connection ended is answered again
// without a second step.
func TestTools_ModernAnswersThatWereLost(t *testing.T) {
	d := newDesk()
	g, e, _ := gatewayTools(t, d)
	body, header := modernCall(3, "add")
	<-play(t, g, e, body, header, 0).done
	if got := play(t, g, e, body, header, whole).answer(); !strings.Contains(got, `"text":"ok {}"`) {
		t.Errorf("got %s", got)
	}
	if steps := d.seen(); len(steps) != 1 {
		t.Errorf("steps %v", steps)
	}
}

// TestTools_KeptAnswersArePushedOutByAnswersAlone checks that the last cut-off answers are kept, whatever was canceled
// since.
func TestTools_KeptAnswersArePushedOutByAnswersAlone(t *testing.T) {
	d := newDesk()
	l := newLease(t.Context(), Lease{Model: &policy{}, Tools: d}, defaultBounds)
	defer l.end()
	s := l.toolServer(&Gateway{options: Options{KeepAlive: time.Second}, bounds: defaultBounds})
	ask := func(name, id string) *posted {
		p := &posted{key: toolKey{id: id}}
		r := mcp.CallToolRequest{}
		r.Params.Name = name
		var refusal string
		if p.call, refusal = s.ask(p, r); refusal != "" {
			t.Fatal(refusal)
		}
		return p
	}
	cut := make([]*posted, mostCut+1)
	for i := range cut[:mostCut] {
		cut[i] = ask("add", fmt.Sprint(i))
		<-cut[i].call.done
		s.release(cut[i], false)
	}
	for _, p := range []*posted{ask("wait", "cancelled"), ask("wait", "disconnected")} {
		if p.modern = p.key.id == "disconnected"; !p.modern { // or by notifications/cancelled
			p.call.stop()
			<-p.call.done
		}
		s.release(p, false)
		<-p.call.done
	}
	repeated := ask("add", "0")
	if repeated.call != cut[0].call {
		t.Fatal("the first answer is no longer kept")
	}
	s.release(repeated, false)
	cut[mostCut] = ask("add", "one more")
	<-cut[mostCut].call.done
	s.release(cut[mostCut], false)
	for i, p := range cut {
		again := ask("add", p.key.id)
		if kept := again.call == p.call; kept != (i != 1) { // the oldest
			t.Errorf("%d: kept is %t", i, kept)
		}
		<-again.call.done
		s.release(again, true)
	}
	if len(s.calls.open) > 0 || len(s.calls.kept) > 0 {
		t.Errorf("%d open, %d kept", len(s.calls.open), len(s.calls.kept))
	}
}

// TestTools_TheLeaseEnds checks that calls and streams in progress end with the lease, and get the error that the
// episode has ended.
func TestTools_TheLeaseEnds(t *testing.T) {
	d := newDesk()
	g, e, end := gatewayTools(t, d)
	header := session(t, e)
	stream := open(t, e, header)
	p := play(t, g, e, numbered("wait", 7), header, whole)
	<-d.begun
	end()
	if got := p.answer(); p.w.Code != http.StatusGone || !strings.Contains(got, "has ended") {
		t.Errorf("%d %s", p.w.Code, got)
	}
	if _, err := io.ReadAll(stream); err != nil {
		t.Errorf("the stream: %v", err)
	}
}

// open opens the stream of notifications.
func open(t *testing.T, e *sdk.ToolEndpoint, header map[string]string) io.Reader {
	t.Helper()
	response := stream(t, e, http.MethodGet, "", header)
	if response.StatusCode != http.StatusOK {
		t.Fatalf("status %d", response.StatusCode)
	}
	return response.Body
}

// stream requests a stream, which ends with the test.
func stream(t *testing.T, e *sdk.ToolEndpoint, method, body string, header map[string]string) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, e.URL, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+e.Token)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for name, value := range header {
		r.Header.Set(name, value)
	}
	response, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { response.Body.Close() })
	return response
}

func bearer(key string) map[string]string { return map[string]string{"Authorization": "Bearer " + key} }

// TestTools_Transport checks the requests rejected before anything is called, and the lifecycle of a session.
func TestTools_Transport(t *testing.T) {
	d := newDesk()
	g, e, _ := gatewayTools(t, d)
	granted, _ := g.Grant(t.Context(), Lease{Model: &policy{}})
	list := `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	for name, test := range map[string]struct {
		method, body string
		header       map[string]string
		status       int
		want         string
	}{
		"wrong key":         {"POST", list, bearer("aw-x"), 401, "this key belongs to no episode"},
		"no environment":    {"POST", list, bearer(granted.APIKey), 404, "no environment"},
		"host":              {"POST", list, map[string]string{"Host": "evil.example"}, 403, "not served"},
		"origin":            {"POST", list, map[string]string{"Origin": "http://evil.example"}, 403, "not served"},
		"large":             {"POST", strings.Repeat(" ", mostToolBytes+1), nil, 413, "at most 16 MiB"},
		"method":            {"PUT", list, nil, 405, "PUT is not served"},
		"no JSON":           {"POST", "{", nil, 400, "not valid json"},
		"batch":             {"POST", "[" + list + "]", nil, 400, "not valid json"},
		"unknown session":   {"POST", list, map[string]string{"Mcp-Session-Id": "nosuch"}, 404, "Session terminated"},
		"unknown method":    {"POST", `{"jsonrpc":"2.0","id":1,"method":"tools/destroy"}`, nil, 200, "-32601"},
		"key of the models": {"POST", list, map[string]string{"Authorization": "", "X-Api-Key": e.Token}, 200, `"tools":[`},
		"modern GET":        {"GET", "", map[string]string{"Mcp-Protocol-Version": modern}, 405, "not supported"},
		"header of another": {"POST", list, map[string]string{"Mcp-Protocol-Version": modern}, 400, "protocolVersion"},
	} {
		t.Run(name, func(t *testing.T) {
			status, _, body := requestTools(t, e, test.method, test.body, test.header)
			if status != test.status || !strings.Contains(body, test.want) {
				t.Errorf("%d %s, want %d with %s", status, body, test.status, test.want)
			}
		})
	}
	header := session(t, e)
	for i, want := range []int{http.StatusOK, http.StatusNotFound} {
		if status, _, body := postTools(t, e, list, header); status != want {
			t.Errorf("%d: %d %s", i, status, body)
		}
		if status, _, body := requestTools(t, e, http.MethodDelete, "", header); status != http.StatusOK {
			t.Errorf("%d: deleted: %d %s", i, status, body)
		}
	}
	if len(d.seen()) > 0 {
		t.Errorf("steps %v", d.seen())
	}
}

// TestTools_Bounds checks that sessions, streams and waiting calls are bounded, and that exceeding a bound does not
// affect others.
func TestTools_Bounds(t *testing.T) {
	d := newDesk()
	g, e, end := gatewayTools(t, d)
	for range mostSessions {
		session(t, e)
	}
	status, header, _ := postTools(t, e, initialize, nil)
	if status != http.StatusOK || header.Get("Mcp-Session-Id") != "" {
		t.Errorf("one session more: %d, %v", status, header)
	}
	for range mostListeners {
		open(t, e, nil)
	}
	if status, _, body := requestTools(t, e, http.MethodGet, "", nil); status != http.StatusTooManyRequests {
		t.Errorf("one stream more: %d %s", status, body)
	}
	first := play(t, g, e, numbered("wait", 0), nil, whole)
	<-d.begun
	for id := 1; id < mostPending; id++ {
		p := play(t, g, e, numbered("add", id), nil, whole)
		t.Cleanup(func() { <-p.done })
	}
	s := g.leases[e.Token].tools
	for waiting := 0; waiting < mostPending; runtime.Gosched() {
		s.mu.Lock()
		waiting = s.calls.pending
		s.mu.Unlock()
	}
	more := play(t, g, e, numbered("add", 9999), nil, whole).answer()
	if !strings.Contains(more, "wait for their turn already") {
		t.Errorf("one call more: %s", more)
	}
	close(d.wait)
	if got := first.answer(); !strings.Contains(got, "waited") {
		t.Error(got)
	}
	end()
}

// TestTools_StreamsOfBothErasAreBounded checks that streams opened by GET and by subscriptions/listen count toward one
// limit.
func TestTools_StreamsOfBothErasAreBounded(t *testing.T) {
	e, _ := leaseTools(t, newDesk())
	const body = `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":` +
		`{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/protocolVersion":"` + modern + `",` +
		`"io.modelcontextprotocol/clientCapabilities":{}}}}`
	header := map[string]string{"Mcp-Protocol-Version": modern, "Mcp-Method": "subscriptions/listen"}
	for range mostListeners - 1 {
		open(t, e, nil)
	}
	last := stream(t, e, http.MethodPost, body, header)
	if last.StatusCode != http.StatusOK {
		t.Fatalf("status %d", last.StatusCode)
	}
	for method, header := range map[string]map[string]string{http.MethodGet: nil, http.MethodPost: header} {
		if more := stream(t, e, method, body, header); more.StatusCode != http.StatusTooManyRequests {
			t.Fatalf("%s for one stream more: %d", method, more.StatusCode)
		}
	}
	last.Body.Close()
	for stream(t, e, http.MethodGet, "", nil).StatusCode != http.StatusOK { // replaces it, once its end is detected
	}
}

// TestTools_WhichCallOfTheModel checks that the ID of the model's call sent by Claude Code is used.
func TestTools_WhichCallOfTheModel(t *testing.T) {
	d := newDesk()
	e, _ := leaseTools(t, d)
	postTools(t, e, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{},`+
		`"_meta":{"claudecode/toolUseId":"toolu_1"}}}`, nil)
	postTools(t, e, numbered("add", 2), nil)
	want := []sdk.ToolCall{{ID: "toolu_1", Name: "add", Arguments: "{}"}, {ID: "mcp.2", Name: "add", Arguments: "{}"}}
	if diff := cmp.Diff(want, d.calls); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
}

// FuzzTools_Bodies checks that every input is answered, with JSON if it is an answer to a request, and calls only
// existing tools. Afterwards nothing counts as being read or as a stream.
func FuzzTools_Bodies(f *testing.F) {
	for _, seed := range []string{
		numbered("add", 1), numbered("nosuch", 1), `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, `{`, `[]`, `null`,
		`{"jsonrpc":"2.0","id":{},"method":"tools/call","params":{"name":"add","arguments":[1e999]}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","_meta":{"progressToken":{}}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen"}`, `{"jsonrpc":"2.0","id":1,"method":"initialize"}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, initialize,
	} {
		f.Add(seed, "", "")
		f.Add(seed, modern, "tools/call")
	}
	called, header := modernCall(1, "add")
	f.Add(called, modern, header["Mcp-Method"])
	f.Add(`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},`+
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"`+modern+`","io.modelcontextprotocol/clientCapabilities":{}}}}`,
		modern, "subscriptions/listen")
	g, err := Listen(Options{})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(g.Close)
	f.Fuzz(func(t *testing.T, body, version, method string) {
		d := newDesk()
		d.tools = []sdk.Tool{{Name: "add"}}
		granted, end := g.Grant(t.Context(), Lease{Model: &policy{}, Tools: d})
		defer end()
		e := g.ToolServer(granted)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		asks := &posted{}
		if asks.read(http.Header{}, []byte(body)); asks.listens { // such a stream does not end by itself
			cancel()
		}
		r := httptest.NewRequestWithContext(ctx, http.MethodPost, e.URL, strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer "+e.Token)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Mcp-Protocol-Version", version)
		r.Header.Set("Mcp-Method", method)
		r.Header.Set("Mcp-Name", "add")
		w := httptest.NewRecorder()
		g.routes().ServeHTTP(w, r)
		if strings.HasPrefix(w.Header().Get("Content-Type"), "application/json") && !json.Valid(w.Body.Bytes()) {
			t.Errorf("%d %q", w.Code, w.Body)
		}
		for _, c := range d.calls {
			if c.Name == "" || !json.Valid([]byte(c.Arguments)) {
				t.Errorf("called %+v", c)
			}
		}
		s := g.leases[e.Token].toolServer(g)
		s.mu.Lock()
		defer s.mu.Unlock()
		if left := g.left.Load(); left != g.bounds.bodies || s.listeners > 0 || len(s.calls.open) > len(s.calls.kept) {
			t.Errorf("%d bytes are still being read, %d streams are open, calls %+v", g.bounds.bodies-left, s.listeners, s.calls)
		}
	})
}
