"""The inputs and results of components: the protocol's messages as dataclasses."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, Mapping, Sequence, TypeVar

from .errors import Failure

Role = Literal["system", "user", "assistant", "tool"]
Split = Literal["train", "validation"]
AttachmentKind = Literal["image", "audio", "resource", "resource_link", "structured"]
JSON = dict[str, Any]
State = TypeVar("State")


@dataclass
class ToolCall:
    """One tool call by an assistant. arguments is the JSON text exactly as the model wrote it."""

    id: str
    name: str
    arguments: str = "{}"


@dataclass
class Image:
    """An image: data with its type, or a URL. text_after is the number of characters of the message's content that
    follow the image: 0 for an image after the whole text."""

    mime_type: str = ""
    data: bytes = b""
    url: str = ""
    text_after: int = 0


@dataclass
class Attachment:
    """A typed non-text result of an environment, for the record, rewards and agents. The policy receives the content of
    the message instead, in which marker represents it. An empty marker means that the content contains the text itself,
    or nothing of the attachment.

    At most one of data, text (of a resource) and value (JSON) is the attachment itself. sha256, in hexadecimal digits,
    and size describe a body that was omitted because it is too large; for a value they describe its JSON.
    """

    kind: AttachmentKind | Literal[""]  # empty: a kind from a newer plugin that this SDK does not support
    mime_type: str = ""
    uri: str = ""
    name: str = ""
    data: bytes | None = None
    text: str = ""
    value: Any = None
    marker: str = ""
    sha256: str = ""
    size: int = 0


@dataclass
class Malformed:
    """A part that looks like a tool call and cannot be parsed. Its text is also part of the content."""

    text: str
    reason: str


@dataclass
class Message:
    """One entry of a conversation. The text_after of images places them in the text. attachments are an environment's
    non-text results."""

    role: Role
    content: str = ""
    images: list[Image] = field(default_factory=list)
    reasoning: str = ""
    tool_calls: list[ToolCall] = field(default_factory=list)
    tool_call_id: str = ""
    name: str = ""
    is_error: bool = False
    malformed: list[Malformed] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)


def system(content: str) -> Message:
    return Message("system", content)


def user(content: str) -> Message:
    return Message("user", content)


def assistant(content: str = "", *tool_calls: ToolCall) -> Message:
    return Message("assistant", content, tool_calls=list(tool_calls))


def tool_result(
    call: ToolCall, content: str, *, is_error: bool = False, attachments: Sequence[Attachment] = ()
) -> Message:
    out = Message("tool", content, tool_call_id=call.id, name=call.name, is_error=is_error)
    out.attachments = list(attachments)
    return out


@dataclass
class Tool:
    """A tool that an agent may call. parameters is the JSON Schema of its arguments. Names are unique within an
    episode."""

    name: str
    description: str = ""
    parameters: JSON = field(default_factory=lambda: {"type": "object", "properties": {}})


@dataclass
class Task:
    """One problem of a dataset. private is empty for components that have not declared the need ground_truth."""

    id: str
    public: JSON = field(default_factory=dict)
    private: JSON = field(default_factory=dict)

    @property
    def prompt(self) -> str:
        """Returns the question as a text; empty if the task has messages instead."""
        return str(self.public.get("prompt", ""))

    @property
    def ground_truth(self) -> Any:
        """Returns the answer. A task without one cannot be judged: it raises a Failure of class REWARD."""
        if self.private.get("ground_truth") is None:
            raise Failure("REWARD", f"task {self.id} has no ground_truth")
        return self.private["ground_truth"]


# Environments.


@dataclass
class Start:
    """The start of an episode. All randomness is derived from seed, which the samples of a group share."""

    episode_id: str
    task: Task
    seed: int
    split: Split


@dataclass
class Opened(Generic[State]):
    """The result of starting an episode. The SDK keeps state and passes it to the episode's other calls.

    messages are the agent's first messages; none means the task's own prompt. tools None means the environment's @tool
    methods.
    """

    state: State
    messages: Sequence[Message] = ()
    tools: Sequence[Tool] | None = None
    max_turns: int = 0
    instance_id: str = ""


@dataclass
class Step:
    """The answer to an assistant's message: tool results in the order of the calls, then the next user turn, if any.

    reward is for this turn. truncated: done because a limit was reached. tools: those from now on, if they change.
    """

    messages: Sequence[Message] = ()
    reward: float | None = None
    done: bool = False
    truncated: bool = False
    tools: Sequence[Tool] | None = None
    metrics: Mapping[str, float] = field(default_factory=dict)


@dataclass
class Result:
    """A tool's result with more than a text: it ends the episode, has a reward, reports an error to the policy, or has
    attachments."""

    content: str
    reward: float | None = None
    done: bool = False
    truncated: bool = False
    is_error: bool = False
    metrics: Mapping[str, float] = field(default_factory=dict)
    attachments: Sequence[Attachment] = ()


@dataclass
class Closed:
    """The end of an episode. Equal states have equal digests."""

    state_digest: str = ""
    metrics: Mapping[str, float] = field(default_factory=dict)


# Rewards.


@dataclass
class Item:
    """A finished episode. answer is the policy's last message, or the raw text of an offline item.

    chain_digests identify the sampled chains. state is the environment's snapshot, with the need environment_state;
    metadata is the agent's. sampled are the indices in messages of the policy's messages, or None if unknown; other
    messages of the assistant, such as examples, were part of the prompt.
    """

    answer: str
    task: Task
    messages: list[Message] = field(default_factory=list)
    episode_id: str = ""
    state: Any = None
    metadata: JSON = field(default_factory=dict)
    turn_rewards: list[float] = field(default_factory=list)
    chain_digests: list[str] = field(default_factory=list)
    sampled: list[int] | None = None


@dataclass
class Score:
    """A number, further numbers by the names that the reward declares, and whether the episode succeeded, if known.
    metrics are the costs of judging, such as the tokens of a judge; they are added up. notes are explanations for
    people, such as a judge's reason: they are recorded and decide nothing. The host cuts a note after 2000 bytes."""

    score: float
    components: Mapping[str, float] = field(default_factory=dict)
    is_success: bool | None = None
    metrics: Mapping[str, float] = field(default_factory=dict)
    notes: Mapping[str, str] = field(default_factory=dict)


# Agents.


@dataclass
class Reply:
    """A sampled message. finish "length" means that a limit cut it; its calls are dropped, because nothing in it is
    executed."""

    message: Message
    call_id: str
    finish: Literal["stop", "length", "tool_calls"]
    prompt_tokens: int
    output_tokens: int
    chain: str
    chain_length: int


@dataclass
class Answer:
    """The end of an episode. final_answer None means the content of the last assistant message. reward counts only if
    the spec enables it. contacted are the servers other than the host that the agent called: they explain an episode
    that never calls the policy."""

    final_answer: str | None = None
    reward: float | None = None
    is_success: bool | None = None
    metadata: JSON = field(default_factory=dict)
    metrics: Mapping[str, float] = field(default_factory=dict)
    contacted: Sequence[str] = ()


def parse_json(text: str | bytes) -> Any:
    """Reads JSON by the protocol's rules: no NaN, no infinity, no trailing text. Raises ValueError for any problem."""
    try:
        return json.loads(text, parse_constant=_no_number)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no JSON")
