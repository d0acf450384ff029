"""Tests without a host: components behind the services of the SDK, so that settings, needs, repeats and numbers are
checked against the protocol.

    with testing.reward(exact, ignore_case=True) as reward:
        assert reward.score(awhost.Item("paris", awhost.Task("1", private={"ground_truth": "Paris"}))).score == 1

    with testing.environment(Guess, highest=1) as game:
        episode = game.open(seed=7)
        assert episode.call("guess", n=1).done

    with testing.agent(solve, environment="environment.guess.game") as solver:
        answer = solver.play(awhost.Task("1"), replies=[awhost.assistant("42")])

It needs protobuf, but not gRPC. Exceptions of a component are raised unchanged; an awhost.status.Status is the status
that the host would receive.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import tempfile
from typing import Any, Callable, Coroutine, Mapping, Sequence, TypeVar, cast

from . import convert, hints
from .component import Agent, Component, Environment, Reward
from .errors import ConfigError, Diagnostic, Failure, GenerateError
from .messages import Answer, Item, Message, Reply, Score, Split, Step, Task, Tool, ToolCall, assistant
from .plugin import Plugin
from .services import services
from .v1 import agent_pb2, config_pb2, environment_pb2, message_pb2, plugin_pb2, reward_pb2

T = TypeVar("T")


class Served:
    """A configured component. Close it, or use it as a context."""

    def __init__(self, component: type[Component], settings: Mapping[str, Any], host: Any = None) -> None:
        self._loop = asyncio.new_event_loop()
        self._folder = tempfile.mkdtemp(prefix="awhost")
        self._base, self.services = self._run(self._make(component, host))
        request = plugin_pb2.ConfigureRequest(
            kind=f"COMPONENT_KIND_{component.about.kind.upper()}", type=component.about.type, run_id="test", incarnation=1, directory=self._folder,
            config=config_pb2.Value(json=json.dumps(hints.encoded(dict(settings))).encode()),
        )
        if host is not None:
            request.host.network = "test"
        try:
            answer = self._run(self._base.Configure(request))
            problems = [Diagnostic(d.summary, d.detail, tuple(d.attribute.steps)) for d in answer.diagnostics if d.severity == config_pb2.Diagnostic.SEVERITY_ERROR]
            if problems:
                raise ConfigError(*problems)
        except BaseException:
            self.close()
            raise

    @staticmethod
    async def _make(component: type[Component], host: Any) -> Any:
        return services(Plugin("test", "0.0.0", component), lambda _: host)

    @property
    def component(self) -> Any:
        """Returns the object itself."""
        return self._base.component

    def _run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        return self._loop.run_until_complete(coroutine)

    def stop(self) -> list[str]:
        """Stops the component; returns its progress."""

        async def stop() -> list[str]:
            return [part.progress async for part in self._base.Stop(plugin_pb2.StopRequest())]

        return self._run(stop())

    def close(self) -> None:
        self._loop.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def __enter__(self: T) -> T:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class RewardServed(Served):
    def score(self, item: Item) -> Score:
        """Returns the score of one item. A Failure is raised."""
        (out,) = self.score_all([item])
        if isinstance(out, Failure):
            raise out
        return out

    def score_all(self, items: Sequence[Item], missing: int = 0) -> list[Score | Failure]:
        """Returns the result of each item of a call."""
        request = reward_pb2.ScoreRequest(missing=missing, items=[_item(item) for item in items])
        answer = self._run(self.services["RewardService"].Score(request))
        return [_score(result) for result in answer.items]


def _item(item: Item) -> reward_pb2.ScoreItem:
    return reward_pb2.ScoreItem(
        episode_id=item.episode_id, chain_digests=item.chain_digests, task=convert.task_to_wire(item.task), messages=convert.messages_to_wire(item.messages),
        final_answer=item.answer, environment_state_json=b"" if item.state is None else convert.encode(item.state),
        agent_metadata_json=convert.encode(item.metadata) if item.metadata else b"", turn_rewards=item.turn_rewards,
        sampled=None if item.sampled is None else reward_pb2.SampledMessages(places=item.sampled),
    )


def _score(result: reward_pb2.ScoreResult) -> Score | Failure:
    if result.HasField("failure"):
        name = message_pb2.FailureClass.Name(getattr(result.failure, "class")).removeprefix("FAILURE_CLASS_")
        failed = result.failure
        return Failure(cast(Any, name), failed.detail, retryable=failed.retryable, stop_run=failed.stop_run)
    value = result.value
    success = value.is_success if value.HasField("is_success") else None
    return Score(value.score, dict(value.components), success, notes=dict(value.notes))


class EnvironmentServed(Served):
    def open(self, task: Task | None = None, *, seed: int = 0, split: Split = "train", episode_id: str = "e1") -> EpisodeServed:
        """Opens an episode."""
        request = environment_pb2.OpenRequest(episode_id=episode_id, task=convert.task_to_wire(task or Task("1")), seed=seed, split=convert.split_to_wire(split))
        return EpisodeServed(self, episode_id, self._run(self.services["EnvironmentService"].Open(request)))


class EpisodeServed:
    """An open episode: its first messages, and its tools."""

    def __init__(self, environment: EnvironmentServed, episode_id: str, opened: environment_pb2.OpenResponse) -> None:
        self._environment, self._id, self._steps = environment, episode_id, 0
        self._service, self._run = environment.services["EnvironmentService"], environment._run
        self.messages: list[Message] = convert.messages_from_wire(opened.messages)
        self.tools: list[Tool] = convert.tools_from_wire(opened.tools)

    def step(self, message: Message) -> Step:
        """Passes the environment a message of the policy."""
        self._steps += 1
        request = environment_pb2.StepRequest(episode_id=self._id, step_id=f"s{self._steps}", message=convert.message_to_wire(message))
        out = self._run(self._service.Step(request))
        return Step(
            convert.messages_from_wire(out.messages), out.turn_reward if out.HasField("turn_reward") else None, out.done, out.truncated,
            convert.tools_from_wire(out.tools_changed.tools) if out.HasField("tools_changed") else None, dict(out.metrics),
        )

    def say(self, text: str) -> Step:
        return self.step(assistant(text))

    def call(self, name: str, **arguments: Any) -> Step:
        """Calls one tool."""
        return self.step(assistant("", ToolCall(f"c{self._steps + 1}", name, json.dumps(arguments))))

    def snapshot(self) -> Any:
        return json.loads(self._run(self._service.Snapshot(environment_pb2.SnapshotRequest(episode_id=self._id))).state_json)

    def close(self, reason: str = "done") -> Mapping[str, float]:
        """Ends the episode; returns its metrics."""
        return dict(self._run(self._service.Close(environment_pb2.CloseRequest(episode_id=self._id, reason=reason))).metrics)


class AgentServed(Served):
    """An agent and a host whose policy follows a script."""

    def play(
        self, task: Task, replies: Sequence[Message | GenerateError], *, environment: EpisodeServed | Callable[[Message], Step] | None = None, max_turns: int = 0,
    ) -> Answer:
        """Runs one episode. replies are the policy's messages, one after the other; asked holds the requests for them.
        environment answers the steps: an open episode, or a function."""
        host: _ScriptedHost = self.component.setup.host
        host.begin(replies, environment)
        request = agent_pb2.RunRequest(episode_id="e1", task=convert.task_to_wire(task), lease="lease", max_turns=max_turns, has_environment=environment is not None)
        if isinstance(environment, EpisodeServed):
            request.messages.extend(convert.messages_to_wire(environment.messages))
            request.offered_tools.extend(convert.tools_to_wire(environment.tools))
        if not request.messages:
            request.messages.append(convert.message_to_wire(Message("user", task.prompt)))
        out = self._run(self.services["AgentService"].Run(request))
        return Answer(
            out.final_answer if out.HasField("final_answer") else None, out.reward if out.HasField("reward") else None,
            out.is_success if out.HasField("is_success") else None, json.loads(out.metadata_json or b"{}"), dict(out.metrics),
        )

    @property
    def asked(self) -> list[dict[str, Any]]:
        """Returns the requests of the last episode: messages (the new ones), chain, base, tools, member, max_tokens,
        stop, repeat."""
        host: _ScriptedHost = self.component.setup.host
        return host.asked


class _ScriptedHost:
    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self._replies: list[Message | GenerateError] = []
        self._said: dict[str, Message] = {}
        self._lengths: dict[str, int] = {}
        self._environment: EpisodeServed | Callable[[Message], Step] | None = None

    def begin(self, replies: Sequence[Message | GenerateError], environment: EpisodeServed | Callable[[Message], Step] | None) -> None:
        self.asked, self._said, self._lengths = [], {}, {}
        self._replies, self._environment = list(replies), environment

    async def agent_generate(self, lease: str, messages: Sequence[Message], tools: Sequence[Tool], *, chain: str = "", base: int = 0, **more: Any) -> Reply:
        self.asked.append({"messages": list(messages), "tools": list(tools), "chain": chain, "base": base, **more})
        if not self._replies:
            raise GenerateError("context_full", "the test's script has ended")
        said = self._replies.pop(0)
        if isinstance(said, GenerateError):
            raise said
        call = f"call{len(self.asked)}"
        if not chain or self._lengths[chain] != base:
            chain = f"chain{len(self.asked)}"
        self._lengths[chain] = base + len(messages) + 1
        self._said[call] = said
        return Reply(said, call, "tool_calls" if said.tool_calls else "stop", 0, 0, chain, self._lengths[chain])

    async def agent_step(self, lease: str, what: Reply | Message) -> Step:
        message = self._said.pop(what.call_id) if isinstance(what, Reply) else what
        environment = self._environment
        if isinstance(environment, EpisodeServed):
            return await asyncio.to_thread(environment.step, message)  # it has its own loop
        assert environment is not None
        return environment(message)

    async def close(self) -> None:
        pass


def reward(component: type[Reward], **settings: Any) -> RewardServed:
    return RewardServed(component, settings)


def environment(component: type[Environment[Any]], **settings: Any) -> EnvironmentServed:
    return EnvironmentServed(component, settings)


def agent(component: type[Agent], **settings: Any) -> AgentServed:
    return AgentServed(component, settings, _ScriptedHost())
