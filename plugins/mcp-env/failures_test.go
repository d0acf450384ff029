package mcpenv_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/plugins/mcp-env/internal/mcptest"
	"github.com/awhost/awhost/sdk"
)

// fakeServer is a server of the older era over HTTP with answers chosen by a test.
type fakeServer struct {
	*http.Server
	url string

	mu    sync.Mutex
	tools string                                             // the listed tools
	call  func(w http.ResponseWriter, n int) (result string) // n counts from 1; no result: already answered
	calls int
	meta  map[string]any // of the last call
}

const goodResult = `"result":{"content":[{"type":"text","text":"done"}]}`

// serve starts the server; address "": any.
func serve(t *testing.T, address string) *fakeServer {
	t.Helper()
	if address == "" {
		address = "127.0.0.1:0"
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	f := &fakeServer{
		url: "http://" + listener.Addr().String() + "/mcp",
		tools: `[{"name":"read","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}},` +
			`{"name":"set","inputSchema":{"type":"object"},"annotations":{"idempotentHint":true}},` +
			`{"name":"write","inputSchema":{"type":"object"}}]`,
		call: func(http.ResponseWriter, int) string { return goodResult },
	}
	f.Server = &http.Server{Handler: f, ReadHeaderTimeout: time.Minute}
	served := make(chan error, 1)
	go func() { served <- f.Serve(listener) }()
	t.Cleanup(func() {
		_ = f.Close() // may be closed already
		if err := <-served; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	return f
}

// ServeHTTP implements http.Handler.
func (f *fakeServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var request struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params struct {
			Meta map[string]any `json:"_meta"`
		} `json:"params"`
	}
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil || request.Method == "server/discover" {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	var result string
	switch {
	case request.ID == nil:
		w.WriteHeader(http.StatusAccepted)
		return
	case request.Method == "initialize":
		result = `"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},` +
			`"serverInfo":{"name":"s","version":"1"}}`
	case request.Method == "tools/list":
		result = `"result":{"tools":` + f.tools + `}`
	case request.Method == "tools/call":
		f.calls, f.meta = f.calls+1, request.Params.Meta
		if result = f.call(w, f.calls); result == "" {
			return
		}
	default:
		result = `"result":{}`
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%s}`, request.ID, result)
}

// set changes the server's behavior.
func (f *fakeServer) set(change func(*fakeServer)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(f)
}

// counted returns the number of received calls.
func (f *fakeServer) counted() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.calls
}

// dropConnection closes the connection of a request without an answer.
func dropConnection(w http.ResponseWriter) string {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(err)
	}
	_ = conn.Close()
	return ""
}

// classOf returns the host's class of an error.
func classOf(err error) string {
	var failure *sdk.Failure
	switch {
	case err == nil:
		return "none"
	case errors.Is(err, sdk.ErrSessionLost):
		return "session lost"
	case errors.As(err, &failure):
		return string(failure.Class)
	}
	return err.Error()
}

// The outcome of an episode after a failed call.
func TestEnvironment_ClassesOfFailedCalls(t *testing.T) {
	for name, test := range map[string]struct {
		call  func(w http.ResponseWriter, n int) string
		class string
		says  string // the text of the error or the result
	}{
		"content of a kind that MCP does not have": {
			func(http.ResponseWriter, int) string { return `"result":{"content":[{"type":"film"}]}` },
			"ENVIRONMENT", `answered tools/call with what is not MCP: content 0 is of type "film"`,
		},
		"a result that is no object": {
			func(http.ResponseWriter, int) string { return `"result":[1]` },
			"ENVIRONMENT", "answered tools/call with what is not MCP",
		},
		"the server refuses": {
			func(http.ResponseWriter, int) string { return `"error":{"code":-32602,"message":"no such thing"}` },
			"none", "no such thing",
		},
		"the tool fails": {
			func(http.ResponseWriter, int) string {
				return `"result":{"isError":true,"content":[{"type":"text","text":"it broke"}]}`
			}, "none", "it broke",
		},
		"it hangs up": {
			func(w http.ResponseWriter, _ int) string { return dropConnection(w) }, "session lost", "",
		},
		"it has forgotten the session": {
			func(w http.ResponseWriter, _ int) string { w.WriteHeader(http.StatusNotFound); return "" },
			"session lost", "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := serve(t, "")
			r := newRig(t, object{"server": object{"desk": object{"url": f.url}}})
			r.open("e1")
			f.set(func(f *fakeServer) { f.call = test.call })
			out, err := r.try("e1", calling("write", `{}`))
			if got := classOf(err); got != test.class {
				t.Fatalf("the failure is %s (%v), want %s", got, err, test.class)
			}
			said := fmt.Sprint(err)
			if err == nil {
				if said = out.Messages[0].Content; !out.Messages[0].IsError {
					t.Error("the model is not told that it is an error")
				}
			}
			if !strings.Contains(said, test.says) {
				t.Errorf("it says %q, want %q", said, test.says)
			}
		})
	}
}

// A running server with wrong answers fails the episode that begins. An unreachable server stops the run until it is
// back.
func TestEnvironment_ClassesOfEpisodesThatCannotBegin(t *testing.T) {
	f := serve(t, "")
	r := newRig(t, object{"server": object{"desk": object{"url": f.url, "connect_timeout": "500ms"}}})
	open := func() error {
		_, err := r.Open(r.Context(), sdk.OpenRequest{EpisodeID: "e1", Split: sdk.SplitTrain, Task: sdk.Task{ID: "t1"}})
		return err
	}
	before := f.tools
	for name, test := range map[string]struct{ tools, says string }{
		"other tools": {
			`[{"name":"read","inputSchema":{"type":"object"}}]`, "lists other tools now than when the run began",
		},
		"no tools":     {`{}`, "what is not MCP"},
		"without name": {`[{"name":"","inputSchema":{"type":"object"}}]`, "a tool has no name"},
	} {
		f.set(func(f *fakeServer) { f.tools = test.tools })
		if err := open(); classOf(err) != "ENVIRONMENT" || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %s (%v), want ENVIRONMENT, %q", name, classOf(err), err, test.says)
		}
	}
	f.set(func(f *fakeServer) { f.tools = before })
	if err := open(); err != nil {
		t.Fatalf("with the tools that it had: %v", err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := r.try("e1", calling("read", `{}`)); classOf(err) != "session lost" {
		t.Errorf("the call of an open episode: %s (%v), want session lost", classOf(err), err)
	}
	for range 2 {
		var failure *sdk.Failure
		if err := open(); !errors.As(err, &failure) || failure.Class != sdk.FailureInfrastructure || !failure.Retryable {
			t.Errorf("while it is away: %s (%v), want INFRASTRUCTURE, retryable", classOf(err), err)
		}
	}
	address, _ := strings.CutSuffix(strings.TrimPrefix(f.url, "http://"), "/mcp")
	serve(t, address)
	if err := open(); err != nil {
		t.Fatalf("when it is back: %v", err)
	}
	if got := r.call("e1", "read", `{}`); got.Content != "done" {
		t.Errorf("when it is back: %+v", got)
	}
}

// A call that may have arrived is repeated only if the tool is annotated as repeatable, and no state of the episode
// was lost with the connection.
func TestEnvironment_RepeatsWhatMayBeRepeated(t *testing.T) {
	for name, test := range map[string]struct {
		session, before, tool string
		calls                 int // of the last call that the server receives
		class                 string
	}{
		"a tool that reads":                          {"shared", "", "read", 2, "none"},
		"one that may be called twice":               {"shared", "", "set", 2, "none"},
		"one that says nothing":                      {"shared", "", "write", 1, "session lost"},
		"a tool that reads, after one that did not":  {"shared", "write", "read", 1, "session lost"},
		"a tool that reads, in a session of its own": {"episode", "", "read", 1, "session lost"},
	} {
		t.Run(name, func(t *testing.T) {
			f := serve(t, "")
			r := newRig(t, object{"server": object{"desk": object{"url": f.url, "session": test.session}}})
			r.open("e1")
			if test.before != "" {
				r.call("e1", test.before, `{}`)
			}
			f.set(func(f *fakeServer) {
				f.calls = 0
				f.call = func(w http.ResponseWriter, n int) string {
					if n == 1 {
						return dropConnection(w)
					}
					return goodResult
				}
			})
			_, err := r.try("e1", calling(test.tool, `{}`))
			if got := classOf(err); got != test.class || f.counted() != test.calls {
				t.Errorf("%d calls and %s (%v), want %d and %s", f.counted(), got, err, test.calls, test.class)
			}
		})
	}
}

// Each session over HTTP ends with one DELETE, which has the episode's headers, like all its requests.
func TestEnvironment_EndsItsSessions(t *testing.T) {
	behind, err := url.Parse(mcptest.HTTP(t, mcptest.Legacy).URL)
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	begun, ended := map[string]string{}, map[string]string{} // SESSION_ID by session name
	proxy := &httputil.ReverseProxy{
		Rewrite: func(p *httputil.ProxyRequest) { p.SetURL(&url.URL{Scheme: behind.Scheme, Host: behind.Host}) },
		ModifyResponse: func(r *http.Response) error {
			mu.Lock()
			defer mu.Unlock()
			session, episode := r.Request.Header.Get("Mcp-Session-Id"), r.Request.Header.Get("SESSION_ID")
			if r.Request.Header.Get("Authorization") != "Bearer x" {
				t.Errorf("%s of session %s has no token", r.Request.Method, session)
			}
			switch {
			case session == "":
				if id := r.Header.Get("Mcp-Session-Id"); id != "" {
					begun[id] = episode
				}
			case begun[session] != episode:
				t.Errorf("%s of the session of %q has SESSION_ID %q", r.Request.Method, begun[session], episode)
			}
			if r.Request.Method == http.MethodDelete {
				if _, twice := ended[session]; twice || r.StatusCode != http.StatusOK {
					t.Errorf("session %s of %q is ended again, or with status %d", session, episode, r.StatusCode)
				}
				ended[session] = episode
			}
			return nil
		},
	}
	front := httptest.NewServer(proxy)
	t.Cleanup(front.Close)
	check := func(want ...string) { // the SESSION_IDs of the ended sessions
		t.Helper()
		mu.Lock()
		defer mu.Unlock()
		counts, wanted := map[string]int{}, map[string]int{}
		for _, episode := range ended {
			counts[uniquePart.ReplaceAllString(episode, "")]++
		}
		for _, episode := range want {
			wanted[episode]++
		}
		if diff := cmp.Diff(wanted, counts); diff != "" {
			t.Errorf("sessions that have ended (-want +got): %s", diff)
		}
	}
	t.Cleanup(func() { // runs after the environment has stopped
		check("", "e1", "e1", "e2", "e3")
		if diff := cmp.Diff(begun, ended); diff != "" {
			t.Errorf("sessions that have begun, and ended: %s", diff)
		}
	})
	r := newRig(t, object{"server": object{"desk": object{
		"url": front.URL + "/mcp", "session_header": "SESSION_ID", "headers": object{"Authorization": "Bearer x"},
	}}})
	check("") // the session that listed the tools
	for _, episode := range []string{"e1", "e2", "e3"} {
		r.open(episode)
		r.call(episode, "add", `{"a":1,"b":2}`)
	}
	check("")
	r.close("e2")
	check("", "e2")
	r.open("e1") // from scratch
	check("", "e2", "e1")
	r.close("e1")
	check("", "e2", "e1", "e1")
}
