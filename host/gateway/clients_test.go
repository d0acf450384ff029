package gateway

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/awhost/awhost/sdk"
)

// TestClients_TakeWhatIsServed checks that the clients of OpenAI and Anthropic parse every answer, event and error
// with their own models. Each program makes its expected number of calls, and each conversation is one chain of the
// messages sent back by the client.
func TestClients_TakeWhatIsServed(t *testing.T) {
	folder := os.Getenv("AWHOST_GATEWAY_CLIENTS")
	if folder == "" {
		t.Skip("SKIPPED: AWHOST_GATEWAY_CLIENTS does not name the folder that .ci/gateway-clients makes")
	}
	python := filepath.Join(folder, "venv/bin/python")
	for _, test := range []struct {
		name    string
		command []string // followed by the URL and the keys
		root    bool     // the URL is without /v1
		// The calls of each program: the calls of its conversations of three messages, and other calls.
		conversations, others int
	}{
		{"openai from PyPI", []string{python, "testdata/clients/openai_client.py"}, false, 6, 4 + 2 + 4 + 2},
		{"anthropic from PyPI", []string{python, "testdata/clients/anthropic_client.py"}, true, 3, 1 + 2 + 1},
		{"openai from npm", []string{"node", "testdata/clients/openai_client.mjs", folder}, false, 4, 1 + 4},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			heard := make(chan struct{}, 1)
			p := &policy{answer: func(_ int, req sdk.ModelRequest) (*sdk.ModelReply, error) {
				return forClients(req, heard)
			}}
			g, err := Listen(Options{KeepAlive: 50 * time.Millisecond})
			if err != nil {
				t.Fatal(err)
			}
			defer g.Close()
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				g.routes().ServeHTTP(listening{w, heard}, r)
			}))
			defer server.Close()
			e, end := g.Grant(t.Context(), Lease{Model: p})
			sealed, over := g.Grant(t.Context(), Lease{Model: p})
			over()
			broken := &policy{answer: func(int, sdk.ModelRequest) (*sdk.ModelReply, error) {
				return nil, errors.New("the model's server is gone")
			}}
			failing, _ := g.Grant(t.Context(), Lease{Model: broken})
			url := server.URL + "/v1"
			if test.root {
				url = server.URL
			}
			args := append(slices.Clone(test.command[1:]), url, e.APIKey, sealed.APIKey, failing.APIKey)
			cmd := exec.CommandContext(t.Context(), test.command[0], args...)
			cmd.Env = append(os.Environ(), "NO_PROXY=127.0.0.1", "PYTHONDONTWRITEBYTECODE=1")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if n, want := len(p.asked()), 3*test.conversations+test.others; n != want {
				t.Errorf("%d messages were sampled, want %d", n, want)
			}
			if n := len(broken.asked()); n > 4 {
				t.Errorf("four requests for an episode that fails asked %d times", n)
			}
			if stats := end(); stats["joined"]+stats["replayed"] != 0 {
				t.Errorf("%v", stats)
			}
			on := map[string]int{} // requests that continue a chain, by last message
			for _, r := range p.asked() {
				last := r.Messages[len(r.Messages)-1]
				if r.Chain == "" && (last.Role == sdk.RoleTool || last.Content == "long") {
					t.Errorf("a conversation starts again with %+v", r.Messages)
				}
				if r.Chain != "" {
					on[fmt.Sprint(r.Base, " ", len(r.Messages), " ", last.Content)]++
				}
			}
			for _, which := range []string{`2 2 {"a":"é🤖"}`, "5 1 long"} {
				if on[which] != test.conversations {
					t.Errorf("%d conversations continue after %s, want %d: %v", on[which], which, test.conversations, on)
				}
			}
		})
	}
}

// listening signals when a waiting client has received a keep-alive.
type listening struct {
	http.ResponseWriter
	received chan<- struct{}
}

// Write implements http.ResponseWriter.
func (l listening) Write(p []byte) (int, error) {
	n, err := l.ResponseWriter.Write(p)
	if bytes.HasPrefix(p, []byte(":")) {
		select {
		case l.received <- struct{}{}:
		default:
		}
	}
	return n, err
}

// Unwrap returns the wrapped writer, for http.ResponseController.
func (l listening) Unwrap() http.ResponseWriter { return l.ResponseWriter }

// forClients answers depending on the last message.
func forClients(req sdk.ModelRequest, heard <-chan struct{}) (*sdk.ModelReply, error) {
	last := req.Messages[len(req.Messages)-1]
	full := &sdk.GenerateError{Kind: sdk.GenerateContextFull, Detail: "192 tokens"}
	text := func(said string) (*sdk.ModelReply, error) {
		return &sdk.ModelReply{Message: sdk.Message{Content: said}}, nil
	}
	if last.Role == sdk.RoleTool {
		return text(req.Messages[0].Content + " " + last.Content)
	}
	if strings.HasPrefix(last.Content, "slow") {
		for range 2 { // the first one may belong to an earlier request
			<-heard
		}
	}
	switch last.Content {
	case "call":
		return &sdk.ModelReply{Message: sdk.Message{Reasoning: "hm", Content: "I add.", ToolCalls: []sdk.ToolCall{
			{ID: "call_1", Name: "add", Arguments: `{"a":1,"b":2}`}, {ID: "call_2", Name: "add", Arguments: `{"a":"é🤖"}`},
		}}}, nil
	case "long":
		return &sdk.ModelReply{Message: sdk.Message{Content: "cu"}, Finish: sdk.FinishLength}, nil
	case "two":
		return text("one of two")
	case "slow":
		return text("at last")
	case "full":
		return nil, full
	case "slow and full":
		return nil, full
	}
	return nil, fmt.Errorf("no request asks %q", last.Content)
}
