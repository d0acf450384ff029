"""The endpoint file: the adapter's current address, and the files with the secret and the authority."""

from __future__ import annotations

import json
import os
import ssl
from dataclasses import dataclass
from typing import Any

from .errors import BridgeError

FORMAT = "awhost.bridge/1"


@dataclass(frozen=True)
class Endpoint:
    """The contents of an endpoint file at the time of reading."""

    path: str
    run: str
    epoch: int
    addresses: tuple[tuple[str, int], ...]
    token_file: str
    ca_file: str  # empty: no TLS
    server_name: str

    def token(self) -> str:
        """Returns the secret, which is read again each time and never kept."""
        try:
            with open(self.token_file, encoding="utf-8") as f:
                return f.read().strip()
        except OSError as e:
            raise BridgeError(
                f"read the token of the bridge, which {self.path} names: {e}. Only its owner may read it: start this worker as the user "
                "that awhost runs as, where it sees the folder of the run"
            ) from e

    def tls(self) -> ssl.SSLContext | None:
        """Returns the TLS context, or None on loopback without TLS."""
        if not self.ca_file:
            return None
        try:
            context = ssl.create_default_context(ssl.Purpose.SERVER_AUTH, cafile=self.ca_file)
        except (OSError, ssl.SSLError) as e:
            raise BridgeError(f"read the authority {self.ca_file}, which {self.path} names: {e}") from e
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        return context


def read(path: str) -> Endpoint:
    """Reads an endpoint file. Raises BridgeError with the problem, and with the origin of the path."""
    try:
        with open(path, encoding="utf-8") as f:
            about = json.load(f)
    except OSError as e:
        raise BridgeError(f"read the endpoint file of the adapter: {e}; the adapter writes it when its training starts") from e
    except ValueError as e:
        raise BridgeError(f"the endpoint file {path} is no JSON: {e}") from e
    try:
        return _endpoint(path, about)
    except (KeyError, TypeError, ValueError) as e:
        raise BridgeError(f"the endpoint file {path} is not of the format {FORMAT}: {e!r}") from e


def _endpoint(path: str, about: Any) -> Endpoint:
    if about["format"] != FORMAT:
        raise ValueError(f"its format is {about['format']!r}: install the awhost_bridge that belongs to this awhost")
    folder = os.path.dirname(os.path.abspath(path))
    addresses = tuple(_address(text) for text in about["endpoints"])
    if not addresses:
        raise ValueError("it names no endpoint")
    ca_file = about.get("ca_file") or ""
    return Endpoint(
        path=path,
        run=str(about["run"]),
        epoch=int(about["epoch"]),
        addresses=addresses,
        token_file=os.path.join(folder, str(about["token_file"])),
        ca_file=os.path.join(folder, ca_file) if ca_file else "",
        server_name=str(about.get("server_name") or "localhost"),
    )


def _address(text: str) -> tuple[str, int]:
    host, colon, port = text.rpartition(":")
    if not colon or not host:
        raise ValueError(f"{text!r} is no host:port")
    return host.strip("[]"), int(port)
