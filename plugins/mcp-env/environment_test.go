package mcpenv_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	mcpenv "github.com/awhost/awhost/plugins/mcp-env"
	"github.com/awhost/awhost/plugins/mcp-env/internal/mcptest"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/sdktest"
)

type object = map[string]any

// rig drives one environment over the protocol.
type rig struct {
	testing.TB
	sdk.Environment
	steps int
}

func newRig(t testing.TB, config object) *rig {
	t.Helper()
	return &rig{TB: t, Environment: sdktest.Environment(t, mcpenv.Plugin(), "mcp", config)}
}

// stdio returns a server block for a server that is started; more is merged into it.
func stdio(era mcptest.Era, more object) object {
	command, env := mcptest.Stdio(era)
	return merged(object{"command": command, "env": env}, more)
}

// overHTTP returns a server block for a running server.
func overHTTP(t testing.TB, era mcptest.Era, more object) object {
	return merged(object{"url": mcptest.HTTP(t, era).URL}, more)
}

func merged(a, b object) object {
	for name, value := range b {
		a[name] = value
	}
	return a
}

func (r *rig) open(episode string) *sdk.OpenResponse {
	r.Helper()
	out, err := r.Open(r.Context(), sdk.OpenRequest{
		EpisodeID: episode, Seed: 7, Split: sdk.SplitTrain,
		Task: sdk.Task{ID: "t1", Public: []byte(`{"prompt":"?","level":{"n":3}}`)},
	})
	if err != nil {
		r.Fatalf("open %s: %v", episode, err)
	}
	return out
}

func (r *rig) try(episode string, message sdk.Message) (*sdk.StepResponse, error) {
	r.steps++
	return r.Step(r.Context(), sdk.StepRequest{EpisodeID: episode, StepID: fmt.Sprintf("s%d", r.steps), Message: message})
}

// call calls one tool and returns its message.
func (r *rig) call(episode, tool, arguments string) sdk.Message {
	r.Helper()
	out, err := r.try(episode, calling(tool, arguments))
	if err != nil || len(out.Messages) != 1 {
		r.Fatalf("%s %s: %+v, %v", episode, tool, out, err)
	}
	return out.Messages[0]
}

func calling(tool, arguments string) sdk.Message {
	return sdk.Message{Role: sdk.RoleAssistant, ToolCalls: []sdk.ToolCall{{ID: "c1", Name: tool, Arguments: arguments}}}
}

func (r *rig) close(episode string) *sdk.CloseResponse {
	r.Helper()
	out, err := r.Close(r.Context(), sdk.CloseRequest{EpisodeID: episode, Reason: "done"})
	if err != nil {
		r.Fatalf("close %s: %v", episode, err)
	}
	return out
}

func TestEnvironment_PlaysAnEpisode(t *testing.T) {
	for _, era := range []mcptest.Era{mcptest.Legacy, mcptest.Modern} {
		t.Run(string(era), func(t *testing.T) {
			r := newRig(t, object{
				"server": object{"desk": stdio(era, nil), "other": overHTTP(t, era, nil)},
				"tools":  []string{"*/add", "desk/wait", "desk/picture"}, "max_turns": 3,
			})
			opened := r.open("e1")
			var names []string
			for _, tool := range opened.Tools {
				names = append(names, tool.Name)
				if tool.Name == "desk__add" && string(tool.Parameters) != mcptest.AddSchema() {
					t.Errorf("the schema of add is %s", tool.Parameters)
				}
			}
			want := []string{"desk__add", "desk__picture", "desk__wait", "other__add"}
			if diff := cmp.Diff(want, names); diff != "" {
				t.Error(diff)
			}
			out, err := r.try("e1", sdk.Message{Role: sdk.RoleAssistant, ToolCalls: []sdk.ToolCall{
				{ID: "c1", Name: "desk__add", Arguments: `{"a":1,"b":2}`}, {ID: "c2", Name: "other__add", Arguments: `{"b":2}`},
				{ID: "c3", Name: "add", Arguments: `{}`}, {ID: "c4", Name: "desk__wait", Arguments: `[]`},
				{ID: "c5", Name: "desk__picture", Arguments: `{}`},
			}})
			if err != nil {
				t.Fatal(err)
			}
			tool := func(id, name, text string, isError bool) sdk.Message {
				return sdk.Message{Role: sdk.RoleTool, ToolCallID: id, Name: name, Content: text, IsError: isError}
			}
			answers := []sdk.Message{
				tool("c1", "desk__add", "3", false),
				tool("c2", "other__add", `required argument "a" not found`, true),
				tool("c3", "add", `there is no tool "add": use one of desk__add, desk__picture, desk__wait, other__add`, true),
				tool("c4", "desk__wait", "the arguments of desk__wait are no JSON object", true),
				tool("c5", "desk__picture", "a pixel\n[image, image/png, 68 bytes: not shown]", false),
			}
			answers[4].Attachments = []sdk.Attachment{pixel()}
			if diff := cmp.Diff(answers, out.Messages); diff != "" {
				t.Error(diff)
			}
			out, err = r.try("e1", sdk.Message{Role: sdk.RoleAssistant, Content: "3"})
			if err != nil || !out.Done || out.Truncated {
				t.Errorf("a message without calls: %+v, %v", out, err)
			}
			closed := r.close("e1")
			counts := map[string]float64{"calls": 5, "errors": 3, "omitted": 1, "truncated_results": 0}
			if diff := cmp.Diff(counts, closed.Metrics); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A result over the limit, whether it fails or not, ends at a whole character and states how much is missing. The
// metrics count such results.
func TestEnvironment_LimitsResults(t *testing.T) {
	long := "x" + strings.Repeat("ä", 60) // 121 bytes, of which a limit of 10 tokens keeps 39
	for _, test := range []struct {
		name, tool, want string
		limit, cut       int
	}{
		{"below the limit", "notes", long, 31, 0},
		{"a result", "notes", long[:39] + "\n[truncated: the last 82 of 121 bytes, about 20 tokens, are not shown]", 10, 1},
		{"an error", "refuse", "refu\n[truncated: the last 17 of 21 bytes, about 4 tokens, are not shown]", 1, 1},
		{"without a limit", "notes", long, 0, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := newRig(t, object{
				"server": object{"desk": stdio(mcptest.Modern, nil)}, "max_result_tokens": test.limit,
				"setup": []object{{"tool": "desk/note", "arguments": object{"text": long}}},
			})
			r.open("e1")
			if got := r.call("e1", test.tool, `{}`); got.Content != test.want {
				t.Errorf("the result is %q, want %q", got.Content, test.want)
			}
			if got := r.close("e1").Metrics["truncated_results"]; got != float64(test.cut) {
				t.Errorf("%v results were counted, want %d", got, test.cut)
			}
		})
	}
}

func TestEnvironment_LimitsResultsByDefault(t *testing.T) {
	r := newRig(t, object{
		"server": object{"desk": stdio(mcptest.Modern, nil)},
		"setup":  []object{{"tool": "desk/note", "arguments": object{"text": strings.Repeat("x", 1<<20)}}},
	})
	r.open("e1")
	if got := len(r.call("e1", "notes", `{}`).Content); got < 100_000 || got > 100_200 {
		t.Errorf("a result of 1 MiB has %d bytes, want 25,000 tokens of 4 bytes and a mark", got)
	}
}

func pixel() sdk.Attachment {
	return sdk.Attachment{
		Kind: sdk.AttachmentImage, MIMEType: "image/png", Data: mcptest.Pixel(),
		Marker: "[image, image/png, 68 bytes: not shown]",
	}
}

// Non-text content of a server stays typed, and the text has a marker for each omitted part.
func TestEnvironment_KeepsResultsTyped(t *testing.T) {
	for _, era := range []mcptest.Era{mcptest.Legacy, mcptest.Modern} {
		t.Run(string(era), func(t *testing.T) {
			r := newRig(t, object{"server": object{"desk": stdio(era, nil)}})
			r.open("e1")
			want := sdk.Message{
				Role: sdk.RoleTool, ToolCallID: "c1", Name: "everything",
				Content: "42\n[image, image/png, 68 bytes: not shown]\n[audio, audio/wav, 4 bytes: not shown]\n" +
					"[file, file:///a.zip, application/zip, 2 bytes: not shown]\nnoted\n" +
					"[link, report https://example.com/a, text/html: not shown]\n[image, image/png, 68 bytes: not shown]",
				Attachments: []sdk.Attachment{
					pixel(),
					{
						Kind: sdk.AttachmentAudio, MIMEType: "audio/wav", Data: []byte("RIFF"),
						Marker: "[audio, audio/wav, 4 bytes: not shown]",
					},
					{
						Kind: sdk.AttachmentResource, MIMEType: "application/zip", URI: "file:///a.zip", Data: []byte("PK"),
						Marker: "[file, file:///a.zip, application/zip, 2 bytes: not shown]",
					},
					{Kind: sdk.AttachmentResource, MIMEType: "text/plain", URI: "file:///a.txt", Text: "noted"},
					{
						Kind: sdk.AttachmentLink, MIMEType: "text/html", URI: "https://example.com/a", Name: "report",
						Marker: "[link, report https://example.com/a, text/html: not shown]",
					},
					pixel(),
					{Kind: sdk.AttachmentStructured, JSON: json.RawMessage(`{"answer":42}`)},
				},
			}
			if diff := cmp.Diff(want, r.call("e1", "everything", `{}`)); diff != "" {
				t.Error(diff)
			}
			counts := map[string]float64{"calls": 1, "errors": 0, "omitted": 5, "truncated_results": 0}
			if diff := cmp.Diff(counts, r.close("e1").Metrics); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// uniquePart matches the suffix that the environment adds to an episode's ID.
var uniquePart = regexp.MustCompile(`\b-[A-Z2-7]{26}\b`)

// An evaluation repeats the IDs of episodes. A server that keeps sandboxes by name gets another name each time, in
// session_header and in {{episode.id}}.
func TestEnvironment_NamesEpisodesUniquely(t *testing.T) {
	running := overHTTP(t, mcptest.Modern, object{"session_header": "Session-Name"})
	seen := map[string]bool{}
	for range 2 { // two evaluations
		r := newRig(t, object{
			"server": object{"desk": running, "own": stdio(mcptest.Modern, nil)}, "tools": []string{"*/who", "own/notes"},
			"setup": []object{{"tool": "own/note", "arguments": object{"text": "{{episode.id}}"}}},
		})
		for range 2 { // the episode is opened again
			r.open("eval/g00000/s000")
			_, header, _ := strings.Cut(r.call("eval/g00000/s000", "desk__who", `{}`).Content, " ")
			header = strings.TrimSpace(header)
			if filled := r.call("eval/g00000/s000", "own__notes", `{}`).Content; filled != header {
				t.Errorf("{{episode.id}} is %q, and session_header %q", filled, header)
			}
			if seen[header] || !strings.HasPrefix(header, "eval/g00000/s000-") {
				t.Errorf("the episode is named %q, after %v", header, seen)
			}
			seen[header] = true
		}
	}
}

// An episode has a separate process or session, unless the spec declares it shared.
func TestEnvironment_KeepsEpisodesApart(t *testing.T) {
	session := object{"session_header": "Session-Name", "headers": object{"Authorization": "Bearer x"}}
	for _, test := range []struct {
		name   string
		server object
		shared bool // one reads the other's notes
		who    string
	}{
		{"a process each", stdio(mcptest.Modern, nil), false, ""},
		{"processes that wait for episodes", stdio(mcptest.Legacy, object{"warm": 3}), false, ""},
		{"no process that waits", stdio(mcptest.Modern, object{"warm": 0}), false, ""},
		{"one process", stdio(mcptest.Modern, object{"session": "shared"}), true, ""},
		{"a header with the episode", overHTTP(t, mcptest.Modern, session), true, " e2 Bearer x"},
		{"the same in the older era", overHTTP(t, mcptest.Legacy, session), true, " e2 Bearer x"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := newRig(t, object{"server": object{"desk": test.server}})
			r.open("e1")
			r.open("e2")
			r.call("e1", "note", `{"text":"mine"}`)
			want := ""
			if test.shared {
				want = "mine"
			}
			if got := r.call("e2", "notes", `{}`); got.Content != want {
				t.Errorf("the other episode reads %q, want %q", got.Content, want)
			}
			got := r.call("e2", "who", `{}`)
			if !strings.HasSuffix(uniquePart.ReplaceAllString(got.Content, ""), test.who) {
				t.Errorf("the server was called by %q, want %q", got.Content, test.who)
			}
			r.open("e1") // from scratch
			if got := r.call("e1", "notes", `{}`); got.Content != want {
				t.Errorf("opened again, the episode reads %q, want %q", got.Content, want)
			}
		})
	}
}

// Calls by awhost itself use the episode's values and are not offered. Their results are the state.
func TestEnvironment_MakesCallsOfItsOwn(t *testing.T) {
	r := newRig(t, object{
		"server": object{"desk": stdio(mcptest.Modern, nil)},
		"setup": []object{{
			"tool": "desk/note", "arguments": object{"text": "{{task.id}} {{ task.level.n }} {{episode.id}} {{episode.seed}}"},
		}},
		"state":    []object{{"tool": "desk/notes"}, {"tool": "desk/structured"}, {"tool": "desk/notes", "name": "again"}},
		"teardown": []object{{"tool": "desk/note", "arguments": object{"text": "end"}}},
	})
	for _, tool := range r.open("e1").Tools {
		if tool.Name == "note" || tool.Name == "notes" {
			t.Errorf("%s is offered", tool.Name)
		}
	}
	if got := r.call("e1", "note", `{"text":"mine"}`); !got.IsError {
		t.Errorf("an agent calls note: %+v", got)
	}
	raw, err := r.Environment.(sdk.EnvironmentWithSnapshot).Snapshot(t.Context(), "e1")
	if err != nil {
		t.Fatal(err)
	}
	var got, want any
	_ = json.Unmarshal(uniquePart.ReplaceAll(raw, nil), &got)
	_ = json.Unmarshal([]byte(`{
		"turns": 1, "num_calls": 1, "calls": [{"tool": "note", "is_error": true}],
		"state": {"desk/notes": "t1 3 e1 7", "desk/structured": {"answer": 42}, "again": "t1 3 e1 7"}
	}`), &want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	r.close("e1")
}

// The exit of a server costs no episode its result: episodes with state in the server restart, the others continue.
func TestEnvironment_SurvivesItsServers(t *testing.T) {
	t.Run("its own", func(t *testing.T) {
		r := newRig(t, object{"server": object{"desk": stdio(mcptest.Modern, nil)}})
		r.open("e1")
		kill(t, r.call("e1", "who", `{}`))
		if _, err := r.try("e1", calling("add", `{"a":1,"b":2}`)); !errors.Is(err, sdk.ErrSessionLost) {
			t.Errorf("got %v, want ErrSessionLost", err)
		}
		r.open("e1")
		if got := r.call("e1", "add", `{"a":1,"b":2}`); got.Content != "3" {
			t.Errorf("afresh: %+v", got)
		}
	})
	t.Run("shared", func(t *testing.T) {
		r := newRig(t, object{"server": object{"desk": stdio(mcptest.Modern, object{"session": "shared"})}})
		r.open("reads")
		r.open("writes")
		r.call("writes", "note", `{"text":"x"}`)
		kill(t, r.call("reads", "who", `{}`))
		if got := r.call("reads", "add", `{"a":1,"b":2}`); got.Content != "3" {
			t.Errorf("an episode that has only read: %+v", got)
		}
		if _, err := r.try("writes", calling("notes", `{}`)); !errors.Is(err, sdk.ErrSessionLost) {
			t.Errorf("an episode that has written: %v, want ErrSessionLost", err)
		}
	})
}

func kill(t *testing.T, who sdk.Message) {
	t.Helper()
	var pid int
	if _, err := fmt.Sscan(who.Content, &pid); err != nil || pid == 0 {
		t.Fatalf("%q has no pid: %v", who.Content, err)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
}
