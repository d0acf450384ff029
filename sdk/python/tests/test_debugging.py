"""The debuggers that a host requests: pdb over a connection, and the error if debugpy is missing."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

MODULE = Path(__file__).parents[1] / "awhost" / "debugging.py"
PROGRAM = f"""
import importlib.util, sys
spec = importlib.util.spec_from_file_location("debugging", {str(MODULE)!r})
debugging = importlib.util.module_from_spec(spec)
spec.loader.exec_module(debugging)
debugging.from_environment()

def worth(answer):
    breakpoint()
    points = 1.0
    return points

print(worth("a"), worth("b"))
"""


def connect(path: str) -> socket.socket:
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(path)
    return connection


def program(debugger: str, listen: str = "127.0.0.1:0", python: str = PROGRAM) -> subprocess.Popen[str]:
    environ = {**os.environ, "AWHOST_DEBUG": debugger, "AWHOST_DEBUG_LISTEN": listen, "AWHOST_DEBUG_WAIT": "1"}
    return subprocess.Popen([sys.executable, "-S", "-c", python], env=environ, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


class Debugging(unittest.TestCase):
    def test_pdb_is_typed_to_over_a_connection_at_each_breakpoint(self) -> None:
        with tempfile.TemporaryDirectory() as folder, program("pdb", "unix:" + folder) as process:
            assert process.stdout and process.stderr
            for answer, points in (("a", "0.25"), ("b", "0.5")):
                told = json.loads(process.stderr.readline())
                self.assertEqual((told["@message"], told["debugger"]), ("stands at a breakpoint", "pdb"))
                self.assertEqual(Path(told["listen"]).parent, Path(folder))
                with connect(told["listen"]) as connection:
                    connection.sendall(f"p answer\nn\n!points = {points}\nc\n".encode())
                    with connection.makefile() as said:
                        self.assertIn(repr(answer), said.read())
            self.assertEqual(process.stdout.read(), "0.25 0.5\n")

    def test_leaving_lets_the_code_go_on(self) -> None:
        with tempfile.TemporaryDirectory() as folder, program("pdb", "unix:" + folder) as process:
            assert process.stdout and process.stderr
            for _ in range(2):
                with connect(json.loads(process.stderr.readline())["listen"]) as connection:
                    connection.sendall(b"q\n")
            self.assertEqual(process.stdout.read(), "1.0 1.0\n")

    def test_pdb_refuses_addresses_that_other_users_can_reach(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)
            for listen in ("127.0.0.1:0", "0.0.0.0:5678", "unix:" + folder):
                with self.subTest(listen), program("pdb", listen) as process:
                    assert process.stderr
                    self.assertIn("a folder of mode 0700", process.stderr.read())
            self.assertEqual(os.listdir(folder), [])

    def test_a_missing_debugpy_is_an_import_error(self) -> None:
        with program("debugpy") as process:
            assert process.stderr
            self.assertIn("No module named 'debugpy'", process.stderr.read())

    def test_nothing_is_started_where_nobody_asks(self) -> None:
        with program("", python=PROGRAM.replace("    breakpoint()\n", "")) as process:
            assert process.stdout
            self.assertEqual(process.stdout.read(), "1.0 1.0\n")


if __name__ == "__main__":
    unittest.main()
