"""Components without a host: the SDK's guarantees for them. The conformance suite checks the whole against the
protocol."""

from __future__ import annotations

import asyncio
import base64
import datetime
import importlib.util
import json
import logging
import math
import pathlib
import re
import subprocess
import sys
import threading
import types
import unittest
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, Mapping, Optional, Sequence

import awhost
from awhost import hints
from awhost.log import JSONFormatter
from awhost.plugin import Plugin

from .needs import MISSING, grpc_installed

if not MISSING:
    from awhost import convert, status, testing
    from awhost.v1 import environment_pb2, message_pb2, plugin_pb2, reward_pb2

ROOT = pathlib.Path(__file__).resolve().parents[3]


def example(kind: str) -> Any:
    spec = importlib.util.spec_from_file_location(f"example_{kind}", ROOT / "examples" / "python-plugins" / kind / "plugin.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@dataclass
class Judge:
    """Who judges.

    model: its name
    """

    model: str
    retries: int = 3


class Everything(awhost.Reward, type="everything", needs=["ground_truth"], components=["length"], components_setting="more", metrics=["cost"]):
    """Scores everything. Really
    everything.

    A second paragraph: is no setting.

    level: how strict it is,
        from 1 to 3
    :param mode: which way
    token: for the judge
    """

    level: Annotated[int, awhost.Field(minimum=1, maximum=3, unit="levels", resume=True)] = 2
    mode: Literal["fast", "slow"] = "fast"
    token: Annotated[Optional[str], awhost.Secret] = None
    folder: Optional[pathlib.Path] = None
    patience: datetime.timedelta = datetime.timedelta(seconds=90)
    data: Annotated[str, awhost.Field("the tasks", ref="dataset")]
    more: list[str] = []
    weights: dict[str, float] = {}
    judge: Optional[Judge] = None

    def score(self, item: awhost.Item) -> awhost.Score:
        return awhost.Score(1, {"length": len(item.answer), **{name: 1 for name in self.more}}, is_success=True)


@dataclass(frozen=True)
class Panel:
    """Several judges.

    weights: what their names count
    """

    chair: Judge = field(default_factory=lambda: Judge("chair"))
    others: Sequence[Judge] = (Judge("first"), Judge("second", 5))
    weights: Mapping[str, float] = field(default_factory=lambda: types.MappingProxyType({"chair": 2.0}))
    size: int = field(init=False, repr=False, compare=False)


class Defaults(awhost.Reward, type="defaults"):
    """Has defaults of all kinds."""

    panel: Panel = field(default_factory=Panel)
    factor: float = field(default=0.5)
    name: str = field()
    weights: Mapping[str, float] = types.MappingProxyType({"style": 1.0})
    nested: dict[str, list[int]] = types.MappingProxyType({"a": [1]})  # type: ignore[assignment]

    def score(self, item: awhost.Item) -> float:
        self.weights["calls"] = self.weights.get("calls", 0) + 1  # type: ignore[index]
        return self.weights["calls"] + self.panel.weights[self.panel.chair.model]


class SettingsTest(unittest.TestCase):
    def test_hints_and_docstrings_are_the_schema(self) -> None:
        described = Everything.about.described()
        attributes = {a["name"]: a for a in described["schema"]["attributes"]}
        self.assertEqual(described["description"], "Scores everything. Really everything.")
        self.assertEqual(attributes["level"], {"name": "level", "type": '"number"', "description": "how strict it is, from 1 to 3", "default_json": "Mg==", "minimum": 1,
                                               "maximum": 3, "unit": "levels", "on_change": "ON_CHANGE_RESUME", "format": "FORMAT_INTEGER"})
        self.assertEqual(attributes["mode"]["one_of"], ["fast", "slow"])
        self.assertEqual(attributes["mode"]["description"], "which way")
        self.assertTrue(attributes["token"]["sensitive"])
        self.assertNotIn("required", attributes["token"])
        self.assertEqual((attributes["folder"]["type"], attributes["folder"]["format"]), ('"string"', "FORMAT_PATH"))
        self.assertNotIn("must_exist", attributes["folder"])
        self.assertNotIn("format", attributes["weights"])
        self.assertEqual((attributes["patience"]["format"], attributes["patience"]["default_json"]), ("FORMAT_DURATION", "IjkwcyI="))
        self.assertEqual((attributes["data"]["type"], attributes["data"]["required"]), ("ref:dataset", True))
        self.assertEqual((attributes["more"]["type"], attributes["weights"]["type"]), ('["list","string"]', '["map","number"]'))
        (block,) = described["schema"]["blocks"]
        self.assertEqual((block["name"], block["nesting"], block["min"], block["max"]), ("judge", "NESTING_SINGLE", 0, 1))
        self.assertEqual([a["name"] for a in block["block"]["attributes"]], ["model", "retries"])
        self.assertEqual(block["block"]["attributes"][0]["description"], "its name")

    def test_a_bound_may_be_zero(self) -> None:
        class Bounded(awhost.Reward, type="bounded"):
            """Bounded."""

            level: Annotated[int, awhost.Field(minimum=0)] = 1
            debt: Annotated[float, awhost.Field(maximum=0.0)] = -1.0

        level, debt = Bounded.about.described()["schema"]["attributes"]
        self.assertEqual((level["minimum"], debt["maximum"]), (0, 0))
        self.assertEqual([p.path for p in Bounded.configured({"level": -1, "debt": 1.0})[1]], [("level",), ("debt",)])

    def test_defaults_of_fields_and_mappings(self) -> None:
        described = Defaults.about.described()["schema"]
        attributes = {a["name"]: a for a in described["attributes"]}
        self.assertEqual({name: base64.b64decode(a.get("default_json", "")).decode() for name, a in attributes.items()},
                         {"factor": "0.5", "name": "", "weights": '{"style": 1.0}', "nested": '{"a": [1]}'})
        self.assertEqual([name for name, a in attributes.items() if a.get("required")], ["name"])
        self.assertEqual((attributes["weights"]["type"], attributes["nested"]["type"]), ('["map","number"]', '["map",["list","number"]]'))
        (panel,) = described["blocks"]
        self.assertEqual((panel["min"], panel["max"]), (0, 1))
        self.assertEqual([(b["name"], b["nesting"], b["min"]) for b in panel["block"]["blocks"]], [("chair", "NESTING_SINGLE", 0), ("others", "NESTING_LIST", 0)])
        (weights,) = panel["block"]["attributes"]
        self.assertEqual((weights["name"], weights["type"], base64.b64decode(weights["default_json"])), ("weights", '["map","number"]', b'{"chair": 2.0}'))

        values, problems = Defaults.configured({"name": "n"})
        self.assertEqual(problems, [])
        self.assertEqual(values, {"panel": Panel(Judge("chair"), (Judge("first"), Judge("second", 5)), {"chair": 2.0}), "factor": 0.5, "name": "n",
                                  "weights": {"style": 1.0}, "nested": {"a": [1]}})
        given, problems = Defaults.configured({"name": "n", "panel": {"others": [{"model": "third"}], "weights": {"chair": 1}}})
        self.assertEqual((given["panel"], problems), (Panel(Judge("chair"), [Judge("third")], {"chair": 1.0}), []))

    def test_a_default_belongs_to_one_component(self) -> None:
        first, _ = Defaults.configured({"name": "n"})
        first["nested"]["a"].append(2)
        first["weights"]["style"] = 3.0
        first["panel"].chair.model = "another"
        first["panel"].others[0].retries = 9
        first["panel"].weights["chair"] = 0.0
        second, _ = Defaults.configured({"name": "n"})
        self.assertEqual((second["nested"], second["weights"], second["panel"]), ({"a": [1]}, {"style": 1.0}, Panel()))

    def test_values_become_what_the_hints_say(self) -> None:
        values, problems = Everything.configured({"data": "dataset.jsonl.train", "folder": "/tmp", "patience": "1m30.5s", "level": 3.0, "judge": {"model": "m"}})
        self.assertEqual(problems, [])
        self.assertEqual(values["folder"], pathlib.Path("/tmp"))
        self.assertEqual(values["patience"], datetime.timedelta(seconds=90.5))
        self.assertEqual((values["level"], values["judge"], values["token"], values["mode"]), (3, Judge("m"), None, "fast"))

    def test_what_does_not_fit_is_named(self) -> None:
        for given, path in (({}, "data"), ({"data": 1}, "data"), ({"data": "x", "level": 4}, "level"), ({"data": "x", "level": True}, "level"), ({"data": "x", "mode": "odd"}, "mode"),
                            ({"data": "x", "patience": "soon"}, "patience"), ({"data": "x", "more": [1]}, "more.0"), ({"data": "x", "weights": {"a": "b"}}, "weights.a"),
                            ({"data": "x", "judge": {}}, "judge.model"), ({"data": "x", "nonsense": 1}, "nonsense"), ({"data": "x", "level": 1.5}, "level")):
            with self.subTest(given):
                _, problems = Everything.configured(given)
                self.assertEqual([".".join(p.path) for p in problems], [path])

    def test_unknown_values_are_no_errors(self) -> None:
        self.assertEqual(Everything.configured({}, [("data",)])[1], [])

    def test_secrets_are_in_no_message(self) -> None:
        _, problems = Everything.configured({"data": "x", "token": ["hunter2"], "mode": "hunter2"})
        self.assertNotIn("hunter2", repr(problems))

    def test_classes_that_cannot_be(self) -> None:
        with self.assertRaisesRegex(TypeError, "cannot be called score"):
            type("Odd", (awhost.Reward,), {"__annotations__": {"score": int}}, type="odd")
        with self.assertRaisesRegex(TypeError, "Call it stop_: the tool's name is stop"):
            type("Odd", (awhost.Environment,), {"stop": awhost.tool(lambda self, state: "")}, type="odd")
        watch: Any = type("Watch", (awhost.Environment,), {"stop_": awhost.tool(lambda self, state: "")}, type="watch")
        self.assertEqual(["stop"], list(watch.about.tools))
        with self.assertRaisesRegex(TypeError, "unknown capability speed"):
            type("Odd", (awhost.Reward,), {}, type="odd", speed=1)
        with self.assertRaisesRegex(TypeError, "without its type"):
            type("Odd", (awhost.Reward,), {}, batch_size=1)
        with self.assertRaisesRegex(TypeError, "not a type of a setting"):
            type("Odd", (awhost.Reward,), {"__annotations__": {"x": bytes}}, type="odd").about.described()
        with self.assertRaisesRegex(ValueError, "used twice"):
            Plugin("p", "1.0.0", Everything, Everything)
        with self.assertRaisesRegex(ValueError, "semantic"):
            Plugin("p", "1", Everything)

    def test_durations(self) -> None:
        for text, seconds in (("90s", 90), ("1h30m", 5400), ("1.5s", 1.5), ("100ms", 0.1), ("0", 0), ("-2s", -2)):
            self.assertEqual(hints.duration(text).total_seconds(), seconds)
        for text in ("", "s", "5", "5 s", "1d", "s5"):
            with self.assertRaises(hints.Misfit):
                hints.duration(text)

    def test_importing_and_describing_need_no_grpc(self) -> None:
        program = "import sys; import awhost; awhost.Plugin; sys.exit(any(m in sys.modules for m in ('grpc', 'google.protobuf')))"
        self.assertEqual(subprocess.run([sys.executable, "-c", program], cwd=ROOT / "sdk" / "python").returncode, 0)

    def test_every_package_is_installed(self) -> None:
        project = ROOT / "sdk" / "python"
        listed = re.findall(r'"([\w.]+)"', next(line for line in (project / "pyproject.toml").read_text().splitlines() if line.startswith("packages = [") and "awhost.v1" in line))
        there = [str(init.parent.relative_to(project)).replace("/", ".") for name in ("awhost", "awhost_bridge") for init in (project / name).rglob("__init__.py")]
        self.assertEqual(sorted(listed), sorted(there))

    def test_log_lines(self) -> None:
        record = logging.makeLogRecord({"name": "awhost.x", "levelno": logging.WARNING, "msg": "lost %d", "args": (3,), "rate": math.nan, "what": {1, 2}, "n": 4})
        line = json.loads(JSONFormatter().format(record))
        self.assertEqual((line["@level"], line["@message"], line["@module"], line["rate"], line["n"]), ("warn", "lost 3", "awhost.x", "nan", 4))
        self.assertRegex(line["@timestamp"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$")


def item(answer: str, truth: Any = "42") -> awhost.Item:
    return awhost.Item(answer, awhost.Task("1", private={"ground_truth": truth}))


@grpc_installed
class RewardTest(unittest.TestCase):
    def setUp(self) -> None:
        logging.getLogger("awhost").setLevel(logging.CRITICAL)  # failures are logged, with their tracebacks

    def test_the_example(self) -> None:
        module = example("reward")
        with testing.reward(module.exact, ignore_case=True) as reward:
            self.assertEqual(reward.score(item("<answer>paris</answer>", "Paris")), awhost.Score(1, {}, True))
            self.assertEqual(reward.score(item("<answer>London</answer>", "Paris")).score, 0)
            with self.assertRaisesRegex(awhost.Failure, "has no ground_truth"):
                reward.score(item("x", None))

    def test_defaults_of_fields_and_mappings(self) -> None:
        for _ in range(2):
            with testing.reward(Defaults, name="n") as reward:
                self.assertEqual([reward.score(item("x")).score for _ in range(2)], [3, 4])

    def judged(self, out: Any, **options: Any) -> awhost.Score | awhost.Failure:
        def judge(_: awhost.Item) -> Any:
            if isinstance(out, Exception):
                raise out
            return out

        with testing.reward(awhost.reward("r", **options)(judge)) as reward:
            (judged,) = reward.score_all([item("x")])
            return judged

    def test_what_is_no_number_is_a_failure(self) -> None:
        for out, text in ((math.nan, "not finite"), (math.inf, "not finite"), (None, "NoneType"), ("1", "str"), (awhost.Score(1, {"length": math.nan}), "not finite"),
                          (awhost.Score(1, {"undeclared": 1}), "does not declare"), (ZeroDivisionError("oh"), "ZeroDivisionError: oh"), (awhost.Error("no judge"), "no judge")):
            with self.subTest(out):
                judged = self.judged(out, components=["length"])
                assert isinstance(judged, awhost.Failure)
                self.assertEqual(judged.failure_class, "REWARD")
                self.assertIn(text, judged.detail)
        failed = self.judged(awhost.Failure("MODEL", "the judge is down", retryable=True))
        assert isinstance(failed, awhost.Failure)
        self.assertEqual((failed.failure_class, failed.retryable), ("MODEL", True))

    def test_what_failed_items_have_cost_is_kept(self) -> None:
        outcomes = iter([awhost.Failure("REWARD", "no verdict", metrics={"tokens": 7}), awhost.Score(math.nan, metrics={"tokens": 20, "odd": math.inf}), awhost.Score(1, metrics={"tokens": 100})])

        @awhost.reward("judge")
        def judge(it: awhost.Item) -> awhost.Score:
            out = next(outcomes)
            if isinstance(out, Exception):
                raise out
            return out

        with testing.reward(judge) as reward:
            request = reward_pb2.ScoreRequest(items=[testing._item(item(answer)) for answer in "abc"])
            answer = reward._run(reward.services["RewardService"].Score(request))
        self.assertEqual([i.WhichOneof("result") for i in answer.items], ["failure", "failure", "value"])
        self.assertEqual(dict(answer.metrics), {"tokens": 127})

    def test_notes_and_a_stop_arrive(self) -> None:
        self.assertEqual(self.judged(awhost.Score(1, notes={"reason": "so \ud800"})).notes, {"reason": "so ?"})
        self.assertTrue(self.judged(awhost.Failure("REWARD", "no money", stop_run=True)).stop_run)

    def test_bools_and_integers_are_numbers(self) -> None:
        self.assertEqual(self.judged(True), awhost.Score(1))
        self.assertEqual(self.judged(2), awhost.Score(2))

    def test_ground_truth_reaches_those_who_declare_it(self) -> None:
        seen = []

        @awhost.reward("blind")
        async def blind(it: awhost.Item) -> float:
            seen.append(it.task.private)
            return 0

        with testing.reward(blind) as reward:
            reward.score(item("x"))
        self.assertEqual(seen, [{}])

    def test_a_group_is_judged_at_once(self) -> None:
        class Rank(awhost.Reward, type="rank", group_relative=True):
            """Ranks."""

            def score_all(self, items: Any, missing: int) -> Any:
                return [float(len(it.answer) + missing) for it in items] if len(items) != 3 else []

        with testing.reward(Rank) as reward:
            self.assertEqual(reward.score_all([item("a"), item("bb")], missing=10), [awhost.Score(11), awhost.Score(12)])
            with self.assertRaisesRegex(status.Status, "3 items with 0 results"):
                reward.score_all([item("a")] * 3)

    def test_components_that_a_setting_names(self) -> None:
        with testing.reward(Everything, data="d", more=["tone"]) as reward:
            self.assertEqual(reward.score(item("abc")).components, {"length": 3, "tone": 1})

    def test_settings_that_do_not_fit(self) -> None:
        with self.assertRaises(awhost.ConfigError) as caught:
            testing.reward(Everything, data="d", level=9)
        self.assertEqual(caught.exception.diagnostics[0].path, ("level",))

    def test_configure_can_refuse(self) -> None:
        class Picky(awhost.Reward, type="picky"):
            """Picky."""

            def configure(self) -> None:
                raise FileNotFoundError("weights.bin")

        with self.assertRaisesRegex(awhost.ConfigError, "FileNotFoundError: weights.bin"):
            testing.reward(Picky)

    def test_stop_tells_progress(self) -> None:
        class Stopping(awhost.Reward, type="stopping"):
            """Stops."""

            def stop(self, progress: Any) -> None:
                progress("1/2")
                progress("2/2")

        with testing.reward(Stopping) as reward:
            self.assertEqual(reward.stop(), ["1/2", "2/2"])
            self.assertEqual(reward.stop(), ["1/2", "2/2"])


@dataclass
class Board:
    seed: int
    moves: list[int] = field(default_factory=list)


class Game(awhost.Environment[Board], type="game", max_sessions=2, needs=["ground_truth"]):
    """A game."""

    def __init__(self) -> None:
        self.closed: list[tuple[int, str]] = []

    def open(self, start: awhost.Start) -> awhost.Opened[Board]:
        if start.task.id == "broken":
            raise awhost.Failure("ENVIRONMENT", "no board")
        return awhost.Opened(Board(start.seed), [awhost.user(start.task.prompt)], max_turns=3)

    @awhost.tool
    async def move(self, board: Board, to: int, why: Optional[Literal["fun", "win"]] = "fun",
                   path: Optional[list[int]] = None) -> Any:
        """Moves.

        to: the field
        """
        if to < 0:
            raise awhost.ToolError("off the board")
        if to == 99:
            raise ZeroDivisionError
        board.moves.append(to)
        if to == 5:
            seen = awhost.Attachment("image", "image/png", data=b"\0png", marker="[image: not shown]")
            place = awhost.Attachment("structured", value={"at": 5})
            return awhost.Result(f"at 5\n{seen.marker}", attachments=[seen, place])
        return awhost.Result("won", reward=1, done=True, metrics={"moves": len(board.moves)}) if to == 7 else {"at": to}

    def snapshot(self, board: Board) -> Any:
        return {"moves": board.moves}

    def tasks(self, split: str) -> Any:
        return (awhost.Task(f"{split}-{i}") for i in range(600))

    def close(self, board: Board, reason: str) -> awhost.Closed:
        self.closed.append((board.seed, reason))
        return awhost.Closed(metrics={"moves": len(board.moves)})


@grpc_installed
class EnvironmentTest(unittest.TestCase):
    def setUp(self) -> None:
        logging.getLogger("awhost").setLevel(logging.CRITICAL)

    def test_the_example(self) -> None:
        with testing.environment(example("environment").Guess, highest=2) as game:
            episode = game.open(seed=3)
            first = episode.call("guess", n=1)
            last = first if first.done else episode.call("guess", n=2)
            self.assertEqual((last.done, last.reward, last.messages[0].content, last.metrics), (True, 1, "right", {"guesses": 1}))
            self.assertEqual(first is last or first.messages[0].content == "higher", True)

    def test_tools_are_described_by_their_hints(self) -> None:
        with testing.environment(Game) as game:
            (tool,) = game.open(awhost.Task("1", {"prompt": "go"})).tools
        self.assertEqual(tool.description, "Moves.")
        self.assertEqual(tool.parameters["required"], ["to"])
        self.assertEqual(tool.parameters["properties"], {
            "to": {"type": "integer", "description": "the field"},
            "why": {"enum": ["fun", "win", None], "type": ["string", "null"], "default": "fun"},
            "path": {"type": ["array", "null"], "items": {"type": "integer"}},
        })

    def test_a_block_may_ask_for_the_ground_truth(self) -> None:
        class Sealed(awhost.Environment[None], type="sealed", ground_truth_attribute="open_book"):
            """Sealed."""

            open_book: bool = False

            def open(self, start: awhost.Start) -> awhost.Opened[None]:
                return awhost.Opened(None, [awhost.user(str(start.task.private))])

        task = awhost.Task("1", {"prompt": "go"}, private={"ground_truth": "42"})
        shown = "{'ground_truth': '42'}"
        for settings, want in (({}, "{}"), ({"open_book": False}, "{}"), ({"open_book": True}, shown)):
            with self.subTest(settings), testing.environment(Sealed, **settings) as sealed:
                self.assertEqual(sealed.open(task).messages[0].content, want)
        with self.assertRaisesRegex(TypeError, "ground_truth_attribute names other"):
            type("Wrong", (awhost.Environment,), {}, type="wrong", ground_truth_attribute="other")

    def test_calls_are_answered_in_order_and_mistakes_are_told(self) -> None:
        def call(number: int, name: str, arguments: str) -> awhost.ToolCall:
            return awhost.ToolCall(f"c{number}", name, arguments)

        wrong = [call(0, "move", '{"to":3}'), call(1, "jump", "{}"), call(2, "move", "[]"), call(3, "move", "{"), call(4, "move", "{}"), call(5, "move", '{"to":"x"}'),
                 call(6, "move", '{"to":1,"why":"?"}'), call(7, "move", '{"to":-1}'), call(8, "move", '{"to":1,"far":1}'), call(9, "move", '{"to":7}'), call(10, "move", '{"to":8}')]
        with testing.environment(Game) as game:
            episode = game.open(awhost.Task("1", {"prompt": "go"}))
            self.assertEqual(episode.messages, [awhost.user("go")])
            step = episode.step(awhost.assistant("", *wrong))
            self.assertEqual([m.tool_call_id for m in step.messages], [f"c{i}" for i in range(11)])
            self.assertEqual([m.is_error for m in step.messages], [False, *[True] * 8, False, True])
            self.assertEqual(json.loads(step.messages[0].content), {"at": 3})
            self.assertIn("off the board", step.messages[7].content)
            self.assertEqual((step.done, step.reward, step.metrics), (True, 1, {"moves": 2}))
            self.assertEqual(episode.snapshot(), {"moves": [3, 7]})
            with self.assertRaisesRegex(status.Status, "is done"):
                episode.call("move", to=1)
            self.assertEqual(episode.close(), {"moves": 2})
            self.assertEqual(episode.close(), {})
            with self.assertRaises(awhost.SessionLost):
                episode.call("move", to=1)

    def test_what_is_no_text_stays_typed(self) -> None:
        with testing.environment(Game) as game:
            (message,) = game.open(awhost.Task("1", {"prompt": "go"})).call("move", to=5).messages
        self.assertEqual(message.content, "at 5\n[image: not shown]")
        self.assertEqual(message.attachments, [
            awhost.Attachment("image", "image/png", data=b"\0png", marker="[image: not shown]"),
            awhost.Attachment("structured", value={"at": 5}),
        ])
        for wrong, why in (
            (awhost.Attachment("film"), "film"),  # type: ignore[arg-type]
            (awhost.Attachment("image", data=b"", text="x"), "data and text"),
        ):
            with self.subTest(why), self.assertRaisesRegex(ValueError, why):
                convert.message_to_wire(awhost.Message("tool", attachments=[wrong]))
        every = awhost.Message("tool", "x", attachments=[
            awhost.Attachment("resource", "text/plain", "file:///a", "a", text="aé"),
            awhost.Attachment("resource_link", uri="file:///b"),
            awhost.Attachment("audio", "audio/wav", sha256="0" * 64, size=1 << 40),
        ])
        self.assertEqual(convert.message_from_wire(convert.message_to_wire(every)), every)

    def test_texts_and_images_keep_their_order(self) -> None:
        first, second = awhost.Image(url="a", text_after=2), awhost.Image(url="b", text_after=2)
        images = [first, second, awhost.Image("image/png", b"c")]
        mixed = awhost.Message("user", "é🤖ab", images=images)
        wire = convert.message_to_wire(mixed)
        self.assertEqual([p.text or p.image.url for p in wire.content], ["é🤖", "a", "b", "ab", ""])
        self.assertEqual(convert.message_from_wire(wire), mixed)

    def test_a_repeat_gets_the_stored_answer(self) -> None:
        with testing.environment(Game) as game:
            episode = game.open()
            first = episode.call("move", to=1)
            episode._steps -= 1
            self.assertEqual(episode.call("move", to=1), first)
            self.assertEqual(episode.snapshot(), {"moves": [1]})

    def test_opening_again_starts_afresh_and_closes_the_first(self) -> None:
        with testing.environment(Game) as game:
            game.open(seed=1).call("move", to=1)
            self.assertEqual(game.open(seed=2).snapshot(), {"moves": []})
            self.assertEqual(game.component.closed, [(1, "cancelled")])

    def test_declares_how_large_messages_are(self) -> None:
        self.assertNotIn("max_message_bytes", awhost.Plugin("game", "1.0.0", Game).describe())
        larger = awhost.Plugin("game", "1.0.0", Game, max_message_bytes=64 << 20)
        self.assertEqual(str(64 << 20), larger.describe()["max_message_bytes"])
        for wrong in (-1, 1 << 20, 2 << 30):
            with self.assertRaisesRegex(ValueError, "32 MiB"):
                awhost.Plugin("game", "1.0.0", Game, max_message_bytes=wrong)

    def test_no_more_sessions_than_declared(self) -> None:
        with testing.environment(Game) as game:
            game.open(episode_id="a")
            game.open(episode_id="b")
            game.open(episode_id="a")
            with self.assertRaises(status.Status) as caught:
                game.open(episode_id="c")
            self.assertEqual(caught.exception.code, status.Code.RESOURCE_EXHAUSTED)
            with self.assertRaises(awhost.Failure):
                game.open(awhost.Task("broken"), episode_id="b")
            game.open(episode_id="c")

    def test_bugs_are_told_with_their_place(self) -> None:
        with testing.environment(Game) as game:
            try:
                game.open().call("move", to=99)
                self.fail("it raised nothing")
            except ZeroDivisionError as e:
                told = status.of_error(e)
        self.assertEqual(told.code, status.Code.INTERNAL)
        self.assertIn("in move", told.text)

    def test_tasks_from_a_cursor(self) -> None:
        async def ids(service: Any, cursor: int) -> list[str]:
            return [a.task.id async for a in service.Tasks(environment_pb2.EnvironmentServiceTasksRequest(split=2, cursor=cursor))]  # type: ignore[arg-type]

        with testing.environment(Game) as game:
            got = game._run(ids(game.services["EnvironmentService"], 598))
            self.assertEqual(got, ["validation-598", "validation-599"])
            self.assertEqual(game._run(ids(game.services["EnvironmentService"], 10**6)), [])

    def test_a_step_that_is_given_up_in_the_middle_is_made_once(self) -> None:
        class Walk(awhost.Environment[list[str]], type="walk"):
            """Walks."""

            def open(self, start: awhost.Start) -> awhost.Opened[list[str]]:
                return awhost.Opened([])

            async def step(self, state: list[str], message: awhost.Message) -> awhost.Step:
                for foot in ("left", "right"):
                    state.append(foot)
                    await asyncio.sleep(0.05)
                if message.content == "on":
                    await asyncio.sleep(3600)
                return awhost.Step([awhost.user(" ".join(state))])

        async def play(service: Any) -> None:
            def step(number: int, text: str = "") -> Any:
                content = [message_pb2.ContentPart(text=text)]
                message = message_pb2.Message(role=message_pb2.ROLE_ASSISTANT, content=content)
                return asyncio.ensure_future(
                    service.Step(environment_pb2.StepRequest(episode_id="e1", step_id=str(number), message=message)))

            given_up = step(1)
            await asyncio.sleep(0.02)
            given_up.cancel()
            self.assertEqual((await step(1)).messages[0].content[0].text, "left right")
            endless = step(2, "on")
            await asyncio.sleep(0.02)
            endless.cancel()  # the step continues until the episode is closed
            await asyncio.wait_for(service.Close(environment_pb2.CloseRequest(episode_id="e1")), 10)
            task = message_pb2.Task(id="t", public_json=b"{}")
            await service.Open(environment_pb2.OpenRequest(episode_id="e1", task=task))
            asyncio.ensure_future(service.Step(environment_pb2.StepRequest(episode_id="e1", step_id="1"))).cancel()
            await asyncio.wait_for(service.Close(environment_pb2.CloseRequest(episode_id="e1")), 10)

        with testing.environment(Walk) as game:
            game.open()
            game._run(play(game.services["EnvironmentService"]))

    def test_calls_of_one_episode_come_one_after_the_other_also_when_one_is_given_up(self) -> None:
        entered, leave, together = threading.Event(), threading.Event(), []

        class Slow(awhost.Environment[list[int]], type="slow"):
            """Slow."""

            def open(self, start: awhost.Start) -> awhost.Opened[list[int]]:
                return awhost.Opened([0])

            def step(self, state: list[int], message: awhost.Message) -> awhost.Step:
                state[0] += 1
                together.append(state[0])
                entered.set()
                leave.wait(10)
                state[0] -= 1
                return awhost.Step()

        async def play(service: Any) -> None:
            def step(number: int) -> Any:
                return asyncio.ensure_future(service.Step(environment_pb2.StepRequest(episode_id="e1", step_id=str(number))))

            first = step(1)
            await asyncio.to_thread(entered.wait, 10)
            second = step(2)
            first.cancel()
            await asyncio.sleep(0.05)
            leave.set()
            await second
            with self.assertRaises(asyncio.CancelledError):
                await first

        with testing.environment(Slow) as game:
            game.open()
            game._run(play(game.services["EnvironmentService"]))
        self.assertEqual(together, [1, 1])


@grpc_installed
class AgentTest(unittest.TestCase):
    def setUp(self) -> None:
        logging.getLogger("awhost").setLevel(logging.CRITICAL)

    def test_the_example_uses_tools_until_it_answers(self) -> None:
        with testing.environment(example("environment").Guess, highest=2) as game, testing.agent(example("agent").solve, environment="environment.pyguess.x", style="Be brief.") as solver:
            guess = awhost.assistant("", awhost.ToolCall("c1", "no_such_tool", "{}"))
            answer = solver.play(awhost.Task("1"), [guess, awhost.assistant("It is 2.")], environment=game.open())
            self.assertEqual(answer.final_answer, "It is 2.")
            first, second = solver.asked
            self.assertEqual([m.role for m in first["messages"]], ["system", "user"])
            self.assertEqual([t.name for t in first["tools"]], ["guess"])
            self.assertEqual((second["chain"], second["base"], [m.role for m in second["messages"]]), ("chain1", 3, ["tool"]), "it goes on from the chain")

    def test_in_a_thread(self) -> None:
        @awhost.agent("plain")
        def plain(episode: awhost.SyncEpisode) -> awhost.Answer:
            said = [episode.ask(episode.messages).message.content for _ in range(2)]
            return awhost.Answer(" ".join(said), metadata={"n": 2}, metrics={"asked": 2})

        with testing.agent(plain) as agent:
            answer = agent.play(awhost.Task("1", {"prompt": "hi"}), [awhost.assistant("a"), awhost.assistant("b")])
            self.assertEqual((answer.final_answer, answer.metadata, answer.metrics), ("a b", {"n": 2}, {"asked": 2}))
            self.assertEqual([a["repeat"] for a in agent.asked], [0, 1], "equal requests are told apart")

    def test_samples_of_one_message_fork_and_repeat_by_their_order(self) -> None:
        @awhost.agent("forks")
        async def forks(episode: awhost.Episode) -> None:
            first = await episode.ask(episode.messages)
            more = [*episode.messages, first.message, awhost.user("more")]
            one, two = await asyncio.gather(episode.ask(more), episode.ask(more))
            await episode.ask([*more, two.message, awhost.user("end")], calls=["", "", "", two.call_id])
            await episode.ask([*more, awhost.assistant("nobody said this"), awhost.user("end")])

        with testing.agent(forks) as agent:
            agent.play(awhost.Task("1", {"prompt": "hi"}), [awhost.assistant(t) for t in ("a", "same", "same", "c", "d")])
            self.assertEqual([(a["chain"], a["base"], a["repeat"]) for a in agent.asked], [("", 0, 0), ("chain1", 2, 0), ("chain1", 2, 1), ("chain3", 4, 0), ("chain1", 2, 0)])

    def test_errors_of_its_own_are_failures_of_the_agent(self) -> None:
        @awhost.agent("bug")
        async def bug(episode: awhost.Episode) -> None:
            raise KeyError("oops")

        @awhost.agent("full")
        def full(episode: awhost.SyncEpisode) -> None:
            episode.ask(episode.messages)

        with testing.agent(bug) as agent, self.assertRaises(awhost.Failure) as caught:
            agent.play(awhost.Task("1"), [])
        self.assertEqual((caught.exception.failure_class, caught.exception.detail), ("AGENT", "KeyError: 'oops'"))
        with testing.agent(full) as agent, self.assertRaises(awhost.GenerateError) as error:
            agent.play(awhost.Task("1"), [])
        self.assertEqual(error.exception.kind, "context_full")


@grpc_installed
class StatusTest(unittest.TestCase):
    def test_typed_errors_come_out_as_they_went_in(self) -> None:
        for error in (awhost.Failure("MODEL", "down \ud800", retryable=True), awhost.GenerateError("paused", "wait"), awhost.SessionLost("e"), awhost.Unavailable("gone"),
                      awhost.Error("text"), TimeoutError("late")):
            told = status.of_error(error)
            back = status.to_error(told.code, told.text, told.encoded())
            self.assertIs(type(back), type(error))
        self.assertEqual(status.of_error(awhost.NoTrainer("x")).code, status.Code.NOT_FOUND)

    def test_a_long_text_fits_a_header(self) -> None:
        self.assertLess(len(status.of_error(RuntimeError("x" * 10**6)).text), 17_000)

    def test_the_description_is_a_message(self) -> None:
        with testing.reward(Everything, data="d") as reward:
            out = reward._run(reward._base.Describe(plugin_pb2.DescribeRequest()))
        self.assertEqual(out.components[0].schema.blocks[0].block.attributes[1].default_json, b"3")
