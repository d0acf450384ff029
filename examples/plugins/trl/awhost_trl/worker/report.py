# SPDX-License-Identifier: Apache-2.0
"""Follows TRL from step to step: reports, validates, and does what the host decides at the boundary of each."""

from __future__ import annotations

import math
import pathlib
from typing import Any, Callable

import torch
from accelerate.utils import broadcast_object_list, gather_object
from awhost_bridge import Row, SyncBridge, seal
from transformers import TrainerCallback

JSON = dict[str, Any]
_SHARED = {"clip_ratio/region_mean": "clip_fraction", **{name: name for name in ("loss", "grad_norm", "entropy", "kl", "learning_rate", "reward")}}  # what awhost has a name for


class Report(TrainerCallback):
    """Runs in all processes. The first one alone speaks to the host of steps, and the others do as it says."""

    def __init__(self, bridge: SyncBridge, settings: JSON, validate: Callable[[int], None], *, main: bool) -> None:
        self.bridge, self.settings, self.validate, self.main = bridge, settings, validate, main
        self.consumed: list[JSON] = []  # of the step under way, and so below
        self.rows: dict[tuple[int, ...], Row] = {}
        self.gaps: list[float] = []  # between the probability that a token was sampled with and the one that TRL computes
        self.seconds = 0.0
        self._save = self._validated = False
        self._asked = self._told = -1  # the last step whose boundary is behind us; that was reported
        bridge.on_control(self._control)

    def _control(self, request: JSON) -> None:
        self._save |= request.get("action") == "ACTION_CHECKPOINT_NOW"

    def event(self, **event: JSON) -> None:
        if self.main:
            self.bridge.event(event)

    def scored(self, _module: Any, _args: Any, kwargs: JSON, output: Any) -> None:
        """A forward hook: TRL has computed log-probabilities of rows, which have to be those of the sampler."""
        if "fused_lm_head" not in kwargs or not torch.is_grad_enabled():  # without gradients: of the reference, which may be the model without its adapter
            return
        for ids, mask, logprobs in zip(kwargs["input_ids"].tolist(), kwargs["attention_mask"].tolist(), output.log_probs.tolist(), strict=True):
            places = [i for i, kept in enumerate(mask) if kept]
            if (row := self.rows.get(tuple(ids[i] for i in places))) is not None:
                skipped = len(ids) - len(logprobs)  # the first id has no probability
                self.gaps += [abs(math.exp(logprobs[i - skipped]) - math.exp(p)) for i, p, trained in zip(places, row.logprobs, row.loss_mask, strict=True) if trained]

    def begins(self) -> bool:
        """Validates before the first step, makes its boundary, and says whether there is one."""
        if self.settings["resumed"]:
            return True
        if self.settings["before_train"] and self.settings["held_out"]:
            self.validate(self.settings["base"])
            self._validated = True
        return self._ask(self.settings["base"]) == "DIRECTIVE_CONTINUE"

    # Trainer's hooks, in the order in which it calls them.

    def on_train_begin(self, args: Any, state: Any, control: Any, optimizer: Any = None, **_: Any) -> None:
        if self.settings["carries"]:
            own = [{k: v for k, v in group.items() if k != "params"} for group in optimizer.param_groups]
            optimizer.load_state_dict(torch.load(pathlib.Path(self.settings["from"]) / "optimizer.pt", map_location=args.device, weights_only=True))
            for group, schedule in zip(optimizer.param_groups, own, strict=True):  # the moments are kept, and this stage's learning rate
                group.update(schedule)

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        wanted, self._save = self._save, False
        save, end = self._agree((wanted, self.bridge.bridge.draining))
        control.should_save |= save or end
        control.should_training_stop |= end

    def on_log(self, args: Any, state: Any, control: Any, logs: JSON, **_: Any) -> None:
        if self._told == state.global_step:
            return  # the sum at the end
        self._told, every = state.global_step, self.settings["every"]
        step = self.settings["base"] + state.global_step
        values = {f"trl/{name}": float(value) for name, value in logs.items() if isinstance(value, (int, float)) and math.isfinite(value)}
        values |= {f"train/{ours}": values[f"trl/{theirs}"] for theirs, ours in _SHARED.items() if f"trl/{theirs}" in values}
        values["train/rollout_seconds"] = self.seconds
        if gaps := gather_object([max(self.gaps)] if self.gaps else []):
            values["train/probability_gap"] = max(gaps)
        self.event(metrics={"step": step, "values": values})
        self.event(consumed={"step": step, "version_after": step, "episodes": gather_object(self.consumed)})
        self.consumed, self.rows, self.gaps = [], {}, []
        if self.settings["held_out"] and (state.global_step == args.max_steps or every and state.global_step % every == 0):
            self.validate(step)
            self._validated = True
        if not control.should_save:  # else it comes behind the checkpoint
            self._boundary(step, control)

    def on_save(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        gather_object([None])  # all processes have written their parts
        step, path = self.settings["base"] + state.global_step, pathlib.Path(args.output_dir) / f"checkpoint-{state.global_step}"
        if self.main:
            self.event(checkpoint={"step": step, "path": str(path), "digest": seal(path, step, ("*.safetensors", "optimizer.pt", "scheduler.pt"))})
        if self._asked != step:
            self._boundary(step, control)

    def _boundary(self, step: int, control: Any) -> None:
        directive = self._ask(step)
        if directive != "DIRECTIVE_CONTINUE":
            control.should_save = directive != "DIRECTIVE_ABORT" and not control.should_save  # on_save comes after on_log
            control.should_training_stop = True

    def _ask(self, step: int) -> str:
        self._asked, validated, self._validated = step, self._validated, False
        return str(self._agree(self.bridge.boundary({"step": step, "validated": validated})["directive"] if self.main else ""))

    def _agree(self, value: Any) -> Any:
        """What the first process says, in all of them."""
        return broadcast_object_list([value])[0]
