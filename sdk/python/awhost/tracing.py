"""Which trace a call of the host is part of, as W3C Trace Context. It knows no SDK of OpenTelemetry."""

from __future__ import annotations

import contextvars
import re
from typing import Any, Final, Iterable

HEADER: Final = "traceparent"
_VALID: Final = re.compile(r"00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}")
_now: Final[contextvars.ContextVar[str]] = contextvars.ContextVar("awhost_traceparent", default="")


def traceparent() -> str:
    """The traceparent of the call that is at work: which trace it is part of, and which span is above it. Empty where
    the host sends no traces. Methods of components, async or not, and what they await or run in asyncio.to_thread may
    ask; a thread of one's own has to be told.

        from opentelemetry.propagate import extract

        with tracer.start_as_current_span("look up", context=extract({"traceparent": awhost.traceparent()})):
            ...
    """
    return _now.get()


def enter(metadata: Iterable[tuple[str, Any]]) -> None:
    """Notes what the metadata of a call name, for its task."""
    named = [value for name, value in metadata if name == HEADER]
    _now.set(named[0] if len(named) == 1 and isinstance(named[0], str) and _VALID.fullmatch(named[0]) else "")
