"""Standard output, which carries only the description and the handshake. The launcher that awhost installs reserves it
before it imports the plugin, because libraries print when they are imported."""

from __future__ import annotations

import functools
import os
from typing import TextIO


@functools.cache
def reserve() -> TextIO:
    """Returns standard output, and redirects descriptor 1 to standard error. Text in buffers, such as C's, follows."""
    reserved = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    return reserved
