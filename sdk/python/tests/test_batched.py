"""Episodes whose messages are sampled in batches, in the thread of a trainer."""

from __future__ import annotations

import dataclasses
import threading
import unittest
from typing import Any, Callable

from awhost_bridge import Batched, ChatTemplate, EpisodeError, Message, SyncBridge, group_requests

from .adapter import Host, Peer, result_of
from .test_sync import Elsewhere
from .toy import END, Toy, ids_of

JSON = dict[str, Any]
USER: JSON = {"role": "ROLE_USER", "content": [{"text": "6*7"}]}
LONG = 3600.0  # seconds: no test may depend on speed


class Talk(Host):
    """A Host that continues in the received chain, and ends some episodes earlier than others."""

    def __init__(self, turns: Callable[[str], int], **request: Any) -> None:
        super().__init__(**request)
        self.turns_of, self.chains = turns, {}  # type: ignore[var-annotated]

    def __call__(self, peer: Peer, frame: JSON) -> None:
        if frame["type"] == "generated" and "body" in frame:
            self.chains[frame["episode_id"]] = frame["body"]["chain"], frame["body"]["chain_length"]
        super().__call__(peer, frame)

    def ask(self, peer: Peer, episode: str) -> None:
        turn = self.asked[episode] = self.asked.get(episode, 0) + 1
        chain, base = self.chains.get(episode, ("", 0))
        if turn > self.turns_of(episode) or self.answers and "error" in self.answers[-1]:
            listed = [{"chain": chain, "train": True}] if chain else []
            return peer.send("result", episode_id=episode, body=result_of(episode, chains=listed))
        body = {"episode_id": episode, "call_id": f"{episode}/1.{turn}", "attempt": "1", "chain": chain, "base": str(base), "trainable": True, "messages": [USER], "seed": str(turn)}
        peer.send("generate", body=body | self.request)


def speak(messages: list[Message]) -> None:
    for m in messages:
        m.ids, m.logprobs, m.finish = [*ids_of(f"{m.slot}"), END], [-0.5] * (len(f"{m.slot}") + 1), "stop"


class BatchedTest(unittest.TestCase):
    def play(self, host: Host, count: int, sample: Callable[[list[Message]], None], *, patience: float = LONG, credits: int = 1000, **limits: Any) -> Any:
        with Elsewhere(host, credits=credits) as adapter, SyncBridge(adapter.file, framework="test", framework_version="1") as bridge:
            batched = Batched(bridge, ChatTemplate(Toy()), response_tokens=limits.pop("response_tokens", 1000), patience=patience, **limits)
            return batched.play(group_requests("l", 3, range(count), 1), sample, version=2)

    def test_batches_are_made_of_all_that_are_open_in_the_order_of_slots(self) -> None:
        batches: list[list[int]] = []

        def sample(messages: list[Message]) -> None:
            batches.append([m.slot for m in messages])
            self.assertIs(threading.current_thread(), threading.main_thread())
            speak(messages)

        played = self.play(Talk(lambda episode: 1 + int(episode.rpartition("/")[2]) % 3), 6, sample)
        self.assertEqual([[0, 1, 2, 3, 4, 5], [1, 2, 4, 5], [2, 5]], batches)
        for slot, (episode, result) in enumerate(played):
            row, left = episode.ledger.main_row(result)
            self.assertEqual((f"l/s3/{slot}", 0, 2 * (1 + slot % 3)), (episode.id, left, row.trained))
            said = [i for i, m in zip(row.ids, row.loss_mask) if m]
            self.assertEqual([*ids_of(str(slot)), END] * (1 + slot % 3), said)
            self.assertEqual([(-1, 2), (2, 2)], [(v, min(n, 2)) for v, n in row.version_runs[:2]])

    def test_what_became_of_an_episode(self) -> None:
        (episode, result), = self.play(Talk(lambda episode: 1), 1, speak)
        row, use = episode.trained(result)
        self.assertEqual((2, "USE_TRAINED"), (row.trained, use))
        for change, want in (
            ({"reward": None, "outcome": "failed"}, "USE_MASKED"), ({"masked": True}, "USE_MASKED"), ({"outcome": "dropped"}, "USE_FILTERED"), ({"drop_group": True}, "USE_FILTERED"),
            ({"chains": []}, "USE_MASKED"),
        ):
            self.assertEqual((None, want), episode.trained(dataclasses.replace(result, **change)), change)
        with self.assertLogs("awhost.bridge", "ERROR"):
            self.assertEqual((None, "USE_MASKED"), episode.trained(dataclasses.replace(result, attempt=2)))

    def test_no_more_are_waited_for_than_may_be_open(self) -> None:
        batches: list[list[int]] = []
        self.play(Talk(lambda episode: 1), 5, lambda messages: (batches.append([m.slot for m in messages]), speak(messages))[1], credits=2)
        self.assertEqual([0, 1, 2, 3, 4], sorted(sum(batches, [])))
        self.assertEqual([[0, 1], [2, 3], [4]], batches)

    def test_who_takes_his_time_is_not_waited_for_longer_than_patience(self) -> None:
        class Slow(Talk):
            def ask(self, peer: Peer, episode: str) -> None:
                if episode.endswith("/0") and "l/s3/1" not in self.chains:
                    self.late = peer
                    return
                super().ask(peer, episode)
                if episode.endswith("/1") and self.asked[episode] == 2:
                    super().ask(self.late, "l/s3/0")

        batches: list[list[int]] = []
        self.play(Slow(lambda episode: 1), 2, lambda messages: (batches.append([m.slot for m in messages]), speak(messages))[1], patience=0.01)
        self.assertEqual([[1], [0]], batches)

    def test_limits_end_an_episode_as_context_full(self) -> None:
        for limits, says in ({"prompt_tokens": 5}, "allowed"), ({"response_tokens": 3}, "after its prompt"), ({"max_context": 4}, "context"):
            host = Talk(lambda episode: 9)
            self.play(host, 1, speak, **limits)
            error = host.answers[-1]["error"]
            self.assertEqual("KIND_CONTEXT_FULL", error["kind"])
            self.assertIn(says, error["detail"])

    def test_a_message_gets_what_the_call_wants_and_no_more_room_than_there_is(self) -> None:
        seen: list[Message] = []
        wanted = {"sampling": {"max_tokens": "7", "temperature": 0.5, "top_p": 0.9, "top_k": "3", "stop": ["x"]}}
        self.play(Talk(lambda episode: 1, **wanted), 1, lambda messages: (seen.extend(messages), speak(messages))[1], response_tokens=5)
        m = seen[0]
        self.assertEqual((5, 0.5, 0.9, 3, ["x"], 1), (m.max_tokens, m.temperature, m.top_p, m.top_k, m.stop, m.seed))

    def test_an_episode_without_a_result_ends_all(self) -> None:
        def host(peer: Peer, frame: JSON) -> None:
            if frame["type"] == "run_episode" and frame["body"]["episode_id"].endswith("/1"):
                peer.send("result", episode_id=frame["body"]["episode_id"], error={"code": "failed", "detail": "no such task"})

        with self.assertRaisesRegex(EpisodeError, "no such task"):
            self.play(host, 3, speak)  # type: ignore[arg-type]

    def test_what_the_sampler_raises_is_raised(self) -> None:
        def sample(messages: list[Message]) -> None:
            raise MemoryError("no room for the cache")

        with self.assertRaisesRegex(MemoryError, "cache"):
            self.play(Talk(lambda episode: 1), 2, sample)


class GroupRequestsTest(unittest.TestCase):
    def test_groups(self) -> None:
        got = group_requests("l", 3, [7, 7, 8, 8], 2, first=4)
        self.assertEqual(["l/s3/4", "l/s3/5", "l/s3/6", "l/s3/7"], [r["episode_id"] for r in got])
        self.assertEqual([("s2", 0), ("s2", 1), ("s3", 0), ("s3", 1)], [(r["group_id"], r["sample_index"]) for r in got])
        self.assertEqual({(7, "SPLIT_TRAIN", 3, 2), (8, "SPLIT_TRAIN", 3, 2)}, {(r["dataset_index"], r["split"], r["step"], r["policy_version"]) for r in got})
        self.assertEqual([2, 2, 3, 3], [r["group_index"] for r in got], "seeds come from it")
        self.assertEqual([2, 2, 3, 3], [r["group_index"] for r in group_requests("another", 4, [1, 1, 2, 2], 2, first=4)])
        self.assertEqual(("SPLIT_VALIDATION", 3), tuple(group_requests("l", 3, [0], 1, validation=True)[0][k] for k in ("split", "policy_version")))


if __name__ == "__main__":
    unittest.main()
