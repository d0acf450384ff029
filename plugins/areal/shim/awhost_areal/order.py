"""The rows that AReaL's data loader deals out. The host owns tasks and order, so a row is only a position."""

from __future__ import annotations

from typing import Any


class TrainRows:
    """Positions in the host's order, each dealt out once.

    AReaL's loader starts over at its first row when rejected groups have used up an epoch, and a loader that is recovered
    skips the rows that were under way. A position that came again would be a group of episodes that the host has seen; so
    the loader's own index is not looked at.
    """

    def __init__(self, length: int, first: int) -> None:
        self._length, self._next = length, first

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, _: int) -> dict[str, Any]:
        row = {"awhost_index": self._next}
        self._next += 1
        return row


class ValidationRows:
    """The held-out tasks, in order."""

    def __init__(self, length: int) -> None:
        self._length = length

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, index: int) -> dict[str, Any]:
        if not 0 <= index < self._length:
            raise IndexError(index)
        return {"awhost_index": index}
