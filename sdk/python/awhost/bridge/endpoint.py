"""The files by which workers find the bridge: the endpoint file, and the token and the certificate next to it."""

from __future__ import annotations

import ipaddress
import json
import os
import pathlib
import secrets
import shutil
import ssl
import subprocess
import tempfile
from dataclasses import dataclass, field
from typing import Any, Final, Sequence

from ..errors import Error

FORMAT: Final = "awhost.bridge/1"
FILE, TOKEN, AUTHORITY = "bridge.json", "bridge.token", "bridge-ca.pem"
SERVER_NAME: Final = "localhost"


@dataclass
class Options:
    """The settings of a bridge.

    listen: host:port; port 0 takes the port of the previous epoch, if it is free. Any address but loopback is served
    with TLS. advertise: the addresses at which workers reach it, in order; none means the listening address.
    grace_seconds: the time that the episodes of an absent worker are kept. credits: the number of episodes that a
    worker may have open. settings: the adapter's settings for its workers. certificate: PEM files of a certificate for
    localhost and its key; none means that one is made by the program openssl.
    """

    listen: str = "127.0.0.1:0"
    advertise: Sequence[str] = ()
    grace_seconds: float = 120.0
    ping_seconds: float = 10.0
    credits: int = 1024
    settings: dict[str, Any] = field(default_factory=dict)
    certificate: tuple[str, str] | None = None
    handshake_seconds: float = 5.0
    line_bytes: int = 64 << 20
    kept_bytes: int = 64 << 20

    def check(self) -> None:
        host, _ = split(self.listen)
        if host in ("", "0.0.0.0", "::") and not self.advertise:
            raise Error(f"the bridge listens on {self.listen}, every address of this machine: say in advertise which one workers shall use")
        if self.grace_seconds < 3 * self.ping_seconds:
            raise Error(f"a connection of the bridge is known to be dead after {3 * self.ping_seconds:g} s; a grace of {self.grace_seconds:g} s is shorter")
        if self.credits < 1:
            raise Error("the bridge gives no credits: workers could open no episode")

    @property
    def loopback(self) -> bool:
        host, _ = split(self.listen)
        try:
            return host == "localhost" or ipaddress.ip_address(host).is_loopback
        except ValueError:
            return False


def split(address: str) -> tuple[str, int]:
    host, colon, port = address.rpartition(":")
    if not colon or not port.isdigit():
        raise Error(f"{address} is no address: write host:port")
    return host.strip("[]"), int(port)


def earlier(folder: pathlib.Path, run: str) -> dict[str, Any] | None:
    """Returns the endpoint file of the previous epoch, or None if this run has none."""
    try:
        text = (folder / FILE).read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    try:
        about = json.loads(text)
        return about if about["run"] == run else None
    except (ValueError, KeyError, TypeError) as e:
        raise Error(f"{folder / FILE} is no endpoint file: {e!r}: remove it") from None


def publish(folder: pathlib.Path, options: Options, *, run: str, epoch: int, bound: tuple[str, int], token: str, authority: bytes | None) -> None:
    """Writes the token, then the endpoint file that names it."""
    host, port = bound
    own = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    about: dict[str, Any] = {
        "format": FORMAT, "run": run, "epoch": epoch, "token_file": TOKEN, "port": str(port),
        "endpoints": [_advertised(address, port) for address in options.advertise] or [own],
    }
    if authority is not None:
        about |= {"ca_file": AUTHORITY, "server_name": SERVER_NAME}
        replace(folder / AUTHORITY, authority)
    replace(folder / TOKEN, token.encode() + b"\n")
    replace(folder / FILE, json.dumps(about).encode() + b"\n")


def _advertised(address: str, port: int) -> str:
    if address.startswith("[") and "]:" in address or address.count(":") == 1:
        return address
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"


def replace(path: pathlib.Path, content: bytes) -> None:
    """Writes a file that only the user can read; readers see either the whole file or the previous one."""
    handle, name = tempfile.mkstemp(prefix=path.name, dir=path.parent)  # mode 0600
    try:
        with os.fdopen(handle, "wb") as f:
            f.write(content)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def secure(options: Options) -> tuple[ssl.SSLContext, bytes]:
    """Returns a server's TLS, and the certificate by which workers recognize it. A key that is made here exists only in
    this process."""
    with tempfile.TemporaryDirectory() as folder:
        certificate, key = options.certificate or _make(folder)
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.load_cert_chain(certificate, key)
        return context, pathlib.Path(certificate).read_bytes()


def _make(folder: str) -> tuple[str, str]:
    program = shutil.which("openssl")
    if program is None:
        raise Error("a bridge for other machines needs TLS, and there is no openssl to make a certificate: install it, or name files in Options.certificate")
    certificate, key = os.path.join(folder, "crt.pem"), os.path.join(folder, "key.pem")
    command = [program, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "365", "-subj", f"/CN={SERVER_NAME}",
               "-addext", f"subjectAltName=DNS:{SERVER_NAME}", "-keyout", key, "-out", certificate]
    made = subprocess.run(command, capture_output=True, text=True)
    if made.returncode != 0:
        raise Error(f"openssl made no certificate for the bridge: {made.stderr.strip()}")
    return certificate, key


def new_token() -> str:
    return secrets.token_hex(32)
