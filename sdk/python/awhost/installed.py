"""The packages of an interpreter, read and never run: a plan starts nothing, and importing a framework takes seconds.

    packages = Packages(python)              # the interpreter that the user names
    packages.version("fw")                   # "1.16.0"; None: it is not installed
    packages.require("fw", (1, 10), (2,))    # raises Error with the remedy if it is another version
"""

from __future__ import annotations

import pathlib
import re

from .errors import Error


class Packages:
    """The packages installed for an interpreter, by its files. Raises Error if the interpreter is missing."""

    def __init__(self, python: pathlib.Path) -> None:
        if not python.exists():
            raise Error(f"{python} does not exist: name the interpreter that has the framework, for example .venv/bin/python")
        self.python = python
        roots = dict.fromkeys([python.parent.parent, python.resolve().parent.parent])
        self.folders = [f for root in roots for lib in ("lib", "lib64", "local/lib") for f in sorted(root.glob(f"{lib}/python3*/*-packages"))]

    def version(self, name: str) -> str | None:
        """Returns the version of a distribution, by its name in lower case with dashes, or None if it is not
        installed."""
        pattern = re.compile(re.escape(name).replace(r"\-", "[-_.]+") + r"-(\d[^-]*)\.dist-info", re.IGNORECASE)
        return next((found[1] for folder in self.folders for info in folder.glob("*.dist-info") if (found := pattern.fullmatch(info.name))), None)

    def require(self, name: str, at_least: tuple[int, ...], below: tuple[int, ...]) -> str:
        """Returns the version of a distribution, which must be in a range."""
        version = self.version(name)
        if version is None or not at_least <= tuple(int(n) for n in re.findall(r"\d+", version)[:3]) < below:
            wanted = f"{name}>={'.'.join(map(str, at_least))},<{'.'.join(map(str, below))}"
            raise Error(f"{self.python} has {f'{name} {version}' if version else f'no {name}'}. Install it there: {self.python} -m pip install '{wanted}'")
        return version
