"""Compares the codecs with SGLang's function-call parsers in generated and damaged calls of each model family.
AWHOST_CALLS sets the number per family. The parsers repair damaged calls in different ways: DAMAGED counts them."""

from __future__ import annotations

import json
import os
import random
import signal
import unittest
from collections import Counter
from typing import Any, Callable

from awhost_bridge import ChatTemplate, CodecError, Sample, choose
from awhost_bridge.codec import codecs, split_answer

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
# SGLang reads a call of gpt-oss as the model writes it, not as the chat template does, and only after this header. A
# sampled message has the header in front of a call only after reasoning.
AS_RENDERED = " to=functions.save<|channel|>commentary json<|message|>"
AS_SAMPLED = "<|channel|>commentary to=functions.save <|constrain|>json<|message|>"
HEADER = "<|start|>assistant"
# The differences in 1,000 damaged calls: only SGLang reads a call, and the codec lists it as malformed or leaves the
# text; only the codec reads a call, of a tool that was offered or not; both read calls that differ; SGLang never ends.
DAMAGED = {
    "qwen2.5": {"malformed": 72, "unknown tool": 19, "ours": 4},
    "qwen3": {"malformed": 67, "unknown tool": 13, "ours": 3},
    "qwen3.5": {"malformed": 713, "both": 49},
    "qwen3.6": {"malformed": 730, "both": 62},
    "qwen3.8": {"malformed": 736, "both": 50},
    "nemotron-3": {"malformed": 684, "both": 66},
    "glm-4.5": {"malformed": 549, "unknown tool": 51, "ours": 1, "both": 13},
    "gpt-oss": {"malformed": 64, "unknown tool": 35, "ours": 9},
    "mistral": {"malformed": 5, "unknown tool": 22},
    "llama-3": {"malformed": 73, "text": 9, "unknown tool": 20},
    "deepseek-v3": {"malformed": 54, "unknown tool": 21, "ours": 6},
    "gemma-4": {"malformed": 477, "both": 44, "endless": 11},
    "kimi-k2": {"malformed": 89, "unknown tool": 17, "ours": 3, "both": 7},
    "minimax-m2": {"malformed": 722, "both": 38},
}


class _Endless(BaseException):
    """SGLang's parser did not end within a second of CPU time."""


def _stop(*_: Any) -> None:
    raise _Endless


def engine(name: str) -> Callable[[str], Calls | None]:
    """Returns SGLang's parser of a text. A parser that raises, or returns invalid JSON, reads no call. The result is
    None if the parser does not end."""
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

    def read(text: str) -> Calls | None:
        detector = FunctionCallParser.ToolCallParserEnum[PARSERS[name]]()
        signal.signal(signal.SIGVTALRM, _stop)
        signal.setitimer(signal.ITIMER_VIRTUAL, 1)
        try:
            found = detector.detect_and_parse(text, offered).calls
            return [(call.name, json.loads(call.parameters)) for call in found]
        except _Endless:
            return None
        except Exception:
            return []
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)

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
            "text": _text(draw).strip() or "x",
            "count": draw.choice([0, -7, 10**12, draw.randrange(10**6)]),
            "options": _value(draw, 2),
        }
        call = {"id": "call_2_0", "name": "save", "arguments_json": json.dumps(self.arguments, ensure_ascii=False)}
        prompt, whole = template.rendered({"role": "ROLE_ASSISTANT", "tool_calls": [call]}, TOOLS)
        self.prompt, left, self.ids, self.end = split_answer(template, prompt, whole)
        # The tokenizer of the test joins line feeds across the end of the prompt. A model samples what follows it.
        text, rest = template.decode(self.ids), template.decode(left)
        if text.startswith(rest):
            self.prompt = prompt
            sampled = text.removeprefix(rest).replace(AS_RENDERED, AS_SAMPLED)
            tokenizer: Any = template.tokenizer
            self.ids = tokenizer.encode(sampled, add_special_tokens=False)
        cut = draw.randrange(len(self.ids))
        self.damaged = [*self.ids[:cut], *self.ids[cut + draw.randrange(1, 6) :]]


def with_text_null(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: with_text_null(v) for k, v in value.items()}
    if isinstance(value, list):
        return [with_text_null(v) for v in value]
    return "null" if value is None else value


def as_sglang_reads(name: str, arguments: JSON) -> JSON:
    """Returns the arguments of a correct call as SGLang alters them: its parser of Gemma 4 takes null for a text, and
    its parser of GLM removes quotes around a text."""
    if name == "gemma-4":
        return dict(with_text_null(arguments))
    text = arguments["text"]
    if name == "glm-4.5" and len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        return {**arguments, "text": text[1:-1]}
    return arguments


def difference(message: JSON, theirs: Calls | None) -> str:
    """Returns a kind of DAMAGED, or "" if both readers found the same calls."""
    ours = calls_of(message)
    if theirs is None:
        return "endless"
    if ours == theirs:
        return ""
    if not ours:
        return "malformed" if "malformed" in message else "text"
    if not theirs:
        return "ours" if all(name == "save" for name, _ in ours) else "unknown tool"
    return "both"


def other_codec(template: ChatTemplate, name: str) -> Any:
    """Returns a codec of renderers with evidence, or None if the named codec already belongs to renderers."""
    for known in codecs(template):
        if known.name.startswith("renderers/") and not name.startswith("renderers/"):
            try:
                return choose(template, known.name)
            except CodecError:
                continue
    return None


@unittest.skipUnless(TEMPLATES is not None and _has("sglang"), NEEDS)
class EnginesTest(unittest.TestCase):
    def test_generated_and_damaged_calls(self) -> None:
        for name, *_ in FAMILIES:
            with self.subTest(name):
                template, draw = family(name), random.Random(f"engines {name}")
                codec, read = choose(template), engine(name)
                other = other_codec(template, codec.name)
                altered, damaged = 0, Counter[str]()
                for _ in range(CALLS):
                    drawn = Drawn(template, draw)
                    message, theirs = self.both(template, codec, read, drawn, drawn.ids)
                    self.assertEqual([("save", drawn.arguments)], calls_of(message), template.decode(drawn.ids))
                    if other is not None:
                        self.assertEqual([("save", drawn.arguments)], self.ours(template, other, drawn))
                    self.assertEqual([("save", as_sglang_reads(name, drawn.arguments))], theirs)
                    altered += theirs != calls_of(message)
                    kind = difference(*self.both(template, codec, read, drawn, drawn.damaged))
                    damaged[kind] += kind != ""
                names = f"{codec.name}{f', {other.name},' if other else ''} and SGLang"
                print(f"{name}: {names} differ in {altered} correct calls, {dict(+damaged)}", flush=True)
                if CALLS == 1000:
                    self.assertEqual(DAMAGED[name], dict(+damaged))

    def both(
        self, template: ChatTemplate, codec: Any, read: Callable[[str], Calls | None], drawn: Drawn, ids: list[int]
    ) -> tuple[JSON, Calls | None]:
        text = template.decode(ids)
        thinking = "</think>" in text and template.thinks(drawn.prompt)
        ours = codec.parse(Sample(ids, text, TOOLS, drawn.prompt, drawn.end, 2, thinking))
        # The engine's server removes the reasoning, and passes the message with its end.
        answer = text.partition("</think>")[2] if thinking else text
        if template.decode(drawn.prompt).endswith(HEADER):
            answer = HEADER + answer
        return ours, read(answer + template.decode(drawn.end))

    def ours(self, template: ChatTemplate, codec: Any, drawn: Drawn) -> Calls:
        return calls_of(self.both(template, codec, lambda _: [], drawn, drawn.ids)[0])
