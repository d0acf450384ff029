"""The tokenizer of the policy, once per process."""

from __future__ import annotations

import json
import os
from typing import Any

from awhost_bridge import ChatTemplate

_loaded: dict[tuple[str, str], "Policy"] = {}


class Policy:
    """Tokenizer, chat template, and the ids that end a message."""

    def __init__(self, path: str, arguments: dict[str, Any]) -> None:
        from areal.utils.hf_utils import load_hf_tokenizer

        self.tokenizer = load_hf_tokenizer(path)
        self.end_ids = end_ids(path, self.tokenizer)
        self.template = ChatTemplate(self.tokenizer, kwargs=arguments, end_ids=sorted(self.end_ids))

    @staticmethod
    def load(path: str, arguments: dict[str, Any]) -> "Policy":
        key = (path, json.dumps(arguments, sort_keys=True))
        if key not in _loaded:
            _loaded[key] = Policy(path, arguments)
        return _loaded[key]


def end_ids(path: str, tokenizer: Any) -> set[int]:
    """The tokenizer's end of text, and those of the model's generation config, which engines stop at."""
    out = {int(tokenizer.eos_token_id)}
    config = os.path.join(path, "generation_config.json")
    if os.path.isfile(config):
        with open(config, encoding="utf-8") as f:
            ids = json.load(f).get("eos_token_id")
        out.update(ids if isinstance(ids, list) else [] if ids is None else [ids])
    return out
