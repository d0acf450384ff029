package pythonplugin

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
)

// Checks the tuner's forms with their packages, and models for members that are not trained. The examples play
// episodes with a real policy.
func TestForms_WithAgentScopeAndOpenAI(t *testing.T) {
	python := os.Getenv("AWHOST_AGENTSCOPE_PYTHON")
	if python == "" {
		t.Skip("SKIPPED: set AWHOST_AGENTSCOPE_PYTHON to the Python that .ci/agentscope makes")
	}
	others, d := &fakeGateway{}, &fakeGateway{}
	t.Setenv("OPENAI_BASE_URL", others.endpoint(t).BaseURL)
	t.Setenv("OPENAI_API_KEY", "sk-env")
	const code = `
import os
from ajet import AjetTuner, Workflow, WorkflowOutput
from agentscope.model import ChatModelBase, OpenAIChatModel
from openai import AsyncOpenAI
from pydantic import BaseModel, Field

TOOLS = [{"type": "function", "function": {"name": "add", "parameters": {"type": "object", "properties": {}}}}]

class Answer(BaseModel):
    number: int

class solve(Workflow):
    trainable_targets: list = Field(default_factory=lambda: ["a"])

    async def execute(self, workflow_task, tuner: AjetTuner):
        heard = []
        async def ask(model, **options):
            answer = await model([{"role": "user", "content": [{"text": "you"}]}], **options)
            heard.append("".join(b["text"] for b in answer.content if b["type"] == "text"))
            return answer
        mine = tuner.as_agentscope_model(agent_name="A", target_tag="a")
        assert isinstance(tuner, ChatModelBase) and isinstance(mine, ChatModelBase) and not mine.stream
        usage = (await ask(mine, tools=TOOLS, tool_choice="auto")).usage
        assert (usage.input_tokens, usage.output_tokens) == (5, 2)
        await ask(mine, tools=TOOLS, tool_choice="none")
        assert (await ask(mine, structured_model=Answer)).metadata is None
        await ask(tuner)
        theirs = OpenAIChatModel("qwen-max", api_key="sk-qwen", stream=False,
                                 client_args={"base_url": os.environ["OPENAI_BASE_URL"]})
        theirs.formatter = None
        await ask(tuner.as_agentscope_model("B", "b", debug_model=theirs))
        await ask(tuner.as_agentscope_model("C", "c"))
        for tag, debug_model in (("a", "gpt-4o"), ("b", "gpt-4o"), ("c", None)):
            client = tuner.as_raw_openai_sdk_client(agent_name=tag, target_tag=tag, debug_model=debug_model)
            assert isinstance(client, AsyncOpenAI)
            completion = await client.chat.completions.create(model="any", messages=[{"role": "user", "content": "me"}])
            heard.append(completion.choices[0].message.content)
        at = tuner.as_oai_baseurl_apikey(target_tag="b", debug_model="gpt-4o")
        assert (at.base_url, at.api_key, at.model) == (os.environ["OPENAI_BASE_URL"], "sk-env", "gpt-4o")
        return WorkflowOutput(metadata={"final_answer": " ".join(h.replace("heard ", "") for h in heard)})
`
	request := episodeOf("e1")
	request.Models = map[string]sdk.ModelEndpoint{sdk.ModelPolicy: d.endpoint(t)}
	out, err := agentOf(t, code, map[string]any{"python": python}).Run(t.Context(), request, &policy{}, &fakeEnvironment{})
	if err != nil {
		t.Fatal(err)
	}
	if out.Metrics["debug_model_calls"] != 2 || len(out.Contacted) != 0 {
		t.Errorf("%+v", out)
	}
	type heard struct{ Key, Asked string }
	list := func(d *fakeGateway) (out []heard) {
		for i := range d.keys {
			out = append(out, heard{d.keys[i], d.asked[i]})
		}
		return out
	}
	const member = "aw-KEY.member.a"
	want := []heard{
		{member, "policy add"}, {member, "policy"}, {member, "policy generate_structured_output"},
		{"aw-KEY", "policy"}, {"aw-KEY.untrained.c", "policy"}, {member, "any"}, {"aw-KEY.untrained.c", "any"},
	}
	if diff := cmp.Diff(want, list(d)); diff != "" {
		t.Errorf("asked of the policy (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]heard{{"sk-qwen", "qwen-max"}, {"sk-env", "gpt-4o"}}, list(others)); diff != "" {
		t.Errorf("asked of others (-want +got):\n%s", diff)
	}
}

// If only models for untrained members were called, the episode must name these members.
func TestForms_OnlyMembersThatAreNotTrained(t *testing.T) {
	t.Parallel()
	out, err := played(t, `
class solve(Workflow):
    trainable_targets: list = ["warewolf"]
    async def execute(self, workflow_task, tuner):
        async def debug_model(*_):
            return "fine"
        await tuner.as_agentscope_model("Player1", target_tag="werewolf", debug_model=debug_model)(
            [{"role": "user", "content": "hello"}])
        return WorkflowOutput(reward=1.0)
`, &fakeGateway{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"the debug models of werewolf (trainable_targets has warewolf)"}
	if diff := cmp.Diff(want, out.Contacted); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
