# SPDX-License-Identifier: Apache-2.0
"""A stage as ms-swift's callback: it gives the scheduler its rows, and what it inherits follows the trainer from step to step."""

from __future__ import annotations

import contextlib
import itertools
import json
import math
import pathlib
from typing import Any, Iterator

from accelerate.utils import gather_object
from awhost_bridge import Row
from awhost_bridge.hf import Played, Stage

JSON = dict[str, Any]


class SwiftStage(Stage):
    def follow(self, trainer: Any) -> SwiftStage:
        self.trainer = trainer
        return self

    def rows(self, positions: list[int]) -> list[JSON]:
        """The rows of a batch: positions in the host's order, each as often as a group has samples."""
        size, first = self.trainer.num_generations, self.trainer.accelerator.process_index * len(positions)
        rows = [self._row(played) for played in self.rollout(positions, size)]
        averages = means(gather_object([row["reward"] for row in rows]), size)  # a group may be shared among processes
        for i, row in enumerate(rows, first):
            if row["reward"] is None:  # Swift would count it as 0: so the mean of the group stays that of the others
                row["reward"] = averages[i // size]
        return rows

    def _row(self, played: Played) -> JSON:
        row = played.row
        if row is None:  # Swift wants one all the same, with a token that it could train: overlong_filter keeps that out of the loss
            end, prompt = self.template.end_ids[0], played.episode.opening or [self.template.end_ids[0]]
            return {"trained": False, "ids": [*prompt, end], "mask": [0] * len(prompt) + [1], "logprobs": [0.0], "reward": None, "prompt": "", "completion": ""}
        for name, number in played.result.components.items():
            self.trainer._metrics["train"][f"awhost/{name}"].append(number)  # what Swift logs next, also to its trackers
        n = row.prompt_length
        return {"trained": True, "ids": row.ids, "mask": row.loss_mask, "logprobs": [p for p, trained in zip(row.logprobs, row.loss_mask, strict=True) if trained],
                "reward": played.reward, "prompt": self.template.decode(row.ids[:n]), "completion": self.template.decode(row.ids[n:])}

    def probability_gap(self) -> float:
        gaps = [0.0]
        for batch, counted in self._counted():
            gaps += (batch.old_per_token_logps.exp() - batch.rollout_per_token_logps.exp()).abs()[counted].tolist()
        return max(gaps)

    def advantages(self) -> list[float]:
        return list(self.trainer._logs["advantages"])

    def loss_logprobs(self, number: int, row: Row) -> list[float] | None:
        places = ((batch, counted, i) for batch, counted in self._counted() for i in range(len(counted)))
        batch, counted, i = next(itertools.islice(places, number, None))
        logprobs = iter(batch.old_per_token_logps[i][counted[i]].tolist())  # of what is trained alone
        return [next(logprobs) if trained else math.nan for trained in row.loss_mask] if counted[i].any() else None

    def _counted(self) -> Iterator[tuple[Any, Any]]:
        """The micro-batches of a step, and what the loss counts of each, in the order of the samples."""
        for batch in (b["grpo_batch"] for b in self.trainer._buffered_inputs):
            yield batch, batch.completion_mask.bool() & ~batch.truncated_mask.unsqueeze(-1)

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        self.trainer.request_config.max_tokens = 1  # Swift samples once for each row, whatever the scheduler has done
        if self.settings["resumed"] and self.main:
            forget(pathlib.Path(args.output_dir) / "logging.jsonl", state.global_step)
        if self.settings["from"] and not self.settings["resumed"]:  # in each stage the policy of the spec is what a KL penalty refers to, and what LoRA adds to
            self.trainer._load_from_checkpoint(self.settings["from"])
        super().on_train_begin(args, state, control, **kwargs)


def means(rewards: list[float | None], size: int) -> list[float]:
    """The mean reward of each group, 0 where no sample has one."""
    groups = ([r for r in rewards[i : i + size] if r is not None] for i in range(0, len(rewards), size))
    return [sum(group) / len(group) if group else 0.0 for group in groups]


def forget(log: pathlib.Path, step: int) -> None:
    """Takes out of Swift's own log, to which it only ever appends, the steps that are trained again."""
    kept = []
    with contextlib.suppress(FileNotFoundError):
        for line in log.read_text(encoding="utf-8").splitlines():
            with contextlib.suppress(ValueError, KeyError):  # a line that a kill has cut
                if int(json.loads(line)["global_step/max_steps"].partition("/")[0]) <= step:
                    kept.append(line + "\n")
        log.write_text("".join(kept), encoding="utf-8")
