"""Log lines in the host's format: JSON on standard error, with the fields of `extra` kept.

    logging.getLogger(__name__).info("loaded", extra={"rows": 512})
"""

from __future__ import annotations

import json
import logging
import math
import sys
import time
from typing import Any, Final, TextIO

_OWN: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}
_LEVELS: Final = ((logging.ERROR, "error"), (logging.WARNING, "warn"), (logging.INFO, "info"))


class JSONFormatter(logging.Formatter):
    """One JSON object per line with @level, @message, @timestamp and @module, and the extra fields next to them."""

    def format(self, record: logging.LogRecord) -> str:
        fields = {name: _field(value) for name, value in vars(record).items() if name not in _OWN}
        level = next((word for least, word in _LEVELS if record.levelno >= least), "debug")
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.created % 1 * 1e6):06d}Z"
        fields |= {"@level": level, "@message": record.getMessage(), "@timestamp": stamp, "@module": record.name}
        if record.exc_info:
            fields["exception"] = self.formatException(record.exc_info)
        return json.dumps(fields)


def _field(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    try:
        json.dumps(value, allow_nan=False)
        return value
    except (TypeError, ValueError, RecursionError):
        return str(value)


def to_stderr(stream: TextIO | None = None) -> None:
    """Sends all logging to the stream, from info on; the plugin's own loggers ("awhost…") from debug on."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JSONFormatter())
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    logging.getLogger("awhost").setLevel(logging.DEBUG)
    logging.captureWarnings(True)
