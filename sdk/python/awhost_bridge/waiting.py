"""Waiting for a bounded time."""

from __future__ import annotations

import asyncio
from typing import Any, Awaitable, Callable, TypeVar

T = TypeVar("T")


async def within(awaitable: Awaitable[T], seconds: float, drop: Callable[[T], Any] | None = None) -> T:
    """Waits for a result, or raises asyncio.TimeoutError and cancels the awaitable.

    A caller that is canceled meanwhile is canceled even if the result arrives at the same time, in which case
    asyncio.wait_for before Python 3.12 returns the result instead. drop then receives that result.
    """

    def dispose(of: asyncio.Future[T]) -> None:
        if not of.cancelled() and of.exception() is None and drop is not None:
            drop(of.result())

    task = asyncio.ensure_future(awaitable)
    try:
        await asyncio.wait({task}, timeout=seconds)
        late = not task.done()
        if late:
            task.cancel()
            await asyncio.wait({task})
    except asyncio.CancelledError:
        task.cancel()
        task.add_done_callback(dispose)
        raise
    if late and task.cancelled():
        raise asyncio.TimeoutError
    return task.result()
