"""One bridge for a process: frameworks build an object per rollout, and connections are for workers."""

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
    """The started bridge of this process and event loop for an endpoint file; hello as for Bridge. One that was lost is
    replaced. Safe in several threads, each with a loop of its own. It is closed with the process, or by its user."""
    loop = asyncio.get_running_loop()
    key = (os.getpid(), os.path.realpath(endpoint_file), *sorted((k, _hashable(v)) for k, v in hello.items()))
    with _lock:
        bridges = _bridges.setdefault(loop, {})
        start = bridges.get(key)
        if start is None or _useless(start):
            start = bridges[key] = loop.create_task(_start(endpoint_file, hello))
    # A caller that gives up must not take the bridge from the others.
    return await asyncio.shield(start)


async def _start(endpoint_file: str, hello: dict[str, Any]) -> Bridge:
    bridge = Bridge(endpoint_file, **hello)
    await bridge.start()
    return bridge


def _useless(start: asyncio.Task[Bridge]) -> bool:
    if not start.done():
        return False
    return start.cancelled() or start.exception() is not None or start.result().lost is not None


def _hashable(value: Any) -> Any:
    return value if isinstance(value, (str, int, float)) else tuple(value)
