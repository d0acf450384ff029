# SPDX-License-Identifier: Apache-2.0
"""Starts the processes of a stage on this machine: python -m awhost_trl_worker.launch NUMBER. Where one of them was killed it ends by SIGKILL, too:
then another launch may do better, which it cannot after an error."""

from __future__ import annotations

import os
import signal
import sys

from torch.distributed import run
from torch.distributed.elastic.multiprocessing.errors import ChildFailedError

try:
    run.main(["--standalone", "--nproc_per_node", sys.argv[1], "-m", "awhost_trl_worker"])  # accelerate launch would take MPI on a CPU
except ChildFailedError as e:
    if all(failure.exitcode in (1, -signal.SIGTERM) for failure in e.failures.values()):  # an error; SIGTERM is how run ends the others
        raise
    print(e, file=sys.stderr, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
