"""``python -m awhost`` runs the program of the package ``awhost``, installed with the SDK."""

from __future__ import annotations

import os
import sys
from importlib.metadata import PackageNotFoundError, distribution

from awhost.version import VERSION


def program() -> str | None:
    """The path of the program, or None if this Python has only the SDK."""
    try:
        found = distribution("awhost")
    except PackageNotFoundError:
        return None
    # pip install --target moves the program without changing its record.
    paths = [str(found.locate_file(file)) for file in found.files or () if file.name == "awhost"]
    paths.append(str(found.locate_file("bin/awhost")))
    return next((os.path.realpath(path) for path in paths if os.path.isfile(path)), None)


def main() -> None:
    path = program()
    if path is None:
        sys.exit(
            "python -m awhost: this Python has awhost's SDK, but not the program. "
            f"Install it: {sys.executable} -m pip install awhost=={VERSION}"
        )
    os.execv(path, [path, *sys.argv[1:]])


if __name__ == "__main__":
    main()
