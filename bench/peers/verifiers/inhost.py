"""A harness that plays in the host process, which costs less than verifiers' own, a program for each rollout."""

import json
from contextlib import AsyncExitStack
from functools import cache

import task
import verifiers.v1 as vf
from openai import AsyncOpenAI
from verifiers.v1.harnesses.utils.mcp import call_mcp, connect_mcp
from verifiers.v1.runtimes import ProgramResult

__all__ = ["InHost"]


@cache
def client() -> AsyncOpenAI:
    """Returns the client of all rollouts."""
    return task.openai_client("http://127.0.0.1")


class Config(vf.HarnessConfig):
    """No settings."""


class InHost(vf.Harness[Config]):
    """OpenAI's client with MCP tools."""

    APPENDS_SYSTEM_PROMPT = True
    SUPPORTS_MCP = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(self, ctx, trace, runtime, endpoint, secret, mcp_urls, data) -> ProgramResult:
        """Plays one rollout."""
        openai = client().with_options(base_url=endpoint, api_key=secret)
        messages = [{"role": "user", "content": self.resolve_prompt(data)[1]}]
        config = {"mcpServers": {name: {"url": url} for name, url in mcp_urls.items()}}
        async with AsyncExitStack() as stack:
            tools, dispatch, servers = await connect_mcp(config, stack)
            while True:
                completion = await openai.chat.completions.create(model=ctx.model, messages=messages, tools=tools)
                message = completion.choices[0].message
                messages.append(message.model_dump(exclude_none=True))
                if not message.tool_calls:
                    return ProgramResult(0, message.content or "", "")
                for call in message.tool_calls:
                    arguments = json.loads(call.function.arguments)
                    result = await call_mcp(servers, dispatch, call.function.name, arguments)
                    messages.append({"role": "tool", "tool_call_id": call.id, "content": result})
