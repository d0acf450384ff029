"""The driver of a stage, with a trainer whose weights are a count of its updates."""

from __future__ import annotations

import json
import math
import pathlib
import tempfile
import unittest
from typing import Any

from awhost_bridge import ChatTemplate, Message, Played, Row, StageDriver, SyncBridge, advance, learning_rate

from .adapter import Peer
from .test_batched import LONG, Talk
from .test_sync import Elsewhere
from .toy import END, Toy

JSON = dict[str, Any]


class Counter:
    """Samples its weights, and fails if a sample has other weights than the current ones."""

    def __init__(self) -> None:
        self.weights, self.loads = 0, []  # type: ignore[var-annotated]
        self.batches: list[list[str]] = []

    def sample(self, messages: list[Message]) -> None:
        for m in messages:
            assert (m.temperature, m.top_p) == (0.5, 0.9), "messages have the stage's sampling"
            m.ids, m.logprobs, m.finish = [65 + self.weights, END], [-0.5, -0.5], "stop"

    def train(self, step: int, samples: list[Played]) -> dict[str, float]:
        self.batches.append([played.episode.id for played in samples])
        for played in samples:
            assert played.row is not None
            assert 65 + self.weights in played.row.ids
            played.logprobs = [math.log(0.25)] * len(played.row.ids)
        self.weights += 1
        return {"loss": 0.5, "odd": math.nan}

    def save(self, folder: pathlib.Path) -> None:
        (folder / "weights.json").write_text(json.dumps(self.weights))

    def load(self, folder: pathlib.Path, *, optimizer: bool) -> None:
        self.loads.append(optimizer)
        self.weights = json.loads((folder / "weights.json").read_text())


class StageHost(Talk):
    """A host that records reports, and decides at boundaries."""

    def __init__(self, directives: dict[int, str] | None = None, **request: Any) -> None:
        super().__init__(lambda episode: 1, **request)
        self.directives, self.reports = directives or {}, []  # type: ignore[var-annotated]
        self.checkpoints: dict[int, tuple[str, str]] = {}  # paths and digests
        self.values: JSON = {}
        self.gap: JSON = {}
        self.not_finite: list[str] | None = None
        self.outcome, self.number = ("", -1), 0

    def __call__(self, peer: Peer, frame: JSON) -> None:
        if frame["type"] == "event":
            number = frame["body"].pop("seq")
            assert number == self.number + 1, f"event {number} after {self.number}"
            self.number, ((kind, body),) = number, frame["body"].items()
            if kind == "finished":
                self.outcome = body["outcome"], body["step"]
                return
            if kind != "phase" or body.get("ended"):
                self.reports.append(f"{body.get('name', kind)} {body['step']}")
            if kind == "checkpoint":
                self.checkpoints[body["step"]] = body["path"], body["digest"]
            if kind == "metrics":
                self.values, self.gap, self.not_finite = body["values"], body.get("policy_gap"), body.get("not_finite")
        if frame["type"] == "boundary":
            step = frame["body"]["step"]
            self.reports.append(f"boundary {step}" + (" validated" if frame["body"]["validated"] else ""))
            directive = self.directives.get(step, "CONTINUE")
            if directive == "drain":
                peer.send("control", body={"action": "ACTION_DRAIN"})
                directive = "CONTINUE"
            return peer.send("boundary_result", id=frame["id"], body={"directive": f"DIRECTIVE_{directive}"})
        super().__call__(peer, frame)


class StageTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_stage(self, host: StageHost, trainer: Counter, **changes: Any) -> StageDriver:
        settings = {
            "launch": "l", "base": 0, "from": "", "resumed": False, "carries": False, "prompt_tokens": None, "rows": 8,
            "patience": LONG, "every": 0, "before_train": False, "held_out": 0, "samples": 1, "tool_format": "auto",
            "reasoning_format": "auto", "tokens_every": 0, "steps": 3, "done": 0, "save_every": 2, "prompts": 2,
            "group_size": 2, "checkpoints": str(self.folder), "smoke": False, "temperature": 0.5, "top_p": 0.9,
        } | changes
        hello: JSON = {"role": "both", "framework": "t", "framework_version": "1"}
        with Elsewhere(host) as adapter, SyncBridge(adapter.file, **hello) as bridge:
            stage = StageDriver(bridge, settings, ChatTemplate(Toy()), framework="t", response_tokens=100)
            stage.run(trainer)
            return stage

    def test_a_stage_from_its_start_to_its_end(self) -> None:
        host, trainer = StageHost(), Counter()
        self.run_stage(host, trainer, before_train=True, held_out=2, every=2)
        want = [
            "validation 0", "boundary 0 validated",
            "rollout 1", "metrics 1", "consumed 1", "boundary 1",
            "rollout 2", "metrics 2", "consumed 2", "validation 2", "checkpoint 2", "boundary 2 validated",
            "rollout 3", "metrics 3", "consumed 3", "validation 3", "checkpoint 3", "boundary 3 validated",
        ]
        self.assertEqual(want, host.reports)
        self.assertEqual([f"l/s2/{i}" for i in range(4)], trainer.batches[1])
        want_values = {"t/loss": 0.5, "train/loss": 0.5, "train/reward": 1.0,
                       "train/entropy": 0.5, "train/probability_gap": math.exp(-0.5) - 0.25}
        self.assertEqual(want_values, {k: v for k, v in host.values.items() if k != "train/rollout_seconds"})
        for name in ("mean", "p99", "max", "bias"):
            self.assertAlmostEqual(-0.5 - math.log(0.25), host.gap[name])
        self.assertEqual(("OUTCOME_COMPLETED", 3), host.outcome)
        self.assertEqual(["step-2", "step-3"], sorted(p.name for p in self.folder.iterdir()))

    def test_metrics_that_are_not_finite_are_sent_by_name(self) -> None:
        class Broken(Counter):
            def train(self, step: int, samples: list[Played]) -> dict[str, float]:
                return super().train(step, samples) | {"loss": math.nan, "grad_norm": math.inf, "other": math.nan}

        host = StageHost()
        self.run_stage(host, Broken())
        self.assertEqual(["train/grad_norm", "train/loss"], host.not_finite)
        self.assertNotIn("train/loss", host.values)

    def test_a_resumed_stage_ends_with_the_same_checkpoint(self) -> None:
        whole, rest, trainer = StageHost(), StageHost(), Counter()
        self.run_stage(whole, Counter())
        path, _ = whole.checkpoints[2]
        self.run_stage(rest, trainer, done=2, resumed=True, **{"from": path})
        self.assertEqual("rollout 3", rest.reports[0], "the start of the stage has passed")
        self.assertEqual((whole.checkpoints[3], [True], 3), (rest.checkpoints[3], trainer.loads, trainer.weights))
        self.assertEqual([f"l/s3/{i}" for i in range(4)], trainer.batches[0])

    def test_the_next_stage_takes_the_weights(self) -> None:
        host, trainer = StageHost(), Counter()
        (self.folder / "weights.json").write_text("7")
        self.run_stage(host, trainer, base=5, **{"from": str(self.folder)})
        self.assertEqual(([False], 10), (trainer.loads, trainer.weights))
        self.assertEqual(["boundary 5", "rollout 6"], host.reports[:2])

    def test_how_a_stage_ends_early(self) -> None:
        for directive, outcome, end in (
            ("STOP", "STOPPED", ["boundary 1", "checkpoint 1"]), ("ABORT", "FAILED", ["consumed 1", "boundary 1"]),
            ("FINISH_STAGE", "COMPLETED", ["boundary 1", "checkpoint 1"]),
        ):
            host = StageHost({1: directive})
            self.run_stage(host, Counter())
            self.assertEqual((end, (f"OUTCOME_{outcome}", 1)), (host.reports[-2:], host.outcome), directive)
        before = StageHost({0: "STOP"})
        self.run_stage(before, Counter())
        self.assertEqual(["boundary 0"], before.reports)

    def test_a_drain_ends_the_stage_after_the_step_in_progress(self) -> None:
        host = StageHost({0: "drain"})
        self.run_stage(host, Counter())
        self.assertEqual(["checkpoint 1", "boundary 1"], host.reports[-2:])
        self.assertEqual(("OUTCOME_STOPPED", 1), host.outcome)

    def test_what_is_left_of_an_interrupted_checkpoint_is_replaced(self) -> None:
        (self.folder / "step-2").mkdir()
        (self.folder / "step-2" / "part").touch()
        self.run_stage(StageHost(), Counter())
        self.assertEqual(["weights.json"], [p.name for p in (self.folder / "step-2").iterdir()])

    def test_a_smoke_run_does_not_use_the_trainer(self) -> None:
        host, trainer = StageHost(), Counter()
        self.run_stage(host, trainer, smoke=True)
        self.assertEqual(([], 0), (trainer.batches, trainer.weights))
        self.assertGreater(host.values["t/trained_tokens"], 0)

    def test_a_scripted_message_is_not_sampled(self) -> None:
        script = {"scripted": {"role": "ROLE_ASSISTANT", "content": [{"text": "42"}]}}

        class Scripted(Counter):
            def sample(self, messages: list[Message]) -> None:
                raise AssertionError("it samples")

            def train(self, step: int, samples: list[Played]) -> dict[str, float]:
                row = samples[0].row
                assert row is not None
                said = [i for i, m in zip(row.ids, row.loss_mask) if m]
                assert said == [*b"42", END], said
                return {}

        self.run_stage(StageHost(**script), Scripted(), steps=1)


ROW = Row("c", "", None, [5, 6], [0, 1], [0.0, -0.5], [(-1, 2)], [], [], 1, 1, "")


class AdvantagesTest(unittest.TestCase):
    def of(self, rewards: list[float | None], size: int, normalize_by: str = "std") -> list[float]:
        none: Any = None
        samples = [Played(none, none, None if reward is None else ROW, reward) for reward in rewards]
        advance(samples, size, normalize_by)
        return [round(p.advantage, 4) for p in samples]

    def test_rewards_are_compared_within_their_group(self) -> None:
        self.assertEqual([1.0, -1.0, 1.0, -1.0], self.of([1.0, 0.0, 5.0, 1.0], 2))
        self.assertEqual([2.0, -2.0], self.of([5.0, 1.0], 2, "none"))

    def test_a_sample_without_a_reward_is_not_part_of_its_group(self) -> None:
        self.assertEqual([1.0, 0.0, -1.0], self.of([1.0, None, 0.0], 3))

    def test_equal_rewards_have_no_advantage(self) -> None:
        self.assertEqual([0.0] * 3, self.of([0.1, 0.1, 0.1], 3))
        self.assertEqual([0.0, 0.0], self.of([1.0, None], 2), "a single one has no group to compare with")


class LearningRateTest(unittest.TestCase):
    def test_schedules(self) -> None:
        for schedule, want in (
            ("constant", [0.5, 1, 1, 1, 1, 1]), ("linear", [0.5, 1, 1, 0.75, 0.5, 0.25]),
            ("cosine", [0.5, 1, 1, (1 + math.cos(math.pi / 4)) / 2, 0.5, (1 - math.cos(math.pi / 4)) / 2]),
        ):
            optimizer = {"learning_rate": 1.0, "warmup_steps": 2, "schedule": schedule}
            got = [learning_rate(optimizer, done, 6) for done in range(6)]
            for a, b in zip(want, got, strict=True):
                self.assertAlmostEqual(a, b, msg=schedule)


if __name__ == "__main__":
    unittest.main()
