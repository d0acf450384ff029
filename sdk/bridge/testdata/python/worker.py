"""A worker as a framework would have it: runs episodes side by side, reports steps, and says what came out.

usage: worker.py ENDPOINT_FILE EPISODES STEPS
"""

import asyncio
import json
import sys

from awhost_bridge import Bridge


async def main(endpoint_file: str, episodes: int, steps: int) -> None:
    calls: dict[str, int] = {}

    async def generate(request):
        calls[request["call_id"]] = calls.get(request["call_id"], 0) + 1
        await asyncio.sleep(0)
        return {
            "message": {"role": "ROLE_ASSISTANT", "content": [{"text": "answer to " + request["call_id"]}]},
            "finish_reason": "FINISH_REASON_STOP",
            "usage": {"prompt_tokens": "5", "output_tokens": 2},
            "chain": request["episode_id"] + "/1",
            "chain_length": request["base"] + 2,
        }

    async def run(bridge, name):
        result = await bridge.run_episode({"episode_id": name, "group_id": "g", "group_size": 1, "stage": "main", "split": "SPLIT_TRAIN", "step": "1"}, generate)
        return result.reward

    async def report(bridge):
        answers = []
        for step in range(steps):
            for i in range(2):
                await bridge.event({"log": {"level": "info", "message": str(2 * step + i)}})
            answers.append((await bridge.boundary({"step": step}))["reason"])
        return answers

    bridge = Bridge(endpoint_file, role="both", framework="test", framework_version="1")
    await bridge.start()
    names = [f"e{i:04d}" for i in range(episodes)]
    *rewards, answers = await asyncio.gather(*(run(bridge, name) for name in names), report(bridge))
    await bridge.close()
    print(json.dumps({"rewards": rewards, "answers": answers, "calls": calls, "settings": bridge.settings}))


asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
