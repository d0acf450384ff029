"""The trace of a call by the host, as W3C Trace Context. It does not depend on OpenTelemetry."""

from __future__ import annotations

import contextvars
import re
from typing import Any, Final, Iterable

HEADER: Final = "traceparent"
_VALID: Final = re.compile(r"00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}")
_now: Final[contextvars.ContextVar[str]] = contextvars.ContextVar("awhost_traceparent", default="")


def traceparent() -> str:
    """Returns the traceparent of the current call: its trace and its parent span. It is empty if the host sends no
    traces. It works in methods of components, async or not, and in code that they await or run in asyncio.to_thread.
    Pass the value to threads that you start yourself.

        from opentelemetry.propagate import extract

        with tracer.start_as_current_span("look up", context=extract({"traceparent": awhost.traceparent()})):
            ...
    """
    return _now.get()


def enter(metadata: Iterable[tuple[str, Any]]) -> None:
    """Stores the trace from the metadata of a call, for its task."""
    named = [value for name, value in metadata if name == HEADER]
    _now.set(named[0] if len(named) == 1 and isinstance(named[0], str) and _VALID.fullmatch(named[0]) else "")
