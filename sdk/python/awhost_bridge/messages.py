"""Messages and tools in the format of chat templates."""

from __future__ import annotations

import base64
import json
from typing import Any, Final

from .errors import GenerateError
from .wire import JSON

_ROLES: Final = {"ROLE_SYSTEM": "system", "ROLE_USER": "user", "ROLE_ASSISTANT": "assistant", "ROLE_TOOL": "tool"}


def role(message: JSON) -> str:
    """Returns the role by its name in templates."""
    try:
        return _ROLES[message.get("role", "")]
    except KeyError:
        raise GenerateError("refused", f"a message has the role {message.get('role')!r}, which no chat template knows") from None


def text(message: JSON) -> str:
    """Returns the content. Raises GenerateError for an image, which a text model cannot process."""
    parts = []
    for part in message.get("content") or []:
        if part.get("image") is not None:
            raise GenerateError("refused", "a message has an image, and this worker's ledger is for text: use a text-only environment")
        parts.append(part.get("text") or "")
    return "".join(parts)


def for_template(message: JSON, *, text_arguments: bool = False) -> JSON:
    """Returns a message as transformers' chat templates expect it. Arguments of calls are mappings, or JSON text."""
    out: JSON = {"role": role(message), "content": text(message)}
    if message.get("reasoning"):
        out["reasoning_content"] = message["reasoning"]
    if message.get("tool_calls"):
        out["tool_calls"] = [_call(c, text_arguments) for c in message["tool_calls"]]
    for name in ("tool_call_id", "name"):
        if message.get(name):
            out[name] = message[name]
    return out


def _call(call: JSON, as_text: bool) -> JSON:
    written = call.get("arguments_json") or "{}"
    try:
        arguments: Any = json.loads(written)
    except ValueError as e:
        raise GenerateError("refused", f"the arguments of a call of {call.get('name')!r} are not JSON: {e}") from None
    # Templates split a mapping; they print anything else, and then the model's own text is the better output.
    if as_text or not isinstance(arguments, dict):
        arguments = written
    return {"id": call.get("id", ""), "type": "function", "function": {"name": call.get("name", ""), "arguments": arguments}}


def tool_for_template(tool: JSON) -> JSON:
    """Returns a tool as transformers' chat templates expect it: in OpenAI's format."""
    written = base64.b64decode(tool.get("parameters_json") or "")
    parameters = json.loads(written) if written else {"type": "object", "properties": {}}
    return {
        "type": "function",
        "function": {"name": tool.get("name", ""), "description": tool.get("description", ""), "parameters": parameters},
    }


def tools_key(tools: list[JSON]) -> tuple[tuple[str, str, str], ...]:
    """Returns a cheap key that distinguishes tools."""
    return tuple((t.get("name") or "", t.get("description") or "", t.get("parameters_json") or "") for t in tools)
