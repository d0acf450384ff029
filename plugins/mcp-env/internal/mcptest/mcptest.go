// Package mcptest is an MCP server for tests: a separate process, over standard input and output or over HTTP, that
// supports either era. A test binary becomes that server when it is started for it:
//
//	func TestMain(m *testing.M) { mcptest.Main(); goleak.VerifyTestMain(m) }
//	command := mcptest.Stdio(mcptest.Modern)        // for a server that is started
//	s := mcptest.HTTP(t, mcptest.Legacy)            // one that runs at s.URL
//
// It is built on mcp-go, like the code under test. Servers by other authors are built by .ci/mcp-servers.
package mcptest

import (
	"bufio"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// Era is a family of protocol versions.
type Era string

// The eras.
const (
	Legacy Era = "legacy" // begins with initialize
	Modern Era = "modern" // has no handshake
)

// variable turns a test binary into a server: its value is "stdio" or "http", and the era.
const variable = "AWHOST_MCPTEST"

// Main runs the server if the test binary was started as one, and does not return in that case.
func Main() {
	how, era, ok := strings.Cut(os.Getenv(variable), " ")
	if !ok {
		return
	}
	s := newServer()
	var err error
	if how == "stdio" {
		err = serveStdio(s, Era(era))
	} else {
		err = serveHTTP(s, Era(era))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// Stdio returns the command and the environment of a server.
func Stdio(era Era) (command []string, env map[string]string) {
	return []string{os.Args[0]}, map[string]string{variable: "stdio " + string(era)}
}

// Server is a running HTTP server. The test ends it.
type Server struct {
	URL     string
	Process *os.Process
}

// HTTP starts an HTTP server at address, or at any address if it is empty.
func HTTP(t testing.TB, era Era, address ...string) *Server {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), variable+"=http "+string(era), "MCPTEST_ADDRESS="+strings.Join(address, ""))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("the server did not report its address: %v", err)
	}
	return &Server{URL: strings.TrimSpace(line), Process: cmd.Process}
}

// pixel is an image of one pixel.
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="

// Pixel returns the image in the result of the "picture" tool.
func Pixel() []byte {
	data, _ := base64.StdEncoding.DecodeString(pixel) // a constant: never fails
	return data
}

// addSchema has keywords that mcp-go does not support.
const addSchema = `{"type":"object","title":"Addends",` +
	`"properties":{"a":{"type":"number","exclusiveMinimum":-1e9},"b":{"type":"number"}},` +
	`"required":["a","b"],"unevaluatedProperties":false}`

// AddSchema returns the schema of the "add" tool, byte for byte.
func AddSchema() string { return addSchema }

func newServer() *server.MCPServer {
	s := server.NewMCPServer("mcptest", "1.2.3", server.WithToolCapabilities(false))
	readOnly := mcp.WithReadOnlyHintAnnotation(true)
	add := mcp.NewToolWithRawSchema("add", "adds two numbers", []byte(addSchema))
	yes := true
	add.Annotations.ReadOnlyHint = &yes
	s.AddTool(add, func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		a, err := r.RequireFloat("a")
		if err != nil {
			return mcp.NewToolResultError(err.Error()), nil
		}
		return mcp.NewToolResultText(fmt.Sprint(a + r.GetFloat("b", 0))), nil
	})
	addNotes(s)
	s.AddTool(mcp.NewTool("who", readOnly), func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		session, secret := r.Header.Get("Session-Name"), r.Header.Get("Authorization")
		return mcp.NewToolResultText(fmt.Sprint(os.Getpid(), " ", session, " ", secret)), nil
	})
	s.AddTool(mcp.NewTool("picture", readOnly), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultImage("a pixel", pixel, "image/png"), nil
	})
	s.AddTool(mcp.NewTool("everything", readOnly), everything)
	s.AddTool(mcp.NewTool("structured", readOnly),
		func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultStructuredOnly(map[string]any{"answer": 42}), nil
		})
	if game, ok := os.LookupEnv("MCPTEST_GAME"); ok {
		addGame(s, game)
	}
	s.AddTool(mcp.NewTool("wait", readOnly, mcp.WithNumber("steps")), wait)
	s.AddTool(mcp.NewTool("refuse", readOnly), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return nil, fmt.Errorf("refused by the server")
	})
	return s
}

// addNotes adds one tool that changes something and another that shows it. Notes are stored in the file named by
// MCPTEST_FILE, or in memory.
func addNotes(s *server.MCPServer) {
	var mu sync.Mutex
	var notes []string
	file := os.Getenv("MCPTEST_FILE")
	s.AddTool(mcp.NewTool("note", mcp.WithString("text"), mcp.WithReadOnlyHintAnnotation(false)),
		func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			mu.Lock()
			defer mu.Unlock()
			notes = append(notes, r.GetString("text", ""))
			if file == "" {
				return mcp.NewToolResultText("noted"), nil
			}
			kept, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
			if err == nil {
				_, err = fmt.Fprintf(kept, "%s,", r.GetString("text", ""))
			}
			return mcp.NewToolResultText("noted"), errors.Join(err, kept.Close())
		})
	s.AddTool(mcp.NewTool("notes", mcp.WithReadOnlyHintAnnotation(true)),
		func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			mu.Lock()
			defer mu.Unlock()
			if kept, err := os.ReadFile(file); err == nil {
				return mcp.NewToolResultText(string(kept)), nil
			}
			return mcp.NewToolResultText(strings.Join(notes, ",")), nil
		})
}

// everything returns content of each MCP content type.
func everything(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	blob := base64.StdEncoding.EncodeToString([]byte("PK"))
	return &mcp.CallToolResult{
		Content: []mcp.Content{
			mcp.NewTextContent("42"), mcp.NewImageContent(pixel, "image/png"),
			mcp.NewAudioContent("UklGRg==", "audio/wav"),
			mcp.NewEmbeddedResource(mcp.BlobResourceContents{URI: "file:///a.zip", MIMEType: "application/zip", Blob: blob}),
			mcp.NewEmbeddedResource(mcp.TextResourceContents{URI: "file:///a.txt", MIMEType: "text/plain", Text: "noted"}),
			mcp.NewResourceLink("https://example.com/a", "report", "", "text/html"),
			mcp.NewImageContent(pixel, "image/png"),
		},
		StructuredContent: map[string]any{"answer": 42},
	}, nil
}

// The ways in which the server can reveal its game's secret, for MCPTEST_GAME. If the variable is not set, the server
// keeps the secret.
const (
	LeakTool   = "tool"   // in the answer to a wrong guess
	LeakState  = "state"  // in the result of inspect
	LeakStderr = "stderr" // on standard error
)

// addGame adds a guessing game: hide takes the secret, guess answers right or wrong, inspect shows the state.
func addGame(s *server.MCPServer, leak string) {
	var mu sync.Mutex
	var secret string
	guesses := 0
	s.AddTool(mcp.NewTool("hide", mcp.WithString("secret"), mcp.WithReadOnlyHintAnnotation(false)),
		func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			mu.Lock()
			defer mu.Unlock()
			secret, guesses = r.GetString("secret", ""), 0
			if leak == LeakStderr {
				fmt.Fprintln(os.Stderr, "the secret is", secret)
			}
			return mcp.NewToolResultText("hidden"), nil
		})
	s.AddTool(mcp.NewTool("guess", mcp.WithString("text"), mcp.WithReadOnlyHintAnnotation(false)),
		func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			mu.Lock()
			defer mu.Unlock()
			guesses++
			switch text := r.GetString("text", ""); {
			case secret != "" && text == secret:
				return mcp.NewToolResultText("right"), nil
			case leak == LeakTool:
				return mcp.NewToolResultText("wrong: it is " + secret), nil
			}
			return mcp.NewToolResultText("wrong"), nil
		})
	s.AddTool(mcp.NewTool("inspect", mcp.WithReadOnlyHintAnnotation(true)),
		func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			mu.Lock()
			defer mu.Unlock()
			state := map[string]any{"guesses": guesses}
			if leak == LeakState {
				state["secret"] = secret
			}
			return mcp.NewToolResultStructuredOnly(state), nil
		})
}

// wait takes a tenth of a second per step and reports each step if the client has requested progress.
func wait(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	steps := 1.0
	if given := r.GetArguments()["steps"]; given != nil {
		var ok bool
		if steps, ok = given.(float64); !ok {
			return mcp.NewToolResultError("steps is no number"), nil
		}
	}
	for i := range int(steps) {
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if r.Params.Meta == nil || r.Params.Meta.ProgressToken == nil || r.GetBool("silent", false) {
			continue
		}
		_ = server.ServerFromContext(ctx).SendNotificationToClient(ctx, "notifications/progress", map[string]any{
			"progress": i + 1, "total": steps, "progressToken": r.Params.Meta.ProgressToken,
		})
	}
	return mcp.NewToolResultText("waited"), nil
}

// serveStdio serves one client. A server of the older era does not implement server/discover.
func serveStdio(s *server.MCPServer, era Era) error {
	out := &lockedWriter{to: os.Stdout}
	in := io.Reader(os.Stdin)
	if era == Legacy {
		reader, writer := io.Pipe()
		go func() {
			defer writer.Close()
			lines := bufio.NewScanner(os.Stdin)
			lines.Buffer(nil, 64<<20)
			for lines.Scan() {
				if line := lines.Text(); !strings.Contains(line, `"server/discover"`) {
					fmt.Fprintln(writer, line)
				} else {
					_, id, _ := strings.Cut(line, `"id":`)
					id, _, _ = strings.Cut(id, ",")
					fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"Method not found"}}`+"\n", id)
				}
			}
		}()
		in = reader
	}
	return server.NewStdioServer(s).Listen(context.Background(), in, out)
}

// lockedWriter writes lines atomically.
type lockedWriter struct {
	mu sync.Mutex
	to io.Writer
}

// Write implements io.Writer.
func (w *lockedWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.to.Write(p)
}

// serveHTTP runs the server until the process ends.
func serveHTTP(s *server.MCPServer, era Era) error {
	address := os.Getenv("MCPTEST_ADDRESS")
	if address == "" {
		address = "127.0.0.1:0"
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	fmt.Printf("http://%s/mcp\n", listener.Addr())
	var handler http.Handler = server.NewStreamableHTTPServer(s)
	if era == Legacy {
		handler = onlyLegacy(handler)
	}
	return (&http.Server{Handler: handler, ReadHeaderTimeout: time.Minute}).Serve(listener)
}

// onlyLegacy rejects requests of the newer era, as servers from before that era do.
func onlyLegacy(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if mcp.IsModernProtocol(r.Header.Get("Mcp-Protocol-Version")) {
			http.Error(w, "Bad Request: Unsupported protocol version", http.StatusBadRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}
