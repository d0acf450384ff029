"""Restricts a sampled message to a grammar: the tool calls that a request requires, and JSON formats.

    call = ledger.extend(request)
    batch = Restricted([call.grammar])      # a Grammar, or None if the request restricts nothing
    masked = batch.apply(logprobs)          # of the next ids; the sampled one is reported with its value in logprobs
    ended = batch.accept(0, id)

The package xgrammar compiles grammars. The markup of tool calls follows from evidence: it belongs to the first of
xgrammar's model families whose grammar accepts a test message as the model's chat template renders it. A request
without a known grammar is refused.
"""

from __future__ import annotations

import base64
import functools
import inspect
import json
import re
import sys
from typing import TYPE_CHECKING, Any, Final, Sequence

from .codec import Codec, split_answer
from .errors import GenerateError
from .messages import tool_for_template
from .template import ChatTemplate
from .wire import JSON, encode

if TYPE_CHECKING:
    import torch

REQUIREMENT: Final = "xgrammar>=0.2.8,<0.3"
# The order is fixed because it must not change with a version of xgrammar. Families that share a format are equivalent.
# Without harmony: its grammar of a required call accepts an empty message.
_FAMILIES: Final = (
    "qwen_3", "qwen_3_5", "llama", "kimi", "deepseek_v3_1", "deepseek_r1", "deepseek_v3_2", "deepseek_v4", "glm_4_7",
    "minimax", "exaone", "mimo", "gemma_4", "minimax_m3", "cohere", "kimi_k3",
)  # fmt: skip
_THINK: Final = ["<think>", "</think>"]
# Test messages and a tool.
_PROBE: Final[JSON] = {"role": "ROLE_ASSISTANT", "reasoning": "It is clear."}
_TEXT: Final = _PROBE | {"content": [{"text": '{"a": 1}'}]}
_CALL: Final = _PROBE | {
    "tool_calls": [{"id": "call_1_0", "name": "read_note", "arguments_json": '{"path": "a b", "limit": 1}'}]
}
_SCHEMA: Final = {"type": "object", "properties": {"path": {"type": "string"}, "limit": {"type": "integer"}}}
_TOOLS: Final = [{"name": "read_note", "parameters_json": base64.b64encode(json.dumps(_SCHEMA).encode()).decode()}]


def _xgrammar() -> Any:
    try:
        import xgrammar  # type: ignore[import-not-found, unused-ignore]

        if "parallel_tool_calls" in inspect.signature(xgrammar.get_model_structural_tag).parameters:
            return xgrammar
        found = "another version of xgrammar"
    except (ImportError, AttributeError) as e:
        found = str(e)
    raise GenerateError(
        "refused", f"decoding constraints need xgrammar: {sys.executable} -m pip install '{REQUIREMENT}' ({found})"
    )


class Grammar:
    """A compiled grammar. tag is its source, a structural tag of xgrammar in JSON. Where it allows all ids of letters
    and none of ends, the message is in a text such as a string of JSON, in which the ids of controls would be read as
    markup."""

    def __init__(self, tag: str, compiled: Any, letters: list[int], ends: list[int], controls: list[int]) -> None:
        self.tag, self.compiled, self.letters, self.ends, self.controls = tag, compiled, letters, ends, controls

    def forced(self, ids: Sequence[int]) -> list[bool]:
        """Reports for each id of a message whether the grammar allowed no other one."""
        out, matcher = [], Matcher(self)
        for number, id in enumerate(ids):
            choices = 0 if matcher.ended else int(matcher.allowed().sum())
            if choices == 0 and not matcher.ended:
                raise GenerateError("refused", f"the decoding constraints allow no token at position {number}")
            out.append(choices == 1)
            if matcher.ended or not matcher.accept(id):
                raise GenerateError(
                    "engine", f"id {id} at position {number} of the sampled message violates its decoding constraints"
                )
        return out


class Matcher:
    """The state of one message in its grammar."""

    def __init__(self, grammar: Grammar) -> None:
        xgrammar = _xgrammar()
        self._matcher = xgrammar.GrammarMatcher(grammar.compiled)
        self._size = grammar.compiled.tokenizer_info.vocab_size
        self._grammar = grammar
        self._bits = xgrammar.allocate_token_bitmask(1, self._size)

    @property
    def ended(self) -> bool:
        """Reports whether the message has its end id."""
        return bool(self._matcher.is_terminated())

    @property
    def complete(self) -> bool:
        """Reports whether the message may end."""
        return bool(self._matcher.is_completed())

    def allowed(self) -> torch.Tensor:
        """Returns whether each id may come next."""
        import torch

        self._matcher.fill_next_token_bitmask(self._bits)
        out = (self._bits[0].unsqueeze(1) >> torch.arange(32) & 1).bool().flatten()[: self._size]
        of = self._grammar
        if of.letters and bool(out[of.letters].all()) and not bool(out[of.ends].any()):  # in a text inside of markup
            out[of.controls] = False
        return out

    def accept(self, id: int) -> bool:
        return bool(self._matcher.accept_token(id))

    def accept_text(self, text: str) -> bool:
        return bool(self._matcher.accept_string(text))


class Restricted:
    """A batch of messages, some of which have a grammar."""

    def __init__(self, grammars: Sequence[Grammar | None]) -> None:
        self._matchers = {i: Matcher(grammar) for i, grammar in enumerate(grammars) if grammar is not None}
        self._stuck: set[int] = set()  # messages whose grammar allows no token: Grammar.forced refuses them

    def apply(self, logprobs: torch.Tensor) -> torch.Tensor:
        """Returns the log-probabilities of the next ids, one row per message, under the grammars."""
        if not self._matchers:
            return logprobs
        out = logprobs.clone()
        for i, matcher in self._matchers.items():
            if not matcher.ended:
                allowed, width = matcher.allowed().to(out.device), out.shape[1]
                if not bool(allowed[:width].any()):
                    self._stuck.add(i)
                    continue
                excluded = ~allowed[:width]
                out[i, : len(excluded)].masked_fill_(excluded, -float("inf"))
                out[i, len(excluded) :] = -float("inf")  # ids without a token
                out[i] = out[i].log_softmax(-1)
        return out

    def accept(self, i: int, id: int) -> bool:
        """Adds a sampled id to a message, and reports whether that ends it."""
        matcher = self._matchers.get(i)
        if i in self._stuck:
            return True
        if matcher is not None and not matcher.accept(id):
            raise RuntimeError(f"id {id} was drawn against the grammar of its message")
        return matcher is not None and matcher.ended


class Compiler:
    """Compiles structural tags for a tokenizer. Equal ones are compiled once."""

    def __init__(self, tokenizer: Any, end_ids: Sequence[int]) -> None:
        xgrammar = _xgrammar()
        info = xgrammar.TokenizerInfo.from_huggingface(tokenizer, stop_token_ids=list(end_ids))
        self._compiler = xgrammar.GrammarCompiler(info)
        added = {str(text): int(id) for text, id in tokenizer.get_added_vocab().items()}
        self._controls = sorted({*added.values(), *tokenizer.all_special_ids} - {added.get(_THINK[1]), *end_ids})
        ids = [tokenizer.encode(letter, add_special_tokens=False) for letter in "ekQz"]
        self._letters, self._ends = [i[0] for i in ids if len(i) == 1], list(end_ids)

    def compile(self, tag: str) -> Grammar:
        return Grammar(tag, self._compiler.compile_structural_tag(tag), self._letters, self._ends, self._controls)


def grammar(template: Any, codec: Codec, request: JSON, prompt: Sequence[int]) -> Grammar | None:
    """Returns the grammar of a GenerateRequest, or None if it restricts nothing. prompt has the last ids before the
    message. If they open a <think>, the constraints apply after its end. Scripted messages are not sampled."""
    if not request.get("constraints") or request.get("scripted") is not None:
        return None
    if not isinstance(template, ChatTemplate):
        raise GenerateError("refused", "decoding constraints need the chat template of a tokenizer")
    written = encode([request["constraints"], request["tools"]])
    try:
        return _compile(template, codec.name, written, template.thinks(prompt))
    except GenerateError:
        raise
    except Exception as e:  # of xgrammar: it rejects a schema or a tokenizer
        told = re.sub(r"^\[[^]]*\] \S+:\d+: ", "", str(e).strip())  # the time and the file in its source
        why = f"xgrammar cannot apply the decoding constraints: {told}"
        raise GenerateError("refused", why) from e


_compiler = functools.lru_cache(16)(lambda template: Compiler(template.tokenizer, template.end_ids))


@functools.lru_cache(256)
def _compile(template: ChatTemplate, codec: str, written: str, thinking: bool) -> Grammar:
    constraints, tools = json.loads(written)
    functions = [tool_for_template(t) for t in tools]
    required, tool = constraints.get("tool_required"), constraints.get("tool")
    bodies: list[JSON] = []
    if constraints.get("format_json") and not required:
        if not _accepts(template, _json({"type": "object"}), _TEXT, ()):
            raise _unknown("a JSON format", template, codec, "texts have markup there")
        wanted = json.loads(base64.b64decode(constraints["format_json"]))
        bodies.append(_json((wanted.get("json_schema") or {}).get("schema") or {"type": "object"}))
    if functions:
        choice: Any = "required" if required or bodies else "auto"
        if tool:
            choice = {"type": "function", "function": {"name": tool}}
        family = _family(template, codec)
        if family is None:
            raise _unknown("tool calls", template, codec, "xgrammar's families are " + ", ".join(_FAMILIES))
        bodies.append(_calls(family, functions, choice, not constraints.get("single_call")))
    body = bodies[0] if len(bodies) == 1 else {"type": "or", "elements": bodies}
    return _compiler(template).compile(_tag(template, body, thinking))


def _unknown(what: str, template: ChatTemplate, codec: str, why: str) -> GenerateError:
    model = getattr(template.tokenizer, "name_or_path", "") or "this chat template"
    return GenerateError("refused", f"no grammar is known for {what} of {model} (tool_format {codec}): {why}")


def _json(schema: Any) -> JSON:
    return {"type": "json_schema", "json_schema": schema}


def _calls(family: str, functions: list[JSON], choice: Any, several: bool) -> JSON:
    make = _xgrammar().get_model_structural_tag
    return dict(make(family, functions, choice, reasoning="disabled", parallel_tool_calls=several).format.model_dump())


def _tag(template: ChatTemplate, body: JSON, thinking: bool) -> str:
    """Returns the structural tag of a message with this body, after the reasoning that split_reasoning reads."""
    thought = {"type": "any_text", "excludes": _THINK}
    reasoning = {"type": "tag", "begin": "" if thinking else _THINK[0], "content": thought, "end": _THINK[1]}
    before: JSON = {"type": "sequence", "elements": [reasoning, {"type": "regex", "pattern": r"\n{0,3}"}]}
    if not thinking:
        before = {"type": "optional", "content": before}
    if thinking or _THINK[1] in template.source():
        body = {"type": "sequence", "elements": [before, body]}
    return json.dumps({"type": "structural_tag", "format": body})


@functools.lru_cache(64)
def _family(template: ChatTemplate, codec: str) -> str | None:
    """Returns the family of a template's tool calls, or None if xgrammar has none that is known to fit."""
    functions = [tool_for_template(t) for t in _TOOLS]
    for family in _FAMILIES:
        try:
            if _accepts(template, _calls(family, functions, "required", True), _CALL, _TOOLS):
                return family
        except GenerateError:
            raise
        except Exception:
            continue  # an older xgrammar lacks the family, or the family lacks a token
    return "qwen_3" if codec == "hermes" else None  # hermes reads these whatever the template renders


def _accepts(template: ChatTemplate, body: JSON, message: JSON, tools: Sequence[JSON]) -> bool:
    """Reports whether the grammar accepts a message as the template renders it."""
    try:
        prompt, left, ids, _ = split_answer(template, *template.rendered(message, tools))
    except GenerateError:
        return False
    text = template.decode(ids).removeprefix(template.decode(left))
    matcher = Matcher(_compiler(template).compile(_tag(template, body, template.thinks(prompt))))
    return bool(text) and matcher.accept_text(text) and matcher.complete
