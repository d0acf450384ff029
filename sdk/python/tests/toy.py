"""The small tokenizer and templates of the ledger vectors; sdk/bridge/testdata/ledger/README.md describes them."""

from __future__ import annotations

import json
import re
from typing import Any

JSON = dict[str, Any]

CONTROLS = ["<|system|>", "<|user|>", "<|assistant|>", "<|tool|>", "<|end|>", "<|return|>"]
END = 256 + CONTROLS.index("<|end|>")
TEMPLATES = ("plain", "thoughts", "merged", "floating", "starts", "answers", "returns")
ENDS = {"starts": "<|user|><|tool|>", "answers": "<|end|><|tool|>", "returns": "<|return|>"}
_CONTROL = re.compile("(" + "|".join(re.escape(c) for c in CONTROLS) + ")")


def ids_of(text: str) -> list[int]:
    """Returns the ids of a text in which control tokens are written out."""
    ids: list[int] = []
    for part in _CONTROL.split(text):
        ids += [256 + CONTROLS.index(part)] if part in CONTROLS else list(part.encode())
    return ids


def text_of(ids: list[int]) -> str:
    raw = b"".join(bytes([i]) if i < 256 else CONTROLS[i - 256].encode() for i in ids)
    return raw.decode("utf-8", "replace")


class Toy:
    """Works like a tokenizer of transformers."""

    eos_token_id = END

    def __init__(self, template: str = "plain", mapping: bool = False) -> None:
        assert template in TEMPLATES
        self.template = template
        self.mapping = mapping
        self.rendered = 0  # ids, to measure the cost of a turn

    def decode(self, token_ids: list[int], **_: Any) -> str:
        return text_of(token_ids)

    def apply_chat_template(self, conversation: list[JSON], *, tools: Any = None, add_generation_prompt: bool = False, **_: Any) -> Any:
        ids = ids_of(self.render(conversation, tools, add_generation_prompt))
        self.rendered += len(ids)
        return _Encoding(ids) if self.mapping else ids

    def render(self, conversation: list[JSON], tools: list[JSON] | None, prompt: bool) -> str:
        shown = "tools:" + ",".join(t["function"]["name"] for t in tools) + "\n" if tools else ""
        last_user = max((i for i, m in enumerate(conversation) if m["role"] == "user"), default=-1)
        out = "" if self.template == "floating" else shown
        for i, message in enumerate(conversation):
            if self.template == "floating" and i == last_user:
                out += shown
            out += self._ended(self._message(conversation, i, last_user), conversation, i, prompt)
        return out + ("<|assistant|>" if prompt else "")

    def _ended(self, text: str, conversation: list[JSON], i: int, prompt: bool) -> str:
        """Replaces the end of a message."""
        message, body, last = conversation[i], text.removesuffix("<|end|>\n"), i + 1 == len(conversation)
        if self.template == "starts":
            return body
        if self.template == "answers" and message["role"] == "tool":
            for earlier in reversed(conversation[:i]):
                if earlier["role"] == "user":
                    break
                for call in earlier.get("tool_calls", []):
                    if call["id"] == message["tool_call_id"]:
                        return f"<|tool|>{call['function']['name']}={message['content']}"
            return ""
        if self.template == "answers" and message.get("tool_calls"):
            if last and not prompt:
                return body + "<|tool|>"
            if not last and conversation[i + 1]["role"] == "tool":
                return body
        if self.template == "returns" and message["role"] == "assistant" and last and not prompt:
            return body + "<|return|>"
        return text

    def _message(self, conversation: list[JSON], i: int, last_user: int) -> str:
        message = conversation[i]
        if message["role"] == "tool" and self.template == "merged":
            first = i == 0 or conversation[i - 1]["role"] != "tool"
            last = i + 1 == len(conversation) or conversation[i + 1]["role"] != "tool"
            return ("<|user|>" if first else "") + f"<result>{message['content']}</result>" + ("<|end|>\n" if last else "")
        thoughts = message.get("reasoning_content", "")
        if self.template == "thoughts" and message["role"] == "assistant":
            is_last = i + 1 == len(conversation)
            thoughts = f"<think>{thoughts}</think>" if i > last_user and (thoughts or is_last) else ""
        elif thoughts:
            thoughts = f"<think>{thoughts}</think>"
        calls = "".join(
            f'<tool_call>{{"name":"{c["function"]["name"]}","arguments":{json.dumps(c["function"]["arguments"], separators=(",", ":"))}}}</tool_call>'
            for c in message.get("tool_calls", [])
        )
        return f"<|{message['role']}|>{thoughts}{message['content']}{calls}<|end|>\n"


class _Encoding(dict):  # type: ignore[type-arg]
    """The result type of transformers 5."""

    def __init__(self, ids: list[int]) -> None:
        super().__init__(input_ids=ids, attention_mask=[1] * len(ids))
