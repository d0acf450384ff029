"""OpenAI's client, and OpenEnv's client with a session for each episode. driver.py ENGINE CONCURRENCY EPISODES"""

import asyncio
import pathlib
import sys

import task
from openenv.core import GenericEnvClient


async def main(engine: str, concurrency: int, episodes: int) -> None:
    """Starts the server and plays all episodes."""
    port = str(task.free_port())
    server = task.start(sys.executable, str(pathlib.Path(__file__).with_name("server.py")), port, str(concurrency + 50))
    task.wait_for(f"http://127.0.0.1:{port}/health")
    client = task.openai_client(engine)

    async def episode(i: int) -> float:
        async with GenericEnvClient(base_url=f"http://127.0.0.1:{port}", connect_timeout_s=60) as env:
            await env.reset()

            async def add(a: int, b: int) -> str:
                return (await env.step({"a": a, "b": b})).observation["result"]

            return task.score(i, await task.solve(client, i, add))

    await task.play(concurrency, episodes, episode)
    server.terminate()


asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
