"""One agent for each client, written as its documentation shows it. Of awhost they have a base URL and a key.

Each returns its answer, and how often it asked the model: more calls on record would be repeats of a client's."""

import json
import os
import subprocess

import tools

FUNCTIONS = {f.__name__: f for f in tools.ALL}
SCHEMA = {
    "type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}, "required": ["a", "b"],
    "additionalProperties": False,
}
CHAT_TOOLS = [
    {"type": "function", "function": {"name": f.__name__, "description": f.__doc__, "parameters": SCHEMA}}
    for f in tools.ALL
]
RESPONSES_TOOLS = [
    {"type": "function", "name": f.__name__, "description": f.__doc__, "parameters": SCHEMA, "strict": True}
    for f in tools.ALL
]
ANTHROPIC_TOOLS = [{"name": f.__name__, "description": f.__doc__, "input_schema": SCHEMA} for f in tools.ALL]


def run(name, arguments):
    """Carries out a call. What a model got wrong is told to it."""
    try:
        return str(FUNCTIONS[name](**arguments))
    except (KeyError, TypeError, ZeroDivisionError) as error:
        return f"error: {error}"


def result(answer, calls):
    return {"answer": answer, "metrics": {"asked": calls}}


# awhost's own way of asking, for comparison.


def model_chat(messages, model):
    calls = 0
    while True:
        message = model.chat(messages, tools=CHAT_TOOLS)
        calls += 1
        if not message.tool_calls:
            return result(message.content, calls)
        messages.append(message)
        for call in message.tool_calls:
            text = run(call.function.name, json.loads(call.function.arguments))
            messages.append({"role": "tool", "tool_call_id": call.id, "content": text})


# openai: chat completions.


def chat_results(message):
    for call in message.tool_calls:
        text = run(call.function.name, json.loads(call.function.arguments))
        yield {"role": "tool", "tool_call_id": call.id, "content": text}


def openai_chat(messages, endpoint):
    from openai import OpenAI

    with OpenAI(base_url=endpoint.base_url, api_key=endpoint.api_key) as client:
        calls = 0
        while True:
            completion = client.chat.completions.create(model="gpt-5", messages=messages, tools=CHAT_TOOLS)
            calls += 1
            message = completion.choices[0].message
            if not message.tool_calls:
                return result(message.content, calls)
            messages.append(message)
            messages.extend(chat_results(message))


async def openai_chat_async(messages, endpoint):
    from openai import AsyncOpenAI

    async with AsyncOpenAI(base_url=endpoint.base_url, api_key=endpoint.api_key) as client:
        calls = 0
        while True:
            completion = await client.chat.completions.create(model="gpt-5", messages=messages, tools=CHAT_TOOLS)
            calls += 1
            message = completion.choices[0].message
            if not message.tool_calls:
                return result(message.content, calls)
            messages.append(message)
            messages.extend(chat_results(message))


def openai_chat_stream(messages, endpoint):
    from openai import OpenAI

    with OpenAI(base_url=endpoint.base_url, api_key=endpoint.api_key) as client:
        calls = 0
        while True:
            with client.chat.completions.stream(model="gpt-5", messages=messages, tools=CHAT_TOOLS) as stream:
                message = stream.get_final_completion().choices[0].message
            calls += 1
            if not message.tool_calls:
                return result(message.content, calls)
            messages.append(message)
            messages.extend(chat_results(message))


async def openai_chat_stream_async(messages, endpoint):
    """Puts chunks together by hand, as many programs do."""
    from openai import AsyncOpenAI

    async with AsyncOpenAI(base_url=endpoint.base_url, api_key=endpoint.api_key) as client:
        calls = 0
        while True:
            stream = await client.chat.completions.create(
                model="gpt-5", messages=messages, tools=CHAT_TOOLS, stream=True, stream_options={"include_usage": True}
            )
            calls += 1
            content, asked, usage = "", {}, None
            async for chunk in stream:
                usage = chunk.usage or usage
                for choice in chunk.choices:
                    content += choice.delta.content or ""
                    for part in choice.delta.tool_calls or []:
                        call = asked.setdefault(
                            part.index, {"id": "", "type": "function", "function": {"name": "", "arguments": ""}})
                        call["id"] += part.id or ""
                        call["function"]["name"] += part.function.name or ""
                        call["function"]["arguments"] += part.function.arguments or ""
            if usage.total_tokens != usage.prompt_tokens + usage.completion_tokens or usage.completion_tokens == 0:
                raise ValueError(f"odd usage: {usage}")
            if not asked:
                return result(content, calls)
            messages.append({"role": "assistant", "content": content, "tool_calls": list(asked.values())})
            for call in asked.values():
                text = run(call["function"]["name"], json.loads(call["function"]["arguments"]))
                messages.append({"role": "tool", "tool_call_id": call["id"], "content": text})


# openai: responses.


def response_results(response):
    for item in response.output:
        if item.type == "function_call":
            text = run(item.name, json.loads(item.arguments))
            yield {"type": "function_call_output", "call_id": item.call_id, "output": text}


def openai_responses(messages, endpoint):
    from openai import OpenAI

    with OpenAI(base_url=endpoint.base_url, api_key=endpoint.api_key) as client:
        items, calls = list(messages), 0
        while True:
            response = client.responses.create(model="gpt-5", input=items, tools=RESPONSES_TOOLS, store=False)
            calls += 1
            results = list(response_results(response))
            if not results:
                return result(response.output_text, calls)
            items += response.output + results


async def openai_responses_async(messages, endpoint):
    from openai import AsyncOpenAI

    async with AsyncOpenAI(base_url=endpoint.base_url, api_key=endpoint.api_key) as client:
        items, calls = list(messages), 0
        while True:
            response = await client.responses.create(model="gpt-5", input=items, tools=RESPONSES_TOOLS, store=False)
            calls += 1
            results = list(response_results(response))
            if not results:
                return result(response.output_text, calls)
            items += response.output + results


def openai_responses_stream(messages, endpoint):
    from openai import OpenAI

    with OpenAI(base_url=endpoint.base_url, api_key=endpoint.api_key) as client:
        items, calls = list(messages), 0
        while True:
            with client.responses.stream(model="gpt-5", input=items, tools=RESPONSES_TOOLS, store=False) as stream:
                response = stream.get_final_response()
            calls += 1
            results = list(response_results(response))
            if not results:
                return result(response.output_text, calls)
            items += response.output + results


async def openai_responses_stream_async(messages, endpoint):
    """Takes the finished items from the stream."""
    from openai import AsyncOpenAI

    async with AsyncOpenAI(base_url=endpoint.base_url, api_key=endpoint.api_key) as client:
        items, calls = list(messages), 0
        while True:
            stream = await client.responses.create(
                model="gpt-5", input=items, tools=RESPONSES_TOOLS, store=False, stream=True)
            calls += 1
            text, results = "", []
            async for event in stream:
                if event.type == "response.output_text.delta":
                    text += event.delta
                elif event.type == "response.output_item.done":
                    items.append(event.item)
                elif event.type == "response.completed":
                    results = list(response_results(event.response))
            if not results:
                return result(text, calls)
            items += results


# anthropic.


def anthropic_results(message):
    return [
        {"type": "tool_result", "tool_use_id": block.id, "content": run(block.name, block.input)}
        for block in message.content if block.type == "tool_use"
    ]


def anthropic_text(message):
    return "".join(block.text for block in message.content if block.type == "text")


def anthropic(messages, endpoint):
    from anthropic import Anthropic

    with Anthropic(base_url=endpoint.root_url, api_key=endpoint.api_key) as client:
        calls = 0
        while True:
            message = client.messages.create(
                model="claude-opus-5", max_tokens=1024, messages=messages, tools=ANTHROPIC_TOOLS)
            calls += 1
            results = anthropic_results(message)
            if not results:
                return result(anthropic_text(message), calls)
            messages += [{"role": "assistant", "content": message.content}, {"role": "user", "content": results}]


async def anthropic_stream_async(messages, endpoint):
    from anthropic import AsyncAnthropic

    async with AsyncAnthropic(base_url=endpoint.root_url, api_key=endpoint.api_key) as client:
        calls = 0
        while True:
            async with client.messages.stream(
                model="claude-opus-5", max_tokens=1024, messages=messages, tools=ANTHROPIC_TOOLS
            ) as stream:
                message = await stream.get_final_message()
            calls += 1
            results = anthropic_results(message)
            if not results:
                return result(anthropic_text(message), calls)
            messages += [{"role": "assistant", "content": message.content}, {"role": "user", "content": results}]


# openai-agents.


def agents_sdk(model):
    from agents import Agent, ModelSettings, function_tool, set_tracing_disabled

    set_tracing_disabled(True)  # traces go to OpenAI
    return Agent(name="Calculator", model=model, tools=[function_tool(f) for f in tools.ALL],
                 model_settings=ModelSettings(temperature=1.0))


async def openai_agents_chat(prompt, endpoint):
    from agents import OpenAIChatCompletionsModel, Runner
    from openai import AsyncOpenAI

    async with AsyncOpenAI(base_url=endpoint.base_url, api_key=endpoint.api_key) as client:
        agent = agents_sdk(OpenAIChatCompletionsModel(model="gpt-5", openai_client=client))
        out = await Runner.run(agent, prompt)
        return result(out.final_output, len(out.raw_responses))


async def openai_agents_responses(prompt, endpoint):
    from agents import OpenAIResponsesModel, Runner
    from openai import AsyncOpenAI

    async with AsyncOpenAI(base_url=endpoint.base_url, api_key=endpoint.api_key) as client:
        agent = agents_sdk(OpenAIResponsesModel(model="gpt-5", openai_client=client))
        out = await Runner.run(agent, prompt)
        return result(out.final_output, len(out.raw_responses))


async def openai_agents_stream(prompt, endpoint):
    from agents import OpenAIResponsesModel, Runner
    from openai import AsyncOpenAI

    async with AsyncOpenAI(base_url=endpoint.base_url, api_key=endpoint.api_key) as client:
        agent = agents_sdk(OpenAIResponsesModel(model="gpt-5", openai_client=client))
        out = Runner.run_streamed(agent, prompt)
        async for _ in out.stream_events():
            pass
        return result(out.final_output, len(out.raw_responses))


# LangChain, on LangGraph.


async def langchain_agent(prompt, endpoint, **options):
    from langchain.agents import create_agent
    from langchain_openai import ChatOpenAI

    model = ChatOpenAI(model="gpt-5", base_url=endpoint.base_url, api_key=endpoint.api_key, **options)
    agent = create_agent(model, tools.ALL)
    out = await agent.ainvoke({"messages": [{"role": "user", "content": prompt}]})
    return result(out["messages"][-1].text, sum(m.type == "ai" for m in out["messages"]))


async def langchain(prompt, endpoint):
    return await langchain_agent(prompt, endpoint)


async def langchain_stream(prompt, endpoint):
    return await langchain_agent(prompt, endpoint, streaming=True)


async def langchain_responses(prompt, endpoint):
    return await langchain_agent(prompt, endpoint, use_responses_api=True)


# AgentScope 2.


async def agentscope(prompt, endpoint):
    from agentscope.agent import Agent, InjectionConfig
    from agentscope.credential import OpenAICredential
    from agentscope.event import ModelCallStartEvent
    from agentscope.message import Msg, UserMsg
    from agentscope.middleware import MiddlewareBase
    from agentscope.model import OpenAIChatModel
    from agentscope.permission import PermissionBehavior, PermissionDecision
    from agentscope.tool import FunctionTool, Toolkit

    class OnlyTheTask(MiddlewareBase):
        """Omits the system prompt, which AgentScope sends even if it is empty."""

        async def on_model_call(self, agent, input_kwargs, next_handler):
            return await next_handler(messages=input_kwargs["messages"][1:])

    allow = PermissionDecision(behavior=PermissionBehavior.ALLOW, message="no confirmation")
    agent = Agent(
        name="calculator", system_prompt="", toolkit=Toolkit([FunctionTool(f, permission=allow) for f in tools.ALL]),
        model=OpenAIChatModel(
            OpenAICredential(base_url=endpoint.base_url, api_key=endpoint.api_key), "gpt-5", stream=False),
        middlewares=[OnlyTheTask()],
        injection_config=InjectionConfig(inject_runtime_state=False))  # the time differs in each episode
    calls, answer = 0, None
    async for event in agent.reply_stream(UserMsg("user", prompt), yield_final_msg=True):
        calls += isinstance(event, ModelCallStartEvent)
        answer = event.get_text_content() if isinstance(event, Msg) else answer
    return result(answer, calls)


# litellm.


def litellm(messages, endpoint):
    import litellm

    calls = 0
    while True:
        completion = litellm.completion(
            model="openai/gpt-4o", messages=messages, tools=CHAT_TOOLS, base_url=endpoint.base_url,
            api_key=endpoint.api_key)
        calls += 1
        message = completion.choices[0].message
        if not message.tool_calls:
            return result(message.content, calls)
        messages.append(message)
        messages.extend(chat_results(message))


async def litellm_stream_async(messages, endpoint):
    import litellm

    calls = 0
    while True:
        chunks = [chunk async for chunk in await litellm.acompletion(
            model="openai/gpt-4o", messages=messages, tools=CHAT_TOOLS, base_url=endpoint.base_url,
            api_key=endpoint.api_key, stream=True)]
        calls += 1
        message = litellm.stream_chunk_builder(chunks, messages=messages).choices[0].message
        if not message.tool_calls:
            return result(message.content, calls)
        messages.append(message)
        messages.extend(chat_results(message))


async def litellm_anthropic(messages, endpoint):
    """The model's name has litellm speak Anthropic's protocol."""
    import litellm

    calls = 0
    while True:
        completion = await litellm.acompletion(
            model="anthropic/claude-opus-5", messages=messages, tools=CHAT_TOOLS, base_url=endpoint.root_url,
            api_key=endpoint.api_key)
        calls += 1
        message = completion.choices[0].message
        if not message.tool_calls:
            return result(message.content, calls)
        messages.append(message)
        messages.extend(chat_results(message))


# Programs in other languages: their clients take base URL and key from the environment.


def program(prompt, endpoint, command, environment=None):
    env = dict(os.environ, OPENAI_BASE_URL=endpoint.base_url, OPENAI_API_KEY=endpoint.api_key, **(environment or {}))
    done = subprocess.run(command + [prompt], env=env, stdout=subprocess.PIPE, check=True)
    out = json.loads(done.stdout)
    return result(out["answer"], out["asked"])
