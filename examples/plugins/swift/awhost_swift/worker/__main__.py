# SPDX-License-Identifier: Apache-2.0
"""One stage: ms-swift's GRPO with the episodes of the host. swift.json in the working directory says how."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
from typing import Any

import swift
from accelerate.utils import gather_object
from awhost_bridge import ChatTemplate, SyncBridge
from awhost_bridge.hf import Over, Played, Stage, ends
from swift.arguments import RLHFArguments
from swift.pipelines import rlhf_main
from transformers import AutoTokenizer

from .registries import register

JSON = dict[str, Any]


class SwiftStage(Stage):
    def follow(self, trainer: Any) -> SwiftStage:
        self.trainer = trainer
        return self

    def rows(self, positions: list[int]) -> list[JSON]:
        """The rows of a batch: positions in the host's order, each as often as a group has samples."""
        size, first = self.trainer.num_generations, self.trainer.accelerator.process_index * len(positions)
        rows = [self._row(played) for played in self.rollout(positions, size)]
        means = _means(gather_object([row["reward"] for row in rows]), size)  # a group may be shared among processes
        for i, row in enumerate(rows, first):
            if row["reward"] is None:  # Swift would count it as 0: so the mean of the group stays that of the others
                row["reward"] = means[i // size]
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
        for batch in (b["grpo_batch"] for b in self.trainer._buffered_inputs):
            counted = batch.completion_mask.bool() & ~batch.truncated_mask.unsqueeze(-1)
            gaps += (batch.old_per_token_logps.exp() - batch.rollout_per_token_logps.exp()).abs()[counted].tolist()
        return max(gaps)

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        self.trainer.request_config.max_tokens = 1  # Swift samples once for each row, whatever the scheduler has done
        if self.settings["resumed"] and self.main:
            _forget(pathlib.Path(args.output_dir) / "logging.jsonl", state.global_step)
        super().on_train_begin(args, state, control, **kwargs)


def _means(rewards: list[float | None], size: int) -> list[float]:
    """The mean reward of each group, 0 where no sample has one."""
    groups = ([r for r in rewards[i : i + size] if r is not None] for i in range(0, len(rewards), size))
    return [sum(group) / len(group) if group else 0.0 for group in groups]


def _forget(log: pathlib.Path, step: int) -> None:
    """Takes out of Swift's own log, to which it only ever appends, the steps that are trained again."""
    kept = []
    with contextlib.suppress(FileNotFoundError):
        for line in log.read_text(encoding="utf-8").splitlines():
            with contextlib.suppress(ValueError, KeyError):  # a line that a kill has cut
                if int(json.loads(line)["global_step/max_steps"].partition("/")[0]) <= step:
                    kept.append(line + "\n")
        log.write_text("".join(kept), encoding="utf-8")


def _tasks(positions: int) -> str:
    """The dataset: positions in the host's order. The messages only tell one from another."""
    path = pathlib.Path("tasks.jsonl").absolute()
    with open(path, "w", encoding="utf-8") as f:
        f.writelines(json.dumps({"messages": [{"role": "user", "content": str(position)}], "position": position}) + "\n" for position in range(positions))
    return str(path)


def _stage(bridge: SyncBridge, settings: JSON, args: RLHFArguments, *, main: bool) -> SwiftStage:
    tokenizer = AutoTokenizer.from_pretrained(args.model_dir, trust_remote_code=True)  # as Swift does
    thinking = {} if args.enable_thinking is None else {"enable_thinking": args.enable_thinking}
    return SwiftStage(
        bridge, settings, ChatTemplate(tokenizer, kwargs=thinking, end_ids=ends(args.model_dir, tokenizer.eos_token_id)), framework="swift", main=main,
        pad=tokenizer.eos_token_id if tokenizer.pad_token_id is None else tokenizer.pad_token_id, response_tokens=args.max_completion_length,
        max_context=args.max_length or args.model_info.max_model_len, names={"clip_fraction": "clip_ratio/region_mean", "entropy": "entropy/mean"},
    )


with open("swift.json", encoding="utf-8") as f:
    about = json.load(f)
first = int(os.environ.get("RANK", "0")) == 0
with SyncBridge(os.environ["AWHOST_BRIDGE"], role="both" if first else "rollout", framework="swift", framework_version=swift.__version__) as connected:
    arguments = RLHFArguments(**about["fields"] | {"dataset": [_tasks(about["fields"]["max_steps"] * about["prompts"])]})
    stage = _stage(connected, about["stage"], arguments, main=first)
    register(stage.rows, stage.follow)
    with contextlib.suppress(Over):
        rlhf_main(arguments)
