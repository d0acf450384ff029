"""OpenAI's client behind rllm's gateway, which stores each call in memory. driver.py ENGINE CONCURRENCY EPISODES"""

import asyncio
import sys

import task


async def main(engine: str, concurrency: int, episodes: int) -> None:
    """Starts the gateway and plays all episodes, each in its own session."""
    url = f"http://127.0.0.1:{(port := task.free_port())}"
    options = ["--host", "127.0.0.1", "--port", str(port), "--store", "memory", "--log-level", "WARNING"]
    gateway = task.start("rllm-model-gateway", "--worker", engine, *options)
    task.wait_for(f"{url}/health")
    client = task.openai_client(engine)

    async def episode(i: int) -> float:
        session = client.with_options(base_url=f"{url}/sessions/e{i}/v1")
        return task.score(i, await task.solve(session, i))

    await task.play(concurrency, episodes, episode)
    gateway.terminate()


asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
