"""Compares the codecs with SGLang's function-call parsers in generated and damaged calls of each model family.
AWHOST_CALLS sets the number per family. The test prints the differences in damaged calls, which the parsers repair in
different ways."""

from __future__ import annotations

import json
import os
import random
import unittest
from typing import Any, Callable

from awhost_bridge import ChatTemplate, CodecError, Sample, choose
from awhost_bridge.codec import split_answer

from .test_codec import FAMILIES, TEMPLATES, _has, _text, _value, family, tool

JSON = dict[str, Any]
Calls = list[tuple[str, Any]]

CALLS = int(os.environ.get("AWHOST_CALLS", "1000"))
# The names of SGLang's parsers.
PARSERS = {
    "qwen2.5": "qwen25", "qwen3": "qwen25", "qwen3.5": "qwen3_coder", "qwen3.6": "qwen3_coder",
    "qwen3.8": "qwen3_coder", "nemotron-3": "qwen3_coder", "glm-4.5": "glm45", "gpt-oss": "gpt-oss",
    "llama-3": "llama3", "deepseek-v3": "deepseekv3", "gemma-4": "gemma4", "kimi-k2": "kimi_k2",
    "minimax-m2": "minimax-m2", "mistral": "mistral",
}  # fmt: skip
TOOLS = [tool("save", text="string", count="integer", options="object")]
NEEDS = "needs SGLang and the chat templates of TRL: .ci/engine-parsers prints a Python with them"
# SGLang reads some generated calls of these families differently. The reasons are not known yet.
UNEXPLAINED = ("gpt-oss", "llama-3", "gemma-4")
# SGLang reads a call of gpt-oss as the model writes it, not as the chat template does.
AS_RENDERED = " to=functions.save<|channel|>commentary json<|message|>"
AS_SAMPLED = "<|channel|>commentary to=functions.save <|constrain|>json<|message|>"


def engine(name: str) -> Callable[[str], Calls]:
    """Returns SGLang's parser of a text. A parser that raises, or returns invalid JSON, reads no call."""
    from sglang.srt.entrypoints.openai.protocol import Tool  # type: ignore[import-not-found, unused-ignore]
    from sglang.srt.function_call.function_call_parser import (  # type: ignore[import-not-found, unused-ignore]
        FunctionCallParser,
    )

    parameters = {"text": {"type": "string"}, "count": {"type": "integer"}, "options": {"type": "object"}}
    offered = [
        Tool.model_validate(
            {
                "type": "function",
                "function": {"name": "save", "parameters": {"type": "object", "properties": parameters}},
            }
        )
    ]

    def read(text: str) -> Calls:
        detector = FunctionCallParser.ToolCallParserEnum[PARSERS[name]]()
        try:
            found = detector.detect_and_parse(text, offered).calls
            return [(call.name, json.loads(call.parameters)) for call in found]
        except Exception:
            return []

    return read


def calls_of(message: JSON) -> Calls:
    """Returns a message's calls with arguments in JSON. A server drops calls with other arguments."""
    calls = []
    for call in message.get("tool_calls", ()):
        try:
            calls.append((call["name"], json.loads(call["arguments_json"])))
        except ValueError:
            continue
    return calls


class Drawn:
    """A generated call: the ids of its message, and the ids with a part removed."""

    def __init__(self, template: ChatTemplate, draw: random.Random) -> None:
        self.arguments = {
            "text": _text(draw),
            "count": draw.choice([0, -7, 10**12, draw.randrange(10**6)]),
            "options": _value(draw, 2),
        }
        call = {"id": "call_2_0", "name": "save", "arguments_json": json.dumps(self.arguments, ensure_ascii=False)}
        prompt, whole = template.rendered({"role": "ROLE_ASSISTANT", "tool_calls": [call]}, TOOLS)
        self.prompt, _, self.ids, self.end = split_answer(template, prompt, whole)
        text = template.decode(self.ids)
        if AS_RENDERED in text:
            tokenizer: Any = template.tokenizer
            self.ids = tokenizer.encode(text.replace(AS_RENDERED, AS_SAMPLED), add_special_tokens=False)
        cut = draw.randrange(len(self.ids))
        self.damaged = [*self.ids[:cut], *self.ids[cut + draw.randrange(1, 6) :]]


@unittest.skipUnless(TEMPLATES is not None and _has("sglang"), NEEDS)
class EnginesTest(unittest.TestCase):
    def test_generated_and_damaged_calls(self) -> None:
        for name, *_ in FAMILIES:
            with self.subTest(name):
                template, draw = family(name), random.Random(f"engines {name}")
                try:
                    codec = choose(template)
                except CodecError:
                    print(f"{name}: no installed library reads it", flush=True)
                    continue
                read, counts = engine(name), {"lost": 0, "generated": 0, "damaged": 0}
                example: Any = None
                for _ in range(CALLS):
                    drawn = Drawn(template, draw)
                    ours, theirs = self.both(template, codec, read, drawn, drawn.ids)
                    counts["lost"] += ours != [("save", drawn.arguments)]
                    counts["generated"] += ours != theirs
                    damaged_ours, damaged_theirs = self.both(template, codec, read, drawn, drawn.damaged)
                    if damaged_ours != damaged_theirs:
                        counts["damaged"] += 1
                        example = example or (template.decode(drawn.damaged), damaged_ours, damaged_theirs)
                print(f"{name}: {codec.name} and SGLang differ in {counts}, for example {example}", flush=True)
                self.assertEqual(0, counts["lost"])
                if name not in UNEXPLAINED:
                    self.assertLessEqual(counts["generated"], CALLS // 1000)

    def both(
        self, template: ChatTemplate, codec: Any, read: Callable[[str], Calls], drawn: Drawn, ids: list[int]
    ) -> tuple[Calls, Calls]:
        text = template.decode(ids)
        thinking = "</think>" in text and template.thinks(drawn.prompt)
        ours = codec.parse(Sample(ids, text, TOOLS, drawn.prompt, drawn.end, 2, thinking))
        # The engine's server removes the reasoning, and passes the message with its end.
        answer = text.partition("</think>")[2] if thinking else text
        return calls_of(ours), read(answer + (template.decode(drawn.end) if drawn.end else ""))
