"""How a component's methods are called: async ones on the event loop, others in threads."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextvars
import functools
import inspect
from typing import Any, Callable, Final

# Threads are made as they are needed. A method that waits holds one, an agent for as long as an episode takes.
_MOST_THREADS: Final = 2048
_threads: concurrent.futures.ThreadPoolExecutor | None = None


def threads() -> concurrent.futures.ThreadPoolExecutor:
    global _threads
    if _threads is None:
        _threads = concurrent.futures.ThreadPoolExecutor(_MOST_THREADS, thread_name_prefix="awhost")
    return _threads


async def call(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """The result of a method. When the call is cancelled meanwhile, an async method is, too; a thread cannot be: it is waited
    for, so that nothing else is called for its episode beside it."""
    if inspect.iscoroutinefunction(function):
        return await function(*args, **kwargs)
    context = contextvars.copy_context()
    running = asyncio.get_running_loop().run_in_executor(threads(), functools.partial(context.run, function, *args, **kwargs))
    try:
        out = await asyncio.shield(running)
    except asyncio.CancelledError:
        await asyncio.wait([running])
        if not running.cancelled():
            running.exception()  # nobody asks for it any more
        raise
    return await out if inspect.isawaitable(out) else out
