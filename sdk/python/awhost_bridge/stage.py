"""The driver of a stage: runs the episodes of each step, validates, reports, saves, and applies the host's decision at
the boundary of each step. It depends on no framework.

    class Mine(Trainer):
        def sample(self, messages): …               # fills in ids, logprobs and finish
        def train(self, step, samples): …           # one update; returns metrics
        def save(self, folder): …
        def load(self, folder, *, optimizer): …

    with SyncBridge(os.environ["AWHOST_BRIDGE"], role="both", framework="mine", framework_version="1.0") as bridge:
        StageDriver(bridge, settings, ChatTemplate(tokenizer), framework="mine", response_tokens=512).run(Mine())

A framework with its own loop does not use run. Its hooks call begin, rollout, report, saved, and boundary, in this
order, as awhost_bridge.hf does.
"""

from __future__ import annotations

import base64
import contextlib
import dataclasses
import json
import math
import pathlib
import random
import shutil
import time
from dataclasses import dataclass
from typing import Any, ContextManager, Iterator, Mapping, Protocol, Sequence

from .batched import Batched, BatchedEpisode, Message, group_requests
from .checkpoint import seal
from .gap import PolicyGap, merge
from .ledger import Row, Template
from .result import EpisodeResult
from .sync import SyncBridge
from .tokens import MAX_ROWS, tokens_row
from .wire import JSON, get, integer

_NAMES = {name: name for name in ("loss", "grad_norm", "learning_rate", "kl", "entropy")}  # awhost's metric names
_CONTINUE, _ABORT = "DIRECTIVE_CONTINUE", "DIRECTIVE_ABORT"
_OUTCOMES = {"DIRECTIVE_FINISH_STAGE": "COMPLETED", "DIRECTIVE_STOP": "STOPPED", _ABORT: "FAILED"}  # of a stage
_REHEARSED = 16  # ids of a message that a rehearsal invents


def stage_settings(
    request: JSON, *, patience: float, tool_format: str = "auto", reasoning_format: str = "auto", tokens_every: int = 0,
) -> JSON:
    """Returns the settings of a StageDriver for a TrainRequest in proto JSON. patience, in seconds, and the formats are
    as in Batched. tokens_every is the number of steps between reports of a group's tokens; 0 means never.

    base is the host's number of the framework's step 0, because a framework starts each stage at 0, and done is the
    number of finished steps. The weights are taken from the checkpoint `from`; if `resumed`, its whole state is.
    carries is true if the optimizer's state continues in another stage. temperature and top_p are those of messages for
    which the host sets none.
    """
    knobs, data = knobs_of(request), get(request, "data", {})
    validate, batch = knobs.get("validate") or {}, knobs.get("batch") or {}
    steps, save_every = stage_length(knobs, integer(get(data, "train_tasks", 0)))
    given = (knobs.get("sampling") or {}).items()
    sampling = {"temperature": 1.0, "top_p": 1.0} | {name: value for name, value in given if value is not None}
    done, source = integer(get(request, "steps_done", 0)), get(request, "from_checkpoint", "")
    resumed = get(request, "resumed", False)
    return {
        "launch": get(request, "launch_id"), "base": integer(get(request, "first_step", 0)) - 1 - done, "done": done,
        "steps": steps, "prompts": batch.get("prompts"), "group_size": batch.get("group_size"),
        "from": source, "resumed": resumed, "smoke": get(request, "smoke", False),
        "carries": bool(source) and get(request, "carry_optimizer", False) and not resumed,
        "save_every": save_every, "checkpoints": get(request, "checkpoint_dir", "checkpoints"),
        "every": validate.get("every") or 0, "before_train": validate.get("before_train") or False,
        "held_out": integer(get(data, "validation_tasks", 0)), "samples": validate.get("samples") or 1,
        "prompt_tokens": (knobs.get("limits") or {}).get("prompt_tokens"), "patience": patience,
        "tool_format": tool_format, "reasoning_format": reasoning_format, "tokens_every": tokens_every,
        "temperature": sampling["temperature"], "top_p": sampling["top_p"],
    }


def knobs_of(request: JSON) -> JSON:
    """Returns the knobs of a TrainRequest in proto JSON, by their names in the spec language."""
    return dict(json.loads(base64.b64decode(get(get(request, "knobs", {}), "json", "")) or "{}"))


def stage_length(knobs: Mapping[str, Any], train_tasks: int) -> tuple[int, int]:
    """Returns the steps of a stage, and the steps between two of its checkpoints. They are 0 if the spec's values are
    impossible."""
    prompts = max(1, (knobs.get("batch") or {}).get("prompts") or 0)
    steps = knobs.get("steps") or math.ceil((knobs.get("epochs") or 0) * train_tasks / prompts)
    checkpoint = knobs.get("checkpoint") or {}
    unit = max(1, train_tasks // prompts) if checkpoint.get("unit") == "epochs" else 1
    return steps, (checkpoint.get("every") or 0) * unit or steps


@dataclass
class Played:
    """A sample of a step."""

    episode: BatchedEpisode
    result: EpisodeResult
    row: Row | None  # None: nothing of it is trained
    reward: float | None  # of the row
    advantage: float = 0.0  # set by Trainer.train, as the next one
    logprobs: Sequence[float] | None = None  # of the row's ids in the loss, with the weights that sampled; NaN: none


def advance(samples: list[Played], size: int, normalize_by: str) -> None:
    """Sets the advantages: the reward compared with the group's mean, divided by its deviation for "std" (GRPO).
    Samples without a reward are not part of the group."""
    for start in range(0, len(samples), size):
        rewarded = [(p, p.reward) for p in samples[start : start + size] if p.row is not None and p.reward is not None]
        mean = sum(reward for _, reward in rewarded) / max(1, len(rewarded))
        deviation = math.sqrt(sum((reward - mean) ** 2 for _, reward in rewarded) / max(1, len(rewarded)))
        for played, reward in rewarded:
            scale = deviation + 1e-6 if normalize_by == "std" else 1.0
            played.advantage = 0.0 if deviation < 1e-8 else (reward - mean) / scale


def learning_rate(optimizer: Mapping[str, Any], done: int, steps: int) -> float:
    """Returns the rate of the update after `done` steps of the stage: a linear warm-up, then the schedule, to 0."""
    peak, warmup = optimizer.get("learning_rate") or 1e-4, optimizer.get("warmup_steps") or 0
    if done < warmup:
        return float(peak * (done + 1) / warmup)
    progress = (done - warmup) / max(1, steps - warmup)
    factors = {"constant": 1.0, "linear": 1 - progress, "cosine": (1 + math.cos(math.pi * progress)) / 2}
    return float(peak * factors[optimizer.get("schedule") or "constant"])


class Trainer(Protocol):
    """The parts of a stage that depend on the framework."""

    def sample(self, messages: list[Message]) -> None:
        """Samples messages with the current weights: fills in ids, logprobs and finish."""

    def train(self, step: int, samples: list[Played]) -> Mapping[str, float]:
        """Updates the weights once, and returns the metrics of the step. Samples of a group are adjacent. Those
        without a row have no effect. It may set advantage and logprobs of the others: the driver then compares the
        probabilities at sampling and in the loss, and awhost ui shows the tokens of a group (tokens_every)."""

    def save(self, folder: pathlib.Path) -> str | None:
        """Writes a checkpoint into an empty folder. Returns its digest, or None if all its files determine it."""

    def load(self, folder: pathlib.Path, *, optimizer: bool) -> None:
        """Loads the weights of a checkpoint, with the optimizer's state or with a new optimizer. It is called once,
        before the first step, unless the stage starts from the policy of the spec."""


class StageDriver:
    """One stage. If several processes train, it runs in each of them, and only the first one communicates with the host
    about steps; gather and agree then connect the processes.

    settings are those from stage_settings. template is the policy's. response_tokens and max_context are
    as for Batched. names maps awhost's metric names to the framework's ("clip_fraction"), if they differ. main is true
    in the first process.

    A framework with its own loop overrides policy_gap, so that the host finds faults of the policy that samples, and
    advantages and loss_logprobs if the adapter has a setting tokens_every.
    """

    rank, processes = 0, 1  # of this process

    def __init__(
        self, bridge: SyncBridge, settings: JSON, template: Template, *, framework: str, response_tokens: int,
        max_context: int | None = None, names: Mapping[str, str] | None = None, main: bool = True,
    ) -> None:
        self.bridge, self.settings, self.template = bridge, settings, template
        self.framework, self.main, self._names = framework, main, _NAMES | dict(names or {})
        self._batched = Batched(
            bridge, template, response_tokens=response_tokens, prompt_tokens=settings["prompt_tokens"],
            max_context=max_context, tool_format=settings["tool_format"], reasoning_format=settings["reasoning_format"],
            patience=settings["patience"],
        )
        self.tells_tokens = False  # of the step in progress, here and below
        self._consumed: list[JSON] = []
        self._rewards: list[float] = []
        self._played: list[Played] = []
        self._seconds = 0.0
        self._size = 1  # samples of a group
        self._done = int(settings.get("done", 0))
        self._save = self._validated = False
        self._sampler: Any = None  # of run
        self._events = 0  # reported
        self._boundary_step = -1  # the last step with a boundary, whose answer ends the stage as follows
        self._outcome = self._reason = ""
        bridge.on_control(self._control)

    @property
    def base(self) -> int:
        """Returns the host's number of the trainer's step 0."""
        return int(self.settings["base"])

    @property
    def done(self) -> int:
        """Returns the number of finished steps of this stage."""
        return self._done

    @property
    def group_size(self) -> int:
        return self._size

    # To override.

    def sample(self, messages: list[Message]) -> None:
        """Samples messages with the weights being trained."""
        self._sampler.sample(messages)

    def sampling(self) -> tuple[float, float]:
        """Returns the temperature and the top_p of messages for which the host sets none."""
        return self.settings["temperature"], self.settings["top_p"]

    def playing(self) -> ContextManager[Any]:
        """Returns a context in which episodes run, such as one that disables dropout."""
        return contextlib.nullcontext()

    def gather(self, values: list[Any]) -> list[Any]:
        """Returns the values of all processes, in the order of their ranks."""
        return values

    def agree(self, value: Any) -> Any:
        """Returns the first process's value in all processes."""
        return value

    def policy_gap(self) -> PolicyGap:
        """Returns, after a step, the trained tokens of this process with their log-probabilities at sampling and those
        that the framework computes for its loss. Without tokens, they are unknown."""
        gap = PolicyGap()
        for played in self._played:
            if (row := played.row) is not None and played.logprobs is not None:
                gap.add(played.episode.id, trained_tokens(row, played.logprobs))
        return gap

    def advantages(self) -> Sequence[float]:
        """Returns, after a step, the advantage of each of its samples, of all processes, in the order in which they are
        requested. Empty means unknown, and no tokens are reported."""
        return self.gather([played.advantage for played in self._played])

    def loss_logprobs(self, number: int, row: Row) -> Sequence[float] | None:
        """Returns, after a step that tells_tokens, the log-probability of each id that the framework computes for its
        loss, with the weights that sampled; NaN means none. number is the index of the row among the samples of this
        process. None means that the loss excludes the row."""
        return self._played[number].logprobs

    # A whole stage.

    def run(self, trainer: Trainer) -> None:
        """Trains the stage, or the rest of it. In a smoke run a Rehearsal replaces the trainer."""
        settings = self.settings
        if settings["smoke"]:
            trainer = Rehearsal(self.template.end_ids[0])
        self._sampler = trainer
        if settings["from"]:
            trainer.load(pathlib.Path(settings["from"]), optimizer=settings["resumed"] or settings["carries"])
        proceed = self.begin()
        while proceed and self._done < settings["steps"]:
            first, size = self._done * settings["prompts"], settings["group_size"]
            positions = [p for p in range(first, first + settings["prompts"]) for _ in range(size)]
            values = trainer.train(self.base + self._done + 1, self.rollout(positions, size))
            self._done += 1
            last = self._done == settings["steps"]
            self.report(self.base + self._done, values, last=last)
            saves, ends = self.wanted()
            if saves := saves or last or self._done % settings["save_every"] == 0:
                self._write(trainer)
            directive = self.boundary(self.base + self._done)
            proceed = directive == _CONTINUE and not ends
            if not proceed and directive != _ABORT and not saves:
                self._write(trainer)
        self.finish()

    def _write(self, trainer: Trainer) -> None:
        step = self.base + self._done
        folder = pathlib.Path(self.settings["checkpoints"]) / f"step-{step}"
        shutil.rmtree(folder, ignore_errors=True)  # left by a process that ended while it wrote
        folder.mkdir(parents=True)
        digest = trainer.save(folder)
        sealed = seal(folder, step, ("*",))
        self.saved(step, folder, digest or sealed)

    # The parts of a stage, for a framework with its own loop.

    def finish(self) -> None:
        """Reports the end of the stage, after all of its steps or at the host's request."""
        outcome = self._outcome or ("COMPLETED" if self.done == self.settings["steps"] else "STOPPED")
        finished = {"outcome": f"OUTCOME_{outcome}", "reason": self._reason, "step": self.base + self.done}
        self._event(finished=finished)
        self.bridge.flush()  # an adapter that was killed may be restarted

    def begin(self) -> bool:
        """Validates before the first step if the spec requests it, and reports whether the host wants a step."""
        if self.settings["resumed"]:
            return True
        if self.settings["before_train"] and self.settings["held_out"]:
            self.validate(self.base)
        return self.boundary(self.base) == _CONTINUE

    def rollout(self, positions: Sequence[int], group_size: int) -> list[Played]:
        """Runs the samples of this process: positions in the host's order of the tasks, each group_size times."""
        step, every, self._size = self.base + self.done + 1, self.settings["tokens_every"], group_size
        first = self.rank * len(positions)
        requests = group_requests(self.settings["launch"], step, positions, group_size, first=first)
        self.tells_tokens, began, out = every > 0 and step % every == 0, time.monotonic(), []
        for episode, result in self._play("rollout", step, requests, step - 1):
            row, use = episode.trained(result)
            self._consumed.append({"episode_id": episode.id, "use": use})
            reward = None if row is None else result.reward if row.reward is None else row.reward
            if reward is not None:
                self._rewards.append(reward)
            out.append(Played(episode, result, row, reward))
        self._seconds, self._played = time.monotonic() - began, out
        return out

    def validate(self, step: int) -> None:
        """Runs the held-out tasks, divided between the processes."""
        samples = self.settings["samples"]
        positions = [task for task in range(self.settings["held_out"]) for _ in range(samples)]
        requests = group_requests(self.settings["launch"], step, positions, samples, validation=True)
        self._play("validation", step, requests[self.rank :: self.processes], step)
        self.gather([None])
        self._validated = True

    def report(self, step: int, values: Mapping[str, Any], *, last: bool) -> None:
        """Reports a finished step, and validates if it is due. last: it is the stage's last one."""
        if self.tells_tokens:
            self._report_tokens(step)
        gap, measured = merge(self.gather([self.policy_gap().summary()]))
        finite, broken = self._values(values)
        metrics: JSON = {"step": step, "values": measured | finite} | ({"not_finite": broken} if broken else {})
        self._event(metrics=metrics | ({"policy_gap": gap} if gap else {}))
        self._event(consumed={"step": step, "version_after": step, "episodes": self.gather(self._consumed)})
        self._consumed, self._rewards, self._played = [], [], []
        every = self.settings["every"]
        if self.settings["held_out"] and (last or every and (step - self.base) % every == 0):
            self.validate(step)

    def wanted(self) -> tuple[bool, bool]:
        """Reports whether a checkpoint of this step is wanted, and whether the stage ends after it."""
        wanted, self._save = self._save, False
        save, end = self.agree((wanted, self.bridge.bridge.draining))
        return save or end, end

    def saved(self, step: int, path: pathlib.Path, digest: str) -> None:
        """Announces a checkpoint whose files are complete and synced."""
        self._event(checkpoint={"step": step, "path": str(path), "digest": digest})

    def boundary(self, step: int) -> str:
        """Reports a finished step, and returns the host's directive."""
        self._boundary_step, validated, self._validated = step, self._validated, False
        answer = self.bridge.boundary({"step": step, "validated": validated}) if self.main else {}
        self._outcome, self._reason = _OUTCOMES.get(answer.get("directive", ""), ""), answer.get("reason", "")
        return str(self.agree(answer.get("directive", "")))

    def _play(
        self, name: str, step: int, requests: list[JSON], version: int
    ) -> list[tuple[BatchedEpisode, EpisodeResult]]:
        def some(messages: list[Message]) -> None:
            temperature, top_p = self.sampling()
            for m in messages:
                m.temperature = temperature if m.temperature is None else m.temperature
                m.top_p = top_p if m.top_p is None else m.top_p
            self.sample(messages)

        total = sum(self.gather([len(requests)]))
        self._event(phase={"name": name, "step": step, "total": total})
        with self.playing():
            played = self._batched.play(requests, some, version=version)
        self._event(phase={"name": name, "step": step, "done": total, "total": total, "ended": True})
        return played

    def _report_tokens(self, step: int) -> None:
        """Reports the tokens of one group, the first one with a training signal; several processes may have its
        samples."""
        advantages, size, first = self.advantages(), self.group_size, self.rank * len(self._played)
        start = next((i for i, advantage in enumerate(advantages) if advantage), len(advantages)) // size * size
        end = min(start + size, first + len(self._played), len(advantages))
        rows = [self._tokens(i - first, self._played[i - first], advantages[i]) for i in range(max(start, first), end)]
        for row in [row for row in self.gather(rows) if row is not None][:MAX_ROWS]:
            self._event(tokens={"step": step, "rows": [row]})

    def _tokens(self, number: int, played: Played, advantage: float) -> JSON | None:
        if (row := played.row) is None:
            return None
        logprobs = self.loss_logprobs(number, row)
        if logprobs is None:
            row, logprobs = dataclasses.replace(row, loss_mask=[0] * len(row.ids)), [math.nan] * len(row.ids)
        return tokens_row(played.episode.id, row, self.template, trainer_logprobs=logprobs, advantage=advantage)

    def _values(self, logs: Mapping[str, Any]) -> tuple[dict[str, float], list[str]]:
        """Returns the metrics of a step, and the names of its update's metrics that are NaN or infinite."""
        numbers = {name: float(v) for name, v in logs.items() if isinstance(v, (int, float))}
        finite = {name: v for name, v in numbers.items() if math.isfinite(v)}
        broken = [f"train/{ours}" for ours, theirs in self._names.items() if theirs in numbers and theirs not in finite]
        values = {f"{self.framework}/{name}": value for name, value in finite.items()}
        values |= {f"train/{ours}": finite[theirs] for ours, theirs in self._names.items() if theirs in finite}
        values["train/rollout_seconds"] = self._seconds
        if rewards := self.gather(self._rewards):
            values["train/reward"] = sum(rewards) / len(rewards)
        return values, sorted(broken)

    def _control(self, request: JSON) -> None:
        self._save |= request.get("action") == "ACTION_CHECKPOINT_NOW"

    def _event(self, **event: Any) -> None:
        """Reports an event. Its number lets an adapter that was restarted recognize a repeated event."""
        if self.main:
            self._events += 1
            self.bridge.event({"seq": self._events, **event})


def trained_tokens(row: Row, logprobs: Sequence[float]) -> Iterator[tuple[int, float, float]]:
    """Yields the trained tokens of a row for PolicyGap.add. logprobs has the values of all its ids in the loss."""
    for i, (trained, sampler, loss) in enumerate(zip(row.loss_mask, row.logprobs, logprobs, strict=True)):
        if trained:
            yield i, sampler, loss


class Rehearsal:
    """The trainer of a smoke run whose policy is a service, and costs money: it samples ids of the prompt at random and
    trains nothing. Rows, validation, checkpoints, and boundaries are the same as in a run."""

    def __init__(self, end: int) -> None:
        self._end, self._rows = end, 0

    def sample(self, messages: list[Message]) -> None:
        for m in messages:
            draws = random.Random(m.seed)
            m.ids = [draws.choice(m.prompt) for _ in range(min(m.max_tokens, _REHEARSED) - 1)] + [self._end]
            m.logprobs, m.finish = [-math.log(len(m.prompt))] * len(m.ids), "stop"

    def train(self, step: int, samples: list[Played]) -> dict[str, float]:
        trained = sum(played.row.trained for played in samples if played.row is not None)
        self._rows += trained
        return {"trained_tokens": float(trained)}

    def save(self, folder: pathlib.Path) -> None:
        (folder / "rehearsal").write_text(f"{self._rows}\n", encoding="utf-8")

    def load(self, folder: pathlib.Path, *, optimizer: bool) -> None:
        self._rows = int((folder / "rehearsal").read_text(encoding="utf-8"))
