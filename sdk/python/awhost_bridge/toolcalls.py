"""Parses an assistant's output in the Hermes format into a message: reasoning, tool calls, and the rest.

It loses nothing and adds nothing: a part that cannot be parsed stays in the content, and is listed with the reason.
"""

from __future__ import annotations

import json
from typing import Any, Final

from .wire import JSON

_THINK_OPEN, _THINK_CLOSE = "<think>", "</think>"
_CALL_OPEN, _CALL_CLOSE = "<tool_call>", "</tool_call>"
_SPACE: Final = " \t\r\n"

class _NoCall(Exception):
    """The reason why a text between the markers of a call cannot be parsed."""


def parse_message(text: str, tools: Any, *, position: int = 0, thinking: bool = False) -> JSON:
    """Returns the Message, in proto JSON, for a sampled text.

    Without tools no calls are parsed: an environment that reads calls in a text receives the text. position is the
    number of messages in the chain, including this one: ids of calls are derived from it, so that equal samples give
    equal messages. thinking means that the prompt ended with an open <think>.
    """
    text = clean(text)
    message: JSON = {"role": "ROLE_ASSISTANT"}
    reasoning, text = split_reasoning(text, thinking)
    if reasoning:
        message["reasoning"] = reasoning
    if tools:
        text = _split_calls(text, message, position)
    if text:
        message["content"] = [{"text": text}]
    return message


def split_reasoning(text: str, thinking: bool) -> tuple[str, str]:
    """Returns the reasoning and the rest. If the second marker is missing, or the reasoning is empty, it stays in the
    rest."""
    start = 0 if thinking else len(_THINK_OPEN)
    if not thinking and not text.startswith(_THINK_OPEN):
        return "", text
    end = text.find(_THINK_CLOSE, start)
    if end <= start:
        return "", text
    return text[start:end], text[end + len(_THINK_CLOSE) :]


def _split_calls(text: str, message: JSON, position: int) -> str:
    content: list[str] = []
    at = 0
    while (opened := text.find(_CALL_OPEN, at)) >= 0:
        content.append(text[at:opened])
        at = _call_end(text, opened)
        written = text[opened:at]
        try:
            name, arguments = _parse_call(written)
        except _NoCall as e:
            message.setdefault("malformed", []).append({"text": written, "reason": str(e)})
            content.append(written)
            continue
        calls = message.setdefault("tool_calls", [])
        calls.append({"id": f"call_{position}_{len(calls)}", "name": name, "arguments_json": arguments})
    content.append(text[at:])
    return "".join(content)


def _call_end(text: str, opened: int) -> int:
    """Returns the end of the call that starts at `opened`: after its close, else before the next call or at the end."""
    inside = opened + len(_CALL_OPEN)
    following = text.find(_CALL_OPEN, inside)
    end = following if following >= 0 else len(text)
    close = text.find(_CALL_CLOSE, inside, end)  # bounded, so that many openings take linear time
    return close + len(_CALL_CLOSE) if close >= 0 else end


def _parse_call(written: str) -> tuple[str, str]:
    """Returns the name, and the arguments as written."""
    if not written.endswith(_CALL_CLOSE):
        raise _NoCall("the call is not closed")
    body = written[len(_CALL_OPEN) : -len(_CALL_CLOSE)]
    members = _members(body)
    if set(members) != {"name", "arguments"}:
        raise _NoCall('the call must have exactly the members "name" and "arguments"')
    name, _ = members["name"]
    if not isinstance(name, str) or not name:
        raise _NoCall(f"the name of the call must be a non-empty string, it is {members['name'][1]}")
    return clean(name), members["arguments"][1]


def _members(body: str) -> dict[str, tuple[Any, str]]:
    """Returns the members of a JSON object: each at most once, with its value as written. json alone would take the
    last of two equal members and lose the original text of a value."""
    at = _skip(body, 0)
    if body[at : at + 1] != "{":
        raise _NoCall("the call is not a JSON object")
    members: dict[str, tuple[Any, str]] = {}
    at = _skip(body, at + 1)
    while body[at : at + 1] != "}":
        if members:
            at = _skip(body, _expect(body, at, ","))
        name, at = _value(body, at)
        if not isinstance(name, str):
            raise _NoCall("the call is not valid JSON: a member must start with a string")
        if name in members:
            raise _NoCall(f"the call has two members {json.dumps(name)}")
        start = _skip(body, _expect(body, _skip(body, at), ":"))
        value, at = _value(body, start)
        members[name] = value, body[start:at]
        at = _skip(body, at)
    if _skip(body, at + 1) != len(body):
        raise _NoCall("the call has text after its JSON object")
    return members


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


_decoder: Final = json.JSONDecoder(parse_constant=_no_constant)


def _value(body: str, at: int) -> tuple[Any, int]:
    try:
        return _decoder.raw_decode(body, at)
    except (ValueError, RecursionError) as e:
        raise _NoCall(f"the call is not valid JSON: {e}") from None


def _expect(body: str, at: int, sign: str) -> int:
    if body[at : at + 1] != sign:
        raise _NoCall(f"the call is not valid JSON: expecting {sign!r} at character {at}")
    return at + 1


def _skip(body: str, at: int) -> int:
    while at < len(body) and body[at] in _SPACE:
        at += 1
    return at


def clean(text: str) -> str:
    """Replaces lone surrogates, which protobuf cannot carry."""
    return text.encode("utf-8", "replace").decode("utf-8") if not text.isascii() else text
