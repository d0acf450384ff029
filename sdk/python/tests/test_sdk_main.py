"""python -m awhost, with installations as pip makes them."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SDK = Path(__file__).resolve().parent.parent


class Main(unittest.TestCase):
    def run_main(self, *site: Path) -> subprocess.CompletedProcess[str]:
        path = os.pathsep.join(map(str, (SDK, *site)))
        command = [sys.executable, "-S", "-m", "awhost", "apply", "a b"]
        return subprocess.run(command, env={"PYTHONPATH": path}, capture_output=True, text=True)

    def install(self, root: Path, site: str, program: str, record: str) -> Path:
        info = root / site / "awhost-0.1.0.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: awhost\nVersion: 0.1.0\n")
        (info / "RECORD").write_text(f"{record},,\nawhost-0.1.0.dist-info/RECORD,,\n")
        (root / program).parent.mkdir(parents=True)
        (root / program).write_text('#!/bin/sh\nprintf "%s\\n" "$0" "$@"\nexit 7\n')
        (root / program).chmod(0o755)
        return info.parent

    def test_runs_the_program_with_its_arguments_and_status(self) -> None:
        for name, site, program in (
            ("an environment", "lib/python3/site-packages", "bin/awhost"),
            ("--target", "target", "target/bin/awhost"),
        ):
            with self.subTest(name), tempfile.TemporaryDirectory() as made:
                root = Path(made).resolve()
                done = self.run_main(self.install(root, site, program, "../../../bin/awhost"))
                self.assertEqual((done.returncode, done.stderr), (7, ""))
                self.assertEqual(done.stdout.splitlines(), [str(root / program), "apply", "a b"])

    def test_names_the_remedy_where_only_the_sdk_is_installed(self) -> None:
        done = self.run_main()
        self.assertEqual(done.returncode, 1)
        self.assertIn("-m pip install awhost==", done.stderr)


if __name__ == "__main__":
    unittest.main()
