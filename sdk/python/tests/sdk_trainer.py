"""A trainer as in a framework, for tests: two steps of one episode each, or as its argument requests."""

from __future__ import annotations

import asyncio
import os
import pathlib
import signal
import sys
from typing import Any

from awhost_bridge import SyncBridge

JSON = dict[str, Any]


async def generate(request: JSON) -> JSON:
    return {"message": {"role": "ROLE_ASSISTANT", "content": [{"text": "said by " + os.environ["SAID"]}]}, "finish_reason": "FINISH_REASON_STOP", "chain": request["episode_id"]}


def train(bridge: SyncBridge, mode: str) -> None:
    def tell(event: JSON) -> None:
        bridge.run_coroutine(bridge.bridge.event(event))

    def goes_on(step: int) -> bool:
        answer = bridge.run_coroutine(bridge.bridge.boundary({"step": step}))
        return bool(answer["directive"] == "DIRECTIVE_CONTINUE")

    if not goes_on(0):
        return
    for step in (1, 2):
        result = bridge.run_coroutine(bridge.bridge.run_episode({"episode_id": f"s{step}", "split": "SPLIT_TRAIN", "step": step}, generate))
        tell({"metrics": {"step": step, "values": {"reward": result.reward}}})
        tell({"consumed": {"step": step, "version_after": step, "episodes": [{"episode_id": f"s{step}", "use": "USE_TRAINED"}]}})
        if mode == "crash":
            bridge.run_coroutine(bridge.bridge.event({"log": {"level": "info", "message": "so far"}}))
            print(1 / 0)
        if mode == "killed":
            bridge.flush()
            os.kill(os.getpid(), signal.SIGKILL)
        if mode == "halt":
            tell({"finished": {"outcome": "OUTCOME_HALTED", "reason": "loss is NaN", "step": step}})
            return
        if not goes_on(step):
            return


async def drained(bridge: SyncBridge) -> None:
    while not bridge.bridge.draining:
        await asyncio.sleep(0.01)


def main(mode: str) -> None:
    if mode == "deaf":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    with SyncBridge(os.environ["AWHOST_BRIDGE"], role="both", framework="test", framework_version="1") as bridge:
        pathlib.Path("pid").write_text(f"{os.getpid()}\n")
        if mode == "deaf":
            signal.pause()
        elif mode == "drain":
            bridge.run_coroutine(drained(bridge))
        else:
            train(bridge, mode)


if __name__ == "__main__":
    main(sys.argv[1])
