"""The base class of adapters whose trainer is a separate process that uses awhost_bridge."""

from __future__ import annotations

import asyncio
import logging
import os
import pathlib
import re
import shutil
import signal
from collections import deque
from dataclasses import dataclass, field
from typing import Any, Awaitable, ClassVar, Final, Mapping, Sequence

import awhost_bridge
from awhost_bridge.waiting import within

from ..adapter import Adapter, Launch
from ..calls import call
from ..errors import Error, GenerateError, NoTrainer, Unavailable
from ..v1 import host_pb2
from ..v1.adapter_pb2 import ControlRequest, FinishedEvent, GenerateRequest, GenerateResponse, TrainEvent, TrainRequest
from .endpoint import Options
from .server import Server, Worker

ENDPOINT: Final = "AWHOST_BRIDGE"  # the variable that names the endpoint file to the trainer
_UNREAD: Final = "awhost_bridge.codec.CodecError: "
_LAST_LINES: Final = 40  # lines of the trainer's log in the reason of a failure
# Additional seconds, after stop_seconds, for the previous training to detect that the host detached, and to end.
_OVERLAP: Final = 30.0
_SECRETS: Final = re.compile(r"^(PLUGIN_.*|AWHOST_TLS_DIR|AWHOST_PLUGIN_MAGIC_COOKIE)$")
_OUTCOMES: Final = {
    host_pb2.StepBoundaryResponse.DIRECTIVE_FINISH_STAGE: FinishedEvent.OUTCOME_COMPLETED,
    host_pb2.StepBoundaryResponse.DIRECTIVE_STOP: FinishedEvent.OUTCOME_STOPPED,
    host_pb2.StepBoundaryResponse.DIRECTIVE_ABORT: FinishedEvent.OUTCOME_FAILED,
}


@dataclass
class Command:
    """The command that starts the trainer. env is added to the plugin's own environment, whose secrets are removed.
    directory None means the launch's."""

    argv: Sequence[str]
    env: Mapping[str, str] = field(default_factory=dict)
    directory: pathlib.Path | None = None


class BridgeAdapter(Adapter):
    """An adapter whose trainer is a process that uses awhost_bridge. Subclasses implement plan and trainer; override
    the other methods if the framework needs it.

    The trainer finds the endpoint file in AWHOST_BRIDGE and the package awhost_bridge on its PYTHONPATH, requests
    episodes, reports its events and asks at each boundary how to proceed. It ends with status 0, and may report its
    outcome before in a `finished` event. Its output is written to trainer.log in the launch's folder.
    """

    stop_seconds: ClassVar[float] = 30.0  # for the trainer to obey an abort
    _trainings: tuple[_Training, ...] = ()  # the first is in progress or ending; the others wait for it

    def trainer(self, request: TrainRequest, folder: pathlib.Path) -> Command | Awaitable[Command]:
        """Writes the trainer's input files into the launch's folder, and returns the command that starts it."""
        raise NotImplementedError

    def options(self, request: TrainRequest) -> Options:
        """Returns the bridge's listening options and the settings for the workers."""
        return Options()

    def episode(self, request: host_pb2.RunEpisodeRequest, training: TrainRequest) -> None:
        """Fills in fields that the workers do not have. The default sets the stage."""
        request.stage = request.stage or training.stage

    def answer(self, response: GenerateResponse) -> None:
        """Corrects a worker's response, such as versions that the framework counts differently."""

    def reason(self, status: int, last_lines: Sequence[str]) -> str:
        """Returns the text for the user after the trainer has failed, from its exit status, negative for a signal, and
        the last lines of its log."""
        how = f"signal {signal.Signals(-status).name}" if status < 0 else f"status {status}"
        unread = next((line.partition(_UNREAD)[2] for line in last_lines if _UNREAD in line), "")
        cause = f" The model's tool calls cannot be read (tool_format): {unread}" if unread else ""
        return f"the trainer ended with {how}.{cause} Its last lines:\n" + "\n".join(last_lines)

    # Adapter.

    async def train(self, request: TrainRequest, launch: Launch) -> FinishedEvent | None:
        before, training = self._trainings, _Training(self, request, launch)
        self._trainings = (*before, training)
        try:
            for other in before:
                await self._end_of(other)
            return await training.run()
        finally:
            training.over.set()
            self._trainings = tuple(t for t in self._trainings if t is not training)

    async def _end_of(self, other: _Training) -> None:
        """Waits for the end of a training that the host has detached from: two trainers would share the GPUs."""
        try:
            await within(other.over.wait(), self.stop_seconds + _OVERLAP)
        except asyncio.TimeoutError:
            raise Error(f"launch {other.request.launch_id} is still being trained: one stage at a time") from None

    async def generate(self, request: GenerateRequest) -> GenerateResponse:
        server = self._trainings[0].server if self._trainings else None
        if server is None:
            raise GenerateError("aborted", f"episode {request.episode_id}: nothing is trained")
        response = await server.generate(request)
        self.answer(response)
        return response

    async def control(self, request: ControlRequest) -> None:
        for training in self._trainings:
            if training.request.launch_id == request.launch_id:
                return training.control(request)
        raise NoTrainer(f"control: launch {request.launch_id} is not being trained")


class _Training:
    """A stage during its training. It is the handler of its bridge."""

    def __init__(self, adapter: BridgeAdapter, request: TrainRequest, launch: Launch) -> None:
        self.adapter, self.request, self.launch = adapter, request, launch
        self.server: Server | None = None
        self.over: Final = asyncio.Event()
        self.folder = adapter.setup.directory / re.sub(r"[^\w.-]", "-", request.launch_id)
        self._process: asyncio.subprocess.Process | None = None
        self._step = request.first_step - 1 if request.first_step else 0
        self._finished: FinishedEvent | None = None  # reported by the trainer
        self._ending: FinishedEvent | None = None  # requested by the host
        self._killing: asyncio.Future[Any] | None = None
        self._log: Final = logging.getLogger("awhost.bridge.adapter")

    async def run(self) -> FinishedEvent:
        self.folder.mkdir(parents=True, exist_ok=True)
        self.server = await Server.listen(self.folder, run=self.request.launch_id, handler=self, options=self.adapter.options(self.request))
        try:
            command: Command = await call(self.adapter.trainer, self.request, self.folder)
            status = await self._start(command)
            await self.server.settle()
        finally:
            await self._end_group()
            await self.server.close()
        return self._conclude(status)

    async def _start(self, command: Command) -> int:
        """Starts the trainer, and waits for its end. If canceled, it ends the trainer."""
        shutil.copytree(pathlib.Path(awhost_bridge.__file__).parent, self.folder / "python" / "awhost_bridge", dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
        assert self.server is not None
        env = {name: value for name, value in os.environ.items() if not _SECRETS.match(name)} | dict(command.env)
        env["PYTHONPATH"] = os.pathsep.join(filter(None, [str(self.folder / "python"), command.env.get("PYTHONPATH", "")]))
        env |= {ENDPOINT: str(self.server.endpoint_file), "PYTHONUNBUFFERED": "1"}
        with open(self.log, "ab") as log:
            try:
                self._process = await asyncio.create_subprocess_exec(
                    *command.argv, stdin=asyncio.subprocess.DEVNULL, stdout=log, stderr=log, env=env, cwd=command.directory or self.folder, start_new_session=True,
                )
            except OSError as e:
                raise Error(f"start the trainer {command.argv[0]}: {e}") from None
        await self.launch.log(f"the trainer has started; its log is {self.log}", pid=self._process.pid)
        if self._ending is not None:  # aborted before it began
            self._kill()
        status = await self._process.wait()
        self._signal(signal.SIGKILL)  # the rest of its process group
        return status

    @property
    def log(self) -> pathlib.Path:
        return self.folder / "trainer.log"

    def _conclude(self, status: int) -> FinishedEvent:
        out = FinishedEvent()
        # An aborted trainer may end with any status.
        if self._ending is not None and self._ending.outcome == FinishedEvent.OUTCOME_FAILED:
            out.CopyFrom(self._ending)
        elif status < 0:  # killed, by the kernel for memory or a person: another may succeed from the last commit
            raise Unavailable(self.adapter.reason(status, _tail(self.log)))
        elif status != 0:
            out.outcome, out.reason = FinishedEvent.OUTCOME_FAILED, self.adapter.reason(status, _tail(self.log))
        elif self._finished is not None:
            out.CopyFrom(self._finished)
        elif self._ending is not None:
            out.CopyFrom(self._ending)
        else:
            out.outcome = FinishedEvent.OUTCOME_COMPLETED
        out.step = out.step or self._step
        return out

    # The end of the trainer.

    def control(self, request: ControlRequest) -> None:
        if request.action == ControlRequest.ACTION_DRAIN:
            self._ending = self._ending or FinishedEvent(outcome=FinishedEvent.OUTCOME_STOPPED, reason=request.reason)
        if self.server is not None:
            self.server.control(request.action, request.reason)
        if request.action == ControlRequest.ACTION_ABORT:
            self._ending = FinishedEvent(outcome=FinishedEvent.OUTCOME_FAILED, reason=request.reason or "aborted")
            self._kill()

    def _kill(self) -> None:
        if self._process is not None and self._killing is None:
            self._killing = asyncio.ensure_future(self._end_group())

    async def _end_group(self) -> None:
        """Ends the trainer and the rest of its process group: by SIGTERM, and by SIGKILL if that fails."""
        process = self._process
        if process is None or process.returncode is not None:
            return
        self._signal(signal.SIGTERM)
        waiting = asyncio.ensure_future(process.wait())
        await asyncio.wait([waiting], timeout=self.adapter.stop_seconds)
        self._signal(signal.SIGKILL)
        await waiting

    def _signal(self, number: int) -> None:
        assert self._process is not None
        try:
            os.killpg(self._process.pid, number)
        except ProcessLookupError:
            pass  # nothing is left

    # Handler.

    async def run_episode(self, worker: Worker, request: host_pb2.RunEpisodeRequest) -> host_pb2.EpisodeResult:
        self.adapter.episode(request, self.request)
        return await self.launch.run_episode(request)

    async def abandoned(self, worker: Worker, request: host_pb2.RunEpisodeRequest, why: Exception) -> None:
        await self.launch.host.cancel_episode(request.episode_id, str(why))

    async def event(self, worker: Worker, event: TrainEvent) -> None:
        if event.HasField("finished"):
            self._finished = event.finished
            return
        for name in ("metrics", "consumed", "checkpoint"):
            if event.HasField(name):
                self._step = max(self._step, getattr(event, name).step)
        await self.launch.emit(event)

    async def boundary(self, worker: Worker, request: host_pb2.StepBoundaryRequest) -> host_pb2.StepBoundaryResponse:
        self._step = max(self._step, request.step)
        answer = await self.launch.boundary(request.step, validated=request.validated)
        outcome = _OUTCOMES.get(answer.directive)
        if outcome is not None:
            self._ending = self._ending or FinishedEvent(outcome=outcome, reason=answer.reason)
        return answer


def _tail(path: pathlib.Path) -> list[str]:
    try:
        with open(path, encoding="utf-8", errors="replace") as f:
            return [line.rstrip("\n") for line in deque(f, _LAST_LINES)]
    except OSError:
        return []


