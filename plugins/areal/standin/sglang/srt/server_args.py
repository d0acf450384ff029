"""AReaL's launcher parses SGLang's arguments here and starts the server with them: here they are one."""

from __future__ import annotations

from typing import Any


def prepare_server_args(arguments: list[str]) -> Any:
    """Serves until the process is ended."""
    from sglang.server import Options, serve

    values = dict(zip(arguments[::1], arguments[1:], strict=False))
    raise SystemExit(serve(Options(
        path=values["--model-path"], host=values.get("--host", "127.0.0.1"), port=int(values["--port"]),
        context=int(values.get("--context-length") or 32768), seed=int(values.get("--random-seed") or 1),
    )))
