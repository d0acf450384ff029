"""A session, which delivers frames across connections. This module does no input or output.

Each side numbers its data frames from 1, keeps them until the peer confirms that it processed them, and sends the rest
again after a reconnect. A frame whose number was already processed is dropped; a gap is an error.
"""

from __future__ import annotations

import secrets
from collections import deque
from typing import Final, NamedTuple

from .errors import ProtocolError
from .wire import JSON, MAX_LINE, integer

ACK_EVERY: Final = 256  # frames
ACK_EVERY_BYTES: Final = 1 << 20


class Sent(NamedTuple):
    """A data frame that waits to be acknowledged."""

    seq: int
    line: bytes
    type: str
    members: str  # the rest of the line after seq and ack, for renumbering


class Session:
    def __init__(self) -> None:
        self.id = secrets.token_hex(16)
        self.received = 0  # the last number that was processed
        self._acked = 0  # the last number acknowledged to the peer
        self._unacked_bytes = 0  # received since
        self._last = 0  # the last number assigned
        self._outbox: deque[Sent] = deque()
        self._bytes = 0

    def frame(self, kind: str, members: str) -> bytes:
        """Makes the next data frame, with the current acknowledgment, and keeps it. members is JSON without braces."""
        self._last += 1
        self.ack()
        comma = "," if members else ""
        line = f'{{"type":"{kind}","seq":{self._last},"ack":{self.received}{comma}{members}}}\n'.encode()
        self._outbox.append(Sent(self._last, line, kind, members))
        self._bytes += len(line)
        return line

    def accept(self, frame: JSON, size: int) -> bool:
        """Reports whether a data frame of this size in bytes is new and must be processed."""
        seq = _number(frame, "seq")
        if seq <= self.received:
            return False
        if seq != self.received + 1:
            raise ProtocolError(f"frame {seq} came after frame {self.received}: some are missing")
        self.received = seq
        self._unacked_bytes += size
        return True

    def acknowledged(self, upto: int) -> None:
        """Drops the frames that the peer has processed."""
        if upto > self._last:
            raise ProtocolError(f"frame {upto} is acknowledged, and only {self._last} were sent")
        while self._outbox and self._outbox[0].seq <= upto:
            self._bytes -= len(self._outbox.popleft().line)

    @property
    def owes_ack(self) -> bool:
        return self.received - self._acked >= ACK_EVERY or self._unacked_bytes >= ACK_EVERY_BYTES

    def ack(self) -> int:
        """Returns the number to acknowledge now."""
        self._acked = self.received
        self._unacked_bytes = 0
        return self.received

    def waiting(self) -> list[bytes]:
        """Returns the frames to send after a reconnect."""
        return [sent.line for sent in self._outbox]

    @property
    def empty(self) -> bool:
        return not self._outbox

    @property
    def overfull(self) -> bool:
        return self._bytes > MAX_LINE

    def restart(self) -> list[Sent]:
        """Restarts the count from 1, for an adapter that does not have the session. Returns the frames that it never
        confirmed."""
        lost = list(self._outbox)
        self.received = self._acked = self._last = self._bytes = self._unacked_bytes = 0
        self._outbox.clear()
        return lost


def _number(frame: JSON, name: str) -> int:
    value = frame.get(name)
    if type(value) is int:
        return value
    try:
        return integer(frame[name])
    except (KeyError, ValueError):
        raise ProtocolError(f"a frame {frame.get('type')!r} has no {name}") from None
