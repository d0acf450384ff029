"""A stage of a transformers.Trainer: runs episodes, reports, validates, and applies the host's decision at the boundary
of each step."""

from __future__ import annotations

import dataclasses
import math
import pathlib
import time
from dataclasses import dataclass
from typing import Any, Mapping, Sequence

import torch
from accelerate.utils import broadcast_object_list, gather_object
from transformers import GenerationConfig, TrainerCallback

from ..batched import Batched, BatchedEpisode, Message, group_requests
from ..checkpoint import seal
from ..ledger import Row, Template
from ..result import EpisodeResult
from ..sync import SyncBridge
from ..tokens import MAX_ROWS, tokens_row
from ..wire import JSON
from .sampler import sample

_NAMES = {name: name for name in ("loss", "grad_norm", "learning_rate", "kl", "entropy")}  # awhost's metric names


class Over(Exception):
    """The host wants no step of this stage: raised before the first one."""


@dataclass
class Played:
    """A sample of a step."""

    episode: BatchedEpisode
    result: EpisodeResult
    row: Row | None  # None: nothing of it is trained
    reward: float | None  # of the row


class Stage(TrainerCallback):
    """One stage. It runs in all processes of a trainer. Only the first one communicates with the host about steps, and
    the others follow it.

    settings are those from awhost.bridge.stage_settings. template is the policy's. pad is the id that fills the start
    of shorter prompts. response_tokens and max_context are as for Batched. names maps awhost's metric names to the
    framework's ("clip_fraction"), if they differ. main is true in the first process.

    Set trainer before training starts. Override probability_gap to check that the trained tokens are the sampled ones.
    Override advantages and loss_logprobs if the adapter has a setting tokens_every.
    """

    trainer: Any = None

    def __init__(
        self, bridge: SyncBridge, settings: JSON, template: Template, *, framework: str, pad: int, response_tokens: int, max_context: int | None = None,
        names: Mapping[str, str] | None = None, main: bool = True,
    ) -> None:
        self.bridge, self.settings, self.template, self.framework, self.main = bridge, settings, template, framework, main
        self._pad, self._names = pad, _NAMES | dict(names or {})
        self._batched = Batched(
            bridge, template, response_tokens=response_tokens, prompt_tokens=settings["prompt_tokens"], max_context=max_context, tool_format=settings["tool_format"],
            reasoning_format=settings["reasoning_format"], patience=settings["patience"],
        )
        self._consumed: list[JSON] = []  # of the step in progress, here and below
        self._rewards: list[float] = []
        self._played: list[Played] = []  # of a step whose tokens are reported
        self.tells_tokens = False  # of the step in progress
        self._seconds = 0.0
        self._save = self._validated = False
        self._boundary_step = self._reported_step = -1  # the last step with a boundary; the last reported step
        bridge.on_control(self._control)

    @property
    def base(self) -> int:
        """Returns the host's number of the trainer's step 0."""
        return int(self.settings["base"])

    def probability_gap(self) -> float | None:
        """Returns, after a step, the largest difference between a trained token's probability at sampling and the
        probability that the framework computes for its loss. None means unknown."""
        return None

    def advantages(self) -> Sequence[float]:
        """Returns, after a step, the advantage of each of its samples, of all processes, in the order in which they are
        requested. Empty means unknown, and no tokens are reported."""
        return ()

    def loss_logprobs(self, number: int, row: Row) -> Sequence[float] | None:
        """Returns, after a step that tells_tokens, the log-probability of each id that the framework computes for its
        loss, with the weights that sampled; NaN means none. number is the index of the row among the samples of this
        process. None means that the loss excludes the row."""
        raise NotImplementedError

    def rollout(self, positions: Sequence[int], group_size: int) -> list[Played]:
        """Runs the samples of this process: positions in the host's order of the tasks, each group_size times."""
        step, first = self.base + self.trainer.state.global_step + 1, self.trainer.accelerator.process_index * len(positions)
        began, every = time.monotonic(), self.settings["tokens_every"]
        self.tells_tokens = every > 0 and step % every == 0
        out = []
        for episode, result in self._play("rollout", step, group_requests(self.settings["launch"], step, positions, group_size, first=first), step - 1):
            row, use = episode.trained(result)
            self._consumed.append({"episode_id": episode.id, "use": use})
            reward = None if row is None else result.reward if row.reward is None else row.reward
            if reward is not None:
                self._rewards.append(reward)
            out.append(Played(episode, result, row, reward))
        self._seconds, self._played = time.monotonic() - began, out if self.tells_tokens else []
        return out

    def validate(self, step: int) -> None:
        """Runs the held-out tasks, divided between the processes."""
        samples, accelerator = self.settings["samples"], self.trainer.accelerator
        requests = group_requests(self.settings["launch"], step, [task for task in range(self.settings["held_out"]) for _ in range(samples)], samples, validation=True)
        self._play("validation", step, requests[accelerator.process_index :: accelerator.num_processes], step)
        accelerator.wait_for_everyone()
        self._validated = True

    def sample(self, messages: list[Message]) -> None:
        """Samples messages with the model being trained. Override it if the framework has its own engine with the
        weights."""
        model, rows = self.trainer.accelerator.unwrap_model(self.trainer.model), self.settings["rows"]
        for start in range(0, len(messages), rows):
            sample(model, messages[start : start + rows], set(self.template.end_ids), self._pad, self.template.decode)

    def _play(self, name: str, step: int, requests: list[JSON], version: int) -> list[tuple[BatchedEpisode, EpisodeResult]]:
        args = self.trainer.args
        model = self.trainer.accelerator.unwrap_model(self.trainer.model)

        def some(messages: list[Message]) -> None:
            for m in messages:
                m.temperature, m.top_p = (args.temperature if m.temperature is None else m.temperature), (args.top_p if m.top_p is None else m.top_p)
            self.sample(messages)

        training, total = model.training, sum(gather_object([len(requests)]))
        self._event(phase={"name": name, "step": step, "total": total})
        model.eval()
        with self.trainer.accelerator.autocast():
            played = self._batched.play(requests, some, version=version)
        model.train(training)
        self._event(phase={"name": name, "step": step, "done": total, "total": total, "ended": True})
        return played

    # Trainer's hooks, in the order in which it calls them.

    def on_train_begin(self, args: Any, state: Any, control: Any, optimizer: Any = None, **_: Any) -> None:
        if self.settings["resumed"]:
            return
        if self.settings["carries"]:
            own = [{k: v for k, v in group.items() if k != "params"} for group in optimizer.param_groups]
            optimizer.load_state_dict(torch.load(pathlib.Path(self.settings["from"]) / "optimizer.pt", map_location=args.device, weights_only=True))
            for group, schedule in zip(optimizer.param_groups, own, strict=True):  # keep moments, not rates
                group.update(schedule)
        if self.settings["before_train"] and self.settings["held_out"]:
            self.validate(self.base)
        if self._ask(self.base) != "DIRECTIVE_CONTINUE":
            raise Over

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        wanted, self._save = self._save, False
        save, end = self._agree((wanted, self.bridge.bridge.draining))
        control.should_save |= save or end
        control.should_training_stop |= end

    def on_log(self, args: Any, state: Any, control: Any, logs: JSON, **_: Any) -> None:
        if self._reported_step == state.global_step:
            return  # the sum at the end
        self._reported_step, every, step = state.global_step, self.settings["every"], self.base + state.global_step
        if self.tells_tokens:
            self._report_tokens(step)
        self._event(metrics={"step": step, "values": self._values(logs)})
        self._event(consumed={"step": step, "version_after": step, "episodes": gather_object(self._consumed)})
        self._consumed, self._rewards = [], []
        if self.settings["held_out"] and (state.global_step == args.max_steps or every and state.global_step % every == 0):
            self.validate(step)
        if not control.should_save:  # else it comes after the checkpoint
            self._boundary(step, control, saved=False)

    def on_save(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        gather_object([None])  # all processes have written their parts
        step, path = self.base + state.global_step, pathlib.Path(args.output_dir) / f"checkpoint-{state.global_step}"
        if self.main:
            self._event(checkpoint={"step": step, "path": str(path), "digest": seal(path, step, ("*.safetensors", "optimizer.pt", "scheduler.pt"))})
        if self._boundary_step != step:
            self._boundary(step, control, saved=True)

    def _report_tokens(self, step: int) -> None:
        """Reports the tokens of one group, the first one with a training signal; several processes may have its
        samples."""
        advantages, size = self.advantages(), self.trainer.num_generations
        first = self.trainer.accelerator.process_index * len(self._played)
        start = next((i for i, advantage in enumerate(advantages) if advantage), len(advantages)) // size * size
        end = min(start + size, first + len(self._played), len(advantages))
        rows = [self._tokens(i - first, self._played[i - first], advantages[i]) for i in range(max(start, first), end)]
        self._played = []
        for row in [row for row in gather_object(rows) if row is not None][:MAX_ROWS]:
            self._event(tokens={"step": step, "rows": [row]})

    def _tokens(self, number: int, played: Played, advantage: float) -> JSON | None:
        if (row := played.row) is None:
            return None
        logprobs = self.loss_logprobs(number, row)
        if logprobs is None:
            row, logprobs = dataclasses.replace(row, loss_mask=[0] * len(row.ids)), [math.nan] * len(row.ids)
        return tokens_row(played.episode.id, row, self.template, trainer_logprobs=logprobs, advantage=advantage)

    def _values(self, logs: JSON) -> dict[str, float]:
        values = {f"{self.framework}/{name}": float(value) for name, value in logs.items() if isinstance(value, (int, float)) and math.isfinite(value)}
        values |= {f"train/{ours}": values[f"{self.framework}/{theirs}"] for ours, theirs in self._names.items() if f"{self.framework}/{theirs}" in values}
        values["train/rollout_seconds"] = self._seconds
        if rewards := gather_object(self._rewards):
            values["train/reward"] = sum(rewards) / len(rewards)
        if gaps := [gap for gap in gather_object([self.probability_gap()]) if gap is not None]:
            values["train/probability_gap"] = max(gaps)
        return values

    # The host's decisions.

    def _boundary(self, step: int, control: Any, *, saved: bool) -> None:
        directive = self._ask(step)
        if directive != "DIRECTIVE_CONTINUE":
            control.should_save = directive != "DIRECTIVE_ABORT" and not saved
            control.should_training_stop = True

    def _ask(self, step: int) -> str:
        self._boundary_step, validated, self._validated = step, self._validated, False
        return str(self._agree(self.bridge.boundary({"step": step, "validated": validated})["directive"] if self.main else ""))

    def _agree(self, value: Any) -> Any:
        """Returns the first process's value in all processes."""
        return broadcast_object_list([value])[0]

    def _control(self, request: JSON) -> None:
        self._save |= request.get("action") == "ACTION_CHECKPOINT_NOW"

    def _event(self, **event: JSON) -> None:
        if self.main:
            self.bridge.event(event)


def ends(model: str, eos: int) -> list[int]:
    """Returns the ids with which a model may end a message: the ids of its generation_config, if any, and eos, the
    tokenizer's."""
    try:
        found = GenerationConfig.from_pretrained(model).eos_token_id
    except OSError:
        found = None
    return list(dict.fromkeys([*(found if isinstance(found, list) else [] if found is None else [found]), eos]))
