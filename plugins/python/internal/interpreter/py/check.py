"""Looks at a file without running any of it: what it would be refused for when it is loaded, as far as the text says."""

import ast
import base64
import os

import _awhost_loading as loading
import _awhost_trl as trl
from _awhost_driver import OPERATIONS


def check(request):
    source = base64.b64decode(request["source"])
    loading.compiled(request["path"], source)
    tree = ast.parse(source)
    names, whole = top_level(tree)
    first, _, rest = request["name"].partition(".")
    if first not in names:
        if whole:
            defined = [n for n, v in names.items() if isinstance(v, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))]
            raise loading.no_such_name(first, os.path.basename(request["path"]), defined)
        return True
    node = names[first]
    if node not in tree.body or sum(isinstance(n, ast.Name) and n.id == first and isinstance(n.ctx, ast.Store) for n in ast.walk(tree)):
        return True  # it may be replaced before it is called
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and not rest and not node.decorator_list:
        signature(node, request)
    return True


def top_level(tree):
    """What the module's own statements bind, by name, and whether that is all there can be."""
    names, whole = {}, True
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.setdefault(node.name, node)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.setdefault(node.id, node)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                whole = whole and alias.name != "*"
                names[(alias.asname or alias.name).split(".")[0]] = node
        elif isinstance(node, ast.Name) and node.id in ("globals", "exec", "setattr", "vars"):
            whole = False
        elif isinstance(node, ast.ExceptHandler) and node.name:
            names.setdefault(node.name, node)
        elif type(node).__name__ in ("MatchAs", "MatchStar", "MatchMapping"):
            whole = False
    for node in tree.body:  # what stands at the top wins over a method of the same name
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names[node.name] = node
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == "__getattr__":
            whole = False
    return names, whole


def signature(node, request):
    """A parameter without a default must be one that awhost knows."""
    known = {n: n for n in request["known"]}
    if request["batch"]:
        known.update({n + "s": n for n in request["known"] if not n.endswith("s")})
    positional = list(getattr(node.args, "posonlyargs", [])) + node.args.args
    needed = positional[: len(positional) - len(node.args.defaults)]
    needed += [a for a, default in zip(node.args.kwonlyargs, node.args.kw_defaults) if default is None]
    names = [a.arg for a in needed]
    if trl.recognised(names, request["arguments"]):
        trl.check_parameters(node.name, names, request["arguments"])
        known = None
    unknown = [a.arg for a in needed if known is not None and a.arg not in known and a.arg not in request["arguments"]]
    if unknown:
        raise loading.unknown_parameters(node.name, unknown, known)
    if node.args.kwarg is None:
        own = {a.arg for a in positional + node.args.kwonlyargs}
        unused = [name for name in request["arguments"] if name not in own]
        if unused:
            raise loading.problem("arguments", "Unused argument", "%s has no parameter %s." % (node.name, loading.listed(unused)))


OPERATIONS["check"] = check
