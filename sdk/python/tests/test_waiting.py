"""Waiting for a bounded time, and cancellation meanwhile."""

from __future__ import annotations

import asyncio
import unittest

from awhost_bridge import Bridge
from awhost_bridge.waiting import within

from .support import BridgeTest


class WithinTest(unittest.IsolatedAsyncioTestCase):
    async def test_a_result_is_returned_and_an_error_is_raised(self) -> None:
        self.assertEqual(1, await within(asyncio.sleep(0, 1), 60))
        future: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        future.set_exception(ValueError("x"))
        with self.assertRaises(ValueError):
            await within(future, 60)

    async def test_what_takes_too_long_is_cancelled(self) -> None:
        task = asyncio.ensure_future(asyncio.sleep(60))
        with self.assertRaises(asyncio.TimeoutError):
            await within(task, 0.001)
        self.assertTrue(task.cancelled())

    async def test_what_others_cancel_is_not_late(self) -> None:
        task = asyncio.ensure_future(asyncio.sleep(60))
        asyncio.get_running_loop().call_soon(task.cancel)
        with self.assertRaises(asyncio.CancelledError):
            await within(task, 60)

    async def test_a_cancellation_that_comes_with_the_result_is_one(self) -> None:
        for ticks in range(6):
            with self.subTest(ticks=ticks):
                made: asyncio.Future[int] = asyncio.get_running_loop().create_future()
                dropped: list[int] = []
                waiting = asyncio.ensure_future(within(made, 60, dropped.append))
                await asyncio.sleep(0)
                made.set_result(7)
                for _ in range(ticks):
                    if not waiting.done():
                        await asyncio.sleep(0)
                if waiting.done():
                    self.assertEqual(7, await waiting)
                    continue
                waiting.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await waiting
                await asyncio.sleep(0)
                self.assertEqual([7], dropped)


class ClosingTest(BridgeTest):
    async def test_a_bridge_that_is_closed_while_it_connects_ends(self) -> None:
        adapter = await self.adapter()
        for ticks in range(40):  # at every step of its progress
            with self.subTest(ticks=ticks):
                bridge = Bridge(adapter.file, framework="test", framework_version="1")
                starting = asyncio.ensure_future(bridge.start())
                for _ in range(ticks):
                    await asyncio.sleep(0)
                closed, _ = await asyncio.wait({asyncio.ensure_future(bridge.close())}, timeout=10)
                self.assertTrue(closed, "it still runs")
                await asyncio.gather(starting, return_exceptions=True)
