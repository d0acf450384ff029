package swarm_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/agent"
	"github.com/awhost/awhost/host/agent/swarm"
	"github.com/awhost/awhost/sdk"
)

// scriptedModels is a model with prepared lines for each member. It checks that conversations are not mixed up.
type scriptedModels struct {
	t        *testing.T
	mu       sync.Mutex
	lines    map[string][]sdk.Message // by member
	received map[string][]string      // received texts, by member
	next     int
}

func (v *scriptedModels) Generate(_ context.Context, req agent.Request) (*agent.Reply, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.next++
	for _, m := range req.Messages {
		v.received[req.Member] = append(v.received[req.Member], fmt.Sprintf("%s: %s", m.Role, m.Content))
	}
	if chain := "chain of " + req.Member; req.Chain != "" && req.Chain != chain {
		v.t.Errorf("%s goes on with %s", req.Member, req.Chain)
	}
	if len(v.lines[req.Member]) == 0 {
		return nil, fmt.Errorf("%s has nothing to say", req.Member)
	}
	message := v.lines[req.Member][0]
	v.lines[req.Member] = v.lines[req.Member][1:]
	message.Role = sdk.RoleAssistant
	finish := sdk.FinishStop
	if message.Content == "cut" {
		finish = sdk.FinishLength
	}
	return &agent.Reply{
		CallID: fmt.Sprintf("c%d", v.next), Message: message, Finish: finish,
		Chain: "chain of " + req.Member, ChainLength: req.Base + len(req.Messages) + 1,
	}, nil
}

// memberEnvironment has the tool add, and ends at a message without calls.
type memberEnvironment struct {
	stepped  []string
	maxTurns int
}

func (d *memberEnvironment) Opened() *sdk.OpenResponse {
	return &sdk.OpenResponse{
		MaxTurns: d.maxTurns, Tools: []sdk.Tool{{Name: "add"}},
		Messages: []sdk.Message{{Role: sdk.RoleUser, Content: "What is 1+1?"}},
	}
}

func (d *memberEnvironment) Step(_ context.Context, callID string, message sdk.Message) (*sdk.StepResponse, error) {
	d.stepped = append(d.stepped, callID)
	if len(message.ToolCalls) == 0 {
		return &sdk.StepResponse{Done: true}, nil
	}
	out := &sdk.StepResponse{}
	for _, call := range message.ToolCalls {
		out.Messages = append(out.Messages, sdk.Message{
			Role: sdk.RoleTool, ToolCallID: call.ID, Name: call.Name, Content: call.Name + " done",
		})
	}
	return out, nil
}

func says(text string) sdk.Message { return sdk.Message{Content: text} }

func calls(pairs ...string) sdk.Message {
	var m sdk.Message
	for i := 0; i < len(pairs); i += 2 {
		m.ToolCalls = append(m.ToolCalls, sdk.ToolCall{
			ID: fmt.Sprint("t", i/2), Name: pairs[i], Arguments: fmt.Sprintf(`{"content":%q}`, pairs[i+1]),
		})
	}
	return m
}

// members returns agents of type react and their callees: "leader: a b" calls a and b.
func members(t *testing.T, lines ...string) []swarm.Member {
	t.Helper()
	var out []swarm.Member
	for _, line := range lines {
		name, others, _ := strings.Cut(line, ":")
		player, err := agent.NewReact(agent.Settings{Name: "react." + name, SystemPrompt: "You are " + name})
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, swarm.Member{
			Name: name, Description: "does " + name, Agent: player, Neighbours: strings.Fields(others), Acts: true,
		})
	}
	return out
}

type stand struct {
	voices *scriptedModels
	desk   *memberEnvironment
	result *agent.Result
	err    error
}

func (s *stand) said() []string {
	var out []string
	for _, part := range s.result.Parts {
		for _, m := range s.result.Messages[part.First : part.First+part.Len] {
			line := strings.Repeat("  ", part.Depth) + part.Member + " | " + string(m.Role) + ": " + m.Content
			for _, call := range m.ToolCalls {
				line += "[" + call.Name + "]"
			}
			out = append(out, line)
		}
	}
	return out
}

func runSwarm(t *testing.T, settings swarm.Settings, withDesk bool, lines map[string][]sdk.Message) *stand {
	t.Helper()
	s, err := swarm.New(settings)
	if err != nil {
		t.Fatal(err)
	}
	return perform(t, s, withDesk, lines)
}

func perform(t *testing.T, s agent.Agent, withDesk bool, lines map[string][]sdk.Message) *stand {
	t.Helper()
	if withDesk {
		return runMemberAt(t, s, &memberEnvironment{}, lines)
	}
	return runMemberAt(t, s, nil, lines)
}

func runMemberAt(t *testing.T, s agent.Agent, at *memberEnvironment, lines map[string][]sdk.Message) *stand {
	t.Helper()
	out := &stand{voices: &scriptedModels{t: t, lines: lines, received: map[string][]string{}}, desk: at}
	task := sdk.Task{ID: "t", Public: []byte(`{"prompt":"What is 2+2?"}`)}
	episode := agent.Episode{ID: "e", Task: task, Model: out.voices}
	if at != nil {
		episode.Environment = at
	}
	out.result, out.err = s.Run(t.Context(), episode)
	if out.err == nil {
		out.checkParts(t)
	}
	return out
}

// checkParts checks that the parts cover the whole transcript, and the marks against the parts.
func (s *stand) checkParts(t *testing.T) {
	t.Helper()
	at := 0
	for _, part := range s.result.Parts {
		if part.First != at || part.Len < 1 {
			t.Errorf("part %+v begins at %d, want %d", part, part.First, at)
		}
		at += part.Len
		for i := part.First; i < part.First+part.Len; i++ {
			if m := s.result.Messages[i]; slices.Contains(s.result.Sampled, i) && m.Name != part.Member {
				t.Errorf("message %d of %s is marked as that of %q", i, part.Member, m.Name)
			}
		}
	}
	if at != len(s.result.Messages) {
		t.Errorf("parts end at %d of %d messages", at, len(s.result.Messages))
	}
}

func same(t *testing.T, want, got []string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestWorkflow_MembersHearTheQuestionAndWhatCameBefore(t *testing.T) {
	settings := swarm.Settings{
		Name: "workflow.w", Kind: swarm.Workflow, Members: members(t, "a", "b", "c", "d"),
		Stages: [][]string{{"a"}, {"b", "c"}, {"d"}},
	}
	s := runSwarm(t, settings, true, map[string][]sdk.Message{
		"react.a": {calls("add", ""), says("A")}, "react.b": {says("B")}, "react.c": {says("C")}, "react.d": {says("2")},
	})
	if s.err != nil {
		t.Fatal(s.err)
	}
	const q = "What is 1+1?"
	same(t, []string{
		"a | system: You are a", "a | user: " + q, "a | assistant: [add]", "a | tool: add done", "a | assistant: A",
		"b | system: You are b", "b | user: " + q + "\n\na:\nA", "b | assistant: B",
		"c | system: You are c", "c | user: " + q + "\n\na:\nA", "c | assistant: C",
		"d | system: You are d", "d | user: " + q + "\n\na:\nA\n\nb:\nB\n\nc:\nC", "d | assistant: 2",
	}, s.said())
	if answer, _ := s.result.FinalAnswer(); answer != "2" || s.result.Finish != agent.FinishDone {
		t.Errorf("answer %q, finish %s", answer, s.result.Finish)
	}
	// The answers of stages are not sent to the environment.
	if diff := cmp.Diff([]string{"c1", "c5"}, s.desk.stepped); diff != "" {
		t.Errorf("steps of the environment (-want +got):\n%s", diff)
	}
}

func TestWorkflow_AStageWithoutAnAnswerEndsIt(t *testing.T) {
	settings := swarm.Settings{
		Name: "workflow.w", Kind: swarm.Workflow, Members: members(t, "a", "b"), Stages: [][]string{{"a"}, {"b"}},
	}
	cut := runSwarm(t, settings, false, map[string][]sdk.Message{"react.a": {says("cut")}})
	if cut.err != nil || cut.result.Finish != agent.FinishLength {
		t.Errorf("finish %s, %v", cut.result.Finish, cut.err)
	}
	sameLimit(t, &agent.Limit{Name: agent.LimitContext}, cut.result.Limit)
	garbled := says("<call>")
	garbled.Malformed = []sdk.Malformed{{Text: "<call>", Reason: "no end"}}
	failed := runSwarm(t, settings, false, map[string][]sdk.Message{"react.a": {garbled}})
	if failed.err != nil || failed.result.Failure == nil || failed.result.MalformedCalls != 1 {
		t.Errorf("%+v, %v", failed.result, failed.err)
	}
	lost := runSwarm(t, settings, false, map[string][]sdk.Message{"react.a": {says("A")}})
	if lost.err == nil || !strings.Contains(lost.err.Error(), "react.b has nothing to say") ||
		len(lost.result.Messages) == 0 {
		t.Errorf("%+v, %v", lost.result, lost.err)
	}
}

func TestTeam_TheLeaderGoesOnWithTheAnswers(t *testing.T) {
	settings := swarm.Settings{Name: "team.t", Kind: swarm.Team, Members: members(t, "lead: a b", "a: b", "b")}
	s := runSwarm(t, settings, true, map[string][]sdk.Message{
		"react.lead": {calls("a", "do it", "add", "", "b", "check"), calls("b", "again"), says("2")},
		"react.a":    {calls("b", "help"), says("A")},
		"react.b":    {says("B1"), says("B2"), says("B3")},
	})
	if s.err != nil {
		t.Fatal(s.err)
	}
	same(t, []string{
		"lead | system: You are lead", "lead | user: What is 1+1?", "lead | assistant: [a][add][b]",
		"  a | system: You are a", "  a | user: do it", "  a | assistant: [b]",
		"    b | system: You are b", "    b | user: help", "    b | assistant: B1",
		"  a | tool: B1", "  a | assistant: A",
		"  b | user: check", "  b | assistant: B2", // the conversation that it has begun continues
		"lead | tool: A", "lead | tool: add done", "lead | tool: B2", "lead | assistant: [b]",
		"  b | user: again", "  b | assistant: B3",
		"lead | tool: B3", "lead | assistant: 2",
	}, s.said())
	if answer, _ := s.result.FinalAnswer(); answer != "2" || s.result.Finish != agent.FinishDone {
		t.Errorf("answer %q, finish %s", answer, s.result.Finish)
	}
	if len(s.desk.stepped) != 2 { // add, and the leader's answer
		t.Errorf("the environment had steps %v", s.desk.stepped)
	}
}

func TestTeam_AMemberWithoutAnAnswerIsAnError(t *testing.T) {
	settings := swarm.Settings{Name: "team.t", Kind: swarm.Team, Members: members(t, "lead: a", "a")}
	s := runSwarm(t, settings, false, map[string][]sdk.Message{
		"react.lead": {
			calls("a", "do it"), {ToolCalls: []sdk.ToolCall{{ID: "x", Name: "a", Arguments: `{"text":1}`}}}, says("2"),
		},
		"react.a": {says("cut")},
	})
	if s.err != nil {
		t.Fatal(s.err)
	}
	var replies []string
	for _, m := range s.result.Messages {
		if m.Role == sdk.RoleTool && m.IsError {
			replies = append(replies, m.Content)
		}
	}
	same(t, []string{"a came to no answer: length", `the arguments of a are {"content": "…"}`}, replies)
	sameLimit(t, nil, s.result.Limit) // the limit of a member that does not end the swarm stays the member's
	if s.result.Finish != agent.FinishAnswered {
		t.Errorf("finish %s", s.result.Finish)
	}
}

func TestHandoff_WhoeverAnswersEndsIt(t *testing.T) {
	settings := swarm.Settings{Name: "handoff.h", Kind: swarm.Handoff, Members: members(t, "a: b", "b: a c", "c: a")}
	s := runSwarm(t, settings, true, map[string][]sdk.Message{
		"react.a": {calls("b", "to b"), calls("b", "to b again")},
		"react.b": {calls("c", "to c", "a", "and a"), says("2")},
		"react.c": {calls("a", "back to a")},
	})
	if s.err != nil {
		t.Fatal(s.err)
	}
	const q = "What is 1+1?"
	same(t, []string{
		"a | system: You are a", "a | user: " + q, "a | assistant: [b]",
		"b | system: You are b", "b | user: " + q + "\n\na:\nto b", "b | assistant: [c][a]",
		"c | system: You are c", "c | user: " + q + "\n\nb:\nto c", "c | assistant: [a]",
		"a | tool: c:\nback to a", "a | assistant: [b]",
		"b | tool: a:\nto b again", "b | tool: you can hand over to one at a time", "b | assistant: 2",
	}, s.said())
	if answer, _ := s.result.FinalAnswer(); answer != "2" {
		t.Errorf("answer %q", answer)
	}
}

func TestHandoff_ALoopIsThePolicysFailure(t *testing.T) {
	settings := swarm.Settings{Name: "handoff.h", Kind: swarm.Handoff, Members: members(t, "a: b", "b: a"), MaxHops: 3}
	turn := func(to string) []sdk.Message {
		return []sdk.Message{calls(to, "you"), calls(to, "you"), calls(to, "you")}
	}
	s := runSwarm(t, settings, true, map[string][]sdk.Message{"react.a": turn("b"), "react.b": turn("a")})
	if s.err != nil {
		t.Fatal(s.err)
	}
	const want = "swarm handoff.h called members 3 times and came to no answer, last a → b → a → b → a"
	f := s.result.Failure
	sameLimit(t, nil, s.result.Limit)
	if s.result.Finish != agent.FinishMaxHops || f == nil || f.Class != sdk.FailurePolicy || f.Detail != want {
		t.Errorf("finish %s, failure %+v", s.result.Finish, f)
	}
}

func TestSwarm_CountsTheTurnsOfAll(t *testing.T) {
	settings := swarm.Settings{
		Name: "team.t", Kind: swarm.Team, Members: members(t, "lead: a", "a"), MaxTurns: 3,
	}
	s := runSwarm(t, settings, true, map[string][]sdk.Message{
		"react.lead": {calls("a", "x"), calls("a", "y"), says("2")}, "react.a": {says("A"), says("B")},
	})
	if s.err != nil || s.result.Finish != agent.FinishMaxTurns || len(s.result.Sampled) != 3 {
		t.Errorf("finish %s with %d messages, %v", s.result.Finish, len(s.result.Sampled), s.err)
	}
	sameLimit(t, &agent.Limit{Name: agent.LimitMaxTurns, Value: 3, Of: "swarm.team.t"}, s.result.Limit)
}

func sameLimit(t *testing.T, want, got *agent.Limit) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("cut by another limit (-want +got):\n%s", diff)
	}
}

// The environment's limit applies to the messages that it receives, not to messages between members.
func TestSwarm_CountsTheTurnsOfTheEnvironment(t *testing.T) {
	lines := func() map[string][]sdk.Message {
		return map[string][]sdk.Message{
			"react.lead": {calls("a", "x"), calls("a", "y"), says("2")},
			"react.a":    {calls("add", ""), says("A"), calls("add", ""), says("B")},
		}
	}
	s, err := swarm.New(swarm.Settings{Name: "team.t", Kind: swarm.Team, Members: members(t, "lead: a", "a")})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		most, steps int
		finish      agent.Finish
	}{{3, 3, agent.FinishDone}, {2, 2, agent.FinishMaxTurns}, {1, 1, agent.FinishMaxTurns}} {
		desk := &memberEnvironment{maxTurns: c.most}
		played := runMemberAt(t, s, desk, lines())
		if played.err != nil || played.result.Finish != c.finish || len(desk.stepped) != c.steps {
			t.Errorf("of at most %d: %d steps, finish %s, %v", c.most, len(desk.stepped), played.result.Finish, played.err)
		}
		var want *agent.Limit
		if c.finish == agent.FinishMaxTurns {
			want = &agent.Limit{Name: agent.LimitEnvironmentTurns, Value: c.most}
		}
		sameLimit(t, want, played.result.Limit)
	}
}

func TestSwarm_InASwarm(t *testing.T) {
	inner, err := swarm.New(swarm.Settings{
		Name: "workflow.duo", Kind: swarm.Workflow, Members: members(t, "b", "c"), Stages: [][]string{{"b"}, {"c"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	outer := append(members(t, "lead: duo"), swarm.Member{Name: "duo", Agent: inner, Acts: true})
	settings := swarm.Settings{Name: "team.t", Kind: swarm.Team, Members: outer}
	s := runSwarm(t, settings, true, map[string][]sdk.Message{
		"react.lead": {calls("duo", "x"), calls("duo", "y"), says("2")},
		"react.b":    {says("B1"), calls("add", ""), says("B2")}, "react.c": {says("C1"), says("C2")},
	})
	if s.err != nil {
		t.Fatal(s.err)
	}
	same(t, []string{
		"lead | system: You are lead", "lead | user: What is 1+1?", "lead | assistant: [duo]",
		"  duo/b | system: You are b", "  duo/b | user: x", "  duo/b | assistant: B1",
		"  duo/c | system: You are c", "  duo/c | user: x\n\nb:\nB1", "  duo/c | assistant: C1",
		"lead | tool: C1", "lead | assistant: [duo]",
		"  duo/b | user: y", "  duo/b | assistant: [add]", "  duo/b | tool: add done", "  duo/b | assistant: B2",
		"  duo/c | user: y\n\nb:\nB2", "  duo/c | assistant: C2",
		"lead | tool: C2", "lead | assistant: 2",
	}, s.said())
}

func TestNew_RefusesWhatCannotBePlayed(t *testing.T) {
	for want, settings := range map[string]swarm.Settings{
		"two members are called a": {Kind: swarm.Team, Members: members(t, "a", "a")},
		"its last stage has 2 members": {
			Kind: swarm.Workflow, Members: members(t, "a", "b"), Stages: [][]string{{"a", "b"}},
		},
		"a calls z, which is no member":       {Kind: swarm.Handoff, Members: members(t, "a: z")},
		"a → b → a: in a team nobody may ask": {Kind: swarm.Team, Members: members(t, "a: b", "b: a")},
		"it has no members":                   {Kind: swarm.Workflow},
		"there is no kind \"mesh\"":           {Kind: "mesh", Members: members(t, "a")},
	} {
		if _, err := swarm.New(settings); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestSwarm_ToolsOfTheEnvironmentAreNoMembers(t *testing.T) {
	s := runSwarm(t, swarm.Settings{Name: "team.t", Kind: swarm.Team, Members: members(t, "lead: add", "add")}, true, nil)
	var mistake *agent.SpecError
	if !errors.As(s.err, &mistake) || !strings.Contains(mistake.Detail, "the environment has a tool add") {
		t.Errorf("got %v", s.err)
	}
}

// A member that does not act has none of the environment's tools and gets an error for them; the others have them, in
// every kind of swarm.
func TestSwarm_AMemberMayHaveNoEnvironment(t *testing.T) {
	for _, row := range []struct {
		kind    swarm.Kind
		members []string
		stages  [][]string
		idle    string // the member that does not act
		lines   map[string][]sdk.Message
		want    []string
	}{
		{
			kind: swarm.Workflow, members: []string{"a", "b"}, stages: [][]string{{"a"}, {"b"}}, idle: "a",
			lines: map[string][]sdk.Message{
				"react.a": {calls("add", ""), says("A")}, "react.b": {calls("add", ""), says("2")},
			},
			want: []string{
				"a | system: You are a", "a | user: What is 1+1?",
				"a | assistant: [add]", `a | tool: there is no tool "add"`, "a | assistant: A",
				"b | system: You are b", "b | user: What is 1+1?\n\na:\nA",
				"b | assistant: [add]", "b | tool: add done", "b | assistant: 2",
			},
		},
		{
			kind: swarm.Workflow, members: []string{"a", "b"}, stages: [][]string{{"a"}, {"b"}}, idle: "b",
			lines: map[string][]sdk.Message{
				"react.a": {calls("add", ""), says("A")}, "react.b": {calls("add", ""), says("2")},
			},
			want: []string{
				"a | system: You are a", "a | user: What is 1+1?", "a | assistant: [add]", "a | tool: add done",
				"a | assistant: A", "b | system: You are b", "b | user: What is 1+1?\n\na:\nA",
				"b | assistant: [add]", `b | tool: there is no tool "add"`, "b | assistant: 2",
			},
		},
		{
			kind: swarm.Handoff, members: []string{"a: b", "b: a"}, idle: "a",
			lines: map[string][]sdk.Message{
				"react.a": {calls("add", ""), calls("b", "please")}, "react.b": {calls("add", ""), says("2")},
			},
			want: []string{
				"a | system: You are a", "a | user: What is 1+1?",
				"a | assistant: [add]", `a | tool: there is no tool "add": use one of b`, "a | assistant: [b]",
				"b | system: You are b", "b | user: What is 1+1?\n\na:\nplease",
				"b | assistant: [add]", "b | tool: add done", "b | assistant: 2",
			},
		},
		{
			kind: swarm.Handoff, members: []string{"a: b", "b: a"}, idle: "b",
			lines: map[string][]sdk.Message{
				"react.a": {calls("add", ""), calls("b", "please")}, "react.b": {calls("add", ""), says("2")},
			},
			want: []string{
				"a | system: You are a", "a | user: What is 1+1?", "a | assistant: [add]", "a | tool: add done",
				"a | assistant: [b]", "b | system: You are b", "b | user: What is 1+1?\n\na:\nplease",
				"b | assistant: [add]", `b | tool: there is no tool "add": use one of a`, "b | assistant: 2",
			},
		},
		{
			kind: swarm.Team, members: []string{"a: b", "b"}, idle: "a",
			lines: map[string][]sdk.Message{
				"react.a": {calls("add", "", "b", "please"), says("A")}, "react.b": {calls("add", ""), says("2")},
			},
			want: []string{
				"a | system: You are a", "a | user: What is 1+1?", "a | assistant: [add][b]",
				"  b | system: You are b", "  b | user: please", "  b | assistant: [add]", "  b | tool: add done",
				"  b | assistant: 2",
				`a | tool: there is no tool "add": use one of b`, "a | tool: 2", "a | assistant: A",
			},
		},
		{
			kind: swarm.Team, members: []string{"a: b", "b"}, idle: "b",
			lines: map[string][]sdk.Message{
				"react.a": {calls("add", "", "b", "please"), says("A")}, "react.b": {calls("add", ""), says("2")},
			},
			want: []string{
				"a | system: You are a", "a | user: What is 1+1?", "a | assistant: [add][b]",
				"  b | system: You are b", "  b | user: please", "  b | assistant: [add]",
				`  b | tool: there is no tool "add"`, "  b | assistant: 2",
				"a | tool: add done", "a | tool: 2", "a | assistant: A",
			},
		},
	} {
		t.Run(string(row.kind)+" without "+row.idle, func(t *testing.T) {
			all := members(t, row.members...)
			for i := range all {
				all[i].Acts = all[i].Name != row.idle
			}
			settings := swarm.Settings{Name: string(row.kind) + ".w", Kind: row.kind, Members: all, Stages: row.stages}
			s := runSwarm(t, settings, true, row.lines)
			if s.err != nil {
				t.Fatal(s.err)
			}
			same(t, row.want, s.said())
		})
	}
}

// A member that hangs ends with the episode, and leaves nothing behind.
func TestSwarm_EndsWithItsContext(t *testing.T) {
	s, err := swarm.New(swarm.Settings{Name: "team.t", Kind: swarm.Team, Members: []swarm.Member{
		{Name: "lead", Agent: hangs{}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go cancel()
	episode := agent.Episode{Task: sdk.Task{Public: []byte(`{"prompt":"q"}`)}}
	if _, err := s.Run(ctx, episode); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

type hangs struct{}

func (hangs) Run(ctx context.Context, _ agent.Episode) (*agent.Result, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// selfReporting returns a prepared assessment for each of its runs, in order.
type selfReporting struct {
	name string
	says []agent.SelfReport
}

// Run implements agent.Agent.
func (o *selfReporting) Run(ctx context.Context, e agent.Episode) (*agent.Result, error) {
	opened := e.Environment.Opened()
	reply, err := e.Model.Generate(ctx, agent.Request{Member: "test." + o.name, Messages: opened.Messages})
	if err != nil {
		return nil, err
	}
	result := &agent.Result{
		Messages: append(opened.Messages, reply.Message), Sampled: []int{len(opened.Messages)}, Finish: agent.FinishAnswered,
	}
	if next := o.says[0]; next != (agent.SelfReport{}) {
		result.SelfReport = map[string]agent.SelfReport{"test." + o.name: next}
	}
	o.says = o.says[1:]
	return result, nil
}

func TestSwarm_TheLastWordOfAMemberCounts(t *testing.T) {
	worth := func(reward float64, success ...bool) agent.SelfReport {
		own := agent.SelfReport{Reward: &reward}
		if len(success) > 0 {
			own.IsSuccess = &success[0]
		}
		return own
	}
	team := members(t, "leader: helper silent")
	for name, says := range map[string][]agent.SelfReport{"helper": {worth(1, true), worth(0.25), {}}, "silent": {{}}} {
		team = append(team, swarm.Member{Name: name, Agent: &selfReporting{name, says}, Concurrent: true})
	}
	settings := swarm.Settings{Name: "team.t", Kind: swarm.Team, MaxHops: 9, Members: team}
	s := runSwarm(t, settings, true, map[string][]sdk.Message{
		"react.leader": {calls("helper", "a"), calls("silent", "b"), calls("helper", "c"), calls("helper", "d"), says("ok")},
		"test.helper":  {says("1"), says("2"), says("3")},
		"test.silent":  {says("4")},
	})
	if s.err != nil {
		t.Fatal(s.err)
	}
	want := map[string]agent.SelfReport{"test.helper": worth(0.25)}
	if diff := cmp.Diff(want, s.result.SelfReport); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// rules is an agent that answers without asking the model.
type rules string

func (r rules) Run(context.Context, agent.Episode) (*agent.Result, error) {
	answer := string(r)
	return &agent.Result{Answer: &answer, Finish: agent.FinishAnswered}, nil
}

// A member that makes no model request answers like others, at any position of a workflow, and appears in the
// transcript.
func TestWorkflow_AMemberThatAsksNoModel(t *testing.T) {
	for _, order := range [][]string{{"notes", "solver"}, {"solver", "notes"}} {
		settings := swarm.Settings{
			Name: "workflow.w", Kind: swarm.Workflow, Members: members(t, "notes", "solver"),
			Stages: [][]string{order[:1], order[1:]},
		}
		settings.Members[0].Agent, settings.Members[0].Concurrent = rules("The note says: 3"), true
		s := runSwarm(t, settings, false, map[string][]sdk.Message{"react.solver": {says("4")}})
		if s.err != nil {
			t.Fatal(s.err)
		}
		lines := s.said()
		answer, _ := s.result.FinalAnswer()
		if want := map[string]string{"notes": "The note says: 3", "solver": "4"}[order[1]]; answer != want ||
			lines[len(lines)-1] != order[1]+" | assistant: "+want {
			t.Errorf("%v: the answer is %q, and the transcript\n%s", order, answer, strings.Join(lines, "\n"))
		}
		if len(s.result.Sampled) != 1 {
			t.Errorf("%v: sampled are %v", order, s.result.Sampled)
		}
	}
}

// Results of a member that reached its limit precede the next message of the member that called it.
func TestTeam_TheTranscriptIsInOrderWhereAMemberReachesItsLimit(t *testing.T) {
	sub, err := agent.NewReact(agent.Settings{Name: "react.sub", MaxTurns: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, concurrent := range []bool{false, true} {
		settings := swarm.Settings{Name: "team.t", Kind: swarm.Team, Members: members(t, "lead: sub", "sub")}
		settings.Members[1].Agent, settings.Members[1].Concurrent = sub, concurrent
		s := runSwarm(t, settings, true, map[string][]sdk.Message{
			"react.lead": {calls("sub", "x"), calls("sub", "y"), says("3")},
			"react.sub":  {calls("add", "a"), calls("add", "b")},
		})
		if s.err != nil {
			t.Fatal(s.err)
		}
		same(t, []string{
			"lead | system: You are lead", "lead | user: What is 1+1?", "lead | assistant: [sub]",
			"  sub | user: x", "  sub | assistant: [add]", "  sub | tool: add done",
			"lead | tool: sub came to no answer: max_turns", "lead | assistant: [sub]",
			"  sub | user: y", "  sub | assistant: [add]", "  sub | tool: add done",
			"lead | tool: sub came to no answer: max_turns", "lead | assistant: 3",
		}, s.said())
	}
}
