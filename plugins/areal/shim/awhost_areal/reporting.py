"""The driver's side of the bridge: reports in order, and the host's answer after each step."""

from __future__ import annotations

import math
import os
import signal
import threading
from typing import Any

from awhost_bridge import SyncBridge

_LOOK_SECONDS = 1.0
_CLOSING_SECONDS = 60.0


class Reporter:
    def __init__(self, endpoint_file: str, framework_version: str) -> None:
        self._bridge = SyncBridge(endpoint_file, role="trainer", framework="areal", framework_version=framework_version)
        self._bridge.start()
        self._number = 0  # of the last event: an adapter that was restarted may be told twice
        self._over = threading.Event()
        threading.Thread(target=self._end_when_lost, name="awhost-lost", daemon=True).start()

    def event(self, body: dict[str, Any]) -> None:
        """Sends a TrainEvent in JSON."""
        self._number += 1
        self._bridge.event({"seq": self._number, **body})

    def metrics(self, step: int, values: dict[str, Any]) -> None:
        """AReaL has NaN for what a step has no number of: such are left out."""
        numbers = {name: float(v) for name, v in values.items() if isinstance(v, (int, float))}
        self.event({"metrics": {"step": step, "values": {name: v for name, v in numbers.items() if math.isfinite(v)}}})

    def boundary(self, launch_id: str, stage: str, step: int, validated: bool) -> tuple[str, str]:
        """Reports a finished step; the answer is the directive, in lower case, and why."""
        answer = self._bridge.boundary({"launch_id": launch_id, "stage": stage, "step": step, "validated": validated})
        directive = str(answer.get("directive", "")).removeprefix("DIRECTIVE_").lower()
        return directive, str(answer.get("reason") or "")

    def close(self) -> None:
        """Waits for an adapter that is away: what it has not heard nobody will know."""
        self._bridge.flush()
        self._over.set()
        self._bridge.close()

    def _end_when_lost(self) -> None:
        """Ends AReaL when no adapter has come back for the time that the bridge gives it: nobody would ever ask for the outcome, and
        the machine is wanted. First as a person would, so that AReaL ends its workers; then with all of its process group."""
        while not self._over.wait(_LOOK_SECONDS):
            error = self._bridge.bridge.lost
            if error is None:
                continue
            print(f"awhost: AReaL's driver ends, because awhost is gone: {error}", flush=True)
            os.kill(os.getpid(), signal.SIGINT)
            self._over.wait(_CLOSING_SECONDS)
            self.leave(1)

    def leave(self, code: int) -> None:
        """Ends this process at once, whatever its threads do. What AReaL has left running is ended by the adapter; where that is gone,
        with all of the process group, which is that of this process as the adapter starts it."""
        if self._bridge.bridge.lost is not None and os.getpgrp() == os.getpid():
            os.killpg(os.getpgrp(), signal.SIGKILL)
        os._exit(code)
