"""The responding side of CallService: many calls of the host over one stream, which costs less than as many gRPC calls.
The protocol is in sdk/proto/awhost/v1/calls.proto, and the caller's side in sdk/internal/multiplex."""

from __future__ import annotations

import asyncio
from typing import Any, AsyncIterator, Awaitable, Callable, Final, Mapping, NamedTuple

from . import tracing
from .status import Code, Status
from .v1 import calls_pb2

OVERHEAD_BYTES: Final = 1 << 10  # of the stream per message, by which the server's limit is larger
_BATCH_BYTES: Final = 256 << 10  # target size of one message in the stream


class Method(NamedTuple):
    """A unary method. decode and encode convert its messages; run raises what status_of converts to a status."""

    decode: Callable[[bytes], Any]
    run: Callable[[Any], Awaitable[Any]]
    encode: Callable[[Any], bytes]


class Calls:
    """Serves the calls of one stream. write sends a message, limit is the size of the largest answer in bytes, and note
    is called for each message of the host."""

    def __init__(
        self, methods: Mapping[str, Method], status_of: Callable[[str, BaseException], Status],
        write: Callable[[calls_pb2.CallsResponse], Awaitable[Any]], limit: int, note: Callable[[], None],
    ) -> None:
        self._methods, self._status_of, self._write, self._limit, self._note = methods, status_of, write, limit, note
        self._running: dict[int, asyncio.Task[None]] = {}
        self._results: list[calls_pb2.CallResult] = []
        self._more = asyncio.Event()

    async def serve(self, requests: AsyncIterator[calls_pb2.CallsRequest], over: asyncio.Event) -> None:
        """Serves until the stream ends or over is set. The end of the requests waits for the calls in progress; an
        error cancels them."""
        tasks = [asyncio.ensure_future(work) for work in (self._receive(requests), over.wait(), self._send())]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if tasks[0] in done:
                tasks[0].result()
                while self._running:
                    await asyncio.wait(list(self._running.values()))
                await self._flush()
        finally:
            for task in (*tasks, *self._running.values()):
                task.cancel()
            await asyncio.gather(*tasks, *self._running.values(), return_exceptions=True)

    async def _receive(self, requests: AsyncIterator[calls_pb2.CallsRequest]) -> None:
        loop = asyncio.get_running_loop()
        async for request in requests:
            self._note()
            for call in request.calls:
                self._running[call.id] = loop.create_task(self._answer(call))
            for call_id in request.cancelled:
                if (running := self._running.get(call_id)) is not None:
                    loop.call_soon(running.cancel)  # a task that is canceled before it begins would not answer

    async def _answer(self, call: calls_pb2.Call) -> None:
        task, expired = asyncio.current_task(), False
        assert task is not None

        def expire() -> None:
            nonlocal expired
            expired = True
            task.cancel()

        timer = None
        if call.HasField("timeout"):
            seconds = call.timeout.seconds + call.timeout.nanos / 1e9
            timer = asyncio.get_running_loop().call_later(seconds, expire)
        result = calls_pb2.CallResult(id=call.id)
        try:
            tracing.enter(((tracing.HEADER, call.traceparent),) if call.traceparent else ())
            method = self._methods.get(call.method)
            if method is None:
                raise Status(Code.UNIMPLEMENTED, f"unknown method {call.method}")
            result.message = method.encode(await method.run(method.decode(call.message)))
            if len(result.message) > self._limit:
                sizes = f"{len(result.message)} vs. {self._limit}"
                raise Status(Code.RESOURCE_EXHAUSTED, f"trying to send message larger than max ({sizes})")
        except (Exception, asyncio.CancelledError) as e:
            status = self._status_of(call.method, TimeoutError() if expired else e)
            if len(encoded := status.encoded()) > self._limit:
                encoded = Status(status.code, status.text).encoded()
            result.ClearField("message")
            result.status.MergeFromString(encoded)
        finally:
            if timer is not None:
                timer.cancel()
            if self._running.get(call.id) is task:
                del self._running[call.id]
        self._results.append(result)
        self._more.set()

    async def _send(self) -> None:
        while True:
            await self._more.wait()
            await self._flush()

    async def _flush(self) -> None:
        """Sends the results that wait, in messages of about _BATCH_BYTES."""
        self._more.clear()
        while self._results:
            n, size = 1, len(self._results[0].message)
            while n < len(self._results) and size + len(self._results[n].message) <= _BATCH_BYTES:
                size += len(self._results[n].message)
                n += 1
            batch, self._results = self._results[:n], self._results[n:]
            await self._write(calls_pb2.CallsResponse(results=batch))
