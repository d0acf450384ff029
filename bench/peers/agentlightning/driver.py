"""OpenAI's client behind Agent Lightning's gateway, with a reward event for each rollout.

driver.py ENGINE CONCURRENCY EPISODES
"""

import asyncio
import sys

import task


async def main(engine: str, concurrency: int, episodes: int) -> None:
    """Starts the server and plays all episodes, each as a rollout."""
    url = f"http://127.0.0.1:{(port := task.free_port())}"
    server = task.start("agl-server", "host=127.0.0.1", f"port={port}", "default_proxy.model_name=fake")
    task.wait_for(f"{url}/api/models")
    http = task.http_client()

    async def post(path: str, body: object) -> None:
        (await http.post(url + path, json=body)).raise_for_status()

    await post("/api/models", [{"model": "fake", "endpoint": engine}])
    client = task.openai_client(engine)

    async def episode(i: int) -> float:
        await post("/api/rollouts", [{"rollout_id": f"r{i}", "input": {"question": i}}])
        proxy = f"{url}/proxy/rollout/r{i}/attempt/0/mode/train/openai/v1"
        reward = task.score(i, await task.solve(client.with_options(base_url=proxy), i))
        event = {"event_type": "reward", "data": {"value": reward}}
        await post(f"/api/rollouts/r{i}/attempt/0/events", event)
        return reward

    await task.play(concurrency, episodes, episode)
    server.terminate()


asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
