"""Starts a debugger in this process, where `awhost debug` asks for one. Standard library only, and Python 3.8: awhost
also sends this file to the processes in which its own plugin `python` runs the user's code.

    AWHOST_DEBUG         debugpy or pdb
    AWHOST_DEBUG_LISTEN  where it listens: 127.0.0.1:5678; the port 0 is any
    AWHOST_DEBUG_WAIT    1: nothing goes on before somebody is attached
"""

from __future__ import annotations

import json
import os
import pdb
import socket
import sys
from typing import Any, Callable, Mapping, Optional

LISTENS = "listens for a debugger"
STANDS = "stands at a breakpoint"


def from_environment(environ: Mapping[str, str] = os.environ) -> None:
    """Starts what the environment names, if it names anything."""
    debugger = environ.get("AWHOST_DEBUG", "")
    if debugger in STARTS:
        start(debugger, environ.get("AWHOST_DEBUG_LISTEN", "127.0.0.1:0"), environ.get("AWHOST_DEBUG_WAIT") == "1")


def start(debugger: str, listen: str, wait: bool) -> None:
    """Starts a debugger. An ImportError says that debugpy is not installed, an OSError that it cannot listen there."""
    host, _, port = listen.rpartition(":")
    STARTS[debugger](host.strip("[]") or "127.0.0.1", int(port), wait)


def start_debugpy(host: str, port: int, wait: bool) -> None:
    os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")  # a warning about frozen modules
    import debugpy

    try:
        address = debugpy.listen((host, port))
    except RuntimeError as error:  # how it says that the port is taken
        raise OSError("debugpy cannot listen on %s:%d: %s" % (host, port, error)) from None
    tell(LISTENS, "debugpy", *address[:2])
    if wait:
        debugpy.wait_for_client()


def start_pdb(host: str, port: int, _wait: bool) -> None:
    Remote.server = socket.create_server((host, port), backlog=1)
    sys.breakpointhook = stop


def stop(*_args: Any, **_keywords: Any) -> None:
    """breakpoint(): whoever connects types to pdb."""
    if Remote.current is None or Remote.current.left:
        assert Remote.server is not None
        tell(STANDS, "pdb", *Remote.server.getsockname()[:2])
        Remote.current = Remote(Remote.server.accept()[0])
    Remote.current.set_trace(sys._getframe(1))


class Remote(pdb.Pdb):
    """pdb at the other end of a connection. Leaving it lets the code go on."""

    server: Optional[socket.socket] = None
    current: Optional[Remote] = None

    def __init__(self, connection: socket.socket) -> None:
        self.said = connection.makefile("r", encoding="utf-8", errors="replace")
        self.says = connection.makefile("w", encoding="utf-8", errors="replace")
        connection.close()  # with the files
        super().__init__(stdin=self.said, stdout=self.says, nosigint=True, readrc=False)
        self.use_rawinput, self.left = False, False

    def do_continue(self, arg: str) -> bool:
        stays = bool(self.breaks)
        super().do_continue(arg)
        if not stays:
            self.left = True
            self.said.close()
            self.says.close()
        return True

    do_c = do_cont = do_continue

    def do_quit(self, arg: str) -> bool:
        self.clear_all_breaks()
        return self.do_continue(arg)

    do_q = do_exit = do_quit

    def do_EOF(self, arg: str) -> bool:
        return self.do_quit(arg)


STARTS: Mapping[str, Callable[[str, int, bool], None]] = {"debugpy": start_debugpy, "pdb": start_pdb}


def tell(message: str, debugger: str, host: str, port: int) -> None:
    """A line of the log, as awhost reads it: where the debugger is."""
    line = {"@level": "info", "@message": message, "debugger": debugger, "listen": "%s:%d" % (host, port)}
    os.write(2, (json.dumps(line) + "\n").encode())
