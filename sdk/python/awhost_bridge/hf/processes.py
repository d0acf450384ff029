"""Several processes of a stage on one machine: python -m awhost_bridge.hf NUMBER MODULE, and in MODULE

    @awhost_bridge.hf.member
    def main(): …

If one of them was killed, the launcher ends by SIGKILL too: another launch may then succeed, which it cannot after an
error. If the launcher is killed, they end with it.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from typing import Callable

_PR_SET_PDEATHSIG = 1


def member(main: Callable[[], None]) -> Callable[[], None]:
    """Wraps the main function of a stage's process, alone or one of several. torch.distributed.run gives each of
    several processes its own session, and reports at its end why one has failed."""
    if "LOCAL_RANK" not in os.environ:
        return main
    from torch.distributed.elastic.multiprocessing.errors import record

    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    recorded: Callable[[], None] = record(main)
    return recorded


def launch(processes: int, module: str) -> None:
    """Runs the processes to their end."""
    from torch.distributed import run
    from torch.distributed.elastic.multiprocessing.errors import ChildFailedError

    try:
        # accelerate launch would use MPI on a CPU.
        run.main(["--standalone", "--nproc_per_node", str(processes), "-m", module])
    except ChildFailedError as e:
        # 1 is an error; run ends the other processes by SIGTERM.
        if all(failure.exitcode in (1, -signal.SIGTERM) for failure in e.failures.values()):
            raise
        print(e, file=sys.stderr, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
