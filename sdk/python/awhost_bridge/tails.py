"""Tokenising only what is new in a rendering, where that is known to give the ids of the whole."""

from __future__ import annotations

from typing import Any, Final, Sequence

_MOST_OPENINGS: Final = 4


class Tails:
    """Renderings that begin alike, up to the end of a message, and differ after it.

    A tokenizer of the library `tokenizers` takes a text apart at its control tokens before it looks at anything else. So the ids
    after one do not depend on what came before it, and an opening with all its schemas of tools needs to be tokenised once.
    Trusted is only what was seen: each opening is tokenised whole the first time, and where the tail alone gives other ids, or
    the end of a message is no such token, everything stays whole.
    """

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self._openings: list[tuple[str, int, str]] = []  # text up to an end of a message, the id of that, and how it is written
        self._hopeless = not (getattr(tokenizer, "is_fast", False) and hasattr(tokenizer, "added_tokens_decoder") and callable(tokenizer))

    @property
    def known(self) -> bool:
        return bool(self._openings)

    @property
    def wanted(self) -> bool:
        return not self._hopeless and len(self._openings) < _MOST_OPENINGS

    def ids(self, text: str) -> list[int] | None:
        """What follows the opening in a rendering; None where it begins in another way."""
        for opening, end, written in self._openings:
            if text.startswith(opening):
                return self._after(end, written, text[len(opening) :])
        return None

    def learn(self, text: str, rendered: Sequence[int], start: int) -> None:
        """Takes a rendering as text and as ids, of which those before start are the opening; the last of these ends a message."""
        end = rendered[start - 1]
        written = self._written(end)
        at = _place(text, written, rendered[:start].count(end)) if written else -1
        if at < 0 or self._after(end, written, text[at:]) != rendered[start:]:
            self._hopeless = True
            return
        self._openings.append((text[:at], end, written))

    def _after(self, end: int, written: str, text: str) -> list[int] | None:
        # The end goes with it, so that the text is no beginning: tokenizers may put a space before that.
        ids = self._tokenizer(written + text, add_special_tokens=False)["input_ids"]
        return list(ids[1:]) if ids and ids[0] == end else None

    def _written(self, id: int) -> str:
        """A control token that stands for itself wherever it is written; empty for any other id."""
        token = self._tokenizer.added_tokens_decoder.get(id)
        if token is None or token.normalized or token.single_word or token.lstrip or token.rstrip:
            return ""
        return str(token.content)


def _place(text: str, written: str, count: int) -> int:
    """Where the so-manieth time that something is written ends; -1: it is not written as often."""
    at = 0
    for _ in range(count):
        found = text.find(written, at)
        if found < 0:
            return -1
        at = found + len(written)
    return at
