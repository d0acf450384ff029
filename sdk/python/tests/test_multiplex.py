"""Calls over the shared stream, without gRPC."""

from __future__ import annotations

import asyncio
import unittest
from typing import Any, AsyncIterator

from .needs import MISSING, grpc_installed

if not MISSING:
    from awhost import tracing
    from awhost.errors import SessionLost
    from awhost.multiplex import Calls, Method
    from awhost.status import Code, of_error
    from awhost.v1 import calls_pb2


class Host:
    """The caller of a stream whose methods take and return bytes."""

    def __init__(self, limit: int = 1000) -> None:
        self.requests: asyncio.Queue[calls_pb2.CallsRequest | None] = asyncio.Queue()
        self.results: asyncio.Queue[calls_pb2.CallResult] = asyncio.Queue()
        self.noted, self.over, self.gate = 0, asyncio.Event(), asyncio.Event()
        self.ended: list[bytes] = []
        runs = (self.echo, self.waits, self.fails, self.grows, self.trace)
        methods = {f"/{run.__name__}": Method(bytes, run, bytes) for run in runs}
        calls = Calls(methods, lambda method, error: of_error(error), self.write, limit, self.note)
        self.serving = asyncio.ensure_future(calls.serve(self.read(), self.over))

    def note(self) -> None:
        self.noted += 1

    async def read(self) -> AsyncIterator[calls_pb2.CallsRequest]:
        while (request := await self.requests.get()) is not None:
            yield request

    async def write(self, response: calls_pb2.CallsResponse) -> None:
        for result in response.results:
            self.results.put_nowait(result)

    async def echo(self, message: bytes) -> bytes:
        return message

    async def waits(self, message: bytes) -> bytes:
        try:
            await self.gate.wait()
        finally:
            self.ended.append(message)
        return message

    async def fails(self, message: bytes) -> bytes:
        raise SessionLost(message.decode())

    async def grows(self, message: bytes) -> bytes:
        return message * 1000

    async def trace(self, message: bytes) -> bytes:
        return tracing.traceparent().encode()

    def call(self, number: int, method: str, message: bytes = b"", **fields: Any) -> None:
        call = calls_pb2.Call(id=number, method=method, message=message, **fields)
        self.requests.put_nowait(calls_pb2.CallsRequest(calls=[call]))

    async def result(self) -> calls_pb2.CallResult:
        return await asyncio.wait_for(self.results.get(), 30)


@grpc_installed
class MultiplexTest(unittest.IsolatedAsyncioTestCase):
    async def test_calls_run_concurrently(self) -> None:
        host = Host()
        host.call(1, "/waits", b"first")
        host.call(2, "/echo", b"second")
        result = await host.result()
        self.assertEqual((result.id, result.message, result.HasField("status")), (2, b"second", False))
        host.gate.set()
        self.assertEqual((await host.result()).message, b"first")
        self.assertEqual(host.noted, 2)
        host.requests.put_nowait(None)
        await asyncio.wait_for(host.serving, 30)

    async def test_the_end_of_the_requests_waits_for_calls(self) -> None:
        host = Host()
        host.call(1, "/waits", b"late")
        host.requests.put_nowait(None)
        asyncio.get_running_loop().call_later(0.01, host.gate.set)
        await asyncio.wait_for(host.serving, 30)
        self.assertEqual((await host.result()).message, b"late")

    async def test_cancellations_and_deadlines_end_calls(self) -> None:
        host = Host()
        host.call(1, "/waits", b"cancelled")
        host.call(2, "/waits", b"late", timeout={"nanos": 10_000_000})
        self.assertEqual((await host.result()).status.code, Code.DEADLINE_EXCEEDED)
        host.requests.put_nowait(calls_pb2.CallsRequest(cancelled=[1, 7]))
        result = await host.result()
        self.assertEqual((result.id, result.status.code), (1, Code.CANCELLED))
        self.assertEqual(host.ended, [b"late", b"cancelled"])
        host.over.set()
        await asyncio.wait_for(host.serving, 30)

    async def test_a_call_that_is_canceled_at_once_is_answered(self) -> None:
        host = Host()
        host.requests.put_nowait(calls_pb2.CallsRequest(calls=[calls_pb2.Call(id=1, method="/waits")], cancelled=[1]))
        self.assertEqual((await host.result()).status.code, Code.CANCELLED)
        host.requests.put_nowait(None)
        await asyncio.wait_for(host.serving, 30)

    async def test_the_end_of_the_process_or_stream_cancels_calls(self) -> None:
        for end in (lambda host: host.over.set(), lambda host: host.serving.cancel()):
            host = Host()
            host.call(1, "/waits", b"open")
            host.call(2, "/echo")
            await host.result()
            end(host)
            await asyncio.wait([host.serving])
            self.assertEqual(host.ended, [b"open"])

    async def test_errors_are_those_of_ordinary_calls(self) -> None:
        host = Host()
        host.call(1, "/fails", b"e1")
        result = await host.result()
        want = calls_pb2.CallStatus.FromString(of_error(SessionLost("e1")).encoded())
        self.assertEqual((result.status, result.message), (want, b""))
        host.call(2, "/grows", b"12")
        self.assertEqual((await host.result()).status.code, Code.RESOURCE_EXHAUSTED)
        host.call(3, "/missing")
        self.assertEqual((await host.result()).status.code, Code.UNIMPLEMENTED)
        host.over.set()
        await asyncio.wait_for(host.serving, 30)

    async def test_calls_carry_their_trace(self) -> None:
        host = Host()
        trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        for number, sent in ((1, trace), (2, "")):
            host.call(number, "/trace", traceparent=sent)
            self.assertEqual((await host.result()).message.decode(), sent)
        host.over.set()
        await asyncio.wait_for(host.serving, 30)


if __name__ == "__main__":
    unittest.main()
