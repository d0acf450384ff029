# SPDX-License-Identifier: Apache-2.0
"""What runs beside ms-swift, with the stand-in for it."""

from __future__ import annotations

import json
import pathlib
import runpy
import sys
import tempfile
import unittest
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, Callable
from unittest import mock

from . import fake

sys.path.insert(0, str(fake.SITE))
runpy.run_path(str(fake.SITE / "sitecustomize.py"))

from awhost_bridge.hf import Stage
from awhost_swift.worker.registries import Tokens, register
from awhost_swift.worker.stage import SwiftStage, forget, means
from swift.arguments import RLHFArguments
from swift.pipelines import rlhf_main
from swift.tensor import Tensor
from transformers import Bytes

PROMPT, SAID, RESULT, END = [256, 104, 105], [97, 98], [258, 99], 259


def played(reward: float | None) -> Any:
    """A sample with a tool's result between its two messages, or one that has failed."""
    ids = [*PROMPT, *SAID, *RESULT, *SAID, END]
    mask = [0] * len(PROMPT) + [1] * len(SAID) + [0] * len(RESULT) + [1] * (len(SAID) + 1)
    row = SimpleNamespace(ids=ids, loss_mask=mask, logprobs=[-1.0 if m else 0.0 for m in mask], prompt_length=len(PROMPT))
    return SimpleNamespace(row=None if reward is None else row, reward=reward, result=SimpleNamespace(components={"right": reward}), episode=SimpleNamespace(opening=PROMPT))


class Alone(SwiftStage):
    """A stage without a host: its episodes are there already."""

    def __init__(self, rewards: list[float | None]) -> None:
        self.rewards, self.settings, self.main, self.logs = rewards, {"resumed": True, "from": "x"}, True, []
        self.template = SimpleNamespace(end_ids=[END], decode=Bytes().decode)

    def rollout(self, positions: Any, group_size: int) -> list[Any]:
        self.positions = positions
        return [played(reward) for reward in self.rewards]

    def on_log(self, args: Any, state: Any, control: Any, logs: Any, **_: Any) -> None:
        if "loss" in logs:
            self.logs.append(dict(logs) | {"gap": self.probability_gap()})

    on_step_end = on_save = lambda *_, **__: None


@dataclass
class Changed:
    """Rows with a mistake in each."""

    rows: Callable[[list[int]], list[Any]]
    change: Callable[[Any], Any]

    def __call__(self, positions: list[int]) -> list[Any]:
        out = self.rows(positions)
        for row in out:
            self.change(row)
        return out


class WorkerTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def train(self, stage: Alone, **changes: Any) -> list[Any]:
        """One step of two groups, and what was trained in it."""
        tasks = self.folder / "tasks.jsonl"
        tasks.write_text("".join(json.dumps({"messages": [{"role": "user", "content": str(i)}], "position": i}) + "\n" for i in range(2)))
        register(stage.rows, stage.follow)
        with mock.patch.object(Stage, "on_train_begin"):
            rlhf_main(RLHFArguments(**{
                "rlhf_type": "grpo", "model": "nowhere", "template": "awhost", "multi_turn_scheduler": "awhost", "reward_funcs": ["awhost"], "callbacks": ["awhost"], "overlong_filter": True, "dataset_shuffle": False,
                "train_dataloader_shuffle": False, "dataset": [str(tasks)], "output_dir": str(self.folder), "num_generations": 2, "per_device_train_batch_size": 2, "gradient_accumulation_steps": 2, "max_steps": 1, **changes,
            }))
        trained: list[Any] = json.loads((self.folder / "checkpoint-1/model.safetensors").read_text())[0]
        return trained

    def test_what_was_sampled_is_trained_and_nothing_of_a_sample_that_failed(self) -> None:
        stage = Alone([1.0, None, 0.0, 0.5])
        self.assertEqual([[*SAID, *SAID, END]] * 3, self.train(stage))
        self.assertEqual([0, 0, 1, 1], stage.positions)
        log, = stage.logs
        self.assertEqual((0.625, 0.5, 0.25, 0.0), (log["reward"], log["awhost/right"], log["completions/clipped_ratio"], log["gap"]))  # of rewards 1, 1 (the mean of its group), 0, 0.5

    def test_a_row_that_failed_has_the_mean_reward_of_its_group(self) -> None:
        self.assertEqual([0.5, 0.0, 0.25], means([1.0, None, 0.0, 0.5, None, None, None, None, None, 0.25, None, None], 4)[:3])
        stage = Alone([None, 1.0, None, None])
        stage.trainer = SimpleNamespace(num_generations=2, accelerator=SimpleNamespace(process_index=0), _metrics={"train": {"awhost/right": []}})
        self.assertEqual([1.0, 1.0, 0.0, 0.0], [row["reward"] for row in stage.rows([0, 0, 1, 1])])

    def test_of_a_group_that_processes_share_all_rewards_count(self) -> None:
        stage = Alone([None, 1.0])
        stage.trainer = SimpleNamespace(num_generations=4, accelerator=SimpleNamespace(process_index=1), _metrics={"train": {"awhost/right": []}})
        with mock.patch("awhost_swift.worker.stage.gather_object", lambda own: [0.0, 0.5, *own]):
            self.assertEqual([0.5, 1.0], [row["reward"] for row in stage.rows([0, 0])])

    def test_rows_are_the_ids_themselves(self) -> None:
        template = Tokens(Bytes())
        message = {"role": "assistant", "content": {"token_ids": [1, 2, 3, 4], "loss_scale": [0, 1, 0, 1]}}
        self.assertEqual({"input_ids": [1, 2, 3, 4], "labels": [-100, 2, -100, 4]}, template.encode([{"role": "user", "content": "not looked at"}, message]))
        with self.assertRaises(ValueError):
            template.encode([message | {"content": {"token_ids": [1, 2], "loss_scale": [1]}}])
        self.assertEqual({"input_ids": [104, 105]}, template.encode([{"role": "user", "content": "hi"}, {"role": "assistant", "content": None}]))
        self.assertEqual({"input_ids": [END]}, template.encode([{"role": "user", "content": ""}]))

    def test_steps_that_are_trained_again_leave_the_log(self) -> None:
        log = self.folder / "logging.jsonl"
        line = '{{"loss": {0}.5, "global_step/max_steps": "{0}/6"}}\n'.format
        log.write_text(line(1) + line(2) + line(3) + '{"train_dataset": "6 rows"}\n' + line(4)[:20])
        forget(log, 2)
        self.assertEqual(line(1) + line(2), log.read_text())
        forget(self.folder / "none.jsonl", 2)
        self.assertFalse((self.folder / "none.jsonl").exists())

    def test_a_stage_that_is_resumed_says_each_step_once(self) -> None:
        log = self.folder / "logging.jsonl"
        log.write_text('{"loss": 9, "global_step/max_steps": "1/1"}\n')
        self.train(Alone([1.0] * 4))
        self.assertEqual([0.1], [line["loss"] for line in map(json.loads, log.read_text().splitlines()) if "loss" in line])

    def test_the_stand_in_chokes_on_what_the_real_one_would_not_train(self) -> None:
        def all_masked(row: Any) -> None:
            row.update(mask=[0] * len(row["ids"]), logprobs=[])

        for change, says in (
            (all_masked, "Size does not match"), (lambda row: row["mask"].pop(), "ids has a mask"), (lambda row: row.update(reward=None), "reward of 0"), (lambda row: row["logprobs"].pop(), "log-probabilities for"),
        ):
            stage = Alone([1.0] * 4)
            with self.subTest(says), self.assertRaisesRegex(AssertionError, says):
                with mock.patch.object(stage, "rows", Changed(stage.rows, change)):
                    self.train(stage)
        with self.assertRaisesRegex(AssertionError, "jinja"):
            self.train(Alone([1.0] * 4), template_backend="jinja")

    def test_the_stand_in_computes_as_tensors_do(self) -> None:
        mask, kept = Tensor([[1, 0], [1, 1]]), Tensor([True, False])
        self.assertEqual([[False, False], [True, True]], (mask.bool() & ~kept.unsqueeze(-1)).tolist())
        self.assertEqual([2, 1], (Tensor([[1, 5], [2, 3]]) - Tensor([[3, 5], [1, 3]])).abs()[Tensor([[True, False], [True, False]])].tolist())


if __name__ == "__main__":
    unittest.main()
