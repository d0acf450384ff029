"""Agents for the quick start. Nothing of awhost is imported: what an agent needs it gets by the names of its parameters."""

import asyncio


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
