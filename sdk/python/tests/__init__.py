"""Tests store their evidence in a temporary folder."""

import atexit
import os
import shutil
import tempfile

os.environ["XDG_CACHE_HOME"] = tempfile.mkdtemp(prefix="awhost-tests-")
atexit.register(shutil.rmtree, os.environ["XDG_CACHE_HOME"])
