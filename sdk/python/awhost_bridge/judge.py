"""Determines, for plans, which rows a model's chat template leads to, by rendering it, and which codec read its tool
calls before. The template is a file of the model; no framework is imported, and none of the user's files are run.

    out.notes.append(note(model))             # a sentence in any case, also where it could not be looked at
    text, failure = codec(model, kwargs, ("auto", "auto"))    # a sentence, or the failure of the last test
    judged = judge(pathlib.Path(model))       # ValueError: it could not be looked at, and why

It needs jinja2: a plugin in Python depends on it, and a plugin in Go runs this file in the user's own Python (main).
Templates run in jinja2's sandbox, as in transformers.
"""

from __future__ import annotations

import datetime
import json
import os
import pathlib
import re
import sys
from dataclasses import dataclass
from typing import Any, Final, Mapping, NoReturn

from . import evidence
from .template import ChatTemplate

_END: Final = 0x110000  # the id of the first text that ends a message, followed by the others; lower ids are characters
_THOUGHT: Final = "a thought of its own"
_TOOL: Final = {"name": "look", "description": "", "parameters_json": ""}


class NoRenderer(ValueError):
    """This Python has no package that renders templates."""


@dataclass(frozen=True)
class Judged:
    """The template's treatment of a conversation that continues."""

    extends: bool  # new messages can be appended, including results of tools; else each turn is a separate row
    keeps_thinking: bool  # earlier reasoning of the model is rendered again unchanged
    merges: bool = False  # an empty reasoning block begins with the line feed that ends the prompt

    def note(self, model: object) -> str:
        """Returns what a plan states."""
        if not self.merges:
            return self._rows(model)
        return (
            f"{self._rows(model)} Its prompt ends with <think> and a line feed, and an empty reasoning block begins "
            "with another one, which a tokenizer may merge when others render the message again. Rows have the sampled "
            "tokens."
        )

    def _rows(self, model: object) -> str:
        if not self.extends:
            return (
                f"The chat template of {model} renders what was said before in another way when a conversation goes "
                "on: each turn becomes a row of its own. Give the model a template that only appends, to train a "
                "conversation as one row."
            )
        if not self.keeps_thinking:
            return (
                f"The chat template of {model} drops earlier thinking. Here a conversation is one row all the same, "
                "since what was sampled is never rendered again: the policy sees its earlier thinking while it is "
                "trained, and not where others render this template. Serve it with one that keeps thinking."
            )
        return f"The chat template of {model} only appends: a conversation is one row."


def note(model: object, kwargs: Mapping[str, Any] | None = None) -> str:
    """Returns the sentence for a plan: the result of judge, or why the template was not checked."""
    try:
        return judge(pathlib.Path(str(model)), kwargs).note(model)
    except ValueError as e:
        return unknown(str(e))


def codec(
    model: object, kwargs: Mapping[str, Any] | None, formats: evidence.Formats, *, template: str | None = None
) -> tuple[str, str]:
    """Returns a sentence for a plan on the codec that reads tool calls, or an empty one and the failure of the last
    test. model None means that the template is unknown."""
    try:
        source = _read(_folder(pathlib.Path(str(model))), template)[2] if model else ""
    except ValueError:
        source = ""
    return evidence.describe(source, kwargs or {}, formats)


def unknown(why: str) -> str:
    """Returns the sentence for a plan whose template was not checked."""
    return f"The rows produced by the chat template were not checked: {why}."


def judge(model: pathlib.Path, kwargs: Mapping[str, Any] | None = None, *, template: str | None = None) -> Judged:
    """Renders conversations of two turns and tests whether the first is a prefix of the second. kwargs are passed to
    the template, which is the model's own unless another one is given."""
    written = _Written(_folder(model), template)
    try:
        chat = ChatTemplate(written, kwargs=dict(kwargs or {}), end_ids=written.end_ids)
        after = ("user", "assistant")
        turns = [
            ({"role": "ROLE_USER", "content": [{"text": "on"}]}, []),
            ({"role": "ROLE_TOOL", "tool_call_id": "call00000", "content": [{"text": "seen"}]}, [_TOOL]),
        ]
        extends = all(
            chat.extend(after, [message], tools) is not None
            for message, tools in turns
            if not tools or written.takes_tools(kwargs)
        )
        keeps = all(written.is_extended(answer, kwargs) for answer in _ANSWERS)
        return Judged(extends, keeps, written.merges(kwargs))
    except ValueError as e:
        raise ValueError(f"the chat template of {model} cannot be judged: {e}") from e


def main() -> None:
    """Answers a plugin in Go: one JSON object on stdin, one on stdout."""
    asked, answer = json.load(sys.stdin), {}
    kwargs, template = asked.get("kwargs"), asked.get("template") or None
    formats = asked.get("tool_format") or "auto", asked.get("reasoning_format") or "auto"
    answer["codec"], answer["codec_failure"] = codec(asked["model"], kwargs, formats, template=template)
    try:
        judged = judge(pathlib.Path(asked["model"]), kwargs, template=template)
        answer["note"] = judged.note(asked["model"])
    except NoRenderer as e:
        answer["lacks"] = str(e)
    except ValueError as e:
        answer["unknown"] = str(e)
    json.dump(answer, sys.stdout)


_ANSWERS: Final[list[dict[str, Any]]] = [
    {"role": "assistant", "content": f"<think>\n{_THOUGHT}\n</think>\n\nyes"},
    {"role": "assistant", "content": "yes", "reasoning_content": _THOUGHT},
]


class _Written:
    """A tokenizer, for ChatTemplate, whose tokens are the characters and the texts that end a message."""

    eos_token_id: int | None = _END

    def __init__(self, model: pathlib.Path, template: str | None) -> None:
        try:
            from jinja2.exceptions import TemplateError
        except ImportError:
            raise NoRenderer(
                f"{sys.executable} has no jinja2 to render it with: install 'jinja2>=3.1,<4' there"
            ) from None
        settings, source, _ = _read(model, template)
        self._special = {name: _text(settings.get(name)) for name in ("bos_token", "eos_token", "pad_token")}
        if not self._special["eos_token"]:
            raise ValueError(f"{model} names no eos_token in its tokenizer_config.json")
        self._ends = list(dict.fromkeys([self._special["eos_token"], *_generated_ends(model, settings)]))
        self._end = re.compile("|".join(re.escape(end) for end in self._ends))
        self.end_ids = [_END + i for i in range(len(self._ends))]
        try:
            self._template = _environment().from_string(source)
        except TemplateError as e:
            raise ValueError(f"the chat template of {model} cannot be read: {e}") from e

    def apply_chat_template(self, conversation: list[Any], /, **kwargs: Any) -> Any:
        tokenize = kwargs.pop("tokenize", True)
        special = {name: token for name, token in self._special.items() if token}
        try:
            text = self._template.render(messages=conversation, **special, **kwargs)
        except Exception as e:  # a template is a program and may raise any error
            raise ValueError(f"{type(e).__name__}: {e}") from e
        if not tokenize:
            return text
        ids, done = list[int](), 0
        for end in self._end.finditer(text):
            ids += [*map(ord, text[done : end.start()]), _END + self._ends.index(end.group())]
            done = end.end()
        return ids + [ord(c) for c in text[done:]]

    def decode(self, ids: list[int], /, **_: Any) -> str:
        return "".join(self._ends[i - _END] if i >= _END else chr(i) for i in ids)

    def merges(self, kwargs: Mapping[str, Any] | None) -> bool:
        """Reports whether a message without reasoning begins with the line feed that ends the prompt."""
        question = {"role": "user", "content": "q"}
        prompt = self._render([question], kwargs, add_generation_prompt=True)
        whole = self._render([question, {"role": "assistant", "content": "a"}], kwargs)
        return prompt.endswith("<think>\n") and whole.startswith(prompt + "\n")

    def takes_tools(self, kwargs: Mapping[str, Any] | None) -> bool:
        """Reports whether the template shows the model tools."""
        shown = {
            "type": "function",
            "function": {"name": "look", "description": "", "parameters": {"type": "object", "properties": {}}},
        }
        question = [{"role": "user", "content": "q"}]
        try:
            return bool(self._render(question, kwargs, tools=[shown]) != self._render(question, kwargs, tools=None))
        except ValueError:
            return False

    def is_extended(self, answer: dict[str, Any], kwargs: Mapping[str, Any] | None) -> bool:
        """Reports whether a conversation with an answer, up to its end, is a prefix of its continuation."""
        first = [{"role": "user", "content": "q"}, answer]
        alone = self._render(first, kwargs)
        end = max((found.end() for found in self._end.finditer(alone)), default=len(alone))
        return self._render([*first, {"role": "user", "content": "on"}], kwargs).startswith(alone[:end])

    def _render(self, conversation: list[Any], kwargs: Mapping[str, Any] | None, **more: Any) -> str:
        return str(
            self.apply_chat_template(
                conversation, tokenize=False,
                **{"tools": None, "add_generation_prompt": False, **more, **(kwargs or {})},
            )
        )


def _folder(model: pathlib.Path) -> pathlib.Path:
    """Returns the folder of a model's files. A model given by name is in the hub's cache, if it has been loaded
    before."""
    if model.is_dir():
        return model
    if model.is_absolute():
        raise ValueError(f"{model} is not a folder on this machine")
    cached = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    home = os.environ.get("HF_HOME") or pathlib.Path(cached) / "huggingface"
    hub = pathlib.Path(os.environ.get("HF_HUB_CACHE") or pathlib.Path(home) / "hub")
    kept = hub / f"models--{str(model).replace('/', '--')}"
    try:
        return kept / "snapshots" / (kept / "refs" / "main").read_text(encoding="utf-8").strip()
    except (OSError, ValueError):
        raise ValueError(f"{model} is not a folder on this machine, and {hub} does not have it") from None


def _read(model: pathlib.Path, template: str | None) -> tuple[dict[str, Any], str, str]:
    """Returns the settings of the tokenizer, the template, which is the given one or the model's own, and the text of
    all its templates, as ChatTemplate.source returns it, or empty if that is unknown."""
    try:
        settings = json.loads((model / "tokenizer_config.json").read_text(encoding="utf-8"))
        file = model / "chat_template.jinja"
        own = file.read_text(encoding="utf-8") if file.is_file() else settings.get("chat_template")
    except (OSError, ValueError, AttributeError) as e:
        raise ValueError(f"the tokenizer of {model} cannot be read: {e}") from e
    source = whole = own if template is None else template
    if isinstance(source, list):  # several, by name
        whole = {t.get("name"): t.get("template") for t in source if isinstance(t, dict)}
        source = whole.get("default")
    if not isinstance(settings, dict) or not isinstance(source, str):
        raise ValueError(
            f"{model} has no chat template, neither as chat_template.jinja nor in its tokenizer_config.json"
        )
    if template is None and (model / "additional_chat_templates").is_dir():
        whole = ""  # transformers adds these to them
    return settings, source, str(whole)


def _generated_ends(model: pathlib.Path, settings: dict[str, Any]) -> list[str]:
    """Returns the texts of the ids with which the model ends a message by its generation_config, at which engines stop
    too."""
    found = _json(model / "generation_config.json").get("eos_token_id")
    ids = found if isinstance(found, list) else [] if found is None else [found]
    texts = {str(i): _text(token) for i, token in (settings.get("added_tokens_decoder") or {}).items()}
    if any(str(i) not in texts for i in ids):
        added = _json(model / "tokenizer.json").get("added_tokens") or []
        texts |= {str(token.get("id")): _text(token) for token in added if isinstance(token, dict)}
    return [texts[str(i)] for i in ids if texts.get(str(i))]


def _json(file: pathlib.Path) -> dict[str, Any]:
    """Returns an object from an optional file of the model."""
    if not file.is_file():
        return {}
    try:
        return dict(json.loads(file.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError) as e:
        raise ValueError(f"{file} cannot be read: {e}") from e


def _text(token: Any) -> str:
    return str(token.get("content") or "") if isinstance(token, dict) else str(token or "")


def _environment() -> Any:
    """Returns the environment in which transformers renders chat templates."""
    import jinja2.ext
    import jinja2.nodes
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    class Generation(jinja2.ext.Extension):
        """{% generation %} marks the model's text, for trainers; it does not change the text."""

        tags = {"generation"}

        def parse(self, parser: Any) -> Any:
            next(parser.stream)
            return parser.parse_statements(("name:endgeneration",), drop_needle=True)

    def fail(message: str) -> NoReturn:
        raise jinja2.TemplateError(message)

    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[Generation, "jinja2.ext.loopcontrols"]
    )
    environment.filters["tojson"] = lambda value, indent=None, **_: json.dumps(value, ensure_ascii=False, indent=indent)
    environment.globals["raise_exception"] = fail
    environment.globals["strftime_now"] = lambda form: datetime.datetime(2025, 1, 1).strftime(form)
    return environment
