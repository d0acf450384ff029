"""Completion of a checkpoint before it is announced."""

from __future__ import annotations

import hashlib
import os
import pathlib
from fnmatch import fnmatch
from typing import Sequence


def seal(folder: str | os.PathLike[str], step: int, digested: Sequence[str]) -> str:
    """Syncs a complete checkpoint, and its folder's name, and returns its digest: SHA-256 over the step and the files
    whose names match one of the patterns, in the order of their names. Select files that are equal after equal
    training: weights and optimizer, not times and paths."""
    top, digest = pathlib.Path(folder), hashlib.sha256(str(step).encode())
    matched = 0
    for path in sorted(p for p in top.rglob("*") if p.is_file()):
        with open(path, "rb") as f:
            os.fsync(f.fileno())
            if any(fnmatch(path.name, pattern) for pattern in digested):
                matched += 1
                digest.update(f"\n{path.relative_to(top).as_posix()} {os.fstat(f.fileno()).st_size}\n".encode())
                while block := f.read(1 << 20):
                    digest.update(block)
    if not matched:
        raise FileNotFoundError(f"{top} has no file like {' or '.join(digested)}: it is no checkpoint")
    for directory in (*(p for p in top.rglob("*") if p.is_dir()), top, top.parent):
        descriptor = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    return digest.hexdigest()
