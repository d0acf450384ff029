"""The debuggers that a host asks for: pdb over a connection, and what is said where debugpy is missing."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
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


def program(debugger: str, python: str = PROGRAM) -> subprocess.Popen[str]:
    environ = {**os.environ, "AWHOST_DEBUG": debugger, "AWHOST_DEBUG_LISTEN": "127.0.0.1:0", "AWHOST_DEBUG_WAIT": "1"}
    return subprocess.Popen([sys.executable, "-S", "-c", python], env=environ, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


class Debugging(unittest.TestCase):
    def test_pdb_is_typed_to_over_a_connection_at_each_breakpoint(self) -> None:
        with program("pdb") as process:
            assert process.stdout and process.stderr
            for answer, points in (("a", "0.25"), ("b", "0.5")):
                told = json.loads(process.stderr.readline())
                self.assertEqual((told["@message"], told["debugger"]), ("stands at a breakpoint", "pdb"))
                host, port = told["listen"].split(":")
                with socket.create_connection((host, int(port))) as connection:
                    connection.sendall(f"p answer\nn\n!points = {points}\nc\n".encode())
                    with connection.makefile() as said:
                        self.assertIn(repr(answer), said.read())
            self.assertEqual(process.stdout.read(), "0.25 0.5\n")

    def test_leaving_lets_the_code_go_on(self) -> None:
        with program("pdb") as process:
            assert process.stdout and process.stderr
            for _ in range(2):
                host, port = json.loads(process.stderr.readline())["listen"].split(":")
                with socket.create_connection((host, int(port))) as connection:
                    connection.sendall(b"q\n")
            self.assertEqual(process.stdout.read(), "1.0 1.0\n")

    def test_a_missing_debugpy_is_an_import_error(self) -> None:
        with program("debugpy") as process:
            assert process.stderr
            self.assertIn("No module named 'debugpy'", process.stderr.read())

    def test_nothing_is_started_where_nobody_asks(self) -> None:
        with program("", PROGRAM.replace("    breakpoint()\n", "")) as process:
            assert process.stdout
            self.assertEqual(process.stdout.read(), "1.0 1.0\n")


if __name__ == "__main__":
    unittest.main()
