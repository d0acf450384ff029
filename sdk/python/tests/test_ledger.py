"""The ledger beyond its vectors: random histories, errors of engines, and the cost of a turn."""

from __future__ import annotations

import random
import unittest
from typing import Any

from awhost_bridge import ChatTemplate, EpisodeResult, GenerateError, Ledger, LedgerError
from awhost_bridge.chain import Chain, Runs, ids_of
from awhost_bridge.ledger import Call, _common
from awhost_bridge.wire import generate_request

from .toy import CONTROLS, END, Toy, text_of
from .toy import ids_of as toy_ids

JSON = dict[str, Any]


def user(text: str) -> JSON:
    return {"role": "ROLE_USER", "content": [{"text": text}]}


def request(*messages: JSON, chain: str = "", base: int = 0, **more: Any) -> JSON:
    body = {"episode_id": "e", "call_id": "k", "attempt": 1, "chain": chain, "base": base, "messages": list(messages), "trainable": True}
    return generate_request(body | more)


def sample(call: Call, text: str = "x<|end|>", **options: Any) -> JSON:
    ids = toy_ids(text)
    return call.sampled(ids, [-0.5] * len(ids), **({"versions": [(1, len(ids))]} | options))


class RandomToy(Toy):
    """A random template, whose renderings of messages never depend on others."""

    def __init__(self, draw: random.Random) -> None:
        super().__init__()
        marks = ["", "\n", " ", "[", "]", "::", "é"]
        self.before = {role: draw.choice(marks) for role in ("system", "user", "assistant", "tool")}
        self.after = draw.choice(marks)
        self.start = draw.choice(["", "<s>", "<|system|>You help.<|end|>\n"])
        self.prompt = draw.choice(["", "\n", "<think>"])

    def render(self, conversation: list[JSON], tools: list[JSON] | None, prompt: bool) -> str:
        out = self.start + ("T:" + ",".join(t["function"]["name"] for t in tools) if tools else "")
        for m in conversation:
            opened = self.prompt if m["role"] == "assistant" else ""
            out += f"<|{m['role']}|>{self.before[m['role']]}{opened}{m['content']}<|end|>{self.after}"
        return out + (f"<|assistant|>{self.before['assistant']}{self.prompt}" if prompt else "")


class PropertyTest(unittest.TestCase):
    def test_rendering_from_scratch_gives_the_ids_of_the_ledger(self) -> None:
        """Holds whenever no history is rewritten: for any roles, contents, tools, forks, and end tokens cut by a
        limit."""
        for seed in range(300):
            with self.subTest(seed=seed):
                self.conversation(random.Random(seed))

    def conversation(self, draw: random.Random) -> None:
        toy = RandomToy(draw)
        ledger = Ledger(ChatTemplate(toy))
        tools = [{"name": n} for n in draw.choice(["", "a", "ab"])]
        chain, history = "", []
        for turn in range(draw.randrange(1, 7)):
            new = [self.message(draw, ["system", "user", "tool", "assistant"] if not turn else ["user", "tool"]) for _ in range(draw.randrange(1, 4))]
            base = len(history)
            if turn and draw.random() < 0.3:
                base = draw.choice([i + 1 for i, (_, sampled) in enumerate(history) if sampled])
            fork = base < len(history)
            history = history[:base] + [(m, False) for m in new]
            call = ledger.extend(request(*new, chain=chain, base=base, tools=tools))
            self.assertEqual("FORK" if fork else "", call.drift)
            shown = [{"role": m["role"][5:].lower(), "content": m["content"][0]["text"]} for m, _ in history]
            scratch = toy.render(shown, [{"function": t} for t in tools], prompt=True)
            self.assertEqual(scratch, text_of(call.prompt_ids))
            text = self.text(draw)
            answer = sample(call, text + draw.choice(["<|end|>", ""]), message=None)
            self.assertEqual(len(history) + 1, answer["chain_length"])
            chain = answer["chain"]
            history.append(({"role": "ROLE_ASSISTANT", "content": [{"text": text}]}, True))

    def message(self, draw: random.Random, roles: list[str]) -> JSON:
        return {"role": "ROLE_" + draw.choice(roles).upper(), "content": [{"text": self.text(draw)}]}

    def text(self, draw: random.Random) -> str:
        return "".join(draw.choices("ab é\n日<", k=draw.randrange(6)))

    def test_runs(self) -> None:
        draw = random.Random(3)
        for _ in range(500):
            flat: list[int] = []
            runs = Runs()
            for _ in range(draw.randrange(8)):
                value, count = draw.randrange(3), draw.randrange(4)
                flat += [value] * count
                runs.append(value, count)
            cut = draw.randrange(len(flat) + 1)
            runs.cut(cut)
            self.assertEqual(flat[:cut], [v for v, n in runs for _ in range(n)])
            self.assertTrue(all(n > 0 for _, n in runs), list(runs))

    def test_common(self) -> None:
        draw = random.Random(4)
        for _ in range(500):
            a, b = ([draw.randrange(2) for _ in range(draw.randrange(9))] for _ in "ab")
            expected = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
            self.assertEqual(expected, _common(ids_of(a), ids_of(b)))


class EngineTest(unittest.TestCase):
    """An engine's mistake is an error, and changes nothing."""

    def test_bad_answers(self) -> None:
        ledger = Ledger(ChatTemplate(Toy()))
        first = sample(ledger.extend(request(user("a"))))
        for ids, logprobs, versions, finish, says in (
            ([1, 2], [-1.0], [(1, 2)], "stop", "2 ids and 1 log-probabilities"),
            ([1], [float("nan")], [(1, 1)], "stop", "not finite"),
            ([1], [float("-inf")], [(1, 1)], "stop", "not finite"),
            ([1], None, [(1, 1)], "stop", "a trainable call needs"),
            ([1, 2], [-1.0, -1.0], [(1, 1)], "stop", "do not cover 2 ids"),
            ([1, 2], [-1.0, -1.0], [(1, 3), (2, -1)], "stop", "do not cover"),
            ([1], [-1.0], [(1, 1)], "aborted", "no finish reason"),
        ):
            with self.subTest(says):
                call = ledger.extend(request(user("b"), chain=first["chain"], base=2))
                with self.assertRaisesRegex(ValueError, says):
                    call.sampled(ids, logprobs, versions=versions, finish=finish)
        second = sample(ledger.extend(request(user("b"), chain=first["chain"], base=2)))
        self.assertEqual(4, second["chain_length"])

    def test_two_calls_on_one_chain(self) -> None:
        ledger = Ledger(ChatTemplate(Toy()))
        first = sample(ledger.extend(request(user("a"))))
        calls = [ledger.extend(request(user(t), chain=first["chain"], base=2)) for t in "bc"]
        sample(calls[0])
        with self.assertRaisesRegex(GenerateError, "extended by another call meanwhile"):
            sample(calls[1])
        with self.assertRaisesRegex(LedgerError, "already sampled"):
            sample(calls[0])

    def test_calls_of_several_chains_at_once(self) -> None:
        ledger = Ledger(ChatTemplate(Toy()))
        calls = [ledger.extend(request(user(t), agent=t)) for t in "ab"]
        answers = [sample(c, f"{t}<|end|>") for c, t in zip(reversed(calls), "BA")]
        self.assertEqual(2, len({a["chain"] for a in answers}))
        rows = ledger.rows(EpisodeResult.parse({"attempt": 1, "chains": [{"chain": a["chain"], "train": True, "reward": 0.5} for a in answers]}))
        self.assertEqual(["b", "a"], [r.agent for r in rows])
        self.assertEqual([0.5, 0.5], [r.reward for r in rows])

    def test_an_attempt_that_is_over_cannot_be_sampled(self) -> None:
        ledger = Ledger(ChatTemplate(Toy()))
        old = ledger.extend(request(user("a")))
        sample(ledger.extend(request(user("a"), attempt=2)))
        with self.assertRaisesRegex(GenerateError, "later attempt"):
            sample(old)

    def test_rows_name_the_calls_of_their_turns(self) -> None:
        ledger = Ledger(ChatTemplate(Toy()))
        first = sample(ledger.extend(request(user("a"), call_id="one")))
        sample(ledger.extend(request(user("b"), chain=first["chain"], base=2, call_id="two")))
        (row,) = ledger.rows(EpisodeResult.parse({"attempt": 1, "chains": [{"chain": first["chain"], "train": True}]}))
        self.assertEqual({0: "one", 1: "two"}, {t: row.call_ids[t] for t in row.turn_ids if t >= 0})
        self.assertEqual(row.trained, sum(row.loss_mask))
        self.assertEqual({len(row.ids)}, {len(x) for x in (row.loss_mask, row.logprobs, row.versions, row.turn_ids)})

    def test_what_a_validation_said_is_shown_and_never_trained(self) -> None:
        ledger = Ledger(ChatTemplate(Toy()))
        first = sample(ledger.extend(request(user("a"), trainable=False)), "said<|end|>")
        result = EpisodeResult.parse({"attempt": 1, "chains": [{"chain": first["chain"], "train": False}]})
        self.assertEqual([], ledger.rows(result))
        row = ledger.shown(result)
        assert row is not None
        self.assertEqual(toy_ids("said<|end|>"), [i for i, turn in zip(row.ids, row.turn_ids) if turn >= 0])
        self.assertEqual(0, sum(row.loss_mask))
        self.assertIsNone(ledger.shown(EpisodeResult.parse({"attempt": 2, "chains": [{"chain": first["chain"], "train": False}]})))

    def test_messages_are_read_from_ids(self) -> None:
        ledger = Ledger(ChatTemplate(Toy()))
        text = '<think>hm</think>ok<tool_call>{"name":"calc","arguments":{"a":1}}</tool_call><|end|>'
        answer = sample(ledger.extend(request(user("a"), user("b"), tools=[{"name": "calc"}])), text)
        self.assertEqual(
            {"role": "ROLE_ASSISTANT", "reasoning": "hm", "content": [{"text": "ok"}],
             "tool_calls": [{"id": "call_3_0", "name": "calc", "arguments_json": '{"a":1}'}]},
            answer["message"],
        )  # fmt: skip
        self.assertEqual("FINISH_REASON_TOOL_CALLS", answer["finish_reason"])

    def test_a_cut_call_is_not_carried_out(self) -> None:
        ledger = Ledger(ChatTemplate(Toy()))
        answer = sample(ledger.extend(request(user("a"), tools=[{"name": "calc"}])), '<tool_call>{"name":"calc","arguments":{}}</tool_call>', finish="length")
        self.assertEqual("FINISH_REASON_LENGTH", answer["finish_reason"])

    def test_stop_ids_are_no_text(self) -> None:
        ledger = Ledger(ChatTemplate(Toy()))
        answer = ledger.extend(request(user("a"))).sampled([120, 33], [-1, -1], versions=[(1, 2)], stop_ids=[33])
        self.assertEqual([{"text": "x"}], answer["message"]["content"])
        answer = sample(ledger.extend(request(user("a"))), "x<|end|><|end|>")
        self.assertEqual([{"text": "x<|end|>"}], answer["message"]["content"])


class CostTest(unittest.TestCase):
    def test_a_turn_renders_what_is_new(self) -> None:
        """A turn with ten times as much history renders and hashes the same amount."""
        costs = []
        for size in (10_000, 100_000):
            toy = Toy()
            ledger = Ledger(ChatTemplate(toy))
            answer = sample(ledger.extend(request(user("x" * size))))
            for turn in range(3):
                toy.rendered = 0
                answer = sample(ledger.extend(request(user("go on"), chain=answer["chain"], base=answer["chain_length"])))
            costs.append(toy.rendered)
        self.assertEqual(costs[0], costs[1])
        self.assertLess(costs[0], 200)

    def test_a_cut_is_as_if_it_had_never_been(self) -> None:
        draw = random.Random(5)
        for _ in range(50):
            chain, flat = Chain("c", 1, "", []), []
            for _ in range(4):
                new = [draw.randrange(300) for _ in range(draw.randrange(5))]
                if draw.random() < 0.5:
                    chain.append(ids_of(new))
                else:
                    chain.append_sampled(ids_of(new), [-1.0] * len(new), [(2, len(new))], "k")
                flat += new
            keep = draw.randrange(len(flat) + 1)
            chain.cut(keep)
            other = Chain("d", 1, "", [])
            other.append(ids_of(flat[:keep]))
            self.assertEqual(other.digest(), chain.digest())
            self.assertEqual(sum(chain.mask), chain.trained)
            self.assertEqual({keep}, {len(chain.ids), len(chain.mask), len(chain.logprobs), sum(n for _, n in chain.versions), sum(n for _, n in chain.turns)})


class ToyTest(unittest.TestCase):
    def test_text_and_ids(self) -> None:
        self.assertEqual(list("é".encode()) + [END], toy_ids("é<|end|>"))
        self.assertEqual("".join(CONTROLS) + "é", text_of(toy_ids("".join(CONTROLS) + "é")))
