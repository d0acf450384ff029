"""The services of the protocol over components: the SDK's guarantees for every component. It uses neither gRPC nor
processes: methods take and return messages, and raise exceptions that awhost.status converts to a status."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import pathlib
from typing import TYPE_CHECKING, Any, AsyncIterator, Awaitable, Callable, Final, Generic, Iterable, Iterator, Mapping, Sequence, Type, TypeVar

from google.protobuf import json_format

from . import convert
from .calls import call
from .component import Component, Environment, Reward, Setup
from .errors import ConfigError, Diagnostic, Error, Failure, SessionLost
from .messages import Closed, Item, Opened, Score, Start, Step, Task, parse_json
from .plugin import Plugin
from .status import Code, Status, failure, utf8
from .v1 import config_pb2, environment_pb2, plugin_pb2, reward_pb2

if TYPE_CHECKING:
    from .host import Host

C = TypeVar("C", bound=Component)
_log: Final = logging.getLogger("awhost")


class Configured(Generic[C]):
    """The one component of a process, after Configure."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.component: C | None = None

    def get(self) -> C:
        if self.component is None:
            raise Status(Code.FAILED_PRECONDITION, f"no {self.kind} is configured: call Configure first")
        return self.component


class PluginService:
    """Describes the plugin, and creates its one component."""

    def __init__(self, plugin: Plugin, dial: Callable[[plugin_pb2.HostAddress], Host], reused: bool = False) -> None:
        self._plugin = plugin
        self._dial = dial
        self._reused = reused  # several hosts in turn may configure the process
        self._described = json_format.ParseDict(plugin.describe(), plugin_pb2.DescribeResponse())
        self._configuring = asyncio.Lock()
        self._request: plugin_pb2.ConfigureRequest | None = None  # as accepted
        self.host: Host | None = None
        self.component: Component | None = None
        self.on_configured: list[Callable[[Component], None]] = []

    async def Describe(self, request: plugin_pb2.DescribeRequest) -> plugin_pb2.DescribeResponse:
        return self._described

    def _find(self, kind: int, name: str) -> Type[Component]:
        for component in self._plugin.components:
            if component.about.type == name and plugin_pb2.ComponentKind.Value(f"COMPONENT_KIND_{component.about.kind.upper()}") == kind:
                return component
        raise Status(Code.NOT_FOUND, f"plugin {self._plugin.name} has no component {name!r} of kind {kind}")

    async def ValidateConfig(self, request: plugin_pb2.ValidateConfigRequest) -> plugin_pb2.ValidateConfigResponse:
        component = self._find(request.kind, request.type)
        settings = _settings(request.config.json)
        _, problems = await call(component.configured, settings, [tuple(path.steps) for path in request.config.unknown])
        return plugin_pb2.ValidateConfigResponse(diagnostics=_diagnostics(problems))

    async def Configure(self, request: plugin_pb2.ConfigureRequest) -> plugin_pb2.ConfigureResponse:
        async with self._configuring:
            if self._reused and self._request != request:
                await self._reset()  # a previous host was killed before it could stop the component
            if self._request is not None:
                if self._request == request:
                    return plugin_pb2.ConfigureResponse()
                raise Status(Code.FAILED_PRECONDITION, "configure: the process is already configured; start another process for another configuration")
            kind = self._find(request.kind, request.type)
            values, problems = await call(kind.configured, _settings(request.config.json))
            if any(d.severity == "error" for d in problems):
                return plugin_pb2.ConfigureResponse(diagnostics=_diagnostics(problems))
            host = self._dial(request.host) if request.HasField("host") else None
            try:
                component = await call(self._make, kind, values, Setup(
                    run_id=request.run_id, incarnation=request.incarnation, directory=pathlib.Path(request.directory),
                    log=logging.getLogger(f"awhost.{request.type}"), host=host,
                ))
                await call(component.configure)
            except BaseException as e:
                if host is not None:
                    await host.close()
                if not isinstance(e, Exception):
                    raise
                return plugin_pb2.ConfigureResponse(diagnostics=_diagnostics(_unconfigured(kind, e)))
            self._request, self.host, self.component = request, host, component
            for callback in self.on_configured:
                callback(component)
            return plugin_pb2.ConfigureResponse(diagnostics=_diagnostics(problems))

    @staticmethod
    def _make(kind: Type[Component], values: Mapping[str, Any], setup: Setup) -> Component:
        component = kind()
        for name, value in values.items():
            setattr(component, name, value)
        component.setup = setup
        return component

    async def Stop(self, request: plugin_pb2.StopRequest) -> AsyncIterator[plugin_pb2.StopResponse]:
        if self.component is None:
            return
        progress: asyncio.Queue[str | None] = asyncio.Queue()
        loop = asyncio.get_running_loop()

        async def stop(component: Component) -> None:
            try:
                await call(component.stop, lambda text: loop.call_soon_threadsafe(progress.put_nowait, text) and None)
            finally:
                progress.put_nowait(None)

        grace = convert.duration_from_wire(request.grace) or None
        stopping = asyncio.ensure_future(stop(self.component))
        try:
            async with _timeout(grace):
                while (text := await progress.get()) is not None:
                    yield plugin_pb2.StopResponse(progress=utf8(text))
                await stopping
        finally:
            stopping.cancel()
        if self._reused:
            await self._reset()

    async def _reset(self) -> None:
        """Resets the process to its state before Configure."""
        host, self._request, self.host, self.component = self.host, None, None, None
        if host is not None:
            await host.close()


class _timeout:
    """A replacement for asyncio.timeout, which Python 3.10 lacks."""

    def __init__(self, seconds: float | None) -> None:
        self._seconds, self._expired = seconds, False

    async def __aenter__(self) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._timer = asyncio.get_running_loop().call_later(self._seconds, self._expire, task) if self._seconds is not None else None

    def _expire(self, task: asyncio.Task[Any]) -> None:
        self._expired = True
        task.cancel()

    async def __aexit__(self, kind: type[BaseException] | None, *_: Any) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self._expired and kind is asyncio.CancelledError:
            raise TimeoutError(f"it did not end within {self._seconds:g} s")


def _settings(text: bytes) -> Any:
    """Returns a configuration; a missing one is empty."""
    if not text:
        return {}
    try:
        value = parse_json(text)
    except ValueError as e:
        raise Status(Code.INVALID_ARGUMENT, f"the configuration is not JSON: {e}") from None
    if not isinstance(value, dict):
        raise Status(Code.INVALID_ARGUMENT, "the configuration is not a JSON object")
    return value


def _unconfigured(kind: type[Component], error: Exception) -> Sequence[Diagnostic]:
    if isinstance(error, ConfigError):
        return error.diagnostics
    if not isinstance(error, Error):
        _log.error("configure failed", exc_info=error)
    detail = str(error) if isinstance(error, Error) else f"{type(error).__name__}: {error}"
    return [Diagnostic(f'Cannot set up {kind.about.kind} "{kind.about.type}"', detail)]


def _diagnostics(problems: Iterable[Diagnostic]) -> list[config_pb2.Diagnostic]:
    return [
        config_pb2.Diagnostic(
            severity=config_pb2.Diagnostic.SEVERITY_WARNING if d.severity == "warning" else config_pb2.Diagnostic.SEVERITY_ERROR,
            summary=utf8(d.summary), detail=utf8(d.detail), attribute=config_pb2.Path(steps=list(d.path)),
        )
        for d in problems
    ]


class _Episode:
    """The data of an open episode; memory is bounded by the number of open episodes."""

    def __init__(self) -> None:
        self.turn = asyncio.Lock()  # the calls of an episode run one after the other
        self.opened: Opened[Any] | None = None
        self.last_step = ""
        self.last: environment_pb2.StepResponse | None = None
        self.done = False
        self.stepping: asyncio.Task[environment_pb2.StepResponse] | None = None  # the step in progress, or the last one

    def stepped(self, step: asyncio.Task[environment_pb2.StepResponse]) -> None:
        """Ends the turn of a step, including one that was abandoned before it began."""
        self.turn.release()
        if not step.cancelled():
            step.exception()  # the exception may not be needed any more

    def give_up(self) -> None:
        """Cancels the step in progress: its result is no longer needed."""
        if self.stepping is not None:
            self.stepping.cancel()


class EnvironmentService:
    """Keeps the states of the open episodes and the responses to their last steps."""

    def __init__(self, configured: Configured[Environment[Any]]) -> None:
        self._configured = configured
        self._episodes: dict[str, _Episode] = {}

    def begin(self) -> None:
        """Discards the episodes left open by a host that has ended."""
        self._episodes.clear()

    async def Open(self, request: environment_pb2.OpenRequest) -> environment_pb2.OpenResponse:
        environment = self._configured.get()
        if not request.episode_id:
            raise Status(Code.INVALID_ARGUMENT, "open: episode_id is empty")
        try:
            task = convert.task_from_wire(request.task, private=environment.takes_truth())
        except ValueError as e:
            raise Status(Code.INVALID_ARGUMENT, f"open: {e}") from None
        episode = self._begin(environment, request.episode_id)
        episode.give_up()
        try:
            async with episode.turn:
                await self._close(environment, episode, "cancelled")  # a repeated Open restarts the episode
                episode.last_step, episode.last, episode.done = "", None, False
                start = Start(request.episode_id, task, request.seed, convert.split_from_wire(request.split))
                opened: Opened[Any] = await self._open(environment, start)
                episode.opened = opened
                try:
                    return self._opened(environment, opened)
                except ValueError as e:
                    await self._close(environment, episode, "failed")
                    raise Status(Code.INTERNAL, f"open: {e}") from None
        finally:
            if episode.opened is None and self._episodes.get(request.episode_id) is episode:
                del self._episodes[request.episode_id]

    def _begin(self, environment: Environment[Any], episode_id: str) -> _Episode:
        most = int(environment.about.capabilities.get("max_sessions", 0))
        if episode_id not in self._episodes and 0 < most <= len(self._episodes):
            raise Status(Code.RESOURCE_EXHAUSTED, f"open: {most} episodes are open, which is all that the environment takes (max_sessions)")
        return self._episodes.setdefault(episode_id, _Episode())

    async def _open(self, environment: Environment[Any], start: Start) -> Opened[Any]:
        made: list[Any] = []  # made by a thread whose caller has ended
        try:
            out = await call(_record_result, environment.open, made, start) if not asyncio.iscoroutinefunction(environment.open) else await environment.open(start)
        except asyncio.CancelledError:
            if made:
                await call(environment.close, made[0].state, "cancelled")
            raise
        if not isinstance(out, Opened):
            raise TypeError(f"{type(environment).__name__}.open returned {type(out).__name__}; want awhost.Opened(state=…)")
        return out

    @staticmethod
    def _opened(environment: Environment[Any], opened: Opened[Any]) -> environment_pb2.OpenResponse:
        tools = opened.tools if opened.tools is not None else [method.tool for method in environment.about.tools.values()]
        return environment_pb2.OpenResponse(
            instance_id=utf8(opened.instance_id), messages=convert.messages_to_wire(opened.messages), tools=convert.tools_to_wire(tools),
            limits=environment_pb2.EpisodeLimits(max_turns=opened.max_turns),
        )

    async def _close(self, environment: Environment[Any], episode: _Episode, reason: str) -> Closed:
        opened, episode.opened = episode.opened, None
        if opened is None:
            return Closed()
        # The default method does nothing and needs no thread.
        if type(environment).close is Environment.close:
            return Closed()
        return await call(environment.close, opened.state, reason) or Closed()

    async def _enter(self, episode_id: str) -> tuple[_Episode, Any]:
        """Takes the turn of an open episode, and returns its state. The caller releases it."""
        episode = self._episodes.get(episode_id)
        if episode is None:
            raise SessionLost(episode_id)
        await episode.turn.acquire()
        if self._episodes.get(episode_id) is not episode or episode.opened is None:  # closed, or its opening failed, meanwhile
            episode.turn.release()
            raise SessionLost(episode_id)
        return episode, episode.opened.state

    async def Step(self, request: environment_pb2.StepRequest) -> environment_pb2.StepResponse:
        environment = self._configured.get()
        if not request.step_id:
            raise Status(Code.INVALID_ARGUMENT, "step: step_id is empty: it is the idempotency key")
        episode, state = await self._enter(request.episode_id)
        # A step that was started continues without its caller until the episode is closed: otherwise half of it would
        # be done twice.
        episode.stepping = asyncio.get_running_loop().create_task(self._step(environment, episode, state, request))
        episode.stepping.add_done_callback(episode.stepped)
        return await asyncio.shield(episode.stepping)

    async def _step(
        self, environment: Environment[Any], episode: _Episode, state: Any, request: environment_pb2.StepRequest,
    ) -> environment_pb2.StepResponse:
        """Makes a step, or returns the response of the last one."""
        if episode.last is not None and episode.last_step == request.step_id:
            return episode.last
        if episode.done:
            raise Status(Code.FAILED_PRECONDITION, "step: the episode is done; open it again to restart it")
        out = await call(environment.step, state, convert.message_from_wire(request.message))
        if not isinstance(out, Step):
            raise TypeError(f"{type(environment).__name__}.step returned {type(out).__name__}; want awhost.Step(…)")
        try:
            response = convert.step_to_wire(out)
        except ValueError as e:
            raise Status(Code.INTERNAL, f"step: {e}") from None
        episode.last_step, episode.last, episode.done = request.step_id, response, out.done
        return response

    async def Snapshot(self, request: environment_pb2.SnapshotRequest) -> environment_pb2.SnapshotResponse:
        environment = self._configured.get()
        if not environment.about.capabilities.get("snapshot"):
            raise Status(Code.UNIMPLEMENTED, "snapshot: the environment does not support snapshots")
        episode, state = await self._enter(request.episode_id)
        try:
            return environment_pb2.SnapshotResponse(state_json=convert.encode(await call(environment.snapshot, state)))
        finally:
            episode.turn.release()

    async def Close(self, request: environment_pb2.CloseRequest) -> environment_pb2.CloseResponse:
        environment = self._configured.get()
        episode = self._episodes.pop(request.episode_id, None)  # from here on a Step fails with SessionLost
        if episode is None:
            return environment_pb2.CloseResponse()
        episode.give_up()
        async with episode.turn:
            closed = await self._close(environment, episode, request.reason)
        try:
            return environment_pb2.CloseResponse(final_state_digest=utf8(closed.state_digest), metrics=convert.numbers("the metric", closed.metrics))
        except ValueError as e:
            raise Status(Code.INTERNAL, f"close: {e}") from None

    async def Tasks(self, request: environment_pb2.EnvironmentServiceTasksRequest) -> AsyncIterator[environment_pb2.EnvironmentServiceTasksResponse]:
        environment = self._configured.get()
        if not environment.about.capabilities.get("tasks"):
            raise Status(Code.UNIMPLEMENTED, "tasks: the environment has no built-in tasks")
        tasks: Iterator[Task] = await call(lambda: itertools.islice(environment.tasks(convert.split_from_wire(request.split)), request.cursor, None))
        while some := await call(lambda: list(itertools.islice(tasks, 256))):
            for task in some:
                yield environment_pb2.EnvironmentServiceTasksResponse(task=convert.task_to_wire(task))


def _record_result(function: Callable[..., Any], made: list[Any], *args: Any) -> Any:
    out = function(*args)
    made.append(out)
    return out


class RewardService:
    """Judges items. An item that cannot be judged gets a Failure, and so does a score that is not a valid number."""

    def __init__(self, configured: Configured[Reward]) -> None:
        self._configured = configured

    async def Score(self, request: reward_pb2.ScoreRequest) -> reward_pb2.ScoreResponse:
        reward = self._configured.get()
        results: list[Any] = [None] * len(request.items)
        items: dict[int, Item] = {}
        for i, item in enumerate(request.items):
            try:
                items[i] = convert.item_from_wire(item, private="ground_truth" in reward.about.needs)
            except ValueError as e:
                results[i] = Failure("REWARD", str(e))
        missing = request.missing + len(results) - len(items)
        for i, judged in zip(items, await self._judge(reward, list(items.values()), missing)):
            results[i] = judged
        declared = {*reward.about.reward_components, *(getattr(reward, reward.about.reward_components_setting, None) or ())}
        answer = reward_pb2.ScoreResponse(items=[_result(result, declared) for result in results])
        for result in results:  # includes failed items: their costs were incurred
            for name, number in result.metrics.items() if isinstance(result, (Score, Failure)) else ():
                with contextlib.suppress(ValueError):  # the item has failed for it
                    spent = convert.finite("the metric", number)
                    answer.metrics[name] += spent
        return answer

    async def _judge(self, reward: Reward, items: list[Item], missing: int) -> Sequence[Any]:
        if type(reward).score_all is not Reward.score_all:
            judged = list(await call(reward.score_all, items, missing)) if items else []
            if len(judged) != len(items):
                raise Status(Code.INTERNAL, f"score: {type(reward).__name__}.score_all answered {len(items)} items with {len(judged)} results; it must answer each, in order")
            return judged
        if asyncio.iscoroutinefunction(reward.score):
            return await asyncio.gather(*(_try_await(reward.score(item)) for item in items))
        return [await out if asyncio.iscoroutine(out) else out for out in await call(lambda: [_try(reward.score, item) for item in items])]


def _try(function: Callable[[Item], Any], item: Item) -> Any:
    try:
        return function(item)
    except Exception as e:
        return _failed(e)


async def _try_await(judging: Awaitable[Any]) -> Any:
    try:
        return await judging
    except Exception as e:
        return _failed(e)


def _failed(error: Exception) -> Failure:
    if isinstance(error, Failure):
        return error
    if isinstance(error, Error):
        return Failure("REWARD", str(error) or type(error).__name__)
    _log.error("score failed", exc_info=error)
    return Failure("REWARD", f"{type(error).__name__}: {error}")


def _result(judged: Any, declared: set[str]) -> reward_pb2.ScoreResult:
    if isinstance(judged, Failure):
        return reward_pb2.ScoreResult(failure=failure(judged))
    score = judged if isinstance(judged, Score) else Score(judged)
    try:
        value = reward_pb2.ScoreValue(score=convert.finite("the score", score.score), components=convert.numbers("the component", score.components))
        convert.numbers("the metric", score.metrics)
    except ValueError as e:
        return reward_pb2.ScoreResult(failure=failure(Failure("REWARD", str(e))))
    if undeclared := score.components.keys() - declared:
        detail = f"the score has components that the reward does not declare: {', '.join(sorted(undeclared))}; name them in components=[…]"
        return reward_pb2.ScoreResult(failure=failure(Failure("REWARD", detail)))
    if score.is_success is not None:
        value.is_success = bool(score.is_success)
    for name, note in score.notes.items():
        value.notes[utf8(str(name))] = utf8(str(note))
    return reward_pb2.ScoreResult(value=value)


def services(
    plugin: Plugin, dial: Callable[[plugin_pb2.HostAddress], Host], reused: bool = False,
) -> tuple[PluginService, dict[str, Any]]:
    """Returns all services of a plugin by name, including services of missing kinds, which report that nothing is
    configured. Several hosts in turn may configure the component of a reused process."""
    from .adapter_service import AdapterService
    from .agents import AgentService

    base = PluginService(plugin, dial, reused)
    kinds: dict[str, Configured[Any]] = {kind: Configured(kind) for kind in ("environment", "reward", "adapter", "agent")}
    base.on_configured.append(lambda component: setattr(kinds[component.about.kind], "component", component))
    environments = EnvironmentService(kinds["environment"])
    base.on_configured.append(lambda _: environments.begin())
    return base, {
        "PluginService": base, "EnvironmentService": environments, "RewardService": RewardService(kinds["reward"]),
        "AdapterService": AdapterService(kinds["adapter"]), "AgentService": AgentService(kinds["agent"]),
    }


