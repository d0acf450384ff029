"""Stores how a codec was chosen for a chat template, so that a plan can show it without the tokenizer.

    save(template.source(), template.kwargs, ("auto", "auto"), codec="hermes 1", …)    # in a trainer's worker
    text, failure = describe(source, kwargs, ("auto", "auto"))                         # in a plan

Each template, with its arguments and the requested formats, has a file in ~/.cache/awhost/codecs (XDG_CACHE_HOME).
"""

from __future__ import annotations

import datetime
import hashlib
import json
import logging
import os
import pathlib
import sys
import tempfile
from typing import Any, Mapping

log = logging.getLogger("awhost.bridge")

Formats = tuple[str, str]  # tool_format and reasoning_format


def save(source: str, kwargs: Mapping[str, Any], formats: Formats, **found: str) -> None:
    """Stores the result of a test: codec, digest, and result, or failure. A template without a source is not stored. A
    file that cannot be written is logged."""
    if not source:
        return
    found |= dict(zip(("tool_format", "reasoning_format"), formats))
    found |= {"date": datetime.date.today().isoformat(), "python": sys.executable}
    try:
        path = _path(source, kwargs, formats)
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent) as made:
            written = pathlib.Path(made) / path.name
            written.write_text(json.dumps(found, indent=1), encoding="utf-8")
            os.replace(written, path)
    except (OSError, RuntimeError) as e:
        log.warning("a plan will not show the codec, because its evidence cannot be stored: %s", e)


def describe(source: str, kwargs: Mapping[str, Any], formats: Formats) -> tuple[str, str]:
    """Returns a sentence for a plan, or, if the last test failed, an empty one and the failure. source is empty if the
    template is unknown."""
    # The trainer's start tests the template without an agent's arguments.
    plain = _load(source, {}, formats)
    found = _load(source, kwargs, formats) or (plain if plain.get("failure") else {})
    when = f"on {found.get('date')} by {found.get('python')}"
    if found.get("failure"):
        return "", f"The test {when} failed: {found['failure']}. The next start repeats it."
    if found:
        return f"tool calls: {found.get('codec')}, {found.get('result')} (tested {when})", ""
    asked = f"tool_format = {formats[0]}" + (f", reasoning_format = {formats[1]}" if formats[1] != "auto" else "")
    return f"tool calls: the codec is chosen at the start of the trainer, by a test message ({asked})", ""


def _load(source: str, kwargs: Mapping[str, Any], formats: Formats) -> dict[str, str]:
    try:
        found = json.loads(_path(source, kwargs, formats).read_text(encoding="utf-8"))
        plain = {k: v for k, v in dict(found).items() if isinstance(v, str)}
        texts = {k: "".join(c if c.isprintable() else " " for c in v) for k, v in plain.items()}
        whole = "failure" in texts or {"codec", "result"} <= texts.keys()
        return texts if whole and {"date", "python"} <= texts.keys() else {}
    except (OSError, RuntimeError, ValueError, TypeError, RecursionError):
        return {}  # the file is missing, or another version wrote it


def _path(source: str, kwargs: Mapping[str, Any], formats: Formats) -> pathlib.Path:
    written = json.dumps([source, dict(kwargs), *formats], sort_keys=True, default=str)
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
    return cache / "awhost" / "codecs" / f"{hashlib.sha256(written.encode()).hexdigest()[:32]}.json"
