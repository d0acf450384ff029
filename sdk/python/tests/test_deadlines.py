"""Deadlines of calls, which stop during pauses."""

from __future__ import annotations

import asyncio
import heapq
from typing import Any, Callable

from awhost_bridge.clock import ActiveClock

from .adapter import result_of
from .support import BridgeTest, answer, episode, response
from unittest import TestCase

JSON = dict[str, Any]


class FakeLoop:
    """A clock that advances on request."""

    def __init__(self) -> None:
        self.now = 100.0
        self.timers: list[tuple[float, int, FakeHandle]] = []

    def time(self) -> float:
        return self.now

    def call_later(self, delay: float, callback: Callable[[], None], /) -> FakeHandle:
        handle = FakeHandle(callback)
        heapq.heappush(self.timers, (self.now + delay, len(self.timers) + id(handle), handle))
        return handle

    def pass_seconds(self, seconds: float) -> None:
        end = self.now + seconds
        while self.timers and self.timers[0][0] <= end:
            self.now, _, handle = heapq.heappop(self.timers)
            if handle.callback is not None:
                handle.callback()
        self.now = end


class FakeHandle:
    def __init__(self, callback: Callable[[], None]) -> None:
        self.callback: Callable[[], None] | None = callback

    def cancel(self) -> None:
        self.callback = None


class ClockTest(TestCase):
    def setUp(self) -> None:
        self.loop = FakeLoop()
        self.clock = ActiveClock(self.loop)
        self.fired: list[float] = []

    def after(self, seconds: float) -> Any:
        return self.clock.call_after(seconds, lambda: self.fired.append(self.loop.now - 100))

    def test_without_a_pause(self) -> None:
        self.after(2)
        self.loop.pass_seconds(1.9)
        self.assertEqual([], self.fired)
        self.loop.pass_seconds(5)
        self.assertEqual([2.0], self.fired)

    def test_a_pause_moves_it(self) -> None:
        self.after(2)
        self.loop.pass_seconds(1)
        self.clock.pause("framework")
        self.loop.pass_seconds(10)
        self.clock.resume("framework")
        self.loop.pass_seconds(0.5)
        self.assertEqual([], self.fired)
        self.loop.pass_seconds(1)
        self.assertEqual([12.0], self.fired)

    def test_pauses_overlap(self) -> None:
        """The clock stops from the first to the last of the adapter's and the framework's pauses."""
        self.after(2)
        self.clock.pause("adapter")
        self.loop.pass_seconds(1)
        self.clock.pause("framework")
        self.clock.pause("framework")
        self.loop.pass_seconds(1)
        self.clock.resume("adapter")
        self.loop.pass_seconds(5)
        self.clock.resume("framework")
        self.clock.resume("framework")
        self.loop.pass_seconds(10)
        self.assertEqual([9.0], self.fired)

    def test_many_pauses(self) -> None:
        self.after(3)
        for _ in range(5):
            self.loop.pass_seconds(0.5)
            self.clock.pause("framework")
            self.loop.pass_seconds(7)
            self.clock.resume("framework")
        self.loop.pass_seconds(0.4)
        self.assertEqual([], self.fired)
        self.loop.pass_seconds(0.1)
        self.assertEqual([38.0], self.fired)

    def test_one_that_begins_in_a_pause(self) -> None:
        self.clock.pause("adapter")
        self.after(2)
        self.loop.pass_seconds(50)
        self.assertTrue(self.clock.paused)
        self.clock.resume("adapter")
        self.loop.pass_seconds(3)
        self.assertEqual([52.0], self.fired)

    def test_cancelled(self) -> None:
        for pause in (False, True):
            timer = self.after(1)
            if pause:
                self.clock.pause("x")
                self.loop.pass_seconds(2)
            timer.cancel()
            self.clock.resume("x")
            self.loop.pass_seconds(9)
        self.assertEqual([], self.fired)

    def test_answered_calls_leave_nothing(self) -> None:
        """Thousands of calls are answered long before their deadlines."""
        self.after(600)
        for _ in range(10_000):
            self.after(600).cancel()
        self.assertLess(len(self.clock._timers), 200)
        self.loop.pass_seconds(601)
        self.assertEqual([600.0], self.fired)

    def test_a_resume_without_a_pause_is_nothing(self) -> None:
        self.after(1)
        self.clock.resume("adapter")
        self.loop.pass_seconds(2)
        self.assertEqual([1.0], self.fired)


class DeadlineTest(BridgeTest):
    async def begin(self, seconds: str) -> tuple[Any, Any, Any]:
        async def generate(request: JSON) -> JSON:
            await asyncio.sleep(60)
            return response()

        adapter = await self.adapter()
        bridge = await self.bridge(adapter)
        running = asyncio.create_task(bridge.run_episode(episode(), generate))
        await self.until(lambda: adapter.of("run_episode"))
        adapter.peer.send("generate", body={"episode_id": "e", "call_id": "k", "deadline": seconds})
        self.addCleanup(running.cancel)
        return adapter, bridge, running

    async def test_a_call_that_takes_too_long_is_aborted(self) -> None:
        adapter, _, running = await self.begin("0.050s")
        await self.until(lambda: adapter.of("generated"))
        (frame,) = adapter.of("generated")
        self.assertEqual({"kind": "KIND_ABORTED", "detail": "the call was not answered within its 0.05 s"}, frame["error"])
        adapter.peer.send("generate", body={"episode_id": "e", "call_id": "k", "deadline": "9s"})
        await self.until(lambda: len(adapter.of("generated")) == 2)
        self.assertEqual(frame["error"], adapter.of("generated")[1]["error"], "the answer is stored")
        adapter.peer.send("result", episode_id="e", body=result_of("e"))
        await running

    async def test_not_while_generation_is_paused(self) -> None:
        adapter, bridge, _ = await self.begin("0.05s")
        bridge.pause()
        adapter.peer.send("control", body={"action": "ACTION_PAUSE"})
        await asyncio.sleep(0.15)
        bridge.resume()
        await asyncio.sleep(0.1)
        self.assertTrue(bridge.paused)
        self.assertEqual([], adapter.of("generated"))
        adapter.peer.send("control", body={"action": "ACTION_RESUME"})
        await self.until(lambda: adapter.of("generated"))

    async def test_an_answer_in_time_stops_the_clock(self) -> None:
        adapter = await self.adapter()
        bridge = await self.bridge(adapter)
        running = asyncio.create_task(bridge.run_episode(episode(), answer()))
        await self.until(lambda: adapter.of("run_episode"))
        adapter.peer.send("generate", body={"episode_id": "e", "call_id": "k", "deadline": "0.05s"})
        await self.until(lambda: adapter.of("generated"))
        await asyncio.sleep(0.1)
        self.assertEqual(1, len(adapter.of("generated")))
        running.cancel()
