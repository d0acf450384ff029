"""Agents for the quick start. Nothing of awhost is imported: what an agent needs it gets by the names of its parameters."""

import asyncio
import json


def solve(messages, model, tools):
    """Lets the model use tools until it answers."""
    while True:
        message = model.chat(messages, tools=tools.list())
        messages.append(message)
        results = tools.execute(message)
        if not results:
            return message.content
        messages += results


async def solve_twice(messages, model, tools):
    """Asks for two first messages at once, and goes on from the one that calls a tool."""
    first = await asyncio.gather(*[model.chat(messages, tools=tools.list()) for _ in range(2)])
    message = first[0] if first[0].tool_calls else first[1]
    talk = messages + [message]
    while results := await tools.execute(message):
        message = await model.chat(talk + results, tools=tools.list())
        talk += results + [message]
    return message.content


async def solve_with_openai(messages, endpoint, tools):
    """The same with OpenAI's own client, as an agent has it that was written for it: only base URL and key are new."""
    from openai import AsyncOpenAI

    async with AsyncOpenAI(base_url=endpoint.base_url, api_key=endpoint.api_key) as client:
        while True:
            completion = await client.chat.completions.create(model="policy", messages=messages, tools=tools.list())
            message = completion.choices[0].message
            messages.append(message)
            results = await tools.execute(message)
            if not results:
                return message.content
            messages += results


async def solve_with_mcp(messages, endpoint, mcp):
    """The same with the tools by an MCP client: an agent as it is where nobody trains it, but for URLs and keys."""
    import json

    from fastmcp import Client
    from openai import AsyncOpenAI

    openai = AsyncOpenAI(base_url=endpoint.base_url, api_key=endpoint.api_key)
    async with openai as client, Client(mcp.config) as server:
        offered = [
            {"name": t.name, "description": t.description, "parameters": t.inputSchema}
            for t in await server.list_tools()
        ]
        tools = [{"type": "function", "function": f} for f in offered]
        while True:
            completion = await client.chat.completions.create(model="policy", messages=messages, tools=tools)
            message = completion.choices[0].message
            messages.append(message)
            if not message.tool_calls:
                return message.content
            for call in message.tool_calls:
                arguments = json.loads(call.function.arguments)
                result = await server.call_tool(call.function.name, arguments, raise_on_error=False)
                messages.append({"role": "tool", "tool_call_id": call.id, "content": result.content[0].text})
