"""Chat templates of Hugging Face tokenizers, for a ledger: a conversation is extended, never rendered again."""

from __future__ import annotations

from typing import Any, Final, Protocol, Sequence

from .errors import GenerateError
from .messages import for_template, tool_for_template, tools_key
from .tails import Tails
from .wire import JSON

_STAND_IN: Final = "placeholder"
_MAX_CACHED: Final = 4096


class Tokenizer(Protocol):
    """The methods used of a tokenizer of transformers."""

    eos_token_id: int | None

    def apply_chat_template(self, conversation: list[JSON], /, **kwargs: Any) -> Any: ...

    def decode(self, token_ids: list[int], /, **kwargs: Any) -> Any: ...


class ChatTemplate:
    """Implements ledger.Template. kwargs are passed to the template (`enable_thinking`). end_ids are the ids that end a
    message; the default is the tokenizer's eos_token_id. In self.end_ids, the one that the template writes always comes
    first.

    How a conversation is extended: a short substitute for it, the same roles with placeholders for contents and one
    message for everything sampled, is rendered with the new messages and the generation prompt. The ids after the end
    of the substitute are the extension. A template that rewrites history therefore changes nothing, and neither does
    the length of the conversation. The substitute must be rendered as it is without new messages, up to its last end.
    If its last message is the assistant's, that message only has to be present, because templates write or drop empty
    reasoning there. If the template renders it differently, there is no extension.

    It is not thread-safe, because tokenizers are not.
    """

    def __init__(self, tokenizer: Tokenizer, *, kwargs: dict[str, Any] | None = None, end_ids: Sequence[int] | None = None) -> None:
        self.tokenizer = tokenizer
        self.examined: dict[str, Any] = {}  # of the codec module, by tool_format
        self._kwargs = dict(kwargs or {})
        self.end_ids: tuple[int, ...] = tuple(end_ids) if end_ids is not None else self._eos()
        self._stand_ins: dict[Any, _StandIn] = {}
        self._tools: dict[Any, list[JSON]] = {}
        self._order_ends()
        self._text_arguments = self._wants_text_arguments()

    def open(self, messages: Sequence[JSON], tools: Sequence[JSON]) -> list[int]:
        conversation = [self._for_template(m) for m in messages]
        try:
            return self._render(conversation, self._offered(tools), prompt=True)
        except Exception as e:
            roles = ", ".join(m["role"] for m in conversation)
            raise GenerateError("refused", f"the chat template cannot render messages of the roles {roles}: {type(e).__name__}: {e}") from e

    def extend(self, outline: tuple[str, ...], messages: Sequence[JSON], tools: Sequence[JSON]) -> list[int] | None:
        conversation = [self._for_template(m) for m in messages]
        key = tools_key(tools)  # type: ignore[arg-type]
        offered = self._offered(tools)
        # Most templates accept a tool's result after any message of the assistant. Some require a call.
        for calling in (False, True) if conversation and conversation[0]["role"] == "tool" else (False,):
            try:
                stand_in = self._stand_in(key, outline, calling, offered)
                extension = self._extension(stand_in, [*stand_in.messages, *conversation], offered)
            except Exception:
                continue  # the template rejects the conversation; rendering it whole gives the reason, or succeeds
            if extension is not None:
                return extension
        return None

    def _extension(self, stand_in: _StandIn, conversation: list[JSON], tools: list[JSON] | None) -> list[int] | None:
        """Returns the ids after the substitute in a conversation that begins with it, or None if the substitute is not
        rendered as it is alone."""
        tails = stand_in.tails
        if tails.known and (ids := tails.ids(self._write(conversation, tools))) is not None:
            return ids
        rendered = self._render(conversation, tools, prompt=True)
        start = stand_in.end_in(rendered, self)
        if start < 0:
            return None
        if tails.wanted:
            tails.learn(self._write(conversation, tools), rendered, start)
        return rendered[start:]

    def write(self, message: JSON, tools: Sequence[JSON]) -> list[int]:
        """Returns the ids that sampling this message of the assistant would give: from the generation prompt to the end
        of the message. For the scripts of smoke runs only; a sampled message is never written again."""
        prompt, whole = self.rendered(message, tools)
        ends = [i for i, id in enumerate(whole) if id in self.end_ids]
        if whole[: len(prompt)] != prompt or not ends or ends[-1] < len(prompt):
            raise GenerateError(
                "aborted",
                "the chat template does not write a message of the assistant behind its own generation prompt: it renders "
                f"{self.decode(prompt)!r} as the prompt and {self.decode(whole)!r} with the message",
            )
        return whole[len(prompt) : ends[-1] + 1]

    def rendered(self, message: JSON, tools: Sequence[JSON]) -> tuple[list[int], list[int]]:
        """Returns the ids of a question with the generation prompt, and with this message as its answer."""
        opening, offered = [_message("user")], self._offered(tools)
        try:
            prompt = self._render(opening, offered, prompt=True)
            return prompt, self._render([*opening, self._for_template(message)], offered, prompt=False)
        except Exception as e:
            raise GenerateError("aborted", f"the chat template cannot render the scripted message: {type(e).__name__}: {e}") from e

    def decode(self, ids: Sequence[int]) -> str:
        return str(self.tokenizer.decode(list(ids), skip_special_tokens=False, clean_up_tokenization_spaces=False))

    def source(self) -> str:
        """Returns the text of the chat template."""
        return str(getattr(self.tokenizer, "chat_template", ""))

    def thinks(self, prompt: Sequence[int]) -> bool:
        return self.decode(prompt).rstrip().endswith("<think>")

    def _eos(self) -> tuple[int, ...]:
        if self.tokenizer.eos_token_id is None:
            raise ValueError("the tokenizer has no eos_token_id: say which ids end a message, end_ids=[...]")
        return (int(self.tokenizer.eos_token_id),)

    def _order_ends(self) -> None:
        """Puts the end id that the template writes first. A message must end with one of the end ids, because otherwise
        nothing can be extended and engines would not stop there. A message cut by a limit gets this id."""
        rendered = self._render([_message("user"), _message("assistant")], None, prompt=False)
        written = [i for i in rendered if i in self.end_ids]
        if written:
            self.end_ids = written[-1], *(i for i in self.end_ids if i != written[-1])
        else:
            raise ValueError(
                f"the chat template ends a message of the assistant with none of the ids {list(self.end_ids)}: it renders "
                f"{self.decode(rendered)!r}; say which ids end a message, end_ids=[...]"
            )

    def _wants_text_arguments(self) -> bool:
        """Reports whether the template takes the arguments of a call as JSON text (DeepSeek V3), not as a mapping."""
        call = _message("assistant", calling=True)
        try:
            self._render([_message("user"), call], None, prompt=False)
            return False
        except Exception:
            call["tool_calls"][0]["function"]["arguments"] = "{}"
        try:
            self._render([_message("user"), call], None, prompt=False)
            return True
        except Exception:
            return False  # it rejects calls

    def _for_template(self, message: JSON) -> JSON:
        return for_template(message, text_arguments=self._text_arguments)

    def _render(self, conversation: list[JSON], tools: list[JSON] | None, *, prompt: bool) -> list[int]:
        out = self.tokenizer.apply_chat_template(
            conversation, tools=tools or None, add_generation_prompt=prompt, tokenize=True, **self._kwargs
        )
        # transformers 5 returns a mapping, earlier versions a list.
        ids = out["input_ids"] if hasattr(out, "keys") else out
        return list(ids)

    def _write(self, conversation: list[JSON], tools: list[JSON] | None) -> str:
        """Returns the text that _render tokenizes, with the generation prompt."""
        return str(self.tokenizer.apply_chat_template(conversation, tools=tools or None, add_generation_prompt=True, tokenize=False, **self._kwargs))

    def _offered(self, tools: Sequence[JSON]) -> list[JSON] | None:
        if not tools:
            return None
        key = tools_key(tools)  # type: ignore[arg-type]
        known = self._tools.get(key)
        if known is None:
            known = _remember(self._tools, key, [tool_for_template(t) for t in tools])
        return known

    def _stand_in(self, key: Any, outline: tuple[str, ...], calling: bool, tools: list[JSON] | None) -> _StandIn:
        known = self._stand_ins.get((key, outline, calling))
        if known is None:
            answered = [calling and _is_answered(outline, i) for i in range(len(outline))]
            messages = [_message(role, call, self._text_arguments) for role, call in zip(outline, answered)]
            known = _remember(self._stand_ins, (key, outline, calling), _StandIn(messages, self._render(messages, tools, prompt=False), self))
        return known


class _StandIn:
    """A short conversation of given roles, and its ids."""

    def __init__(self, messages: list[JSON], ids: list[int], template: ChatTemplate) -> None:
        self.messages = messages
        ends = [i + 1 for i, id in enumerate(ids) if id in template.end_ids]
        self._count = len(ends)
        self._open = messages[-1]["role"] == "assistant"
        fixed = len(ends) - 2 if self._open else len(ends) - 1
        self._fixed = ids[: ends[fixed]] if fixed >= 0 else []
        self._shown: list[int] | None = None  # ids found to hold the last message
        self.tails = Tails(template.tokenizer)

    def end_in(self, rendered: list[int], template: ChatTemplate) -> int:
        """Returns the end of the conversation in a rendering that continues, or -1 if it is not rendered as it is
        alone."""
        start = len(self._fixed)
        if not self._count or rendered[:start] != self._fixed:
            return -1
        if not self._open:
            return start
        end = next((i for i in range(start, len(rendered)) if rendered[i] in template.end_ids), -1)
        if end < 0 or not self._is_shown(rendered[start:end], template):
            return -1
        return end + 1

    def _is_shown(self, ids: list[int], template: ChatTemplate) -> bool:
        """Reports whether these ids are the last message. They nearly always equal the previous call's."""
        if ids != self._shown:
            if _STAND_IN not in template.decode(ids):
                return False
            self._shown = ids
        return True


def _remember(cache: dict[Any, Any], key: Any, value: Any) -> Any:
    if len(cache) >= _MAX_CACHED:
        cache.clear()  # a workload with so many outlines gains nothing from a cache
    cache[key] = value
    return value


def _message(role: str, calling: bool = False, text_arguments: bool = False) -> JSON:
    message: JSON = {"role": role, "content": _STAND_IN}
    if calling:
        function = {"name": _STAND_IN, "arguments": "{}" if text_arguments else {}}
        message["tool_calls"] = [{"id": "call00000", "type": "function", "function": function}]
    if role == "tool":
        message |= {"tool_call_id": "call00000", "name": _STAND_IN}
    return message


def _is_answered(outline: tuple[str, ...], i: int) -> bool:
    """Reports whether a message is one of the assistant that a tool answers. The new messages answer the last one."""
    return outline[i] == "assistant" and (i + 1 == len(outline) or outline[i + 1] == "tool")
