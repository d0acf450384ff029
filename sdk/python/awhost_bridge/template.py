"""Chat templates of Hugging Face tokenizers, for a ledger: a conversation is extended, never rendered again."""

from __future__ import annotations

import base64
import json
from itertools import takewhile
from typing import Any, Final, Protocol, Sequence

from .errors import GenerateError
from .messages import for_template, tool_for_template, tools_key
from .tails import Tails
from .wire import JSON

_STAND_IN: Final = "placeholder"
_RESULT: Final = "observation"
_MAX_CACHED: Final = 4096


class Tokenizer(Protocol):
    """The methods used of a tokenizer of transformers."""

    eos_token_id: int | None

    def apply_chat_template(self, conversation: list[JSON], /, **kwargs: Any) -> Any: ...

    def decode(self, token_ids: list[int], /, **kwargs: Any) -> Any: ...


class ChatTemplate:
    """Implements ledger.Template. kwargs are passed to the template (`enable_thinking`). end_ids are the ids that end a
    message; the default is the tokenizer's eos_token_id. In self.end_ids, the one that the template writes always comes
    first. closing_ids are the ids that it writes after a message: one of end_ids, and before it another one if the
    template writes that after earlier messages (gpt-oss). They are empty if a message ends where the next one starts
    (GLM).

    How a conversation is extended: a short substitute for it, the same roles with placeholders for contents and one
    message for everything sampled, is rendered with the new messages and the generation prompt. The ids after the end
    of the substitute are the extension, with the end itself if that is not a closing id: it starts the next part then.
    A template that rewrites history therefore changes nothing, and neither does the length of the conversation. The
    substitute must be rendered as it is without new messages, up to its last end. If its last message is the
    assistant's, that message only has to be present, because templates write or drop empty reasoning there. If the
    template renders it differently, there is no extension.

    It is not thread-safe, because tokenizers are not.
    """

    def __init__(self, tokenizer: Tokenizer, *, kwargs: dict[str, Any] | None = None, end_ids: Sequence[int] | None = None) -> None:
        self.tokenizer = tokenizer
        self.examined: dict[tuple[str, str], Any] = {}  # of the codec module
        self.kwargs = dict(kwargs or {})
        self.end_ids: tuple[int, ...] = tuple(end_ids) if end_ids is not None else self._eos()
        self._stand_ins: dict[Any, _StandIn] = {}
        self._tools: dict[Any, list[JSON]] = {}
        self._variants: dict[str, ChatTemplate] = {}
        self.closing_ids: tuple[int, ...] = self._find_ends()
        self.bounds = {*self.end_ids, *self.closing_ids}
        self._text_arguments = self._wants_text_arguments()
        self._answers_need_calls: bool | None = None  # not known yet

    def of(self, request: JSON) -> ChatTemplate:
        """Returns the template with the arguments of a GenerateRequest, which override its own."""
        written = request.get("chat_template_kwargs_json")
        if not written:
            return self
        known = self._variants.get(written)
        if known is None:
            kwargs = self.kwargs | json.loads(base64.b64decode(written))
            known = _remember(self._variants, written, ChatTemplate(self.tokenizer, kwargs=kwargs, end_ids=self.end_ids))
        return known

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
        calls: tuple[str, ...] | None = None
        if "tool" in (*outline, *(m["role"] for m in conversation[:1])) and self._needs_calls():
            answers = list(takewhile(lambda m: m["role"] == "tool", conversation))
            calls = tuple(m.get("name", "") for m in answers)
            if not all(calls):
                return None  # the template writes the name of the call
            conversation[: len(answers)] = [m | {"tool_call_id": _call_id(i)} for i, m in enumerate(answers)]
        try:
            stand_in = self._stand_in(key, outline, calls, offered)
            return self._extension(stand_in, [*stand_in.messages, *conversation], offered)
        except Exception:
            return None  # the template rejects the conversation; rendering it whole gives the reason, or succeeds

    def _extension(self, stand_in: _StandIn, conversation: list[JSON], tools: list[JSON] | None) -> list[int] | None:
        """Returns the ids after the substitute in a conversation that begins with it, or None if the substitute is not
        rendered as it is alone."""
        tails = stand_in.tails
        if not tails.known or (ids := tails.ids(self._write(conversation, tools))) is None:
            rendered = self._render(conversation, tools, prompt=True)
            end = stand_in.end_in(rendered, self)
            if end < 0:
                return None
            if tails.wanted:
                tails.learn(self._write(conversation, tools), rendered, end)
            ids = rendered[end:]
        return ids[1:] if ids[0] in self.closing_ids else ids

    def write(self, message: JSON, tools: Sequence[JSON]) -> list[int]:
        """Returns the ids that sampling this message of the assistant would give: from the generation prompt to the end
        of the message. For the scripts of smoke runs only; a sampled message is never written again."""
        prompt, whole = self.rendered(message, tools)
        if not self.closing_ids:
            whole = self._with_next_start(message, tools, whole)
        ends = [i for i, id in enumerate(whole) if id in self.end_ids]
        if whole[: len(prompt)] != prompt or not ends or ends[-1] < len(prompt):
            raise GenerateError(
                "aborted",
                "the chat template does not write a message of the assistant behind its own generation prompt: it renders "
                f"{self.decode(prompt)!r} as the prompt and {self.decode(whole)!r} with the message",
            )
        return whole[len(prompt) : ends[-1] + 1]

    def _with_next_start(self, message: JSON, tools: Sequence[JSON], whole: list[int]) -> list[int]:
        following = _message("tool" if message.get("tool_calls") else "user")
        conversation = [_message("user"), self._for_template(message), following]
        return self._render(conversation, self._offered(tools), prompt=False)[: len(whole) + 1]

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

    def _find_ends(self) -> tuple[int, ...]:
        """Returns the closing ids, and puts the end id that the template writes first. A message must end with one of
        the end ids, because otherwise nothing can be extended and engines would not stop there."""
        conversation = [_message("user"), _message("assistant")]
        alone = self._render(conversation, None, prompt=False)
        try:
            followed = self._render([*conversation, _message("user")], None, prompt=False)
        except Exception:
            followed = []  # the template rejects the conversation
        end = max((i for i, id in enumerate(alone) if id in self.end_ids), default=-1)
        if _STAND_IN not in self.decode(alone[end + 1 :]):
            self.end_ids = alone[end], *(i for i in self.end_ids if i != alone[end])
            past = followed[end : end + 1] if followed[:end] == alone[:end] else []
            return *(i for i in past if i != alone[end] and self._ends_message(followed, i)), alone[end]
        if followed[: len(alone)] == alone and followed[len(alone)] in self.end_ids:
            return ()
        raise ValueError(
            f"the chat template ends a message of the assistant with none of the ids {list(self.end_ids)}: it renders "
            f"{self.decode(alone)!r}; say which ids end a message, end_ids=[...]"
        )

    def _ends_message(self, rendered: list[int], id: int) -> bool:
        """Reports whether an id comes right after the last message, the user's."""
        last = len(rendered) - 1 - rendered[::-1].index(id)
        return self.decode(rendered[:last]).endswith(_STAND_IN)

    def _needs_calls(self) -> bool:
        """Reports whether the template rejects or drops a tool's result if the message before it has no call."""
        if self._answers_need_calls is None:
            result = _message("tool") | {"content": _RESULT}
            try:
                rendered = self._render([_message("user"), _message("assistant"), result], None, prompt=True)
                self._answers_need_calls = _RESULT not in self.decode(rendered)
            except Exception:
                self._answers_need_calls = True
        return self._answers_need_calls

    def _wants_text_arguments(self) -> bool:
        """Reports whether the template takes the arguments of a call as JSON text (DeepSeek V3), not as a mapping."""
        self._text_arguments = False
        call = _message("assistant") | self._calling((_STAND_IN,))
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
            conversation, tools=tools or None, add_generation_prompt=prompt, tokenize=True, **self.kwargs
        )
        # transformers 5 returns a mapping, earlier versions a list.
        ids = out["input_ids"] if hasattr(out, "keys") else out
        return list(ids)

    def _write(self, conversation: list[JSON], tools: list[JSON] | None) -> str:
        """Returns the text that _render tokenizes, with the generation prompt."""
        return str(self.tokenizer.apply_chat_template(conversation, tools=tools or None, add_generation_prompt=True, tokenize=False, **self.kwargs))

    def _offered(self, tools: Sequence[JSON]) -> list[JSON] | None:
        if not tools:
            return None
        key = tools_key(tools)  # type: ignore[arg-type]
        known = self._tools.get(key)
        if known is None:
            known = _remember(self._tools, key, [tool_for_template(t) for t in tools])
        return known

    def _stand_in(self, key: Any, outline: tuple[str, ...], calls: tuple[str, ...] | None, tools: list[JSON] | None) -> _StandIn:
        """calls are the names of the calls that the new messages answer, or None if the template needs no calls."""
        known = self._stand_ins.get((key, outline, calls))
        if known is None:
            messages = [_message(role) for role in outline]
            if calls is not None:
                for message, following in zip(messages, outline[1:]):
                    if message["role"] == "assistant" and following == "tool":
                        message |= self._calling((_STAND_IN,))
                if calls:
                    messages[-1] |= self._calling(calls)
            alone = self._render(messages, tools, prompt=False)
            shown = calls[0] if calls else _STAND_IN
            known = _remember(self._stand_ins, (key, outline, calls), _StandIn(messages, alone, shown, self))
        return known

    def _calling(self, names: Sequence[str]) -> JSON:
        """Returns the parts of a message that calls tools. Its content is empty: some templates write that after the
        results, or as reasoning."""
        arguments: Any = "{}" if self._text_arguments else {}
        functions = [{"name": name, "arguments": arguments} for name in names]
        return {
            "content": "",
            "tool_calls": [{"id": _call_id(i), "type": "function", "function": f} for i, f in enumerate(functions)],
        }


def end_ids(model: str, eos: int) -> list[int]:
    """Returns the ids with which a model may end a message: the ids of its generation_config, if any, and eos, the
    tokenizer's. It needs transformers."""
    from transformers import GenerationConfig

    try:
        found = GenerationConfig.from_pretrained(model).eos_token_id
    except OSError:
        found = None
    return list(dict.fromkeys([*(found if isinstance(found, list) else [] if found is None else [found]), eos]))


class _StandIn:
    """A short conversation of given roles, and its ids."""

    def __init__(self, messages: list[JSON], ids: list[int], text: str, template: ChatTemplate) -> None:
        self.messages = messages
        self._text = text  # of the last message
        self._open = messages[-1]["role"] == "assistant"
        ends = [i + 1 for i, id in enumerate(ids) if id in template.bounds]
        ended = bool(ends) and text not in template.decode(ids[ends[-1] :])
        last = ends.pop() - 1 if ended and self._open else len(ids)
        self._fixed = ids[: ends[-1]] if ends else []
        self._after_text = self._after(template.decode(ids[len(self._fixed) : last]))
        self._supported = self._open or ended
        self._shown: list[int] | None = None  # ids found to hold the last message
        self.tails = Tails(template.tokenizer)

    def end_in(self, rendered: list[int], template: ChatTemplate) -> int:
        """Returns the position of the conversation's last end in a rendering that continues, or -1 if it is not
        rendered as it is alone."""
        start = len(self._fixed)
        if not self._supported or rendered[:start] != self._fixed:
            return -1
        if not self._open:
            return start - 1
        end = next((i for i in range(start, len(rendered)) if rendered[i] in template.bounds), -1)
        return end if end >= 0 and self._is_shown(rendered[start:end], template) else -1

    def _is_shown(self, ids: list[int], template: ChatTemplate) -> bool:
        """Reports whether these ids are the last message. They nearly always equal the previous call's."""
        if ids != self._shown:
            if self._after(template.decode(ids)) != self._after_text:
                return False
            self._shown = ids
        return True

    def _after(self, written: str) -> str | None:
        """Returns what follows the text of the last message, or None without the text. If it differs from the message
        alone, the next message starts without an end."""
        _, found, after = written.rpartition(self._text)
        return after.strip() if found else None


def _remember(cache: dict[Any, Any], key: Any, value: Any) -> Any:
    if len(cache) >= _MAX_CACHED:
        cache.clear()  # a workload with so many outlines gains nothing from a cache
    cache[key] = value
    return value


def _message(role: str) -> JSON:
    message: JSON = {"role": role, "content": _STAND_IN}
    if role == "tool":
        message |= {"tool_call_id": _call_id(0), "name": _STAND_IN}
    return message


def _call_id(number: int) -> str:
    return f"call{number:05}"  # some templates require nine letters and digits
