"""The comparison of log-probabilities at sampling and in training."""

from __future__ import annotations

import heapq
import math
from array import array
from typing import Iterable, Sequence

from .wire import JSON


class PolicyGap:
    """Collects the trained tokens of a step in one process."""

    def __init__(self) -> None:
        self._gaps = array("d")
        self._bias = self._entropy = self._probability = 0.0
        self._worst = (0.0, "", 0)

    def add(self, episode: str, tokens: Iterable[tuple[int, float, float]]) -> None:
        """Adds tokens of an episode: the index in the row, and the log-probabilities at sampling and in training."""
        for index, sampler, loss in tokens:
            if not math.isfinite(difference := sampler - loss):
                continue
            self._gaps.append(abs(difference))
            self._bias += difference
            self._entropy -= sampler
            self._probability = max(self._probability, abs(math.exp(sampler) - math.exp(loss)))
            self._worst = max(self._worst, (abs(difference), episode, index))

    def summary(self) -> tuple[JSON, list[float]]:
        """Returns sums, and the largest differences: one of a hundred."""
        n = len(self._gaps)
        sums = {"n": n, "sum": sum(self._gaps), "bias": self._bias, "entropy": self._entropy,
                "probability": self._probability, "worst": self._worst}
        return sums, heapq.nlargest(n // 100 + 1, self._gaps)


def merge(parts: Sequence[tuple[JSON, list[float]]]) -> tuple[JSON, JSON]:
    """Returns a PolicyGap in proto JSON and metrics, of the summaries of all processes. Both are empty if no tokens are
    known. The 99th percentile of several processes is a lower bound. The entropy is an estimate of the sampler's."""
    n = sum(sums["n"] for sums, _ in parts)
    if not n:
        return {}, {}
    largest = sorted((gap for _, gaps in parts for gap in gaps), reverse=True)
    worst, episode, token = max(tuple(sums["worst"]) for sums, _ in parts)
    gap = {"mean": sum(sums["sum"] for sums, _ in parts) / n, "p99": largest[n // 100], "max": worst,
           "bias": sum(sums["bias"] for sums, _ in parts) / n, "episode_id": episode, "token": token}
    return gap, {"train/probability_gap": max(sums["probability"] for sums, _ in parts),
                 "train/entropy": sum(sums["entropy"] for sums, _ in parts) / n}
