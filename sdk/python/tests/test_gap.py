"""The comparison of log-probabilities at sampling and in training."""

from __future__ import annotations

import math
import unittest

from awhost_bridge import PolicyGap
from awhost_bridge.gap import merge


class PolicyGapTest(unittest.TestCase):
    def test_processes_add_up(self) -> None:
        whole, parts = PolicyGap(), [PolicyGap(), PolicyGap()]
        for i in range(400):
            tokens = [(i, -1.0, -1.0 - i / 400)]
            whole.add(f"e{i}", tokens)
            parts[i % 2].add(f"e{i}", tokens)
        one, two = merge([whole.summary()]), merge([part.summary() for part in parts])
        self.assertAlmostEqual(one[0].pop("mean"), 399 / 800)
        self.assertAlmostEqual(two[0].pop("mean"), 399 / 800)
        self.assertAlmostEqual(one[0].pop("bias"), two[0].pop("bias"))
        self.assertEqual(one, two)
        gap, metrics = one
        self.assertEqual(("e399", 399), (gap["episode_id"], gap["token"]))
        self.assertAlmostEqual(395 / 400, gap["p99"])
        self.assertAlmostEqual(399 / 400, gap["max"])
        self.assertAlmostEqual(math.exp(-1) - math.exp(-1 - 399 / 400), metrics["train/probability_gap"])
        self.assertEqual(1.0, metrics["train/entropy"])

    def test_the_bias_has_a_sign(self) -> None:
        gap = PolicyGap()
        gap.add("e", [(3, -2.0, -1.0), (4, -1.0, -1.5), (5, -1.0, math.nan)])
        merged = merge([gap.summary(), PolicyGap().summary()])
        want = {"mean": 0.75, "p99": 1.0, "max": 1.0, "bias": -0.25, "episode_id": "e", "token": 3}
        self.assertEqual(want, merged[0])

    def test_nothing_is_known_without_tokens(self) -> None:
        self.assertEqual(({}, {}), merge([PolicyGap().summary()]))
