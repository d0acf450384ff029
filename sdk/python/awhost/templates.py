"""Which rows follow from a model's chat template, found by rendering it, for plans. The template is a file of the
model; no framework is imported, and none of the user's Python runs.

    judged = judge(pathlib.Path(model))       # Error: it could not be looked at, and why
    out.notes.append(judged.note(model))

It needs jinja2, which a plugin that uses it depends on. Templates run in jinja2's sandbox, as transformers runs them.
"""

from __future__ import annotations

import datetime
import json
import pathlib
from dataclasses import dataclass
from typing import Any, Final, Mapping, NoReturn

from awhost_bridge.template import ChatTemplate

from .errors import Error

_END: Final = 0x110000  # the id of the end of a message; all others are characters
_THOUGHT: Final = "a thought of its own"
_TOOL: Final = {"name": "look", "description": "", "parameters_json": ""}


@dataclass(frozen=True)
class Judged:
    """What a template does to a conversation that goes on."""

    extends: bool  # new messages can be appended, also results of tools; else each turn is a row of its own
    keeps_thinking: bool  # what the model thought before is rendered again as it was

    def note(self, model: object) -> str:
        """A sentence for a plan."""
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


def judge(model: pathlib.Path, kwargs: Mapping[str, Any] | None = None) -> Judged:
    """Renders conversations of two turns and tests whether the first is the beginning of the second. kwargs go to the
    template."""
    written = _Written(model)
    try:
        template = ChatTemplate(written, kwargs=dict(kwargs or {}))
        after = ("user", "assistant")
        turns = [
            ({"role": "ROLE_USER", "content": [{"text": "on"}]}, []),
            ({"role": "ROLE_TOOL", "tool_call_id": "call00000", "content": [{"text": "seen"}]}, [_TOOL]),
        ]
        extends = all(
            template.extend(after, [message], tools) is not None
            for message, tools in turns
            if not tools or written.takes_tools(kwargs)
        )
        return Judged(extends, all(written.goes_on(answer, kwargs) for answer in _ANSWERS))
    except ValueError as e:
        raise Error(f"the chat template of {model} cannot be judged: {e}") from e


_ANSWERS: Final[list[dict[str, Any]]] = [
    {"role": "assistant", "content": f"<think>\n{_THOUGHT}\n</think>\n\nyes"},
    {"role": "assistant", "content": "yes", "reasoning_content": _THOUGHT},
]


class _Written:
    """A tokenizer, for ChatTemplate, in which each character is a token, and the end of a message is one."""

    eos_token_id: int | None = _END

    def __init__(self, model: pathlib.Path) -> None:
        try:
            from jinja2.exceptions import TemplateError
        except ImportError:
            raise Error(
                "there is no jinja2 beside this plugin to render it with: pip install 'jinja2>=3.1,<4'"
            ) from None
        self._failures = TemplateError
        settings, source = _read(model)
        self._special = {name: _text(settings.get(name)) for name in ("bos_token", "eos_token", "pad_token")}
        if not self._special["eos_token"]:
            raise Error(f"{model} names no eos_token in its tokenizer_config.json")
        try:
            self._template = _environment().from_string(source)
        except TemplateError as e:
            raise Error(f"the chat template of {model} cannot be read: {e}") from e

    def apply_chat_template(self, conversation: list[Any], /, **kwargs: Any) -> Any:
        tokenize = kwargs.pop("tokenize", True)
        try:
            text = self._template.render(
                messages=conversation, **{name: token for name, token in self._special.items() if token}, **kwargs
            )
        except self._failures as e:
            raise ValueError(str(e)) from e
        if not tokenize:
            return text
        ids: list[int] = []
        for i, piece in enumerate(text.split(self._special["eos_token"])):
            ids += [_END] * (i > 0) + [ord(c) for c in piece]
        return ids

    def decode(self, ids: list[int], /, **_: Any) -> str:
        return "".join(self._special["eos_token"] if i == _END else chr(i) for i in ids)

    def takes_tools(self, kwargs: Mapping[str, Any] | None) -> bool:
        """Whether the template shows the model tools."""
        shown = {
            "type": "function",
            "function": {"name": "look", "description": "", "parameters": {"type": "object", "properties": {}}},
        }
        question = [{"role": "user", "content": "q"}]
        try:
            return bool(self._render(question, kwargs, tools=[shown]) != self._render(question, kwargs, tools=None))
        except ValueError:
            return False

    def goes_on(self, answer: dict[str, Any], kwargs: Mapping[str, Any] | None) -> bool:
        """Whether a conversation with an answer, up to its end, begins the one that goes on from it."""
        first = [{"role": "user", "content": "q"}, answer]
        alone = self._render(first, kwargs)
        end = alone.rfind(self._special["eos_token"]) + len(self._special["eos_token"])
        return self._render([*first, {"role": "user", "content": "on"}], kwargs).startswith(alone[:end])

    def _render(self, conversation: list[Any], kwargs: Mapping[str, Any] | None, **more: Any) -> str:
        return str(
            self.apply_chat_template(
                conversation, tokenize=False, add_generation_prompt=False, **{"tools": None, **more, **(kwargs or {})}
            )
        )


def _read(model: pathlib.Path) -> tuple[dict[str, Any], str]:
    """The settings of the tokenizer, and the template."""
    if not model.is_dir():
        raise Error(f"{model} is no folder on this machine")
    try:
        settings = json.loads((model / "tokenizer_config.json").read_text(encoding="utf-8"))
        file = model / "chat_template.jinja"
        source = file.read_text(encoding="utf-8") if file.is_file() else settings.get("chat_template")
    except (OSError, ValueError, AttributeError) as e:
        raise Error(f"the tokenizer of {model} cannot be read: {e}") from e
    if isinstance(source, list):  # several, by name
        source = next((t.get("template") for t in source if isinstance(t, dict) and t.get("name") == "default"), None)
    if not isinstance(settings, dict) or not isinstance(source, str):
        raise Error(f"{model} has no chat template, neither as chat_template.jinja nor in its tokenizer_config.json")
    return settings, source


def _text(token: Any) -> str:
    return str(token.get("content") or "") if isinstance(token, dict) else str(token or "")


def _environment() -> Any:
    """What transformers renders chat templates with."""
    import jinja2.ext
    import jinja2.nodes
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    class Generation(jinja2.ext.Extension):
        """{% generation %} marks what the model wrote, for trainers; the text is the same."""

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
