"""Packages that are read and never imported."""

from __future__ import annotations

import pathlib
import tempfile
import unittest

from awhost import Error
from awhost.installed import Packages


class PackagesTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        venv = pathlib.Path(folder.name)
        site = venv / "lib" / "python3.11" / "site-packages"
        for name in ("fw-1.16.0", "fw_extra-2.0"):
            (site / f"{name}.dist-info").mkdir(parents=True)
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

    def test_a_missing_interpreter_is_named(self) -> None:
        with self.assertRaisesRegex(Error, "python9"):
            Packages(self.python.parent / "python9")


if __name__ == "__main__":
    unittest.main()
