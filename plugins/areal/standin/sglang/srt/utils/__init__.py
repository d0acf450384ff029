"""What AReaL's launcher imports."""

from __future__ import annotations

from typing import Any


def kill_process_tree(*_: Any, **__: Any) -> None:
    """The stand-in has no processes of its own."""
