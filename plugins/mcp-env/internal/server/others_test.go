package server

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// serversVariable names the folder made by .ci/mcp-servers: servers by other authors.
const serversVariable = "AWHOST_MCP_SERVERS"

// other is a server by another author.
type other struct {
	stdio   []string
	http    func(port, transport string) *exec.Cmd
	modern  bool
	calls   map[string]string // arguments of every tool
	typed   map[string]Kind   // tools with more than text in their results: the kind of one part
	slow    string            // a slow tool with progress
	slowly  string
	failing string // a tool that always fails
}

func others(t *testing.T) map[string]other {
	t.Helper()
	folder := os.Getenv(serversVariable)
	if folder == "" {
		t.Skipf("SKIPPED: %s does not name the folder that .ci/mcp-servers makes", serversVariable)
	}
	everything := filepath.Join(folder, "node_modules/@modelcontextprotocol/server-everything/dist/index.js")
	python, fast := filepath.Join(folder, "venv/bin/python"), "testdata/fast.py"
	return map[string]other{
		"server-everything": {
			stdio: []string{"node", everything, "stdio"},
			http: func(port, transport string) *exec.Cmd {
				cmd := exec.Command("node", everything, map[string]string{"HTTP": "streamableHttp", "SSE": "sse"}[transport])
				cmd.Env = append(os.Environ(), "PORT="+port)
				return cmd
			},
			calls: map[string]string{
				"echo": `{"message":"hi"}`, "get-annotated-message": `{"messageType":"success","includeImage":true}`,
				"get-env": `{}`, "get-resource-links": `{"count":2}`,
				"get-resource-reference": `{"resourceType":"Blob","resourceId":1}`,
				"get-structured-content": `{"location":"Chicago"}`, "get-sum": `{"a":1,"b":2}`, "get-tiny-image": `{}`,
				"gzip-file-as-resource":    `{"name":"x.gz","data":"data:text/plain;base64,aGk=","outputType":"resource"}`,
				"toggle-simulated-logging": `{}`, "toggle-subscriber-updates": `{}`,
				"trigger-long-running-operation": `{"duration":0.2,"steps":2}`, "simulate-research-query": `{"topic":"x"}`,
			},
			typed: map[string]Kind{
				"get-tiny-image": Image, "get-annotated-message": Image, "get-resource-links": Link,
				"get-resource-reference": Resource, "gzip-file-as-resource": Resource,
			},
			slow: "trigger-long-running-operation", slowly: `{"duration":4,"steps":8}`,
			failing: "simulate-research-query", // it requires a task call, which is not supported here
		},
		"fastmcp": {
			stdio: []string{python, fast, "stdio"}, modern: true,
			http: func(port, transport string) *exec.Cmd {
				return exec.Command(python, fast, port, strings.ToLower(transport))
			},
			calls: map[string]string{
				"multiply": `{"a":3}`, "note": `{"text":"x"}`, "picture": `{}`, "fail": `{}`, "wait": `{"steps":1}`,
			},
			typed: map[string]Kind{"picture": Image},
			slow:  "wait", slowly: `{"steps":40}`, failing: "fail",
		},
	}
}

// paths are the paths of the transports over HTTP.
var paths = map[string]string{"HTTP": "/mcp", "SSE": "/sse"}

// serve starts a server over HTTP or SSE and waits until it answers.
func (o other) serve(t *testing.T, transport string) (address string, process *os.Process) {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(free.Addr().String())
	free.Close()
	cmd := o.http(port, transport)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	address = "http://127.0.0.1:" + port + paths[transport]
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for deadline := time.Now().Add(time.Minute); ; {
		answer, err := client.Get(address)
		if err == nil {
			answer.Body.Close()
			return address, cmd.Process
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s does not serve: %v", address, err)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// Every tool of servers by other authors, over all transports: unchanged schemas, typed results of all kinds.
func TestOthers_EveryTool(t *testing.T) {
	for name, o := range others(t) {
		for _, over := range []string{"stdio", "HTTP", "SSE"} {
			t.Run(name+" "+over, func(t *testing.T) {
				t.Parallel()
				c, sent := recorded(t, o, over)
				conn := connect(t, withLongTimeouts(c))
				if modern := strings.Contains(conn.About(), "2026-07-28"); modern != o.modern {
					t.Errorf("spoken with %s", conn.About())
				}
				for tool, arguments := range o.calls {
					result, err := conn.Call(t.Context(), tool, []byte(arguments))
					if err != nil || result.IsError != (tool == o.failing) {
						t.Errorf("%s: %+v, %v", tool, result, err)
						continue
					}
					if kind := o.typed[tool]; kind != "" && !hasData(result, kind) {
						t.Errorf("%s: no %s with something in it: %+v", tool, kind, result)
					}
				}
				stream, err := os.ReadFile(sent)
				if err != nil {
					t.Fatal(err)
				}
				for _, tool := range conn.Tools() {
					if o.calls[tool.Name] == "" {
						t.Errorf("%s is not called here", tool.Name)
					}
					if !bytes.Contains(stream, append([]byte(`"inputSchema":`), tool.Schema...)) {
						t.Errorf("%s: the server did not send the schema %s", tool.Name, tool.Schema)
					}
				}
			})
		}
	}
}

// A server that starts slowly, and reads the first request after its timeout, can still be used: a server of the
// newer era refuses the request sent instead.
func TestOthers_StartSlowly(t *testing.T) {
	for name, o := range others(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const script = `read -r first && read -r second && { printf '%s\n' "$first" "$second"; cat; } | "$0" "$@"`
			conn := connect(t, withLongTimeouts(Config{Command: append([]string{"sh", "-c", script}, o.stdio...)}))
			if modern := strings.Contains(conn.About(), "2026-07-28"); modern != o.modern || len(conn.Tools()) != len(o.calls) {
				t.Errorf("spoken with %s: %v", conn.About(), conn.Tools())
			}
		})
	}
}

func hasData(r *Result, kind Kind) bool {
	for _, c := range r.Content {
		if c.Kind == kind && (len(c.Data) > 0 || kind == Link && c.URI != "") {
			return true
		}
	}
	return false
}

// recorded starts a server behind a recorder of every byte that it sends. The returned file has the sent bytes.
func recorded(t *testing.T, o other, over string) (Config, string) {
	t.Helper()
	sent := filepath.Join(t.TempDir(), "sent")
	if over == "stdio" {
		script := `"$@" | tee "$0"`
		return Config{Command: append([]string{"sh", "-c", script, sent}, o.stdio...)}, sent
	}
	address, _ := o.serve(t, over)
	target, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.Create(sent)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(&url.URL{Scheme: target.Scheme, Host: target.Host}) },
		ModifyResponse: func(r *http.Response) error {
			r.Body = struct {
				io.Reader
				io.Closer
			}{io.TeeReader(r.Body, file), r.Body}
			return nil
		},
		FlushInterval: -1, Transport: &http.Transport{DisableCompression: true},
	}
	front := httptest.NewServer(proxy)
	t.Cleanup(func() {
		front.Close()
		proxy.Transport.(*http.Transport).CloseIdleConnections()
	})
	return Config{URL: front.URL + paths[over]}, sent
}

// A server that is killed or stopped in the middle of a call is soon lost. A slow one with progress is not.
func TestOthers_DieInTheMiddleOfACall(t *testing.T) {
	for name, o := range others(t) {
		for _, over := range []string{"stdio", "HTTP", "SSE"} {
			for _, signal := range []syscall.Signal{0, syscall.SIGKILL, syscall.SIGSTOP} {
				t.Run(fmt.Sprintf("%s %s %s", name, over, signal), func(t *testing.T) {
					t.Parallel()
					c, pid := Config{Command: o.stdio}, 0
					if over != "stdio" {
						address, process := o.serve(t, over)
						c, pid = Config{URL: address}, process.Pid
					}
					c = withLongTimeouts(c)
					c.Idle = 3 * time.Second
					conn := connect(t, c)
					if over == "stdio" {
						pid = conn.child.process.PID()
					}
					if signal != 0 {
						time.AfterFunc(300*time.Millisecond, func() { _ = syscall.Kill(pid, signal) })
					}
					result, err := conn.Call(t.Context(), o.slow, []byte(o.slowly))
					if signal == 0 && (err != nil || result.IsError) || signal != 0 && !errors.Is(err, ErrLost) {
						t.Errorf("got %+v, %v", result, err)
					}
				})
			}
		}
	}
}
