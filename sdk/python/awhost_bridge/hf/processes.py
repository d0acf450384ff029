"""Several processes of a stage on one machine: python -m awhost_bridge.hf NUMBER MODULE, and in MODULE

    @awhost_bridge.hf.member
    def main(): …

Where one of them was killed the launcher ends by SIGKILL, too: then another launch may do better, which it cannot after an error. Where the launcher is killed
they end with it.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from typing import Callable

_PR_SET_PDEATHSIG = 1


def member(main: Callable[[], None]) -> Callable[[], None]:
    """A process of a stage, alone or one of several. torch.distributed.run gives each of several a session of its own, and says at its end why one has failed."""
    if "LOCAL_RANK" not in os.environ:
        return main
    from torch.distributed.elastic.multiprocessing.errors import record

    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    recorded: Callable[[], None] = record(main)
    return recorded


def launch(processes: int, module: str) -> None:
    """Runs them to their end."""
    from torch.distributed import run
    from torch.distributed.elastic.multiprocessing.errors import ChildFailedError

    try:
        run.main(["--standalone", "--nproc_per_node", str(processes), "-m", module])  # accelerate launch would take MPI on a CPU
    except ChildFailedError as e:
        if all(failure.exitcode in (1, -signal.SIGTERM) for failure in e.failures.values()):  # an error; SIGTERM is how run ends the others
            raise
        print(e, file=sys.stderr, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
