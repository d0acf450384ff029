"""The link to the adapter: finds it, performs the handshake, and reconnects whenever the connection ends.

It owns the session and the connection. Its owner handles the contents of frames.
"""

from __future__ import annotations

import asyncio
import logging
import os
import random
import socket
import time
from dataclasses import dataclass
from typing import Any, Callable, Final

from . import endpoint as endpoints
from . import wire
from .connection import Connection
from .errors import BridgeError, BridgeLost, BridgeRefused, ProtocolError
from .session import Sent, Session
from .waiting import within
from .wire import JSON

log = logging.getLogger("awhost.bridge")

_FINAL: Final = frozenset({"token", "protocol", "run", "line"})  # refusals that a repetition does not change
_HANDSHAKE_SECONDS: Final = 10.0
_BACKOFF_SECONDS: Final = (0.05, 2.0)
_DEFAULT_PING_MS: Final = 15_000
_DEFAULT_GRACE_MS: Final = 60_000
_CLOSING_SECONDS: Final = 5.0
_FLUSH_SECONDS: Final = 0.1


class _Retry(Exception):
    """This attempt to connect failed; another one may succeed."""


@dataclass(frozen=True)
class Hello:
    """The identity of this worker."""

    role: str
    framework: str
    framework_version: str
    capabilities: tuple[str, ...] = ()

    def members(self) -> JSON:
        return {
            "role": self.role,
            "framework": self.framework,
            "framework_version": self.framework_version,
            "capabilities": list(self.capabilities),
            "node": socket.gethostname(),
            "pid": os.getpid(),
        }


@dataclass(frozen=True)
class Welcome:
    """The adapter's response to hello."""

    epoch: int
    resumed: bool
    received: int
    credits: int
    ping_seconds: float
    grace_seconds: float
    settings: JSON

    @classmethod
    def parse(cls, frame: JSON) -> Welcome:
        try:
            if wire.integer(frame["protocol"]) != wire.PROTOCOL:
                raise ValueError(f"it speaks protocol {frame['protocol']!r}, this worker {wire.PROTOCOL}")
            return cls(
                epoch=wire.integer(frame.get("epoch", 0)),
                resumed=bool(frame.get("resumed")),
                received=wire.integer(frame.get("received", 0)),
                credits=wire.integer(frame["credits"]),
                ping_seconds=wire.integer(frame.get("ping_ms", _DEFAULT_PING_MS)) / 1000,
                grace_seconds=wire.integer(frame.get("grace_ms", _DEFAULT_GRACE_MS)) / 1000,
                settings=dict(frame.get("settings") or {}),
            )
        except (KeyError, TypeError, ValueError) as e:
            raise ProtocolError(f"hello_ack cannot be read: {e!r}") from None


class Link:
    """Calls its owner: `on_frame(frame)` for each data frame, once and in order; `on_welcome(welcome, lost)` after each
    handshake, with lost None if the session continued, else the frames that the adapter never confirmed, to be sent
    again; `on_lost(error)` once, when there will be no other connection."""

    def __init__(
        self,
        endpoint_file: str,
        hello: Hello,
        *,
        on_frame: Callable[[JSON], None],
        on_welcome: Callable[[Welcome, list[Sent] | None], None],
        on_lost: Callable[[BridgeError], None],
    ) -> None:
        self._endpoint_file = endpoint_file
        self._hello = hello
        self._on_frame, self._on_welcome, self._on_lost = on_frame, on_welcome, on_lost
        self._session = Session()
        self._connection: Connection | None = None  # set once the handshake has ended
        self._answer: asyncio.Future[JSON] | None = None  # to hello
        self._grace_seconds = 0.0
        self._progress = False  # the connection was useful
        self._pause = _BACKOFF_SECONDS[0]
        self._emptied: asyncio.Event = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._closing = False
        self._refused: Exception | None = None  # after the handshake: the adapter cannot read this worker's frames

    def start(self, patience_seconds: float) -> None:
        """Connects, and keeps reconnecting. The first connection may take up to patience_seconds."""
        self._grace_seconds = patience_seconds
        self._task = asyncio.get_running_loop().create_task(self._run())

    def send(self, kind: str, members: str) -> None:
        """Sends a data frame, now or after the next handshake. Raises ValueError if it exceeds the limit of a line."""
        if len(members) > wire.MAX_MEMBERS:
            raise ValueError(f"a frame {kind!r} has {len(members)} bytes, and may have {wire.MAX_MEMBERS}")
        line = self._session.frame(kind, members)
        if self._connection is None:
            return
        if self._session.overfull:
            self._connection.end(f"more than {wire.MAX_LINE} bytes wait to be acknowledged")
            self._connection = None
            return
        self._connection.write(line)

    def break_connection(self, reason: str) -> None:
        """Ends the connection, not the session."""
        if self._connection is not None:
            self._connection.end(reason)

    async def flush(self) -> None:
        """Waits until the adapter has processed everything, over as many connections as needed. It ends with the
        link."""
        while self._task is not None and not self._task.done() and not self._session.empty:
            if self._connection is not None:
                self._connection.write(self._line("ping"))  # the response acknowledges
            await asyncio.sleep(_FLUSH_SECONDS)

    async def close(self) -> None:
        """Waits until the adapter has received everything, or for a short time, and ends the connection."""
        self._closing = True
        if self._connection is not None and not self._session.empty:
            self._connection.write(self._line("ping"))
            self._emptied.clear()
            emptied = asyncio.ensure_future(self._emptied.wait())
            either: set[asyncio.Future[Any]] = {emptied, self._connection.ended}
            done, _ = await asyncio.wait(either, timeout=_CLOSING_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            emptied.cancel()
            if not done:
                log.warning("the adapter did not confirm the last frames of this worker within %g s", _CLOSING_SECONDS)
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    # Lifecycle of the link: connect, stay connected, reconnect.

    async def _run(self) -> None:
        try:
            while True:
                connection = await self._reconnect()
                reason = await connection.ended
                self._connection = None
                if isinstance(self._refused, BridgeRefused):
                    raise self._refused
                if self._closing:
                    return self._on_lost(BridgeLost("the bridge was closed"))
                log.warning("the connection to the adapter ended: %s; connecting again", reason)
        except BridgeError as e:
            self._on_lost(e)
        except asyncio.CancelledError:
            self._on_lost(BridgeLost("the bridge was closed"))
            raise
        except Exception as e:  # a bug here must not leave episodes waiting forever
            log.exception("the link to the adapter failed")
            self._on_lost(BridgeLost(f"the link to the adapter failed: {e!r}"))
        finally:
            if self._connection is not None:
                self._connection.end("closed")
                self._connection = None

    async def _reconnect(self) -> Connection:
        """Connects within the grace. The back-off restarts only after a useful connection, so that an adapter that
        accepts and breaks connections is not overloaded."""
        deadline = time.monotonic() + self._grace_seconds
        if self._progress:
            self._pause = _BACKOFF_SECONDS[0]
        elif self._pause > _BACKOFF_SECONDS[0]:
            await self._back_off()
        self._progress = False
        while True:
            try:
                connection = await self._connect()
                self._pause = min(2 * self._pause, _BACKOFF_SECONDS[1])  # unless it makes progress
                return connection
            except (BridgeRefused, BridgeLost):
                raise
            except (_Retry, BridgeError, OSError, asyncio.TimeoutError) as e:
                reason = str(e) or type(e).__name__
            if time.monotonic() + self._pause > deadline:
                raise BridgeLost(
                    f"the adapter was out of reach for {self._grace_seconds:g} s, last because: {reason}; "
                    f"it was looked for where {self._endpoint_file} says"
                )
            log.info("the adapter is out of reach: %s", reason)
            await self._back_off()

    async def _back_off(self) -> None:
        await asyncio.sleep(self._pause * (0.5 + random.random() / 2))
        self._pause = min(2 * self._pause, _BACKOFF_SECONDS[1])

    async def _connect(self) -> Connection:
        about = endpoints.read(self._endpoint_file)
        hello = self._first_line(about)
        tls = about.tls()
        loop = asyncio.get_running_loop()
        failed: list[str] = []
        for host, port in about.addresses:
            try:
                _, connection = await within(
                    loop.create_connection(
                        lambda: Connection(loop, self._on_line), host, port, ssl=tls, server_hostname=about.server_name if tls else None
                    ),
                    _HANDSHAKE_SECONDS,
                    lambda made: made[0].abort(),
                )
            except (OSError, asyncio.TimeoutError) as e:
                failed.append(f"{host}:{port}: {str(e) or type(e).__name__}")
                continue
            return await self._shake_hands(connection, hello)
        raise _Retry("; ".join(failed))

    def _first_line(self, about: endpoints.Endpoint) -> bytes:
        hello: dict[str, Any] = {"type": "hello", "protocol": [wire.PROTOCOL], "run": about.run, "epoch": about.epoch, "token": about.token()}
        hello |= {"session": self._session.id, "received": self._session.received, **self._hello.members()}
        line = wire.encode(hello).encode() + b"\n"
        if len(line) > wire.MAX_HELLO:
            raise BridgeLost(f"hello has {len(line)} bytes, and may have {wire.MAX_HELLO}: name fewer capabilities")
        return line

    async def _shake_hands(self, connection: Connection, hello: bytes) -> Connection:
        self._answer = asyncio.get_running_loop().create_future()
        connection.write(hello)
        answer: asyncio.Future[Any] = self._answer
        try:
            await asyncio.wait({answer, connection.ended}, timeout=_HANDSHAKE_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            if not answer.done():
                reason = connection.ended.result() if connection.ended.done() else f"no answer to hello for {_HANDSHAKE_SECONDS:g} s"
                raise _Retry(reason)
            answer.result()  # raises the error found by _greet
        except BaseException:
            connection.end("the handshake failed")
            raise
        finally:
            self._answer = None
        return connection

    # Handling of lines. Everything happens in the call that delivers the line, so that frames stay in order.

    def _on_line(self, connection: Connection, line: bytes) -> None:
        frame = wire.decode_line(line)
        if connection is not self._connection:
            self._greet(connection, frame)
            return
        if "ack" in frame:
            self._acknowledged(frame["ack"])
        kind = frame["type"]
        if kind == "ping":
            connection.write(self._line("pong"))
        elif kind == "refused":
            self._refused = _refusal(frame)
            connection.end(str(self._refused))
        elif "seq" in frame:
            if self._session.accept(frame, len(line)):
                self._progress = True
                self._on_frame(frame)
            if self._session.owes_ack:
                connection.write(self._line("ack"))

    def _greet(self, connection: Connection, frame: JSON) -> None:
        """Handles the response to hello."""
        answer = self._answer
        if answer is None or answer.done():
            return  # of an abandoned connection
        try:
            self._welcome(connection, self._read_answer(frame))
        except Exception as e:
            self._connection = None
            answer.set_exception(e)
            connection.end("the handshake failed")
            return
        answer.set_result(frame)

    def _read_answer(self, frame: JSON) -> Welcome:
        if frame["type"] == "hello_ack":
            return Welcome.parse(frame)
        if frame["type"] != "refused":
            raise ProtocolError(f"the adapter answered hello with a frame {frame['type']!r}")
        raise _refusal(frame)

    def _welcome(self, connection: Connection, welcome: Welcome) -> None:
        lost: list[Sent] | None = None
        if welcome.resumed:
            self._session.acknowledged(welcome.received)
        else:
            lost = self._session.restart()
        if self._session.overfull:
            raise BridgeLost(f"more than {wire.MAX_LINE} bytes wait for an adapter that does not take them")
        self._grace_seconds = welcome.grace_seconds
        self._connection = connection
        for line in self._session.waiting():
            connection.write(line)
        connection.keep_alive(welcome.ping_seconds, lambda: connection.write(self._line("ping")))
        self._on_welcome(welcome, lost)

    def _acknowledged(self, upto: Any) -> None:
        try:
            self._session.acknowledged(wire.integer(upto))
        except ValueError:
            raise ProtocolError(f"ack is {upto!r}") from None
        self._progress = True
        if self._session.empty:
            self._emptied.set()

    def _line(self, kind: str) -> bytes:
        return f'{{"type":"{kind}","ack":{self._session.ack()}}}\n'.encode()


def _refusal(frame: JSON) -> Exception:
    code, detail = str(frame.get("code", "")), str(frame.get("detail", ""))
    if code in _FINAL:
        return BridgeRefused(code, detail)
    return _Retry(f"the adapter refused for now ({code}): {detail}")
