"""The base class of adapters, which connect a training framework.

    class Mine(awhost.adapter.Adapter, type="mine", token_custody="trainer", rows_per_episode="one", step_barrier=True):
        def plan(self, request: PlanRequest) -> PlanResponse: ...
        async def train(self, request: TrainRequest, launch: Launch) -> None: ...
        async def generate(self, request: GenerateRequest) -> GenerateResponse: ...
        async def control(self, request: ControlRequest) -> None: ...

Its methods take and return the messages of adapter.proto, whose comments document each of them. An adapter whose
trainer is a process that uses awhost_bridge extends BridgeAdapter of awhost.bridge instead, which implements train,
generate and control.
"""

from __future__ import annotations

import asyncio
import json
import typing
from typing import TYPE_CHECKING, Any, Awaitable, Mapping, Sequence

from .component import Component
from .errors import Error
from .v1 import adapter_pb2, host_pb2
from .v1.adapter_pb2 import (
    ConsumedEpisode, ControlRequest, ExportRequest, ExportResponse, FinishedEvent, GenerateRequest, GenerateResponse, KnobMapping, Knobs, LoadRequest, LoadResponse,
    PlanRequest, PlanResponse, RecoverRequest, TrainEvent, TrainRequest,
)

if TYPE_CHECKING:
    from .host import Host

JSON = dict[str, Any]


class AdapterOptions(typing.TypedDict, total=False):
    """AdapterCapabilities of adapter.proto. The methods declare recover, evaluate, serve and remote_checkpoints;
    max_episode is a duration such as "5m"."""

    token_custody: str
    rows_per_episode: str
    behaviour_logprobs: bool
    per_token_versions: bool
    unscorable: str
    group_semantics: bool
    group_of_one: str
    trains_all: bool
    credit: Sequence[str]
    sampling_owned: Sequence[str]
    stop_strings: bool
    modalities: Sequence[str]
    max_context: int
    max_episode: str
    interruptible: bool
    resume: bool
    live_metrics: bool
    step_barrier: bool
    smoke: bool
    scale: Sequence[str]
    export_formats: Sequence[str]


class Launch:
    """A training in progress, as passed to train and recover: they report to it, and it gives access to its host."""

    def __init__(self, launch_id: str, host: Host, after_seq: int = 0) -> None:
        self.id = launch_id
        self.host = host
        self.seq = after_seq  # of the last event
        self.stage = ""
        self._order = asyncio.Lock()
        self._events: asyncio.Queue[TrainEvent] = asyncio.Queue(64)
        self._last_step = 0
        self._finished = False
        self._on_result: list[typing.Callable[[str], None]] = []

    async def emit(self, event: TrainEvent) -> None:
        """Reports an event and sets its seq. Numbers must be finite. Nothing is reported after `finished`."""
        kind = event.WhichOneof("event")
        if kind is None:
            raise ValueError("emit: the event is empty: set exactly one of its members")
        if kind == "metrics":
            from .convert import numbers

            numbers("the metric", event.metrics.values)
        async with self._order:
            if self._finished:
                raise Error("emit: the launch has finished")
            out = TrainEvent()
            out.CopyFrom(event)
            out.seq = self.seq + 1
            await self._events.put(out)
            self.seq += 1
            if kind == "metrics":
                self._last_step = event.metrics.step
            self._finished = kind == "finished"

    async def metrics(self, step: int, values: Mapping[str, float]) -> None:
        await self.emit(TrainEvent(metrics=adapter_pb2.MetricsEvent(step=step, values=dict(values))))

    async def phase(self, name: str, step: int, *, done: int = 0, total: int = 0, ended: bool = False) -> None:
        await self.emit(TrainEvent(phase=adapter_pb2.PhaseEvent(name=name, step=step, done=done, total=total, ended=ended)))

    async def consumed(self, step: int, version_after: int, episodes: Sequence[ConsumedEpisode]) -> None:
        await self.emit(TrainEvent(consumed=adapter_pb2.ConsumedEvent(step=step, version_after=version_after, episodes=episodes)))

    async def checkpoint(self, step: int, path: str, digest: str = "") -> None:
        """Announces a checkpoint whose files are complete and synced."""
        await self.emit(TrainEvent(checkpoint=adapter_pb2.CheckpointEvent(step=step, path=path, digest=digest)))

    async def log(self, message: str, level: str = "info", **fields: object) -> None:
        """Logs a line for the user."""
        await self.emit(TrainEvent(log=adapter_pb2.LogEvent(level=level, message=message, fields={k: str(v) for k, v in fields.items()})))

    async def handle(self, handle: bytes) -> None:
        """Reports the data that recover needs to find the trainer. The last handle counts."""
        await self.emit(TrainEvent(handle=adapter_pb2.HandleEvent(handle=handle)))

    async def run_episode(self, request: host_pb2.RunEpisodeRequest) -> host_pb2.EpisodeResult:
        """Has the host run an episode. The record of its calls is dropped with its result."""
        try:
            return await self.host.run_episode(request)
        finally:
            for callback in self._on_result:
                callback(request.episode_id)

    async def boundary(self, step: int, *, validated: bool = False) -> host_pb2.StepBoundaryResponse:
        """Reports a finished step and asks how to proceed. Emit the events of the step before."""
        request = host_pb2.StepBoundaryRequest(launch_id=self.id, stage=self.stage, step=step, validated=validated, after_seq=self.seq)
        return await self.host.step_boundary(request)


class Adapter(Component):
    """Connects a training framework. Its options are the capabilities of adapter.proto."""

    _kind = "adapter"

    @classmethod
    def _options(cls) -> type:
        return AdapterOptions

    @classmethod
    def _capabilities(cls, options: JSON) -> JSON:
        out = super()._capabilities(options)
        if out.get("export_formats") and cls.export is Adapter.export:
            raise TypeError(f"class {cls.__name__} declares export_formats and has no method export")
        methods = {"recover": "recover", "evaluate": "evaluate", "serve": "load"}
        methods["remote_checkpoints"] = "delete_checkpoint"
        return out | {name: True for name, method in methods.items() if getattr(cls, method) is not getattr(Adapter, method)}

    def plan(self, request: PlanRequest) -> PlanResponse | Awaitable[PlanResponse]:
        """Returns what train would do. It is pure: it starts nothing and writes nothing."""
        raise NotImplementedError

    async def train(self, request: TrainRequest, launch: Launch) -> FinishedEvent | None:
        """Runs one stage and reports to launch. None means that the stage is completed. It is canceled when the host
        ends the call. Unavailable means that the trainer was killed and another one may succeed; any other error fails
        the stage, with its text."""
        raise NotImplementedError

    async def recover(self, request: RecoverRequest, launch: Launch) -> FinishedEvent | None:
        """Continues with a trainer that outlived the adapter or the host. Raises NoTrainer if it has certainly
        ended."""
        raise NotImplementedError

    async def generate(self, request: GenerateRequest) -> GenerateResponse:
        """Samples one assistant message. The SDK answers repeats of a call_id. Raises GenerateError."""
        raise NotImplementedError

    async def evaluate(self, launch_id: str) -> None:
        """Requests a validation pass at the next step boundary."""
        raise NotImplementedError

    async def control(self, request: ControlRequest) -> None:
        """Controls a running train or recover. It is idempotent."""
        raise NotImplementedError

    async def load(self, request: LoadRequest) -> LoadResponse:
        """Prepares the policy of a checkpoint for sampling, without train."""
        raise NotImplementedError

    async def release(self, episode_id: str) -> None:
        """Discards an episode after a load."""

    def export(self, request: ExportRequest) -> ExportResponse | Awaitable[ExportResponse]:
        """Writes a checkpoint in another tool's format. Raises FileExistsError if the target exists."""
        raise NotImplementedError

    def delete_checkpoint(self, path: str) -> None | Awaitable[None]:
        """Deletes the data that a checkpoint has outside of its directory. It is idempotent."""
        raise NotImplementedError


class Settings:
    """The training settings of a stage, by their names in the spec language: settings["batch.prompts"]."""

    def __init__(self, knobs: Knobs) -> None:
        self.tree: JSON = json.loads(knobs.json or b"{}")
        self.set: frozenset[str] = frozenset(self.tree.get("set") or ())  # set by the user, not defaults

    def get(self, knob: str, default: Any = None) -> Any:
        """Returns the value, or default if neither the spec nor awhost sets one."""
        value: Any = self.tree
        for part in knob.split("."):
            value = value.get(part) if isinstance(value, Mapping) else None
        return default if value is None else value

    def __getitem__(self, knob: str) -> Any:
        value = self.get(knob)
        if value is None:
            raise KeyError(knob)
        return value

    def mapped(self, keys: Mapping[str, str], refused: Mapping[str, str] | None = None) -> tuple[JSON, list[KnobMapping]]:
        """Returns the framework's settings by its keys, and the result for each knob. Knobs in keys that have a value
        are mapped. Knobs that the user wrote and keys does not contain are refused, with the reason from refused."""
        values = {key: value for knob, key in keys.items() if (value := self.get(knob)) is not None}
        mappings = [KnobMapping(knob=knob, key=key) for knob, key in keys.items() if self.get(knob) is not None]
        for knob in sorted(self.set - keys.keys()):
            reason = (refused or {}).get(knob, "the framework has no such setting")
            mappings.append(KnobMapping(knob=knob, refused=reason))
        return values, mappings
