package mcpenv_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	mcpenv "github.com/awhost/awhost/plugins/mcp-env"
	"github.com/awhost/awhost/plugins/mcp-env/internal/mcptest"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/conformance"
	"github.com/awhost/awhost/sdk/sdktest"
)

// privateTaskConfig returns a configuration whose server hides the private part of a task.
func privateTaskConfig(leak string) map[string]any {
	command, env := mcptest.Stdio(mcptest.Modern)
	env = maps.Clone(env)
	env["MCPTEST_GAME"] = leak
	return map[string]any{
		"server":       map[string]any{"game": map[string]any{"command": command, "env": env}},
		"tools":        []string{"game/guess"},
		"ground_truth": true,
		"setup": []any{map[string]any{
			"tool": "game/hide", "arguments": map[string]any{"secret": "{{task.private.ground_truth}}"},
		}},
		"state": []any{map[string]any{"tool": "game/inspect"}},
	}
}

// TestPrivate_ReachesTheServer checks that the setup receives the private part of the task, and the agent does not.
func TestPrivate_ReachesTheServer(t *testing.T) {
	e := sdktest.Environment(t, mcpenv.Plugin(), "mcp", privateTaskConfig(""))
	task := sdk.Task{ID: "1", Public: []byte(`{"prompt":"guess"}`), Private: []byte(`{"ground_truth":"crane"}`)}
	opened, err := e.Open(t.Context(), sdk.OpenRequest{EpisodeID: "1", Task: task})
	if err != nil {
		t.Fatal(err)
	}
	if len(opened.Tools) != 1 || opened.Tools[0].Name != "guess" {
		t.Errorf("tools %v", opened.Tools)
	}
	for guess, want := range map[string]string{"stork": "wrong", "crane": "right"} {
		answer, err := e.Step(t.Context(), sdk.StepRequest{EpisodeID: "1", InstanceID: opened.InstanceID, StepID: guess,
			Message: sdk.Message{Role: sdk.RoleAssistant, ToolCalls: []sdk.ToolCall{
				{ID: "c", Name: "guess", Arguments: fmt.Sprintf(`{"text":%q}`, guess)},
			}}})
		if err != nil || answer.Messages[0].Content != want {
			t.Errorf("guess %s: %v, %v", guess, answer, err)
		}
	}
	_, err = e.Open(t.Context(), sdk.OpenRequest{EpisodeID: "2", Task: sdk.Task{ID: "2", Public: task.Public}})
	if err == nil || !strings.Contains(err.Error(), "the task 2 has no private field of that name") {
		t.Errorf("a task without: %v", err)
	}
}

// TestPrivate_LeaksAreFound checks that a server that repeats a private text fails the leak check of the suite,
// wherever it repeats the text.
func TestPrivate_LeaksAreFound(t *testing.T) {
	for leak, found := range map[string]string{
		"": "", mcptest.LeakTool: "a response of Step", mcptest.LeakState: "a snapshot", mcptest.LeakStderr: "its log",
	} {
		t.Run("leak "+leak, func(t *testing.T) {
			t.Parallel()
			fixtures := filepath.Join(t.TempDir(), "conformance.json")
			text, err := json.Marshal(map[string]any{"components": []any{map[string]any{
				"kind": "environment", "type": "mcp", "config": privateTaskConfig(leak),
				"episodes": []any{map[string]any{
					"task": map[string]any{
						"id": "1", "public": map[string]any{"prompt": "guess"}, "private": map[string]any{"ground_truth": "crane"},
					},
					"messages": []any{map[string]any{
						"tool_calls": []any{map[string]any{"name": "guess", "arguments": map[string]any{"text": "stork"}}},
					}},
				}},
			}}})
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(fixtures, text, 0o600); err != nil {
				t.Fatal(err)
			}
			report, err := conformance.Verify(t.Context(), conformance.Config{
				Command: []string{os.Args[0]}, Env: map[string]string{asPlugin: "1"}, Fixtures: fixtures,
				Only: []string{"ENV-PRIVATE-01"},
			})
			if err != nil {
				t.Fatal(err)
			}
			var played bool
			for _, r := range report.Results {
				if r.Check.ID != "ENV-PRIVATE-01" {
					continue
				}
				played = true
				if failed := r.Status == conformance.Failed; failed != (leak != "") || !strings.Contains(r.Reason, found) {
					t.Errorf("%s: %s, want what %q says", r.Status, r.Reason, found)
				}
			}
			if !played {
				t.Error("the check was not played")
			}
		})
	}
}

// TestPrivate_IsAskedForAndNotShared checks the required and the forbidden attributes of a block with private values.
func TestPrivate_IsAskedForAndNotShared(t *testing.T) {
	component := mcpenv.Plugin().Environments[0]
	for want, change := range map[string]func(c map[string]any){
		"":                                      func(map[string]any) {},
		"write ground_truth = true":             func(c map[string]any) { delete(c, "ground_truth") },
		`all episodes share server "game"`:      func(c map[string]any) { serverOf(c)["session"] = "shared" },
		"no call of setup, state or teardown":   func(c map[string]any) { delete(c, "setup") },
		"{{task.private}} stands for nothing":   secretIs("{{task.private}}"),
		"{{task.private.}} stands for nothing":  secretIs("{{task.private.}}"),
		"{{task.}} stands for nothing":          secretIs("{{task.}}"),
		"{{taskprivate.a}} stands for nothing:": secretIs("{{taskprivate.a}}"),
		"{{task.my level}} is no placeholder:":  secretIs("{{task.id}} {{task.my level}}"),
		"{{task.id} is no placeholder:":         secretIs("{{task.id}} {{task.id}"),
		"{{}} is no placeholder:":               secretIs("{{}}"),
	} {
		config := privateTaskConfig("")
		change(config)
		raw, err := json.Marshal(config)
		if err != nil {
			t.Fatal(err)
		}
		found := component.Validate(t.Context(), raw)
		if want == "" && len(found) > 0 || want != "" && (len(found) != 1 || !strings.Contains(found[0].Detail, want)) {
			t.Errorf("want %q, got %v", want, found)
		}
	}
}

// Settings without effect are reported.
func TestValidate_SaysWhatDoesNothing(t *testing.T) {
	validate := mcpenv.Plugin().Environments[0].Validate
	for want, config := range map[string]string{
		"": `{"server": {"a": {"command": ["x"], "env": {"A": "b"}, "warm": 3}, "b": {"url": "http://a/mcp", "warm": 1}},
			"state": [{"tool": "a/x"}, {"tool": "a/x", "name": "y"}]}`,
		"warning server.a.url": `{"server": {"a": {"url": "http://a/mcp", "env": {"A": "b"}, "warm": 1}}}`,
		"warning server.b.url": `{"server": {"b": {"url": "http://a/mcp", "warm": 2}}}`,
		"error state.1.tool":   `{"server": {"a": {"command": ["x"]}}, "state": [{"tool": "a/x"}, {"tool": "a/x"}]}`,
		"error state.1.tool ": `{"server": {"a": {"command": ["x"]}},
			"state": [{"tool": "a/x"}, {"tool": "a/y", "name": "a/x"}]}`,
		"error setup.0.tool":    `{"server": {"a": {"command": ["x"]}}, "setup": [{"tool": "b/x"}]}`,
		"error server.a.header": `{"server": {"a": {"command": ["x"], "headers": {"A": "b"}}}}`,
	} {
		var got []string
		for _, d := range validate(t.Context(), []byte(config)) {
			got = append(got, string(d.Severity)+" "+strings.Join(d.Path, "."))
		}
		if strings.TrimSuffix(strings.Join(got, ", "), "s") != strings.TrimSpace(want) {
			t.Errorf("%s: got %q, want %q", config, got, want)
		}
	}
}

func serverOf(c map[string]any) map[string]any {
	return c["server"].(map[string]any)["game"].(map[string]any)
}

func secretIs(text string) func(c map[string]any) {
	return func(c map[string]any) {
		c["setup"].([]any)[0].(map[string]any)["arguments"] = map[string]any{"secret": "{{task.private.a}}", "more": text}
	}
}
