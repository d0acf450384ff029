package pythonplugin

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/sdktest"
)

// asks is the part of a workflow that calls the policy without any package: with a base URL and a key.
const asks = `
import json
import urllib.request
from ajet import ModelTuner, Workflow, WorkflowOutput, WorkflowTask

def ask(at, text):
    request = urllib.request.Request(
        at.base_url + "/chat/completions",
        json.dumps({"model": at.model, "messages": [{"role": "user", "content": text}]}).encode(),
        {"Content-Type": "application/json", "Authorization": "Bearer " + at.api_key})
    with urllib.request.urlopen(request) as response:
        return json.load(response)["choices"][0]["message"]["content"]
`

// fakeGateway is a fake gateway: it answers each request with its key and its question.
type fakeGateway struct {
	mu    sync.Mutex
	keys  []string
	asked []string // the model and the tools of each request
}

// endpoint serves the gateway until the test ends.
func (d *fakeGateway) endpoint(t *testing.T) sdk.ModelEndpoint {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var asked struct {
			Model    string
			Messages []struct{ Content any }
			Tools    []struct{ Function struct{ Name string } }
		}
		if err := json.Unmarshal(body, &asked); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		key := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		d.mu.Lock()
		d.keys = append(d.keys, key)
		line := asked.Model
		for _, tool := range asked.Tools {
			line += " " + tool.Function.Name
		}
		d.asked = append(d.asked, line)
		d.mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{
			"id": "c", "object": "chat.completion", "created": 0, "model": "policy", "choices": []any{map[string]any{
				"index": 0, "finish_reason": "stop",
				"message": map[string]string{
					"role":    "assistant",
					"content": fmt.Sprint("heard ", asked.Messages[0].Content),
				},
			}}, "usage": map[string]int{"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7},
		})
	}))
	t.Cleanup(server.Close)
	return sdk.ModelEndpoint{BaseURL: server.URL + "/v1", APIKey: "aw-KEY"}
}

// played plays an episode of a workflow with the class solve.
func played(t *testing.T, code string, d *fakeGateway, change func(*sdk.AgentRequest)) (*sdk.AgentResponse, error) {
	t.Helper()
	request := episodeOf("e1")
	request.HasEnvironment, request.Place = false, "p1"
	request.Models = map[string]sdk.ModelEndpoint{sdk.ModelPolicy: d.endpoint(t)}
	if change != nil {
		change(&request)
	}
	return agentOf(t, asks+code, nil).Run(t.Context(), request, &policy{}, &fakeEnvironment{})
}

func TestWorkflow_PlaysAnEpisode(t *testing.T) {
	t.Parallel()
	d := &fakeGateway{}
	out, err := played(t, `
class solve(Workflow):
    name: str = "mine"
    seen: list = []

    async def execute(self, workflow_task: WorkflowTask, model_tuner: ModelTuner) -> WorkflowOutput:
        task = workflow_task.task
        self.seen.append(task.main_query)
        answer = ask(model_tuner.as_oai_baseurl_apikey(), task.main_query)
        log_metrics = {"asked": 1, "spread": [1, 3], "deep": {"er": 2.5}}
        return WorkflowOutput(reward=0.5, is_success=True, log_metrics=log_metrics, metadata={
            "final_answer": answer, "task": task.model_dump(), "seen": self.seen, "tag": workflow_task.task_tag,
            "episode": workflow_task.episode_uuid, "id": workflow_task.task_id})
`, d, nil)
	if err != nil {
		t.Fatal(err)
	}
	if *out.FinalAnswer != "heard 1 + 2?" || *out.Reward != 0.5 || !*out.IsSuccess {
		t.Errorf("%+v", out)
	}
	if diff := cmp.Diff(map[string]float64{"asked": 1, "spread": 2, "deep/er": 2.5}, out.Metrics); diff != "" {
		t.Errorf("metrics (-want +got):\n%s", diff)
	}
	var got, want any
	if err := json.Unmarshal(out.Metadata, &got); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(`{"final_answer":"heard 1 + 2?","seen":["1 + 2?"],"tag":"Tt1#Rp1","episode":"e1",
		"id":"t1",
		"task":{"main_query":"1 + 2?","init_messages":[{"role":"user","content":"1 + 2?"}],"task_id":"t1","env_type":"no_env",
		"metadata":{"prompt":"1 + 2?","level":{"n":3},"id":"t1"}}}`), &want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("metadata (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"aw-KEY"}, d.keys); diff != "" {
		t.Errorf("keys (-want +got):\n%s", diff)
	}
}

// A dataset in AgentJet's own columns must give the same task as in AgentJet.
func TestWorkflow_TakesAgentJetsColumns(t *testing.T) {
	t.Parallel()
	out, err := played(t, `
class solve(Workflow):
    async def execute(self, workflow_task, tuner):
        ask(tuner.as_oai_baseurl_apikey(), "hello")
        return WorkflowOutput(metadata=workflow_task.task.model_dump())
`, &fakeGateway{}, func(r *sdk.AgentRequest) {
		r.Task.Public = json.RawMessage(
			`{"main_query":"q","init_messages":[{"role":"system","content":"s"}],"env_type":"web","metadata":{"a":1}}`,
		)
	})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"main_query":"q","init_messages":[{"role":"system","content":"s"}],` +
		`"task_id":"t1","env_type":"web","metadata":{"a":1}}`
	if string(out.Metadata) != want {
		t.Errorf("got %s", out.Metadata)
	}
}

// A workflow must see the public columns of the data under their original names. Reading a private one must fail and
// name the remedy.
func TestWorkflow_ReadsTheColumnsOfTheData(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		truth, reads string
		want         []string
	}{
		"a public column":         {"answer", `row["question"] + str(row.get("answr"))`, nil},
		"the answer":              {"answer", `row["answer"]`, []string{`private = ["answer"]`, "It is private"}},
		"the answer, if it is in": {"solution", `row.get("solution", "")`, []string{`private = ["solution"]`}},
		"the answer as a field":   {"solution", `row["ground_truth"]`, []string{`private = ["solution"]`}},
		"an answer in an object":  {"metadata.answer", `row["answer"]`, []string{`private = ["metadata.answer"]`}},
		"another column":          {"answer", `row["rubric"]`, []string{`private = ["rubric"]`, "question"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := played(t, `
class solve(Workflow):
    async def execute(self, workflow_task, tuner):
        row = workflow_task.task.metadata
        ask(tuner.as_oai_baseurl_apikey(), `+c.reads+`)
        return WorkflowOutput(reward=1.0)
`, &fakeGateway{}, func(r *sdk.AgentRequest) {
				r.Task.Public = json.RawMessage(`{"prompt":"1 + 2?"}`)
				r.Task.Columns = map[string]string{"prompt": "question", "ground_truth": c.truth}
			})
			if c.want == nil {
				if err != nil {
					t.Error(err)
				}
				return
			}
			expect(t, "failure", fmt.Sprint(err), c.want...)
		})
	}
}

// The test reads tuner.config. It holds the config of the block, unless the class has such a field itself.
func TestWorkflow_ReadsItsConfig(t *testing.T) {
	t.Parallel()
	arguments := map[string]any{
		"name": "n", "config": map[string]any{"size": 4, "ajet": map[string]any{"rollout": map[string]any{"steps": 3}}},
	}
	request := episodeOf("e1")
	request.HasEnvironment, request.Place = false, "p1"
	request.Models = map[string]sdk.ModelEndpoint{sdk.ModelPolicy: (&fakeGateway{}).endpoint(t)}
	const absent = "has no 'step', but steps: write arguments = { config = { step = … } }"
	for reads, want := range map[string]string{
		"tuner.config.size * tuner.config.ajet.rollout.steps == 12 and self.name == 'n'": "",
		"tuner.config.ajet.rollout.step":                                                 absent,
	} {
		agent := agentOf(t, asks+`
class solve(Workflow):
    async def execute(self, workflow_task, tuner):
        assert `+reads+`
        ask(tuner.as_oai_baseurl_apikey(), "q")
        return WorkflowOutput(reward=1.0)
`, map[string]any{"arguments": arguments})
		_, err := agent.Run(t.Context(), request, &policy{}, &fakeEnvironment{})
		if want == "" && err != nil || !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%s: %v, want %q", reads, err, want)
		}
	}
}

// OpenAI's client asks the policy where a call names no model, and so do the clients made of it.
func TestWorkflow_AsksThePolicyWithoutAModel(t *testing.T) {
	t.Parallel()
	d := &fakeGateway{}
	_, err := played(t, `
import sys, types

class Completions:
    def __init__(self, client):
        self.client = client
    async def create(self, *, messages, model):
        at = types.SimpleNamespace(base_url=self.client.base_url, api_key=self.client.api_key, model=model)
        return ask(at, messages[0]["content"])

class AsyncOpenAI:
    def __init__(self, base_url, api_key, timeout=None):
        self.base_url, self.api_key = base_url, api_key
        self.chat = types.SimpleNamespace(completions=Completions(self))
    def with_options(self):
        return type(self)(self.base_url, self.api_key)
    async def close(self):
        pass

sys.modules["openai"] = types.ModuleType("openai")
sys.modules["openai"].AsyncOpenAI = AsyncOpenAI

class solve(Workflow):
    async def execute(self, workflow_task, tuner):
        client = tuner.as_raw_openai_sdk_client()
        assert isinstance(client, AsyncOpenAI)
        question = [{"role": "user", "content": "q"}]
        await client.chat.completions.create(messages=question)
        await client.chat.completions.create(messages=question, model="mine")
        await client.with_options().chat.completions.create(messages=question)
        return WorkflowOutput(reward=1.0)
`, d, nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"policy", "mine", "policy"}, d.asked); diff != "" {
		t.Errorf("models (-want +got):\n%s", diff)
	}
}

// Each episode must have its own object, and must not share a mutable default.
func TestWorkflow_HasAnObjectForEachEpisode(t *testing.T) {
	t.Parallel()
	needPython(t)
	d := &fakeGateway{}
	endpoint := d.endpoint(t)
	agent := agentOf(t, asks+`
class solve(Workflow):
    seen: list = []
    async def execute(self, workflow_task, tuner):
        ask(tuner.as_oai_baseurl_apikey(), "hello")
        self.seen.append(1)
        self.extra = 1
        return WorkflowOutput(reward=len(self.seen))
`, nil)
	for range 3 {
		request := episodeOf("e1")
		request.Models = map[string]sdk.ModelEndpoint{sdk.ModelPolicy: endpoint}
		out, err := agent.Run(t.Context(), request, &policy{}, &fakeEnvironment{})
		if err != nil || *out.Reward != 1 {
			t.Fatalf("%+v, %v", out, err)
		}
	}
}

// Members must be identified by their keys. Members outside trainable_targets must have keys that train nothing.
func TestWorkflow_NamesItsMembers(t *testing.T) {
	t.Parallel()
	d := &fakeGateway{}
	_, err := played(t, `
class solve(Workflow):
    trainable_targets: list = ["werewolf", "der Bär"]
    async def execute(self, workflow_task, tuner):
        for tag in ["werewolf", "der Bär", "villager"]:
            ask(tuner.as_oai_baseurl_apikey(agent_name=tag + "1", target_tag=tag), "hello")
        return WorkflowOutput(reward=1.0)
`, d, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"aw-KEY.member.werewolf", "aw-KEY.member.der%20B%C3%A4r", "aw-KEY.untrained.villager"}
	if diff := cmp.Diff(want, d.keys); diff != "" {
		t.Errorf("keys (-want +got):\n%s", diff)
	}
}

func TestWorkflow_StepsItsEnvironment(t *testing.T) {
	t.Parallel()
	steps := &fakeEnvironment{done: 1}
	d := &fakeGateway{}
	request := episodeOf("e1")
	request.Models = map[string]sdk.ModelEndpoint{sdk.ModelPolicy: d.endpoint(t)}
	out, err := agentOf(t, asks+`
class solve(Workflow):
    async def execute(self, workflow_task, tuner):
        text = ask(tuner.as_oai_baseurl_apikey(), "hello")
        observation, reward, done, about = workflow_task.gym_env.step(
            action={"content": [{"type": "text", "text": text}], "role": "assistant"})
        return WorkflowOutput(metadata={"final_answer": "%s %s %s" % (observation[0]["content"], reward, done)})
`, nil).Run(t.Context(), request, &policy{}, steps)
	if err != nil || *out.FinalAnswer != "3 0.0 True" {
		t.Fatalf("%+v, %v", out, err)
	}
	if said := steps.steps[0].Message; said == nil || said.Content != "heard hello" {
		t.Errorf("steps: %+v", steps.steps)
	}
}

// AgentScope's answers, converted by Python's str() as in the tutorial, must be parsed to their text.
func TestWorkflow_ReadsAnswersOfAgentScope(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{
		`str([{"type": "text", ` +
			`"text": "so \\boxed{\\frac{1}{2}}\n"}])`: "so \\boxed{\\frac{1}{2}}\n",
		`[{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "a"}, {"type": "text", "text": "b"}]`: "a\nb",
		`"[{not blocks}]"`: "[{not blocks}]",
		`72`:               "72",
		`{"result": 72}`:   `{"result": 72}`,
		`""`:               "",
	} {
		out, err := played(t, `
class solve(Workflow):
    async def execute(self, workflow_task, tuner):
        ask(tuner.as_oai_baseurl_apikey(), "hello")
        return WorkflowOutput(metadata={"final_answer": `+code+`})
`, &fakeGateway{}, nil)
		if err != nil || out.FinalAnswer == nil || *out.FinalAnswer != want {
			t.Errorf("%s: %+v, %v", code, out, err)
		}
	}
}

// Statistics of tools must have AgentJet's names.
func TestWorkflow_NamesStatisticsOfTools(t *testing.T) {
	t.Parallel()
	out, err := played(t, `
class solve(Workflow):
    async def execute(self, workflow_task, tuner):
        ask(tuner.as_oai_baseurl_apikey(), "hello")
        return WorkflowOutput(log_metrics={"tool_stats": {
            "total_calls": 4, "success_calls": 3, "total_errors": 1, "cache_hits": 1, "cache_misses": 3,
            "tool_time": {"search": [1.0, 3.0], "idle": []}, "tool_cache_stats": {"search": {"hits": 1, "misses": 1}},
            "tool_error_stats": {"search": {"calls": 4, "errors": 1}, "idle": {"calls": 0, "errors": 0}}}})
`, &fakeGateway{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{
		"tool_stats/tool_total_calls": 4, "tool_stats/tool_success_calls": 3, "tool_stats/tool_error_calls": 1,
		"tool_stats/tool_success_rate": 75, "tool_stats/tool_cache_hits": 1, "tool_stats/tool_cache_misses": 3,
		"tool_stats/tool_cache_hit_rate": 25, "tool_time/search/mean": 2, "tool_time/search/max": 3,
		"tool_cache/search/hit_rate": 50, "tool_error/search/error_rate": 25, "tool_error/search/calls": 4,
		"tool_error/idle/calls": 0,
	}
	if diff := cmp.Diff(want, out.Metrics); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestWorkflow_Failures(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		returns string
		want    []string
	}{
		"a list of rewards":    {"WorkflowOutput(reward=[1.0, 0.5])", []string{"list of 2", "an episode has one reward"}},
		"an invalid reward":    {"WorkflowOutput(reward='1')", []string{"reward is of type str"}},
		"a reward that is NaN": {"WorkflowOutput(reward=float('nan'))", []string{"nan", "cannot be trained on"}},
		"nothing":              {"None", []string{"returned None", "return WorkflowOutput"}},
		"a dict":               {"{'reward': 1}", []string{"of type dict", "return WorkflowOutput"}},
		"a field that there is not": {
			"WorkflowOutput(reward=1, final_answer='x')", []string{"WorkflowOutput has no final_answer", "in execute"},
		},
		"metadata that is not JSON": {
			"WorkflowOutput(metadata={'a': {'b': object()}})", []string{"metadata['a']['b'] is of type object"},
		},
		"a metric that is a text": {"WorkflowOutput(log_metrics={'a': 'b'})", []string{"log_metrics['a'] is of type str"}},
		"another exception":       {"1 / 0", []string{"agents.py:solve", "ZeroDivisionError", "in execute"}},
		"a member without a key": {
			"tuner.as_oai_baseurl_apikey(target_tag='x', debug_model='gpt-4o')",
			[]string{"trainable_targets", "OPENAI_API_KEY"},
		},
		"a form of AgentJet's job": {"__import__('ajet').AgentJetJob()", []string{"awhost apply"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := played(t, `
class solve(Workflow):
    trainable_targets: list = ["default_target_tag"]
    async def execute(self, workflow_task, tuner):
        return `+c.returns+`
`, &fakeGateway{}, nil)
			var failure *sdk.Failure
			if !errors.As(err, &failure) || failure.Class != sdk.FailureAgent {
				t.Fatalf("got %v", err)
			}
			expect(t, "failure", failure.Detail, c.want...)
			if strings.Contains(failure.Detail, "<awhost") {
				t.Errorf("it shows frames of the driver:\n%s", failure.Detail)
			}
		})
	}
}

// An endpoint that was called instead of the policy must be named, even after an exception. It must not be named if
// the policy was called.
func TestWorkflow_SaysWhomItAskedInstead(t *testing.T) {
	t.Parallel()
	var other fakeGateway
	elsewhere := other.endpoint(t).BaseURL
	place := strings.TrimSuffix(elsewhere, "/v1")
	const code = `
class at:
    base_url, api_key, model = "ELSEWHERE", "sk-1", "gpt-4o"

class solve(Workflow):
    async def execute(self, workflow_task, tuner):
        ask(at, "hello")
`
	out, err := played(
		t,
		strings.Replace(code+"        return WorkflowOutput(reward=1.0)\n", "ELSEWHERE", elsewhere, 1),
		&fakeGateway{},
		nil,
	)
	if err != nil || len(out.Contacted) != 1 || out.Contacted[0] != place {
		t.Errorf("got %+v, %v; want %s", out, err, place)
	}
	_, err = played(
		t,
		strings.Replace(code+"        raise KeyError('x')\n", "ELSEWHERE", elsewhere, 1),
		&fakeGateway{},
		nil,
	)
	if err == nil || !strings.Contains(err.Error(), "Until then it had asked "+place) {
		t.Errorf("got %v", err)
	}
	asking := strings.Replace(
		code+"        ask(tuner.as_oai_baseurl_apikey(), 'hello')\n        return WorkflowOutput(reward=1.0)\n",
		"ELSEWHERE",
		elsewhere,
		1,
	)
	if out, err = played(t, asking, &fakeGateway{}, nil); err != nil || len(out.Contacted) != 0 {
		t.Errorf("an episode that asked the policy: %+v, %v", out, err)
	}
}

func TestWorkflow_RefusesWhatIsNone(t *testing.T) {
	t.Parallel()
	needPython(t)
	for name, c := range map[string]struct {
		code   string
		config map[string]any
		want   []string
	}{
		"an execute without a tuner": {
			"class solve(Workflow):\n    async def execute(self, workflow_task):\n        pass\n", nil,
			[]string{"Not a workflow", "execute(workflow_task, tuner)"},
		},
		"no execute": {"class solve(Workflow):\n    pass\n", nil, []string{"has no execute"}},
		"an argument without a field": {
			"class solve(Workflow):\n    async def execute(self, workflow_task, tuner):\n        pass\n",
			map[string]any{"arguments": map[string]any{"colour": "red"}}, []string{"solve has no field colour"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := refusedAgent(t, asks+c.code, c.config)
			expect(t, "diagnostic", got.Summary+"\n"+got.Detail, c.want...)
		})
	}
}

// refusedAgent returns the only diagnostic of configuring an agent.
func refusedAgent(t *testing.T, code string, config map[string]any) sdk.Diagnostic {
	t.Helper()
	full := map[string]any{
		"file": filepath.Join(
			write(t, map[string]string{"agents.py": code}),
			"agents.py",
		), "name": "solve", "venv": t.TempDir(),
	}
	for name, value := range config {
		full[name] = value
	}
	component := Plugin().Agents[0]
	text, err := component.Schema.Complete(encoded(full))
	if err != nil {
		t.Fatal(err)
	}
	_, err = component.New(t.Context(), sdk.Setup{Config: text, Log: sdk.NewLogger(t.Output()), Dir: t.TempDir()})
	var wrong *sdk.ConfigError
	if !errors.As(err, &wrong) || len(wrong.Diagnostics) != 1 {
		t.Fatalf("want one diagnostic, got %v", err)
	}
	return wrong.Diagnostics[0]
}

// Modules next to the file, and a module with the file's name, must be found as in Python. ajet is awhost's own even
// if another one exists, but modules that awhost lacks are found in the other one.
func TestWorkflow_FindsItsModules(t *testing.T) {
	t.Parallel()
	needPython(t)
	dir := write(t, map[string]string{
		"workflow.py": asks + `
import ajet
from ajet.utils.helper import HELP
from ajet.schema.task import Task
from ajet import AjetTuner
import neighbour

class solve(Workflow):
    async def execute(self, workflow_task, tuner):
        ask(tuner.as_oai_baseurl_apikey(), "hello")
        assert isinstance(tuner, AjetTuner) and AjetTuner is ModelTuner and isinstance(workflow_task.task, Task)
        return WorkflowOutput(metadata={"final_answer": "%s %s %s" % (ajet.AWHOST, HELP, neighbour.NAME)})
`,
		"neighbour.py": "NAME = 'next door'\n", "ajet/__init__.py": "raise ImportError('verl is missing')\n",
		"ajet/utils/helper.py": "HELP = 'theirs'\n", "ajet/utils/__init__.py": "",
	})
	request := episodeOf("e1")
	request.Models = map[string]sdk.ModelEndpoint{sdk.ModelPolicy: (&fakeGateway{}).endpoint(t)}
	out, err := sdktest.Agent(t, Plugin(), "python", map[string]any{
		"file": filepath.Join(dir, "workflow.py"), "name": "solve", "venv": t.TempDir(),
	}).Run(t.Context(), request, &policy{}, &fakeEnvironment{})
	if err != nil || *out.FinalAnswer != "True theirs next door" {
		t.Fatalf("%+v, %v", out, err)
	}
}
