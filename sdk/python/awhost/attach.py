"""`PROGRAM debug`: a plugin that a person starts, for example under a debugger, and that hosts attach to, one after the
other.

    attach.json   the plugin's address, read by `awhost debug --attach`
    tls/          the identities of both sides, made by the first host: Python's standard library makes no certificates

Both are in a folder that only the user can access and that is removed with the plugin. The host moves tls/ there in one
step. From then on the plugin listens until it is interrupted.
"""

from __future__ import annotations

import asyncio
import json
import os
import pathlib
import signal
import sys
import tempfile
from typing import Final, NoReturn

from awhost_bridge.waiting import within

from . import log
from .host import Identity
from .plugin import PROTOCOL_VERSION, Plugin
from .serve import HostWatch, end_process, run

IDENTITIES: Final = "tls"
_POLL_SECONDS: Final = 0.1


def await_hosts(plugin: Plugin) -> NoReturn:
    """Waits for hosts until SIGINT or SIGTERM."""
    log.to_stderr()
    with tempfile.TemporaryDirectory(prefix="awhost-debug-") as name:
        folder = pathlib.Path(name)
        os.environ.update(AWHOST_DEBUG="attached", PLUGIN_UNIX_SOCKET_DIR=name)
        socket = folder / "plugin"
        _announce_waiting(plugin, folder / "attach.json", socket)
        asyncio.run(_await(plugin, folder / IDENTITIES, socket))
    end_process(0)


def _announce_waiting(plugin: Plugin, path: pathlib.Path, socket: pathlib.Path) -> None:
    """Writes the address of the waiting plugin, and prints how to attach."""
    path.write_text(json.dumps({
        "protocol_version": PROTOCOL_VERSION, "network": "unix", "address": str(socket), "pid": os.getpid(),
        "identities": IDENTITIES,
    }) + "\n")
    print(f"{os.path.basename(sys.argv[0])} (process {os.getpid()}) waits for awhost until it is interrupted:")
    for component in plugin.components:
        print(f"  awhost debug --attach {component.about.kind}.{component.about.type}.NAME={path}", flush=True)


async def _await(plugin: Plugin, identities: pathlib.Path, socket: pathlib.Path) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    while not identities.exists():
        try:
            await within(stop.wait(), _POLL_SECONDS)
            return
        except asyncio.TimeoutError:
            pass
    identity = Identity.load(str(identities))
    (identities / "plugin.key").unlink()  # a reader of the key could call the host as the plugin
    hidden = socket.with_name("starting")

    def announce() -> None:
        hidden.rename(socket)  # hosts wait for this name

    await run(plugin, identity, HostWatch(), str(hidden), announce, stop, reused=True)
    socket.unlink(missing_ok=True)
