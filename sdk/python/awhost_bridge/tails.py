"""Tokenizes only the new part of a rendering, if this is known to give the ids of the whole."""

from __future__ import annotations

from typing import Any, Final, Sequence

_MAX_OPENINGS: Final = 4


class Tails:
    """Renderings that share their beginning, up to the end of a message, and differ after it.

    A tokenizer of the library `tokenizers` splits a text at its control tokens first. The ids after a control token
    therefore do not depend on the text before it, and an opening with all its schemas of tools has to be tokenized only
    once. Only verified cases are used: each opening is tokenized whole the first time. If the tail alone gives other
    ids, or the end of a message is not such a token, everything is tokenized whole.
    """

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self._openings: list[tuple[str, int, str]] = []  # text up to an end of a message, its id, its text
        self._unsupported = not (getattr(tokenizer, "is_fast", False) and hasattr(tokenizer, "added_tokens_decoder") and callable(tokenizer))

    @property
    def known(self) -> bool:
        return bool(self._openings)

    @property
    def wanted(self) -> bool:
        return not self._unsupported and len(self._openings) < _MAX_OPENINGS

    def ids(self, text: str) -> list[int] | None:
        """Returns the ids from the end of the opening on in a rendering, or None if it has another beginning."""
        for opening, end, written in self._openings:
            if text.startswith(opening):
                return self._after(end, written, text[len(opening) :])
        return None

    def learn(self, text: str, rendered: Sequence[int], place: int) -> None:
        """Takes a rendering as text and as ids. The id at place ends the opening."""
        end = rendered[place]
        written = self._written(end)
        at = _place(text, written, rendered[: place + 1].count(end)) if written else -1
        if at < 0 or self._after(end, written, text[at:]) != rendered[place:]:
            self._unsupported = True
            return
        self._openings.append((text[:at], end, written))

    def _after(self, end: int, written: str, text: str) -> list[int] | None:
        # The end is included so that the text is not a beginning, before which tokenizers may put a space.
        ids = self._tokenizer(written + text, add_special_tokens=False)["input_ids"]
        return list(ids) if ids and ids[0] == end else None

    def _written(self, id: int) -> str:
        """Returns the text of a control token that is recognized wherever it is written; empty for any other id."""
        token = self._tokenizer.added_tokens_decoder.get(id)
        if token is None or token.normalized or token.single_word or token.lstrip or token.rstrip:
            return ""
        return str(token.content)


def _place(text: str, written: str, count: int) -> int:
    """Returns the position after the count-th occurrence of a token's text, or -1 if it occurs less often."""
    at = 0
    for _ in range(count):
        found = text.find(written, at)
        if found < 0:
            return -1
        at = found + len(written)
    return at
