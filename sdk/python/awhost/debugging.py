"""Starts a debugger in this process if `awhost debug` requests one. Standard library only, and Python 3.8: awhost also
sends this file to the processes in which its own plugin `python` runs the user's code.

    AWHOST_DEBUG         debugpy or pdb
    AWHOST_DEBUG_LISTEN  the address of debugpy, such as 127.0.0.1:5678 (port 0: any free port), or for pdb, unix:FOLDER
                         with a folder that only this user can enter
    AWHOST_DEBUG_WAIT    1: execution waits until a client is attached
"""

from __future__ import annotations

import json
import os
import pdb
import socket
import sys
from typing import IO, Any, Callable, Mapping, Optional, cast

LISTENS = "listens for a debugger"
STANDS = "stands at a breakpoint"


def from_environment(environ: Mapping[str, str] = os.environ) -> None:
    """Starts the debugger that the environment names, if any."""
    debugger = environ.get("AWHOST_DEBUG", "")
    if debugger in STARTS:
        start(debugger, environ.get("AWHOST_DEBUG_LISTEN", "127.0.0.1:0"), environ.get("AWHOST_DEBUG_WAIT") == "1")


def start(debugger: str, listen: str, wait: bool) -> None:
    """Starts a debugger. Raises ImportError if debugpy is not installed, and OSError if it cannot listen there."""
    STARTS[debugger](listen, wait)


def start_debugpy(listen: str, wait: bool) -> None:
    host, _, number = listen.rpartition(":")
    host, port = host.strip("[]") or "127.0.0.1", int(number)
    os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")  # a warning about frozen modules
    import debugpy

    try:
        address = debugpy.listen((host, port))
    except RuntimeError as error:  # raised if the port is taken
        raise OSError("debugpy cannot listen on %s:%d: %s" % (host, port, error)) from None
    tell(LISTENS, "debugpy", "%s:%d" % address[:2])
    if wait:
        debugpy.wait_for_client()


def start_pdb(listen: str, _wait: bool) -> None:
    """Prepares breakpoint(). pdb executes its input, so it listens in a folder that no other user can enter."""
    kind, _, folder = listen.partition(":")
    if kind != "unix" or os.stat(folder).st_mode & 0o077:
        raise OSError("pdb cannot listen on %s: it needs unix:FOLDER with a folder of mode 0700" % listen)
    path = os.path.join(folder, "pdb-%d.sock" % os.getpid())
    Remote.server = socket.socket(socket.AF_UNIX)
    try:
        Remote.server.bind(path)
    except OSError as error:  # a path of more than 100 characters, for example
        raise OSError("pdb cannot listen on %s: %s: set TMPDIR to a folder with a short path" % (path, error)) from None
    Remote.server.listen(1)
    sys.breakpointhook = stop


def stop(*_args: Any, **_keywords: Any) -> None:
    """Implements breakpoint(): the client that connects controls pdb."""
    if Remote.current is None or Remote.current.left:
        assert Remote.server is not None
        tell(STANDS, "pdb", Remote.server.getsockname())
        Remote.current = Remote(Remote.server.accept()[0])
    Remote.current.set_trace(sys._getframe(1))


class Terminal:
    """A connection that pdb reads and writes. A connection closed by the user reads as the end of input."""

    def __init__(self, connection: socket.socket) -> None:
        self.lines = connection.makefile("r", encoding="utf-8", errors="replace")
        self.connection = connection

    def readline(self) -> str:
        try:
            return self.lines.readline()
        except OSError:
            return ""

    def write(self, text: str) -> None:
        try:
            self.connection.sendall(text.encode(errors="replace"))
        except OSError:
            pass  # the next readline returns the end of input

    def flush(self) -> None:
        pass  # write does not buffer

    def close(self) -> None:
        self.lines.close()
        self.connection.close()


class Remote(pdb.Pdb):
    """pdb over a connection. Leaving it lets the code continue."""

    server: Optional[socket.socket] = None
    current: Optional[Remote] = None

    def __init__(self, connection: socket.socket) -> None:
        self.terminal = cast(IO[str], Terminal(connection))
        super().__init__(stdin=self.terminal, stdout=self.terminal, nosigint=True, readrc=False)
        self.use_rawinput, self.left = False, False

    def do_continue(self, arg: str) -> bool:
        stays = bool(self.breaks)
        super().do_continue(arg)
        if not stays:
            self.left = True
            self.terminal.close()
        return True

    do_c = do_cont = do_continue

    def do_quit(self, arg: str) -> bool:
        self.clear_all_breaks()
        return self.do_continue(arg)

    do_q = do_exit = do_quit

    def do_EOF(self, arg: str) -> bool:
        return self.do_quit(arg)


STARTS: Mapping[str, Callable[[str, bool], None]] = {"debugpy": start_debugpy, "pdb": start_pdb}


def tell(message: str, debugger: str, listen: str) -> None:
    """Logs the debugger's address in the form that awhost reads."""
    line = {"@level": "info", "@message": message, "debugger": debugger, "listen": listen}
    os.write(2, (json.dumps(line) + "\n").encode())
