"""Delivery of frames across connections: frames are numbered, kept until they are acknowledged, sent again on the next
connection, and dropped if they were already received. It depends neither on episodes nor on the kind of peer."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from typing import Any, Callable, Final

from awhost_bridge.connection import Connection
from awhost_bridge.errors import ProtocolError
from awhost_bridge.wire import decode_line, integer

JSON = dict[str, Any]
_ACK_FRAMES: Final = 128
_ACK_BYTES: Final = 512 << 10


class Refusal(ProtocolError):
    """Ends a connection, with a reason for the worker's log."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(f"refused: {code}: {detail}")
        self.code, self.detail = code, detail

    def line(self) -> bytes:
        return json.dumps({"type": "refused", "code": self.code, "detail": self.detail}).encode() + b"\n"


class Overflow(Exception):
    """The peer does not receive the frames sent to it."""


class Line(Connection):
    """A connection whose lines are bounded, with a short limit until the handshake has ended."""

    def __init__(self, loop: asyncio.AbstractEventLoop, on_line: Callable[["Line", bytes], None], limit: int, on_begin: Callable[["Line"], None],
                 on_end: Callable[["Line"], None]) -> None:
        super().__init__(loop, self._bounded)
        self.limit = limit
        self.handshaking = True  # the handshake has not ended
        self.owner: Any = None  # the session
        self._take = on_line
        self._on_begin, self._on_end = on_begin, on_end
        self._closing = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._on_begin(self)

    def data_received(self, data: bytes) -> None:
        if self._closing:
            return
        super().data_received(data)
        if self._part_bytes > self.limit and not self._reason:
            self._too_long()

    def _bounded(self, _: Connection, line: bytes) -> None:
        if self._closing:
            return
        if len(line) > self.limit:
            return self._too_long()
        try:
            self._take(self, line)
        except Refusal as e:
            self.refuse(e)

    def _too_long(self) -> None:
        text = f"a line is longer than {self.limit} bytes"
        if self.handshaking:
            self.refuse(Refusal("line", text))
        else:
            self.end(text)

    def refuse(self, refusal: Refusal) -> None:
        """Sends the peer the reason, and gives it a moment to read it: closing at once could discard the reason."""
        if self._closing or self._transport is None:
            return
        self._flush()
        self._closing = True
        self._reason = self._reason or str(refusal)
        self._transport.write(refusal.line())
        if self._transport.can_write_eof():
            self._transport.write_eof()
        self._loop.call_later(1.0, self.end, str(refusal))

    def close(self, reason: str) -> None:
        """Ends the connection when everything is written, or after a moment."""
        if self._closing or self._transport is None:
            return
        self._flush()
        self._closing = True
        self._reason = self._reason or reason
        self._transport.close()
        self._loop.call_later(1.0, self.end, reason)

    def write(self, line: bytes) -> None:
        if not self._closing:
            super().write(line)

    def _flush(self) -> None:
        if self._queue and not self._closing:
            super()._flush()

    @property
    def unwritten(self) -> int:
        return 0 if self._transport is None else self._transport.get_write_buffer_size()

    @property
    def peer(self) -> str:
        return "" if self._transport is None else str(self._transport.get_extra_info("peername"))

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._on_end(self)


class Stream:
    """This side's part of a session: the frames sent and not yet acknowledged, and the frames received."""

    def __init__(self, kept_bytes: int, line_bytes: int, on_ended: Callable[[], None]) -> None:
        self._limit, self._line = kept_bytes, line_bytes
        self._on_ended = on_ended
        self._kept: deque[tuple[int, str]] = deque()  # frames without their closing brace
        self._bytes = 0
        self._last = 0  # the last number assigned
        self._received = 0
        self._deferred: deque[int] = deque()  # received, but not processed yet
        self._acked = 0  # acknowledged to the peer on this connection
        self._unacked_bytes = 0  # bytes received since
        self._connection: Line | None = None
        self._overflowed = False  # the connection was ended because of it
        self._finish_reason: Exception | None = None
        # Set once the peer has sent something since the first handshake.
        self.has_received = False
        self.ended: Exception | None = None

    # Sending.

    def send(self, kind: str, **members: Any) -> None:
        """Keeps a data frame until the peer has received it. body and error are JSON texts. Raises ValueError if it is
        too long. After its end the stream sends nothing."""
        if self.ended is not None:
            return
        parts = [f'{{"type":"{kind}","seq":{self._last + 1}']
        for name, value in members.items():
            if value is not None:
                parts.append(f'"{name}":{value if name in ("body", "error") else json.dumps(value)}')
        frame = ",".join(parts)
        if len(frame) + 64 > self._line:
            raise ValueError(f"a frame {kind} has {len(frame)} bytes, a line of the bridge at most {self._line}")
        self._last += 1
        self._kept.append((self._last, frame))
        self._bytes += len(frame)
        if self._bytes > 2 * self._limit:
            self.end(Overflow(f"the peer does not read its data: {self._bytes} bytes wait"))
        elif self._connection is not None and self._bytes > self._limit and not self._overflowed:
            self._overflowed = True
            self._connection.end("too much waits to be acknowledged")
        elif self._connection is not None:
            self._connection.write(self._with_ack(frame))

    def _with_ack(self, frame: str) -> bytes:
        self._acked, self._unacked_bytes = self.processed, 0
        return f'{frame},"ack":{self._acked}}}\n'.encode()

    def _send_control(self, kind: str) -> None:
        if self._connection is not None:
            self._connection.write(self._with_ack(f'{{"type":"{kind}"'))

    # The connections.

    def resume(self, received: int) -> bool:
        """Takes the peer's received count from a handshake. Reports whether this stream can continue from there."""
        oldest = self._kept[0][0] if self._kept else self._last + 1
        if self.ended is not None or not oldest - 1 <= received <= self._last:
            return False
        self._acknowledged(received)
        if self._bytes > self._limit:
            self.end(Overflow(f"the peer does not read its data, not even on a new connection: {self._bytes} bytes wait"))
            return False
        self._overflowed = False
        return True

    def attach(self, connection: Line, ping_seconds: float) -> None:
        """Continues over a connection whose handshake has ended."""
        self._connection, self._acked, self._unacked_bytes = connection, 0, 0
        for _, frame in self._kept:
            connection.write(self._with_ack(frame))
        connection.keep_alive(ping_seconds, lambda: self._send_control("ping"))

    def detach(self) -> None:
        self._connection = None
        if self._finish_reason is not None and not self._kept and not self._deferred:
            self.end(self._finish_reason)

    def take(self, line: bytes, handle: Callable[[JSON], None]) -> None:
        """Processes a line. handle receives each new data frame, in order."""
        self.has_received = True
        try:
            frame = decode_line(line)
            if "ack" in frame:
                self._acknowledged(integer(frame["ack"]))
            seq = integer(frame["seq"]) if "seq" in frame else 0
        except (ProtocolError, ValueError, TypeError) as e:
            raise ProtocolError(str(e)) from None
        kind = frame["type"]
        if kind == "ping":
            if self._connection is not None and self._connection.unwritten > self._limit:
                return self._connection.end("the peer does not read what is sent to it")
            return self._send_control("pong")
        if kind in ("pong", "ack"):
            return None
        if seq == 0:
            return handle(frame)
        if seq <= self._received:
            return None
        if seq != self._received + 1:
            raise ProtocolError(f"frame {seq} came after {self._received}")
        self._unacked_bytes += len(line)
        handle(frame)
        self._received = seq
        if self.processed - self._acked >= _ACK_FRAMES or self._unacked_bytes >= _ACK_BYTES:
            self._send_control("ack")
        self._end_if_finished()

    def _acknowledged(self, upto: int) -> None:
        if upto > self._last:
            raise ProtocolError(f"it acknowledges frame {upto}, and only {self._last} were sent")
        while self._kept and self._kept[0][0] <= upto:
            self._bytes -= len(self._kept.popleft()[1])
        self._end_if_finished()

    # Deferred frames.

    @property
    def processed(self) -> int:
        """Returns the last frame that is processed together with all frames before it."""
        return self._deferred[0] - 1 if self._deferred else self._received

    def defer(self, seq: int) -> None:
        """Marks the frame being handled as processed only when done is called."""
        self._deferred.append(seq)

    def done(self) -> None:
        """Marks the oldest deferred frame as processed. The peer is notified at once, because it sends its kept frames
        again after a restart."""
        if self._deferred:
            self._deferred.popleft()
            self._send_control("ack")
            self._end_if_finished()

    # The end.

    def finish(self, why: Exception) -> None:
        """Ends the stream when the peer has acknowledged everything and was notified that all of its frames are
        processed."""
        self._finish_reason = self._finish_reason or why
        self._end_if_finished()

    def _end_if_finished(self) -> None:
        if self._finish_reason is None or self._kept or self._deferred or self.ended is not None:
            return
        if self._connection is not None:
            self._send_control("ack")
            self._connection._flush()
        self.end(self._finish_reason)

    def end(self, why: Exception) -> None:
        """Drops the kept frames and ends the connection."""
        if self.ended is not None:
            return
        self.ended = why
        self._kept.clear()
        self._bytes = 0
        if self._connection is not None:
            self._connection.close(str(why))
        asyncio.get_running_loop().call_soon(self._on_ended)
