"""A plugin: a name, a version, and components. Importing this module imports neither gRPC nor protobuf, so that
`describe` is fast."""

from __future__ import annotations

import json
import os
import re
import sys
from typing import Any, Final, NoReturn, Sequence

from . import output
from .component import Component
from .version import VERSION

PROTOCOL_VERSION: Final = 1
COOKIE: Final = ("AWHOST_PLUGIN_MAGIC_COOKIE", "5f2b6c1d9a0e4783b1c6e8d2f7a43950e1bd6c8f20479a53dc1e7b9064f8a2d3")
_NAME: Final = re.compile(r"^[a-z][a-z0-9_-]{0,62}$")
_VERSION: Final = re.compile(r"^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$")


class Plugin:
    """A program that serves components. name is the prefix of their types, version a semantic version.
    max_message_bytes is the largest message that it receives and sends; 0 means 32 MiB, and the maximum is 1 GiB. Each
    call in progress may hold that much memory."""

    def __init__(self, name: str, version: str, *components: type[Component], max_message_bytes: int = 0) -> None:
        self.max_message_bytes = max_message_bytes
        self.name = name
        self.version = version
        self.components: Sequence[type[Component]] = components
        self._check()

    def _check(self) -> None:
        if not _NAME.match(self.name) or not _VERSION.match(self.version):
            raise ValueError(f"plugin {self.name!r} {self.version!r}: the name is lower-case letters, digits and dashes, the version a semantic one such as 1.0.0")
        if self.max_message_bytes and not 32 << 20 <= self.max_message_bytes <= 1 << 30:
            raise ValueError(
                f"plugin {self.name}: max_message_bytes is {self.max_message_bytes}: leave it out for {32 << 20} (32 MiB), "
                f"or declare more, up to {1 << 30} (1 GiB)")
        if not self.components:
            raise ValueError(f"plugin {self.name}: it has no components")
        seen: set[tuple[str, str]] = set()
        for component in self.components:
            about = getattr(component, "about", None)
            if about is None:
                raise ValueError(f'plugin {self.name}: class {component.__name__} has no type: class {component.__name__}(…, type="…")')
            if not _NAME.match(about.type) or (about.kind, about.type) in seen:
                raise ValueError(f"plugin {self.name}: {about.kind} {about.type!r}: its type is not a valid name, or is used twice")
            seen.add((about.kind, about.type))

    def describe(self) -> dict[str, Any]:
        """Returns a DescribeResponse in protobuf's JSON mapping."""
        declared = {"max_message_bytes": str(self.max_message_bytes)} if self.max_message_bytes else {}
        return {
            "name": self.name, "version": self.version, "protocol_versions": [PROTOCOL_VERSION], "sdk": f"python/{VERSION}",
            "components": [component.about.described() for component in self.components], **declared,
        }

    def serve(self) -> NoReturn:
        """Runs the plugin and never returns: a program needs no other call. `PROGRAM describe` prints its components,
        without a host, and `PROGRAM debug` waits for hosts that attach to it."""
        if sys.argv[1:] == ["describe"]:
            print(json.dumps(self.describe(), indent=2), file=output.reserve(), flush=True)
            raise SystemExit(0)
        if sys.argv[1:] == ["debug"]:
            from .attach import await_hosts  # slow import

            await_hosts(self)
        if os.environ.get(COOKIE[0]) != COOKIE[1]:
            raise SystemExit(f"{self.name} {self.version} is a plugin of awhost: name it in a spec and run `awhost apply`, or run `{sys.argv[0]} describe`.")
        from .serve import serve  # slow import

        serve(self)


def serve(name: str, version: str, *components: type[Component], max_message_bytes: int = 0) -> NoReturn:
    """Serves a plugin with these components. See Plugin."""
    Plugin(name, version, *components, max_message_bytes=max_message_bytes).serve()
