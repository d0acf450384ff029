package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/awhost/awhost/sdk"
)

// agentFunc is an agent plugin.
type agentFunc func(ctx context.Context, req sdk.AgentRequest, model sdk.AgentModel,
	env sdk.AgentSession) (*sdk.AgentResponse, error)

// Run implements sdk.Agent.
func (f agentFunc) Run(ctx context.Context, req sdk.AgentRequest, model sdk.AgentModel,
	env sdk.AgentSession) (*sdk.AgentResponse, error) {
	return f(ctx, req, model, env)
}

// speaker returns its lines in order, each with a smaller seed than the one before.
type speaker struct {
	lines []Reply
	asked []Request
}

// Generate implements Model.
func (s *speaker) Generate(_ context.Context, req Request) (*Reply, error) {
	n := len(s.asked)
	s.asked = append(s.asked, req)
	reply := s.lines[n]
	reply.Message.Role, reply.CallID, reply.Seed = sdk.RoleAssistant, fmt.Sprint("call", n), uint64(100-n)
	if reply.Chain = req.Chain; reply.Chain == "" {
		reply.Chain = fmt.Sprint("chain", n)
	}
	reply.ChainLength = req.Base + len(req.Messages) + 1
	return &reply, nil
}

// toolEnvironment is an environment with two tools.
type toolEnvironment struct {
	steps []sdk.Message
	step  func(sdk.Message) (*sdk.StepResponse, error)
}

// Opened implements Session.
func (b *toolEnvironment) Opened() *sdk.OpenResponse {
	return &sdk.OpenResponse{
		Messages: []sdk.Message{{Role: sdk.RoleUser, Content: "q"}}, Tools: []sdk.Tool{{Name: "add"}, {Name: "shout"}},
		MaxTurns: 9,
	}
}

// Step implements Session.
func (b *toolEnvironment) Step(_ context.Context, _ string, message sdk.Message) (*sdk.StepResponse, error) {
	b.steps = append(b.steps, message)
	if b.step != nil {
		return b.step(message)
	}
	out := &sdk.StepResponse{}
	for _, call := range message.ToolCalls {
		out.Messages = append(out.Messages, sdk.Message{Role: sdk.RoleTool, ToolCallID: call.ID, Name: call.Name,
			Content: "done"})
	}
	return out, nil
}

func says(text string, tools ...string) Reply {
	reply := Reply{Message: sdk.Message{Content: text}, Finish: sdk.FinishStop, OutputTokens: 5}
	for i, name := range tools {
		reply.Message.ToolCalls = append(reply.Message.ToolCalls,
			sdk.ToolCall{ID: fmt.Sprint("id", i), Name: name, Arguments: "{}"})
	}
	return reply
}

func playWith(t *testing.T, settings PluginSettings, model Model, env Session, f agentFunc) (*Result, error) {
	t.Helper()
	settings.Name = "test.agent"
	p, err := NewPlugin(settings, f)
	if err != nil {
		t.Fatal(err)
	}
	return p.Run(t.Context(), Episode{ID: "e", Task: sdk.Task{ID: "t"}, Model: model, Environment: env})
}

// texts returns the roles and contents of a transcript.
func texts(messages []sdk.Message) (out []string) {
	for _, m := range messages {
		out = append(out, string(m.Role)+": "+m.Content)
	}
	return out
}

func user(text string) []sdk.Message { return []sdk.Message{{Role: sdk.RoleUser, Content: text}} }

func TestPlugin_TheTranscriptIsWhatWasSaid(t *testing.T) {
	model, env := &speaker{lines: []Reply{says("plan"), says("", "add", "shout"), says("four")}}, &toolEnvironment{}
	result, err := playWith(t, PluginSettings{Tools: []string{"add"}}, model, env, func(ctx context.Context,
		req sdk.AgentRequest, model sdk.AgentModel, env sdk.AgentSession) (*sdk.AgentResponse, error) {
		if diff := cmp.Diff([]sdk.Tool{{Name: "add"}}, req.Tools); diff != "" {
			t.Errorf("tools (-want +got):\n%s", diff)
		}
		if _, err := model.Generate(ctx, sdk.ModelRequest{Member: "planner", Messages: user("make a plan")}); err != nil {
			return nil, err
		}
		act, err := model.Generate(ctx, sdk.ModelRequest{Messages: req.Messages, Tools: req.Tools})
		if err != nil {
			return nil, err
		}
		step, err := env.Step(ctx, sdk.AgentStep{CallID: act.CallID})
		if err != nil {
			return nil, err
		}
		last, err := model.Generate(ctx, sdk.ModelRequest{Chain: act.Chain, Base: act.ChainLength, Messages: step.Messages})
		if err != nil {
			return nil, err
		}
		answer := last.Message.Content
		worth, wrong := 0.5, false
		return &sdk.AgentResponse{
			FinalAnswer: &answer, Reward: &worth, IsSuccess: &wrong, Metrics: map[string]float64{"m": 1},
		}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	half, no := 0.5, false
	wantReport := map[string]SelfReport{"test.agent": {Reward: &half, IsSuccess: &no}}
	if diff := cmp.Diff(wantReport, result.SelfReport); diff != "" {
		t.Errorf("what it says of the episode (-want +got):\n%s", diff)
	}
	want := []string{
		"user: make a plan", "assistant: plan", // the conversation with the answer comes last
		"user: q", "assistant: ", "tool: done", `tool: tool "shout" is not available; the available tools are add`,
		"assistant: four",
	}
	if diff := cmp.Diff(want, texts(result.Messages)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if answer, _ := result.FinalAnswer(); answer != "four" || result.Finish != FinishAnswered ||
		result.RefusedCalls != 1 || result.Metrics["m"] != 1 {
		t.Errorf("%+v", result)
	}
	var sampled []string
	for _, place := range result.Sampled {
		sampled = append(sampled, result.Messages[place].Content)
	}
	if diff := cmp.Diff([]string{"", "four", "plan"}, sampled, cmpopts.SortSlices(strings.Compare)); diff != "" {
		t.Errorf("what the model wrote (-want +got):\n%s", diff)
	}
	if got := []string{model.asked[0].Member, model.asked[1].Member}; got[0] != "test.agent/planner" ||
		got[1] != "test.agent" {
		t.Errorf("members %v", got)
	}
	if len(env.steps) != 1 || len(env.steps[0].ToolCalls) != 1 {
		t.Errorf("steps %+v", env.steps)
	}
}

// Attachments that the agent does not show to the model are recorded with the tool result that answers the call.
func TestPlugin_TheRecordKeepsAttachments(t *testing.T) {
	image := []sdk.Attachment{{Kind: sdk.AttachmentImage, Data: []byte("x")}}
	env := &toolEnvironment{step: func(m sdk.Message) (*sdk.StepResponse, error) {
		answer := sdk.Message{
			Role: sdk.RoleTool, ToolCallID: m.ToolCalls[0].ID, Name: "add", Content: "[image]", Attachments: image,
		}
		return &sdk.StepResponse{Messages: []sdk.Message{answer}}, nil
	}}
	model := &speaker{lines: []Reply{says("", "add"), says("", "add"), says("end")}}
	var shown []sdk.Message
	result, err := playWith(t, PluginSettings{}, model, env, func(
		ctx context.Context, req sdk.AgentRequest, model sdk.AgentModel, env sdk.AgentSession,
	) (*sdk.AgentResponse, error) {
		messages, request := req.Messages, sdk.ModelRequest{}
		for range 2 {
			request.Messages = messages
			act, err := model.Generate(ctx, request)
			if err != nil {
				return nil, err
			}
			step, err := env.Step(ctx, sdk.AgentStep{CallID: act.CallID})
			if err != nil {
				return nil, err
			}
			if diff := cmp.Diff(image, step.Messages[0].Attachments); diff != "" {
				t.Errorf("the agent gets %s", diff)
			}
			messages = []sdk.Message{{Role: sdk.RoleTool, ToolCallID: "id0", Content: "seen"}, user("and then?")[0]}
			shown = append(shown, messages...)
			request = sdk.ModelRequest{Chain: act.Chain, Base: act.ChainLength}
		}
		request.Messages = messages
		_, err := model.Generate(ctx, request)
		return &sdk.AgentResponse{}, err
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range result.Messages {
		if want := m.Role == sdk.RoleTool; want != (len(m.Attachments) == 1) {
			t.Errorf("message %d, %s: %q has the attachments %v", i, m.Role, m.Content, m.Attachments)
		}
	}
	for _, m := range shown {
		if m.Attachments != nil {
			t.Errorf("the agent's own message has changed: %+v", m)
		}
	}
}

func TestPlugin_HoldsAgentsToTheRules(t *testing.T) {
	cut := says("well", "add")
	cut.Finish = sdk.FinishLength
	garbled := says("<call>")
	garbled.Message.Malformed = []sdk.Malformed{{Text: "<call>", Reason: "it has no end"}}
	broken := errors.New("the desk is broken")
	ask := func(ctx context.Context, req sdk.AgentRequest, model sdk.AgentModel) (*sdk.ModelReply, error) {
		return model.Generate(ctx, sdk.ModelRequest{Messages: req.Messages})
	}
	for name, c := range map[string]struct {
		settings PluginSettings
		lines    []Reply
		step     func(sdk.Message) (*sdk.StepResponse, error)
		act      agentFunc
		finish   Finish
		policy   bool
		err      string
	}{
		"the limit of messages": {
			settings: PluginSettings{MaxTurns: 1}, lines: []Reply{says("a")}, finish: FinishMaxTurns,
			act: func(ctx context.Context, req sdk.AgentRequest, model sdk.AgentModel, _ sdk.AgentSession) (*sdk.AgentResponse,
				error) {
				reply, _ := ask(ctx, req, model)
				_, err := model.Generate(ctx, sdk.ModelRequest{Chain: reply.Chain, Base: reply.ChainLength, Messages: user("more")})
				return nil, err
			},
		},
		"the limit of messages, of which a client of OpenAI's has an exception of its own": {
			settings: PluginSettings{MaxTurns: 1}, lines: []Reply{says("a")}, finish: FinishMaxTurns,
			act: func(
				ctx context.Context, req sdk.AgentRequest, model sdk.AgentModel, _ sdk.AgentSession,
			) (*sdk.AgentResponse, error) {
				reply, _ := ask(ctx, req, model)
				_, _ = model.Generate(ctx, sdk.ModelRequest{Chain: reply.Chain, Base: reply.ChainLength, Messages: user("more")})
				return nil, &sdk.Failure{Class: sdk.FailureAgent, Detail: "BadRequestError: Error code: 400"}
			},
		},
		"the limit of messages, and the agent fails later": {
			settings: PluginSettings{MaxTurns: 1}, lines: []Reply{says("a"), says("b")}, err: "AGENT: odd",
			act: func(
				ctx context.Context, req sdk.AgentRequest, model sdk.AgentModel, _ sdk.AgentSession,
			) (*sdk.AgentResponse, error) {
				reply, _ := ask(ctx, req, model)
				_, _ = model.Generate(ctx, sdk.ModelRequest{Chain: reply.Chain, Base: reply.ChainLength, Messages: user("more")})
				_, _ = ask(ctx, req, model) // shortened
				return nil, &sdk.Failure{Class: sdk.FailureAgent, Detail: "odd"}
			},
		},
		"the limit of tokens, and the agent answers all the same": {
			settings: PluginSettings{ResponseTokens: 5}, lines: []Reply{says("a")}, finish: FinishResponseTokens,
			act: func(ctx context.Context, req sdk.AgentRequest, model sdk.AgentModel, _ sdk.AgentSession) (*sdk.AgentResponse,
				error) {
				reply, _ := ask(ctx, req, model)
				_, _ = model.Generate(ctx, sdk.ModelRequest{Chain: reply.Chain, Base: reply.ChainLength, Messages: user("more")})
				return nil, nil
			},
		},
		"the limit of messages, and the agent takes it for an error": {
			settings: PluginSettings{MaxTurns: 1}, lines: []Reply{says("a")}, finish: FinishMaxTurns,
			act: func(
				ctx context.Context, req sdk.AgentRequest, model sdk.AgentModel, _ sdk.AgentSession,
			) (*sdk.AgentResponse, error) {
				reply, _ := ask(ctx, req, model)
				_, _ = model.Generate(ctx, sdk.ModelRequest{Chain: reply.Chain, Base: reply.ChainLength, Messages: user("more")})
				return nil, &sdk.Failure{Class: sdk.FailureAgent, Detail: "it exited with status 1"}
			},
		},
		"a limit, another conversation, and an error of its own": {
			settings: PluginSettings{MaxTurns: 1}, lines: []Reply{says("a"), says("b")}, err: "status 1",
			act: func(
				ctx context.Context, req sdk.AgentRequest, model sdk.AgentModel, _ sdk.AgentSession,
			) (*sdk.AgentResponse, error) {
				reply, _ := ask(ctx, req, model)
				_, _ = model.Generate(ctx, sdk.ModelRequest{Chain: reply.Chain, Base: reply.ChainLength, Messages: user("more")})
				_, _ = ask(ctx, req, model)
				return nil, &sdk.Failure{Class: sdk.FailureAgent, Detail: "it exited with status 1"}
			},
		},
		"a text that nobody hears any more": {
			lines: []Reply{says("", "add")}, finish: FinishDone,
			step: func(sdk.Message) (*sdk.StepResponse, error) { return &sdk.StepResponse{Done: true}, nil },
			act: func(
				ctx context.Context, req sdk.AgentRequest, model sdk.AgentModel, env sdk.AgentSession,
			) (*sdk.AgentResponse, error) {
				reply, _ := ask(ctx, req, model)
				_, _ = env.Step(ctx, sdk.AgentStep{CallID: reply.CallID})
				step, err := env.Step(ctx, sdk.AgentStep{Message: &sdk.Message{Content: "done"}})
				if err == nil && !step.Done {
					err = errors.New("it goes on")
				}
				return nil, err
			},
		},
		"a cut message is not carried out": {
			lines: []Reply{cut}, finish: FinishLength,
			act: func(ctx context.Context, req sdk.AgentRequest, model sdk.AgentModel, env sdk.AgentSession) (*sdk.AgentResponse,
				error) {
				reply, _ := ask(ctx, req, model)
				step, err := env.Step(ctx, sdk.AgentStep{CallID: reply.CallID})
				if err == nil && !step.Done {
					err = errors.New("it goes on")
				}
				return nil, err
			},
			step: func(sdk.Message) (*sdk.StepResponse, error) { return nil, errors.New("it was carried out") },
		},
		"a call that cannot be read is the policy's failure, whatever the agent makes of it": {
			lines: []Reply{garbled}, finish: FinishMalformed, policy: true,
			act: func(ctx context.Context, req sdk.AgentRequest, model sdk.AgentModel, _ sdk.AgentSession) (*sdk.AgentResponse,
				error) {
				_, _ = ask(ctx, req, model)
				return nil, errors.New("cannot parse")
			},
		},
		"a message is carried out once": {
			lines: []Reply{says("", "add")}, err: "has not seen yet",
			act: func(ctx context.Context, req sdk.AgentRequest, model sdk.AgentModel, env sdk.AgentSession) (*sdk.AgentResponse,
				error) {
				reply, _ := ask(ctx, req, model)
				_, _ = env.Step(ctx, sdk.AgentStep{CallID: reply.CallID})
				_, err := env.Step(ctx, sdk.AgentStep{CallID: reply.CallID})
				return nil, err
			},
		},
		"an invented chain": {
			lines: []Reply{says("a")}, err: `no chain "x"`,
			act: func(ctx context.Context, _ sdk.AgentRequest, model sdk.AgentModel, _ sdk.AgentSession) (*sdk.AgentResponse,
				error) {
				_, err := model.Generate(ctx, sdk.ModelRequest{Chain: "x", Messages: user("q")})
				return nil, err
			},
		},
		"the environment's failure stays": {
			lines: []Reply{says("", "add")}, err: "the desk is broken",
			step: func(sdk.Message) (*sdk.StepResponse, error) { return nil, broken },
			act: func(ctx context.Context, req sdk.AgentRequest, model sdk.AgentModel, env sdk.AgentSession) (*sdk.AgentResponse,
				error) {
				reply, _ := ask(ctx, req, model)
				_, _ = env.Step(ctx, sdk.AgentStep{CallID: reply.CallID})
				<-ctx.Done() // its call is canceled
				return nil, nil
			},
		},
		"the environment ends the episode": {
			lines: []Reply{says("", "add")}, finish: FinishDone, err: "",
			step: func(sdk.Message) (*sdk.StepResponse, error) { return &sdk.StepResponse{Done: true}, nil },
			act: func(ctx context.Context, req sdk.AgentRequest, model sdk.AgentModel, env sdk.AgentSession) (*sdk.AgentResponse,
				error) {
				reply, _ := ask(ctx, req, model)
				_, err := env.Step(ctx, sdk.AgentStep{CallID: reply.CallID})
				return nil, err
			},
		},
		"a failure that the agent reports is its own": {
			lines: []Reply{says("a")}, err: "AGENT: it is the model's fault",
			act: func(ctx context.Context, req sdk.AgentRequest, model sdk.AgentModel, _ sdk.AgentSession) (*sdk.AgentResponse,
				error) {
				_, _ = ask(ctx, req, model)
				return nil, &sdk.Failure{Class: sdk.FailureModel, Detail: "it is the model's fault"}
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			result, err := playWith(t, c.settings, &speaker{lines: c.lines}, &toolEnvironment{step: c.step}, c.act)
			switch {
			case c.err != "":
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Errorf("got %v, want %q", err, c.err)
				}
			case err != nil:
				t.Error(err)
			case result.Finish != c.finish || (result.Failure != nil) != c.policy:
				t.Errorf("it ended by %s with %v", result.Finish, result.Failure)
			}
		})
	}
}

// TestPlugin_OwnStepsAreOnRecord checks the record of a program's own steps, their results, and the policy's calls
// that they executed, matched by ID or by tool and arguments under any name. Each call is listed once, without the
// calls executed by the host.
func TestPlugin_OwnStepsAreOnRecord(t *testing.T) {
	calls := func(id, name, arguments string) *sdk.Message {
		return &sdk.Message{ToolCalls: []sdk.ToolCall{{ID: id, Name: name, Arguments: arguments}}}
	}
	asks := func(id, name, arguments string) Reply { return Reply{Message: *calls(id, name, arguments)} }
	two := asks("b1", "mcp__desk__add", `{"a": 1.0, "b":"x"}`)
	again := sdk.ToolCall{ID: "b2", Name: "mcp__desk__add", Arguments: `{"b":"x","a":1}`}
	two.Message.ToolCalls = append(two.Message.ToolCalls, again)
	model := &speaker{lines: []Reply{asks("a1", "add", "{}"), two, asks("c1", "add", "{}")}}
	result, err := playWith(t, PluginSettings{Tools: []string{"add"}}, model, &toolEnvironment{}, func(
		ctx context.Context, req sdk.AgentRequest, model sdk.AgentModel, env sdk.AgentSession,
	) (*sdk.AgentResponse, error) {
		var last *sdk.ModelReply
		for i := range 3 {
			var err error
			if last, err = model.Generate(ctx, sdk.ModelRequest{Messages: user(fmt.Sprint(i))}); err != nil {
				return nil, err
			}
		}
		if _, err := env.Step(ctx, sdk.AgentStep{CallID: last.CallID}); err != nil {
			return nil, err
		}
		for _, message := range []*sdk.Message{
			calls("mcp.1", "add", `{"a":1,"b":"x"}`), calls("b2", "add", `{"a":1,"b":"x"}`),
			calls("mcp.3", "add", `{"b":"x","a":1}`),
			calls("mcp.4", "add", `{}`), calls("mcp.5", "add", `{"a":2}`), calls("mcp.6", "shout", `{}`),
		} {
			if _, err := env.Step(ctx, sdk.AgentStep{Message: message}); err != nil {
				return nil, err
			}
		}
		return nil, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range result.UnsampledSteps {
		line := s.ID + " " + s.Messages[0].ToolCalls[0].Name + ": " + s.Messages[1].Content
		for _, c := range s.Calls {
			line += fmt.Sprintf("; %s is %s of %s", c.ID, c.ToolCallID, c.CallID)
		}
		got = append(got, line)
	}
	want := []string{
		"own.1 add: done; mcp.1 is b1 of call1", "own.2 add: done; b2 is b2 of call1", "own.3 add: done",
		"own.4 add: done; mcp.4 is a1 of call0", "own.5 add: done",
		`own.6 shout: tool "shout" is not available; the available tools are add`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

var (
	_ sdk.Agent = agentFunc(nil)
	_ Model     = (*speaker)(nil)
	_ Session   = (*toolEnvironment)(nil)
)

// The failure of a program with its own base URL names the one it should have used.
func TestPlugin_ExplainsAnEpisodeInWhichNobodyAsked(t *testing.T) {
	for name, c := range map[string]struct {
		err   error
		want  string // prefix of the error
		asked map[string]float64
	}{
		"it ends well": {
			nil, "AGENT: the agent ended without asking the policy for anything: it was given http://127.0.0.1:1/v1, and a key; ", nil,
		},
		"it fails": {
			&sdk.Failure{Class: sdk.FailureAgent, Detail: "exit 1"},
			"AGENT: exit 1; it has not asked the policy for anything: it was given http", nil,
		},
		"its disk is full": {
			&sdk.Failure{Class: sdk.FailureInfrastructure, Detail: "no space"}, "INFRASTRUCTURE: no space", nil,
		},
		"its requests were refused, and it fails": {
			&sdk.Failure{Class: sdk.FailureAgent, Detail: "exit 1"}, "AGENT: exit 1", map[string]float64{"refused": 2},
		},
		"its requests were refused for a reason, and it fails": {
			&sdk.Failure{Class: sdk.FailureAgent, Detail: "exit 2"},
			"AGENT: exit 2; all of the agent's requests were refused: bad field", map[string]float64{"refused": 2},
		},
		"its requests were refused for a reason": {
			nil, "AGENT: all of the agent's requests were refused: bad field", map[string]float64{"refused": 1},
		},
		"its requests were refused, and it ends well":  {nil, "<nil>", map[string]float64{"refused": 1}},
		"its requests had no answer, and it ends well": {nil, "<nil>", map[string]float64{"calls": 1}},
	} {
		served := func(_ context.Context, model sdk.AgentModel, _ Toolbox) (Endpoints, func() map[string]float64) {
			endpoint := sdk.ModelEndpoint{BaseURL: "http://127.0.0.1:1/v1"}
			if strings.Contains(name, "for a reason") {
				model.(CallKeeper).KeepRefusal("bad field")
			}
			return Endpoints{Model: endpoint}, func() map[string]float64 { return c.asked }
		}
		act := agentFunc(func(
			context.Context, sdk.AgentRequest, sdk.AgentModel, sdk.AgentSession,
		) (*sdk.AgentResponse, error) {
			return nil, c.err
		})
		plugin, err := NewPlugin(PluginSettings{Name: "test.agent", Endpoint: served}, act)
		if err != nil {
			t.Fatal(err)
		}
		task := sdk.Task{ID: "t", Public: []byte(`{"prompt":"q"}`)}
		_, err = plugin.Run(t.Context(), Episode{ID: "e1", Task: task, Model: &speaker{}})
		got := fmt.Sprint(err)
		if !strings.HasPrefix(got, c.want) || c.asked != nil && got != c.want { // nothing to explain
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
		_, err = plugin.Run(t.Context(), Episode{ID: "e1", Task: task, Model: &speaker{}, Member: true})
		if (c.err == nil && !strings.Contains(name, "for a reason")) != (err == nil) {
			t.Errorf("%s, as a member of a swarm: %v", name, err)
		}
	}
}

// The failure names the addresses that the plugin saw its program connect to, if no request reached the policy.
func TestPlugin_NamesWhomAProgramAskedInstead(t *testing.T) {
	served := func(context.Context, sdk.AgentModel, Toolbox) (Endpoints, func() map[string]float64) {
		return Endpoints{Model: sdk.ModelEndpoint{BaseURL: "http://127.0.0.1:1/v1"}}, func() map[string]float64 { return nil }
	}
	act := agentFunc(func(
		context.Context, sdk.AgentRequest, sdk.AgentModel, sdk.AgentSession,
	) (*sdk.AgentResponse, error) {
		return &sdk.AgentResponse{Contacted: []string{"https://api.openai.com", "http://10.0.0.1:8000"}}, nil
	})
	plugin, err := NewPlugin(PluginSettings{Name: "test.agent", Endpoint: served}, act)
	if err != nil {
		t.Fatal(err)
	}
	task := sdk.Task{ID: "t", Public: []byte(`{"prompt":"q"}`)}
	_, err = plugin.Run(t.Context(), Episode{ID: "e1", Task: task, Model: &speaker{}})
	const want = "it was given http://127.0.0.1:1/v1, and a key; it probably asked https://api.openai.com, " +
		"http://10.0.0.1:8000 instead"
	if got := fmt.Sprint(err); !strings.Contains(got, want) {
		t.Errorf("%v, want %s", got, want)
	}
}
