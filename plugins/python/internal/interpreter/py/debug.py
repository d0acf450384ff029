"""Starts a debugger before anything of the user's runs: see _awhost_debugging."""

import sys

import _awhost_debugging as debugging
from _awhost_driver import OPERATIONS
from _awhost_loading import problem


def debug(request):
    try:
        debugging.start(request["debugger"], request["listen"], request["wait"])
    except ImportError:
        raise problem("python", "debugpy is not installed", "%s has no debugpy: run `%s -m pip install debugpy`, or "
                      "debug with pdb, as in --debug ADDRESS=pdb." % (sys.executable, sys.executable))
    except OSError as error:
        raise problem("python", "The debugger cannot listen", str(error))
    return True


OPERATIONS["debug"] = debug
