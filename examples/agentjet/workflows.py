"""Workflows as AgentJet's users write them. Each asks the policy in another of the tuner's forms."""

from ajet import AjetTuner, Workflow, WorkflowOutput, WorkflowTask


def add(a: int, b: int) -> str:
    """Adds two numbers."""
    return str(a + b)


def output(answer):
    return WorkflowOutput(reward=None, metadata={"final_answer": answer}, log_metrics={"answer_length": len(answer)})


async def react(model, query):
    """An agent of AgentScope's answers."""
    from agentscope.agent import ReActAgent
    from agentscope.formatter import OpenAIChatFormatter
    from agentscope.memory import InMemoryMemory
    from agentscope.message import Msg, TextBlock
    from agentscope.tool import Toolkit, ToolResponse

    def adding(a: int, b: int) -> ToolResponse:
        """Adds two numbers."""
        return ToolResponse(content=[TextBlock(type="text", text=add(a, b))])

    toolkit = Toolkit()
    toolkit.register_tool_function(adding)
    agent = ReActAgent(
        name="solver", sys_prompt="Calculate.", model=model, formatter=OpenAIChatFormatter(), toolkit=toolkit,
        memory=InMemoryMemory(), max_iters=2)
    agent.set_console_output_enabled(False)
    return (await agent.reply(Msg("user", query, "user"))).get_text_content() or ""


class Direct(Workflow):
    """The tuner is a model of AgentScope itself."""

    async def execute(self, workflow_task: WorkflowTask, tuner: AjetTuner) -> WorkflowOutput:
        return output(await react(tuner, workflow_task.task.main_query))


class Named(Workflow):
    """Members with names, all of them trained."""

    async def execute(self, workflow_task: WorkflowTask, tuner: AjetTuner) -> WorkflowOutput:
        model = tuner.as_agentscope_model(agent_name="solver", target_tag="solver")
        return output(await react(model, workflow_task.task.main_query))


class Client(Workflow):
    """OpenAI's client."""

    async def execute(self, workflow_task: WorkflowTask, tuner: AjetTuner) -> WorkflowOutput:
        client = tuner.as_raw_openai_sdk_client()
        completion = await client.chat.completions.create(
            model="any", messages=[{"role": "user", "content": workflow_task.task.main_query}])
        return output(completion.choices[0].message.content or "")


class Address(Workflow):
    """A base URL and a key, for whatever speaks OpenAI's protocol. This one blocks, and holds nobody up."""

    async def execute(self, workflow_task: WorkflowTask, tuner: AjetTuner) -> WorkflowOutput:
        from openai import OpenAI

        at = tuner.as_oai_baseurl_apikey()
        with OpenAI(base_url=at.base_url, api_key=at.api_key) as client:
            completion = client.chat.completions.create(
                model=at.model, messages=[{"role": "user", "content": workflow_task.task.main_query}])
        return output(completion.choices[0].message.content or "")


class Team(Workflow):
    """A planner that is not trained and a solver that is: the policy answers both."""

    trainable_targets: list = ["solver"]

    async def execute(self, workflow_task: WorkflowTask, tuner: AjetTuner) -> WorkflowOutput:
        planner = tuner.as_raw_openai_sdk_client(agent_name="planner", target_tag="planner", debug_model=None)
        plan = await planner.chat.completions.create(
            model="any", messages=[{"role": "user", "content": "Plan: " + workflow_task.task.main_query}])
        solver = tuner.as_agentscope_model(agent_name="solver", target_tag="solver")
        return output(await react(solver, workflow_task.task.main_query + (plan.choices[0].message.content or "")))
