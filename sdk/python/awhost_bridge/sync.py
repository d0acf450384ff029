"""The bridge for frameworks without an event loop: a separate thread with its own loop."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import Future
from types import TracebackType
from typing import Any, Coroutine, Iterable, TypeVar

from .bridge import Bridge, Control
from .episodes import Generate
from .result import EpisodeResult
from .wire import JSON

T = TypeVar("T")


class SyncBridge:
    """Bridge for synchronous code. Methods may be called from any thread; generate runs in the thread of the bridge.

        with SyncBridge(endpoint_file, framework="mine", framework_version="1.10.0") as bridge:
            results = bridge.run_coroutine(rollouts(bridge.bridge))
    """

    def __init__(self, endpoint_file: str, **hello: Any) -> None:
        self.bridge = Bridge(endpoint_file, **hello)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="awhost-bridge", daemon=True)

    def start(self) -> None:
        """Connects; raises the same errors as Bridge.start."""
        self._thread.start()
        try:
            self.run_coroutine(self.bridge.start())
        except BaseException:
            self._stop()
            raise

    def close(self) -> None:
        """Closes the bridge and ends its thread. It is idempotent."""
        if self._thread.is_alive():
            self.run_coroutine(self.bridge.close())
            self._stop()

    @property
    def settings(self) -> JSON:
        return self.bridge.settings

    def submit(self, coroutine: Coroutine[Any, Any, T]) -> Future[T]:
        """Starts a coroutine in the loop of the bridge."""
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop)

    def run_coroutine(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Runs a coroutine in the loop of the bridge and returns its result. If the caller is interrupted, the
        coroutine is canceled."""
        future = self.submit(coroutine)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def run_episodes(self, requests: Iterable[JSON], generate: Generate) -> list[EpisodeResult | BaseException]:
        """Runs episodes concurrently. An episode that raised has its exception as the result."""
        return self.run_coroutine(self._gather(requests, generate))

    def event(self, train_event: JSON) -> None:
        self.run_coroutine(self.bridge.event(train_event))

    def boundary(self, request: JSON) -> JSON:
        return self.run_coroutine(self.bridge.boundary(request))

    def flush(self) -> None:
        self.run_coroutine(self.bridge.flush())

    def on_control(self, callback: Control) -> None:
        """Registers a callback, which runs in the thread of the bridge."""
        self.bridge.on_control(callback)

    def __enter__(self) -> SyncBridge:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    async def _gather(self, requests: Iterable[JSON], generate: Generate) -> list[EpisodeResult | BaseException]:
        return await asyncio.gather(*(self.bridge.run_episode(r, generate) for r in requests), return_exceptions=True)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()
        self._loop.close()

    def _stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
