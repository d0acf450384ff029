"""The packages of an interpreter, read and never run: a plan starts nothing, and importing a framework takes seconds.

    packages = Packages(python)                                   # the interpreter that the user names
    packages.version("fw")                                        # "1.16.0"; None: it is not there
    fields = packages.dataclass("fw/trainer/config.py", "Config")
    problem = misfit(fields, "beta", "high")                      # "beta is 'high', and the installed version takes float."
"""

from __future__ import annotations

import ast
import difflib
import pathlib
import re
from dataclasses import dataclass
from typing import Any, Final, Mapping

from .errors import Error

_KINDS: Final[Mapping[str, tuple[type, ...]]] = {
    "int": (int,), "float": (int, float), "bool": (bool,), "str": (str,), "dict": (dict,), "list": (list,), "tuple": (list,), "set": (list,), "None": (type(None),),
}
_LITERAL: Final = re.compile(r"\bLiteral\[([^\[\]]*)\]")
_TYPING: Final[Mapping[str, str]] = {name.capitalize(): name for name in ("dict", "list", "tuple", "set")}
_OTHER: Final = (str, dict)  # enumerations and the like, which are passed as text


@dataclass(frozen=True)
class DataclassField:
    """A field as defined in the source."""

    annotation: str
    default: Any  # if it is a literal, else None


class Packages:
    """The packages installed for an interpreter, by its files. Raises Error if the interpreter is missing."""

    def __init__(self, python: pathlib.Path) -> None:
        if not python.exists():
            raise Error(f"{python} does not exist: name the interpreter that has the framework, for example .venv/bin/python")
        self.python = python
        roots = dict.fromkeys([python.parent.parent, python.resolve().parent.parent])
        self.folders = [f for root in roots for lib in ("lib", "lib64", "local/lib") for f in sorted(root.glob(f"{lib}/python3*/*-packages"))]

    def version(self, name: str) -> str | None:
        """Returns the version of a distribution, by its name in lower case with dashes, or None if it is not
        installed."""
        pattern = re.compile(re.escape(name).replace(r"\-", "[-_.]+") + r"-(\d[^-]*)\.dist-info", re.IGNORECASE)
        return next((found[1] for folder in self.folders for info in folder.glob("*.dist-info") if (found := pattern.fullmatch(info.name))), None)

    def require(self, name: str, at_least: tuple[int, ...], below: tuple[int, ...]) -> str:
        """Returns the version of a distribution, which must be in a range."""
        version = self.version(name)
        if version is None or not at_least <= tuple(int(n) for n in re.findall(r"\d+", version)[:3]) < below:
            wanted = f"{name}>={'.'.join(map(str, at_least))},<{'.'.join(map(str, below))}"
            raise Error(f"{self.python} has {f'{name} {version}' if version else f'no {name}'}. Install it there: {self.python} -m pip install '{wanted}'")
        return version

    def dataclass(self, path: str, name: str) -> dict[str, DataclassField]:
        """Returns the fields of a dataclass in a file, including inherited ones. Bases are followed through imports of
        modules; for packages that import lazily, a base is searched among their files."""
        tree, classes = self._classes(path, name)
        imports = {alias.asname or alias.name: (node, alias.name) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names}
        out: dict[str, DataclassField] = {}
        for base in reversed([b.id for b in classes[name].bases if isinstance(b, ast.Name)]):  # the first base wins
            if base in classes:
                out |= self.dataclass(path, base)
            elif base in imports and (found := self._module(path, *imports[base])) is not None:
                out |= self.dataclass(found, imports[base][1])
        for node in classes[name].body:
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and "ClassVar" not in ast.unparse(node.annotation):
                out[node.target.id] = DataclassField(ast.unparse(node.annotation).strip("'\""), _default(node.value))
        return out

    def methods(self, path: str, name: str) -> dict[str, list[str]]:
        """Returns the methods of a class in a file, without inherited ones, and the names of their parameters."""
        body = self._classes(path, name)[1][name].body
        functions = [node for node in body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
        return {node.name: [a.arg for a in node.args.args + node.args.kwonlyargs] for node in functions}

    def _classes(self, path: str, name: str) -> tuple[ast.Module, dict[str, ast.ClassDef]]:
        source = next((folder / path for folder in self.folders if (folder / path).is_file()), None)
        if source is None:
            raise Error(f"{path} is not installed for {self.python}; of an editable installation nothing is known here")
        tree = ast.parse(source.read_text(encoding="utf-8"))
        classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
        if name not in classes:
            raise Error(f"{source} has no class {name}: its version is not known to this plugin")
        return tree, classes

    def _module(self, path: str, imported: ast.ImportFrom, name: str) -> str | None:
        """Returns the file that defines a class, or None if it is not in these packages (object, Protocol and the
        like)."""
        parts = path.split("/")[: -imported.level] if imported.level else []
        module = "/".join([*parts, *(imported.module or "").split(".")]).strip("/")
        for folder in self.folders:
            if (folder / f"{module}.py").is_file():
                return f"{module}.py"
            if (folder / module).is_dir():
                defines = re.compile(rf"^class {name}\b", re.MULTILINE)
                files = sorted((folder / module).glob("*.py"))
                return next((f"{module}/{f.name}" for f in files if defines.search(f.read_text(encoding="utf-8"))), None)
        return None


def _default(value: ast.expr | None) -> Any:
    if isinstance(value, ast.Call):  # field(default=…)
        value = next((k.value for k in value.keywords if k.arg == "default"), None)
    try:
        return None if value is None else ast.literal_eval(value)
    except ValueError:
        return None


def misfit(fields: Mapping[str, DataclassField], key: str, value: Any) -> str | None:
    """Returns the problem with the user's value for a field, as a sentence. value has one of JSON's types."""
    if key not in fields:
        near = difflib.get_close_matches(key, fields, 1)
        return f"there is no {key} in the installed version" + (f": did you mean {near[0]}?" if near else "")
    annotation = fields[key].annotation
    literals = [literal for inner in _LITERAL.findall(annotation) for literal in ast.literal_eval(f"[{inner}]")]
    if any(type(value) is type(literal) and value == literal for literal in literals):
        return None
    if isinstance(value, str) and literals:
        return f"{key} is {value!r}, and the installed version takes {annotation}"
    kinds = [kind for part in _parts(annotation) for kind in _KINDS.get(_TYPING.get(part, part), _OTHER)]
    fits = isinstance(value, tuple(kinds)) and (not isinstance(value, bool) or bool in kinds) or isinstance(value, float) and value.is_integer() and int in kinds
    return None if fits or "Any" in annotation else f"{key} is {value!r}, and the installed version takes {annotation}"


def _parts(annotation: str) -> list[str]:
    """Returns the members of a union, without the contents of their brackets: "list[int] | None" has list and None."""
    inner = re.fullmatch(r"(?:typing\.)?(Optional|Union)\[(.*)\]", annotation)
    if inner is not None:
        return _parts(re.sub(r",(?![^\[]*\])", "|", inner[2])) + (["None"] if inner[1] == "Optional" else [])
    flat = re.sub(r"\[[^\[\]]*\]", "", annotation)
    return [part.strip() for part in flat.split("|") if part.strip()] if flat == annotation else _parts(flat)
