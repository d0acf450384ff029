"""The samples of one prompt, which AReaL runs side by side and compares with one another."""

from __future__ import annotations

import asyncio
import dataclasses
from typing import Any

Row = dict[str, Any]


@dataclasses.dataclass(frozen=True)
class Sample:
    """What became of one sample. ``row`` is None where nothing was sampled that could be a row."""

    row: Row | None = None
    reward: float | None = None  # None: nobody gave a number
    drop_sample: bool = False

    @property
    def scored(self) -> bool:
        return self.row is not None and self.reward is not None and not self.drop_sample


class Group:
    """Waits for all samples of a prompt, because what a sample without a number becomes depends on its siblings.

    Before 2.0 AReaL normalises rewards in fixed strides of the group's size: a group with a row less would shift every
    group after it (AReaL #1454). So a sample without a number keeps its row there, with nothing of it trained and the mean of
    its siblings' rewards, which leaves their baseline as it is.
    """

    def __init__(self, size: int, keep_size: bool) -> None:
        self._size, self._keep_size = size, keep_size
        self._samples: dict[int, Sample] = {}
        self._complete = asyncio.Event()

    async def settle(self, index: int, sample: Sample) -> Row | None:
        """Puts a sample in and returns its row, or None where AReaL should reject it."""
        self._samples[index] = sample
        if len(self._samples) == self._size:
            self._complete.set()
        await self._complete.wait()
        return self._row(sample)

    def _row(self, sample: Sample) -> Row | None:
        samples = self._samples.values()
        scored = [s for s in samples if s.scored]
        if not scored:
            return None
        if sample.scored:
            return _rewarded(sample.row, float(sample.reward))
        if sample.drop_sample and not self._keep_size:
            return None
        mean = sum(float(s.reward) for s in scored) / len(scored)
        return _rewarded(_untrained(sample.row or scored[0].row), mean)


def _rewarded(row: Row, reward: float) -> Row:
    import torch

    return dict(row, rewards=torch.tensor([reward], dtype=torch.float32))


def _untrained(row: Row) -> Row:
    import torch

    return dict(row, loss_mask=torch.zeros_like(row["loss_mask"]))
