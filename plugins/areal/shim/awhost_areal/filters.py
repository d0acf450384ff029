"""Groups that AReaL leaves out and replaces: imported by AReaL by name."""

from __future__ import annotations

from typing import Any


def varied(group: dict[str, Any]) -> bool:
    """Whether the rewards of a group differ: of equal ones nothing is learned."""
    rewards = group["rewards"]
    return bool((rewards != rewards[0]).any())
