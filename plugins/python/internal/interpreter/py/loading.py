"""Loads a user's file and finds in it what the spec names. Every mistake is one problem: the attribute of the spec that
it is about, what is wrong, and what to do."""

import ast
import base64
import difflib
import importlib.util
import inspect
import linecache
import os
import sys
import types

from _awhost_driver import OPERATIONS, Refused, one_line, trimmed


def problem(attribute, summary, detail):
    return Refused(attribute=attribute, summary=summary, detail=detail)


class Loaded:
    """What the operations call: the object that the spec names, and its module."""

    def __init__(self, module, target):
        self.module, self.target = module, target


def module_from(request):
    """Imports the file under its own name, as `import` would with its folder on the path. The plugin sends the text, so
    that an interpreter that replaces another one runs the same."""
    path, source = request["path"], base64.b64decode(request["source"])
    code = compiled(path, source)
    folder = os.path.dirname(path)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    sys.argv = [path]
    name = module_name(path)
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    text = importlib.util.decode_source(source)
    linecache.cache[path] = (len(text), None, text.splitlines(True), path)
    try:
        exec(code, module.__dict__)
    except BaseException as error:
        raise loading_problem(error, path, text)
    return module


def compiled(path, source):
    try:
        return compile(source, path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:  # ValueError: a NUL byte
        raise problem("file", "Syntax error in Python", trimmed(error))


def module_name(path):
    """The file's own name, unless it is taken: a file called json.py must not replace the library."""
    name = os.path.splitext(os.path.basename(path))[0]
    name = "".join(c if c.isalnum() or c == "_" else "_" for c in name)
    if not name or name[0].isdigit() or name in sys.modules:
        name = "_user_" + name
    return name


def loading_problem(error, path, text):
    if isinstance(error, SyntaxError):  # of a module that it imports
        return problem("file", "Syntax error in Python", trimmed(error))
    if isinstance(error, ModuleNotFoundError) and error.name:
        name, where = imported(error, path, text)
        return problem("file", "Missing Python module", "module %s is not installed in %s: install it there, or point `python` at the right environment.%s"
                       % (name, sys.executable or "this Python", where))
    if isinstance(error, ImportError) and "no known parent package" in str(error):
        return problem("file", "Relative import", "%s\nThe file is loaded by itself, with its folder on the path: import its neighbours by their names, without a leading dot." % trimmed(error))
    if isinstance(error, SystemExit):
        return problem("file", "The file ends Python when it is imported", "%s\nPut what is not needed for import below `if __name__ == \"__main__\":`." % trimmed(error))
    return problem("file", "The file cannot be imported: %s" % one_line(error), trimmed(error))


def imported(error, path, text):
    """The module as the user wrote it, since Python names only its first missing part, and the line that wanted it."""
    frame, place = None, error.__traceback__
    while place is not None:
        if place.tb_frame.f_code.co_filename == path:
            frame = place
        place = place.tb_next
    if frame is None:
        return error.name, ""
    line = frame.tb_lineno
    where = "\n%s:%d: %s" % (path, line, linecache.getline(path, line).strip())
    for name in modules_at(text, line):
        if name == error.name or name.startswith(error.name + "."):
            return name, where
    return error.name, where


def modules_at(text, line):
    for node in ast.walk(ast.parse(text)):
        if getattr(node, "lineno", None) != line:
            continue
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


def find(module, name):
    """The object with this name, which may be dotted: Scorer.score."""
    found = module
    for part in name.split("."):
        try:
            found = getattr(found, part)
        except AttributeError:
            raise missing_name(part, found, module)
    return found


def missing_name(part, within, module):
    names = [n for n, v in vars(within).items() if not n.startswith("_") and callable(v)]
    own = [n for n in names if getattr(vars(within)[n], "__module__", None) == module.__name__]
    return no_such_name(part, os.path.basename(module.__file__), own or names)


def no_such_name(name, file, candidates):
    close = difflib.get_close_matches(name, candidates, 1, 0.5)
    hint = " Did you mean %s?" % close[0] if close else ""
    has = "It defines %s." % listed(candidates) if candidates else "It defines nothing that can be called."
    return problem("name", "No such name in the file", "%s has no %s.%s %s" % (file, name, hint, has))


def refuse_member_rewards(given):
    """One reward is trained on per episode. Rewards of single members would be lost without a word."""
    if "member_rewards" in given:
        raise Refused(summary="\"member_rewards\" is not supported: an episode has one reward for all its trained "
                              "members. Return one score; a member that is an agent block may return a reward, which "
                              "`reward = agent.python.NAME.reward` names", detail="")


def listed(names):
    names = sorted(names)
    if len(names) > 20:
        names = names[:20] + ["…"]
    return ", ".join(names)


class CallPlan:
    """Which of the values that awhost has are given to a function: those that it names."""

    def __init__(self, function, what, known, arguments):
        self.function, self.constants = function, {}
        self.wanted, self.required, self.positional, self.everything = {}, set(), [], False
        unknown, unused = [], dict(arguments)
        for p in parameters(function, what):
            if p.kind == p.VAR_POSITIONAL:
                continue
            if p.kind == p.VAR_KEYWORD:
                self.everything = True
                continue
            if p.kind == p.POSITIONAL_ONLY:
                self.positional.append(p.name)
            if p.name in unused:
                self.constants[p.name] = unused.pop(p.name)
            elif p.name in known:
                self.wanted[p.name] = known[p.name]
                if p.default is p.empty:
                    self.required.add(p.name)
            elif p.default is p.empty:
                unknown.append(p.name)
            elif p.kind == p.POSITIONAL_ONLY:
                self.constants[p.name] = p.default
        if unknown:
            raise unknown_parameters(what, unknown, known)
        if unused and not self.everything:
            raise problem("arguments", "Unused argument", "%s has no parameter %s." % (what, listed(unused)))
        self.constants.update(unused)
        if self.everything:
            for name, key in known.items():
                if name == key and name not in self.constants:
                    self.wanted.setdefault(name, key)

    def call(self, values):
        """Calls the function with values, which has by name what there is."""
        given = dict(self.constants)
        for name, key in self.wanted.items():
            if key in values:
                given[name] = values[key]
            elif name in self.required:
                raise Refused(summary="missing %s: %s" % (key, missing_value(key)), detail="")
        return self.function(*[given.pop(name) for name in self.positional if name in given], **given)


def missing_value(key):
    if key == "ground_truth":
        return "add the column to the dataset, map one to it, or give the parameter a default"
    return "give the parameter a default where it may be absent"


def parameters(function, what):
    try:
        return list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        raise problem("name", "Unreadable signature", "Python cannot determine the signature of %s: wrap it in your own function." % what)


def unknown_parameters(what, unknown, known):
    hints = []
    for name in unknown:
        # The column answer becomes ground_truth.
        close = ["ground_truth"] if name == "answer" else difflib.get_close_matches(name, list(known), 1, 0.6)
        if close:
            hints.append(" For %s, did you mean %s?" % (name, close[0]))
    return problem("name", "Parameter that awhost does not know", "%s wants %s, which awhost has not.%s Give it a default, set it in "
                   "`arguments`, or take one of: %s. `task` has the columns of the data."
                   % (what, listed(unknown), "".join(hints), listed(known)))


OPERATIONS["ping"] = lambda request: True
