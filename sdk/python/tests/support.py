"""Shared parts of the bridge's tests: a folder, an adapter, and bridges that are closed at the end."""

from __future__ import annotations

import asyncio
import logging
import tempfile
import unittest
from typing import Any, Awaitable, Callable

from awhost_bridge import Bridge

from .adapter import Adapter, Host, Peer

JSON = dict[str, Any]


class BridgeTest(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        asyncio.get_running_loop().set_debug(False)  # 4,096 rollouts would take a minute
        logging.getLogger("awhost.bridge").setLevel(logging.CRITICAL)  # connections break here all the time

    async def adapter(self, on_frame: Callable[[Peer, JSON], Any] | None = None, **options: Any) -> Adapter:
        adapter = Adapter(self.folder, on_frame, **options)
        await adapter.__aenter__()
        self.addAsyncCleanup(adapter.silence)
        return adapter

    async def bridge(self, adapter: Adapter, **options: Any) -> Bridge:
        bridge = Bridge(adapter.file, framework="test", framework_version="1", **options)
        await bridge.start()
        self.addAsyncCleanup(bridge.close)
        return bridge

    async def until(self, condition: Callable[[], Any], seconds: float = 5.0) -> None:
        """Waits for a condition that the other side fulfills."""
        deadline = asyncio.get_running_loop().time() + seconds
        while not condition():
            self.assertLess(asyncio.get_running_loop().time(), deadline, "it never happened")
            await asyncio.sleep(0.002)


def answer(text: str = "x") -> Callable[[JSON], Awaitable[JSON]]:
    async def generate(request: JSON) -> JSON:
        return response(text)

    return generate


def response(text: str = "x") -> JSON:
    return {"message": {"role": "ROLE_ASSISTANT", "content": [{"text": text}]}, "chain": "c"}


def episode(name: str = "e") -> JSON:
    return {"episode_id": name, "dataset_index": 3}


__all__ = ["Adapter", "BridgeTest", "Host", "Peer", "answer", "episode", "response"]
