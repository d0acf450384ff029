"""The bridge for frameworks without an event loop."""

from __future__ import annotations

import asyncio
import tempfile
import threading
import unittest
from typing import Any

from awhost_bridge import BridgeLost, BridgeRefused, SyncBridge

from .adapter import Adapter, Host, Peer
from .support import answer, episode

JSON = dict[str, Any]


class Elsewhere:
    """An adapter in its own thread: synchronous code cannot run one concurrently."""

    def __init__(self, on_frame: Any = None, token: str = "secret", **options: Any) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.adapter = Adapter(self.folder.name, on_frame, **options)
        self.adapter.token = token
        self.ready = threading.Event()
        self.loop = asyncio.new_event_loop()
        self.over = asyncio.Event()
        self.thread = threading.Thread(target=lambda: self.loop.run_until_complete(self.serve()))

    async def serve(self) -> None:
        async with self.adapter:
            self.ready.set()
            await self.over.wait()

    def __enter__(self) -> Adapter:
        self.thread.start()
        self.ready.wait()
        return self.adapter

    def __exit__(self, *_: Any) -> None:
        self.loop.call_soon_threadsafe(self.over.set)
        self.thread.join()
        self.loop.close()
        self.folder.cleanup()


class SyncTest(unittest.TestCase):
    def test_episodes_side_by_side(self) -> None:
        def trainer(peer: Peer, frame: JSON) -> None:
            if frame["type"] == "boundary":
                peer.send("boundary_result", id=frame["id"], body={"directive": "DIRECTIVE_CONTINUE"})
            host(peer, frame)

        host = Host(turns=2)
        with Elsewhere(trainer) as adapter:
            with SyncBridge(adapter.file, role="both", framework="test", framework_version="1") as bridge:
                self.assertEqual({"reward_keys": ["exact"]}, bridge.settings)
                results = bridge.run_episodes([episode(f"e{i}") for i in range(10)], answer())
                self.assertEqual([f"e{i}" for i in range(10)], [r.episode_id for r in results])  # type: ignore[union-attr]
                bridge.event({"phase": {"step": 1}})
                self.assertEqual({"directive": "DIRECTIVE_CONTINUE"}, bridge.boundary({"step": 1}))
                self.assertEqual(3, bridge.run_coroutine(asyncio.sleep(0, 3)))
            self.assertNotIn("awhost-bridge", [t.name for t in threading.enumerate()])
            bridge.close()

    def test_what_one_raised_stands_in_its_place(self) -> None:
        host = Host()
        with Elsewhere(host) as adapter, SyncBridge(adapter.file, framework="test", framework_version="1") as bridge:
            first, second = bridge.run_episodes([{}, episode()], answer())
            self.assertIsInstance(first, ValueError)
            self.assertEqual(1.0, second.reward)  # type: ignore[union-attr]

    def test_refusals_are_raised_where_it_starts(self) -> None:
        with Elsewhere(token="other") as adapter, self.assertRaises(BridgeRefused):
            SyncBridge(adapter.file, framework="test", framework_version="1").start()
        self.assertNotIn("awhost-bridge", [t.name for t in threading.enumerate()])

    def test_a_wait_in_another_thread_ends_when_it_closes(self) -> None:
        with Elsewhere() as adapter:
            bridge = SyncBridge(adapter.file, framework="test", framework_version="1")
            bridge.start()
            raised: list[BaseException] = []

            def wait() -> None:
                try:
                    bridge.run_coroutine(bridge.bridge.run_episode(episode(), answer()))
                except BridgeLost as e:
                    raised.append(e)

            waiting = threading.Thread(target=wait)
            waiting.start()
            while not adapter.of("run_episode"):
                waiting.join(0.01)
            bridge.close()
            waiting.join(5)
            self.assertEqual(1, len(raised))
