"""Rows of tokens for people to inspect."""

from __future__ import annotations

import asyncio
import unittest
from typing import Any

from awhost_bridge import BridgeLost, ChatTemplate, Row, tell_tokens
from awhost_bridge.result import EpisodeResult
from awhost_bridge.tokens import MAX_TOKENS, tokens_row

from .toy import END, Toy, ids_of

JSON = dict[str, Any]


def row(ids: list[int], mask: list[int], logprobs: list[float]) -> Row:
    return Row("e/a1/c1", "solver", None, ids, mask, logprobs, [(0, len(ids))], [0] * len(ids), [], 1, sum(mask), "")


class Told:
    """A bridge that records events."""

    def __init__(self, error: Exception | None = None) -> None:
        self.events: list[JSON] = []
        self.error = error

    async def event(self, event: JSON) -> None:
        if self.error is not None:
            raise self.error
        self.events.append(event)


class Rows(unittest.TestCase):
    template = ChatTemplate(Toy())

    def test_each_column_stands_where_its_token_does(self) -> None:
        ids, nan = [*ids_of("hi"), END], float("nan")
        known = row(ids, [0, 1, 1], [0.0, -0.5, -0.25])
        out = tokens_row("e", known, self.template, trainer_logprobs=[nan, -0.75, nan], advantage=-1.5)
        self.assertEqual(out, {
            "episode_id": "e", "chain": "e/a1/c1", "ids": ids, "texts": ["h", "i", "<|end|>"],
            "trained": [False, True, True],
            "sampler_logprobs": ["NaN", -0.5, -0.25], "trainer_logprobs": ["NaN", -0.75, "NaN"],
            "advantages": ["NaN", -1.5, -1.5], "total": 3,
        })

    def test_what_is_not_known_is_absent(self) -> None:
        out = tokens_row("e", row(ids_of("hi"), [0, 1], [0.0, -0.5]), self.template)
        self.assertEqual((out["trained"], out["sampler_logprobs"]), ([False, True], ["NaN", -0.5]))
        self.assertFalse(out.keys() & {"trainer_logprobs", "advantages"})

    def test_a_long_row_is_cut(self) -> None:
        n = MAX_TOKENS + 7
        long = row([65] * n, [1] * n, [-0.5] * n)
        out = tokens_row("e", long, self.template, trainer_logprobs=[-0.5] * n, advantage=1.0)
        self.assertEqual(out["total"], n)
        self.assertEqual({len(column) for column in out.values() if isinstance(column, list)}, {MAX_TOKENS})


class Telling(unittest.TestCase):
    template = ChatTemplate(Toy())

    def tell(self, bridge: Told, metrics: dict[str, float], **more: bool) -> list[JSON]:
        result = EpisodeResult("e", 1, "scored", 1.0, metrics=metrics)
        rows = [row(ids_of("hi"), [0, 1], [0.0, -0.5])]
        asyncio.run(tell_tokens(bridge, result, rows, self.template, **more))  # type: ignore[arg-type]
        return bridge.events

    def test_only_wanted_rows_are_told(self) -> None:
        self.assertEqual(self.tell(Told(), {}), [])
        told, = self.tell(Told(), {"awhost/tokens": 1.0})
        self.assertEqual([r["sampler_logprobs"] for r in told["tokens"]["rows"]], [["NaN", -0.5]])

    def test_a_sampler_without_log_probabilities_tells_none(self) -> None:
        told, = self.tell(Told(), {"awhost/tokens": 1.0}, scored=False)
        self.assertNotIn("sampler_logprobs", told["tokens"]["rows"][0])

    def test_a_message_that_is_lost_is_no_error(self) -> None:
        for error in (BridgeLost("gone"), ValueError("too long")):
            with self.assertLogs("awhost.bridge", "WARNING"):
                self.tell(Told(error), {"awhost/tokens": 1.0})
