package pythonplugin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sync/errgroup"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/sdktest"
)

// policy is a scripted policy. Without a script it answers according to the last message.
type policy struct {
	say func(req sdk.ModelRequest) (sdk.ModelReply, error)

	mu    sync.Mutex
	asked []sdk.ModelRequest
}

// Generate implements sdk.AgentModel.
func (p *policy) Generate(ctx context.Context, req sdk.ModelRequest) (*sdk.ModelReply, error) {
	p.mu.Lock()
	p.asked = append(p.asked, req)
	n := len(p.asked)
	p.mu.Unlock()
	reply, err := sdk.ModelReply{}, error(nil)
	if p.say != nil {
		reply, err = p.say(req)
	} else if last := req.Messages[len(req.Messages)-1]; last.Role == sdk.RoleTool {
		reply.Message.Content = "it is " + last.Content
	} else {
		reply.Message.ToolCalls = []sdk.ToolCall{{ID: "c1", Name: "add", Arguments: `{"a": 1, "b": 2}`}}
	}
	if err != nil {
		return nil, err
	}
	reply.CallID, reply.Message.Role, reply.Chain = fmt.Sprint("call", n), sdk.RoleAssistant, req.Chain
	if reply.Chain == "" {
		reply.Chain = fmt.Sprint("chain", n)
	}
	reply.ChainLength, reply.PromptTokens, reply.OutputTokens = req.Base+len(req.Messages)+1, 5, 2
	return &reply, nil
}

// fakeEnvironment answers every step with 3, and is done after a number of steps.
type fakeEnvironment struct {
	done int

	mu    sync.Mutex
	steps []sdk.AgentStep
}

// Step implements sdk.AgentSession.
func (d *fakeEnvironment) Step(_ context.Context, step sdk.AgentStep) (*sdk.StepResponse, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.steps = append(d.steps, step)
	return &sdk.StepResponse{
		Messages: []sdk.Message{{Role: sdk.RoleTool, ToolCallID: "c1", Name: "add", Content: "3"}},
		Done:     len(d.steps) == d.done,
	}, nil
}

var addTool = []sdk.Tool{{Name: "add", Description: "Adds.", Parameters: json.RawMessage(`{"type":"object"}`)}}

// agentOf configures an agent from the object named solve in some code.
func agentOf(t testing.TB, code string, config map[string]any) sdk.Agent {
	t.Helper()
	needPython(t)
	full := map[string]any{"file": filepath.Join(write(t, map[string]string{"agents.py": code}), "agents.py"),
		"name": "solve", "venv": t.TempDir()}
	for name, value := range config {
		full[name] = value
	}
	return sdktest.Agent(t, Plugin(), "python", full)
}

func episodeOf(id string) sdk.AgentRequest {
	return sdk.AgentRequest{
		EpisodeID: id, Task: sdk.Task{ID: "t1", Public: json.RawMessage(`{"prompt":"1 + 2?","level":{"n":3}}`)},
		Messages: []sdk.Message{{Role: sdk.RoleUser, Content: "1 + 2?"}}, Tools: addTool, HasEnvironment: true,
	}
}

// All common forms of agents must play the same episode.
func TestAgent_PlaysAnEpisode(t *testing.T) {
	t.Parallel()
	for name, code := range map[string]string{
		"a function": `
def solve(messages, model, tools):
    while True:
        message = model.chat(messages, tools=tools.list())
        messages.append(message)
        results = tools.execute(message)
        if not results:
            return message.content
        messages += results
`,
		"an async function": `
async def solve(messages, model, tools):
    while True:
        message = await model.chat(messages, tools=tools)
        messages.append(message)
        results = await tools.execute(message)
        if not results:
            return message["content"]
        messages += results
`,
		"a class, written for OpenAI's client": `
class solve:
    def __init__(self, model, tools, word="add"):
        self.client, self.tools, self.word = model, tools, word

    def run(self, task):
        messages = [{"role": "user", "content": task.prompt}]
        assert task["level"]["n"] == task.level.n == 3 and task.id == "t1"
        while True:
            response = self.client.chat.completions.create(model="gpt", messages=messages, tools=self.tools.list(), temperature=0.3)
            message = response.choices[0].message
            assert response.usage.total_tokens == 7
            messages.append({"role": "assistant", "content": message.content, "tool_calls": message.tool_calls})
            if not message.tool_calls:
                return {"answer": message.content}
            for call in message.tool_calls:
                assert call.function.name == self.word
            messages += self.tools.execute(message)
`,
		"one that steps the environment itself, and returns nothing": `
def solve(prompt, model, env, tools):
    messages = [{"role": "user", "content": prompt}]
    while not env.done:
        message = model.chat(messages, tools=list(tools))
        messages.append(message.model_dump())
        messages += env.step(message).messages
`,
	} {
		t.Run(name, func(t *testing.T) {
			p, d := &policy{}, &fakeEnvironment{done: 2}
			out, err := agentOf(t, code, nil).Run(t.Context(), episodeOf("e1"), p, d)
			if err != nil {
				t.Fatal(err)
			}
			if out.FinalAnswer != nil && *out.FinalAnswer != "it is 3" {
				t.Errorf("answer %q", *out.FinalAnswer)
			}
			if len(p.asked) != 2 || p.asked[0].Chain != "" || p.asked[1].Chain != "chain1" || p.asked[1].Base != 2 ||
				len(p.asked[1].Messages) != 1 {
				t.Errorf("asked: %+v", p.asked)
			}
			if diff := cmp.Diff(addTool, p.asked[0].Tools); diff != "" {
				t.Errorf("tools (-want +got):\n%s", diff)
			}
			if len(d.steps) == 0 || d.steps[0].CallID != "call1" {
				t.Errorf("steps: %+v", d.steps)
			}
		})
	}
}

// Tool results must contain the name of the tool. OpenAI's format has it only in the calls, but templates need it,
// and model.chat and the endpoint must produce the same messages.
func TestAgent_NamesResultsAfterTheirCalls(t *testing.T) {
	t.Parallel()
	const code = `
def solve(messages, model, tools):
    message = model.chat(messages, tools=tools.list())
    result = {"role": "tool", "tool_call_id": message.tool_calls[0].id, "content": "3"}
    return model.chat(messages + [message, result], tools=tools.list()).content
`
	p := &policy{}
	if _, err := agentOf(t, code, nil).Run(t.Context(), episodeOf("e1"), p, &fakeEnvironment{}); err != nil {
		t.Fatal(err)
	}
	want := []sdk.Message{{Role: sdk.RoleTool, ToolCallID: "c1", Name: "add", Content: "3"}}
	if diff := cmp.Diff(want, p.asked[1].Messages); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// An agent must get an endpoint, and may pass answers of OpenAI's client, which are not dicts.
func TestAgent_HasAnEndpointForOpenAIsClient(t *testing.T) {
	t.Parallel()
	const code = `
class Answer:
    def __init__(self, **members):
        self.members = members

    def model_dump(self):
        return self.members


def solve(endpoint, tools):
    if endpoint is None:
        return "none"
    call = {"id": "c", "type": "function", "function": {"name": "add", "arguments": "{}"}}
    results = tools.execute(Answer(role="assistant", content=None, tool_calls=[call], audio=None))
    assert not tools.execute(Answer(role="assistant", content="done", tool_calls=None))
    assert endpoint.root_url + "/v1" == endpoint.base_url
    return "%s %s %s" % (endpoint.base_url, endpoint["api_key"], results[0].content)
`
	for want, models := range map[string]map[string]sdk.ModelEndpoint{
		"none": nil, "http://127.0.0.1:1/v1 k 3": {sdk.ModelPolicy: {BaseURL: "http://127.0.0.1:1/v1", APIKey: "k"}},
	} {
		request := episodeOf("e1")
		request.Models = models
		out, err := agentOf(t, code, nil).Run(t.Context(), request, &policy{}, &fakeEnvironment{})
		if err != nil || *out.FinalAnswer != want {
			t.Errorf("%+v, %v; want %s", out, err, want)
		}
	}
}

// An agent must get the tools of its environment by MCP: the settings of MCP clients, in their formats.
func TestAgent_HasAToolServerForMCPClients(t *testing.T) {
	t.Parallel()
	const code = `
import json

def solve(mcp):
    if mcp is None:
        return "none"
    assert mcp.headers == {"Authorization": "Bearer " + mcp.token}
    assert mcp["url"] == mcp.url
    return json.dumps(mcp.config, separators=(",", ":"))
`
	server := &sdk.ToolEndpoint{URL: "http://127.0.0.1:1/mcp", Token: "aw-1"}
	for want, served := range map[string]*sdk.ToolEndpoint{"none": nil, string(server.MCPServers("awhost")): server} {
		request := episodeOf("e1")
		request.ToolServer = served
		out, err := agentOf(t, code, nil).Run(t.Context(), request, &policy{}, &fakeEnvironment{})
		if err != nil || *out.FinalAnswer != want {
			t.Errorf("%+v, %v; want %s", out, err, want)
		}
	}
}

// The quick start's agent must end with the environment, even if the policy continues to call tools.
func TestAgent_ExecutesNothingWhenTheEnvironmentIsDone(t *testing.T) {
	t.Parallel()
	asked := 0
	p, d := &policy{say: func(sdk.ModelRequest) (sdk.ModelReply, error) {
		if asked++; asked > 5 {
			return sdk.ModelReply{}, errors.New("it goes on and on")
		}
		return sdk.ModelReply{Message: sdk.Message{
			Content: "adding", ToolCalls: []sdk.ToolCall{{ID: "c1", Name: "add", Arguments: `{}`}},
		}}, nil
	}}, &fakeEnvironment{done: 1}
	out, err := agentOf(t, `
def solve(messages, model, tools):
    while True:
        message = model.chat(messages, tools=tools.list())
        messages.append(message)
        results = tools.execute(message)
        if not results:
            return message.content
        messages += results
`, nil).Run(t.Context(), episodeOf("e1"), p, d)
	if err != nil || *out.FinalAnswer != "adding" {
		t.Fatalf("%+v, %v", out, err)
	}
	if len(d.steps) != 1 || len(p.asked) != 2 {
		t.Errorf("%d steps and %d messages; want 1 and 2", len(d.steps), len(p.asked))
	}
}

func TestAgent_MakesCallsOfItsOwn(t *testing.T) {
	t.Parallel()
	d := &fakeEnvironment{}
	out, err := agentOf(t, "def solve(tools):\n    return tools.call('add', a=1, b='x')\n", nil).Run(t.Context(),
		episodeOf("e1"), &policy{}, d)
	if err != nil || *out.FinalAnswer != "3" {
		t.Fatalf("%+v, %v", out, err)
	}
	want := []sdk.ToolCall{{ID: "own", Name: "add", Arguments: `{"a": 1, "b": "x"}`}}
	if diff := cmp.Diff(want, d.steps[0].Message.ToolCalls); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAgent_SaysMoreThanItsAnswer(t *testing.T) {
	t.Parallel()
	code := "def solve(task):\n    return {'answer': 3, 'metadata': {'a': [1]}, 'reward': 0.5, 'is_success': True, 'metrics': {'m': 2}}\n"
	out, err := agentOf(t, code, nil).Run(t.Context(), episodeOf("e1"), &policy{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, reward, success := "3", 0.5, true
	want := &sdk.AgentResponse{FinalAnswer: &answer, Reward: &reward, IsSuccess: &success,
		Metadata: json.RawMessage(`{"a":[1]}`), Metrics: map[string]float64{"m": 2}}
	if diff := cmp.Diff(want, out); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Concurrent calls must be numbered in the order in which the code makes them.
func TestAgent_SamplesSideBySide(t *testing.T) {
	t.Parallel()
	p := &policy{say: func(req sdk.ModelRequest) (sdk.ModelReply, error) {
		return sdk.ModelReply{Message: sdk.Message{Content: fmt.Sprint("sample ", *req.Repeat)}}, nil
	}}
	out, err := agentOf(t, `
import asyncio
async def solve(messages, model):
    samples = await asyncio.gather(*[model.chat(messages, max_tokens=9, stop="x", member="writer") for _ in range(8)])
    return " ".join(m.content for m in samples)
`, nil).Run(t.Context(), episodeOf("e1"), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := "sample 0 sample 1 sample 2 sample 3 sample 4 sample 5 sample 6 sample 7"; *out.FinalAnswer != want {
		t.Errorf("answer %q", *out.FinalAnswer)
	}
	if first := p.asked[0]; first.MaxTokens != 9 || first.Stop[0] != "x" || first.Member != "writer" || first.Chain != "" {
		t.Errorf("asked %+v", first)
	}
}

func TestAgent_Failures(t *testing.T) {
	t.Parallel()
	full := &policy{say: func(sdk.ModelRequest) (sdk.ModelReply, error) {
		return sdk.ModelReply{}, &sdk.GenerateError{Kind: sdk.GenerateContextFull, Detail: "192 tokens"}
	}}
	for name, c := range map[string]struct {
		code  string
		model *policy
		want  []string
		full  bool
	}{
		"an exception has its traceback": {
			code: "def helper(x):\n    return 1 / x\n\ndef solve(task):\n    return helper(0)\n",
			want: []string{"agents.py:solve", "agents.py\", line 2, in helper", "ZeroDivisionError"},
		},
		"an async exception has its traceback": {
			code: "async def solve(task):\n    raise KeyError('no such thing')\n",
			want: []string{"agents.py\", line 2, in solve", "no such thing"},
		},
		"sys.exit": {code: "import sys\ndef solve(task):\n    sys.exit(2)\n",
			want: []string{"sys.exit(2)"}},
		"no answer": {code: "def solve(task):\n    return [1]\n",
			want: []string{"type list", "return a text"}},
		"a dict with a typing mistake": {code: "def solve(task):\n    return {'anwser': '1'}\n", want: []string{"'anwser'"}},
		"invalid messages": {code: "def solve(model):\n    model.chat('hello')\n",
			want: []string{"list of messages"}},
		"a role that there is not": {code: "def solve(model):\n    model.chat([{'role': 'robot', 'content': 'x'}])\n",
			want: []string{"robot", "in solve"}},
		"a step without environment": {code: "def solve(tools):\n    tools.call('add')\n",
			want: []string{"name one in its block"}},
		"a full context": {code: "def solve(model, messages):\n    model.chat(messages)\n", model: full,
			full: true},
		"a full async context": {code: "async def solve(model, messages):\n    await model.chat(messages)\n",
			model: full, full: true},
	} {
		t.Run(name, func(t *testing.T) {
			model := c.model
			if model == nil {
				model = &policy{}
			}
			alone := episodeOf("e1")
			alone.HasEnvironment = false
			_, err := agentOf(t, c.code, nil).Run(t.Context(), alone, model, nil)
			var failure *sdk.Failure
			var generate *sdk.GenerateError
			switch {
			case c.full:
				if !errors.As(err, &generate) || generate.Kind != sdk.GenerateContextFull {
					t.Errorf("got %v", err)
				}
			case !errors.As(err, &failure) || failure.Class != sdk.FailureAgent:
				t.Errorf("got %v", err)
			default:
				expect(t, "failure", failure.Detail, c.want...)
				if strings.Contains(failure.Detail, "<awhost") {
					t.Errorf("it shows frames of the driver:\n%s", failure.Detail)
				}
			}
		})
	}
	out, err := agentOf(t, `
def solve(model, messages):
    try:
        model.chat(messages)
    except model.ContextFull as full:
        return "too long: %s" % full
`, nil).Run(t.Context(), episodeOf("e1"), full, nil)
	if err != nil || *out.FinalAnswer != "too long: 192 tokens" {
		t.Errorf("an agent that answers all the same: %+v, %v", out, err)
	}
}

// The model's failure must be reported even if the code handles the exception.
func TestAgent_TheModelsFailureStays(t *testing.T) {
	t.Parallel()
	broken := &policy{say: func(sdk.ModelRequest) (sdk.ModelReply, error) {
		return sdk.ModelReply{}, &sdk.GenerateError{Kind: sdk.GenerateEngine, Detail: "out of memory"}
	}}
	for _, keyword := range []string{"", "async "} {
		await := strings.TrimSpace(strings.Replace(keyword, "async", "await", 1))
		_, err := agentOf(t, keyword+`def solve(model, messages):
    try:
        `+await+` model.chat(messages)
    except Exception:
        return "never mind"
`, nil).Run(t.Context(), episodeOf("e1"), broken, nil)
		var generate *sdk.GenerateError
		if !errors.As(err, &generate) || generate.Kind != sdk.GenerateEngine {
			t.Errorf("%s got %v", keyword, err)
		}
	}
}

// A process that ends must not be the agent's failure until the episode had a separate process.
func TestAgent_Deaths(t *testing.T) {
	t.Parallel()
	agent := agentOf(t, `
import os
def solve(episode_id):
    if episode_id == "deadly":
        os.kill(os.getpid(), 9)
    return "alive"
`, nil)
	for n, want := range []sdk.FailureClass{sdk.FailureInfrastructure, sdk.FailureInfrastructure,
		sdk.FailureInfrastructure, sdk.FailureAgent} {
		_, err := agent.Run(t.Context(), episodeOf("deadly"), &policy{}, nil)
		var failure *sdk.Failure
		if !errors.As(err, &failure) || failure.Class != want || !strings.Contains(failure.Detail, "killed") {
			t.Errorf("time %d: got %v, want %s", n+1, err, want)
		}
		if out, err := agent.Run(t.Context(), episodeOf("harmless"), &policy{}, nil); err != nil ||
			*out.FinalAnswer != "alive" {
			t.Errorf("another episode: %v", err)
		}
	}
}

// An episode must end at its deadline. An agent that does not end loses its process, and the other episodes continue.
func TestAgent_EndsWithItsEpisode(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("SKIPPED in short mode: waits until a process is given up")
	}
	for name, code := range map[string]string{
		"while it waits for the model":      "def solve(model, messages, task):\n    return model.chat(messages).content\n",
		"while it waits for the model too":  "async def solve(model, messages, task):\n    return (await model.chat(messages)).content\n",
		"while it waits for something else": "import time\ndef solve(model, messages, episode_id):\n    if episode_id == 'stuck':\n        time.sleep(1e6)\n    return model.chat(messages).content\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			agent := agentOf(t, code, nil)
			ctx, cancel := context.WithCancel(t.Context())
			begun := make(chan struct{})
			var once sync.Once
			waiting := &blockedModel{begun: func() { once.Do(func() { close(begun) }) }}
			ended := make(chan error, 1)
			go func() {
				_, err := agent.Run(ctx, episodeOf("stuck"), waiting, nil)
				ended <- err
			}()
			if !strings.Contains(code, "sleep") {
				<-begun
			}
			cancel()
			select {
			case err := <-ended:
				if err == nil {
					t.Error("it has an answer")
				}
			case <-time.After(time.Minute):
				t.Fatal("it does not end")
			}
			say := &policy{say: func(sdk.ModelRequest) (sdk.ModelReply, error) {
				return sdk.ModelReply{Message: sdk.Message{Content: "hi"}}, nil
			}}
			if out, err := agent.Run(t.Context(), episodeOf("other"), say, nil); err != nil || *out.FinalAnswer != "hi" {
				t.Errorf("another episode: %v", err)
			}
		})
	}
}

// blockedModel is a model that never answers.
type blockedModel struct{ begun func() }

// Generate implements sdk.AgentModel.
func (h *blockedModel) Generate(ctx context.Context, _ sdk.ModelRequest) (*sdk.ModelReply, error) {
	h.begun()
	<-ctx.Done()
	return nil, ctx.Err()
}

func TestAgent_PlaysManyEpisodesAtATime(t *testing.T) {
	t.Parallel()
	const episodes = 200
	for _, keyword := range []string{"", "async "} {
		for _, workers := range []int{1, 3} {
			await := strings.TrimSpace(strings.Replace(keyword, "async", "await", 1))
			agent := agentOf(t, keyword+`def solve(messages, model, tools, episode_id):
    message = `+await+` model.chat(messages, tools=tools)
    results = `+await+` tools.execute(message)
    message = `+await+` model.chat(messages + [message] + results)
    return episode_id + " " + message.content
`, map[string]any{"workers": workers})
			var all errgroup.Group
			for n := range episodes {
				all.Go(func() error {
					id := fmt.Sprint("e", n)
					out, err := agent.Run(t.Context(), episodeOf(id), &policy{}, &fakeEnvironment{})
					if err == nil && *out.FinalAnswer != id+" it is 3" {
						err = fmt.Errorf("%s answers %q", id, *out.FinalAnswer)
					}
					return err
				})
			}
			if err := all.Wait(); err != nil {
				t.Error(err)
			}
		}
	}
}

// gatedModel answers when a number of episodes has asked.
type gatedModel struct {
	policy
	missing *sync.WaitGroup
}

func (m *gatedModel) Generate(ctx context.Context, r sdk.ModelRequest) (*sdk.ModelReply, error) {
	m.missing.Done()
	m.missing.Wait()
	return m.policy.Generate(ctx, r)
}

func TestAgent_StartsProcessesForManyEpisodes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ episodes, processes int }{
		{episodesPerProcess, 1},
		{3 * episodesPerProcess, min(3, runtime.NumCPU())},
	} {
		agent := agentOf(t, `import os
async def solve(messages, model):
    await model.chat(messages)
    return str(os.getpid())
`, nil)
		var missing sync.WaitGroup
		missing.Add(c.episodes)
		processes := map[string]int{}
		for _, pid := range runAll(t, agent, c.episodes, &gatedModel{missing: &missing}) {
			processes[pid]++
		}
		if len(processes) != c.processes {
			t.Errorf("%d episodes ran in %v, want %d processes", c.episodes, processes, c.processes)
		}
	}
}

// runAll runs episodes concurrently and returns their answers.
func runAll(t *testing.T, agent sdk.Agent, episodes int, model sdk.AgentModel) []string {
	t.Helper()
	answers := make([]string, episodes)
	var all sync.WaitGroup
	for n := range episodes {
		all.Go(func() {
			out, err := agent.Run(t.Context(), episodeOf(fmt.Sprint("e", n)), model, &fakeEnvironment{})
			if err != nil {
				t.Error(err)
				return
			}
			answers[n] = *out.FinalAnswer
		})
	}
	all.Wait()
	return answers
}

func TestAgent_WaitsForALateLoop(t *testing.T) {
	t.Parallel()
	const episodes = 60
	agent := agentOf(t, `import asyncio, time
running = peak = 0
async def solve(messages):
    global running, peak
    running += 1
    peak = max(peak, running)
    for _ in range(3):
        time.sleep(0.02)
        await asyncio.sleep(0)
    running -= 1
    return str(peak)
`, map[string]any{"workers": 1})
	peak := 0
	for _, answer := range runAll(t, agent, episodes, &policy{}) {
		n, _ := strconv.Atoi(answer)
		peak = max(peak, n)
	}
	if peak == 0 || peak > episodes/2 {
		t.Errorf("%d of %d episodes that keep the event loop busy ran at a time", peak, episodes)
	}
}

func TestAgent_StartsAllEpisodesThatWait(t *testing.T) {
	t.Parallel()
	agent := agentOf(t, `import asyncio
running = 0
async def solve(messages):
    global running
    running += 1
    while running < 60:
        await asyncio.sleep(0.001)
    return "met"
`, map[string]any{"workers": 1})
	for _, answer := range runAll(t, agent, 60, &policy{}) {
		if answer != "met" {
			t.Errorf("got %q", answer)
		}
	}
}

// An episode that waits for the loop is canceled at once, so its process is not ended as one that hangs.
func TestAgent_CancelsAWaitingEpisode(t *testing.T) {
	t.Parallel()
	over := filepath.Join(t.TempDir(), "over")
	agent := agentOf(t, `import asyncio, os, time
async def solve(messages, model, episode_id):
    await model.chat(messages)
    while not os.path.exists(os.environ["OVER"]):
        time.sleep(0.03)
        await asyncio.sleep(0)
    return str(os.getpid())
`, map[string]any{"workers": 1, "env": map[string]string{"OVER": over}})
	var begun sync.WaitGroup
	begun.Add(8)
	late := make(chan []string, 1)
	go func() { late <- runAll(t, agent, 8, &gatedModel{missing: &begun}) }()
	begun.Wait()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err := agent.Run(ctx, episodeOf("waiting"), &policy{}, &fakeEnvironment{})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a canceled episode returned %v", err)
	}
	time.Sleep(exitGrace + time.Second) // a process whose canceled episode has not ended by then is replaced
	if err := os.WriteFile(over, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	before, after := <-late, runAll(t, agent, 1, &policy{})
	if before[0] == "" || before[0] != after[0] {
		t.Errorf("the process was replaced: %s, then %s", before[0], after[0])
	}
}

func TestAgent_RefusesWhatIsNone(t *testing.T) {
	t.Parallel()
	needPython(t)
	for name, c := range map[string]struct {
		code string
		want []string
	}{
		"a parameter that awhost does not know": {"def solve(modle):\n    pass\n", []string{"modle", "did you mean model"}},
		"a class without run":                   {"class solve:\n    pass\n", []string{"run(self, task, model, tools)"}},
		"something else":                        {"solve = 3\n", []string{"cannot be called"}},
		"another name":                          {"def solver(task):\n    pass\n", []string{"Did you mean solver"}},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(write(t, map[string]string{"agents.py": c.code}), "agents.py")
			text := encoded(map[string]any{"file": file, "name": "solve", "venv": t.TempDir()})
			component := Plugin().Agents[0]
			text, err := component.Schema.Complete(text)
			if err != nil {
				t.Fatal(err)
			}
			_, err = component.New(t.Context(), sdk.Setup{Config: text, Log: sdk.NewLogger(t.Output()), Dir: t.TempDir()})
			var wrong *sdk.ConfigError
			if !errors.As(err, &wrong) {
				t.Fatalf("got %v", err)
			}
			expect(t, "diagnostic", wrong.Diagnostics[0].Summary+"\n"+wrong.Diagnostics[0].Detail, c.want...)
		})
	}
}

var (
	_ sdk.AgentModel   = (*policy)(nil)
	_ sdk.AgentModel   = (*blockedModel)(nil)
	_ sdk.AgentSession = (*fakeEnvironment)(nil)
)

// TestAgent_ReceivesVariables checks that env reaches os.environ when the file is imported.
func TestAgent_ReceivesVariables(t *testing.T) {
	t.Parallel()
	a := agentOf(t, `
import os
SET = os.environ["ANSWER"]

def solve():
    return SET
`, map[string]any{"env": map[string]string{"ANSWER": "42"}})
	response, err := a.Run(t.Context(), episodeOf("e"), &policy{}, &fakeEnvironment{})
	if err != nil || response.FinalAnswer == nil || *response.FinalAnswer != "42" {
		t.Errorf("got %+v, %v", response, err)
	}
}

// TestAgent_LimitsTheImport checks the limit and the values that it may have.
func TestAgent_LimitsTheImport(t *testing.T) {
	t.Parallel()
	needPython(t)
	file := filepath.Join(write(t, map[string]string{"agents.py": "import time\ntime.sleep(60)\n"}), "agents.py")
	for timeout, want := range map[string]string{
		"1s": "the import took more than 1s", "10m": "Set a duration above 0 and up to 9m", "0s": "Set a duration above 0",
	} {
		config, err := json.Marshal(map[string]any{"file": file, "name": "solve", "venv": t.TempDir(),
			"import_timeout": timeout})
		if err != nil {
			t.Fatal(err)
		}
		_, err = newAgent(t.Context(), sdk.Setup{Config: config, Log: slog.New(slog.DiscardHandler)})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", timeout, err, want)
		}
	}
}
