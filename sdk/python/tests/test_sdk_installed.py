"""Packages that are read and never imported."""

from __future__ import annotations

import pathlib
import tempfile
import unittest

from awhost import Error
from awhost.installed import Packages, misfit

BASE = '''
from dataclasses import dataclass
@dataclass
class Base:
    steps: int = -1
    rate: "float | None" = None
'''
CONFIG = '''
raise ImportError("this file is read, not run")
from dataclasses import dataclass, field
from typing import ClassVar, Optional, Union
from .base import Base
from other import Lazy as Idle
@dataclass
class Mixin(Protocol):
    own: bool = True
@dataclass
class Config(Base, Idle, Mixin):
    steps: int = field(default=8, metadata={"help": "…"})
    betas: Optional[list[float]] = None
    rates: Optional[List[float]] = None
    kind: Union[str, list[str]] = field(default_factory=list)
    schedule: SchedulerType | str = "linear"
    scale: Optional[Literal["group", "none"]] = None
    bits: Literal[4, 8, "float8"] = None
    names: ClassVar[int] = 1
'''


class PackagesTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        venv = pathlib.Path(folder.name)
        site = venv / "lib" / "python3.11" / "site-packages"
        for path, text in {
            "fw/base.py": BASE, "fw/config.py": CONFIG, "other/__init__.py": "", "other/arguments.py": "class Lazy:\n    lazy: str = 'x'\n    rate: int = 3\n",
            "fw-1.16.0.dist-info/METADATA": "", "fw_extra-2.0.dist-info/METADATA": "",
        }.items():
            (site / path).parent.mkdir(parents=True, exist_ok=True)
            (site / path).write_text(text)
        self.python = venv / "bin" / "python"
        self.python.parent.mkdir()
        self.python.write_text("")
        self.packages = Packages(self.python)

    def test_versions(self) -> None:
        self.assertEqual(("1.16.0", "2.0", None), (self.packages.version("fw"), self.packages.version("fw-extra"), self.packages.version("torch")))

    def test_a_version_is_required(self) -> None:
        self.assertEqual("1.16.0", self.packages.require("fw", (1, 10), (2,)))
        for name, below, says in (("fw", (1, 16), "has fw 1.16.0.*fw>=1.10,<1.16"), ("torch", (2,), "has no torch")):
            with self.assertRaisesRegex(Error, says):
                self.packages.require(name, (1, 10), below)

    def test_fields_are_those_of_the_class_and_its_bases(self) -> None:
        fields = self.packages.dataclass("fw/config.py", "Config")
        self.assertEqual({"steps", "rate", "lazy", "own", "betas", "rates", "kind", "schedule", "scale", "bits"}, set(fields))
        self.assertEqual((8, None, "linear", "float | None"), (fields["steps"].default, fields["kind"].default, fields["schedule"].default, fields["rate"].annotation))

    def test_methods_are_those_of_the_class_itself(self) -> None:
        base = self.python.parent.parent / "lib/python3.11/site-packages/fw/base.py"
        base.write_text(BASE + "    def step(self, rows, *, seed=0): pass\n    async def sample(self): pass\n")
        methods = self.packages.methods("fw/base.py", "Base")
        self.assertEqual({"step": ["self", "rows", "seed"], "sample": ["self"]}, methods)
        self.assertEqual({}, self.packages.methods("fw/config.py", "Config"))

    def test_values_are_held_against_annotations(self) -> None:
        fields = self.packages.dataclass("fw/config.py", "Config")
        for key, good, bad in (
            ("steps", [3, 3.0], [True, 3.5, "3", None]), ("rate", [1, 0.5, None], ["high", True]), ("own", [False], [0, "no"]), ("betas", [[0.9], None], [0.9]), ("rates", [[0.9], None], [0.9]),
            ("kind", ["a", ["a"]], [1]), ("schedule", ["cosine"], [1, True]),
            ("scale", ["group", None], ["std"]), ("bits", [4, "float8"], [5, "4", True]),
        ):
            for value in good:
                self.assertIsNone(misfit(fields, key, value), (key, value))
            for value in bad:
                self.assertIn(fields[key].annotation, misfit(fields, key, value) or "", (key, value))
        self.assertIn("did you mean steps?", misfit(fields, "step", 1) or "")

    def test_what_is_not_there_is_named(self) -> None:
        for call, says in (
            (lambda: Packages(self.python.parent / "python9"), "python9"), (lambda: self.packages.dataclass("torch/x.py", "X"), "torch/x.py"),
            (lambda: self.packages.dataclass("fw/base.py", "Basis"), "no class Basis"),
        ):
            with self.assertRaisesRegex(Error, says):
                call()


if __name__ == "__main__":
    unittest.main()
