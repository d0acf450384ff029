"""The ledger vectors, which the Go implementation also runs."""

from __future__ import annotations

import hashlib
import json
import pathlib
import struct
import unittest
from typing import Any

from awhost_bridge import ChatTemplate, EpisodeResult, GenerateError, Ledger, LedgerError
from awhost_bridge.ledger import Call, Row
from awhost_bridge.wire import generate_request

from .toy import ENDS, Toy, ids_of, text_of

VECTORS = pathlib.Path(__file__).parents[2] / "bridge" / "testdata" / "ledger"
JSON = dict[str, Any]


class VectorTest(unittest.TestCase):
    maxDiff = None

    def test_vectors(self) -> None:
        files = sorted(VECTORS.glob("*.json"))
        self.assertGreaterEqual(len(files), 23)
        for file in files:
            for mapping in (False, True):  # the result of apply_chat_template before and since transformers 5
                with self.subTest(file.stem, mapping=mapping):
                    Episode(self, json.loads(file.read_text("utf-8")), mapping).run()


class Episode:
    def __init__(self, test: unittest.TestCase, vector: JSON, mapping: bool) -> None:
        self.test = test
        self.vector = vector
        toy = Toy(vector["template"], mapping)
        template = ChatTemplate(toy, end_ids=ids_of(ENDS.get(toy.template, "<|end|>")))
        self.ledger = Ledger(template, max_context=vector.get("max_context"))
        self.names: dict[str, str] = {}

    def run(self) -> None:
        for number, operation in enumerate(self.vector["operations"]):
            with self.test.subTest(operation=number):
                self.operate(operation)
        self.compare_chains()
        for number, result in enumerate(self.vector["results"]):
            with self.test.subTest(result=number):
                self.compare_rows(result)

    def operate(self, operation: JSON) -> None:
        request = generate_request(dict(operation["request"]))
        request["chain"] = self.names.get(request["chain"], request["chain"])
        before = self.state()
        if "error" in operation:
            with self.test.assertRaises(GenerateError) as raised:
                self.draft(request, operation)
            self.test.assertEqual(operation["error"], raised.exception.body()["kind"])
            self.test.assertEqual(before, self.state())
            return
        call = self.draft(request, operation)
        self.test.assertEqual(before, self.state())
        self.test.assertEqual(operation["prompt"], text_of(call.prompt_ids))
        self.test.assertEqual(ids_of(operation["prompt"]), call.prompt_ids)
        self.test.assertEqual(len(call.prompt_ids), call.prompt_length)
        self.test.assertEqual(operation.get("drift", ""), call.drift)
        if not operation.get("failed"):
            self.sample(call, operation)

    def draft(self, request: JSON, operation: JSON) -> Call:
        if "observed" in operation:
            return self.ledger.observe(request, ids_of(operation["observed"]))
        return self.ledger.extend(request)

    def sample(self, call: Call, operation: JSON) -> None:
        sampled = operation["sampled"]
        ids = ids_of(sampled["text"])
        response = call.sampled(
            ids, sampled["logprobs"], versions=[(v, n) for v, n in sampled["versions"]], finish=sampled["finish"], message=sampled["message"]
        )
        known = self.names.setdefault(operation["chain"], response["chain"])
        self.test.assertEqual(known, response["chain"])
        self.test.assertEqual(call.chain, response["chain"])
        self.test.assertEqual(operation["chain_length"], response["chain_length"])
        self.test.assertEqual(digest(operation["prompt"] + sampled["text"]), response["chain_digest"])
        self.test.assertEqual({"prompt_tokens": len(ids_of(operation["prompt"])), "output_tokens": len(ids)}, response["usage"])
        self.test.assertEqual(f"DRIFT_{operation['drift']}" if "drift" in operation else None, response.get("drift"))
        if "remaining_tokens" in operation:
            self.test.assertEqual(operation["remaining_tokens"], response["remaining_tokens"])

    def state(self) -> dict[str, tuple[list[int], bytes]]:
        return {name: (chain.ids.tolist(), bytes(chain.mask)) for name, chain in self.ledger._chains.items()}

    def compare_chains(self) -> None:
        held = self.ledger._chains
        self.test.assertEqual(sorted(self.names[label] for label in self.vector["chains"]), sorted(held))
        for label, expected in self.vector["chains"].items():
            chain = held[self.names[label]]
            ids, mask, logprobs, versions, turns = spread(expected["segments"])
            self.test.assertEqual(text_of(ids), text_of(chain.ids.tolist()))
            self.test.assertEqual(ids, chain.ids.tolist())
            self.test.assertEqual(mask, list(chain.mask))
            self.test.assertEqual(logprobs, chain.logprobs.tolist())
            self.test.assertEqual(versions, unrun(list(chain.versions)))
            self.test.assertEqual(turns, unrun(list(chain.turns)))
            self.test.assertEqual(expected["digest"], chain.digest())
            self.test.assertEqual(sum(mask), chain.trained)

    def compare_rows(self, expected: JSON) -> None:
        listed = [c | {"chain": self.names.get(c["chain"], c["chain"])} for c in expected["chains"]]
        result = EpisodeResult.parse({"attempt": expected["attempt"], "chains": listed})
        if expected.get("error"):
            with self.test.assertRaises(LedgerError):
                self.ledger.rows(result)
            return
        rows = self.ledger.rows(result)
        found = [{"chain": self.label(r), "prompt_length": r.prompt_length, "trained": r.trained} for r in rows]
        self.test.assertEqual(expected["rows"], found)
        for row in rows:
            segments = self.vector["chains"][self.label(row)]["segments"]
            self.test.assertEqual(spread(segments), (row.ids, row.loss_mask, row.logprobs, row.versions, row.turn_ids))
        main, left_out = self.ledger.main_row(result)
        self.test.assertEqual(expected["main"], self.label(main) if main else None)
        self.test.assertEqual(expected["left_out"], left_out)

    def label(self, row: Row) -> str:
        return next(label for label, name in self.names.items() if name == row.chain)


def spread(segments: list[JSON]) -> tuple[list[int], list[int], list[float], list[int], list[int]]:
    """Returns a list per property, with an entry per id."""
    ids: list[int] = []
    mask: list[int] = []
    logprobs: list[float] = []
    versions: list[int] = []
    turns: list[int] = []
    for segment in segments:
        new = ids_of(segment["text"])
        ids += new
        mask += [int("logprobs" in segment)] * len(new)
        logprobs += segment.get("logprobs", [0.0] * len(new))
        versions += unrun(segment["versions"]) if "turn" in segment else [-1] * len(new)
        turns += [segment.get("turn", -1)] * len(new)
    return ids, mask, logprobs, versions, turns


def unrun(runs: list[Any]) -> list[int]:
    return [value for value, count in runs for _ in range(count)]


def digest(text: str) -> str:
    return hashlib.sha256(b"".join(struct.pack("<i", i) for i in ids_of(text))).hexdigest()


if __name__ == "__main__":
    unittest.main()
