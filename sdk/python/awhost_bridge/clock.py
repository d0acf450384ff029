"""A clock for the deadlines of calls, which stops while generation is paused."""

from __future__ import annotations

import heapq
from itertools import count
from typing import Callable, Protocol


class Handle(Protocol):
    def cancel(self) -> None: ...


class Loop(Protocol):
    """The methods of an event loop that a clock needs."""

    def time(self) -> float: ...

    def call_later(self, delay: float, callback: Callable[[], None], /) -> Handle: ...


class Timer:
    """One callback of an ActiveClock."""

    __slots__ = ("_clock", "callback")

    def __init__(self, clock: ActiveClock, callback: Callable[[], None]) -> None:
        self._clock = clock
        self.callback: Callable[[], None] | None = callback

    def cancel(self) -> None:
        if self.callback is not None:
            self.callback = None
            self._clock._cancelled()


class ActiveClock:
    """Counts seconds, except while a holder pauses it. Holders have names, so that a pause of the adapter and one of
    the framework overlap without ending one another.

    One timer of the loop serves all: thousands of calls follow one another, and hardly any deadline passes.
    """

    def __init__(self, loop: Loop) -> None:
        self._loop = loop
        self._holders: set[str] = set()
        self._held_since = 0.0
        self._held_total = 0.0
        self._timers: list[tuple[float, int, Timer]] = []  # a heap
        self._order = count()
        self._stale = 0  # canceled, but still in the heap
        self._handle: Handle | None = None
        self._armed_for = 0.0

    @property
    def paused(self) -> bool:
        return bool(self._holders)

    def now(self) -> float:
        now = self._held_since if self._holders else self._loop.time()
        return now - self._held_total

    def pause(self, holder: str) -> None:
        if not self._holders:
            self._held_since = self._loop.time()
            self._disarm()
        self._holders.add(holder)

    def resume(self, holder: str) -> None:
        if holder not in self._holders:
            return
        self._holders.discard(holder)
        if not self._holders:
            self._held_total += self._loop.time() - self._held_since
            self._arm()

    def call_after(self, delay: float, callback: Callable[[], None]) -> Timer:
        """Calls the callback after this many seconds in which the clock ran."""
        timer = Timer(self, callback)
        due = self.now() + delay
        heapq.heappush(self._timers, (due, next(self._order), timer))
        if self._handle is None or due < self._armed_for:
            self._arm()
        return timer

    def _cancelled(self) -> None:
        """Removes canceled timers once they are most of the heap."""
        self._stale += 1
        if self._stale > 64 and 2 * self._stale > len(self._timers):
            self._timers = [t for t in self._timers if t[2].callback is not None]
            heapq.heapify(self._timers)
            self._stale = 0

    def _arm(self) -> None:
        self._disarm()
        if self._timers and not self._holders:
            self._armed_for = self._timers[0][0]
            self._handle = self._loop.call_later(max(0.0, self._armed_for - self.now()), self._fire)

    def _disarm(self) -> None:
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def _fire(self) -> None:
        self._handle = None
        while self._timers and self._timers[0][0] <= self.now():
            callback = self._pop()
            if callback is not None:
                callback()
        self._arm()

    def _pop(self) -> Callable[[], None] | None:
        timer = heapq.heappop(self._timers)[2]
        callback, timer.callback = timer.callback, None
        if callback is None:
            self._stale -= 1
        return callback
