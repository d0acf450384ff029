"""The sampler for trainers of transformers, on a model of random weights."""

from __future__ import annotations

import importlib.util
import types
import unittest
from typing import Any, Sequence
from unittest import mock

if importlib.util.find_spec("torch") is None:
    raise unittest.SkipTest("SKIPPED: the sampler needs torch and transformers; where a trainer is tested it is played in the trainer's Python")

import torch
from awhost_bridge import ChatTemplate, Message, Row
from awhost_bridge.hf import Played, Stage, sample
from transformers import Qwen2Config, Qwen2ForCausalLM

from .toy import Toy

PAD, END = 0, 1


def message(slot: int, prompt: list[int], **changes: Any) -> Message:
    return Message(**{"prompt": prompt, "max_tokens": 12, "temperature": 1.0, "top_p": None, "top_k": 0, "stop": [], "seed": 2**64 - 1 - slot, "slot": slot, "call_id": str(slot)} | changes)


class SamplerTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        torch.manual_seed(0)
        config = Qwen2Config(vocab_size=40, hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=64)
        cls.model = Qwen2ForCausalLM(config).eval()
        cls.model.lm_head.weight.data *= 40  # makes the distribution less uniform

    def sample(self, *messages: Message, ends: set[int] = frozenset({END})) -> tuple[Message, ...]:  # type: ignore[assignment]
        sample(self.model, list(messages), ends, PAD, lambda ids: "".join(chr(97 + i % 26) for i in ids))
        return messages

    def test_log_probabilities_are_those_of_the_whole_row(self) -> None:
        for m in self.sample(message(0, [5, 6, 7]), message(1, [9], temperature=0.7), message(2, [3] * 9, max_tokens=4)):
            with torch.no_grad():
                logits = self.model(torch.tensor([m.prompt + m.ids])).logits[0, len(m.prompt) - 1 : -1]
            want = torch.log_softmax(logits / m.temperature, -1).gather(1, torch.tensor(m.ids).unsqueeze(1))[:, 0]
            torch.testing.assert_close(torch.tensor(m.logprobs), want, atol=1e-4, rtol=0)
            self.assertEqual(len(m.ids), len(m.logprobs))

    def test_a_message_depends_on_its_seed_and_not_on_its_neighbours(self) -> None:
        alone, = self.sample(message(7, [5, 6, 7]))
        *_, among = self.sample(message(0, [1, 2]), message(1, [9] * 20, max_tokens=3), message(7, [5, 6, 7]))
        other, = self.sample(message(7, [5, 6, 7], seed=3))
        self.assertEqual(alone.ids, among.ids)
        self.assertNotEqual(alone.ids, other.ids)

    def test_it_draws_from_the_distribution(self) -> None:
        drawn = [m.ids[0] for m in self.sample(*(message(i, [5, 6, 7], max_tokens=1) for i in range(4000)))]
        with torch.no_grad():
            want = torch.softmax(self.model(torch.tensor([[5, 6, 7]])).logits[0, -1], -1)
        got = torch.bincount(torch.tensor(drawn), minlength=40) / len(drawn)
        self.assertLess((got - want).abs().max().item(), 0.04)

    def test_how_messages_end(self) -> None:
        everything = set(range(40))
        stopped, = self.sample(message(0, [5]), ends=everything)
        self.assertEqual((1, "stop"), (len(stopped.ids), stopped.finish))
        cut, short = self.sample(message(0, [5], max_tokens=6), message(1, [5], max_tokens=2), ends=set())
        self.assertEqual([(6, "length"), (2, "length")], [(len(m.ids), m.finish) for m in (cut, short)])
        text = "".join(chr(97 + i % 26) for i in cut.ids)
        halted, = self.sample(message(0, [5], max_tokens=6, stop=[text[1:3]]), ends=set())
        self.assertEqual((cut.ids[: text.index(text[1:3]) + 2], "stop"), (halted.ids, halted.finish))

    def test_greedy_top_k_and_top_p(self) -> None:
        with torch.no_grad():
            probabilities = torch.softmax(self.model(torch.tensor([[5, 6, 7]])).logits[0, -1], -1)
        ordered = probabilities.sort(descending=True)
        greedy, = self.sample(message(0, [5, 6, 7], temperature=0.0, max_tokens=1))
        self.assertEqual([ordered.indices[0]], greedy.ids)
        for change, most in ({"top_k": 2}, 2), ({"top_p": ordered.values[0].item() / 2}, 1), ({"top_p": 0.999999, "top_k": 3}, 3):
            drawn = {m.ids[0] for m in self.sample(*(message(i, [5, 6, 7], max_tokens=1, **change) for i in range(300)))}
            self.assertLessEqual(drawn, set(ordered.indices[:most].tolist()), change)

    def test_minus_one_is_all(self) -> None:
        weights = self.model.lm_head.weight.data
        kept = weights.clone()
        weights.mul_(0)  # makes all ids equally likely
        drawn = {m.ids[0] for m in self.sample(*(message(i, [5, 6, 7], max_tokens=1, top_p=1 - 1e-12, top_k=-1) for i in range(2000)))}
        weights.copy_(kept)
        self.assertEqual(set(range(40)), drawn)


class Taught(Stage):
    """One of two processes that have run four samples each."""

    def __init__(self, process: int, advantages: list[float], size: int) -> None:
        self.template, self.main, self.told = ChatTemplate(Toy()), True, []
        self.given = advantages
        place = types.SimpleNamespace(process_index=process)
        self.trainer = types.SimpleNamespace(num_generations=size, accelerator=place)
        self._played = [self.sample(4 * process + i) for i in range(4)]

    @staticmethod
    def sample(number: int) -> Any:
        row = Row("c", "", None, [number, 7], [0, 1], [0.0, -0.5], [(0, 2)], [-1, 0], [], 1, 1, "")
        episode: Any = types.SimpleNamespace(id=str(number))
        return Played(episode, None, None if number == 5 else row, 1.0)  # type: ignore[arg-type]

    def advantages(self) -> Sequence[float]:
        return self.given

    def loss_logprobs(self, number: int, row: Row) -> Sequence[float] | None:
        return None if row.ids[0] == 6 else [float("nan"), -float(number)]

    def _event(self, **event: Any) -> None:
        self.told += event["tokens"]["rows"]

    def tell(self) -> list[tuple[str, list[bool], Any, Any]]:
        with mock.patch("awhost_bridge.hf.stage.gather_object", lambda rows: rows):
            self._report_tokens(3)
        return [(r["episode_id"], r["trained"], r["trainer_logprobs"][1], r["advantages"][1]) for r in self.told]


class TokensTest(unittest.TestCase):
    """The reports of a group's tokens by each of two processes with four samples."""

    def test_the_first_group_that_teaches_something_is_told(self) -> None:
        advantages = [0.0, 0.0, 1.0, -1.0, 2.0, -2.0, 0.0, 0.0]
        told = [("2", [False, True], -2.0, 1.0), ("3", [False, True], -3.0, -1.0)]
        self.assertEqual(Taught(0, advantages, 2).tell(), told)
        self.assertEqual(Taught(1, advantages, 2).tell(), [])

    def test_a_group_that_processes_share_is_told_by_both(self) -> None:
        advantages = [0.0] * 6 + [1.0, -1.0]
        self.assertEqual([row[0] for row in Taught(0, advantages, 8).tell()], ["0", "1", "2", "3"])
        nothing = ("6", [False, False], "NaN", "NaN")  # the loss excludes it; 5 has no row
        told = [("4", [False, True], -0.0, 0.0), nothing, ("7", [False, True], -3.0, -1.0)]
        self.assertEqual(Taught(1, advantages, 8).tell(), told)

    def test_where_nothing_teaches_nothing_is_told(self) -> None:
        for advantages in ([0.0] * 8, []):
            self.assertEqual(Taught(0, advantages, 2).tell() + Taught(1, advantages, 2).tell(), [])


if __name__ == "__main__":
    unittest.main()
