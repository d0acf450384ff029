"""Codecs read a sampled message: reasoning, tool calls, and the rest.

    codec = choose(template, "auto")
    message = codec.parse(Sample(ids, text, tools, position=4))

Each model family writes tool calls in its own format. `hermes` is built in. All others come from an installed library:
`renderers`, verl's parsers, or the response templates of transformers and TRL. choose requires evidence: a message that
the model's own chat template renders must come back equal.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import importlib
import importlib.metadata
import importlib.util
import inspect
import json
import logging
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any, Callable, Final, Iterator, Protocol, Sequence

from . import evidence as store
from .errors import GenerateError
from .messages import tool_for_template
from .response_templates import RESPONSE_TEMPLATES
from .template import ChatTemplate
from .toolcalls import clean, parse_message, split_reasoning
from .wire import JSON


log = logging.getLogger("awhost.bridge")


class CodecError(ValueError):
    """No codec reads the messages of a model. The text names the choices."""


@dataclass(frozen=True)
class Sample:
    """A sampled message, without the id that ended it, which is in end unless a limit cut the message.

    prompt has the ids before it, at least from the end of the last sampled message on. Without ids (an engine that
    reports text only) it is empty. tools are those offered, as protobuf JSON. position is the number of messages in the
    chain, including this one. thinking means that the prompt ended with an open <think>.
    """

    ids: Sequence[int]
    text: str
    tools: Sequence[JSON] = ()
    prompt: Sequence[int] = ()
    end: Sequence[int] = ()
    position: int = 0
    thinking: bool = False


class Codec(Protocol):
    """A reader of sampled messages. tool_format selects its name; version identifies the code. digest covers both and
    the chat template for which the codec was chosen. It is empty before."""

    name: str
    version: str
    digest: str

    def parse(self, sample: Sample) -> JSON: ...


class Hermes:
    """Reads calls as JSON between <tool_call> and </tool_call>, and keeps their text."""

    name = "hermes"
    version = "1"
    digest = ""

    def parse(self, sample: Sample) -> JSON:
        return parse_message(sample.text, sample.tools, position=sample.position, thinking=sample.thinking)


@dataclass
class Found:
    """The parts of a message that a library found. A malformed call stays in the content, with the reason."""

    content: str
    reasoning: str = ""
    calls: list[tuple[str, str]] = field(default_factory=list)  # name, arguments in JSON
    malformed: list[tuple[str, str]] = field(default_factory=list)  # text, reason


@dataclass(frozen=True)
class _Format:
    """What a chat template adds to a message: words, which a codec drops, and the tags around and in calls."""

    words: frozenset[str] = frozenset()
    tags: tuple[str, ...] = ()
    open: str = ""  # begins the calls; empty: no tag does
    close: str = ""  # ends them
    value: tuple[str, str] | None = None  # between a name and its text, and after the text; None: texts are JSON

    def complete(self, sample: Sample, found: Found) -> None:
        """Restores white space around texts, and the text between and after calls, which some parsers drop."""
        for i, (call, reason) in enumerate(found.malformed):
            found.malformed[i] = self._with_tags(sample.text, call), reason
            found.content = found.content.replace(call, found.malformed[i][0], 1)
        if self.value:
            start = 0
            for i, (name, arguments) in enumerate(found.calls):
                arguments, start = self._restored(arguments, sample.text, start)
                found.calls[i] = name, arguments
        if found.calls and self.open and self.close:
            calls = re.compile(re.escape(self.open) + ".*?" + re.escape(self.close), re.DOTALL)
            for text in calls.split(sample.text)[1:]:
                if text.strip() and text.strip() not in found.content:
                    found.content += text

    def _with_tags(self, text: str, call: str) -> str:
        """Returns a part of a text with the tags around it."""
        start = text.find(call)
        opened = text.rfind(self.open, 0, start) if self.open and start >= 0 else -1
        if opened < 0 or text[opened + len(self.open) : start].strip():
            return call
        end = start + len(call)
        closed = text.find(self.close, end) if self.close else -1
        return text[opened : closed + len(self.close) if closed >= 0 and not text[end:closed].strip() else end]

    def _restored(self, arguments: str, text: str, start: int) -> tuple[str, int]:
        """Returns arguments whose texts are as in a text, from start on, and the end of the last one there."""
        assert self.value is not None
        try:
            values = json.loads(arguments)
        except ValueError:
            return arguments, start
        end, (before, after) = start, self.value
        for name, value in values.items() if isinstance(values, dict) else ():
            written = re.compile(re.escape(name + before) + "(.*?)" + re.escape(after), re.DOTALL).search(text, start)
            if isinstance(value, str) and written and written[1].strip() == value.strip():
                values[name], end = written[1], max(end, written.end())
        return _arguments(values), end

    def problem(self, sample: Sample, found: Found) -> str:
        """Returns what a library lost or joined while it read a message, or ""."""
        kept = [found.reasoning, found.content, *(text for text, _ in found.malformed)]
        for name, arguments in found.calls:
            kept += [name, arguments]
            try:
                texts = list(_texts(json.loads(arguments)))
            except ValueError:
                continue  # the arguments are not JSON, which the engine reports
            kept += texts
            if joined := next((tag for tag in self.tags for text in texts if tag in text), ""):
                return f"joined {joined} to an argument"
        everything = "\n".join(kept).lower()
        everything += _ESCAPE.sub(" ", everything)
        if lost := {w for w in _words(_ESCAPE.sub(" ", sample.text)) - self.words if w.lower() not in everything}:
            return "dropped " + ", ".join(sorted(lost)[:5])
        return ""


class LibraryCodec:
    """Reads messages with a library's parser. If the parser fails, drops a part of the message, or takes a tag of the
    format for a part of an argument, the text stays as it is, with the reason."""

    def __init__(self, name: str, version: str, read: Callable[[Sample, list[JSON]], Found]) -> None:
        self.name, self.version, self.digest, self._read = name, version, "", read
        self.format: _Format | None = None

    def parse(self, sample: Sample) -> JSON:
        try:
            found = self._read(sample, [tool_for_template(t) for t in sample.tools])
            problem = ""
        except Exception as e:  # parsers of libraries raise anything for invalid input
            found, problem = Found(sample.text), f"failed: {type(e).__name__}: {e}"
        if self.format and not problem:
            self.format.complete(sample, found)
            problem = self.format.problem(sample, found)
        if not sample.tools and (problem or found.calls or found.malformed):
            return parse_message(sample.text, (), thinking=sample.thinking)  # without tools, a call is text
        if problem:
            found = Found(sample.text, malformed=[(sample.text, f"{self.name} {problem}")])
        return _message(found, sample.position)


class _Reasoning:
    """Reads messages with a codec, and their reasoning as reasoning_format names it. With `think`, if the codec finds
    no reasoning, text between <think> and </think> at the start is reasoning, and the codec reads the rest. With
    `none`, reasoning that the codec finds is put into the content, between these markers."""

    def __init__(self, codec: Codec, reasoning_format: str, template: ChatTemplate) -> None:
        self.name, self.version, self.digest = codec.name, f"{codec.version}, reasoning_format = {reasoning_format}", ""
        self.codec, self._format, self._template = codec, reasoning_format, template

    def parse(self, sample: Sample) -> JSON:
        message, text = self.codec.parse(sample), clean(sample.text)
        reasoning, rest = split_reasoning(text, sample.thinking)
        if self._format == "none" and (found := message.pop("reasoning", "")):
            content = "".join(part["text"] for part in message.get("content", ()))
            message["content"] = [{"text": f"<think>{found}</think>{content}"}]
        elif self._format == "think" and reasoning and "reasoning" not in message:
            encode: Any = getattr(self._template.tokenizer, "encode")
            start, ids = (encode(t, add_special_tokens=False) for t in (text[: len(text) - len(rest)], rest))
            prompt = [*sample.prompt, *start] if sample.thinking else sample.prompt  # without an open <think>
            message = self.codec.parse(replace(sample, ids=ids, text=rest, prompt=prompt, thinking=False))
            message["reasoning"] = reasoning
        return message


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text)) - _LITERALS


def _texts(value: Any) -> Iterator[str]:
    """Yields the texts in a JSON value, and its names."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value
        for v in value.values():
            yield from _texts(v)
    elif isinstance(value, list):
        for v in value:
            yield from _texts(v)


def _message(found: Found, position: int) -> JSON:
    message: JSON = {"role": "ROLE_ASSISTANT"}
    if found.reasoning:
        message["reasoning"] = clean(found.reasoning)
    if found.calls:
        message["tool_calls"] = [
            {"id": f"call_{position}_{i}", "name": clean(name), "arguments_json": clean(arguments)}
            for i, (name, arguments) in enumerate(found.calls)
        ]
    if found.malformed:
        message["malformed"] = [{"text": clean(text), "reason": clean(reason)} for text, reason in found.malformed]
    if found.content:
        message["content"] = [{"text": clean(found.content)}]
    return message


# Libraries. Each function yields the codecs that its library has for a tokenizer, and nothing without the library.


def _renderers(template: ChatTemplate) -> Iterator[LibraryCodec]:
    if not _installed("renderers"):
        return
    try:
        from renderers import base, config_from_name, create_renderer  # type: ignore[import-not-found, unused-ignore]
    except ImportError as e:
        log.warning("the package renderers is installed, but cannot be imported: %s", e)
        return

    version = importlib.metadata.version("renderers")
    base._populate_registry()
    own = _family_of(template.tokenizer, base.MODEL_RENDERER_MAP)
    # The order of the registry may change: it must not select another codec for a run.
    for family in sorted(base.RENDERER_REGISTRY, key=lambda f: (f != own, f not in _PREFERRED, f)):
        if family == "default":
            continue  # it reads nothing by itself
        config = config_from_name(family)
        known = {k: v for k, v in template.kwargs.items() if k in config.template_field_names()}
        try:
            renderer = create_renderer(template.tokenizer, type(config)(**known))
        except Exception:
            continue  # the tokenizer lacks a token of this family, or an argument has another type
        reader = _renderer_reader(renderer, template.tokenizer, base.ToolCallParseStatus)
        yield LibraryCodec(f"renderers/{family}", version, reader)


def _family_of(tokenizer: Any, families: dict[str, str]) -> str:
    """Returns the family of a tokenizer's model, by its name or the last part of its path, or ""."""
    name = str(getattr(tokenizer, "name_or_path", "")).rstrip("/").rpartition("/")[2]
    return next((family for model, family in families.items() if name and model.endswith("/" + name)), "")


def _renderer_reader(renderer: Any, tokenizer: Any, status: Any) -> Callable[[Sample, list[JSON]], Found]:
    def read(sample: Sample, tools: list[JSON]) -> Found:
        ids, text = list(sample.ids), _json_literals(sample.text, tools)
        if text != sample.text:
            ids = tokenizer.encode(text, add_special_tokens=False)
        parsed = renderer.parse_response(ids, tools=tools, prompt_ids=list(sample.prompt) or None)
        found = Found(parsed.content or "", parsed.reasoning_content or "")
        for call in parsed.tool_calls:
            if call.name and call.status in (status.OK, status.UNKNOWN_TOOL):
                found.calls.append((call.name, _arguments(call.arguments)))
            else:
                found.malformed.append((call.raw, f"the call is not valid: {call.status.value}"))
                if call.raw not in found.content:
                    found.content += call.raw
        return found

    return read


def _json_literals(text: str, tools: list[JSON]) -> str:
    """Writes Python's literals as JSON, except in arguments of type string. The templates of Qwen3.5 and Nemotron 3
    render them as Python does, and renderers 0.1.12 rejects them."""
    texts = {
        name
        for tool in tools
        for name, schema in (tool["function"].get("parameters") or {}).get("properties", {}).items()
        if schema.get("type") == "string"
    }

    def written(found: re.Match[str]) -> str:
        return found[0] if found[2] in texts else found[1] + _JSON_LITERALS[found[3]] + found[4]

    return _LITERAL.sub(written, text)


def _verl(template: ChatTemplate) -> Iterator[LibraryCodec]:
    tokenizer = template.tokenizer
    if not _installed("verl"):
        return
    try:
        parsers = importlib.import_module("verl.experimental.agent_loop.tool_parser").ToolParser
        schema = importlib.import_module("verl.tools.schemas").OpenAIFunctionToolSchema
    except (ImportError, AttributeError):
        return  # versions before 0.6 have no registry
    for name in parsers._registry:
        try:
            parser = parsers.get_tool_parser(name, tokenizer)
        except Exception:
            continue  # the tokenizer lacks a token of this format
        yield LibraryCodec(f"verl/{name}", importlib.metadata.version("verl"), _verl_reader(parser, schema, tokenizer))


def _verl_reader(parser: Any, schema: Any, tokenizer: Any) -> Callable[[Sample, list[JSON]], Found]:
    typed = "tools" in inspect.signature(parser.extract_tool_calls).parameters

    def read(sample: Sample, tools: list[JSON]) -> Found:
        offered = {"tools": [schema.model_validate(t) for t in tools]} if typed else {}
        # Some formats end a call with the message's end.
        reasoning, ids = _split_ids(tokenizer, [*sample.ids, *sample.end])
        content, calls = _threads.submit(asyncio.run, parser.extract_tool_calls(ids, **offered)).result()
        for id in sample.end:
            content = content.removesuffix(tokenizer.decode([id]))
        return Found(content, reasoning, [(call.name, _arguments(call.arguments)) for call in calls])

    return read


def _split_ids(tokenizer: Any, ids: list[int]) -> tuple[str, list[int]]:
    """Returns the reasoning, and the ids after it: verl's parsers leave it in the text, or drop it."""
    close = tokenizer.convert_tokens_to_ids("</think>")
    if close not in ids:
        return "", ids
    at = ids.index(close)
    return tokenizer.decode(ids[:at]).lstrip().removeprefix("<think>"), ids[at + 1 :]


def _transformers(chat: ChatTemplate) -> Iterator[LibraryCodec]:
    """Yields the tokenizer's own response template, or awhost's, and the one that TRL has for the chat template.
    Transformers before 5.13 have none: they parse without the prompt, and take an open <think> for text."""
    tokenizer: Any = chat.tokenizer
    if not _has_response_templates(tokenizer):
        return
    version = importlib.metadata.version("transformers")
    name, template = "transformers", getattr(tokenizer, "response_template", None)
    if template is None:
        for family, known in RESPONSE_TEMPLATES.items():
            digest = hashlib.sha256(json.dumps(known).encode()).hexdigest()[:8]
            yield LibraryCodec(f"{name}/{family}", f"{version}-{digest}", _transformers_reader(tokenizer, known))
    if template is None and _installed("trl"):
        try:
            importlib.import_module("trl.chat_template_utils").add_response_schema(tokenizer)
        except (ImportError, AttributeError, ValueError):
            return  # TRL has none for this chat template
        name, template = "trl", getattr(tokenizer, "response_template", None)
        tokenizer.response_template = None  # as it was
    if template is not None:
        yield LibraryCodec(name, importlib.metadata.version(name), _transformers_reader(tokenizer, template))


def _has_response_templates(tokenizer: Any) -> bool:
    parse = getattr(tokenizer, "parse_response", None)
    return parse is not None and "prefix" in inspect.signature(parse).parameters


def _transformers_reader(tokenizer: Any, template: Any) -> Callable[[Sample, list[JSON]], Found]:
    typed = "tools" in inspect.signature(tokenizer.parse_response).parameters

    def read(sample: Sample, tools: list[JSON]) -> Found:
        parsed = tokenizer.parse_response(
            list(sample.ids), template, prefix=list(sample.prompt), **({"tools": tools} if typed else {})
        )
        found = Found(parsed.get("content") or "", parsed.get("reasoning_content") or parsed.get("thinking") or "")
        for call in parsed.get("tool_calls") or []:
            function = call.get("function") or call
            if not isinstance(function.get("name"), str) or not function["name"]:
                raise ValueError("a call has no name")
            found.calls.append((function["name"], _arguments(function.get("arguments", {}))))
        return found

    return read


# verl's parsers are coroutines, and the caller may be in an event loop already. A thread starts with the first call.
_threads: Final = ThreadPoolExecutor(1, "awhost-codec")
_WORD: Final = re.compile(r"[^\W\d]\w{2,}")
_LITERAL: Final = re.compile(r"(<parameter=([^>\n]+)>\n)(True|False|None)(\n</parameter>)")
_JSON_LITERALS: Final = {"True": "true", "False": "false", "None": "null"}
# Of the families of renderers that read a chat template, one of these is chosen, unless the model's name tells.
_PREFERRED: Final = ("deepseek-v3", "glm-4.5", "qwen3.5")
_ESCAPE: Final = re.compile(r"\\(?:u[0-9a-fA-F]{4}|.)")  # in JSON
_TAG: Final = re.compile(r"</?[\w:]+[ =>]|<[|｜][^<>\s]+[|｜]?>|<[^<>\s]+[|｜]>|\[[A-Z_]+\]")
# Words that codecs drop or rewrite in correct calls.
_LITERALS: Final = frozenset("True False None true false null type function name arguments parameters".split())
_LIBRARIES: Final = (_renderers, _transformers, _verl)


def _installed(package: str) -> bool:
    return importlib.util.find_spec(package) is not None


def _arguments(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def codecs(template: ChatTemplate) -> Iterator[Codec]:
    """Yields the codecs for a template, the preferred ones first: Hermes, then the libraries in a fixed order."""
    yield Hermes()
    for library in _LIBRARIES:
        yield from library(template)


# Evidence: a message that the template renders comes back equal.


def _tool(name: str, description: str, **properties: str) -> JSON:
    schema = {"type": "object", "properties": {p: {"type": t} for p, t in properties.items()}}
    return {
        "name": name,
        "description": description,
        "parameters_json": base64.b64encode(json.dumps(schema).encode()).decode(),
    }


_PROBE_TOOLS: Final = [
    _tool("read_note", "Reads a note.", path="string", options="object", limit="integer", whole="boolean"),
    _tool("list_notes", "Lists all notes."),
]
_PROBE_CALLS: Final[list[tuple[str, JSON]]] = [
    (
        "read_note",
        {
            "path": '  a/b c: "Grüße", 你好 & <b>\n',
            "options": {"in": {"list": [1, "two", None, True]}, "none": {}},
            "limit": 12345678901234567890,
            "whole": True,
        },
    ),
    ("list_notes", {}),
]
_PROBE_REASONING: Final = "The question needs both notes."
_PROBE_TEXT: Final = "Two calls follow."


@dataclass(frozen=True)
class Evidence:
    """A round trip: the parts that the template rendered and the codec read. digest is the codec's."""

    codec: str
    version: str
    digest: str
    parts: str


def choose(template: Any, tool_format: str = "auto", reasoning_format: str = "auto") -> Codec:
    """Returns the codec that tool_format names, or for "auto" the first one with evidence. It reads reasoning itself
    ("auto"), or as reasoning_format names it ("think", "none").

    template is a ChatTemplate; its choice is made once. For other templates, which render themselves, only hermes is
    known. Raises CodecError if no codec reads what the chat template renders.
    """
    return examine(template, tool_format, reasoning_format)[0]


def examine(template: Any, tool_format: str = "auto", reasoning_format: str = "auto") -> tuple[Codec, Evidence | None]:
    """Returns the codec and its evidence, or None instead of evidence if the chat template renders no calls. The result
    is stored for plans."""
    if reasoning_format not in ("auto", "think", "none"):
        raise CodecError(f"unknown reasoning_format {reasoning_format!r}: use auto, think, or none")
    if not isinstance(template, ChatTemplate):
        if tool_format not in ("auto", "hermes"):
            raise CodecError(f"tool_format {tool_format!r} needs the chat template of a tokenizer: use auto or hermes")
        if reasoning_format != "auto":
            raise CodecError(f"reasoning_format {reasoning_format!r} needs the chat template of a tokenizer: use auto")
        return Hermes(), None
    formats = tool_format, reasoning_format
    known = template.examined.get(formats)
    if known is None:
        try:
            codec, evidence, result = _examine(template, *formats)
        except CodecError as e:
            store.save(template.source(), template.kwargs, formats, failure=str(e))
            raise
        store.save(template.source(), template.kwargs, formats, result=result, **identity(codec))
        known = template.examined[formats] = codec, evidence
    return known


def identity(codec: Codec) -> JSON:
    """Returns the fields of a GenerateResponse that name its codec, or no fields without a chat template."""
    return {"codec": f"{codec.name} {codec.version}", "codec_digest": codec.digest} if codec.digest else {}


def _identified(codec: Codec, template: str) -> Codec:
    written = json.dumps([codec.name, codec.version, template])
    codec.digest = hashlib.sha256(written.encode()).hexdigest()[:32]
    return codec


def _examine(template: ChatTemplate, tool_format: str, reasoning_format: str) -> tuple[Codec, Evidence | None, str]:
    probe = _probe(template)
    words = _plain_words(template) | _words(" ".join(_special_tokens(template)))
    written = probe.format(words) if probe else None

    def with_reasoning(codec: Codec, *values: str) -> Codec:
        if reasoning_format in values:
            codec = _Reasoning(codec, reasoning_format, template)
        return _identified(codec, template.source())

    seen: list[str] = []
    failures: dict[str, list[str]] = {}  # names of codecs, by what they read differently
    for plain in codecs(template):
        seen.append(plain.name)
        if tool_format not in ("auto", plain.name, plain.name.partition("/")[2]):
            continue
        if probe is None:
            return with_reasoning(plain, "think", "none"), None, "because the chat template renders no calls"
        if isinstance(plain, LibraryCodec):
            plain.format = written
        difference = probe.difference(with_reasoning(plain, "think"))
        if not difference:
            codec = with_reasoning(plain, "think", "none")
            evidence = probe.evidence(codec)
            log.info("tool calls are read by %s %s, which reads %s", codec.name, codec.version, evidence.parts)
            return codec, evidence, f"which read {evidence.parts}"
        failures.setdefault(difference, []).append(plain.name)
    if not failures:
        raise CodecError(
            f"unknown tool_format {tool_format!r}: this tokenizer and the installed libraries allow auto, "
            f"{', '.join(seen)}{_hint(template)}"
        )
    assert probe is not None
    listed = [f"{', '.join(names)}: {difference}" for difference, names in failures.items()]
    hermes = Hermes()
    if tool_format in ("auto", hermes.name) and probe.reads_calls(hermes):
        # Models of this kind were trained before there was any other codec.
        result = f"although it reads other parts of a message differently: {listed[0]}"
        log.warning("tool calls are read by hermes, %s", result)
        return with_reasoning(hermes, "think", "none"), None, result
    raise CodecError(
        f"no codec reads the calls that the chat template renders, {probe.text!r}. "
        + "; ".join(listed)
        + f"{_hint(template)}; or train a model with another template"
    )


def _hint(template: ChatTemplate) -> str:
    out = ""
    if not _installed("renderers"):
        out += "; install the package renderers (pip install renderers), which reads the formats of most families"
    if not _has_response_templates(template.tokenizer):
        out += "; gpt-oss and Mistral need transformers 5.13 or later"
    return out


@dataclass(frozen=True)
class _Probe:
    """The richest test message that a template renders."""

    reasoning: str
    content: str
    calls: list[tuple[str, JSON]]
    prompt: list[int]
    ids: list[int]
    end: list[int]
    text: str
    thinking: bool

    def difference(self, codec: Codec) -> str:
        """Returns what a codec reads differently, or ""."""
        try:
            message, calls = self._read(codec)
        except Exception as e:  # a parser of a library
            return f"it fails: {type(e).__name__}: {e}"
        content = "".join(part["text"] for part in message.get("content", ()))
        for part, want, got in (
            ("calls", self.calls, calls),
            ("reasoning", self.reasoning, message.get("reasoning", "").strip()),
            ("text", self.content, content.strip()),
        ):
            if want != got:
                reasons = "".join(f" ({m['reason']})" for m in message.get("malformed", ()))
                return f"it reads the {part} {got!r} for {want!r}{reasons}"
        return ""

    def reads_calls(self, codec: Codec) -> bool:
        return self._read(codec)[1] == self.calls

    def _read(self, codec: Codec) -> tuple[JSON, list[tuple[str, Any]]]:
        message = codec.parse(Sample(self.ids, self.text, _PROBE_TOOLS, self.prompt, self.end, 2, self.thinking))
        return message, [(c["name"], json.loads(c["arguments_json"])) for c in message.get("tool_calls", ())]

    def format(self, words: set[str]) -> _Format:
        """Returns the format of the template. words has the words that it adds to a message without calls, and the
        words of the special tokens."""
        own = " ".join(
            [self.reasoning, self.content, *(name + " " + _arguments(arguments) for name, arguments in self.calls)]
        )
        start = self.text.index(self.calls[0][0])
        before, calls = self.text[:start], self.text[start:]
        for part in (self.reasoning, self.content):
            if part and part in before:
                before = before.rpartition(part)[2]
        tags = [tag for tag in _TAG.findall(calls) if tag not in own]
        opening = [tag for tag in _TAG.findall(before) if not tag.startswith("</")]
        last = tags[-1] if tags and calls.rstrip().endswith(tags[-1]) else ""
        return _Format(
            frozenset(_words(self.text) - _words(own) | words), tuple(tags), opening[0] if opening else "", last,
            self._value(calls),
        )  # fmt: skip

    def _value(self, calls: str) -> tuple[str, str] | None:
        """Returns what the template writes before and after a text, if it writes texts as they are."""
        name, text = next((n, v) for n, v in self.calls[0][1].items() if isinstance(v, str))
        start = calls.find(text)
        end = _TAG.search(calls, start + len(text))
        if start < 0 or not end or calls[start + len(text) : end.start()].strip():
            return None
        return calls[calls.rfind(name, 0, start) + len(name) : start], calls[start + len(text) : end.end()]

    def evidence(self, codec: Codec) -> Evidence:
        parts = [f"{len(self.calls)} calls" if len(self.calls) > 1 else "1 call"]
        parts += ["reasoning"] * bool(self.reasoning) + ["text"] * bool(self.content)
        return Evidence(codec.name, codec.version, codec.digest, ", ".join(parts))


def _probe(template: ChatTemplate) -> _Probe | None:
    """Returns None if the template renders no calls."""
    for count in (2, 1):
        calls = _PROBE_CALLS[:count]
        for reasoning, content in (
            (_PROBE_REASONING, _PROBE_TEXT),
            (_PROBE_REASONING, ""),
            ("", _PROBE_TEXT),
            ("", ""),
        ):
            message: JSON = _message(
                Found(content, reasoning, [(name, _arguments(arguments)) for name, arguments in calls]), 2
            )
            try:
                prompt, whole = template.rendered(message, _PROBE_TOOLS)
            except GenerateError:
                continue  # the template rejects, for example, several calls
            prompt, left, ids, end = split_answer(template, prompt, whole)
            text = template.decode(ids)
            if template.decode(left).strip() in ("", "<think>") and all(
                part in text for part in (reasoning, content, *(name for name, _ in calls))
            ):
                thinking = "</think>" in text and template.thinks(prompt)
                return _Probe(reasoning, content, calls, prompt, ids, end, text, thinking)
    return None


def _plain_words(template: ChatTemplate) -> set[str]:
    """Returns the words that the template adds to a message without calls."""
    try:
        prompt, whole = template.rendered(_message(Found(_PROBE_TEXT, _PROBE_REASONING), 2), ())
    except GenerateError:
        return set()
    _, _, ids, _ = split_answer(template, prompt, whole)
    return _words(template.decode(ids)) - _words(_PROBE_REASONING + " " + _PROBE_TEXT)


def _special_tokens(template: ChatTemplate) -> list[str]:
    tokenizer: Any = template.tokenizer
    return list(tokenizer.get_added_vocab()) if hasattr(tokenizer, "get_added_vocab") else []


def split_answer(
    template: ChatTemplate, prompt: list[int], whole: list[int]
) -> tuple[list[int], list[int], list[int], list[int]]:
    """Returns the shared start of a prompt and a rendered answer to it, the rest of the prompt, and the answer's ids
    without and with only its end. The prompt may open a reasoning that the template leaves out of an answer; some
    templates end a message with the start of the next one, so that an answer has no end."""
    same = next((i for i, (a, b) in enumerate(zip(prompt, whole)) if a != b), min(len(prompt), len(whole)))
    ids = whole[same:]
    ends = [i for i, id in enumerate(ids) if id in template.end_ids]
    if not ends:
        return prompt[:same], prompt[same:], ids, []
    return prompt[:same], prompt[same:], ids[: ends[-1]], [ids[ends[-1]]]
