"""The bridge: a worker's connection to the host. docs/reference/bridge.md is the protocol; this file implements the frames for a
worker."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections import deque
from typing import Any, Awaitable, Callable, Final, Iterable

from . import wire
from .clock import ActiveClock
from .episodes import Episode, Generate, error_member
from .errors import BridgeError, BridgeLost, EpisodeError, GenerateError
from .link import Hello, Link, Welcome
from .result import EpisodeResult
from .session import Sent
from .wire import JSON

log = logging.getLogger("awhost.bridge")

_ROLES: Final = ("rollout", "trainer", "both")
_START_SECONDS: Final = 60.0
_RETRY_SECONDS: Final = 1.0  # seconds, if the adapter reports that it is unavailable

Control = Callable[[JSON], "Awaitable[None] | None"]


class Bridge:
    """One session with the adapter, attached to the event loop in which it was started.

        bridge = Bridge(endpoint_file, framework="verl", framework_version="0.9.1")
        await bridge.start()
        result = await bridge.run_episode(request, generate)
        await bridge.close()
    """

    def __init__(
        self,
        endpoint_file: str,
        *,
        role: str = "rollout",
        framework: str,
        framework_version: str,
        capabilities: Iterable[str] = (),
        start_seconds: float = _START_SECONDS,
    ) -> None:
        if role not in _ROLES:
            raise ValueError(f"there is no role {role!r}, only {', '.join(_ROLES)}")
        self.settings: JSON = {}
        self.draining = False
        self._start_seconds = start_seconds
        self._hello = Hello(role, framework, framework_version, tuple(capabilities))
        self._endpoint_file = endpoint_file
        self._loop: asyncio.AbstractEventLoop | None = None
        self._link: Link | None = None
        self._clock: ActiveClock | None = None
        self._started: asyncio.Future[None] | None = None
        self._lost: BridgeError | None = None
        self._credits = 0
        self._episodes: dict[str, Episode] = {}
        self._queue: deque[asyncio.Future[None]] = deque()  # wait for a credit
        self._granted = 0  # credits in use
        self._leaving: dict[str, asyncio.Future[None]] = {}  # canceled: they keep their credits until their results
        self._boundaries: dict[str, tuple[str, asyncio.Future[JSON]]] = {}
        self._boundary_count = 0
        self._controls: list[Control] = []
        self._tasks: set[asyncio.Future[Any]] = set()

    # Lifecycle.

    async def start(self) -> None:
        """Connects. Raises BridgeRefused or BridgeLost with the reason."""
        if self._loop is not None:
            raise BridgeError("this bridge was started already")
        self._loop = asyncio.get_running_loop()
        self._clock = ActiveClock(self._loop)
        self._started = self._loop.create_future()
        self._link = Link(self._endpoint_file, self._hello, on_frame=self._on_frame, on_welcome=self._on_welcome, on_lost=self._on_lost)
        self._link.start(self._start_seconds)
        try:
            await self._started
        except BaseException:
            await self._link.close()
            raise

    async def close(self) -> None:
        """Abandons the open episodes, sends a final frame and ends the connection. It is idempotent."""
        if self._link is None:
            return
        if self._lost is None:
            for episode in list(self._episodes.values()):
                self._cancel(episode, "the worker closes")
                _fail(episode.result, BridgeLost("the bridge was closed"))
            self._link.send("bye", "")
        await self._link.close()
        if self._lost is None:
            self._on_lost(BridgeLost("the bridge was closed"))

    @property
    def credits(self) -> int:
        """Returns the number of episodes that may be open at a time; others wait in this worker, in order."""
        return self._credits

    @property
    def lost(self) -> BridgeError | None:
        """Returns the error that ended the bridge, or None while it is usable."""
        return self._lost

    # Episodes.

    async def run_episode(self, request: JSON, generate: Generate, *, restart: Callable[[], None] | None = None) -> EpisodeResult:
        """Has the host run one episode, and answers its calls by generate.

        request is a RunEpisodeRequest in proto JSON. generate receives a GenerateRequest (names of the .proto files,
        integers as int, unset members present) and returns a GenerateResponse or raises GenerateError. It is canceled
        when its response is no longer needed. restart is called when the adapter lost its state and the episode starts
        again: the previous ledger is then invalid.

        Raises EpisodeError if the host has no result, and BridgeLost if the adapter has ended.
        """
        link, loop = self._require_link()
        if not request.get("episode_id"):
            raise ValueError("the request has no episode_id")
        episode = Episode(request, generate, restart, loop)
        while (before := self._leaving.get(episode.id)) is not None:
            await asyncio.wait({before})
        await self._credit(loop)
        try:
            if self._lost is not None:
                raise self._lost
            if episode.id in self._episodes:
                raise ValueError(f"episode {episode.id} is open already")
            self._episodes[episode.id] = episode
            link.send("run_episode", episode.members)
            frame = await episode.result
        except asyncio.CancelledError:
            self._cancel(episode, "nobody waits for it any more")
            raise
        finally:
            self._close(episode)
        return _read_result(episode.id, frame)

    async def _credit(self, loop: asyncio.AbstractEventLoop) -> None:
        """Waits, in order of arrival, until one more episode may be open."""
        if not self._queue and self._granted < self._credits:
            self._granted += 1
            return
        turn: asyncio.Future[None] = loop.create_future()
        self._queue.append(turn)
        try:
            await turn
        except BaseException:
            if turn.done() and not turn.cancelled() and turn.exception() is None:
                self._granted -= 1  # it was granted and cannot be used
                self._grant()
            raise

    def _grant(self) -> None:
        while self._queue and self._granted < self._credits:
            turn = self._queue.popleft()
            if not turn.done():
                self._granted += 1
                turn.set_result(None)

    def _close(self, episode: Episode) -> None:
        episode.stop()
        if self._episodes.get(episode.id) is episode:
            del self._episodes[episode.id]
        if episode.id not in self._leaving:
            self._granted -= 1
            self._grant()

    def _cancel(self, episode: Episode, reason: str) -> None:
        if self._episodes.get(episode.id) is not episode or self._link is None or self._loop is None:
            return
        del self._episodes[episode.id]
        waited = episode.retry_timer is not None
        episode.stop()
        if waited:  # the adapter does not have it open
            return
        self._leaving[episode.id] = self._loop.create_future()
        self._link.send("cancel_episode", f'"body":{wire.encode({"episode_id": episode.id, "reason": reason})}')

    def _drop_episode(self, episode_id: str) -> None:
        """Called when the adapter has closed a canceled episode."""
        left = self._leaving.pop(episode_id, None)
        if left is not None:
            left.set_result(None)
            self._granted -= 1
            self._grant()

    # Reports of a trainer.

    async def event(self, train_event: JSON) -> None:
        """Reports a TrainEvent. The adapter replaces its seq, which may be a number that identifies repetitions."""
        link, _ = self._require_link()
        link.send("event", f'"body":{wire.encode(train_event)}')

    async def boundary(self, request: JSON) -> JSON:
        """Reports a finished step and returns the StepBoundaryResponse. All earlier events have then been received."""
        link, loop = self._require_link()
        self._boundary_count += 1
        name = str(self._boundary_count)
        members = f'"id":"{name}","body":{wire.encode(request)}'
        answer: asyncio.Future[JSON] = loop.create_future()
        self._boundaries[name] = members, answer
        link.send("boundary", members)
        try:
            frame = await answer
        finally:
            self._boundaries.pop(name, None)
        _raise_error(frame)
        return dict(frame.get("body") or {})

    async def flush(self) -> None:
        """Returns when the adapter has processed everything sent. Raises BridgeLost if it never will."""
        link, _ = self._require_link()
        await link.flush()
        if self._lost is not None:
            raise self._lost

    # Pauses and control.

    def pause(self) -> None:
        """Stops the deadlines of calls: the framework updates weights. It is idempotent."""
        if self._clock is not None:
            self._clock.pause("framework")

    def resume(self) -> None:
        """Ends the framework's pause. It is idempotent."""
        if self._clock is not None:
            self._clock.resume("framework")

    @property
    def paused(self) -> bool:
        return self._clock is not None and self._clock.paused

    def on_control(self, callback: Control) -> None:
        """Calls the callback, or starts its coroutine, with each ControlRequest. The bridge itself counts pauses."""
        self._controls.append(callback)

    # Frames from the adapter.

    def _on_welcome(self, welcome: Welcome, lost: list[Sent] | None) -> None:
        assert self._started is not None and self._link is not None
        self.settings = welcome.settings
        self._credits = welcome.credits
        if lost is not None and self._started.done():
            self._restart_session(lost)
        if not self._started.done():
            self._started.set_result(None)
        self._grant()

    def _restart_session(self, lost: list[Sent]) -> None:
        """Sends the state of this session to an adapter that does not have it."""
        assert self._link is not None
        if self._episodes:
            log.warning("the adapter does not know this session any more: %d open episodes begin anew", len(self._episodes))
        for episode_id in list(self._leaving):
            self._drop_episode(episode_id)
        for sent in lost:
            if sent.type in ("event", "cancel_episode", "bye"):
                self._link.send(sent.type, sent.members)
        for episode in list(self._episodes.values()):
            try:
                episode.restart()
            except Exception as e:
                log.exception("the restart of episode %s failed", episode.id)
                _fail(episode.result, e)
                continue
            self._link.send("run_episode", episode.members)
        for members, _ in list(self._boundaries.values()):
            self._link.send("boundary", members)

    def _on_lost(self, error: BridgeError) -> None:
        if self._lost is not None:
            return
        self._lost = error
        assert self._started is not None
        _fail(self._started, error)
        for episode in list(self._episodes.values()):
            episode.stop()
            _fail(episode.result, error)
        for _, answer in self._boundaries.values():
            _fail(answer, error)
        for turn in self._queue:
            _fail(turn, error)
        self._queue.clear()
        for left in self._leaving.values():
            left.cancel()
        self._leaving.clear()

    def _on_frame(self, frame: JSON) -> None:
        handle = self._HANDLERS.get(frame["type"])
        if handle is None:
            return  # from a newer protocol
        try:
            handle(self, frame)
        except Exception:
            log.exception("a frame %r of the adapter cannot be used: this is a bug of the adapter", frame["type"])

    def _on_generate(self, frame: JSON) -> None:
        assert self._clock is not None
        body = wire.generate_request(frame["body"])
        episode = self._episodes.get(body["episode_id"])
        if episode is None:
            return self._refuse(body)
        episode.ask(body["call_id"], body, self._clock, self._send_generated)

    def _refuse(self, body: JSON) -> None:
        error = GenerateError("aborted", f"episode {body['episode_id']} is not open in this worker")
        self._send_generated(f'"episode_id":{wire.encode(body["episode_id"])},"call_id":{wire.encode(body["call_id"])},{error_member(error)}')

    def _send_generated(self, members: str) -> None:
        assert self._link is not None
        self._link.send("generated", members)

    def _on_abandon(self, frame: JSON) -> None:
        episode = self._episodes.get(frame["episode_id"])
        if episode is not None:
            episode.abandon(frame["call_id"])

    def _on_result(self, frame: JSON) -> None:
        self._drop_episode(frame["episode_id"])
        waiting = self._episodes.get(frame["episode_id"])
        if waiting is not None and _unavailable(frame):
            assert self._loop is not None
            waiting.stop()
            waiting.retry_timer = self._loop.call_later(_RETRY_SECONDS, self._retry_episode, waiting)
            return
        episode = self._episodes.pop(frame["episode_id"], None)
        if episode is None:
            return
        episode.stop()
        if not episode.result.done():
            episode.result.set_result(frame)

    def _retry_episode(self, episode: Episode) -> None:
        episode.retry_timer = None
        if self._episodes.get(episode.id) is episode and self._link is not None:
            self._link.send("run_episode", episode.members)

    def _on_boundary_result(self, frame: JSON) -> None:
        name = str(frame.get("id"))
        members, answer = self._boundaries.get(name, ("", None))
        if _unavailable(frame):
            assert self._loop is not None
            self._loop.call_later(_RETRY_SECONDS, self._retry_boundary, name, members)
            return
        if answer is not None and not answer.done():
            answer.set_result(frame)

    def _retry_boundary(self, name: str, members: str) -> None:
        if name in self._boundaries and self._link is not None and self._lost is None:
            self._link.send("boundary", members)

    def _on_control_frame(self, frame: JSON) -> None:
        assert self._clock is not None
        request: JSON = frame.get("body") or {}
        action = wire.get(request, "action", "")
        if action == "ACTION_PAUSE":
            self._clock.pause("adapter")
        elif action == "ACTION_RESUME":
            self._clock.resume("adapter")
        elif action == "ACTION_DRAIN":
            self.draining = True
        for callback in self._controls:
            self._run_callback(callback, request)

    def _run_callback(self, callback: Control, request: JSON) -> None:
        try:
            pending = callback(request)
        except Exception:
            log.exception("a callback of on_control failed")
            return
        if inspect.isawaitable(pending):
            task = asyncio.ensure_future(pending)
            self._tasks.add(task)
            task.add_done_callback(self._callback_done)

    def _callback_done(self, task: asyncio.Future[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("a callback of on_control failed", exc_info=task.exception())

    _HANDLERS: Final[dict[str, Callable[[Bridge, JSON], None]]] = {
        "generate": _on_generate,
        "abandon": _on_abandon,
        "result": _on_result,
        "boundary_result": _on_boundary_result,
        "control": _on_control_frame,
    }

    def _require_link(self) -> tuple[Link, asyncio.AbstractEventLoop]:
        if self._link is None or self._loop is None:
            raise BridgeError("start the bridge first")
        if self._lost is not None:
            raise self._lost
        if asyncio.get_running_loop() is not self._loop:
            raise BridgeError("this bridge belongs to another event loop: use shared(), which keeps one per loop")
        return self._link, self._loop


def _fail(future: asyncio.Future[Any], error: BaseException) -> None:
    if not future.done():
        future.set_exception(error)
        future.exception()  # if no caller waits: avoids asyncio's warning


def _unavailable(frame: JSON) -> bool:
    """Reports whether the adapter signals that it, or the host, has ended or is shutting down. This ends no episode and
    answers no boundary."""
    error = frame.get("error")
    return isinstance(error, dict) and error.get("code") == "unavailable"


def _raise_error(frame: JSON) -> None:
    error = frame.get("error")
    if error is not None:
        raise EpisodeError(str(error.get("code", "")), str(error.get("detail", "")))


def _read_result(episode_id: str, frame: JSON) -> EpisodeResult:
    _raise_error(frame)
    try:
        return EpisodeResult.parse(frame.get("body") or {})
    except (AttributeError, TypeError, ValueError) as e:
        raise EpisodeError("bad_result", f"the result of episode {episode_id} cannot be read: {e}") from e
