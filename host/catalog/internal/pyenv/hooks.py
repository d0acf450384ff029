"""Asks a package's build backend (PEP 517) for a wheel. Run by the Python of the build environment, in the package's directory.

The argument is a JSON file: {backend, path, installed, wheels, answer}. The answer is a JSON file with one member:
missing (requirements that must be installed first) or wheel (a file in wheels).
"""

import importlib
import json
import os
import sys


def load(name, path):
    sys.path[:0] = [os.path.join(os.getcwd(), entry) for entry in path]
    module, _, attributes = name.partition(":")
    backend = importlib.import_module(module)
    for attribute in filter(None, attributes.split(".")):
        backend = getattr(backend, attribute)
    return backend


def ask(request):
    backend = load(request["backend"], request["path"])
    required = getattr(backend, "get_requires_for_build_wheel", lambda settings: [])(None)
    missing = [r for r in required if r not in request["installed"]]
    if missing:
        return {"missing": missing}
    return {"wheel": os.path.basename(backend.build_wheel(request["wheels"], None, None))}


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        request = json.load(file)
    del sys.path[0]  # of this file
    sys.argv = [request["backend"]]
    answer = ask(request)
    with open(request["answer"], "w", encoding="utf-8") as file:
        json.dump(answer, file)
