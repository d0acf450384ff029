# SPDX-License-Identifier: Apache-2.0
"""The conformance suite: without ms-swift, with one that trains nothing, and with the real one."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from . import fake

COMMITTED = pathlib.Path(__file__).parent.parent / "conformance.json"


class Conformance(unittest.TestCase):
    def play(self, fixtures: pathlib.Path) -> str:
        host = shutil.which(os.environ.get("AWHOST") or "awhost")
        if not host:
            self.skipTest("SKIPPED: set AWHOST to the program awhost")
        out = subprocess.run([host, "plugin", "test", str(pathlib.Path(sys.executable).with_name("awhost-swift")), "--fixtures", str(fixtures)], capture_output=True, text=True)
        print(out.stdout, out.stderr)
        self.assertEqual(out.returncode, 0)
        return out.stdout

    def train(self, folder: str, python: str, model: str, seconds: int) -> str:
        fixtures = pathlib.Path(folder, "conformance.json")
        component = json.loads(COMMITTED.read_text())["components"][0] | {
            "config": {"python": python, "device": "cpu", "config": {"model_type": "qwen2"}},
            "train": {"policy": {"path": model}, "knobs": {"checkpoint": {"every": 1}}, "seconds": seconds},
        }
        fixtures.write_text(json.dumps({"components": [component]}))
        return self.play(fixtures)

    def test_without_swift(self) -> None:
        self.play(COMMITTED)

    def test_with_one_that_trains_nothing(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            said = self.train(folder, str(fake.interpreter(pathlib.Path(folder, "venv"))), "nowhere", 60)
        for check in ("ADP-TRAIN", "ADP-RESUME", "ADP-CHAOS"):
            self.assertNotIn(f"{check}-01 skipped", said)

    def test_with_swift(self) -> None:
        python, model = os.environ.get("AWHOST_SWIFT_PYTHON"), os.environ.get("AWHOST_SWIFT_MODEL")
        if not python or not model:
            self.skipTest("SKIPPED: set AWHOST_SWIFT_PYTHON to a Python that has ms-swift, and AWHOST_SWIFT_MODEL to a tiny Qwen2")
        with tempfile.TemporaryDirectory() as folder:
            self.train(folder, python, model, 600)


if __name__ == "__main__":
    unittest.main()
