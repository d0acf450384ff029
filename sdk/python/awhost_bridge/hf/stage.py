"""A stage of a transformers.Trainer: the driver of awhost_bridge.stage, called from the trainer's hooks."""

from __future__ import annotations

import contextlib
import pathlib
from typing import Any, Iterator, Mapping

import torch
from accelerate.utils import broadcast_object_list, gather_object
from transformers import TrainerCallback

from ..batched import Message
from ..checkpoint import seal
from ..ledger import Template
from ..stage import Played, StageDriver
from ..sync import SyncBridge
from ..wire import JSON
from .sampler import sample

_SMOKE_TOKENS = 64  # of a message in a smoke run

__all__ = ["Over", "Played", "Stage"]


class Over(Exception):
    """The host wants no step of this stage: raised before the first one."""


class Stage(TrainerCallback, StageDriver):
    """One stage. It runs in all processes of a trainer. The arguments are as for StageDriver; pad is the id that fills
    the start of shorter prompts. Set trainer before training starts."""

    trainer: Any = None

    def __init__(
        self, bridge: SyncBridge, settings: JSON, template: Template, *, framework: str, pad: int, response_tokens: int,
        max_context: int | None = None, names: Mapping[str, str] | None = None, main: bool = True,
    ) -> None:
        StageDriver.__init__(
            self, bridge, settings, template, framework=framework, response_tokens=response_tokens,
            max_context=max_context, names=names, main=main,
        )
        self._pad, self._reported_step = pad, -1

    @property
    def done(self) -> int:
        return int(self.trainer.state.global_step)

    @property
    def group_size(self) -> int:
        return int(self.trainer.num_generations)

    @property
    def rank(self) -> int:  # type: ignore[override]
        return int(self.trainer.accelerator.process_index)

    @property
    def processes(self) -> int:  # type: ignore[override]
        return int(self.trainer.accelerator.num_processes)

    def sample(self, messages: list[Message]) -> None:
        """Samples messages with the model being trained. Override it if the framework has its own engine with the
        weights."""
        model, rows = self.trainer.accelerator.unwrap_model(self.trainer.model), self.settings["rows"]
        for m in messages if self.settings["smoke"] else ():  # random weights rarely end a message
            m.max_tokens = min(m.max_tokens, _SMOKE_TOKENS)
        for start in range(0, len(messages), rows):
            ends = set(self.template.end_ids)
            sample(model, messages[start : start + rows], ends, self._pad, self.template.decode)

    def sampling(self) -> tuple[float, float]:
        return self.trainer.args.temperature, self.trainer.args.top_p

    @contextlib.contextmanager
    def playing(self) -> Iterator[None]:
        model = self.trainer.accelerator.unwrap_model(self.trainer.model)
        training = model.training
        model.eval()
        with self.trainer.accelerator.autocast():
            yield
        model.train(training)

    def gather(self, values: list[Any]) -> list[Any]:
        return list(gather_object(values))

    def agree(self, value: Any) -> Any:
        return broadcast_object_list([value])[0]

    # Trainer's hooks, in the order in which it calls them.

    def on_train_begin(self, args: Any, state: Any, control: Any, optimizer: Any = None, **_: Any) -> None:
        if self.settings["carries"]:
            own = [{k: v for k, v in group.items() if k != "params"} for group in optimizer.param_groups]
            moments = pathlib.Path(self.settings["from"]) / "optimizer.pt"
            optimizer.load_state_dict(torch.load(moments, map_location=args.device, weights_only=True))
            for group, schedule in zip(optimizer.param_groups, own, strict=True):  # keep moments, not rates
                group.update(schedule)
        if not self.begin():
            raise Over

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        save, end = self.wanted()
        control.should_save |= save
        control.should_training_stop |= end

    def on_log(self, args: Any, state: Any, control: Any, logs: JSON, **_: Any) -> None:
        if self._reported_step == state.global_step:
            return  # the sum at the end
        self._reported_step, step = state.global_step, self.base + state.global_step
        self.report(step, logs, last=state.global_step == args.max_steps)
        if not control.should_save:  # else it comes after the checkpoint
            self._proceed(step, control, saved=False)

    def on_save(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        self.gather([None])  # all processes have written their parts
        step, path = self.base + state.global_step, pathlib.Path(args.output_dir) / f"checkpoint-{state.global_step}"
        if self.main:
            self.saved(step, path, seal(path, step, ("*.safetensors", "optimizer.pt", "scheduler.pt")))
        if self._boundary_step != step:
            self._proceed(step, control, saved=True)

    def _proceed(self, step: int, control: Any, *, saved: bool) -> None:
        directive = self.boundary(step)
        if directive != "DIRECTIVE_CONTINUE":
            control.should_save = directive != "DIRECTIVE_ABORT" and not saved
            control.should_training_stop = True
