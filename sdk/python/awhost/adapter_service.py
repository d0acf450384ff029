"""The service of adapters. It numbers events, refuses a second Train of a launch, and answers a repeated call_id of
Generate."""

from __future__ import annotations

import asyncio
import logging
from typing import Any, AsyncIterator, Awaitable, Final

from google.protobuf import json_format

from .adapter import Adapter, Launch
from .calls import call
from .errors import Error, Unavailable
from .services import Configured
from .status import Code, Status, utf8
from .v1 import adapter_pb2
from .v1.adapter_pb2 import FinishedEvent, TrainEvent

_log: Final = logging.getLogger("awhost")


class _Call:
    """One Generate call, in progress or answered."""

    def __init__(self, sampling: asyncio.Future[adapter_pb2.GenerateResponse]) -> None:
        self.sampling = sampling
        self.waiting = 0


class AdapterService:
    def __init__(self, configured: Configured[Adapter]) -> None:
        self._configured = configured
        self._loading = asyncio.Lock()
        self._loaded = False  # serving a policy: training is no longer possible
        self._launches: set[str] = set()
        self._calls: dict[str, dict[str, _Call]] = {}  # by episode and call_id

    async def Plan(self, request: adapter_pb2.PlanRequest) -> adapter_pb2.PlanResponse:
        adapter = self._configured.get()
        planned: adapter_pb2.PlanResponse = await call(adapter.plan, request)
        if planned.HasField("capabilities"):
            return planned
        out = adapter_pb2.PlanResponse()
        out.CopyFrom(planned)
        json_format.ParseDict(adapter.about.capabilities, out.capabilities)  # nothing is narrowed
        return out

    # Training.

    async def Train(self, request: adapter_pb2.TrainRequest) -> AsyncIterator[adapter_pb2.TrainResponse]:
        adapter, launch = self._launch(request.launch_id)
        if request.launch_id in self._launches:
            raise Status(Code.ALREADY_EXISTS, f"train: launch {request.launch_id} was trained already: use Recover")
        self._launches.add(request.launch_id)
        launch.stage = request.stage
        async for event in self._relay(launch, adapter.train(request, launch), recovering=False):
            yield adapter_pb2.TrainResponse(event=event)

    async def Recover(self, request: adapter_pb2.RecoverRequest) -> AsyncIterator[adapter_pb2.RecoverResponse]:
        adapter, launch = self._launch(request.launch_id, request.after_seq)
        if not adapter.about.capabilities.get("recover"):
            raise Status(Code.UNIMPLEMENTED, "recover: the trainer does not outlive the adapter; restart it from its last checkpoint")
        self._launches.add(request.launch_id)
        async for event in self._relay(launch, adapter.recover(request, launch), recovering=True):
            yield adapter_pb2.RecoverResponse(event=event)

    def _launch(self, launch_id: str, after_seq: int = 0) -> tuple[Adapter, Launch]:
        adapter = self._configured.get()
        if adapter.setup.host is None:
            raise Status(Code.FAILED_PRECONDITION, "train: an adapter needs the host, and Configure named no address")
        if self._loaded:
            raise Status(Code.FAILED_PRECONDITION, "train: this process serves a loaded policy: start another process to train")
        launch = Launch(launch_id, adapter.setup.host, after_seq)
        launch._on_result.append(self._drop_episode)
        return adapter, launch

    def _drop_episode(self, episode_id: str) -> None:
        self._calls.pop(episode_id, None)

    async def _relay(self, launch: Launch, run: Awaitable[FinishedEvent | None], *, recovering: bool) -> AsyncIterator[TrainEvent]:
        """Yields the events of run, the last of which is `finished`. If the stream is cut, it cancels run and waits for
        it."""
        running: asyncio.Future[Any] = asyncio.ensure_future(self._finish(launch, run, recovering))
        taking: asyncio.Future[Any] | None = None
        try:
            while True:
                taking = taking or asyncio.ensure_future(launch._events.get())
                await asyncio.wait([running, taking], return_when=asyncio.FIRST_COMPLETED)
                if taking.done():
                    event, taking = taking.result(), None
                    yield event
                elif launch._events.empty():
                    if running.cancelled() and not launch._finished:  # by the adapter itself: an abort
                        ended = FinishedEvent(outcome=FinishedEvent.OUTCOME_FAILED, reason="it was cancelled", step=launch._last_step)
                        yield TrainEvent(seq=launch.seq + 1, finished=ended)
                    elif not running.cancelled():
                        await running
                    return
        finally:
            running.cancel()
            if taking is not None:
                taking.cancel()
            await asyncio.wait({running})

    @staticmethod
    async def _finish(launch: Launch, run: Awaitable[FinishedEvent | None], recovering: bool) -> None:
        try:
            finished = await run or FinishedEvent(outcome=FinishedEvent.OUTCOME_COMPLETED, step=launch._last_step)
        except Exception as e:
            if recovering or launch._finished or isinstance(e, (Unavailable, TimeoutError, asyncio.TimeoutError)):
                raise
            if not isinstance(e, Error):
                _log.error("train failed", exc_info=e)
            reason = str(e) if isinstance(e, Error) else f"{type(e).__name__}: {e}"
            finished = FinishedEvent(outcome=FinishedEvent.OUTCOME_FAILED, reason=utf8(reason), step=launch._last_step)
        if not launch._finished:
            await launch.emit(TrainEvent(finished=finished))

    async def Evaluate(self, request: adapter_pb2.EvaluateRequest) -> adapter_pb2.EvaluateResponse:
        adapter = self._configured.get()
        if not adapter.about.capabilities.get("evaluate"):
            raise Status(Code.UNIMPLEMENTED, "evaluate: the adapter validates only on its own schedule")
        await call(adapter.evaluate, request.launch_id)
        return adapter_pb2.EvaluateResponse()

    async def Control(self, request: adapter_pb2.ControlRequest) -> adapter_pb2.ControlResponse:
        await call(self._configured.get().control, request)
        return adapter_pb2.ControlResponse()

    # Sampling.

    async def Generate(self, request: adapter_pb2.GenerateRequest) -> adapter_pb2.GenerateResponse:
        adapter = self._configured.get()
        if not request.call_id:
            raise Status(Code.INVALID_ARGUMENT, "generate: call_id is empty: it is the idempotency key")
        calls = self._calls.setdefault(request.episode_id, {})
        known = calls.get(request.call_id)
        if known is None:
            known = calls[request.call_id] = _Call(asyncio.ensure_future(call(adapter.generate, request)))
        known.waiting += 1
        try:
            return await asyncio.shield(known.sampling)
        except BaseException:
            if known.waiting == 1 and not known.sampling.done():
                known.sampling.cancel()  # the result is no longer needed
            if known.waiting == 1 or known.sampling.done():
                self._drop(request.episode_id, request.call_id, known)  # a repeat may try again
            raise
        finally:
            known.waiting -= 1

    def _drop(self, episode_id: str, call_id: str, known: _Call) -> None:
        calls = self._calls.get(episode_id, {})
        if calls.get(call_id) is known:
            del calls[call_id]
        if not calls:
            self._calls.pop(episode_id, None)

    # Without training.

    async def Load(self, request: adapter_pb2.LoadRequest) -> adapter_pb2.LoadResponse:
        adapter = self._configured.get()
        if not adapter.about.capabilities.get("serve"):
            raise Status(Code.UNIMPLEMENTED, "load: the adapter generates only during training; export the checkpoint and serve it with an inference server")
        async with self._loading:
            if self._launches:
                raise Status(Code.FAILED_PRECONDITION, "load: this process trains: start another process to serve a checkpoint")
            self._loaded = True
            out: adapter_pb2.LoadResponse = await call(adapter.load, request)
            self._calls.clear()  # calls of the previous policy
            return out

    async def Release(self, request: adapter_pb2.ReleaseRequest) -> adapter_pb2.ReleaseResponse:
        adapter = self._configured.get()
        if not adapter.about.capabilities.get("serve"):
            raise Status(Code.UNIMPLEMENTED, "release: the adapter serves no loaded policy; its episodes end with RunEpisode")
        self._calls.pop(request.episode_id, None)
        await call(adapter.release, request.episode_id)
        return adapter_pb2.ReleaseResponse()

    async def Export(self, request: adapter_pb2.ExportRequest) -> adapter_pb2.ExportResponse:
        adapter = self._configured.get()
        if not adapter.about.capabilities.get("export_formats"):
            raise Status(Code.UNIMPLEMENTED, "export: the adapter supports no export formats")
        try:
            out: Any = await call(adapter.export, request)
        except FileExistsError as e:
            raise Status(Code.ALREADY_EXISTS, str(e)) from None
        return out  # type: ignore[no-any-return]

    async def DeleteCheckpoint(
        self, request: adapter_pb2.DeleteCheckpointRequest
    ) -> adapter_pb2.DeleteCheckpointResponse:
        adapter = self._configured.get()
        if not adapter.about.capabilities.get("remote_checkpoints"):
            raise Status(Code.UNIMPLEMENTED, "delete checkpoint: the adapter's checkpoints are directories only")
        await call(adapter.delete_checkpoint, request.checkpoint)
        return adapter_pb2.DeleteCheckpointResponse()
