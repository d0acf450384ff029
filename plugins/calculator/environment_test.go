package calculator_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/plugins/calculator"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/sdktest"
)

// testEnvironment drives one environment over the protocol.
type testEnvironment struct {
	testing.TB
	sdk.Environment
	steps int
}

func newTestEnvironment(t testing.TB, config map[string]any) *testEnvironment {
	t.Helper()
	return &testEnvironment{TB: t, Environment: sdktest.Environment(t, calculator.Plugin(), "calculator", config)}
}

func (d *testEnvironment) open(episode, prompt string) *sdk.OpenResponse {
	d.Helper()
	out, err := d.Open(d.Context(), sdk.OpenRequest{EpisodeID: episode, Task: ask(prompt), Seed: 1, Split: sdk.SplitTrain})
	if err != nil {
		d.Fatalf("open %s: %v", episode, err)
	}
	return out
}

func (d *testEnvironment) step(episode string, message sdk.Message) *sdk.StepResponse {
	d.Helper()
	d.steps++
	out, err := d.Step(d.Context(), sdk.StepRequest{EpisodeID: episode, StepID: fmt.Sprintf("s%d", d.steps),
		Message: message})
	if err != nil {
		d.Fatalf("step %s: %v", episode, err)
	}
	return out
}

func (d *testEnvironment) state(episode string) string {
	d.Helper()
	out, err := d.Environment.(sdk.EnvironmentWithSnapshot).Snapshot(d.Context(), episode)
	if err != nil {
		d.Fatalf("snapshot %s: %v", episode, err)
	}
	return string(out)
}

func (d *testEnvironment) close(episode string) *sdk.CloseResponse {
	d.Helper()
	out, err := d.Close(d.Context(), sdk.CloseRequest{EpisodeID: episode, Reason: "done"})
	if err != nil {
		d.Fatalf("close %s: %v", episode, err)
	}
	return out
}

func ask(prompt string) sdk.Task {
	public, err := json.Marshal(map[string]string{"prompt": prompt})
	if err != nil {
		panic(err)
	}
	return sdk.Task{ID: "t", Public: public}
}

func assistant(content string, calls ...sdk.ToolCall) sdk.Message {
	return sdk.Message{Role: sdk.RoleAssistant, Content: content, ToolCalls: calls}
}

func call(id, name, arguments string) sdk.ToolCall {
	return sdk.ToolCall{ID: id, Name: name, Arguments: arguments}
}

func TestEpisodeFromQuestionToAnswer(t *testing.T) {
	d := newTestEnvironment(t, nil)
	opened := d.open("e", "17+25=")
	if diff := cmp.Diff([]sdk.Message{{Role: sdk.RoleUser, Content: "17+25="}}, opened.Messages); diff != "" {
		t.Errorf("first messages (-want +got):\n%s", diff)
	}
	var names []string
	for _, tool := range opened.Tools {
		names = append(names, tool.Name)
		if !json.Valid(tool.Parameters) || tool.Description == "" {
			t.Errorf("tool %s: parameters %s, description %q", tool.Name, tool.Parameters, tool.Description)
		}
	}
	if diff := cmp.Diff([]string{"add", "sub", "mul", "mod"}, names); diff != "" {
		t.Errorf("tools (-want +got):\n%s", diff)
	}
	if opened.MaxTurns != 4 {
		t.Errorf("max turns %d, want 4", opened.MaxTurns)
	}

	got := d.step("e", assistant("", call("c1", "add", `{"a":17,"b":25}`)))
	want := &sdk.StepResponse{Messages: []sdk.Message{{Role: sdk.RoleTool, ToolCallID: "c1", Name: "add", Content: "42"}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("after the call (-want +got):\n%s", diff)
	}
	got = d.step("e", assistant("<answer>42</answer>"))
	if diff := cmp.Diff(&sdk.StepResponse{Done: true}, got); diff != "" {
		t.Errorf("after the answer (-want +got):\n%s", diff)
	}

	wantState := `{"turns":2,"num_calls":1,"calls":[{"name":"add","a":17,"b":25,"result":42}],"answered":true,"over":true}`
	if diff := cmp.Diff(wantState, d.state("e")); diff != "" {
		t.Errorf("state (-want +got):\n%s", diff)
	}
	closed := d.close("e")
	wantMetrics := map[string]float64{"calls": 1, "calls_ok": 1, "tool_ok": 1, "args_ok": 1}
	if diff := cmp.Diff(wantMetrics, closed.Metrics); diff != "" {
		t.Errorf("metrics (-want +got):\n%s", diff)
	}
	if len(closed.StateDigest) != 64 {
		t.Errorf("digest %q, want a SHA-256", closed.StateDigest)
	}
}

func TestEveryCallGetsItsAnswerInOrder(t *testing.T) {
	d := newTestEnvironment(t, map[string]any{"operations": []string{"mod", "add"}})
	d.open("e", "17+25=")
	got := d.step("e", assistant("let me try",
		call("1", "add", `{"a":1,"b":2}`),
		call("2", "mul", `{"a":1,"b":2}`),
		call("3", "divide 💥", `{}`),
		call("4", "mod", `{"a":1,"b":0}`),
		call("5", "mod", `{"a":"ä","b":1}`),
		call("5", "mod", `{"a":7,"b":4}`),
		call("", "add", `{"a":99999999999,"b":2}`),
	))
	refused := func(id, name, content string) sdk.Message {
		return sdk.Message{Role: sdk.RoleTool, ToolCallID: id, Name: name, Content: content, IsError: true}
	}
	want := &sdk.StepResponse{Messages: []sdk.Message{
		{Role: sdk.RoleTool, ToolCallID: "1", Name: "add", Content: "3"},
		refused("2", "mul", "error: no such tool"),
		refused("3", "divide 💥", "error: no such tool"),
		refused("4", "mod", "error: b must not be 0"),
		refused("5", "mod", "error: a and b must be integers"),
		{Role: sdk.RoleTool, ToolCallID: "5", Name: "mod", Content: "3"},
		refused("", "add", "error: a or b is too large"),
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
	wantMetrics := map[string]float64{"calls": 7, "calls_ok": 2, "tool_ok": 1, "args_ok": 0}
	if diff := cmp.Diff(wantMetrics, d.close("e").Metrics); diff != "" {
		t.Errorf("metrics (-want +got):\n%s", diff)
	}
}

func TestWhatEndsAnEpisode(t *testing.T) {
	tests := []struct {
		name    string
		message sdk.Message
		want    *sdk.StepResponse
		state   string
	}{
		{
			"an answer", assistant("<answer>1</answer>"), &sdk.StepResponse{Done: true},
			`{"turns":1,"num_calls":0,"calls":[],"answered":true,"over":true}`,
		},
		{
			"text without an answer element", assistant("I give up"), &sdk.StepResponse{Done: true},
			`{"turns":1,"num_calls":0,"calls":[],"answered":true,"over":true}`,
		},
		{
			"nothing at all", assistant(""), &sdk.StepResponse{Done: true},
			`{"turns":1,"num_calls":0,"calls":[],"answered":true,"over":true}`,
		},
		{
			"an answer beside a call, which is not carried out",
			assistant("<answer>3</answer>", call("1", "add", `{"a":1,"b":2}`)), &sdk.StepResponse{Done: true},
			`{"turns":1,"num_calls":0,"calls":[],"answered":true,"over":true}`,
		},
		{
			"not an opened answer beside a call", assistant("<answer>", call("1", "add", `{"a":1,"b":2}`)),
			&sdk.StepResponse{Messages: []sdk.Message{{Role: sdk.RoleTool, ToolCallID: "1", Name: "add", Content: "3"}}},
			`{"turns":1,"num_calls":1,"calls":[{"name":"add","a":1,"b":2,"result":3}],"answered":false,"over":false}`,
		},
		{
			"not a call that cannot be parsed",
			sdk.Message{Role: sdk.RoleAssistant, Content: "{", Malformed: []sdk.Malformed{{Text: "{", Reason: "no JSON"}}},
			&sdk.StepResponse{}, `{"turns":1,"num_calls":0,"calls":[],"answered":false,"over":false}`,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := newTestEnvironment(t, nil)
			d.open("e", "1+2=")
			if diff := cmp.Diff(test.want, d.step("e", test.message)); diff != "" {
				t.Errorf("response (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.state, d.state("e")); diff != "" {
				t.Errorf("state (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTurnLimitTruncates(t *testing.T) {
	d := newTestEnvironment(t, map[string]any{"max_turns": 2})
	if got := d.open("e", "1+2=").MaxTurns; got != 2 {
		t.Errorf("max turns %d, want 2", got)
	}
	if got := d.step("e", assistant("", call("1", "add", `{"a":1,"b":2}`))); got.Done || got.Truncated {
		t.Errorf("the first turn ends the episode: %+v", got)
	}
	got := d.step("e", assistant("", call("2", "add", `{"a":1,"b":2}`)))
	if !got.Done || !got.Truncated || len(got.Messages) != 1 {
		t.Errorf("the last turn: %+v, want the result, done and truncated", got)
	}
}

func TestTasksThatAreNoArithmetic(t *testing.T) {
	d := newTestEnvironment(t, nil)
	public := `{"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"Wie viel ist 17 plus 25? 🧮"}]}`
	out, err := d.Open(t.Context(), sdk.OpenRequest{EpisodeID: "e",
		Task: sdk.Task{ID: "t", Public: json.RawMessage(public)}})
	if err != nil {
		t.Fatal(err)
	}
	want := []sdk.Message{{Role: sdk.RoleSystem, Content: "Be brief."},
		{Role: sdk.RoleUser, Content: "Wie viel ist 17 plus 25? 🧮"}}
	if diff := cmp.Diff(want, out.Messages); diff != "" {
		t.Errorf("first messages (-want +got):\n%s", diff)
	}
	d.step("e", assistant("", call("1", "add", `{"a":17,"b":25}`)))
	if diff := cmp.Diff(map[string]float64{"calls": 1, "calls_ok": 1}, d.close("e").Metrics); diff != "" {
		t.Errorf("metrics (-want +got):\n%s", diff)
	}
}

func TestOpenRefusesATaskWithoutQuestion(t *testing.T) {
	d := newTestEnvironment(t, nil)
	for _, public := range []string{``, `{}`, `{"prompt":""}`, `{"prompt":7}`, `[]`, `{"messages":[]}`} {
		_, err := d.Open(t.Context(), sdk.OpenRequest{EpisodeID: "e",
			Task: sdk.Task{ID: "row-7", Public: json.RawMessage(public)}})
		var failure *sdk.Failure
		if !errors.As(err, &failure) || failure.Class != sdk.FailureEnvironment ||
			!strings.Contains(failure.Detail, "row-7") {
			t.Errorf("%q: %v, want an ENVIRONMENT failure that names the task", public, err)
		}
	}
}

func TestUnknownEpisodesAreLost(t *testing.T) {
	d := newTestEnvironment(t, nil)
	d.open("e", "1+2=")
	if first, again := d.close("e"), d.close("e"); first.StateDigest == "" || again.StateDigest != "" {
		t.Errorf("closed twice: digests %q and %q", first.StateDigest, again.StateDigest)
	}
	for _, episode := range []string{"e", "never opened"} {
		_, err := d.Step(t.Context(), sdk.StepRequest{EpisodeID: episode, StepID: "1", Message: assistant("hello")})
		if !errors.Is(err, sdk.ErrSessionLost) {
			t.Errorf("step %q: %v, want ErrSessionLost", episode, err)
		}
		_, err = d.Environment.(sdk.EnvironmentWithSnapshot).Snapshot(t.Context(), episode)
		if !errors.Is(err, sdk.ErrSessionLost) {
			t.Errorf("snapshot %q: %v, want ErrSessionLost", episode, err)
		}
	}
}

func TestReopeningStartsAfresh(t *testing.T) {
	d := newTestEnvironment(t, map[string]any{"max_sessions": 1})
	d.open("e", "1+2=")
	untouched := d.state("e")
	d.step("e", assistant("", call("1", "add", `{"a":1,"b":2}`)))
	d.open("e", "1+2=")
	if diff := cmp.Diff(untouched, d.state("e")); diff != "" {
		t.Errorf("state after opening again (-want +got):\n%s", diff)
	}
}

func TestMaxSessions(t *testing.T) {
	d := newTestEnvironment(t, map[string]any{"max_sessions": 2})
	d.open("a", "1+2=")
	d.open("b", "1+2=")
	_, err := d.Open(t.Context(), sdk.OpenRequest{EpisodeID: "c", Task: ask("1+2=")})
	var failure *sdk.Failure
	if !errors.As(err, &failure) || !failure.Retryable || !strings.Contains(failure.Detail, "max_sessions") {
		t.Errorf("a third episode: %v, want a retryable failure that names max_sessions", err)
	}
	d.close("a")
	d.open("c", "1+2=")
}

// Concurrent episodes do not affect one another, and equal episodes have equal results.
func TestConcurrentEpisodesAreAlone(t *testing.T) {
	d := newTestEnvironment(t, nil)
	const episodes = 40
	digests := make([]string, episodes)
	var running sync.WaitGroup
	for i := range episodes {
		running.Go(func() {
			id, odd := fmt.Sprintf("e%d", i), i%2
			if _, err := d.Open(t.Context(), sdk.OpenRequest{EpisodeID: id, Task: ask("1+2="), Seed: uint64(i)}); err != nil {
				t.Error(err)
				return
			}
			for turn := range 3 {
				arguments := fmt.Sprintf(`{"a":%d,"b":%d}`, odd, turn)
				message := assistant("", call(id, "add", arguments))
				out, err := d.Step(t.Context(), sdk.StepRequest{EpisodeID: id, StepID: fmt.Sprint(turn), Message: message})
				if err != nil {
					t.Error(err)
					return
				}
				if got, want := out.Messages[0].Content, fmt.Sprint(odd+turn); got != want || out.Messages[0].ToolCallID != id {
					t.Errorf("%s %s = %s, want %s", id, arguments, got, want)
				}
			}
			closed, err := d.Close(t.Context(), sdk.CloseRequest{EpisodeID: id})
			if err != nil {
				t.Error(err)
				return
			}
			digests[i] = closed.StateDigest
		})
	}
	running.Wait()
	for i := range episodes {
		if digests[i] != digests[i%2] {
			t.Errorf("episode %d ends in %s, its twin in %s", i, digests[i], digests[i%2])
		}
	}
	if digests[0] == digests[1] {
		t.Error("different episodes have the same digest")
	}
}

func TestHugeInputs(t *testing.T) {
	d := newTestEnvironment(t, nil)
	prompt := strings.Repeat("ß", 1<<20)
	if got := d.open("e", prompt).Messages[0].Content; got != prompt {
		t.Errorf("a prompt of %d bytes comes back with %d", len(prompt), len(got))
	}
	many := make([]sdk.ToolCall, 10_000)
	for i := range many {
		many[i] = call(fmt.Sprint(i), "add", fmt.Sprintf(`{"a":%d,"b":0}`, i))
	}
	got := d.step("e", assistant("", many...))
	if len(got.Messages) != len(many) || got.Messages[9_999].Content != "9999" {
		t.Errorf("%d calls get %d answers", len(many), len(got.Messages))
	}
	got = d.step("e", assistant("", call("1", strings.Repeat("x", 1<<20), strings.Repeat("{", 1<<20))))
	if len(got.Messages[0].Content) > 100 || !got.Messages[0].IsError {
		t.Errorf("a huge call is answered with %d bytes", len(got.Messages[0].Content))
	}
	if state := d.state("e"); len(state) > 10_000 {
		t.Errorf("the state has %d bytes: it must stay small", len(state))
	}
}

func TestConfigurationIsChecked(t *testing.T) {
	for _, test := range []struct{ name, config, want string }{
		{"unknown operation", `{"operations":["add","div"],"max_turns":4,"max_sessions":0}`,
			`"div" is no operation: choose from add, sub, mul, mod`},
		{"no operation", `{"operations":[],"max_turns":4,"max_sessions":0}`, "list at least one of add, sub, mul, mod"},
		{"half a turn", `{"operations":["add"],"max_turns":1.5,"max_sessions":0}`, "whole numbers"},
	} {
		t.Run(test.name, func(t *testing.T) {
			component := calculator.Plugin().Environments[0]
			problems := component.Validate(t.Context(), json.RawMessage(test.config))
			if len(problems) != 1 || !strings.Contains(problems[0].Detail, test.want) {
				t.Errorf("%+v, want one problem with %q", problems, test.want)
			}
			if _, err := component.New(t.Context(), sdk.Setup{Config: json.RawMessage(test.config)}); err == nil {
				t.Error("it can be configured all the same")
			}
		})
	}
}

func TestTasksAreStable(t *testing.T) {
	d := newTestEnvironment(t, nil)
	read := func(split sdk.Split, cursor, count int) []string {
		var got []string
		err := d.Environment.(sdk.EnvironmentWithTasks).Tasks(t.Context(), split, cursor, func(task sdk.Task) bool {
			got = append(got, fmt.Sprintf("%s %s %s", task.ID, task.Public, task.Private))
			return len(got) < count
		})
		if err != nil {
			t.Fatalf("tasks of %s from %d: %v", split, cursor, err)
		}
		return got
	}
	train := read(sdk.SplitTrain, 0, 3)
	want := []string{
		`add-45-49 {"prompt":"45+49="} {"ground_truth":"94"}`,
		`sub-98-84 {"prompt":"98-84="} {"ground_truth":"14"}`,
		`mod-79-40 {"prompt":"79%40="} {"ground_truth":"39"}`,
	}
	if diff := cmp.Diff(want, train); diff != "" {
		t.Errorf("first training tasks (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(train[1:], read(sdk.SplitTrain, 1, 2)); diff != "" {
		t.Errorf("a cursor does not go on where it was (-want +got):\n%s", diff)
	}
	all := append(read(sdk.SplitTrain, 0, 1<<30), read(sdk.SplitValidation, 0, 1<<30)...)
	seen := map[string]bool{}
	for _, task := range all {
		if seen[task] {
			t.Fatalf("%s is listed twice", task)
		}
		seen[task] = true
	}
	if got := read(sdk.SplitTrain, 1<<40, 1); len(got) != 0 {
		t.Errorf("past the end there is %v", got)
	}
}
