"""What the policy says in a smoke run: the host's script in half of the episodes, and short messages in the others.

The script's words have to get to the stand-in for SGLang, through AReaL's engine and, in agent mode, through its proxy. Both
hand on what a request may have in AReaL, unchanged only numbers: so the ids are left in a file, and the request names it by
its ``frequency_penalty``, which nobody could mean as one. Only the stand-in reads it.
"""

from __future__ import annotations

import json
import os
import secrets
from typing import Any

MESSAGE_TOKENS = 64  # a random policy hardly ever ends a message
FIRST_NAME = 1 << 49  # names are from here to its double: exact as floats, and no penalty


def sampling(folder: str, template: Any, request: dict[str, Any], limit: int) -> dict[str, Any]:
    """What a GenerateRequest changes of AReaL's settings for its message. limit: how many ids it may have."""
    if request.get("scripted") is None:
        return {"max_new_tokens": min(limit, MESSAGE_TOKENS)}
    ids = template.write(request["scripted"], request["tools"])[:limit]
    return {"max_new_tokens": len(ids), "frequency_penalty": float(_leave(folder, ids))}


def _leave(folder: str, ids: list[int]) -> int:
    """Writes ids down, and returns the name of the file."""
    name = FIRST_NAME + secrets.randbelow(FIRST_NAME)
    with open(os.path.join(folder, f"{name}.json"), "x", encoding="utf-8") as f:
        json.dump(ids, f)
    return name
