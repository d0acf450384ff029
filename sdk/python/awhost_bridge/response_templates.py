"""Response templates of formats that no other library reads as their models write them: data for the parser of
transformers, https://huggingface.co/docs/transformers/chat_response_parsing."""

from __future__ import annotations

from typing import Any, Final

_CALL: Final = {"type": "function", "function": {"name": "{name}", "arguments": "{content}"}}

RESPONSE_TEMPLATES: Final[dict[str, dict[str, Any]]] = {
    # The recipient of a call comes before the channel, as chat templates write it, or after it, as the models do.
    "gpt-oss": {
        "start_anchor": "<|start|>assistant",
        "fields": {
            "thinking": {
                "open": "<|channel|>analysis<|message|>",
                "close": ["<|end|>", "<|return|>"],
                "content": "text",
                "repeats": True,
                "join": "\n",
            },
            "content": {
                "open_pattern": r"<\|channel\|>(?:final|commentary)\s*(?:<\|constrain\|>\w+)?<\|message\|>",
                "close": ["<|end|>", "<|return|>"],
                "content": "text",
                "repeats": True,
                "join": "\n",
            },
            "tool_calls": {
                "open_pattern": r"(?:<\|channel\|>(?:commentary|analysis)\s+)?to=functions\.(?P<name>[^\s<]+)"
                r"(?:<\|channel\|>(?:commentary|analysis))?\s*(?:<\|constrain\|>)?(?:json)?\s*<\|message\|>",
                "close": "<|call|>",
                "repeats": True,
                "content": "json",
                "transform": _CALL,
            },
        },
    },
    # Versions 11 and later of Mistral's tokenizers.
    "mistral": {
        "start_anchor": ["[/INST]", "[/TOOL_RESULTS]"],
        "fields": {
            "thinking": {"open": "[THINK]", "close": "[/THINK]", "content": "text"},
            "content": {"content": "text"},
            "tool_calls": {
                "open_pattern": r"\[TOOL_CALLS\]\s*(?P<name>[^\s\[\]{}]+)(?:\[CALL_ID\]\w+)?\[ARGS\]",
                "close_pattern": r"(?=\[TOOL_CALLS\])|</s>",
                "repeats": True,
                "content": "json",
                "transform": _CALL,
            },
        },
    },
}
