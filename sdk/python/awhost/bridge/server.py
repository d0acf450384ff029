"""The bridge as a server: the workers, their open episodes, and the requests for messages. docs/reference/bridge.md is the
protocol."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import logging
import pathlib
import time
from collections import deque
from dataclasses import dataclass, field
from typing import Any, Awaitable, Callable, Final, Protocol, TypeVar

from google.protobuf import json_format
from google.protobuf.message import Message

from awhost_bridge.errors import ProtocolError
from awhost_bridge.waiting import within
from awhost_bridge.wire import MAX_HELLO, decode_line

from ..errors import Error, GenerateError, Unavailable
from ..status import utf8
from ..v1 import adapter_pb2, host_pb2
from . import endpoint
from .endpoint import Options
from .link import Line, Refusal, Stream

M = TypeVar("M", bound=Message)
T = TypeVar("T")
JSON = dict[str, Any]
_log: Final = logging.getLogger("awhost.bridge.server")
_PROTOCOL: Final = 1
_MAX_HANDSHAKES: Final = 256  # connections whose handshake has not ended; workers try again
_MAX_NAME: Final = 128
_FIRST_PAUSE: Final = 0.05  # seconds before a failed call is repeated
_MAX_PAUSE: Final = 5.0


class Gone(Exception):
    """The worker has ended for good."""


class Cancelled(Exception):
    """The worker has canceled the episode."""


class Taken(Exception):
    """Another worker has requested the episode since."""


class Closed(Exception):
    """The bridge is closed."""


@dataclass
class Worker:
    """One session of a worker process. role: "rollout", "trainer" or "both"."""

    session: str
    role: str = ""
    framework: str = ""
    framework_version: str = ""
    node: str = ""
    pid: int = 0
    capabilities: list[str] = field(default_factory=list)


class Handler(Protocol):
    """Executes the workers' requests."""

    # Unavailable is not an answer: the worker receives nothing, and the method is called again until it answers or the
    # server is closed.

    async def run_episode(self, worker: Worker, request: host_pb2.RunEpisodeRequest) -> host_pb2.EpisodeResult:
        """Runs an episode. It is canceled when the result is no longer needed."""

    async def abandoned(self, worker: Worker, request: host_pb2.RunEpisodeRequest, why: Exception) -> None:
        """Called when an episode was canceled by its worker (Cancelled), or its worker is Gone: notify the host. Not
        called if the bridge is closed or another worker has the episode, because it is then requested again."""

    async def boundary(self, worker: Worker, request: host_pb2.StepBoundaryRequest) -> host_pb2.StepBoundaryResponse:
        """Reports a finished step. Boundaries and events of one worker arrive one after the other, in its order."""

    async def event(self, worker: Worker, event: adapter_pb2.TrainEvent) -> None:
        """Reports an event of the trainer. The worker keeps it until this method has returned; an error is logged."""


def encode(message: Message) -> str:
    """Encodes a message in protobuf's JSON mapping, on one line."""
    return json.dumps(json_format.MessageToDict(message, preserving_proto_field_name=True), separators=(",", ":"))


def decode(body: Any, message: M) -> M:
    """Decodes a message; unknown members are ignored. Raises ValueError."""
    if not isinstance(body, dict):
        raise ValueError("there is no body that is an object")
    try:
        return json_format.ParseDict(body, message, ignore_unknown_fields=True)
    except (json_format.ParseError, RecursionError, TypeError, AttributeError) as e:
        raise ValueError(f"{type(message).__name__}: {e}") from None


class Server:
    """The adapter's end of the bridge, in the event loop in which it was started.

        server = await Server.listen(folder, run=launch_id, handler=handler)
        … start the framework with server.endpoint_file …
        response = await server.generate(request)   # goes to the worker that has the episode open
        await server.close()
    """

    def __init__(self, folder: pathlib.Path, run: str, epoch: int, handler: Handler, options: Options) -> None:
        self.endpoint_file = folder / endpoint.FILE
        self.epoch = epoch
        self.address: tuple[str, int] = ("", 0)
        self._run, self._handler, self._options = run, handler, options
        self._token = endpoint.new_token()
        self._listener: asyncio.AbstractServer | None = None
        self._connections: set[Line] = set()
        self._handshakes = 0
        self._sessions: dict[str, _Session] = {}
        self._episodes: dict[str, _Episode] = {}  # by id: the episode's owner
        self._standing_controls: dict[str, str] = {}  # for workers that connect later
        self._tasks: set[asyncio.Future[Any]] = set()
        self._reporting: set[asyncio.Future[Any]] = set()
        self._closed = False
        self._closing = asyncio.Event()
        self._next_refusal_warning = 0.0
        self._next_wait_warning = 0.0

    @classmethod
    async def listen(cls, folder: pathlib.Path, *, run: str, handler: Handler, epoch: int = 0, options: Options | None = None) -> Server:
        """Starts a server and writes its endpoint file. epoch grows with each start of the adapter; 0 means that it is
        counted by that file."""
        options = options or Options()
        options.check()
        if not run:
            raise Error("the bridge has no name of its run")
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        before = endpoint.earlier(folder, run)
        last = int(before["epoch"]) if before else 0
        if epoch and epoch <= last:
            raise Error(f"{folder / endpoint.FILE} is of epoch {last}, and this is epoch {epoch}: workers would take this adapter for the older one; count on")
        server = cls(folder, run, epoch or last + 1, handler, options)
        secured, authority = (None, None) if options.loopback else endpoint.secure(options)
        host, port = endpoint.split(options.listen)
        loop = asyncio.get_running_loop()

        async def bind(at: int) -> asyncio.AbstractServer:
            patience = options.handshake_seconds if secured else None
            return await loop.create_server(server._connect, host, at, ssl=secured, ssl_handshake_timeout=patience)

        earlier_port = int((before or {}).get("port") or 0) if port == 0 else 0
        try:
            listener = await bind(earlier_port or port)  # workers that have read the file find this server there
        except OSError:
            if not earlier_port:
                raise
            listener = await bind(port)
        server._listener = listener
        server.address = listener.sockets[0].getsockname()[:2]  # type: ignore[attr-defined]
        endpoint.publish(folder, options, run=run, epoch=server.epoch, bound=server.address, token=server._token, authority=authority)
        return server

    @property
    def workers(self) -> list[Worker]:
        return [session.worker for session in self._sessions.values()]

    async def generate(self, request: adapter_pb2.GenerateRequest) -> adapter_pb2.GenerateResponse:
        """Requests the next message from the worker that has the episode open. Calls with the same call_id share a
        response. Raises GenerateError: the worker's, or aborted if no worker has the episode open. If it is canceled
        and no other caller waits, the worker is notified."""
        episode = self._episodes.get(request.episode_id)
        if episode is None:
            raise _aborted(request.episode_id, "no worker has it open")
        return await episode.ask(request)

    def control(self, action: adapter_pb2.ControlRequest.Action, reason: str = "") -> None:
        """Notifies all workers. Drain, pause and abort also apply to workers that connect later, until a resume."""
        name = adapter_pb2.ControlRequest.Action.Name(action)
        body = encode(adapter_pb2.ControlRequest(action=action, reason=utf8(reason)))
        if name == "ACTION_RESUME":
            self._standing_controls.clear()
        elif name in ("ACTION_DRAIN", "ACTION_PAUSE", "ACTION_ABORT"):
            self._standing_controls.pop(name, None)
            self._standing_controls[name] = body
        for session in self._sessions.values():
            session.stream.send("control", body=body)

    async def settle(self, seconds: float = 2.0) -> None:
        """Delivers the last reports of workers that have ended."""
        if self._connections:
            await asyncio.wait([connection.ended for connection in self._connections], timeout=seconds)
        while self._reporting:
            await asyncio.wait(set(self._reporting))

    async def close(self, seconds: float = 5.0) -> None:
        """Sends the pending frames, ends all connections, and cancels the open episodes without notifying the workers:
        an adapter of a later epoch may continue with them. It is idempotent."""
        if self._closed:
            return
        self._closed = True
        self._closing.set()
        if self._listener is not None:
            self._listener.close()
        for session in list(self._sessions.values()):
            session.stream.end(Closed("the bridge is closed"))
            session.end(Closed("the bridge is closed"))
        for connection in list(self._connections):
            connection.close("the bridge is closed")
        waiting = [task for task in self._tasks if task is not asyncio.current_task()] + [c.ended for c in self._connections]
        if waiting:
            await asyncio.wait(waiting, timeout=seconds)
        for task in list(self._tasks):
            task.cancel()

    # Connections.

    def _connect(self) -> Line:
        return Line(asyncio.get_running_loop(), self._on_line, MAX_HELLO, self._connected, self._disconnected)

    def _connected(self, line: Line) -> None:
        """Counts a connection after its TLS handshake: asyncio does not report the end of a failed one."""
        self._connections.add(line)
        self._handshakes += 1
        asyncio.get_running_loop().call_later(self._options.handshake_seconds, self._expire_handshake, line)
        if self._closed or self._handshakes > _MAX_HANDSHAKES:
            line.end("too many strangers")

    def _expire_handshake(self, line: Line) -> None:
        if line.handshaking:
            line.end("no hello in time")

    def _disconnected(self, line: Line) -> None:
        self._connections.discard(line)
        if line.handshaking:
            self._handshakes -= 1
        elif line.owner.connection is line:
            line.owner.detach()

    def _on_line(self, line: Line, text: bytes) -> None:
        """Handles the first line, and passes all later lines to the session."""
        if not line.handshaking:
            line.owner.take(text)
            return
        try:
            session, resumed = self._admit(self._read_hello(text))
        except Refusal as e:
            # This limits the log lines that an unauthenticated peer can cause.
            if time.monotonic() >= self._next_refusal_warning:
                self._next_refusal_warning = time.monotonic() + 1
                _log.warning("a framework worker was refused", extra={"code": e.code, "peer": line.peer})
            raise
        line.handshaking, line.owner = False, session
        line.limit = self._options.line_bytes
        self._handshakes -= 1
        ack = {
            "type": "hello_ack", "protocol": _PROTOCOL, "epoch": self.epoch, "resumed": resumed, "received": session.stream.processed,
            "credits": self._options.credits, "ping_ms": int(self._options.ping_seconds * 1000), "grace_ms": int(self._options.grace_seconds * 1000),
            "settings": self._options.settings,
        }
        line.write(json.dumps(ack).encode() + b"\n")
        session.attach(line)

    def _read_hello(self, text: bytes) -> JSON:
        """Checks the epoch before the token, which changes with a restart: a worker that has read the old files must
        read them again."""
        try:
            hello = decode_line(text)
        except ProtocolError as e:
            raise Refusal("line", str(e)) from None
        kinds: JSON = {"type": str, "protocol": list, "run": str, "epoch": int, "token": str, "session": str, "received": int}
        wrong = [name for name, kind in kinds.items() if not isinstance(hello.get(name, kind()), kind) or isinstance(hello.get(name), bool)]
        session = hello.get("session", "")
        if wrong or hello["type"] != "hello" or not 0 < len(str(session).encode("utf-8", "replace")) <= _MAX_NAME or hello.get("received", 0) < 0:
            raise Refusal("line", f"the first line has to be a hello with a session of 1 to {_MAX_NAME} bytes" + (f"; {wrong[0]} is invalid" if wrong else ""))
        if hello.get("epoch") != self.epoch:
            raise Refusal("epoch", "this adapter has another epoch: read the endpoint file again")
        if not _tokens_equal(hello.get("token", ""), self._token):
            raise Refusal("token", "invalid token: read the token from the file that the endpoint file names")
        if _PROTOCOL not in hello.get("protocol", []):
            raise Refusal("protocol", f"this adapter speaks version {_PROTOCOL} of the bridge: install the awhost_bridge of this awhost")
        if hello.get("run") != self._run:
            raise Refusal("run", f"this adapter belongs to run {self._run}")
        return hello

    def _admit(self, hello: JSON) -> tuple[_Session, bool]:
        """Finds or makes the session of a hello."""
        known = self._sessions.get(hello["session"])
        resumed = False
        if known is not None:
            if known.connection is not None:
                raise Refusal("busy", "the session has another connection: retry once that connection is detected as dead")
            if not known.stream.has_received:
                # The hello_ack may have been lost. Both sides then start again, and the worker's received count is
                # outdated.
                usable = known.stream.resume(0)
            else:
                usable = resumed = known.stream.resume(hello.get("received", 0))
            if not usable:
                known.end(Gone("the worker has lost count of its frames"))
                known = None
        if known is None:
            known = self._sessions[hello["session"]] = _Session(self, _worker(hello))
            for body in self._standing_controls.values():
                known.stream.send("control", body=body)
            _log.info("a framework worker has joined", extra={"framework": known.worker.framework, "version": known.worker.framework_version, "node": known.worker.node})
        return known, resumed

    async def retry_until_available(self, what: str, call: Callable[[], Awaitable[T]]) -> T:
        """Repeats a call of the handler until it succeeds. An error that ends the host or this adapter is never a
        response, because workers would act on it for good: a later adapter is asked again. Raises Unavailable when the
        server is closed."""
        pause = _FIRST_PAUSE
        while True:
            try:
                return await call()
            except Unavailable as e:
                if self._closed:
                    raise
                if time.monotonic() >= self._next_wait_warning:
                    self._next_wait_warning = time.monotonic() + 1
                    _log.warning("workers wait: their requests cannot be served at the moment", extra={"call": what, "error": str(e)})
            try:
                await within(self._closing.wait(), pause)
            except (TimeoutError, asyncio.TimeoutError):
                pass
            pause = min(2 * pause, _MAX_PAUSE)

    def start(self, coroutine: Any) -> asyncio.Future[Any]:
        """Runs a coroutine that ends with the server."""
        task: asyncio.Future[Any] = asyncio.ensure_future(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


def _tokens_equal(got: str, want: str) -> bool:
    return hmac.compare_digest(hashlib.sha256(got.encode("utf-8", "replace")).digest(), hashlib.sha256(want.encode()).digest())


def _worker(hello: JSON) -> Worker:
    def text(name: str) -> str:
        return str(hello.get(name, ""))[:_MAX_NAME]

    capabilities = hello.get("capabilities")
    return Worker(hello["session"], text("role"), text("framework"), text("framework_version"), text("node"), hello["pid"] if isinstance(hello.get("pid"), int) else 0,
                  [str(c)[:_MAX_NAME] for c in capabilities] if isinstance(capabilities, list) else [])


def _aborted(episode_id: str, why: object) -> GenerateError:
    return GenerateError("aborted", f"episode {episode_id}: {why}")


class _Session:
    """A worker process, over any of its connections."""

    def __init__(self, server: Server, worker: Worker) -> None:
        self.server, self.worker = server, worker
        self.stream = Stream(server._options.kept_bytes, server._options.line_bytes, self._stream_ended)
        self.connection: Line | None = None
        self.episodes: dict[str, _Episode] = {}
        self._bye = False
        self._grace_timer: asyncio.TimerHandle | None = None
        self._ended = False
        self._reports: deque[tuple[int, Callable[[], Any]]] = deque()
        self._report_bytes = 0
        self._reporting: asyncio.Future[Any] | None = None

    # Connections.

    def attach(self, line: Line) -> None:
        self.connection = line
        if self._grace_timer is not None:
            self._grace_timer.cancel()
        self.stream.attach(line, self.server._options.ping_seconds)

    def detach(self) -> None:
        """Handles the end of the connection; the session waits for the next one."""
        self.connection = None
        self.stream.detach()
        if self.stream.ended is None and not self.server._closed:
            grace = self.server._options.grace_seconds
            self._grace_timer = asyncio.get_running_loop().call_later(grace, self.end, Gone(f"no connection of the worker for {grace:g} s"))

    def _stream_ended(self) -> None:
        assert self.stream.ended is not None
        self.end(self.stream.ended if isinstance(self.stream.ended, (Gone, Closed)) else Gone(str(self.stream.ended)))

    def end(self, why: Exception) -> None:
        """Ends the session with its episodes."""
        if self._ended:
            return
        self._ended = True
        if self.server._sessions.get(self.worker.session) is self:
            del self.server._sessions[self.worker.session]
        if self._grace_timer is not None:
            self._grace_timer.cancel()
        self.stream.end(why)
        for episode in list(self.episodes.values()):
            episode.abort(why)
        _log.info("a framework worker has left", extra={"why": str(why)})

    # Frames.

    def take(self, text: bytes) -> None:
        try:
            self.stream.take(text, self._handle)
        except Refusal as e:
            line, self.connection = self.connection, None
            if line is not None:
                line.refuse(e)
            self.stream.detach()
            self.end(Gone(str(e)))

    def _handle(self, frame: JSON) -> None:
        handle = self._HANDLERS.get(frame["type"])
        if handle is None:
            return  # from a newer protocol
        if "seq" not in frame:
            raise Refusal("line", f"a frame {frame['type']} has no seq")
        try:
            handle(self, frame)
        except ValueError as e:
            raise Refusal("line", f"frame {frame['seq']}, {frame['type']}: {e}") from None

    def _run_episode(self, frame: JSON) -> None:
        request = decode(frame.get("body"), host_pb2.RunEpisodeRequest())
        episode_id = request.episode_id
        if not episode_id:
            raise ValueError("it asks for an episode without an episode_id")
        if episode_id in self.episodes:
            return  # it joins
        if self._bye:
            return self.send_result(episode_id, error=("failed", "the worker requests an episode after bye: request it before"))
        if len(self.episodes) >= self.server._options.credits:
            return self.send_result(episode_id, error=("credits", f"{len(self.episodes)} episodes are open: let others wait, as hello_ack says"))
        before = self.server._episodes.get(episode_id)
        episode = self.server._episodes[episode_id] = self.episodes[episode_id] = _Episode(self, request)
        if before is not None:
            before.finish(error=("taken", "another worker has requested the episode since"), why=Taken("another worker has requested the episode since"))
        episode.task = self.server.start(episode.run())
        episode.task.add_done_callback(lambda _: episode.cancelled())  # canceled before it began

    def _cancel_episode(self, frame: JSON) -> None:
        request = decode(frame.get("body"), host_pb2.CancelEpisodeRequest())
        episode = self.episodes.get(request.episode_id)
        if episode is not None:  # else the result is in transit
            episode.cancel(Cancelled(f"canceled by the worker: {request.reason}"))

    def _generated(self, frame: JSON) -> None:
        episode = self.episodes.get(_text(frame, "episode_id"))
        if episode is not None:
            episode.answered(_text(frame, "call_id"), frame)

    def _event(self, frame: JSON) -> None:
        event = decode(frame.get("body"), adapter_pb2.TrainEvent())
        self._report(frame, event.ByteSize(), lambda: self._deliver_event(event))

    def _boundary(self, frame: JSON) -> None:
        request = decode(frame.get("body"), host_pb2.StepBoundaryRequest())
        name = _text(frame, "id")
        if not name:
            raise ValueError("it has no id")
        self._report(frame, request.ByteSize(), lambda: self._deliver_boundary(name, request))

    def _handle_bye(self, frame: JSON) -> None:
        self._bye = True
        self.finish_if_idle()

    def finish_if_idle(self) -> None:
        if self._bye and not self.episodes:
            self.stream.finish(Gone("the worker has said goodbye"))

    _HANDLERS = {
        "run_episode": _run_episode, "cancel_episode": _cancel_episode, "generated": _generated, "event": _event, "boundary": _boundary, "bye": _handle_bye,
    }

    # A separate task delivers reports in order. An undelivered report is not acknowledged.

    def _report(self, frame: JSON, size: int, deliver: Callable[[], Any]) -> None:
        if self._report_bytes + size > self.server._options.kept_bytes and self._reports:
            raise ValueError(f"more than {self.server._options.kept_bytes} bytes of reports wait")
        self.stream.defer(int(frame["seq"]))
        self._reports.append((size, deliver))
        self._report_bytes += size
        if self._reporting is None or self._reporting.done():
            self._reporting = self.server.start(self._deliver_reports())
            self.server._reporting.add(self._reporting)
            self._reporting.add_done_callback(self.server._reporting.discard)

    async def _deliver_reports(self) -> None:
        while self._reports and not self.server._closed:
            size, deliver = self._reports.popleft()
            await deliver()
            if self.server._closed:
                return  # the next adapter receives it
            self._report_bytes -= size
            self.stream.done()

    async def _deliver_event(self, event: adapter_pb2.TrainEvent) -> None:
        try:
            await self.server.retry_until_available("an event", lambda: self.server._handler.event(self.worker, event))
        except Exception as e:
            if self.server._closed:
                return
            _log.error("an event of a framework worker was lost", exc_info=e)

    async def _deliver_boundary(self, name: str, request: host_pb2.StepBoundaryRequest) -> None:
        try:
            answer = await self.server.retry_until_available(f"the boundary of step {request.step}", lambda: self.server._handler.boundary(self.worker, request))
        except Exception as e:
            if not self.server._closed:
                self.stream.send("boundary_result", id=name, error=_error("failed", e))
            return
        self.stream.send("boundary_result", id=name, body=encode(answer))

    def send_result(self, episode_id: str, *, body: str | None = None, error: tuple[str, object] | None = None) -> None:
        try:
            self.stream.send("result", episode_id=episode_id, body=body, error=_error(*error) if error else None)
        except ValueError as e:
            self.stream.send("result", episode_id=episode_id, error=_error("failed", e))


def _text(frame: JSON, name: str) -> str:
    value = frame.get(name, "")
    if not isinstance(value, str):
        raise ValueError(f"{name} is not a text")
    return value


def _error(code: str, detail: object) -> str:
    return json.dumps({"code": code, "detail": str(detail) or type(detail).__name__})


class _Call:
    """A message requested from the worker."""

    def __init__(self) -> None:
        self.waiting = 0
        self.answer: asyncio.Future[adapter_pb2.GenerateResponse] = asyncio.get_running_loop().create_future()


class _Episode:
    """An episode that a session has open."""

    def __init__(self, session: _Session, request: host_pb2.RunEpisodeRequest) -> None:
        self.session, self.request = session, request
        self.id = request.episode_id
        self.task: asyncio.Future[Any] | None = None
        self._calls: dict[str, _Call] = {}
        self._why: Exception | None = None  # the reason for its cancellation
        self._ended = False

    async def run(self) -> None:
        """Runs the episode and sends its result."""
        server = self.session.server
        try:
            result = await server.retry_until_available(f"episode {self.id}", lambda: server._handler.run_episode(self.session.worker, self.request))
        except asyncio.CancelledError:
            if isinstance(self._why, (Gone, Cancelled)) and not server._closed:
                await self._abandon(self._why)
            self.cancelled()
        except Unavailable as e:
            self.abort(e)
        except Exception as e:
            if not isinstance(e, Error):
                _log.error("episode %s failed", self.id, exc_info=e)
            self.finish(error=("failed", e), why=e)
        else:
            self.finish(body=encode(result), why=Exception("the episode is over"))

    async def _abandon(self, why: Exception) -> None:
        try:
            await self.session.server._handler.abandoned(self.session.worker, self.request, why)
        except Exception as e:
            _log.warning("failed to notify the host that episode %s was abandoned: %s", self.id, e)

    def cancel(self, why: Exception) -> None:
        if self._why is None and self.task is not None:
            self._why = why
            self.task.cancel()

    def finish(self, *, body: str | None = None, error: tuple[str, object] | None = None, why: Exception) -> None:
        """Sends the episode's result, once, and ends its calls: no message is requested after the result."""
        if self._close(why):
            self.session.send_result(self.id, body=body, error=error)
            self.cancel(why)
            self.session.finish_if_idle()

    def cancelled(self) -> None:
        """Handles the cancellation of its task, either by its worker, which is notified, or because the adapter ends,
        which is not a result."""
        if isinstance(self._why, Cancelled):
            self.finish(error=("cancelled", self._why), why=self._why)
        else:
            self.abort(self._why or Closed("the adapter ends"))

    def abort(self, why: Exception) -> None:
        """Ends the episode because the session or the adapter has ended, without notifying the worker."""
        if self._close(why):
            self.cancel(why)

    def _close(self, why: Exception) -> bool:
        if self._ended:
            return False
        self._ended = True
        for call in self._calls.values():
            if not call.answer.done():
                call.answer.set_exception(_aborted(self.id, why))
                call.answer.exception()  # waiting callers receive it; there may be none
        self._calls.clear()
        if self.session.server._episodes.get(self.id) is self:
            del self.session.server._episodes[self.id]
        if self.session.episodes.get(self.id) is self:
            del self.session.episodes[self.id]
        return True

    async def ask(self, request: adapter_pb2.GenerateRequest) -> adapter_pb2.GenerateResponse:
        if not request.call_id:
            raise ValueError("generate: call_id is empty: it is the idempotency key")
        call = self._calls.get(request.call_id)
        if call is None:
            self.session.stream.send("generate", body=encode(request))
            if self.session.stream.ended is not None:
                raise _aborted(self.id, self.session.stream.ended)
            call = self._calls[request.call_id] = _Call()
        call.waiting += 1
        try:
            return await asyncio.shield(call.answer)
        except asyncio.CancelledError:
            if call.waiting == 1 and self._calls.get(request.call_id) is call:
                del self._calls[request.call_id]
                self.session.stream.send("abandon", episode_id=self.id, call_id=request.call_id)
            raise
        finally:
            call.waiting -= 1

    def answered(self, call_id: str, frame: JSON) -> None:
        """Handles the response to a call. A response that no caller waits for was abandoned or sent twice."""
        call = self._calls.pop(call_id, None)
        if call is None or call.answer.done():
            return
        try:
            call.answer.set_result(_read_answer(frame))
        except GenerateError as e:
            call.answer.set_exception(e)
        except ValueError as e:
            call.answer.set_exception(GenerateError("engine", f"the worker's answer to call {call_id} cannot be read: {e}"))


def _read_answer(frame: JSON) -> adapter_pb2.GenerateResponse:
    if frame.get("error") is None:
        return decode(frame.get("body"), adapter_pb2.GenerateResponse())
    failed = decode(frame["error"], adapter_pb2.GenerateError())
    kind = adapter_pb2.GenerateError.Kind.Name(failed.kind).removeprefix("KIND_").lower()
    if kind == "unspecified":
        raise ValueError("the error has no kind")
    raise GenerateError(kind, failed.detail)  # type: ignore[arg-type]
