"""awhost.train, with a program that only records the spec and reports what a test expects."""

from __future__ import annotations

import functools
import json
import os
import pathlib
import sys
import tempfile
import types
import unittest
from contextlib import redirect_stdout
from io import StringIO
from typing import Any
from unittest import mock

import awhost
from awhost import training

PROGRAM = """#!{python}
import os, pathlib, signal, sys
if os.environ.get("INTERRUPT"):
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    os.kill(os.getppid(), signal.SIGINT)
    signal.sigwait([signal.SIGINT])
print("progress", sys.argv[1:2], sys.argv[5:])
path = pathlib.Path(sys.argv[sys.argv.index("--events") + 1])
path.write_text(os.environ["EVENTS"])
sys.exit(int(os.environ["STATUS"]))
"""

ROWS = (
    {"step": 1, "values": {"train/reward": 0.25}},
    {"step": 2, "values": {"train/reward": 0.5}},
    {"step": 2, "values": {"validation/reward": None}},
)


def judge(final_answer: str) -> float:
    return float(len(final_answer))


def solve(messages: Any, model: Any) -> str:
    return "4"


@awhost.reward("packaged")
def packaged(item: awhost.Item) -> float:
    return 1.0


class Judge:
    @staticmethod
    def score(final_answer: str) -> float:
        return 1.0

    def method(self, final_answer: str) -> float:
        return 1.0


class Table:
    """Like a datasets.Dataset or a DataFrame."""

    def to_parquet(self, path: str) -> None:
        pathlib.Path(path).write_text("PAR1")


class TrainTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()
        program = self.folder / "awhost"
        program.write_text(PROGRAM.format(python=sys.executable))
        program.chmod(0o755)
        (self.folder / "run").mkdir()
        (self.folder / "run/metrics.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
        self.enter(mock.patch.object(training, "program", lambda: str(program)))
        self.enter(mock.patch.object(os, "isatty", lambda number: False))
        self.report()

    def enter(self, context: Any) -> Any:  # enterContext of Python 3.11
        self.addCleanup(context.__exit__, None, None, None)
        return context.__enter__()

    def report(self, *events: dict[str, Any], status: int = 0, interrupt: bool = False, **finished: Any) -> None:
        last = {
            "type": "run_finished",
            "run": "train-1",
            "outcome": "completed",
            "exit": "ok",
            "dir": str(self.folder / "run"),
            "step": 2,
            "checkpoint": "ckpt",
            "metrics": {"train/reward": 0.5},
        }
        lines = [{"type": "version"}, *events] + ([] if finished.get("outcome", "") is None else [{**last, **finished}])
        environ = {
            "EVENTS": "".join(json.dumps(line) + "\n" for line in lines),
            "STATUS": str(status),
            "INTERRUPT": "1" if interrupt else "",
        }
        self.enter(mock.patch.dict(os.environ, environ))

    def train(self, **arguments: Any) -> awhost.TrainResult:
        with redirect_stdout(StringIO()) as shown:
            try:
                return awhost.train(out=self.folder / "out", **arguments)
            finally:
                self.shown = shown.getvalue()

    def spec(self, **arguments: Any) -> dict[str, Any]:
        self.train(**arguments)
        spec: dict[str, Any] = json.loads((self.folder / "out/train.hcl.json").read_text())
        return spec

    def test_writes_the_spec(self) -> None:
        spec = self.spec(
            agent=solve,
            reward_func=judge,
            config={"steps": 2, "batch": {"prompts": 4}},
            train_dataset=[{"prompt": "1+1=", "ground_truth": "2"}],
            test_dataset={"path": Table(), "map": {"prompt": "question"}},
            environment={"calculator": {}},
            adapter={"trl": {"model": pathlib.Path("m${x}")}},
            blocks={"variable": {"x": {"default": 1}}, "reward": {"python": {"main": {"arguments": {"a": 1}}}}},
        )
        function = {"file": os.path.abspath(__file__), "python": sys.executable}
        self.assertEqual(
            spec,
            {
                "agent": {
                    "python": {"main": {**function, "name": "solve", "environment": "environment.calculator.main"}}
                },
                "adapter": {"trl": {"main": {"model": os.path.abspath("m$${x}")}}},
                "environment": {"calculator": {"main": {}}},
                "reward": {"python": {"main": {**function, "name": "judge", "arguments": {"a": 1}}}},
                "dataset": {
                    "jsonl": {"train": {"path": "train.jsonl"}},
                    "parquet": {"test": {"path": "test.parquet", "map": {"prompt": "question"}}},
                },
                "train": {
                    "train": {
                        "agent": "agent.python.main",
                        "adapter": "adapter.trl.main",
                        "reward": "${reward.python.main.score}",
                        "dataset": "dataset.jsonl.train",
                        "validation": "dataset.parquet.test",
                        "steps": 2,
                        "batch": {"prompts": 4},
                    }
                },
                "variable": {"x": {"default": 1}},
            },
        )
        self.assertEqual((self.folder / "out/train.jsonl").read_text(), '{"prompt": "1+1=", "ground_truth": "2"}\n')

    def test_built_in_blocks_and_a_configuration_of_verl(self) -> None:
        spec = self.spec(reward_func={"math": {"mode": "x"}}, config="grpo.yaml", train_dataset="d/rows.csv.gz")
        self.assertEqual(spec["agent"], {"react": {"main": {}}})
        self.assertEqual(spec["reward"], {"math": {"main": {"mode": "x"}}})
        self.assertEqual(
            spec["adapter"], {"verl": {"main": {"config": os.path.abspath("grpo.yaml"), "python": sys.executable}}}
        )
        self.assertEqual(spec["dataset"], {"csv": {"train": {"path": os.path.abspath("d/rows.csv.gz")}}})

    def test_results(self) -> None:
        os.environ.pop("PYTHONPATH", None)
        result = self.train(new=True, pass_env=["KEY"])
        self.assertEqual(self.shown, "progress ['apply'] ['--no-progress', '--new', '--pass-env=KEY']\n")
        steps = [{"step": 1, "train/reward": 0.25}, {"step": 2, "train/reward": 0.5, "validation/reward": None}]
        self.assertEqual(
            result,
            awhost.TrainResult(
                "completed",
                "train-1",
                self.folder / "run",
                {"train/reward": 0.5},
                steps,
                pathlib.Path("ckpt").absolute(),
            ),
        )
        self.report(outcome="stopped", exit="stopped", checkpoint="", status=13)
        result = self.train()
        self.assertEqual((result.outcome, result.checkpoint), ("stopped", None))

    def test_failures(self) -> None:
        problem = {
            "type": "diagnostics",
            "diagnostics": [
                {"severity": "warning", "summary": "Odd"},
                {"severity": "error", "summary": "Unknown", "detail": "stepz"},
            ],
        }
        for name, report, says, has_result in (
            (
                "the run",
                {"outcome": "failed", "exit": "run_failed", "reason": "out of memory"},
                "train-1: run_failed: out of memory\nMore: awhost show train-1",
                True,
            ),
            (
                "an expectation",
                {
                    "exit": "expectation_failed",
                    "expected": [{"condition": "a > 1", "holds": False, "detail": "a is 0"}],
                },
                "a > 1 does not hold: a is 0",
                True,
            ),
            (
                "the spec",
                {"outcome": None, "events": [problem], "status": 1},
                r"status 1\)\nUnknown: stepz\nCheck the spec: awhost validate",
                False,
            ),
            ("the start", {"outcome": None, "status": 16}, r"status 16\): its message is above", False),
        ):
            with self.subTest(name):
                self.report(*report.pop("events", []), **report)
                with self.assertRaisesRegex(awhost.TrainError, says) as caught:
                    self.train()
                self.assertEqual(caught.exception.result is not None, has_result)

    def test_the_program_is_killed(self) -> None:
        told = json.dumps({"type": "diagnostics", "diagnostics": [], "text": "a\x85b"}, ensure_ascii=False)
        self.enter(mock.patch.dict(os.environ, {"EVENTS": told + '\n{"type": "run_fi', "STATUS": "137"}))
        with self.assertRaisesRegex(awhost.TrainError, "status 137"):
            self.train()

        started = json.dumps({"type": "run_started", "dir": "out/.awhost/runs/train-3"})
        self.enter(mock.patch.dict(os.environ, {"EVENTS": started + "\n"}))
        with self.assertRaisesRegex(awhost.TrainError, "status 137 while it trained train-3: call train again"):
            self.train()

    def test_one_call_at_a_time_uses_a_directory(self) -> None:
        folder = self.folder / "out"
        with training._locked(folder):
            with self.assertRaisesRegex(awhost.TrainError, "another call .*: pass another directory as out"):
                self.train()
        self.assertEqual(list(folder.iterdir()), [folder / ".train.lock"])

    def test_an_interrupt_reaches_the_program_once(self) -> None:
        self.report(outcome="stopped", exit="stopped", status=13, interrupt=True)
        with self.assertRaisesRegex(KeyboardInterrupt, "train-1 has 2 committed steps"):
            self.train()
        self.assertIn("progress", self.shown)

    def test_a_key_of_the_live_screen_interrupts(self) -> None:
        self.report(
            {"type": "interrupted", "stage": "first", "source": "Ctrl-C"}, outcome="stopped", exit="stopped", status=13
        )
        with self.assertRaises(KeyboardInterrupt):
            self.train()

    def test_functions_that_a_file_defines(self) -> None:
        for value, name in ((judge, "judge"), (Judge, "Judge"), (Judge.score, "Judge.score")):
            self.assertEqual(training._reference(value, "reward_func"), (__file__, name))
        spec = self.spec(reward_func="rewards.py:judge")
        self.assertEqual(spec["reward"]["python"]["main"]["file"], os.path.abspath("rewards.py"))

    def test_functions_that_no_file_defines(self) -> None:
        def nested() -> None: ...

        def replaced() -> None: ...

        replaced.__qualname__ = "judge"
        notebook = types.ModuleType("a_notebook")
        exec(compile("def cell(): pass", "/tmp/ipykernel_1/2.py", "exec"), notebook.__dict__)
        typed = types.ModuleType("typed")
        typed.__file__ = "script.py"
        exec(compile("def prompt(): pass", "<stdin>", "exec"), typed.__dict__)
        self.enter(mock.patch.dict(sys.modules, a_notebook=notebook, typed=typed))
        for value, error, says in (
            (lambda: None, ValueError, "<lambda> has no name.*put a function at the top level of a Python file"),
            (nested, ValueError, "<locals>.nested has no name"),
            (replaced, ValueError, "judge in .* is another object"),
            (notebook.__dict__["cell"], ValueError, "cell is defined in a notebook"),
            (typed.__dict__["prompt"], ValueError, "prompt is defined in a notebook or a session"),
            (Judge().method, TypeError, "is not a function"),
            (functools.partial(judge, "1"), TypeError, "is not a function"),
            (len, TypeError, "is not a function"),
            (7, TypeError, "7 is not a function"),
            ([judge], TypeError, "is not a function"),
            (packaged, TypeError, "is a component of a plugin"),
            ({}, ValueError, "give one type"),
        ):
            with self.subTest(says), self.assertRaisesRegex(error, f"^reward_func: .*{says}"):
                self.train(reward_func=value)

    def test_values_that_a_spec_cannot_contain(self) -> None:
        for arguments, error, says in (
            ({"train_dataset": "rows.txt"}, ValueError, "train_dataset: unknown format of rows.txt"),
            ({"train_dataset": "owner/name"}, ValueError, "train_dataset: owner/name does not exist.*load_dataset"),
            ({"test_dataset": 7}, TypeError, "test_dataset: a int is not a dataset"),
            ({"train_dataset": {"train": []}}, TypeError, "a dict is not a dataset.*of a DatasetDict, one split"),
            ({"train_dataset": [{}, 1]}, TypeError, r"train_dataset\[1\]: a row is a dict"),
            ({"train_dataset": [{"a": {1}}]}, TypeError, r"train_dataset\[0\]: .* not JSON serializable"),
            ({"train_dataset": [{"a": float("nan")}]}, ValueError, r"train_dataset\[0\]: "),
            ({"config": "train.hcl"}, ValueError, "config: train.hcl is not a YAML file"),
            ({"config": {"steps": {1}}}, TypeError, r"\{1\} cannot be in a spec"),
            (
                {"blocks": {"train": {"train": {"agent": "a"}}}},
                ValueError,
                r"blocks.train.train.agent is already 'agent.react.main'",
            ),
        ):
            with self.subTest(says), self.assertRaisesRegex(error, says):
                self.train(**arguments)

    def test_the_program_is_missing(self) -> None:
        self.enter(mock.patch.object(training, "program", lambda: None))
        self.enter(mock.patch.dict(os.environ, PATH=""))
        with self.assertRaisesRegex(awhost.TrainError, "-m pip install awhost=="):
            self.train()

    def test_refuses_to_train_in_the_python_of_a_plugin(self) -> None:
        self.enter(mock.patch.dict(sys.modules, _awhost_driver=types.ModuleType("_awhost_driver")))
        with self.assertRaisesRegex(awhost.Error, 'below if __name__ == "__main__"'):
            self.train()


if __name__ == "__main__":
    unittest.main()
