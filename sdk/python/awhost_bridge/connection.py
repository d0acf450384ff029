"""One connection: bytes to lines, lines to bytes, pings. It does not depend on sessions."""

from __future__ import annotations

import asyncio
from typing import Callable, Final, cast

from .errors import ProtocolError
from .wire import MAX_LINE

_MAX_MISSED_PINGS: Final = 3  # pings without any response end a connection


class Connection(asyncio.Protocol):
    """on_line receives each line and may raise ProtocolError, which ends the connection. `ended` is done when the
    connection has ended, with the reason."""

    def __init__(self, loop: asyncio.AbstractEventLoop, on_line: Callable[[Connection, bytes], None]) -> None:
        self._loop = loop
        self._on_line = on_line
        self._transport: asyncio.Transport | None = None
        self._part: list[bytes] = []  # the beginning of a line
        self._part_bytes = 0
        self._queue: list[bytes] = []  # written in this turn of the loop
        self._reason = ""
        self._sent_at = loop.time()
        self._silent_turns = 0  # turns of _watch since data was received
        self._ping: Callable[[], None] | None = None
        self._ping_seconds = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self.ended: asyncio.Future[str] = loop.create_future()

    # Called by the loop.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # This is not asserted to be an asyncio.Transport: the transports of uvloop, whose loops AReaL and verl use, are
        # not instances of it.
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self._silent_turns = 0
        first, *rest = data.split(b"\n")
        self._part.append(first)
        self._part_bytes += len(first)
        if self._part_bytes > MAX_LINE:
            return self.end(f"a line is longer than {MAX_LINE} bytes")
        if not rest:
            return
        lines = [b"".join(self._part), *rest[:-1]]
        self._part, self._part_bytes = [rest[-1]], len(rest[-1])
        self._deliver(lines)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if not self.ended.done():
            self.ended.set_result(self._reason or (str(exc) if exc else "the adapter closed the connection"))

    # Called by the owner.

    def write(self, line: bytes) -> None:
        """Sends a line, together with all others of this turn of the loop. It never waits: the owner bounds the kept
        lines."""
        if not self._queue:
            self._loop.call_soon(self._flush)
        self._queue.append(line)

    def end(self, reason: str) -> None:
        """Ends the connection at once."""
        if not self._reason:
            self._reason = reason
        if self._transport is not None:
            self._transport.abort()

    def keep_alive(self, ping_seconds: float, ping: Callable[[], None]) -> None:
        """Calls ping if nothing was sent for this time, and ends the connection if nothing was received for three times
        as long."""
        self._ping, self._ping_seconds = ping, ping_seconds
        self._timer = self._loop.call_later(ping_seconds / 2, self._watch)

    def _deliver(self, lines: list[bytes]) -> None:
        try:
            for line in lines:
                if self._reason:
                    return
                self._on_line(self, line)
        except ProtocolError as e:
            self.end(str(e))

    def _flush(self) -> None:
        queue, self._queue = self._queue, []
        self._sent_at = self._loop.time()
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(b"".join(queue))

    def _watch(self) -> None:
        # Turns are counted, not seconds: the loop reads the received data between two of them, so a process that was
        # suspended for long, or got no CPU time, does not mistake its own pause for the adapter's silence.
        self._silent_turns += 1
        if self._silent_turns > 2 * _MAX_MISSED_PINGS:
            return self.end(f"nothing was heard for {_MAX_MISSED_PINGS * self._ping_seconds:g} s")
        if self._ping is not None and self._loop.time() - self._sent_at >= self._ping_seconds:
            self._ping()
        self._timer = self._loop.call_later(self._ping_seconds / 2, self._watch)
