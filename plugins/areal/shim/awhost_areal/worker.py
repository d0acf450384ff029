"""The connection of a rollout worker to the adapter, once per process."""

from __future__ import annotations

import asyncio
from typing import Any

from awhost_bridge import BridgeError, BridgeLost, BridgeRefused, shared

from awhost_areal.request import Settings

# AReaL draws another prompt for each sample that fails, at once and for ever: thousands of attempts a second, none of which
# anybody would answer. Where the adapter wants no more episodes, or is gone, a worker waits until its process is ended.


async def connect(settings: Settings, *capabilities: str) -> Any:
    """Does not return where there is no way to the adapter: it finds the reason in AReaL's log, and ends the run."""
    try:
        return await shared(
            settings.endpoint_file, role="rollout", framework="areal", framework_version=settings.framework_version,
            capabilities=capabilities,
        )
    except BridgeError as error:
        await _out_of_reach(error)


async def _out_of_reach(error: BaseException) -> None:
    print(f"awhost: a rollout worker cannot reach awhost: {error}", flush=True)  # the adapter looks for these words
    await asyncio.Event().wait()


async def end_if_drained(bridge: Any) -> None:
    """Does not return where the adapter has asked for no more episodes."""
    if bridge.draining:
        await asyncio.Event().wait()


async def give_up(error: BaseException) -> None:
    """Does not return where the adapter is gone; should it be there after all, it finds the reason in AReaL's log."""
    if isinstance(error, (BridgeLost, BridgeRefused)):
        await _out_of_reach(error)


async def report_lost(bridge: Any, episode_id: str, why: str) -> None:
    """Says that an episode with a result cannot be used: the adapter counts it as trained, or will wait for its group for ever. It
    has heard so when this returns, before AReaL gets the sample."""
    await bridge.event({"log": {"level": "warn", "message": f"episode {episode_id} cannot be used: {why}"}})
    await bridge.event({"consumed": {"episodes": [{"episode_id": episode_id, "use": "USE_LOST"}]}})
    await bridge.flush()


def trains(result: Any) -> bool:
    """Whether the host means an episode to be trained, which is what the adapter counts on."""
    return (
        result.reward is not None and not result.masked and not result.drop_group and result.outcome not in ("dropped", "cancelled")
        and any(chain.train for chain in result.chains)
    )
