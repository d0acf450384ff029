"""Tails of renderings, with tokenizers that allow them and tokenizers that do not."""

from __future__ import annotations

import types
import unittest
from typing import Any

from awhost_bridge.tails import Tails

END = 1


class Words:
    """A control token <end>, and an id for each other character. Counts the received characters."""

    is_fast = True

    def __init__(self, *, glued: bool = False, **flags: bool) -> None:
        token = {"content": "<end>", "normalized": False, "single_word": False, "lstrip": False, "rstrip": False} | flags
        self.added_tokens_decoder = {END: types.SimpleNamespace(**token)}
        self.glued = glued
        self.seen = 0

    def __call__(self, text: str, *, add_special_tokens: bool) -> dict[str, list[int]]:
        assert not add_special_tokens
        self.seen += len(text)
        first, *rest = text.split("<end>")
        ids = [ord(c) for c in first]
        for part in rest:
            ids += [END, *(ord(c) for c in part)]
        if self.glued:  # looks back over control tokens
            ids[-1] += len(text)
        return {"input_ids": ids}


def rendered(words: Any, text: str) -> list[int]:
    return list(words(text, add_special_tokens=False)["input_ids"])


class TailsTest(unittest.TestCase):
    def learn(self, words: Any, text: str) -> Tails:
        tails = Tails(words)
        ids = rendered(words, text)
        if tails.wanted:
            tails.learn(text, ids, ids.index(END, 3))
        return tails

    def test_only_what_follows_is_tokenised(self) -> None:
        words = Words()
        opening = "a<end>" + "b" * 1000 + "<end>"
        tails = self.learn(words, opening + "c")
        before = words.seen
        self.assertEqual([END, *rendered(Words(), "x<end>y")], tails.ids(opening + "x<end>y"))
        self.assertEqual(len("<end>x<end>y"), words.seen - before)
        self.assertEqual([END], tails.ids(opening))

    def test_another_opening_is_another(self) -> None:
        words = Words()
        tails = self.learn(words, "a<end>b<end>c")
        self.assertIsNone(tails.ids("a<end>B<end>c"))
        self.assertTrue(tails.wanted)
        ids = rendered(words, "a<end>B<end>c")
        tails.learn("a<end>B<end>c", ids, 3)
        self.assertEqual([END, ord("d")], tails.ids("a<end>B<end>d"))
        self.assertEqual([END, ord("d")], tails.ids("a<end>b<end>d"))

    def test_so_many_openings_and_no_more(self) -> None:
        words, tails = Words(), None
        for n in range(9):
            text = f"a<end>{n}<end>c"
            tails = tails or Tails(words)
            if tails.wanted:
                tails.learn(text, rendered(words, text), 3)
        assert tails is not None
        self.assertFalse(tails.wanted)
        self.assertEqual([None] * 5, [tails.ids(f"a<end>{n}<end>c") for n in range(4, 9)])

    def test_what_looks_back_is_not_trusted(self) -> None:
        slow = Words()
        slow.is_fast = False
        other = types.SimpleNamespace(is_fast=True)  # not a tokenizer of transformers
        self.assertFalse(Tails(other).wanted)
        unreliable = {"looks back": Words(glued=True), "slow": slow} | {flag: Words(**{flag: True}) for flag in ("normalized", "single_word", "lstrip", "rstrip")}
        for name, words in unreliable.items():
            with self.subTest(name):
                tails = self.learn(words, "a<end>b<end>c")
                self.assertFalse(tails.known)
                self.assertFalse(tails.wanted)

    def test_an_end_that_is_no_control_token(self) -> None:
        words = Words()
        words.added_tokens_decoder = {}
        self.assertFalse(self.learn(words, "a<end>b<end>c").known)


if __name__ == "__main__":
    unittest.main()
