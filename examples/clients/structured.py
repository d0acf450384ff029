"""Agents of frameworks that restrict the model: with `tool_choice`, `parallel_tool_calls = false`, or a JSON format.

Each is written as its documentation shows it, and returns the answer of a task. `decoding_constraints` in
the agent's block decides what happens to the restriction."""

import json
import os
import subprocess

from pydantic import BaseModel


class Answer(BaseModel):
    """The answer to the question."""

    answer: int


def question(messages):
    return messages[-1]["content"]


def openai_parse(messages, endpoint):
    from openai import OpenAI

    with OpenAI(base_url=endpoint.base_url, api_key=endpoint.api_key) as client:
        completion = client.chat.completions.parse(model="gpt-5", messages=messages, response_format=Answer)
    return str(completion.choices[0].message.parsed.answer)


def openai_parse_responses(messages, endpoint):
    from openai import OpenAI

    with OpenAI(base_url=endpoint.base_url, api_key=endpoint.api_key) as client:
        response = client.responses.parse(model="gpt-5", input=messages, text_format=Answer)
    return str(response.output_parsed.answer)


def anthropic_parse(messages, endpoint):
    from anthropic import Anthropic

    with Anthropic(base_url=endpoint.root_url, api_key=endpoint.api_key) as client:
        message = client.messages.parse(
            model="claude-sonnet-5", max_tokens=1000, messages=messages, output_format=Answer
        )
    return str(message.parsed_output.answer)


async def openai_agents(messages, endpoint):
    from agents import Agent, OpenAIResponsesModel, Runner, set_tracing_disabled
    from openai import AsyncOpenAI

    set_tracing_disabled(True)
    async with AsyncOpenAI(base_url=endpoint.base_url, api_key=endpoint.api_key) as client:
        model = OpenAIResponsesModel(model="gpt-5", openai_client=client)
        agent = Agent(name="adder", instructions="Add.", model=model, output_type=Answer)
        return str((await Runner.run(agent, question(messages))).final_output.answer)


def chat_openai(endpoint):
    from langchain_openai import ChatOpenAI

    return ChatOpenAI(model="gpt-5", base_url=endpoint.base_url, api_key=endpoint.api_key)


def langchain(messages, endpoint):
    return str(chat_openai(endpoint).with_structured_output(Answer).invoke(messages).answer)


def langchain_agent(messages, endpoint):
    from langchain.agents import create_agent
    from langchain.agents.structured_output import ToolStrategy

    agent = create_agent(chat_openai(endpoint), tools=[], response_format=ToolStrategy(Answer))
    return str(agent.invoke({"messages": messages})["structured_response"].answer)


def langgraph_supervisor(messages, endpoint):
    from langchain.agents import create_agent
    from langgraph_supervisor import create_supervisor

    model = chat_openai(endpoint)
    adder = create_agent(model, tools=[], name="adder")
    # The supervisor sets parallel_tool_calls to False.
    team = create_supervisor([adder], model=model, prompt="Delegate.", parallel_tool_calls=False).compile()
    return str(Answer.model_validate_json(team.invoke({"messages": messages})["messages"][-1].content).answer)


def smolagents(messages, endpoint):
    from smolagents import OpenAIModel, ToolCallingAgent

    model = OpenAIModel(model_id="gpt-5", api_base=endpoint.base_url, api_key=endpoint.api_key)
    return str(ToolCallingAgent(tools=[], model=model, max_steps=2, verbosity_level=0).run(question(messages)))


def pydantic_ai(messages, endpoint):
    from pydantic_ai import Agent
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    provider = OpenAIProvider(base_url=endpoint.base_url, api_key=endpoint.api_key)
    agent = Agent(OpenAIChatModel("gpt-5", provider=provider), output_type=Answer)
    return str(agent.run_sync(question(messages)).output.answer)


def instructor(messages, endpoint):
    from instructor import from_openai
    from openai import OpenAI

    with OpenAI(base_url=endpoint.base_url, api_key=endpoint.api_key) as client:
        return str(from_openai(client).create(model="gpt-5", messages=messages, response_model=Answer).answer)


async def autogen(messages, endpoint):
    from autogen_agentchat.agents import AssistantAgent
    from autogen_agentchat.conditions import MaxMessageTermination
    from autogen_agentchat.teams import RoundRobinGroupChat
    from autogen_ext.models.openai import OpenAIChatCompletionClient

    client = OpenAIChatCompletionClient(
        model="gpt-5", base_url=endpoint.base_url, api_key=endpoint.api_key,
        model_info={
            "vision": False, "function_calling": True, "json_output": True, "structured_output": True,
            "family": "unknown",
        },
    )
    adder = AssistantAgent("adder", model_client=client, output_content_type=Answer)
    team = RoundRobinGroupChat([adder], termination_condition=MaxMessageTermination(2),
                               custom_message_types=[_structured()])
    found = await team.run(task=question(messages))
    await client.close()
    return str(found.messages[-1].content.answer)


def _structured():
    from autogen_agentchat.messages import StructuredMessage

    return StructuredMessage[Answer]


def dspy(messages, endpoint):
    import dspy

    lm = dspy.LM(
        "openai/gpt-5", api_base=endpoint.base_url, api_key=endpoint.api_key, temperature=1.0, max_tokens=16000,
        cache=False, num_retries=0,
    )
    with dspy.context(lm=lm, adapter=dspy.JSONAdapter()):
        return str(dspy.Predict("question -> answer: int")(question=question(messages)).answer)


def agno(messages, endpoint):
    from agno.agent import Agent
    from agno.models.openai import OpenAIChat

    model = OpenAIChat(id="gpt-5", base_url=endpoint.base_url, api_key=endpoint.api_key)
    return str(Agent(model=model, output_schema=Answer, telemetry=False).run(question(messages)).content.answer)


def vercel(messages, endpoint, how):
    """Runs npm/structured.mjs: generateObject, or a loop of the default provider, which names stored items."""
    program = os.path.join(os.path.dirname(__file__), "npm", "structured.mjs")
    given = {"OPENAI_BASE_URL": endpoint.base_url, "OPENAI_API_KEY": endpoint.api_key, "QUESTION": question(messages)}
    done = subprocess.run(["node", program, how], env=os.environ | given, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr[-2000:])
    return str(json.loads(done.stdout)["answer"])


def vercel_object(messages, endpoint):
    return vercel(messages, endpoint, "object")


def vercel_tools(messages, endpoint):
    return vercel(messages, endpoint, "tools")
