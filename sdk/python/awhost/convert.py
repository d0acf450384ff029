"""Conversions between the dataclasses of awhost.messages and the protobuf messages."""

from __future__ import annotations

import datetime
import json
import math
from typing import Any, Iterable, Mapping

from google.protobuf.duration_pb2 import Duration

from . import messages as m
from .status import utf8
from .v1 import agent_pb2, environment_pb2, message_pb2, reward_pb2

_ROLES: Mapping[int, m.Role] = {1: "system", 2: "user", 3: "assistant", 4: "tool"}
_KINDS: Mapping[int, m.AttachmentKind] = {1: "image", 2: "audio", 3: "resource", 4: "resource_link", 5: "structured"}
_KIND_NUMBERS = {name: number for number, name in _KINDS.items()}
_ROLE_NUMBERS = {name: number for number, name in _ROLES.items()}


def message_to_wire(message: m.Message) -> message_pb2.Message:
    if message.role not in _ROLE_NUMBERS:
        raise ValueError(f"a message has the role {message.role!r}; want one of {', '.join(_ROLE_NUMBERS)}")
    out = message_pb2.Message(
        role=_ROLE_NUMBERS[message.role], reasoning=utf8(message.reasoning), tool_call_id=utf8(message.tool_call_id), name=utf8(message.name),  # type: ignore[arg-type]
        is_error=message.is_error,
        tool_calls=[message_pb2.ToolCall(id=utf8(c.id), name=utf8(c.name), arguments_json=utf8(c.arguments)) for c in message.tool_calls],
        malformed=[message_pb2.MalformedCall(text=utf8(c.text), reason=utf8(c.reason)) for c in message.malformed],
    )
    written = 0
    for image in message.images:
        place = max(written, len(message.content) - image.text_after)
        if place > written:
            out.content.add(text=utf8(message.content[written:place]))
        out.content.add(image=message_pb2.Image(mime_type=utf8(image.mime_type), data=image.data, url=utf8(image.url)))
        written = place
    if written < len(message.content):
        out.content.add(text=utf8(message.content[written:]))
    out.attachments.extend(map(_attachment_to_wire, message.attachments))
    return out


def _attachment_to_wire(a: m.Attachment) -> message_pb2.Attachment:
    if a.kind and a.kind not in _KIND_NUMBERS:
        raise ValueError(f"an attachment is of the kind {a.kind!r}; want one of {', '.join(_KIND_NUMBERS)}")
    body: m.JSON = {"data": a.data, "text": utf8(a.text) or None}
    body["structured_json"] = None if a.value is None else encode(a.value)
    body = {name: value for name, value in body.items() if value is not None}
    if len(body) > 1:
        raise ValueError(f"an attachment has {' and '.join(body)}: want one of data, text and value")
    out = message_pb2.Attachment(mime_type=utf8(a.mime_type), uri=utf8(a.uri), name=utf8(a.name), **body)
    out.kind = _KIND_NUMBERS.get(a.kind, 0)  # type: ignore[assignment, arg-type]
    out.marker, out.sha256, out.size = utf8(a.marker), a.sha256, a.size
    return out


def _attachment_from_wire(a: message_pb2.Attachment) -> m.Attachment:
    """Converts an attachment. Raises ValueError if its JSON is invalid."""
    return m.Attachment(
        _KINDS.get(a.kind, ""), a.mime_type, a.uri, a.name, a.data if a.HasField("data") else None, a.text,
        m.parse_json(a.structured_json) if a.structured_json else None, a.marker, a.sha256, a.size,
    )


def message_from_wire(message: message_pb2.Message) -> m.Message:
    images, rest = [], sum(len(part.text) for part in message.content)
    for part in message.content:
        rest -= len(part.text)
        if part.WhichOneof("part") == "image":
            images.append(m.Image(part.image.mime_type, part.image.data, part.image.url, rest))
    return m.Message(
        role=_ROLES.get(message.role, "user"), content="".join(part.text for part in message.content),
        images=images, reasoning=message.reasoning, tool_calls=[m.ToolCall(c.id, c.name, c.arguments_json) for c in message.tool_calls],
        tool_call_id=message.tool_call_id, name=message.name, is_error=message.is_error,
        malformed=[m.Malformed(c.text, c.reason) for c in message.malformed],
        attachments=[_attachment_from_wire(a) for a in message.attachments],
    )


def messages_to_wire(messages: Iterable[m.Message]) -> list[message_pb2.Message]:
    return [message_to_wire(message) for message in messages]


def messages_from_wire(messages: Iterable[message_pb2.Message]) -> list[m.Message]:
    return [message_from_wire(message) for message in messages]


def tools_to_wire(tools: Iterable[m.Tool]) -> list[message_pb2.Tool]:
    """Converts tools. Raises ValueError if two tools have the same name, or a tool has none: the protocol drops
    none."""
    out: list[message_pb2.Tool] = []
    seen: set[str] = set()
    for tool in tools:
        if not tool.name or tool.name in seen:
            raise ValueError(f"the environment offers two tools named {tool.name!r}, or one without a name: names must be unique within an episode")
        seen.add(tool.name)
        out.append(message_pb2.Tool(name=utf8(tool.name), description=utf8(tool.description), parameters_json=encode(tool.parameters)))
    return out


def tools_from_wire(tools: Iterable[message_pb2.Tool]) -> list[m.Tool]:
    return [m.Tool(tool.name, tool.description, m.parse_json(tool.parameters_json or "{}")) for tool in tools]


def task_from_wire(task: message_pb2.Task, *, private: bool) -> m.Task:
    """Converts a task. private False omits the ground truth. Raises ValueError if a part is not a JSON object."""
    return m.Task(task.id, object_from_wire("public", task.public_json), object_from_wire("private", task.private_json) if private else {})


def object_from_wire(what: str, text: bytes) -> m.JSON:
    if not text:
        return {}
    try:
        value = m.parse_json(text)
    except ValueError as e:
        raise ValueError(f"the {what} part of the task is not JSON: {e}") from None
    if not isinstance(value, dict):
        raise ValueError(f"the {what} part of the task is not a JSON object")
    return value


def task_to_wire(task: m.Task) -> message_pb2.Task:
    return message_pb2.Task(id=utf8(task.id), public_json=encode(task.public), private_json=encode(task.private) if task.private else b"")


def split_from_wire(split: int) -> m.Split:
    return "validation" if split == message_pb2.SPLIT_VALIDATION else "train"


def split_to_wire(split: m.Split) -> message_pb2.Split:
    return message_pb2.SPLIT_VALIDATION if split == "validation" else message_pb2.SPLIT_TRAIN


def encode(value: Any) -> bytes:
    """Returns canonical JSON. Raises ValueError for values without a JSON form, such as NaN."""
    return json.dumps(value, sort_keys=True, allow_nan=False, separators=(",", ":")).encode()


def finite(what: str, number: Any) -> float:
    """Returns a finite number, as the protocol requires. Raises ValueError for any other."""
    if isinstance(number, str) or not hasattr(number, "__float__"):
        raise ValueError(f"{what} is {type(number).__name__}, not a number")
    value = float(number)
    if not math.isfinite(value):
        raise ValueError(f"{what} is {value}, which is not finite")
    return value


def numbers(what: str, values: Mapping[str, Any]) -> dict[str, float]:
    return {name: finite(f"{what} {name}", value) for name, value in values.items()}


def duration_from_wire(duration: Duration) -> float:
    """Returns the seconds."""
    return duration.seconds + duration.nanos / 1e9


def duration_to_wire(seconds: float) -> Duration:
    out = Duration()
    out.FromTimedelta(datetime.timedelta(seconds=seconds))
    return out


def step_to_wire(step: m.Step) -> environment_pb2.StepResponse:
    out = environment_pb2.StepResponse(messages=messages_to_wire(step.messages), done=step.done or step.truncated, truncated=step.truncated, metrics=numbers("the metric", step.metrics))
    if step.reward is not None:
        out.turn_reward = finite("the turn reward", step.reward)
    if step.tools is not None:
        out.tools_changed.tools.extend(tools_to_wire(step.tools))
        out.tools_changed.SetInParent()
    return out


def item_from_wire(item: reward_pb2.ScoreItem, *, private: bool) -> m.Item:
    """Converts an item. Raises ValueError if its JSON is invalid."""
    return m.Item(
        answer=item.final_answer, task=task_from_wire(item.task, private=private), messages=messages_from_wire(item.messages), episode_id=item.episode_id,
        state=m.parse_json(item.environment_state_json) if item.environment_state_json else None,
        metadata=object_from_wire("agent's", item.agent_metadata_json), turn_rewards=list(item.turn_rewards), chain_digests=list(item.chain_digests),
        sampled=list(item.sampled.places) if item.HasField("sampled") else None,
    )


def answer_to_wire(answer: m.Answer) -> agent_pb2.RunResponse:
    out = agent_pb2.RunResponse(metrics=numbers("the metric", answer.metrics), metadata_json=encode(answer.metadata) if answer.metadata else b"")
    out.contacted.extend(utf8(place) for place in answer.contacted)
    if answer.final_answer is not None:
        out.final_answer = utf8(answer.final_answer)
    if answer.reward is not None:
        out.reward = finite("the agent's reward", answer.reward)
    if answer.is_success is not None:
        out.is_success = answer.is_success
    return out
