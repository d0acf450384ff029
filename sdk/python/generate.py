"""Writes awhost/v1/*_pb2.py and their types from sdk/proto. `--check` writes nothing, and fails if they are stale.

Needs the grpcio-tools of ci.txt: protoc's output works with the protobuf of its installation, and with newer versions
up to the next major version. pyproject.toml must name that range.
"""

from __future__ import annotations

import argparse
import filecmp
import pathlib
import shutil
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PROTO = HERE.parent / "proto"
TARGET = HERE / "awhost" / "v1"


def generate(into: pathlib.Path) -> None:
    from grpc_tools import protoc

    files = sorted(str(path.relative_to(PROTO)) for path in PROTO.glob("awhost/v1/*.proto"))
    if protoc.main(["protoc", f"-I{PROTO}", f"-I{pathlib.Path(protoc.__file__).parent / '_proto'}", f"--python_out={into}", f"--pyi_out={into}", *files]) != 0:
        sys.exit("protoc failed")


def stale(fresh: pathlib.Path) -> list[str]:
    names = {path.name for path in [*fresh.iterdir(), *TARGET.glob("*_pb2.py*")]}
    return sorted(n for n in names if not (fresh / n).exists() or not (TARGET / n).exists() or not filecmp.cmp(fresh / n, TARGET / n, shallow=False))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        generate(pathlib.Path(folder))
        fresh = pathlib.Path(folder) / "awhost" / "v1"
        differing = stale(fresh)
        if options.check and differing:
            sys.exit(f"the protobuf code of the Python SDK is stale ({', '.join(differing)}): run python3 sdk/python/generate.py and commit")
        for name in () if options.check else differing:
            (TARGET / name).unlink(missing_ok=True)
            if (fresh / name).exists():
                shutil.copyfile(fresh / name, TARGET / name)


if __name__ == "__main__":
    main()
