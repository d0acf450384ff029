"""A conversation as tokens, as the ledger stores it."""

from __future__ import annotations

import hashlib
import sys
from array import array
from typing import Iterable, Iterator, Sequence

from .wire import JSON


def ids_of(values: Iterable[int]) -> array[int]:
    """Returns token ids as 32-bit integers."""
    return array("i", values)


class Runs:
    """Run-length encoded values. They are arrays because thousands of episodes hold them at once: the garbage collector
    does not scan arrays."""

    __slots__ = ("values", "counts")

    def __init__(self) -> None:
        self.values: array[int] = array("q")
        self.counts: array[int] = array("q")

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return zip(self.values, self.counts)

    def append(self, value: int, count: int) -> None:
        if count <= 0:
            return
        if self.values and self.values[-1] == value:
            self.counts[-1] += count
        else:
            self.values.append(value)
            self.counts.append(count)

    def cut(self, length: int) -> None:
        """Keeps the first `length` values."""
        kept = runs = 0
        while kept < length:
            self.counts[runs] = min(self.counts[runs], length - kept)
            kept += self.counts[runs]
            runs += 1
        del self.values[runs:], self.counts[runs:]


class Chain:
    """A chain of ids that are only appended, except if an engine that renders itself reported others (cut). The cost of
    every operation depends on the new ids, not on the existing ones."""

    def __init__(self, name: str, attempt: int, agent: str, tools: list[JSON]) -> None:
        self.name = name
        self.attempt = attempt
        self.agent = agent
        self.tools = tools
        self.messages: list[str] = []  # JSON: rarely read again, and a text is one object
        self.roles: list[str] = []  # as many as messages, by their names in templates
        self.sampled: list[bool] = []  # as many as messages
        self.ends: list[int] = []  # ids up to the end of each message; -1 if that is not a position in the ids
        self.opening = 0  # messages before the first sampled one
        self.ids: array[int] = array("i")
        self.mask = bytearray()
        self.logprobs: array[float] = array("d")
        self.versions = Runs()  # -1 for ids that were not sampled
        self.turns = Runs()  # -1 for ids that were not sampled
        self.call_ids: list[str] = []  # of each turn
        self.last_sampled = 0  # where the last sampled segment starts
        self.trained = 0  # ids with mask 1
        self._hash = hashlib.sha256()

    def __len__(self) -> int:
        return len(self.ids)

    def append(self, ids: array[int]) -> None:
        """Adds ids that the policy did not write here."""
        self._extend(ids)
        self.mask += bytes(len(ids))
        self.logprobs.frombytes(bytes(8 * len(ids)))
        self.versions.append(-1, len(ids))
        self.turns.append(-1, len(ids))

    def append_sampled(
        self, ids: array[int], logprobs: Sequence[float] | None, versions: Iterable[tuple[int, int]], call_id: str,
        forced: Sequence[bool] = (),
    ) -> None:
        """Adds ids that the policy wrote. Without logprobs they are not trained, and neither are forced ones."""
        self.last_sampled = len(self.ids)
        self._extend(ids)
        if logprobs is None:
            self.mask += bytes(len(ids))
            self.logprobs.frombytes(bytes(8 * len(ids)))
        else:
            free = bytes(not f for f in forced) or b"\x01" * len(ids)
            self.mask += free
            self.logprobs.extend(p if f else 0.0 for p, f in zip(logprobs, free))
            self.trained += sum(free)
        for version, count in versions:
            self.versions.append(version, count)
        self.turns.append(len(self.call_ids), len(ids))
        self.call_ids.append(call_id)

    def cut(self, length: int) -> None:
        """Drops the ids from `length` on."""
        if length == len(self.ids):
            return
        self.trained -= sum(self.mask[length:])
        del self.ids[length:], self.mask[length:], self.logprobs[length:]
        self.versions.cut(length)
        self.turns.cut(length)
        self.ends = [end if end <= length else -1 for end in self.ends]
        self._hash = hashlib.sha256(_little_endian(self.ids))

    def digest(self) -> str:
        return self._hash.hexdigest()

    def _extend(self, ids: array[int]) -> None:
        self.ids.extend(ids)
        self._hash.update(_little_endian(ids))


def _little_endian(ids: array[int]) -> bytes:
    if sys.byteorder == "big":
        ids = ids[:]
        ids.byteswap()
    return ids.tobytes()
