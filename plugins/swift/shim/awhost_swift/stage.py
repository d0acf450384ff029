# SPDX-License-Identifier: Apache-2.0
"""A stage as ms-swift's callback. It supplies the scheduler with rows."""

from __future__ import annotations

import contextlib
import itertools
import json
import math
import pathlib
from typing import Any, Iterator

from accelerate.utils import gather_object
from awhost_bridge import PolicyGap, Row
from awhost_bridge.hf import Played, Stage

JSON = dict[str, Any]


class SwiftStage(Stage):
    def follow(self, trainer: Any) -> SwiftStage:
        self.trainer = trainer
        return self

    def rows(self, positions: list[int]) -> list[JSON]:
        """Returns the rows of a batch: positions in the host's order, each as often as a group has samples."""
        size, first = self.trainer.num_generations, self.trainer.accelerator.process_index * len(positions)
        rows = [self._row(played) for played in self.rollout(positions, size)]
        averages = means(gather_object([row["reward"] for row in rows]), size)  # processes may share a group
        for i, row in enumerate(rows, first):
            # ms-swift would count a missing reward as 0. With the others' mean, the mean of the group stays the same.
            if row["reward"] is None:
                row["reward"] = averages[i // size]
        return rows

    def _row(self, played: Played) -> JSON:
        row = played.row
        # ms-swift requires a row with a trainable token, which overlong_filter excludes from the loss.
        if row is None:
            end = self.template.end_ids[0]
            prompt = played.episode.opening or [end]
            mask = [0] * len(prompt) + [1]
            return {"trained": False, "ids": [*prompt, end], "mask": mask, "logprobs": [0.0], "reward": None,
                    "prompt": "", "completion": ""}
        for name, number in played.result.components.items():
            self.trainer._metrics["train"][f"awhost/{name}"].append(number)  # the next log, also of its trackers
        n, decode = row.prompt_length, self.template.decode
        logprobs = [p for p, trained in zip(row.logprobs, row.loss_mask, strict=True) if trained]
        return {"trained": True, "ids": row.ids, "mask": row.loss_mask, "logprobs": logprobs, "reward": played.reward,
                "prompt": decode(row.ids[:n]), "completion": decode(row.ids[n:])}

    def policy_gap(self) -> PolicyGap:
        gap, rows = PolicyGap(), ((batch, own, i) for batch, own in self._counted() for i in range(len(own)))
        for played, (batch, own, i) in zip(self._played, rows):
            if played.row is not None and own[i].any():
                places = [place for place, trained in enumerate(played.row.loss_mask) if trained]
                sampler, loss = batch.rollout_per_token_logps[i][own[i]], batch.old_per_token_logps[i][own[i]]
                gap.add(played.episode.id, zip(places, sampler.tolist(), loss.tolist()))
        return gap

    def advantages(self) -> list[float]:
        return list(self.trainer._logs["advantages"])

    def loss_logprobs(self, number: int, row: Row) -> list[float] | None:
        places = ((batch, counted, i) for batch, counted in self._counted() for i in range(len(counted)))
        batch, counted, i = next(itertools.islice(places, number, None))
        if not counted[i].any():
            return None
        logprobs = iter(batch.old_per_token_logps[i][counted[i]].tolist())  # of trained tokens only
        return [next(logprobs) if trained else math.nan for trained in row.loss_mask]

    def _counted(self) -> Iterator[tuple[Any, Any]]:
        """Yields the micro-batches of a step and the tokens in their losses, in the order of the samples."""
        for batch in (b["grpo_batch"] for b in self.trainer._buffered_inputs):
            yield batch, batch.completion_mask.bool() & ~batch.truncated_mask.unsqueeze(-1)

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        self.trainer.request_config.max_tokens = 1  # ms-swift samples once for each row, in addition to the scheduler
        if self.settings["resumed"] and self.main:
            forget(pathlib.Path(args.output_dir) / "logging.jsonl", state.global_step)
        if self.settings["from"] and not self.settings["resumed"]:
            # In each stage, a KL penalty refers to the policy in the spec, and LoRA adds to it.
            self.trainer._load_from_checkpoint(self.settings["from"])
        super().on_train_begin(args, state, control, **kwargs)

    def on_save(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        if self.main:  # ms-swift has linked it to the checkpoint, which the host moves
            (pathlib.Path(args.output_dir) / "last-checkpoint").unlink(missing_ok=True)
        super().on_save(args, state, control, **kwargs)


def means(rewards: list[float | None], size: int) -> list[float]:
    """Returns the mean reward of each group, or 0 if no sample has one."""
    groups = ([r for r in rewards[i : i + size] if r is not None] for i in range(0, len(rewards), size))
    return [sum(group) / len(group) if group else 0.0 for group in groups]


def forget(log: pathlib.Path, step: int) -> None:
    """Removes the steps that are trained again from ms-swift's log, to which ms-swift only appends."""
    kept = []
    with contextlib.suppress(FileNotFoundError):
        for line in log.read_text(encoding="utf-8").splitlines():
            with contextlib.suppress(ValueError, KeyError):  # a line that a kill has cut
                if int(json.loads(line)["global_step/max_steps"].partition("/")[0]) <= step:
                    kept.append(line + "\n")
        log.write_text("".join(kept), encoding="utf-8")
