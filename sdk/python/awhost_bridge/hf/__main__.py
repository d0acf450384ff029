"""python -m awhost_bridge.hf NUMBER MODULE: see processes."""

import sys

from .processes import launch

launch(int(sys.argv[1]), sys.argv[2])
