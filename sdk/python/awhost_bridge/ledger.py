"""The ledger of an episode: its conversations as tokens, and the training rows that they become.

Sampled ids are only ever appended, and no text is tokenized twice. A call is a draft until it is sampled:

    call = ledger.extend(request)                       # GenerateRequest; GenerateError when there is no room
    ids, logprobs = await engine(call.prompt_ids)
    return call.sampled(ids, logprobs, versions=[(step, len(ids))], finish="stop")   # GenerateResponse
"""

from __future__ import annotations

import json
import math
from array import array
from functools import cached_property
from dataclasses import dataclass
from itertools import chain as concat
from itertools import repeat
from typing import Final, Iterable, Protocol, Sequence

from . import constraints
from . import messages as words
from .chain import Chain, ids_of
from .codec import Codec, Sample, choose, identity
from .errors import GenerateError, LedgerError
from .result import EpisodeResult
from .template import ChatTemplate
from .wire import JSON, encode

_TAIL: Final = 16  # ids that contain a generation prompt's <think>
_FINISH: Final = {"stop": "FINISH_REASON_STOP", "length": "FINISH_REASON_LENGTH", "tool_calls": "FINISH_REASON_TOOL_CALLS"}


class Template(Protocol):
    """Converts messages to tokens. Messages and tools are in proto JSON; errors are GenerateErrors."""

    @property
    def end_ids(self) -> Sequence[int]:
        """Returns the ids that end a sampled message."""
        ...

    @property
    def closing_ids(self) -> Sequence[int]:
        """Returns the ids that the template writes after a message; the first one is added to a message that a limit
        cut. They are empty if a message ends where the next one starts."""
        ...

    def open(self, messages: Sequence[JSON], tools: Sequence[JSON]) -> Sequence[int]:
        """Renders a conversation from its start, with the generation prompt."""
        ...

    def extend(self, outline: tuple[str, ...], messages: Sequence[JSON], tools: Sequence[JSON]) -> Sequence[int] | None:
        """Renders the ids after the last end of a message in a conversation of these roles: the messages and the
        generation prompt. If that end is not a closing id, it comes first. Returns None if the template cannot be
        extended there."""
        ...

    def decode(self, ids: Sequence[int]) -> str:
        """Returns the text, including control tokens."""
        ...

    def thinks(self, prompt: Sequence[int]) -> bool:
        """Reports whether a prompt that ends with these ids has an open <think>."""
        ...


@dataclass(frozen=True)
class Row:
    """A chain as a training row: lists of one length."""

    chain: str
    agent: str
    reward: float | None  # of this chain; None: the episode's
    ids: list[int]
    loss_mask: list[int]  # 1: sampled by the policy, to be trained; not if a grammar allowed no other id
    logprobs: list[float]  # 0 if the mask is 0
    version_runs: list[tuple[int, int]]  # (policy version, tokens); -1 for ids that were not sampled
    turn_ids: list[int]  # the turn that sampled it, from 0; -1 elsewhere
    call_ids: list[str]  # of each turn: they identify turn rewards
    prompt_length: int  # ids before the first sampled one
    trained: int  # ids with mask 1
    digest: str

    @property
    def versions(self) -> list[int]:
        """Returns the policy version of each id; -1 for ids that were not sampled."""
        return _expand_runs(self.version_runs)


class Ledger:
    """The chains of one episode. It is not thread-safe; calls of different chains may overlap."""

    def __init__(
        self, template: Template, *, max_context: int | None = None, tool_format: str = "auto",
        reasoning_format: str = "auto",
    ) -> None:
        self.template = template
        self.max_context = max_context
        self._formats = tool_format, reasoning_format
        self.codec = choose(template, *self._formats)
        self._chains: dict[str, Chain] = {}
        self._opened = 0
        self._attempt = 0

    def extend(self, request: JSON) -> Call:
        """Renders the new messages of a GenerateRequest for its chain. Nothing changes until the call is sampled."""
        call = self._draft(request)
        call._render()
        call._check_room()
        return call

    def observe(self, request: JSON, prompt_ids: Sequence[int]) -> Call:
        """Works like extend, for an engine that renders itself and reports its prompt ids."""
        return self._draft(request).observed(prompt_ids)

    def rows(self, result: EpisodeResult) -> list[Row]:
        """Returns the rows that a result trains, in the order of its chains."""
        rows = []
        for listed in result.chains:
            if not listed.train:
                continue
            known = self._chains.get(listed.chain)
            if known is None or known.attempt != result.attempt:
                raise LedgerError(
                    f"the result of episode {result.episode_id} lists chain {listed.chain} of attempt {result.attempt}, which this ledger "
                    "does not hold: the episode was sampled elsewhere, or before the adapter restarted; do not train it"
                )
            if known.trained:
                rows.append(_row(known, listed.reward))
        return rows

    def main_row(self, result: EpisodeResult) -> tuple[Row | None, int]:
        """Returns the row with the most trained ids, the earlier of equal ones, and the number of trained ids in the
        others. For frameworks that take one row per episode."""
        rows = self.rows(result)
        if not rows:
            return None, 0
        main = max(rows, key=lambda r: r.trained)
        return main, sum(r.trained for r in rows) - main.trained

    def shown(self, result: EpisodeResult) -> Row | None:
        """Returns the last chain of a result with sampled ids, trained or not, to show the contents of an episode. Its
        loss_mask marks ids that may be trained; turn_ids mark sampled ids. None means that nothing was sampled here."""
        for listed in reversed(result.chains):
            known = self._chains.get(listed.chain)
            if known is not None and known.attempt == result.attempt and known.call_ids:
                return _row(known, listed.reward)
        return None

    def _draft(self, request: JSON) -> Call:
        attempt, name, base = request["attempt"], request["chain"], request["base"]
        if attempt < self._attempt:
            raise GenerateError("aborted", f"the request is of attempt {attempt} of the episode, which is at attempt {self._attempt}")
        if not name:
            if base:
                raise GenerateError("aborted", f"a new chain has no messages, and the request goes on after {base}")
            return Call(self, request, None)
        known = self._chains.get(name)
        if known is None:
            raise GenerateError("aborted", f"episode {request['episode_id']} has no chain {name}")
        if known.attempt != attempt:
            raise GenerateError("aborted", f"chain {name} is of attempt {known.attempt} of the episode, the request of attempt {attempt}")
        if not 0 <= base <= len(known.messages):
            raise GenerateError("aborted", f"chain {name} has {len(known.messages)} messages, the request goes on after {base}")
        return Call(self, request, known)

    def _reader(self, request: JSON) -> tuple[Template, Codec]:
        """Returns the template with the request's arguments, and its codec."""
        if not request.get("chat_template_kwargs_json"):
            return self.template, self.codec
        if not isinstance(self.template, ChatTemplate):
            raise GenerateError("refused", "the template takes no chat_template_kwargs")
        template = self.template.of(request)
        return template, choose(template, *self._formats)

    def _name(self, request: JSON) -> str:
        self._opened += 1
        return f"{request['episode_id']}/a{request['attempt']}/c{self._opened}"

    def _keep(self, kept: Chain) -> None:
        """Adds a chain. Chains of an earlier attempt are dropped: nothing of them will be trained."""
        if kept.attempt > self._attempt:
            self._attempt = kept.attempt
            self._chains = {}
        self._chains[kept.name] = kept


class Call:
    """A draft: the additions of a request to a chain."""

    def __init__(self, ledger: Ledger, request: JSON, source: Chain | None) -> None:
        self._ledger = ledger
        self._request = request
        self._template, self._codec = ledger._reader(request)
        self._source = source  # the chain that is extended or forked
        self._source_length = len(source) if source is not None else 0
        self._kept = 0  # ids of the source that are kept
        self._kept_messages = 0  # messages whose ends are known in the kept ids
        self._named = ""  # the name of a separate chain
        self._suffix: array[int] = array("i")
        self._closing = 0  # ids at the start of suffix that end a message cut by a limit
        self._open = True
        self.drift = ""  # "", "CLEAN", "REALIGN", "FORK"
        self.chain = ""

    @property
    def prompt_length(self) -> int:
        return self._kept + len(self._suffix)

    @property
    def prompt_ids(self) -> list[int]:
        """Returns the ids that the engine must continue, as a new list: the cost is the length of the conversation."""
        if self._source is None:
            return self._suffix.tolist()
        return self._source.ids[: self._kept].tolist() + self._suffix.tolist()

    @property
    def room(self) -> int | None:
        """Returns the number of ids that may be sampled, or None if the ledger has no limit."""
        limit = self._ledger.max_context
        return None if limit is None else max(0, limit - self.prompt_length)

    @cached_property
    def grammar(self) -> constraints.Grammar | None:
        """Returns the grammar that the engine must follow, or None if the request has no decoding constraints. sampled
        checks it, and masks ids that had no alternative."""
        return constraints.grammar(self._template, self._codec, self._request, self._suffix[-_TAIL:].tolist())

    def observed(self, prompt_ids: Sequence[int]) -> Call:
        """Takes the ids that an engine rendered for the conversation, instead of those rendered here."""
        prompt, source = ids_of(prompt_ids), self._source
        self._closing = 0
        if source is None:
            self._fork(prompt, "")
        elif self._request["base"] < len(source.messages):
            self._fork(prompt, "FORK")
        else:
            same = _common(source.ids, prompt)
            if same < source.last_sampled:
                self._fork(prompt, "FORK")
            else:
                self._align(source, same, prompt[same:])
        self._check_room()
        return self

    def sampled(
        self,
        ids: Sequence[int],
        logprobs: Sequence[float] | None,
        *,
        versions: Iterable[tuple[int, int]],
        finish: str = "stop",
        message: JSON | None = None,
        stop_ids: Iterable[int] | None = None,
    ) -> JSON:
        """Commits the call and returns its GenerateResponse.

        logprobs are natural logarithms under the sampling distribution, without the call's grammar, one per id; they may
        be None for a call that is not trainable. versions are (policy version, ids) runs that cover the ids. If message
        is not given, it is parsed from the ids, without the last one if that is one of stop_ids (the template's end ids
        by default).
        """
        new = ids_of(ids)
        runs = [(int(version), int(count)) for version, count in versions]
        self._check(new, logprobs, runs, finish)
        if message is None:
            message = self._message(new, stop_ids)
        forced = self.grammar.forced(new) if self.grammar is not None else ()
        kept = self._commit(new, logprobs, runs, message, forced)
        return self._response(kept, new, runs, finish, message)

    # Rendering of the draft.

    def _render(self) -> None:
        request, source = self._request, self._source
        if source is None:
            return self._fork(ids_of(self._template.open(request["messages"], request["tools"])), "")
        base = request["base"]
        plain = base == len(source.messages)
        if request["tools"] != source.tools:
            return self._render_again(base)  # the opening shows the tools: the model would not receive others
        end = len(source) if plain else source.ends[base - 1] if base else -1
        if end < 0:
            return self._render_again(base)
        suffix = self._template.extend(_outline(source, base), request["messages"], source.tools)
        if suffix is None:
            return self._render_again(base)
        template = self._template
        last = source.ids[end - 1] if end else -1
        closing: list[int] = []
        if suffix and last == suffix[0] and last in template.end_ids:
            suffix = suffix[1:]  # the sampled end starts the next message
        elif source.sampled[base - 1] and last not in template.end_ids and not _starts_with_end(suffix, template):
            closing = [template.closing_ids[0]]  # a limit cut the message
        self._append(end, ids_of(concat(closing, suffix)), "" if plain else "FORK")
        self._closing = len(closing)

    def _render_again(self, base: int) -> None:
        assert self._source is not None
        messages = [*map(json.loads, self._source.messages[:base]), *self._request["messages"]]
        self._fork(ids_of(self._template.open(messages, self._request["tools"])), "FORK")

    def _align(self, source: Chain, same: int, suffix: array[int]) -> None:
        """Continues the source, whose ids from `same` on differ from the engine's."""
        self._append(same, suffix, "CLEAN" if same == len(source) else "REALIGN")
        while self._kept_messages and not 0 <= source.ends[self._kept_messages - 1] <= same:
            self._kept_messages -= 1
        ends = self._template.end_ids
        if self.drift == "CLEAN" and source.ids[-1] not in ends and suffix and suffix[0] in ends:
            self._closing = 1

    def _fork(self, ids: array[int], drift: str) -> None:
        """Starts a separate chain that shares nothing."""
        self._kept, self._suffix, self.drift = 0, ids, drift
        self._kept_messages = 0
        self.chain = self._own_name()

    def _append(self, kept: int, suffix: array[int], drift: str) -> None:
        """Continues after the first ids of the source: in it, or as a separate chain."""
        assert self._source is not None
        self._kept, self._suffix, self.drift = kept, suffix, drift
        self._kept_messages = self._request["base"]
        self.chain = self._own_name() if drift == "FORK" else self._source.name

    def _own_name(self) -> str:
        if not self._named:
            self._named = self._ledger._name(self._request)
        return self._named

    def _check_room(self) -> None:
        if self.room == 0:
            raise GenerateError(
                "context_full", f"the conversation has {self.prompt_length} tokens, and the context takes {self._ledger.max_context}"
            )

    # Commit.

    def _check(self, ids: array[int], logprobs: Sequence[float] | None, runs: list[tuple[int, int]], finish: str) -> None:
        if finish not in _FINISH:
            raise ValueError(f"there is no finish reason {finish!r}, only {', '.join(_FINISH)}")
        if logprobs is None:
            if self._request["trainable"]:
                raise ValueError("a trainable call needs the log-probabilities of its ids")
        elif len(logprobs) != len(ids):
            raise ValueError(f"the engine gave {len(ids)} ids and {len(logprobs)} log-probabilities")
        elif not all(map(math.isfinite, logprobs)):
            raise ValueError("the engine gave a log-probability that is not finite")
        counts = [count for _, count in runs]
        if sum(counts) != len(ids) or (counts and min(counts) < 0):
            raise ValueError(f"the policy versions {runs} do not cover {len(ids)} ids")
        if not self._open:
            raise LedgerError("this call was already sampled")
        source = self._source
        if source is not None and self.chain == source.name and len(source) != self._source_length:
            raise GenerateError("aborted", f"chain {source.name} was extended by another call meanwhile")
        if self._request["attempt"] < self._ledger._attempt:
            raise GenerateError("aborted", "a later attempt of the episode has begun meanwhile")

    def _message(self, ids: array[int], stop_ids: Iterable[int] | None) -> JSON:
        template = self._template
        stops = template.end_ids if stop_ids is None else tuple(stop_ids)
        shown = ids[:-1] if ids and ids[-1] in stops else ids
        position = self._request["base"] + len(self._request["messages"]) + 1
        text = template.decode(shown.tolist())
        thinking = "</think>" in text and template.thinks(self._suffix[-_TAIL:].tolist())
        end = ids[len(shown) :]
        return self._codec.parse(Sample(shown, text, self._request["tools"], self._suffix, end, position, thinking))

    def _commit(
        self, ids: array[int], logprobs: Sequence[float] | None, runs: list[tuple[int, int]], message: JSON,
        forced: Sequence[bool],
    ) -> Chain:
        target = self._target()
        start = len(target)
        target.append(self._suffix)
        new = self._request["messages"]
        pending = len(target.messages) - self._kept_messages  # of a conversation that was rendered again
        target.messages.extend(map(encode, new))
        target.roles.extend(map(words.role, new))
        target.sampled.extend(repeat(False, len(new)))
        target.ends.extend(repeat(-1, len(new)))
        self._place_ends(target, start + self._closing, pending + len(new))
        trained = logprobs if self._request["trainable"] else None
        target.append_sampled(ids, trained, runs, self._request["call_id"], forced)
        target.messages.append(encode(message))
        target.roles.append("assistant")
        target.sampled.append(True)
        target.ends.append(len(target))
        self._open = False
        self._ledger._keep(target)
        return target

    def _target(self) -> Chain:
        """Returns the chain to append to, cut to the kept ids."""
        source, request = self._source, self._request
        if source is not None and self.chain == source.name:
            source.cut(self._kept)
            return source
        fresh = Chain(self.chain, request["attempt"], request["agent"], request["tools"])
        if source is None:
            fresh.opening = len(request["messages"])
            return fresh
        base = request["base"]
        fresh.messages, fresh.roles = source.messages[:base], source.roles[:base]
        if not self._kept:  # rendered again: nothing in it was sampled here
            fresh.opening = base + len(request["messages"])
            fresh.sampled, fresh.ends = [False] * base, [-1] * base
            return fresh
        fresh.opening = source.opening if base > source.opening else base + len(request["messages"])
        fresh.sampled, fresh.ends = source.sampled[:base], source.ends[:base]
        fresh.append(source.ids[: self._kept])
        return fresh

    def _place_ends(self, target: Chain, start: int, count: int) -> None:
        """Finds the ends of the last `count` messages in the ids from start on. If each message has one end id, these
        are the positions; else only the last one is known, and a fork at another message renders again."""
        places = _places(target.ids, start, self._template.closing_ids)
        if not places or not count:
            return
        if len(places) == count:
            target.ends[len(target.ends) - count :] = places
        else:
            target.ends[-1] = places[-1]

    def _response(self, kept: Chain, ids: array[int], runs: list[tuple[int, int]], finish: str, message: JSON) -> JSON:
        if finish == "stop" and message.get("tool_calls"):
            finish = "tool_calls"
        response: JSON = {
            "message": message,
            "finish_reason": _FINISH[finish],
            "usage": {"prompt_tokens": self.prompt_length, "output_tokens": len(ids)},
            "versions": [{"version": version, "tokens": count} for version, count in runs],
            "chain": kept.name,
            "chain_length": len(kept.messages),
            "chain_digest": kept.digest(),
            **identity(self._codec),
        }
        if self._ledger.max_context is not None:
            response["remaining_tokens"] = max(0, self._ledger.max_context - len(kept))
        if self.drift:
            response["drift"] = f"DRIFT_{self.drift}"
        return response


def _starts_with_end(suffix: Sequence[int], template: Template) -> bool:
    return bool(suffix) and suffix[0] in template.end_ids


def _outline(source: Chain, base: int) -> tuple[str, ...]:
    """Returns the roles of the shortest conversation that ends as the first `base` messages do: the opening, one
    message for everything sampled, and the messages after the last sampled one."""
    if base <= source.opening:
        return tuple(source.roles[:base])
    last = base - 1
    while not source.sampled[last]:
        last -= 1
    return (*source.roles[: source.opening], "assistant", *source.roles[last + 1 : base])


def _places(ids: array[int], start: int, wanted: Sequence[int]) -> list[int]:
    """Returns the positions right after each wanted id from start on."""
    places = []
    for id in wanted:
        at = start
        try:
            while True:
                at = ids.index(id, at) + 1
                places.append(at)
        except ValueError:
            pass  # no further occurrence
    places.sort()
    return places


def _common(a: array[int], b: array[int]) -> int:
    """Returns the number of ids that two conversations share at their start."""
    most = min(len(a), len(b))
    if a[:most].tobytes() == b[:most].tobytes():
        return most
    low, high = 0, most  # equal up to low, not up to high
    while high - low > 1:
        middle = (low + high) // 2
        if a[low:middle].tobytes() == b[low:middle].tobytes():
            low = middle
        else:
            high = middle
    return low


def _row(source: Chain, reward: float | None) -> Row:
    first_turn, first_length = next(iter(source.turns))
    return Row(
        chain=source.name,
        agent=source.agent,
        reward=reward,
        ids=source.ids.tolist(),
        loss_mask=list(source.mask),
        logprobs=source.logprobs.tolist(),
        version_runs=list(source.versions),
        turn_ids=_expand_runs(source.turns),
        call_ids=list(source.call_ids),
        prompt_length=first_length if first_turn < 0 else 0,
        trained=source.trained,
        digest=source.digest(),
    )


def _expand_runs(runs: Iterable[Sequence[int]]) -> list[int]:
    return list(concat.from_iterable(repeat(value, count) for value, count in runs))
