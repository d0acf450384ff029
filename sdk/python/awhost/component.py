"""The base classes of components.

    class Exact(awhost.Reward, type="exact", needs=["ground_truth"]):
        \"\"\"1 when the answer is exactly the ground truth.

        ignore_case: whether Paris equals paris
        \"\"\"

        ignore_case: bool = False

        def score(self, item: awhost.Item) -> float: ...

Annotated names of the class are its settings (awhost.hints lists the supported types), except ClassVars and names that
begin with _. Methods may be async. Other methods run in threads: each call in its own, several at a time.
"""

from __future__ import annotations

import inspect
import json
import pathlib
import types
import typing
from dataclasses import dataclass, field
from logging import Logger
from typing import TYPE_CHECKING, Any, Awaitable, Callable, ClassVar, Final, Generic, Iterable, Literal, Mapping, Sequence, TypeVar

from . import hints
from .errors import Diagnostic, Failure, ToolError
from .messages import Answer, Closed, Item, Message, Opened, Result, Score, Split, Start, State, Step, Task, Tool, ToolCall, parse_json, tool_result

if TYPE_CHECKING:
    from .host import Host

Need = Literal["ground_truth", "transcript", "environment_state", "files", "network"]
Kind = Literal["environment", "reward", "adapter", "agent"]
JSON = dict[str, Any]
F = TypeVar("F", bound=Callable[..., Any])


@dataclass
class Setup:
    """The data that a component receives when it is configured, in addition to its settings.

    directory is the component's own; it exists. host is None if the component is served without one.
    """

    run_id: str
    incarnation: int
    directory: pathlib.Path
    log: Logger
    host: Host | None = None


@dataclass(frozen=True)
class About:
    """A component's description in Describe."""

    kind: Kind
    type: str
    description: str
    settings: tuple[hints.Parameter, ...]
    capabilities: JSON
    reward_components: tuple[str, ...] = ()
    reward_components_setting: str = ""
    metrics: tuple[str, ...] = ()
    tools: Mapping[str, "ToolMethod"] = field(default_factory=dict)

    @property
    def needs(self) -> Sequence[str]:
        return typing.cast("Sequence[str]", self.capabilities.get("needs", ()))

    def described(self) -> JSON:
        """Returns a Component in protobuf's JSON mapping."""
        return {
            "kind": f"COMPONENT_KIND_{self.kind.upper()}", "type": self.type, "description": self.description,
            "schema": hints.schema(self.description, self.settings), "reward_components": list(self.reward_components),
            "reward_components_attribute": self.reward_components_setting, "metrics": list(self.metrics), self.kind: self.capabilities,
        }


class Component:
    """The base of all kinds of components. Subclass Environment, Reward, Agent or Adapter instead."""

    about: ClassVar[About]
    setup: Setup

    _kind: ClassVar[Kind]

    def __init_subclass__(cls, type: str | None = None, **options: Any) -> None:
        super().__init_subclass__()
        if type is None:
            if options:
                raise TypeError(f"class {cls.__name__} names {', '.join(options)} without its type: class {cls.__name__}(…, type=\"…\")")
            return  # a base class
        cls.about = cls._describe(type, options)

    @classmethod
    def _describe(cls, type: str, options: JSON) -> About:
        settings = cls._settings()
        description, _ = hints.document(cls.__doc__, [p.name for p in settings])
        return About(
            kind=cls._kind, type=type, description=description, settings=tuple(settings),
            reward_components=tuple(options.pop("components", ())), reward_components_setting=options.pop("components_setting", ""),
            metrics=tuple(options.pop("metrics", ())), capabilities=cls._capabilities(options), tools=_tools_of(cls),
        )

    @classmethod
    def _settings(cls) -> list[hints.Parameter]:
        names: list[str] = []
        for base in reversed(cls.__mro__):
            if base.__module__.partition(".")[0] == __package__ and base is not cls and "about" not in vars(base):
                continue  # defined by the SDK
            for name, hint in inspect.get_annotations(base).items():
                if not name.startswith("_") and not str(hint).startswith(("ClassVar", "typing.ClassVar", "awhost.ClassVar")) and name not in names:
                    names.append(name)
        for name in names:
            if name in _RESERVED:
                raise TypeError(f"class {cls.__name__}: a setting cannot be called {name}, which means something else in a component")
        return hints.parameters_of(cls, names, {name: getattr(cls, name) for name in names if hasattr(cls, name)})

    @classmethod
    def _capabilities(cls, options: JSON) -> JSON:
        known = typing.get_type_hints(cls._options())
        if strange := [name for name in options if name not in known]:
            raise TypeError(f"class {cls.__name__}: unknown capability {', '.join(strange)} of a component {cls._kind}, use {', '.join(known)}")
        return dict(options)

    @classmethod
    def _options(cls) -> type:
        raise NotImplementedError

    @classmethod
    def configured(cls, settings: Any, unknown: Sequence[tuple[str, ...]] = ()) -> tuple[dict[str, Any], list[Diagnostic]]:
        """Returns the values of the settings, and the problems found in them."""
        values, problems = hints.fit_all(cls.about.settings, settings, unknown=unknown)
        found = [Diagnostic(f"Wrong value of {'.'.join(p.path) or cls.about.type}", p.problem, p.path) for p in problems]
        return values, found or list(cls.check(values))

    # For components to override.

    @classmethod
    def check(cls, settings: Mapping[str, Any]) -> Iterable[Diagnostic]:
        """Checks conditions that types cannot express. It is pure. Values that are not known yet are missing from
        settings."""
        return ()

    def configure(self) -> Awaitable[None] | None:
        """Called once, when the settings and setup are available. A ConfigError names the attribute in error; any other
        error is shown unchanged."""
        return None

    def stop(self, progress: Callable[[str], None]) -> Awaitable[None] | None:
        """Finishes: writes a checkpoint, closes connections. It may be called twice, and must end within the host's
        grace."""
        return None


_RESERVED: Final = frozenset({"about", "setup", "configured", "check", "configure", "stop", "open", "step", "close", "snapshot", "tasks", "takes_truth", "score", "score_all", "run",
                              "plan", "train", "recover", "generate", "evaluate", "control", "load", "release", "export",
                              "delete_checkpoint"})


# Environments.


class EnvironmentOptions(typing.TypedDict, total=False):
    max_sessions: int
    deterministic_under_seed: bool
    group_safe: bool
    multi_user_turn: bool
    needs: Sequence[Need]
    view_url: str
    ground_truth_attribute: str


class Environment(Component, Generic[State]):
    """The environment that an agent acts in. One object serves many episodes at a time: keep the data of an episode in
    the state that open returns.

    Its options are the capabilities of environment.proto; the methods declare snapshot and tasks.
    """

    _kind = "environment"

    @classmethod
    def _options(cls) -> type:
        return EnvironmentOptions

    @classmethod
    def _capabilities(cls, options: JSON) -> JSON:
        out = super()._capabilities(options)
        setting = out.get("ground_truth_attribute")
        if setting and not any(p.name == setting and p.hint is bool for p in cls._settings()):
            problem = f"ground_truth_attribute names {setting}, which is no setting of type bool"
            raise TypeError(f"class {cls.__name__}: {problem}")
        return out | {name: True for name in ("snapshot", "tasks") if getattr(cls, name) is not getattr(Environment, name)}

    def takes_truth(self) -> bool:
        """Reports whether tasks include their private part."""
        setting = self.about.capabilities.get("ground_truth_attribute")
        return "ground_truth" in self.about.needs or bool(setting and getattr(self, setting))

    def open(self, start: Start) -> Opened[State] | Awaitable[Opened[State]]:
        """Starts an episode."""
        raise NotImplementedError

    def step(self, state: State, message: Message) -> Step | Awaitable[Step]:
        """Answers the assistant's message. It is called once per message, and not after done. The default calls the
        tools."""
        return self.call_tools(state, message)

    def close(self, state: State, reason: str) -> Closed | None | Awaitable[Closed | None]:
        """Ends an open episode. reason: "done", "failed", "cancelled"."""
        return None

    def snapshot(self, state: State) -> Any:
        """Returns the state of an open episode, as JSON: for rewards, and for debugging. It changes nothing."""
        raise NotImplementedError

    def tasks(self, split: Split) -> Iterable[Task]:
        """Returns the environment's own tasks in a fixed order."""
        raise NotImplementedError

    async def call_tools(self, state: State, message: Message) -> Step:
        """Answers each call of a message by the @tool method of that name, one after the other. A call that cannot be
        executed is answered with the problem. After a result that ends the episode the remaining calls are not
        executed."""
        from .calls import call

        step, rewards = Step(messages=[]), []
        messages, metrics = [], dict[str, float]()
        for wanted in message.tool_calls:
            if step.done:
                result = Result("not carried out: the episode is over", is_error=True)
            else:
                result = await _carry_out(call, self, self.about.tools, state, wanted)
            answer = tool_result(wanted, result.content, is_error=result.is_error, attachments=result.attachments)
            messages.append(answer)
            rewards += [result.reward] if result.reward is not None else []
            for name, number in result.metrics.items():
                metrics[name] = metrics.get(name, 0.0) + number
            step.done, step.truncated = step.done or result.done, step.truncated or result.truncated
        return Step(messages, sum(rewards) if rewards else None, step.done, step.truncated, None, metrics)


@dataclass(frozen=True)
class ToolMethod:
    """A method that the policy may call."""

    function: Callable[..., Any]
    tool: Tool
    parameters: tuple[hints.Parameter, ...]


def tool(method: F) -> F:
    """Marks a method of an Environment as a tool. The policy receives its name, docstring and hints. Its first
    parameter is the episode's state. It returns a text, a Result, or any value that can be encoded as JSON, and raises
    ToolError to report a problem to the policy. A tool with the name of a method of Environment, such as stop, is
    written with an underscore: stop_."""
    method.__awhost_tool__ = True  # type: ignore[attr-defined]
    return method


def _tools_of(cls: type) -> dict[str, ToolMethod]:
    out: dict[str, ToolMethod] = {}
    for base in reversed(cls.__mro__):
        for name, method in vars(base).items():
            if getattr(method, "__awhost_tool__", False):
                if hasattr(Environment, name):
                    raise TypeError(f"environments have a method {name}. Call it {name}_: the tool's name is {name}")
                public = name[:-1] if name.endswith("_") and hasattr(Environment, name[:-1]) else name
                out[public] = _tool_method(public, method)
    return out


def _tool_method(name: str, method: Callable[..., Any]) -> ToolMethod:
    typed = typing.get_type_hints(method, include_extras=True)
    own = list(inspect.signature(method).parameters.values())[2:]  # after self and the state
    if untyped := [p.name for p in own if p.name not in typed]:
        raise TypeError(f"tool {name}: its parameters {', '.join(untyped)} have no type hints")
    summary, about = hints.document(method.__doc__, [p.name for p in own])
    parameters = tuple(hints.parameter(p.name, typed[p.name], p.default, about.get(p.name, "")) for p in own)
    return ToolMethod(method, Tool(name, summary, hints.json_schema(parameters)), parameters)


async def _carry_out(call: Callable[..., Awaitable[Any]], owner: object, tools: Mapping[str, ToolMethod], state: object, wanted: ToolCall) -> Result:
    known = tools.get(wanted.name)
    if known is None:
        return Result(f"there is no tool {wanted.name}, only {', '.join(tools) or 'none at all'}", is_error=True)
    try:
        given = parse_json(wanted.arguments or "{}")
    except ValueError as e:
        return Result(f"the arguments are no JSON: {e}", is_error=True)
    arguments, problems = hints.fit_all(known.parameters, given)
    if problems:
        return Result(f"wrong arguments: {'; '.join(map(str, problems))}", is_error=True)
    try:
        out = await call(known.function, owner, state, **arguments)
    except ToolError as e:
        return Result(str(e), is_error=True)
    if isinstance(out, Result):
        return out
    return Result(out if isinstance(out, str) else json.dumps(out, ensure_ascii=False))


# Rewards.


class RewardOptions(typing.TypedDict, total=False):
    batch_size: int
    group_relative: bool
    model_judge: bool
    needs: Sequence[Need]
    truth_optional: bool
    truth_types: Sequence[str]


class Reward(Component):
    """Judges finished episodes. Options: the capabilities of reward.proto; components: the names of the numbers in its
    scores; components_setting: a setting, a list of strings, that names more of them.

    An item that cannot be judged is a failure and never a zero: an exception from score, or a number that is not
    finite, fails the item.
    """

    _kind = "reward"

    @classmethod
    def _options(cls) -> type:
        return RewardOptions

    def score(self, item: Item) -> float | Score | Awaitable[float | Score]:
        """Judges one item."""
        raise NotImplementedError

    def score_all(self, items: Sequence[Item], missing: int) -> Any:
        """Judges a batch, or with group_relative the samples of a group that did not fail. Returns one float, Score or
        Failure per item, in order. missing counts the siblings that failed. May be async. The default calls score for
        each."""
        raise NotImplementedError


def reward(name: str, **options: Any) -> Callable[[Callable[..., Any]], type[Reward]]:
    """Makes a Reward from a function of an item. Its keyword-only parameters are the settings.

        @awhost.reward("exact", needs=["ground_truth"])
        def exact(item: awhost.Item, *, ignore_case: bool = False) -> float: ...
    """

    def wrap(function: Callable[..., Any]) -> type[Reward]:
        return typing.cast("type[Reward]", _from_function(Reward, "score", name, function, options))

    return wrap


# Agents.


class AgentOptions(typing.TypedDict, total=False):
    needs_environment: bool
    max_concurrent: int
    needs: Sequence[Need]


class Agent(Component):
    """Runs episodes. The settings description, environment, tools, deny, max_turns, max_message_tokens, private and
    model have the same meaning in all agents, and the host acts on them.

    run receives an awhost.Episode if it is async, otherwise an awhost.SyncEpisode. It returns an Answer, the final
    answer as a text, or None, in which case the policy's last message is the answer. An exception is a failure of class
    AGENT.
    """

    _kind = "agent"

    run: Callable[[Any], "Answer | str | None | Awaitable[Answer | str | None]"]

    @classmethod
    def _options(cls) -> type:
        return AgentOptions


def agent(name: str, **options: Any) -> Callable[[Callable[..., Any]], type[Agent]]:
    """Makes an Agent from a function of an episode. Its keyword-only parameters are the settings."""

    def wrap(function: Callable[..., Any]) -> type[Agent]:
        return typing.cast("type[Agent]", _from_function(Agent, "run", name, function, options))

    return wrap


def _from_function(base: type[Component], method: str, name: str, function: Callable[..., Any], options: JSON) -> type[Component]:
    settings = [p for p in inspect.signature(function).parameters.values() if p.kind is inspect.Parameter.KEYWORD_ONLY]
    typed = typing.get_type_hints(function, include_extras=True)
    if untyped := [p.name for p in settings if p.name not in typed]:
        raise TypeError(f"{function.__name__}: its settings {', '.join(untyped)} have no type hints")
    names = [p.name for p in settings]

    def plain(self: Component, subject: Any) -> Any:
        return function(subject, **{name: getattr(self, name) for name in names})

    async def coroutine(self: Component, subject: Any) -> Any:
        return await plain(self, subject)

    space: JSON = {p.name: p.default for p in settings if p.default is not inspect.Parameter.empty}
    space |= {"__annotations__": {name: typed[name] for name in names}, "__doc__": function.__doc__, "__module__": function.__module__, "__qualname__": function.__qualname__}
    space[method] = coroutine if inspect.iscoroutinefunction(function) else plain
    return types.new_class(function.__name__, (base,), {"type": name, **options}, lambda ns: ns.update(space))


__all__ = ["About", "Agent", "Answer", "Component", "Environment", "Failure", "Reward", "Setup", "agent", "reward", "tool"]
