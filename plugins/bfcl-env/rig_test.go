package bfclenv

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/entry"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/expr"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/golden"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/sdktest"
)

// source creates a folder with the data of a version, with its constants as Python source.
func source(t testing.TB, version string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(golden.Dir(t), "data_"+version))); err != nil {
		t.Fatal(err)
	}
	tables := "v4"
	if version == "v3" {
		tables = "et"
	}
	var constants bytes.Buffer
	for name, v := range golden.Tables(t, tables) {
		fmt.Fprintf(&constants, "%s = %s\n", name, py.Repr(v))
	}
	if err := os.WriteFile(filepath.Join(dir, "long_context.py"), constants.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

func open(t testing.TB, config map[string]any) (sdk.EnvironmentWithTasks, map[string]*entry.Entry) {
	t.Helper()
	version := "v4"
	if config["profile"] != nil && config["profile"] != "v4" {
		version = "v3"
	}
	config["source"] = source(t, version)
	return sdktest.Environment(t, Plugin(), "bfcl", config).(sdk.EnvironmentWithTasks), golden.Parsed(t, "data_"+version)
}

func tasks(t testing.TB, e sdk.EnvironmentWithTasks, split sdk.Split) []sdk.Task {
	t.Helper()
	var out []sdk.Task
	err := e.Tasks(t.Context(), split, 0, func(task sdk.Task) bool { out = append(out, task); return true })
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// play answers until the episode has ended, and returns its last state. say returns the message for a turn and a
// step; it receives the number of the turn and of the message in it.
func play(t testing.TB, e sdk.EnvironmentWithTasks, task sdk.Task, say func(turn, step int) sdk.Message) sdk.ScoreItem {
	t.Helper()
	if _, err := e.Open(t.Context(), sdk.OpenRequest{EpisodeID: task.ID, Task: task}); err != nil {
		t.Fatal(err)
	}
	item := sdk.ScoreItem{EpisodeID: task.ID}
	turn, step := 0, 0
	for n := 0; ; n++ {
		message := say(turn, step)
		response, err := e.Step(t.Context(), sdk.StepRequest{EpisodeID: task.ID, StepID: fmt.Sprint(n), Message: message})
		if err != nil {
			t.Fatal(err)
		}
		if response.TurnReward != nil {
			item.TurnRewards = append(item.TurnRewards, *response.TurnReward)
		}
		if response.Done {
			break
		}
		step++
		if strings.HasSuffix(message.Content, doneText) || strings.HasSuffix(message.Content, doneText+"</answer>") {
			turn, step = turn+1, 0
		}
	}
	raw, err := e.(sdk.EnvironmentWithSnapshot).Snapshot(t.Context(), task.ID)
	if err != nil {
		t.Fatal(err)
	}
	item.State = raw
	if _, err := e.Close(t.Context(), sdk.CloseRequest{EpisodeID: task.ID, Reason: "done"}); err != nil {
		t.Fatal(err)
	}
	return item
}

// calls returns ground truth as a message of the model. Positional arguments get the functions' parameter names.
func calls(t testing.TB, mode string, truth []string) sdk.Message {
	t.Helper()
	m := sdk.Message{Role: sdk.RoleAssistant}
	if mode == "text" {
		m.Content = "[" + strings.Join(truth, ", ") + "]"
		return m
	}
	var list []map[string]any
	for i, text := range truth {
		call, err := parseCall(text)
		if err != nil {
			t.Fatal(err)
		}
		arguments := py.NewDict()
		for j, v := range call.Args {
			arguments.Set(parameter(t, call.Name, j), v)
		}
		for j, name := range call.Names {
			arguments.Set(name, call.Named[j])
		}
		raw, err := py.JSON(arguments)
		if err != nil {
			t.Fatal(err)
		}
		m.ToolCalls = append(m.ToolCalls, sdk.ToolCall{ID: fmt.Sprintf("call-%d", i), Name: call.Name, Arguments: raw})
		list = append(list, map[string]any{"name": call.Name, "arguments": json.RawMessage(raw)})
	}
	if mode != "envtuning" {
		return m
	}
	raw, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	return sdk.Message{Role: sdk.RoleAssistant, Content: "<think>t</think><tool_call>" + string(raw) + "</tool_call>"}
}

// doneText is the model's answer at the end of a turn.
const doneText = "Done."

func answer(mode string) sdk.Message {
	if mode == "envtuning" {
		return sdk.Message{Role: sdk.RoleAssistant, Content: "<think>t</think><answer>" + doneText + "</answer>"}
	}
	return sdk.Message{Role: sdk.RoleAssistant, Content: doneText}
}

func parseCall(text string) (call *py.Call, err error) {
	_, err = expr.Evaluate(text, func(c *py.Call) (py.Value, error) { call = c; return nil, nil })
	return call, err
}

func hasPositional(text string) bool {
	call, err := parseCall(text)
	return err == nil && len(call.Args) > 0
}

func contains(text, part string) bool { return strings.Contains(text, part) }
