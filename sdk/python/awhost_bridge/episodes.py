"""An episode that the worker waits for, and its calls."""

from __future__ import annotations

import asyncio
import logging
from typing import Awaitable, Callable

from . import wire
from .clock import ActiveClock, Timer
from .errors import GenerateError
from .wire import JSON

log = logging.getLogger("awhost.bridge")

Generate = Callable[[JSON], Awaitable[JSON]]
SendAnswer = Callable[[str], None]  # members of a `generated` frame


class Call:
    """One generate call in progress."""

    __slots__ = ("task", "timer", "expired")

    def __init__(self) -> None:
        self.task: asyncio.Task[None] | None = None
        self.timer: Timer | None = None
        self.expired = 0.0  # the deadline in seconds, when it has passed

    def stop(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
        if self.task is not None:
            self.task.cancel()


class Episode:
    """An open episode. Its calls are answered once each, even if they are repeated."""

    def __init__(self, request: JSON, generate: Generate, restart: Callable[[], None] | None, loop: asyncio.AbstractEventLoop) -> None:
        self.id: str = request["episode_id"]
        self.members = f'"body":{wire.encode(request)}'
        self.result: asyncio.Future[JSON] = loop.create_future()
        self._id = wire.encode(self.id)
        self._generate = generate
        self._restart = restart
        self._loop = loop
        self._calls: dict[str, Call] = {}
        self._answers: dict[str, str] = {}  # members of `generated` frames, by call
        self.retry_timer: asyncio.TimerHandle | None = None  # the adapter could not run the episode

    def ask(self, call_id: str, body: JSON, clock: ActiveClock, send: SendAnswer) -> None:
        """Starts a call, joins it, or repeats its response."""
        if call_id in self._calls:
            return
        if call_id in self._answers:
            return send(self._answers[call_id])
        call = self._calls[call_id] = Call()
        call.task = self._loop.create_task(self._run(call, call_id, body, send))
        if body.get("deadline"):
            self._limit(call, wire.seconds(body["deadline"]), clock)

    def abandon(self, call_id: str) -> None:
        """Ends a call whose response is no longer needed. It may be requested again."""
        self._answers.pop(call_id, None)
        call = self._calls.pop(call_id, None)
        if call is not None:
            call.stop()

    def restart(self) -> None:
        """Discards the calls, because the adapter did."""
        self.stop()
        self._answers.clear()
        if self._restart is not None:
            self._restart()

    def stop(self) -> None:
        """Ends all calls without a response, and the wait before the episode is requested again."""
        if self.retry_timer is not None:
            self.retry_timer.cancel()
            self.retry_timer = None
        calls, self._calls = self._calls, {}
        for call in calls.values():
            call.stop()

    def _limit(self, call: Call, limit: float, clock: ActiveClock) -> None:
        def expire() -> None:
            call.expired = limit
            if call.task is not None:
                call.task.cancel()

        if limit > 0:
            call.timer = clock.call_after(limit, expire)

    async def _run(self, call: Call, call_id: str, body: JSON, send: SendAnswer) -> None:
        outcome = await self._sample(call, call_id, body)
        if call.timer is not None:
            call.timer.cancel()
        if self._calls.get(call_id) is not call:
            return  # the response is no longer needed
        del self._calls[call_id]
        answer = self._answers[call_id] = f'"episode_id":{self._id},"call_id":{wire.encode(call_id)},{outcome}'
        send(answer)

    async def _sample(self, call: Call, call_id: str, body: JSON) -> str:
        try:
            answer = wire.encode(await self._generate(body))
            if len(answer) > wire.MAX_MEMBERS - 1024:
                raise ValueError(f"the answer has {len(answer)} bytes, more than a line takes")
            return f'"body":{answer}'
        except GenerateError as e:
            return error_member(e)
        except asyncio.CancelledError:
            if not call.expired or self._calls.get(call_id) is not call:
                raise
            return error_member(GenerateError("aborted", f"the call was not answered within its {call.expired:g} s"))
        except Exception as e:
            log.exception("call %s of episode %s failed", call_id, self.id)
            return error_member(GenerateError("engine", f"{type(e).__name__}: {e}"))


def error_member(error: GenerateError) -> str:
    return f'"error":{wire.encode(error.body())}'


