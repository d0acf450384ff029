"""Tests of the plugin SDK need protobuf, and some of them gRPC. Without these they are skipped, with the reason."""

from __future__ import annotations

import importlib.util
import sys
import unittest
from typing import Any

MISSING = [name for name in ("google.protobuf", "grpc") if importlib.util.find_spec(name.partition(".")[0]) is None or importlib.util.find_spec(name) is None]
if MISSING:
    print(f"SKIPPED: the tests of the plugin SDK need {', '.join(MISSING)}: pip install ./sdk/python", file=sys.stderr)


def grpc_installed(case: Any) -> Any:
    return unittest.skipIf(MISSING, f"it needs {', '.join(MISSING)}")(case)
