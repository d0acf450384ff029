"""One bridge for a process: frameworks create an object per rollout, but connections are per worker."""

from __future__ import annotations

import asyncio
import os
import threading
from typing import Any
from weakref import WeakKeyDictionary

from .bridge import Bridge

_lock = threading.Lock()
_Key = tuple[Any, ...]
_bridges: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[_Key, asyncio.Task[Bridge]]] = WeakKeyDictionary()


async def shared(endpoint_file: str, **hello: Any) -> Bridge:
    """Returns the started bridge of this process and event loop for an endpoint file; hello as for Bridge. A lost
    bridge is replaced. It is safe in several threads, each with its own loop. It is closed with the process, or by its
    user."""
    loop = asyncio.get_running_loop()
    key = (os.getpid(), os.path.realpath(endpoint_file), *sorted((k, _hashable(v)) for k, v in hello.items()))
    with _lock:
        bridges = _bridges.setdefault(loop, {})
        start = bridges.get(key)
        if start is None or _is_unusable(start):
            start = bridges[key] = loop.create_task(_start(endpoint_file, hello))
    # A canceled caller must not cancel the bridge for the others.
    return await asyncio.shield(start)


async def _start(endpoint_file: str, hello: dict[str, Any]) -> Bridge:
    bridge = Bridge(endpoint_file, **hello)
    await bridge.start()
    return bridge


def _is_unusable(start: asyncio.Task[Bridge]) -> bool:
    if not start.done():
        return False
    return start.cancelled() or start.exception() is not None or start.result().lost is not None


def _hashable(value: Any) -> Any:
    return value if isinstance(value, (str, int, float)) else tuple(value)
