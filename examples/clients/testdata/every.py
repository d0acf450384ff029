"""Each episode is played by another client, by its place in the step: for comparison with a run that one has played."""

import asyncio
import inspect
import re

import clients

CLIENTS = {
    name: value for name, value in vars(clients).items()
    if inspect.isfunction(value) and "endpoint" in inspect.signature(value).parameters
    and name not in ("program", "langchain_agent")
}


async def every(messages, prompt, endpoint, episode_id, programs):
    group, sample = map(int, re.search(r"/g(\d+)/s(\d+)$", episode_id).groups())
    names = sorted([*CLIENTS, *programs], key="agentscope".__eq__)  # the others keep their tasks
    name = names[(group * 4 + sample) % len(names)]
    client, given = CLIENTS.get(name, clients.program), {"messages": messages, "prompt": prompt, "endpoint": endpoint}
    given.update(programs.get(name, {}))
    given = {k: v for k, v in given.items() if k in inspect.signature(client).parameters}
    if inspect.iscoroutinefunction(client):
        out = await client(**given)
    else:
        out = await asyncio.to_thread(client, **given)
    return dict(out, metadata={"client": name, "clients": names})
