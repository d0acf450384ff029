"""Tests of the trainer's parts, with the real ms-swift and without training."""

from __future__ import annotations

import json
import pathlib
import tempfile
import unittest
from types import SimpleNamespace
from typing import Any
from unittest import mock

from awhost_swift.registries import Reward, Scheduler, Tokens
from awhost_swift.stage import SwiftStage, forget, means

PROMPT, SAID, RESULT, END = [256, 104, 105], [97, 98], [258, 99], 259


def played(reward: float | None) -> Any:
    """Returns a sample with a tool result between its two messages, or one that has failed."""
    ids = [*PROMPT, *SAID, *RESULT, *SAID, END]
    mask = [0] * len(PROMPT) + [1] * len(SAID) + [0] * len(RESULT) + [1] * (len(SAID) + 1)
    row = SimpleNamespace(
        ids=ids, loss_mask=mask, logprobs=[-1.0 if m else 0.0 for m in mask], prompt_length=len(PROMPT),
    )
    return SimpleNamespace(
        row=None if reward is None else row, reward=reward, result=SimpleNamespace(components={"right": reward}),
        episode=SimpleNamespace(opening=PROMPT),
    )


class Alone(SwiftStage):
    """A stage without a host, with given samples."""

    main = True

    def __init__(self, rewards: list[float | None], size: int, rank: int = 0) -> None:
        self.rewards = rewards
        self.template = SimpleNamespace(end_ids=[END], decode=str)
        self.trainer = SimpleNamespace(
            num_generations=size, accelerator=SimpleNamespace(process_index=rank),
            _metrics={"train": {"awhost/right": []}},
        )

    def rollout(self, positions: Any, group_size: int) -> list[Any]:
        return [played(reward) for reward in self.rewards]


class ShimTest(unittest.TestCase):
    def test_a_failed_row_has_the_mean_reward_of_its_group(self) -> None:
        self.assertEqual([0.5, 0.0, 0.25], means([1.0, None, 0.0, 0.5, *[None] * 4, None, 0.25, None, None], 4))
        stage = Alone([None, 1.0, None, None], 2)
        self.assertEqual([1.0, 1.0, 0.0, 0.0], [row["reward"] for row in stage.rows([0, 0, 1, 1])])
        self.assertEqual([1.0], stage.trainer._metrics["train"]["awhost/right"])

    def test_processes_share_the_mean_of_a_group(self) -> None:
        stage = Alone([None, 1.0], 4, rank=1)
        with mock.patch("awhost_swift.stage.gather_object", lambda own: [0.0, 0.5, *own]):
            self.assertEqual([0.5, 1.0], [row["reward"] for row in stage.rows([0, 0])])

    def test_rows(self) -> None:
        trained, failed = Alone([1.0, None], 2).rows([0, 0])
        self.assertEqual(played(1.0).row.loss_mask, trained["mask"])
        self.assertEqual([-1.0] * 5, trained["logprobs"])  # of trained tokens only
        self.assertEqual((str(PROMPT), True), (trained["prompt"], trained["trained"]))
        self.assertEqual(([*PROMPT, END], [0, 0, 0, 1], False), (failed["ids"], failed["mask"], failed["trained"]))

    def test_the_template_renders_nothing(self) -> None:
        template = object.__new__(Tokens)
        template.processor = SimpleNamespace(encode=lambda text, **_: list(text.encode()), eos_token_id=END)

        def encoded(content: Any) -> Any:
            messages = [{"role": "user", "content": ""}, {"role": "assistant", "content": content}]
            return template._encode(SimpleNamespace(messages=messages))

        given = encoded({"token_ids": [1, 2, 3, 4], "loss_scale": [0, 1, 0, 1]})
        self.assertEqual({"input_ids": [1, 2, 3, 4], "labels": [-100, 2, -100, 4], "loss_scale": None}, given)
        with self.assertRaises(ValueError):
            encoded({"token_ids": [1, 2], "loss_scale": [1]})
        self.assertEqual([104, 105], encoded("hi")["input_ids"])
        self.assertEqual([END], encoded(None)["input_ids"])

    def test_rewards_are_the_hosts(self) -> None:
        self.assertEqual([0.5, 1.0], Reward()(["a", "b"], rollout_infos=[{"reward": 0.5}, {"reward": 1.0}]))

    def test_a_failed_row_is_excluded_from_the_loss(self) -> None:
        import asyncio

        scheduler = object.__new__(Scheduler)
        scheduler.rollout = lambda _: Alone([1.0, None], 2).rows([0, 0])
        requests = [SimpleNamespace(uuid=str(i), data_dict={"position": 0}, messages=[]) for i in range(2)]
        asyncio.run(scheduler.on_trajectory_start(requests))
        reasons = []
        for request in requests:
            choice = SimpleNamespace(finish_reason="")
            self.assertTrue(asyncio.run(scheduler.on_turn_end(request, choice, 1))["done"])
            reasons.append(choice.finish_reason)
        self.assertEqual(["stop", "length"], reasons)

    def test_steps_that_are_trained_again_leave_the_log(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            log = pathlib.Path(folder) / "logging.jsonl"
            lines = [json.dumps({"loss": 0.5, "global_step/max_steps": f"{step}/6"}) + "\n" for step in (1, 2, 3, 4)]
            log.write_text("".join(lines[:3]) + '{"train_dataset": "6 rows"}\n' + lines[3][:20])
            forget(log, 2)
            self.assertEqual("".join(lines[:2]), log.read_text())
            forget(log.with_name("none.jsonl"), 2)
            self.assertFalse(log.with_name("none.jsonl").exists())


if __name__ == "__main__":
    unittest.main()
