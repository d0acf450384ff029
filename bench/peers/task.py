"""The task of the comparison, and an agent with OpenAI's client that plays it. The drivers share this file."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Awaitable, Callable

from openai import AsyncOpenAI

TOOL = {
    "name": "add",
    "description": "Adds two integers.",
    "parameters": {
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
        "required": ["a", "b"],
    },
}


def numbers(i: int) -> tuple[int, int]:
    """Returns the numbers that question i adds."""
    return i % 1000 + 10, i % 7 + 1


def question(i: int) -> str:
    """Returns the text of question i."""
    a, b = numbers(i)
    return f"Q{i}: what is {a} + {b}? Use the tool."


def score(i: int, answer: str) -> float:
    """Returns 1 for the correct answer to question i."""
    return float(f"<answer>{sum(numbers(i))}</answer>" in answer)


def raises(i: int) -> bool:
    """Reports whether the reward of question i raises an exception where the run asks for it."""
    return "--raise" in sys.argv and i % 20 == 7


def http_client():
    """Returns an HTTP client of the library that OpenAI's client uses, without a limit on connections."""
    import httpx2

    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=None)
    return httpx2.AsyncClient(limits=limits, timeout=600)


def openai_client(base_url: str) -> AsyncOpenAI:
    """Returns OpenAI's client, which makes each request once."""
    return AsyncOpenAI(base_url=base_url, api_key="unused", http_client=http_client(), max_retries=0)


def add(a: int, b: int) -> str:
    """Implements the tool in this process."""
    return str(a + b)


async def solve(client: AsyncOpenAI, i: int, tool: Callable[[int, int], Awaitable[str]] | None = None) -> str:
    """Plays question i and returns the answer."""
    messages = [{"role": "user", "content": question(i)}]
    tools = [{"type": "function", "function": TOOL}]
    while True:
        completion = await client.chat.completions.create(model="fake", messages=messages, tools=tools)
        message = completion.choices[0].message
        messages.append(message.model_dump(exclude_none=True))
        if not message.tool_calls:
            return message.content or ""
        for call in message.tool_calls:
            arguments = json.loads(call.function.arguments)
            result = await tool(**arguments) if tool else add(**arguments)
            messages.append({"role": "tool", "tool_call_id": call.id, "content": result})


async def play(concurrency: int, episodes: int, episode: Callable[[int], Awaitable[float]]) -> None:
    """Plays the episodes and prints their outcome. An exception makes an episode a failed one."""
    left, rewards, failed = iter(range(episodes)), [], []

    async def work() -> None:
        for i in left:
            try:
                rewards.append(await episode(i))
            except Exception as e:
                failed.append(i)
                if len(failed) < 4:
                    print(f"episode {i} failed: {e!r}", file=sys.stderr)

    await asyncio.gather(*(work() for _ in range(concurrency)))
    report(rewards, len(failed))


def report(rewards: list[float], failed: int) -> None:
    """Prints the outcome, which has to be the last line."""
    print(json.dumps({"scored": len(rewards), "failed": failed, "zero": rewards.count(0)}), flush=True)


def start(*args: str) -> subprocess.Popen:
    """Starts a program. Its output goes to the log."""
    return subprocess.Popen(args, stdout=sys.stderr)


def lines(name: str) -> list[dict]:
    """Returns the complete lines of a JSONL file, or an empty list if the file is missing."""
    if not os.path.exists(name):
        return []
    with open(name) as file:
        return [json.loads(line) for line in file if line.endswith("\n")]


def report_if_ended(count: Callable[[], tuple[list[float], int]]) -> None:
    """Prints the outcome so far if the program is cut off."""

    def end(*_: object) -> None:
        report(*count())
        sys.exit(1)

    signal.signal(signal.SIGTERM, end)


def wait_for(url: str, seconds: float = 60) -> None:
    """Waits until a server responds."""
    for _ in range(int(seconds / 0.05)):
        try:
            urllib.request.urlopen(url, timeout=5).close()
            return
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.05)
    raise TimeoutError(f"{url} does not respond")


def free_port() -> int:
    """Returns a free port on loopback."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]
