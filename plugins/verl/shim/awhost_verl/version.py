"""Which verl this is, and what follows from it."""

from __future__ import annotations

import functools
import importlib.metadata
import importlib.util
import os


@functools.cache
def installed() -> str:
    """The version of the installed verl: "0.9.1"."""
    try:
        return importlib.metadata.version("verl")
    except importlib.metadata.PackageNotFoundError:  # a checkout on PYTHONPATH
        import verl

        return str(verl.__version__)


@functools.cache
def has_v1() -> bool:
    """The trainer on a TransferQueue, from 0.9 on."""
    return importlib.util.find_spec("verl.trainer.ppo.v1") is not None


def takes_lists() -> bool:
    """Whether an agent loop may answer with several rows, or none. The adapter says which trainer it starts."""
    return has_v1() and os.environ.get("AWHOST_VERL_TRAINER", "v1") == "v1"


def installed_tuple() -> tuple[int, int]:
    """Major and minor: (0, 9)."""
    major, minor = installed().split(".")[:2]
    return int(major), int(minor)
