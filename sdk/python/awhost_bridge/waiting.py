"""Waiting for a bounded time."""

from __future__ import annotations

import asyncio
from typing import Any, Awaitable, Callable, TypeVar

T = TypeVar("T")


async def within(awaitable: Awaitable[T], seconds: float, drop: Callable[[T], Any] | None = None) -> T:
    """Waits for a result, or raises asyncio.TimeoutError and cancels what makes it.

    Who is cancelled meanwhile is cancelled, also when the result comes at the same time, which asyncio.wait_for returns
    instead before Python 3.12; drop then gets that result.
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
