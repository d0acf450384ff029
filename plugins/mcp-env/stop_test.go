package mcpenv

import (
	"encoding/json"
	"log/slog"
	"testing"
	"time"

	"github.com/awhost/awhost/plugins/mcp-env/internal/mcptest"
	"github.com/awhost/awhost/plugins/mcp-env/internal/server"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/placeholder"
)

func start(t *testing.T, session string) *environment {
	t.Helper()
	command, env := mcptest.Stdio(mcptest.Modern)
	config, err := json.Marshal(map[string]any{"server": map[string]any{"desk": map[string]any{
		"command": command, "env": env, "session": session, "warm": 2,
		"connect_timeout": "1m", "call_timeout": "10m", "idle_timeout": "10m",
	}}})
	if err != nil {
		t.Fatal(err)
	}
	e, err := newEnvironment(t.Context(), sdk.Setup{Config: config, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	return e.(*environment)
}

// Stop waits neither for a call of ten minutes nor for an episode that is about to begin, and leaves nothing of
// either behind: goleak and the processes' owner check that.
func TestStop_WaitsForNobody(t *testing.T) {
	for _, session := range []string{sessionEpisode, sessionShared} {
		t.Run(session, func(t *testing.T) {
			e := start(t, session)
			if _, err := e.Open(t.Context(), sdk.OpenRequest{EpisodeID: "calls"}); err != nil {
				t.Fatal(err)
			}
			called := make(chan error)
			go func() {
				calls := []sdk.ToolCall{{ID: "c", Name: "wait", Arguments: `{"steps":6000,"silent":true}`}}
				_, err := e.Step(t.Context(), sdk.StepRequest{
					EpisodeID: "calls", StepID: "s", Message: sdk.Message{Role: sdk.RoleAssistant, ToolCalls: calls},
				})
				called <- err
			}()
			opened := make(chan error)
			go func() {
				_, err := e.Open(t.Context(), sdk.OpenRequest{EpisodeID: "begins"})
				opened <- err
			}()
			time.Sleep(50 * time.Millisecond) // usually the call is running then; the test holds without
			if err := e.Stop(t.Context(), nil); err != nil {
				t.Error(err)
			}
			for what, ended := range map[string]chan error{"the call": called, "the episode that begins": opened} {
				select {
				case err := <-ended:
					if what == "the call" && err == nil {
						t.Error("the call ended well")
					}
				case <-time.After(time.Minute):
					t.Errorf("%s does not end", what)
				}
			}
		})
	}
}

func TestTextOf_ShowsStructureThatStandsAlone(t *testing.T) {
	structured := json.RawMessage(`{"answer":42}`)
	picture := server.Content{Kind: server.Image, MIMEType: "image/png", Data: []byte{1}}
	for _, test := range []struct {
		content []server.Content
		want    string
		omitted int
	}{
		{nil, `{"answer":42}`, 0},
		{[]server.Content{{Kind: server.Text, Text: "42"}}, "42", 0},
		{[]server.Content{picture}, "[image, image/png, 1 bytes: not shown]\n{\"answer\":42}", 1},
	} {
		got, omitted := textOf(&server.Result{Content: test.content, Structured: structured})
		if got != test.want || omitted != test.omitted {
			t.Errorf("got %q and %d omitted, want %q and %d", got, omitted, test.want, test.omitted)
		}
	}
}

// Numbers in arguments and tasks keep all digits.
func TestFill_KeepsNumbers(t *testing.T) {
	values, err := valuesOf(sdk.OpenRequest{Task: sdk.Task{Public: []byte(`{"account":9007199254740993}`)}}, "e1")
	if err != nil {
		t.Fatal(err)
	}
	known := func(name string) error { return checkPlaceholder(name, false) }
	const text = `{"a":9007199254740995,"b":"{{task.account}}","c":"no {{task.account}}"}`
	arguments, err := parseArguments([]byte(text), known)
	if err != nil {
		t.Fatal(err)
	}
	filled, err := placeholder.Fill(arguments, values)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"a":9007199254740995,"b":9007199254740993,"c":"no 9007199254740993"}`
	if text, err := json.Marshal(filled); string(text) != want || err != nil {
		t.Errorf("got %s (%v), want %s", text, err, want)
	}
}
