package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/awhost/awhost/host/agent"
	"github.com/awhost/awhost/sdk"
)

// script is a model that returns prepared messages in order, and keeps its requests.
type script struct {
	replies []agent.Reply
	err     error // after the last reply
	asked   []agent.Request
}

func (s *script) Generate(_ context.Context, req agent.Request) (*agent.Reply, error) {
	s.asked = append(s.asked, req)
	if len(s.asked) > len(s.replies) {
		return nil, s.err
	}
	reply := s.replies[len(s.asked)-1]
	reply.CallID = "c" + string(rune('0'+len(s.asked)))
	reply.Chain, reply.ChainLength = "chain", req.Base+len(req.Messages)+1
	reply.Message.Role = sdk.RoleAssistant
	return &reply, nil
}

// desk answers every call with the call's name and is done at a message without calls.
type desk struct {
	opened  sdk.OpenResponse
	answer  func(message sdk.Message) *sdk.StepResponse // nil: the default
	stepped []sdk.Message
	calls   []string
}

func (d *desk) Opened() *sdk.OpenResponse { return &d.opened }

func (d *desk) Step(_ context.Context, callID string, message sdk.Message) (*sdk.StepResponse, error) {
	d.stepped = append(d.stepped, message)
	d.calls = append(d.calls, callID)
	if d.answer != nil {
		return d.answer(message), nil
	}
	if len(message.ToolCalls) == 0 {
		return &sdk.StepResponse{Done: true}, nil
	}
	step := &sdk.StepResponse{}
	for _, call := range message.ToolCalls {
		step.Messages = append(step.Messages, result(call, "result of "+call.Name))
	}
	return step, nil
}

func result(call sdk.ToolCall, content string) sdk.Message {
	return sdk.Message{Role: sdk.RoleTool, ToolCallID: call.ID, Name: call.Name, Content: content}
}

func calls(names ...string) agent.Reply {
	var reply agent.Reply
	for i, name := range names {
		reply.Message.ToolCalls = append(reply.Message.ToolCalls,
			sdk.ToolCall{ID: name + string(rune('0'+i)), Name: name, Arguments: `{}`})
	}
	return reply
}

func says(content string) agent.Reply { return agent.Reply{Message: sdk.Message{Content: content}} }

func garbled(content string) agent.Reply {
	return agent.Reply{Message: sdk.Message{Content: content,
		Malformed: []sdk.Malformed{{Text: content, Reason: "no closing brace"}}}}
}

// mad ends the episode.
func mad(r agent.Reply) agent.Reply {
	r.Ends, r.Finish = &sdk.Failure{Class: sdk.FailurePolicy, Detail: "nonsense"}, sdk.FinishLength
	return r
}

func cut(reply agent.Reply) agent.Reply { reply.Finish = sdk.FinishLength; return reply }

func sized(reply agent.Reply, prompt, output int) agent.Reply {
	reply.PromptTokens, reply.OutputTokens = prompt, output
	return reply
}

func tools(names ...string) []sdk.Tool {
	var list []sdk.Tool
	for _, name := range names {
		list = append(list, sdk.Tool{Name: name})
	}
	return list
}

var task = sdk.Task{ID: "t", Public: json.RawMessage(`{"prompt":"what is 1 + 1?"}`)}

// transcript formats a conversation for comparison.
func transcript(messages []sdk.Message) string {
	var lines []string
	for _, m := range messages {
		line := string(m.Role) + ": " + m.Content
		for _, call := range m.ToolCalls {
			line += "[" + call.Name + "]"
		}
		if m.IsError {
			line += " (error)"
		}
		lines = append(lines, strings.TrimSpace(line))
	}
	return strings.Join(lines, "\n")
}

func TestReactConversations(t *testing.T) {
	for _, row := range []struct {
		name     string
		settings agent.Settings
		desk     *desk // nil: no environment
		replies  []agent.Reply
		err      error
		want     string
		finish   agent.Finish
		failure  sdk.FailureClass
		refused  int
	}{
		{
			name: "calls a tool and answers", settings: agent.Settings{SystemPrompt: "be brief"},
			desk:    &desk{opened: sdk.OpenResponse{Tools: tools("add")}},
			replies: []agent.Reply{calls("add"), says("2")}, finish: agent.FinishDone,
			want: "system: be brief\nuser: what is 1 + 1?\nassistant: [add]\ntool: result of add\nassistant: 2",
		},
		{
			name: "parallel calls", desk: &desk{}, replies: []agent.Reply{calls("add", "mul"), says("2")},
			finish: agent.FinishDone,
			want:   "user: what is 1 + 1?\nassistant: [add][mul]\ntool: result of add\ntool: result of mul\nassistant: 2",
		},
		{
			name: "the environment speaks first, and again", finish: agent.FinishDone,
			desk: func() *desk {
				turns := 0
				return &desk{
					opened: sdk.OpenResponse{Messages: []sdk.Message{{Role: sdk.RoleUser, Content: "hello"}}},
					answer: func(sdk.Message) *sdk.StepResponse {
						turns++
						return &sdk.StepResponse{Messages: []sdk.Message{{Role: sdk.RoleUser, Content: "and now?"}}, Done: turns == 2}
					},
				}
			}(),
			replies: []agent.Reply{says("hi"), says("bye")},
			want:    "user: hello\nassistant: hi\nuser: and now?\nassistant: bye\nuser: and now?",
		},
		{
			name: "no environment: one answer", replies: []agent.Reply{says("2")}, finish: agent.FinishAnswered,
			want: "user: what is 1 + 1?\nassistant: 2",
		},
		{
			name: "an environment without a reply takes the answer", finish: agent.FinishAnswered,
			desk:    &desk{answer: func(sdk.Message) *sdk.StepResponse { return &sdk.StepResponse{} }},
			replies: []agent.Reply{says("2")},
			want:    "user: what is 1 + 1?\nassistant: 2",
		},
		{
			name: "the last turn's calls are carried out", settings: agent.Settings{MaxTurns: 1}, desk: &desk{},
			replies: []agent.Reply{calls("add")}, finish: agent.FinishMaxTurns,
			want: "user: what is 1 + 1?\nassistant: [add]\ntool: result of add",
		},
		{
			name: "the environment's turn limit counts, too", settings: agent.Settings{MaxTurns: 9},
			desk:    &desk{opened: sdk.OpenResponse{MaxTurns: 1}},
			replies: []agent.Reply{calls("add")}, finish: agent.FinishMaxTurns,
			want: "user: what is 1 + 1?\nassistant: [add]\ntool: result of add",
		},
		{
			name: "a message cut by its length is not carried out", desk: &desk{}, replies: []agent.Reply{cut(calls("add"))},
			finish: agent.FinishLength,
			want:   "user: what is 1 + 1?\nassistant: [add]",
		},
		{
			name: "a cut call is truncation, not a malformed call", desk: &desk{}, replies: []agent.Reply{cut(garbled("{"))},
			finish: agent.FinishLength,
			want:   "user: what is 1 + 1?\nassistant: {",
		},
		{
			name: "the environment's limit", finish: agent.FinishEnvironmentLimit,
			desk:    &desk{answer: func(sdk.Message) *sdk.StepResponse { return &sdk.StepResponse{Truncated: true} }},
			replies: []agent.Reply{calls("add")}, want: "user: what is 1 + 1?\nassistant: [add]",
		},
		{
			name: "the context is full", desk: &desk{}, replies: []agent.Reply{calls("add")},
			err: &sdk.GenerateError{Kind: sdk.GenerateContextFull}, finish: agent.FinishContextFull,
			want: "user: what is 1 + 1?\nassistant: [add]\ntool: result of add",
		},
		{
			name: "tool results count as response tokens", settings: agent.Settings{ResponseTokens: 30}, desk: &desk{},
			replies: []agent.Reply{sized(calls("add"), 10, 5), sized(calls("add"), 35, 5)}, finish: agent.FinishResponseTokens,
			want: "user: what is 1 + 1?\nassistant: [add]\ntool: result of add\nassistant: [add]\ntool: result of add",
		},
		{
			name: "a malformed call ends the episode", desk: &desk{}, replies: []agent.Reply{garbled("{")},
			finish: agent.FinishMalformed, failure: sdk.FailurePolicy,
			want: "user: what is 1 + 1?\nassistant: {",
		},
		{
			name: "a message that ends the episode is not carried out", desk: &desk{}, replies: []agent.Reply{mad(calls("add"))},
			finish: agent.FinishMadness, failure: sdk.FailurePolicy, want: "user: what is 1 + 1?\nassistant: [add]",
		},
		{
			name: "another member's message has ended the episode", desk: &desk{}, replies: []agent.Reply{calls("add")},
			err:    &agent.EndedError{Why: &sdk.Failure{Class: sdk.FailurePolicy}},
			finish: agent.FinishMadness, failure: sdk.FailurePolicy,
			want: "user: what is 1 + 1?\nassistant: [add]\ntool: result of add",
		},
		{
			name: "a malformed call is told to the model", settings: agent.Settings{OnMalformed: agent.TellOnMalformed},
			desk:    &desk{},
			replies: []agent.Reply{garbled("{"), says("2")}, finish: agent.FinishDone,
			want: "user: what is 1 + 1?\nassistant: {\nuser: This tool call cannot be read (no closing brace): {\n" +
				"Write it again as a valid tool call, or give your answer.\nassistant: 2",
		},
		{
			name:     "a malformed call without environment",
			settings: agent.Settings{OnMalformed: agent.TellOnMalformed, MaxTurns: 2},
			replies:  []agent.Reply{garbled("{"), garbled("{")}, finish: agent.FinishMaxTurns,
			want: "user: what is 1 + 1?\nassistant: {\nuser: This tool call cannot be read (no closing brace): {\n" +
				"Write it again as a valid tool call, or give your answer.\nassistant: {\nuser: This tool call cannot be read (no closing brace): {\n" +
				"Write it again as a valid tool call, or give your answer.",
		},
		{
			name: "a forbidden tool is refused in its place", settings: agent.Settings{Tools: []string{"add", "mul"}},
			refused: 1,
			desk:    &desk{opened: sdk.OpenResponse{Tools: tools("add", "rm", "mul")}},
			replies: []agent.Reply{calls("add", "rm", "mul"), says("2")}, finish: agent.FinishDone,
			want: "user: what is 1 + 1?\nassistant: [add][rm][mul]\ntool: result of add\ntool: tool \"rm\" is not available; the available tools are add, mul (error)\n" +
				"tool: result of mul\nassistant: 2",
		},
		{
			name: "calls where there are no tools are the model's mistake", finish: agent.FinishDone,
			desk: func() *desk {
				turns := 0
				return &desk{answer: func(sdk.Message) *sdk.StepResponse {
					turns++
					return &sdk.StepResponse{Messages: []sdk.Message{{Role: sdk.RoleUser, Content: "use words"}}, Done: turns == 2}
				}}
			}(),
			replies: []agent.Reply{calls("add"), says("2")},
			want:    "user: what is 1 + 1?\nassistant: [add]\ntool: tool \"add\" is not available (error)\nuser: use words\nassistant: 2\nuser: use words",
		},
		{
			name: "nothing but forbidden tools never reaches the environment", settings: agent.Settings{Tools: []string{}},
			refused: 1,
			desk:    &desk{opened: sdk.OpenResponse{Tools: tools("rm")}}, replies: []agent.Reply{calls("rm"), says("2")},
			finish: agent.FinishDone,
			want:   "user: what is 1 + 1?\nassistant: [rm]\ntool: tool \"rm\" is not available (error)\nassistant: 2",
		},
	} {
		t.Run(row.name, func(t *testing.T) {
			solver, err := agent.NewReact(row.settings)
			if err != nil {
				t.Fatal(err)
			}
			model := &script{replies: row.replies, err: row.err}
			episode := agent.Episode{ID: "e", Task: task, Model: model}
			if row.desk != nil {
				episode.Environment = row.desk
			}
			got, err := solver.Run(context.Background(), episode)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(row.want, transcript(got.Messages)); diff != "" {
				t.Errorf("the conversation went otherwise (-want +got):\n%s", diff)
			}
			if got.Finish != row.finish || got.RefusedCalls != row.refused {
				t.Errorf("finish %q with %d refused calls, want %q with %d", got.Finish, got.RefusedCalls, row.finish, row.refused)
			}
			if (got.Failure != nil) != (row.failure != "") || (got.Failure != nil && got.Failure.Class != row.failure) {
				t.Errorf("failure %v, want class %q", got.Failure, row.failure)
			}
			checkChain(t, model, got.Messages)
			if row.desk != nil {
				checkForbidden(t, row.settings, row.desk)
			}
		})
	}
}

// checkChain checks that the model received every message once: its requests and its replies together are the
// beginning of the conversation.
func checkChain(t *testing.T, model *script, messages []sdk.Message) {
	t.Helper()
	var seen []sdk.Message
	for i, req := range model.asked {
		if req.Base != len(seen) {
			t.Errorf("request %d extends %d messages, but the chain holds %d", i, req.Base, len(seen))
		}
		seen = append(seen, req.Messages...)
		if i < len(model.replies) {
			said := model.replies[i].Message
			said.Role = sdk.RoleAssistant
			seen = append(seen, said)
		}
	}
	if diff := cmp.Diff(messages[:min(len(seen), len(messages))], seen, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("the model saw another conversation:\n%s", diff)
	}
}

func checkForbidden(t *testing.T, settings agent.Settings, desk *desk) {
	t.Helper()
	for _, message := range desk.stepped {
		for _, call := range message.ToolCalls {
			if settings.Tools != nil && call.Name == "rm" {
				t.Errorf("the environment was asked to carry out the forbidden call %q", call.Name)
			}
		}
	}
}

// Examples in the prompt are not the model's messages, and not an answer.
func TestReactTellsTheModelsWordsFromExamples(t *testing.T) {
	solver, err := agent.NewReact(agent.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	question := `[{"role":"user","content":"1 + 1?"},{"role":"assistant","content":"2"}]`
	taught := sdk.Task{ID: "t", Public: json.RawMessage(`{"messages":` + question + `}`)}
	model := &script{replies: []agent.Reply{calls("add"), says("4")}}
	got, err := solver.Run(context.Background(), agent.Episode{Task: taught, Model: model, Environment: &desk{}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int{2, 4}, got.Sampled); diff != "" {
		t.Errorf("places of what the model said (-want +got):\n%s", diff)
	}
	full := &script{err: &sdk.GenerateError{Kind: sdk.GenerateContextFull}}
	got, err = solver.Run(context.Background(), agent.Episode{Task: taught, Model: full, Environment: &desk{}})
	if answer, found := got.FinalAnswer(); err != nil || found || got.Sampled == nil {
		t.Errorf("the model said nothing: answer %q, places %v, error %v", answer, got.Sampled, err)
	}
}

func TestReactTokenLimits(t *testing.T) {
	solver, err := agent.NewReact(agent.Settings{MessageTokens: 20, ResponseTokens: 50})
	if err != nil {
		t.Fatal(err)
	}
	model := &script{replies: []agent.Reply{sized(calls("add"), 100, 15), sized(calls("add"), 130, 10), says("2")}}
	if _, err := solver.Run(context.Background(), agent.Episode{Task: task, Model: model,
		Environment: &desk{}}); err != nil {
		t.Fatal(err)
	}
	var got []int
	for _, req := range model.asked {
		got = append(got, req.MaxTokens)
	}
	// 50 in all; after the first message 15 are used, after the second (130 + 10) - 100.
	if diff := cmp.Diff([]int{20, 20, 10}, got); diff != "" {
		t.Errorf("the model may write another number of tokens (-want +got):\n%s", diff)
	}
}

func TestReactErrors(t *testing.T) {
	solver, err := agent.NewReact(agent.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("engine broken")
	partial, err := solver.Run(context.Background(), agent.Episode{
		Task: task, Model: &script{replies: []agent.Reply{calls("add")}, err: broken}, Environment: &desk{},
	})
	if !errors.Is(err, broken) {
		t.Errorf("the model's error arrives as %v", err)
	}
	if got := len(partial.Messages); got != 3 {
		t.Errorf("%d messages are left of the conversation, want 3", got)
	}

	_, err = solver.Run(context.Background(), agent.Episode{
		Task: task, Model: &script{replies: []agent.Reply{calls("add", "mul")}},
		Environment: &desk{answer: func(m sdk.Message) *sdk.StepResponse {
			return &sdk.StepResponse{Messages: []sdk.Message{result(m.ToolCalls[1], "out of order")}}
		}},
	})
	var failure *sdk.Failure
	if !errors.As(err, &failure) || failure.Class != sdk.FailureEnvironment {
		t.Errorf("a missing result arrives as %v, want a failure of the environment", err)
	}

	_, err = solver.Run(context.Background(), agent.Episode{Task: sdk.Task{ID: "t7",
		Public: json.RawMessage(`{"question":"?"}`)}, Model: &script{}})
	if !errors.As(err, &failure) || failure.Class != sdk.FailureAgent || !strings.Contains(err.Error(), "t7") {
		t.Errorf("a task without question arrives as %v, want a failure of the agent that names the task", err)
	}
}

func TestReactSettings(t *testing.T) {
	for _, bad := range []agent.Settings{
		{Name: "a", Tools: []string{"[x"}},
		{Name: "a", OnMalformed: "shrug"},
		{Name: "a", MaxTurns: -1},
	} {
		if _, err := agent.NewReact(bad); err == nil || !strings.Contains(err.Error(), "agent a") {
			t.Errorf("settings %+v give %v, want an error that names the agent", bad, err)
		}
	}
}

func TestToolPatterns(t *testing.T) {
	for _, row := range []struct {
		patterns []string
		name     string
		origin   string // the tool's origin, as reported by the environment
		want     bool
	}{
		{patterns: nil, name: "anything", want: true},
		{patterns: []string{}, name: "anything", want: false},
		{patterns: []string{"*"}, name: "server/tool", want: true},
		{patterns: []string{"add"}, name: "add", want: true},
		{patterns: []string{"add"}, name: "added", want: false},
		{patterns: []string{"web/*"}, name: "web/search", want: true},
		{patterns: []string{"web/*"}, name: "web__search", want: true},
		{patterns: []string{"web/search"}, name: "web__search", want: true},
		{patterns: []string{"web/*"}, name: "shell__run", want: false},
		{patterns: []string{"read_*", "web/*"}, name: "read_file", want: true},
		{patterns: []string{"web/search"}, name: "search", origin: "web/search", want: true},
		{patterns: []string{"web"}, name: "search", origin: "web/search", want: true},
		{patterns: []string{"search"}, name: "search", origin: "web/search", want: true},
		{patterns: []string{"files/*"}, name: "search", origin: "web/search", want: false},
		{patterns: []string{"files/*"}, name: "files__search", origin: "web/files__search", want: false},
		{patterns: []string{"web/search.all"}, name: "search_all_1f2e3d4c", origin: "web/search.all", want: true},
	} {
		offered := append(tools("quit"), sdk.Tool{Name: row.name, Origin: row.origin})
		allowed := row.patterns
		if len(allowed) > 0 {
			allowed = append(allowed, "quit")
		}
		solver, err := agent.NewReact(agent.Settings{Tools: allowed, MaxTurns: 1})
		if err != nil {
			t.Fatal(err)
		}
		env := &desk{opened: sdk.OpenResponse{Tools: offered}}
		result, err := solver.Run(context.Background(), agent.Episode{
			Task: task, Model: &script{replies: []agent.Reply{calls(row.name)}}, Environment: env,
		})
		if err != nil {
			t.Fatal(err)
		}
		seen := slices.ContainsFunc(result.Tools, func(t sdk.Tool) bool { return t.Name == row.name && t.Origin == "" })
		if carriedOut := len(env.stepped) == 1; seen != row.want || carriedOut != row.want {
			t.Errorf("patterns %q: tool %q of %q is offered %v and carried out %v, want %v",
				row.patterns, row.name, row.origin, seen, carriedOut, row.want)
		}
	}
}

func TestToolPatterns_Deny(t *testing.T) {
	solver, err := agent.NewReact(agent.Settings{
		Tools: []string{"*"}, Deny: []string{"web/*", "rm*"}, Calls: []string{"rmdir"}, MaxTurns: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	offered := append(tools("add", "rm", "rmdir"), sdk.Tool{Name: "search", Origin: "web/search"})
	env := &desk{opened: sdk.OpenResponse{Tools: offered}}
	result, err := solver.Run(context.Background(), agent.Episode{
		Task: task, Model: &script{replies: []agent.Reply{calls("add", "rm", "search", "rmdir")}}, Environment: env,
	})
	if err != nil {
		t.Fatal(err)
	}
	var seen []string
	for _, tool := range result.Tools {
		seen = append(seen, tool.Name)
	}
	if diff := cmp.Diff([]string{"add", "rmdir"}, seen); diff != "" || result.RefusedCalls != 2 {
		t.Errorf("%d calls are refused; the model sees %s", result.RefusedCalls, diff)
	}
}

// An agent must not silently lose its tools: every episode fails.
func TestToolPatterns_ThatLeaveNothing(t *testing.T) {
	for _, row := range []struct {
		settings agent.Settings
		want     string // empty: it runs without tools
	}{
		{agent.Settings{Tools: []string{"files/*"}}, `tools = ["files/*"] leaves the agent none of the tools that there are: ` +
			`add, web/search; write tools = [] for an agent without tools`},
		{agent.Settings{Tools: []string{"*"}, Deny: []string{"add", "web"}},
			`tools = ["*"] and deny = ["add", "web"] leave `},
		{agent.Settings{Tools: []string{"files/*"}, Calls: []string{"add"}}, `of the tools that there are: web/search;`},
		{agent.Settings{Tools: []string{}}, ""},
	} {
		row.settings.Name, row.settings.MaxTurns = "react.solver", 1
		solver, err := agent.NewReact(row.settings)
		if err != nil {
			t.Fatal(err)
		}
		env := &desk{opened: sdk.OpenResponse{Tools: append(tools("add"), sdk.Tool{Name: "search", Origin: "web/search"})}}
		_, err = solver.Run(context.Background(), agent.Episode{
			Task: task, Model: &script{replies: []agent.Reply{says("2")}}, Environment: env,
		})
		var mistake *agent.SpecError
		switch {
		case row.want == "" && err != nil:
			t.Error(err)
		case row.want != "" && (!errors.As(err, &mistake) ||
			!strings.Contains(mistake.Detail, "agent react.solver: "+row.want) &&
				!strings.Contains(mistake.Detail, row.want)):
			t.Errorf("%v, want %q", err, row.want)
		}
	}
}

func TestChoice_Problems(t *testing.T) {
	offered := append(tools("add"), sdk.Tool{Name: "search", Origin: "web/search"})
	for _, row := range []struct {
		choice agent.Choice
		want   []agent.ChoiceProblem
	}{
		{agent.Choice{Tools: []string{"*"}}, nil},
		{agent.Choice{Tools: []string{}}, nil},
		{agent.Choice{Tools: []string{"add", "web"}, Deny: []string{"web/search"}}, nil},
		{agent.Choice{Tools: []string{"add", "web/serach"}, Deny: []string{"wbe"}}, []agent.ChoiceProblem{
			{Attribute: "tools", Index: 1, Detail: `"web/serach" matches no tool: there are add, web/search`},
			{Attribute: "deny", Index: 0, Detail: `"wbe" matches no tool: there are add, web/search`},
		}},
		{agent.Choice{Tools: []string{"add"}, Deny: []string{"add"}}, []agent.ChoiceProblem{{
			Attribute: "deny", Index: -1, Detail: `tools = ["add"] and deny = ["add"] leave the agent none of the tools that ` +
				`there are: add, web/search; write tools = [] for an agent without tools`,
		}}},
		{agent.Choice{Tools: []string{"web/[a"}}, []agent.ChoiceProblem{
			{Attribute: "tools", Index: 0, Detail: `invalid pattern "web/[a": syntax error in pattern`},
		}},
	} {
		if diff := cmp.Diff(row.want, row.choice.Problems(offered)); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", row.choice, diff)
		}
	}
}

func TestTaskMessages(t *testing.T) {
	got, err := agent.TaskMessages(sdk.Task{Public: json.RawMessage(
		`{"messages":[{"role":"system","content":"s"},{"role":"user","content":"u"}]}`)})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("system: s\nuser: u", transcript(got)); diff != "" {
		t.Error(diff)
	}
	if _, err := agent.TaskMessages(sdk.Task{ID: "t", Public: json.RawMessage(`[]`)}); err == nil {
		t.Error("a list as task is read")
	}
}
