"""Lines and bodies: JSON as both sides write it.

Bodies are protobuf messages in their JSON mapping. Readers accept 64-bit integers as numbers or strings, members in
snake_case or lowerCamelCase, and absent members as unset; the helpers here hide these differences.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, Final

from .errors import ProtocolError

PROTOCOL: Final = 1
MAX_LINE: Final = 64 << 20  # bytes of a line, and of the unacknowledged frames
MAX_MEMBERS: Final = MAX_LINE - 1024  # bytes of a data frame without its type and numbers
MAX_HELLO: Final = 4 << 10  # bytes before hello_ack

JSON = dict[str, Any]

# ASCII only: any decoded token, including a lone surrogate, becomes a line that can be sent. A value that contains
# itself raises RecursionError.
_encoder: Final = json.JSONEncoder(ensure_ascii=True, allow_nan=False, check_circular=False, separators=(",", ":"))
encode: Final = _encoder.encode


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


_decoder: Final = json.JSONDecoder(parse_constant=_no_constant)


def decode_line(line: bytes) -> JSON:
    """Reads a line without its end. Raises ProtocolError for anything but a JSON object with a type."""
    try:
        text = line.decode("utf-8")
        frame, end = _decoder.raw_decode(text)
        if end != len(text):  # surrounded by spaces
            frame = _decoder.decode(text)
    except (ValueError, RecursionError) as e:
        raise ProtocolError(f"a line is no JSON: {e}") from None
    if not isinstance(frame, dict) or not isinstance(frame.get("type"), str):
        raise ProtocolError("a line is no JSON object with a type")
    return frame


_UNDERSCORE: Final = re.compile(r"_([a-z0-9])")


def camel(name: str) -> str:
    """Returns the lowerCamelCase form of a member's name."""
    return _UNDERSCORE.sub(lambda m: m[1].upper(), name)


def get(body: JSON, name: str, default: Any = None) -> Any:
    """Returns a member in either spelling; null counts as absent."""
    value = body.get(name)
    if value is None:
        value = body.get(camel(name))
    return default if value is None else value


def integer(value: Any) -> int:
    """Returns a 64-bit integer from a number or a string of digits."""
    if type(value) is int:
        return value
    if isinstance(value, bool) or not isinstance(value, (int, str, float)):
        raise ValueError(f"{value!r} is no integer")
    if isinstance(value, float):
        if not value.is_integer():
            raise ValueError(f"{value!r} is no integer")
        return int(value)
    return int(value)


def number(value: Any) -> float:
    """Returns a finite double from a number or a string of one."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise ValueError(f"{value!r} is no number")
    out = float(value)
    if not math.isfinite(out):
        raise ValueError(f"{value!r} is not finite")
    return out


def seconds(value: Any) -> float:
    """Returns the seconds of a duration: "1.5s"."""
    if not isinstance(value, str) or not value.endswith("s"):
        raise ValueError(f'{value!r} is no duration like "1.5s"')
    return number(value[:-1])


_CAPITAL: Final = re.compile(r"[A-Z]")


def snake_names(value: Any) -> Any:
    """Returns a body with the names of the .proto files. Only for messages without maps, whose keys are data."""
    if isinstance(value, dict):
        return {_CAPITAL.sub(lambda m: "_" + m[0].lower(), k): snake_names(v) for k, v in value.items()}
    if isinstance(value, list):
        return [snake_names(v) for v in value]
    return value


def generate_request(body: JSON) -> JSON:
    """Returns a GenerateRequest that can be indexed: names of the .proto files, integers as int, and the members that a
    ledger reads are present even if they were unset. The body is changed."""
    if "episodeId" in body or "callId" in body:
        body = snake_names(body)
    for name in ("attempt", "base", "seed"):
        body[name] = integer(body.get(name) or 0)
    for name in ("chain", "agent"):
        body[name] = body.get(name) or ""
    for name in ("messages", "tools"):
        body[name] = body.get(name) or []
    for name in ("trainable", "validation"):
        body[name] = bool(body.get(name))
    sampling = body["sampling"] = body.get("sampling") or {}
    for name in ("top_k", "max_tokens"):
        sampling[name] = integer(sampling.get(name) or 0)
    sampling["stop"] = sampling.get("stop") or []
    return body
