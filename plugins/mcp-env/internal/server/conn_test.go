package server

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/awhost/awhost/plugins/mcp-env/internal/mcptest"
)

// servers lists the transports and eras of the same server.
var servers = map[string]func(*testing.T) Config{
	"stdio legacy": func(*testing.T) Config { return started(mcptest.Legacy) },
	"stdio modern": func(*testing.T) Config { return started(mcptest.Modern) },
	"HTTP legacy":  func(t *testing.T) Config { return reached(mcptest.HTTP(t, mcptest.Legacy)) },
	"HTTP modern":  func(t *testing.T) Config { return reached(mcptest.HTTP(t, mcptest.Modern)) },
}

func started(era mcptest.Era) Config {
	command, env := mcptest.Stdio(era)
	return withLongTimeouts(Config{Command: command, Env: env})
}

func reached(s *mcptest.Server) Config { return withLongTimeouts(Config{URL: s.URL}) }

func withLongTimeouts(c Config) Config {
	c.Name, c.Connect, c.Call, c.Idle, c.Log = "test", time.Minute, time.Minute, time.Minute, slog.New(slog.DiscardHandler)
	return c
}

func connect(t *testing.T, c Config) *Conn {
	t.Helper()
	conn, err := Connect(t.Context(), c, "episode-1")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	return conn
}

func text(r *Result) string {
	var parts []string
	for _, c := range r.Content {
		parts = append(parts, c.Text)
	}
	return strings.Join(parts, "|")
}

// Each era and transport returns the server's schemas unchanged, all kinds of results, and errors for the model.
func TestConn_SpeaksWithServersOfBothEras(t *testing.T) {
	for name, config := range servers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn := connect(t, config(t))
			if _, era, _ := strings.Cut(name, " "); strings.Contains(conn.About(), "2026-07-28") != (era == "modern") {
				t.Errorf("spoken with %s", conn.About())
			}
			var add Tool
			for _, tool := range conn.Tools() {
				if tool.Name == "add" {
					add = tool
				}
			}
			if string(add.Schema) != mcptest.AddSchema() || !add.ReadOnly || add.Description != "adds two numbers" {
				t.Errorf("listed: %+v, schema %s", add, add.Schema)
			}
			for _, test := range []struct {
				tool, arguments string
				want            Result
			}{
				{"add", `{"a":1,"b":2}`, Result{Content: []Content{{Kind: Text, Text: "3"}}}},
				{"add", `{"b":2}`, *failed(`required argument "a" not found`)},
				{"refuse", `{}`, *failed("refused by the server")},
				{"structured", `{}`, Result{Structured: []byte(`{"answer":42}`)}},
				{"picture", `{}`, Result{Content: []Content{
					{Kind: Text, Text: "a pixel"}, {Kind: Image, Data: mcptest.Pixel(), MIMEType: "image/png"},
				}}},
			} {
				got, err := conn.Call(t.Context(), test.tool, []byte(test.arguments))
				if err != nil {
					t.Fatalf("%s: %v", test.tool, err)
				}
				if test.tool == "structured" {
					got.Content = nil // mcp-go adds the structure as text
				}
				if diff := cmp.Diff(&test.want, got); diff != "" {
					t.Errorf("%s: %s", test.tool, diff)
				}
			}
			got, err := conn.Call(t.Context(), "nosuch", []byte(`{}`))
			if err != nil || !got.IsError || !strings.Contains(text(got), "nosuch") {
				t.Errorf("an unknown tool: %+v, %v", got, err)
			}
		})
	}
}

// A slow tool is canceled. Its server still answers and is kept.
func TestCall_KeepsItsLimits(t *testing.T) {
	for name, config := range servers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := config(t)
			c.Call, c.Idle = time.Minute, 2*time.Second
			conn := connect(t, c)
			got, err := conn.Call(t.Context(), "wait", []byte(`{"steps":30}`))
			if err != nil || got.IsError {
				t.Errorf("with progress: %+v, %v", got, err)
			}
			got, err = conn.Call(t.Context(), "wait", []byte(`{"steps":600,"silent":true}`))
			if err != nil || !got.IsError || !strings.Contains(text(got), "no result and no progress within 2s") {
				t.Errorf("in silence: %+v, %v", got, err)
			}
			got, err = conn.Call(t.Context(), "add", []byte(`{"a":1,"b":2}`))
			if err != nil || text(got) != "3" {
				t.Errorf("after that: %+v, %v", got, err)
			}
		})
	}
}

// A server that only sends progress during a call is not lost. The call is canceled, and the model receives that as
// its result.
func TestCall_ProgressIsASignOfLife(t *testing.T) {
	initialized := `"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},` +
		`"serverInfo":{"name":"s","version":"1"}}`
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var request struct {
			ID     json.RawMessage
			Method string
			Params struct {
				Meta struct{ ProgressToken string } `json:"_meta"`
			}
		}
		_ = json.NewDecoder(r.Body).Decode(&request)
		result := map[string]string{
			"initialize": initialized,
			"tools/list": `"result":{"tools":[{"name":"work","inputSchema":{"type":"object"}}]}`,
		}[request.Method]
		switch {
		case request.Method == "tools/call":
			w.Header().Set("Content-Type", "text/event-stream")
			for n := 1; r.Context().Err() == nil; n++ {
				_, _ = fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\","+
					"\"params\":{\"progressToken\":%q,\"progress\":%d}}\n\n", request.Params.Meta.ProgressToken, n)
				_ = http.NewResponseController(w).Flush()
				select {
				case <-time.After(10 * time.Millisecond):
				case <-r.Context().Done():
				}
			}
		case request.ID == nil:
			w.WriteHeader(http.StatusAccepted)
		case result != "":
			w.Header().Set("Content-Type", "application/json")
			_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%s}`, request.ID, result)
		case request.Method == "server/discover":
			w.WriteHeader(http.StatusBadRequest)
		default: // a ping
			<-r.Context().Done()
		}
	}))
	defer server.Close()
	c := withLongTimeouts(Config{URL: server.URL})
	c.Call = time.Second
	conn := connect(t, c)
	got, err := conn.Call(t.Context(), "work", []byte(`{}`))
	if err != nil || !got.Unanswered || !strings.Contains(text(got), "no result within 1s") {
		t.Errorf("%+v, %v", got, err)
	}
	conn.Close()
}

// A server that exits or is stopped in the middle of a call is lost, and the call ends soon.
func TestCall_TellsALostServerFromASlowTool(t *testing.T) {
	for _, how := range []struct {
		name   string
		signal syscall.Signal
	}{{"killed", syscall.SIGKILL}, {"stopped", syscall.SIGSTOP}} {
		for _, over := range []string{"stdio", "HTTP"} {
			for _, era := range []mcptest.Era{mcptest.Legacy, mcptest.Modern} {
				t.Run(how.name+" "+over+" "+string(era), func(t *testing.T) {
					t.Parallel()
					c, pid := started(era), 0
					if over == "HTTP" {
						s := mcptest.HTTP(t, era)
						c, pid = reached(s), s.Process.Pid
					}
					c.Idle = 2 * time.Second
					conn := connect(t, c)
					if over == "stdio" {
						pid = conn.child.process.PID()
					}
					time.AfterFunc(200*time.Millisecond, func() { _ = syscall.Kill(pid, how.signal) })
					_, err := conn.Call(t.Context(), "wait", []byte(`{"steps":600,"silent":true}`))
					if !errors.Is(err, ErrLost) {
						t.Errorf("got %v, want ErrLost", err)
					}
					if _, err := conn.Call(t.Context(), "add", []byte(`{"a":1,"b":2}`)); !errors.Is(err, ErrLost) {
						t.Errorf("after that: %v, want ErrLost", err)
					}
				})
			}
		}
	}
}

// A caller whose context ends gets the context's error.
func TestCall_EndsWithItsContext(t *testing.T) {
	for name, config := range servers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn := connect(t, config(t))
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(100*time.Millisecond, cancel)
			if _, err := conn.Call(ctx, "wait", []byte(`{"steps":600}`)); !errors.Is(err, context.Canceled) {
				t.Errorf("got %v", err)
			}
			if got, err := conn.Call(t.Context(), "add", []byte(`{"a":1,"b":2}`)); err != nil || text(got) != "3" {
				t.Errorf("after that: %+v, %v", got, err)
			}
		})
	}
}

// Servers that reject versions newer than theirs, over both transports.
func TestConnect_RequestsOlderVersions(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("SKIPPED: python3 is missing")
	}
	for _, version := range mcp.LegacyProtocolVersions() {
		t.Run(version, func(t *testing.T) {
			conn := connect(t, withLongTimeouts(running(python, "testdata/strict.py", version)))
			if !strings.HasSuffix(conn.About(), "MCP "+version) || len(conn.Tools()) != 1 {
				t.Errorf("stdio: got %s with %d tools", conn.About(), len(conn.Tools()))
			}
			cmd := exec.Command(python, "testdata/strict.py", version, "http")
			out, err := cmd.StdoutPipe()
			if err == nil {
				err = cmd.Start()
			}
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				_ = cmd.Process.Kill()
				_ = cmd.Wait()
			})
			address, err := bufio.NewReader(out).ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			conn = connect(t, withLongTimeouts(Config{URL: strings.TrimSpace(address)}))
			if !strings.HasSuffix(conn.About(), "MCP "+version) || len(conn.Tools()) != 1 {
				t.Errorf("HTTP: got %s with %d tools", conn.About(), len(conn.Tools()))
			}
		})
	}
}

// The error for a rejected request contains the server's status and sentence.
func TestConnect_QuotesHTTPErrors(t *testing.T) {
	for status, body := range map[int]string{
		400: `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"No workspace is selected"}}`,
		403: `{"error":"the plan of this account has no MCP"}`, 404: "no such\npage", 405: "", 418: "short and stout",
	} {
		requests := 0
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				requests++
			}
			http.Error(w, body, status)
		}))
		_, err := Connect(t.Context(), withLongTimeouts(Config{URL: s.URL}), "")
		s.Close()
		want := map[int]string{
			400: "HTTP 400 Bad Request: No workspace is selected",
			403: "HTTP 403 Forbidden: the plan of this account has no MCP",
			404: "HTTP 404 Not Found: no such page (check the URL); HTTP+SSE: unexpected status code: 404",
			405: "HTTP 405 Method Not Allowed (check the URL); HTTP+SSE: unexpected status code: 405",
			418: "HTTP 418 I'm a teapot: short and stout",
		}[status]
		if err == nil || !strings.HasSuffix(err.Error(), "agree on a version of MCP: "+want) {
			t.Errorf("got %v, want %s", err, want)
		}
		if status != 400 && requests != 2 {
			t.Errorf("HTTP %d: %d requests, want one in each era", status, requests)
		}
	}
}

// TestConnect_FindsHTTPWithSSE checks a server of the first transport over HTTP, and the loss of it during a call.
func TestConnect_FindsHTTPWithSSE(t *testing.T) {
	s := mcpserver.NewMCPServer("first", "1.0",
		mcpserver.WithToolCapabilities(true), mcpserver.WithInstructions("Be quick."))
	waiting, end := make(chan struct{}), make(chan struct{})
	s.AddTool(mcp.NewTool("echo"), func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if r.GetBool("wait", false) {
			close(waiting)
			<-end
		}
		return mcp.NewToolResultText("hi"), nil
	})
	served := httptest.NewServer(mcpserver.NewSSEServer(s))
	defer served.Close()
	defer close(end)
	conn := connect(t, withLongTimeouts(Config{URL: served.URL + "/sse"}))
	unused := []string{"instructions of 9 bytes"}
	if !strings.HasSuffix(conn.About(), ", HTTP+SSE") || !slices.Equal(conn.Unused(), unused) {
		t.Errorf("%s does not use %q", conn.About(), conn.Unused())
	}
	if result, err := conn.Call(t.Context(), "echo", []byte("{}")); err != nil || result.Content[0].Text != "hi" {
		t.Errorf("got %+v, %v", result, err)
	}
	go func() {
		<-waiting
		served.CloseClientConnections()
	}()
	if result, err := conn.Call(t.Context(), "echo", []byte(`{"wait":true}`)); !errors.Is(err, ErrLost) {
		t.Errorf("got %+v, %v", result, err)
	}
	<-conn.Closed()
}

// TestConnect_RejectsStreams checks an endpoint that would receive the headers without TLS or on another host, a stream
// without an endpoint, and a stream that requires authorization.
func TestConnect_RejectsStreams(t *testing.T) {
	for stream, want := range map[string]string{
		"event: endpoint\ndata: https://HOST/messages\n\n": "requests messages at https://",
		"event: endpoint\ndata: http://h/messages\n\n":     "did not answer within",
		"event: message\ndata: {}\n\n":                     "did not answer within",
		"":                                                 "authorization required",
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case r.Method != http.MethodGet:
				http.Error(w, "", http.StatusMethodNotAllowed)
			case stream == "":
				http.Error(w, "", http.StatusUnauthorized)
			default:
				w.Header().Set("Content-Type", "text/event-stream")
				fmt.Fprint(w, strings.Replace(stream, "HOST", r.Host, 1))
				_ = http.NewResponseController(w).Flush()
				<-r.Context().Done()
			}
		}))
		c := withLongTimeouts(Config{URL: s.URL, Headers: map[string]string{"Authorization": "secret"}})
		if strings.Contains(want, "within") {
			c.Connect = time.Second
		}
		_, err := Connect(t.Context(), c, "")
		s.Close()
		if err == nil || !strings.Contains(err.Error(), want) || Unauthorized(err) != (stream == "") {
			t.Errorf("%q: got %v, want %s", stream, err, want)
		}
	}
}

// TestBoundedLines checks the limits on a line and on an event, whose parts arrive in any pieces.
func TestBoundedLines(t *testing.T) {
	before := maxAnswerBytes
	defer func() { maxAnswerBytes = before }()
	maxAnswerBytes = 20
	for text, want := range map[string][2]bool{ // as lines, as events
		strings.Repeat("data: 12345\n", 9):        {false, true},
		strings.Repeat("data: 1\n\r\n", 9):        {false, false},
		strings.Repeat("data: 123\n\n", 9):        {false, false},
		strings.Repeat("data: 12345678901234", 2): {true, true},
	} {
		for i, events := range []bool{false, true} {
			var exceeded atomic.Bool
			b := &boundedLines{ReadCloser: io.NopCloser(iotest.OneByteReader(strings.NewReader(text))), events: events,
				exceeded: &exceeded}
			if _, err := io.Copy(io.Discard, b); (err != nil) != want[i] || exceeded.Load() != want[i] {
				t.Errorf("%q as events: %t: %v", text, events, err)
			}
		}
	}
}

func TestCall_AcceptsStructuredContentOnly(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("SKIPPED: python3 is missing")
	}
	conn := connect(t, withLongTimeouts(running(python, "testdata/strict.py", mcp.LATEST_LEGACY_PROTOCOL_VERSION)))
	got, err := conn.Call(t.Context(), "look", []byte(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&Result{Structured: []byte(`{"answer": 42}`)}, got); diff != "" {
		t.Error(diff)
	}
	if _, err := conn.Call(t.Context(), "look", []byte(`{"empty":true}`)); !errors.As(err, new(*WrongAnswer)) {
		t.Errorf("a result without any content: got %v", err)
	}
}

func running(command ...string) Config { return Config{Command: command} }

func TestConnect_SaysWhatIsWrong(t *testing.T) {
	gone := mcptest.HTTP(t, mcptest.Modern)
	_ = gone.Process.Kill()
	for _, test := range []struct {
		name   string
		config Config
		want   []string
	}{
		{"no such program", running("mcp-nosuch"), []string{`connect with MCP server "test"`, "mcp-nosuch"}},
		{"ends at once", running("sh", "-c", "echo no key is set >&2; exit 3"), []string{"status 3", "no key is set"}},
		{"says nothing", running("sleep", "60"), []string{"it did not answer within 2s"}},
		{"prints no JSON", running("yes"), []string{"within 2s"}},
		{"nobody listens", Config{URL: gone.URL}, []string{gone.URL, "refused"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := withLongTimeouts(Config{})
			c.Command, c.URL = test.config.Command, test.config.URL
			c.Connect = 2 * time.Second
			_, err := Connect(t.Context(), c, "")
			if err == nil {
				t.Fatal("it connected")
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%v: %s is not in it", err, want)
				}
			}
			if strings.Contains(err.Error(), "at ://") {
				t.Errorf("%v: a program has no URL", err)
			}
		})
	}
}
