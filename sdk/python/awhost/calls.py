"""Calls of a component's methods: async ones run on the event loop, others in threads."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextvars
import functools
import inspect
from typing import Any, Callable, Final

# Threads are made on demand. A waiting method holds one, an agent for the whole episode.
_MAX_THREADS: Final = 2048
_threads: concurrent.futures.ThreadPoolExecutor | None = None


def threads() -> concurrent.futures.ThreadPoolExecutor:
    global _threads
    if _threads is None:
        _threads = concurrent.futures.ThreadPoolExecutor(_MAX_THREADS, thread_name_prefix="awhost")
    return _threads


async def call(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Returns the result of a method. If the call is canceled meanwhile, an async method is canceled too. A thread
    cannot be canceled: it is waited for, so that no other call for its episode runs concurrently."""
    if inspect.iscoroutinefunction(function):
        return await function(*args, **kwargs)
    context = contextvars.copy_context()
    running = asyncio.get_running_loop().run_in_executor(threads(), functools.partial(context.run, function, *args, **kwargs))
    try:
        out = await asyncio.shield(running)
    except asyncio.CancelledError:
        await asyncio.wait([running])
        if not running.cancelled():
            running.exception()  # the exception is no longer needed
        raise
    return await out if inspect.isawaitable(out) else out
