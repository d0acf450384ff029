"""Converts type hints to schemas, for a component's settings (config.proto, Schema) and a tool's arguments (JSON
Schema), and reads the values that fit them.

    hint                                setting                         argument
    str, bool, float                    string, bool, number            string, boolean, number
    int                                 number, FORMAT_INTEGER          integer
    Literal["a", "b"]                   string, one_of                  enum
    list[T], dict[str, T]               list, map                       array, object
    Sequence[T], Mapping[str, T]        the same: they get list and dict
    T | None                            may be null                     may be null
    pathlib.Path                        string, FORMAT_PATH             -
    datetime.timedelta                  string, FORMAT_DURATION         -
    a dataclass                         a nested block                  object
    Any                                 dynamic                         anything
    Annotated[T, Field(…)]              what T leaves open              minimum, maximum, description
"""

from __future__ import annotations

import base64
import collections.abc
import copy
import dataclasses
import datetime
import inspect
import json
import pathlib
import re
import types
import typing
from dataclasses import dataclass
from typing import Any, Final, Literal, Mapping, Sequence

JSON = dict[str, Any]


@dataclass(frozen=True)
class Field:
    """Properties of a setting or an argument that a type cannot express.

    secret: never shown, logged or stored. resume: a run may be resumed with another value. ref: the kind of block that
    it names; it receives the block's address ("dataset"). type: a cty type in JSON form that replaces the hint's.
    exists: the path must exist.
    """

    description: str = ""
    minimum: float | None = None
    maximum: float | None = None
    unit: str = ""
    secret: bool = False
    resume: bool = False
    deprecated: str = ""
    example: Any = None
    ref: str = ""
    type: str = ""
    exists: bool = False


Secret: Final = Field(secret=True)


class Misfit(ValueError):
    """A value that does not fit its hint. path is its location."""

    def __init__(self, path: Sequence[str], problem: str) -> None:
        super().__init__(f"{'.'.join(path)}: {problem}" if path else problem)
        self.path = tuple(path)
        self.problem = problem


@dataclass(frozen=True)
class Parameter:
    """A setting, or an argument of a tool."""

    name: str
    hint: Any  # without Annotated and None
    optional: bool  # None is an allowed value
    default: Any  # inspect.Parameter.empty: it is required
    fields: tuple[Field, ...]
    description: str

    @property
    def required(self) -> bool:
        return self.default is inspect.Parameter.empty and not self.optional

    def option(self, name: str) -> Any:
        """Returns the property from the last field that sets it."""
        # 0 counts as set.
        said = (getattr(f, name) for f in reversed(self.fields))
        return next((value for value in said if value is not None and value is not False and value != ""), None)


def parameter(name: str, hint: Any, default: Any, description: str) -> Parameter:
    if isinstance(default, dataclasses.Field):
        default = _default_of(default)
    fields: list[Field] = []
    if typing.get_origin(hint) is typing.Annotated:
        hint, *marks = typing.get_args(hint)
        fields = [mark for mark in marks if isinstance(mark, Field)]
    hint, optional = _without_none(hint)
    out = Parameter(name, hint, optional or default is None, default, tuple(fields), description)
    return dataclasses.replace(out, description=out.option("description") or description)


def _default_of(f: dataclasses.Field[Any]) -> Any:
    if f.default_factory is not dataclasses.MISSING:
        return f.default_factory()
    return inspect.Parameter.empty if f.default is dataclasses.MISSING else f.default


def fresh(default: Any) -> Any:
    """Returns a copy of a default for one component. Mutable values are copied, and mappings become dicts, like those
    from a spec."""
    if isinstance(default, Mapping):
        return {key: fresh(value) for key, value in default.items()}
    if isinstance(default, (list, tuple)) and type(default) in (list, tuple):
        return type(default)(map(fresh, default))
    if dataclasses.is_dataclass(default) and not isinstance(default, type):
        out = copy.copy(default)
        for f in dataclasses.fields(out):
            if hasattr(out, f.name):  # a field excluded from init may be missing
                object.__setattr__(out, f.name, fresh(getattr(out, f.name)))  # the dataclass may be frozen
        return out
    return copy.deepcopy(default)


def _without_none(hint: Any) -> tuple[Any, bool]:
    if typing.get_origin(hint) not in (typing.Union, types.UnionType):
        return hint, False
    members = [member for member in typing.get_args(hint) if member is not type(None)]
    if len(members) != 1:
        raise TypeError(f"{hint}: a setting or an argument has one type, optionally with None; use Any")
    return members[0], len(members) < len(typing.get_args(hint))


# Docstrings.

_PARAMETER: Final = re.compile(r"^(?::param )?(\w+)\s*(?:\([^)]*\))?:\s+(.+)$")


def document(docstring: str | None, names: Sequence[str]) -> tuple[str, dict[str, str]]:
    """Returns the first paragraph, and the description of each name, from lines such as "name: text" or ":param name:
    text". A text continues on lines that are indented deeper."""
    lines = inspect.cleandoc(docstring or "").splitlines()
    about: dict[str, str] = {}
    current, depth = "", 0
    for line in lines:
        text, indent = line.strip(), len(line) - len(line.lstrip())
        found = _PARAMETER.match(text)
        if found and found[1] in names:
            current, depth = found[1], indent
            about[current] = found[2]
        elif current and text and indent > depth:
            about[current] += " " + text
        else:
            current = ""
    summary: list[str] = []
    for line in lines:
        found = _PARAMETER.match(line.strip())
        if not line.strip() or (found and found[1] in names):
            break
        summary.append(line.strip())
    return " ".join(summary), about


_SHAPES: Final[dict[Any, Any]] = {collections.abc.Mapping: dict, collections.abc.Sequence: list}


def _shape(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """Returns the origin of a hint, list or dict for all their variants, and its arguments."""
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    return _SHAPES.get(origin, origin) if args else origin, args


# Settings.

_CTY: Final[dict[Any, str]] = {str: '"string"', bool: '"bool"', int: '"number"', float: '"number"', pathlib.Path: '"string"', datetime.timedelta: '"string"', Any: '"dynamic"'}


def cty(hint: Any) -> str:
    """Returns the type of an attribute, in its JSON form."""
    origin, args = _shape(hint)
    if hint in _CTY:
        return _CTY[hint]
    if origin is Literal:
        return '"string"'
    if origin is list and args:
        return f'["list",{cty(args[0])}]'
    if origin is dict and args and args[0] is str:
        return f'["map",{cty(args[1])}]'
    if hint in (list, dict):
        return '"dynamic"'
    raise TypeError(f"{hint} is not a type of a setting: see the table in awhost.hints, or use Field(type=…)")


def block_of(hint: Any) -> tuple[type, str] | None:
    """Returns the dataclass and the nesting of a hint for a nested block."""
    origin, args = _shape(hint)
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return hint, "NESTING_SINGLE"
    if origin is list and args and dataclasses.is_dataclass(args[0]):
        return typing.cast(type, args[0]), "NESTING_LIST"
    if origin is dict and len(args) == 2 and args[0] is str and dataclasses.is_dataclass(args[1]):
        return typing.cast(type, args[1]), "NESTING_MAP"
    return None


def parameters_of(cls: type, names: Sequence[str], defaults: Mapping[str, Any]) -> list[Parameter]:
    """Returns the settings of a class, documented by its docstring."""
    hints = typing.get_type_hints(cls, include_extras=True)
    _, about = document(cls.__doc__, names)
    return [parameter(name, hints[name], defaults.get(name, inspect.Parameter.empty), about.get(name, "")) for name in names]


def dataclass_parameters(cls: type) -> list[Parameter]:
    given = [f for f in dataclasses.fields(cls) if f.init]
    return parameters_of(cls, [f.name for f in given], {f.name: f for f in given})


def schema(description: str, parameters: Sequence[Parameter]) -> JSON:
    """Returns a Schema in protobuf's JSON mapping."""
    out: JSON = {"description": description, "attributes": [], "blocks": []}
    for p in parameters:
        nested = block_of(p.hint)
        if nested is None:
            out["attributes"].append(_attribute(p))
            continue
        cls, nesting = nested
        text, _ = document(cls.__doc__, [])
        body = schema(p.description or text, dataclass_parameters(cls))
        out["blocks"].append({"name": p.name, "block": body, "nesting": nesting, "min": int(p.required), "max": int(nesting == "NESTING_SINGLE")})
    return out


def _attribute(p: Parameter) -> JSON:
    try:
        type_ = p.option("type") or (f"ref:{p.option('ref')}" if p.option("ref") else cty(p.hint))
    except TypeError as e:
        raise TypeError(f"the setting {p.name}: {e}. Omit the annotation of a name that is not a setting, or begin it with _") from None
    out: JSON = {"name": p.name, "type": type_, "description": p.description}
    if p.required:
        out["required"] = True
    elif p.default is not inspect.Parameter.empty and p.default is not None:
        out["default_json"] = _base64(encoded(p.default))
    if p.hint is pathlib.Path:
        out["format"] = "FORMAT_PATH"
        if p.option("exists"):
            out["must_exist"] = True
    if p.hint is int and type_ == _CTY[int]:
        out["format"] = "FORMAT_INTEGER"
    if p.hint is datetime.timedelta:
        out["format"] = "FORMAT_DURATION"
    if typing.get_origin(p.hint) is Literal:
        out["one_of"] = list(typing.get_args(p.hint))
    for name, said in (("minimum", "minimum"), ("maximum", "maximum"), ("unit", "unit"), ("deprecated", "deprecated"), ("sensitive", "secret")):
        if (value := p.option(said)) is not None:
            out[name] = value
    if (example := p.option("example")) is not None:
        out["example_json"] = _base64(encoded(example))
    if p.option("resume"):
        out["on_change"] = "ON_CHANGE_RESUME"
    return out


def _base64(value: Any) -> str:
    return base64.b64encode(json.dumps(value, sort_keys=True).encode()).decode()


def encoded(value: Any) -> Any:
    """Returns a setting's value as JSON."""
    if isinstance(value, datetime.timedelta):
        return f"{value.total_seconds():g}s"
    if isinstance(value, pathlib.PurePath):
        return str(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: encoded(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(k): encoded(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [encoded(v) for v in value]
    return value


# Arguments.

_JSON_TYPES: Final[dict[Any, JSON]] = {str: {"type": "string"}, bool: {"type": "boolean"}, int: {"type": "integer"}, float: {"type": "number"}, Any: {},
                                       list: {"type": "array"}, dict: {"type": "object"}}


def json_schema(parameters: Sequence[Parameter]) -> JSON:
    """Returns the JSON Schema of an object with these members."""
    out: JSON = {"type": "object", "properties": {p.name: _property(p) for p in parameters}}
    if required := [p.name for p in parameters if p.required]:
        out["required"] = required
    return out


def _property(p: Parameter) -> JSON:
    out = _json_type(p.hint)
    if p.optional and "type" in out:
        out["type"] = [out["type"], "null"]
    if p.optional and "enum" in out:
        out["enum"] = [*out["enum"], None]
    for name in ("minimum", "maximum"):
        if (value := p.option(name)) is not None:
            out[name] = value
    if p.description:
        out["description"] = p.description
    if p.default is not inspect.Parameter.empty and p.default is not None:
        out["default"] = encoded(p.default)
    return out


def _json_type(hint: Any) -> JSON:
    origin, args = _shape(hint)
    if hint in _JSON_TYPES:
        return dict(_JSON_TYPES[hint])
    if origin is Literal:
        kinds = {type(a) for a in args}
        return {"enum": list(args)} | (_JSON_TYPES.get(kinds.pop(), {}) if len(kinds) == 1 else {})
    if origin is list:
        return {"type": "array", "items": _json_type(args[0])}
    if origin is dict:
        return {"type": "object", "additionalProperties": _json_type(args[1])}
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return json_schema(dataclass_parameters(hint))
    raise TypeError(f"{hint} is not a type of an argument: see the table in awhost.hints")


# Values.


def fit_all(parameters: Sequence[Parameter], given: Any, path: tuple[str, ...] = (), unknown: Sequence[tuple[str, ...]] = ()) -> tuple[dict[str, Any], list[Misfit]]:
    """Returns the values of an object's members, with defaults, and the problems found. Unknown members are omitted."""
    if not isinstance(given, Mapping):
        return {}, [Misfit(path, f"it is {_shown(given)} and no object")]
    out: dict[str, Any] = {}
    problems: list[Misfit] = []
    for name in given:
        if name not in {p.name for p in parameters}:
            problems.append(Misfit((*path, str(name)), "there is no such name" + (f", only {', '.join(p.name for p in parameters)}" if parameters else "")))
    for p in parameters:
        here = (*path, p.name)
        if here in unknown:
            continue
        if given.get(p.name) is None:
            if p.required:
                problems.append(Misfit(here, "it is missing"))
            out[p.name] = None if p.default is inspect.Parameter.empty else fresh(p.default)
            continue
        try:
            out[p.name] = fit(p.hint, given[p.name], here)
            _check_range(p, out[p.name], here)
        except Misfit as e:
            problems.append(e)
    return out, problems


def _check_range(p: Parameter, value: Any, path: tuple[str, ...]) -> None:
    least, most = p.option("minimum"), p.option("maximum")
    if isinstance(value, (int, float)) and ((least is not None and value < least) or (most is not None and value > most)):
        raise Misfit(path, f"it is {_shown(value)}, outside of {'' if least is None else f'{least:g}'}..{'' if most is None else f'{most:g}'}")


def fit(hint: Any, value: Any, path: tuple[str, ...] = ()) -> Any:
    """Converts a JSON value to the type of the hint. Raises Misfit if it does not fit."""
    hint, optional = _without_none(hint)
    if hint is Any or (optional and value is None):
        return value
    origin, args = _shape(hint)
    if origin is Literal:
        if not any(value == a and type(value) is type(a) for a in args):
            raise Misfit(path, f"it is {_shown(value)}, and none of {', '.join(map(repr, args))}")
        return value
    if hint is list or origin is list:
        return [fit(args[0] if args else Any, v, (*path, str(i))) for i, v in enumerate(_is(list, value, path))]
    if hint is dict or origin is dict:
        return {k: fit(args[1] if args else Any, v, (*path, k)) for k, v in _is(dict, value, path).items()}
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        values, problems = fit_all(dataclass_parameters(hint), value, path)
        if problems:
            raise problems[0]
        return hint(**values)
    if hint is pathlib.Path:
        return pathlib.Path(_is(str, value, path))
    if hint is datetime.timedelta:
        return duration(_is(str, value, path), path)
    if hint is int and isinstance(value, float) and value.is_integer():
        return int(value)
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        try:
            return float(value)
        except OverflowError:
            raise Misfit(path, "it is too large a number") from None
    return _is(hint, value, path)


_NAMES: Final = {str: "a text", bool: "true or false", int: "an integer", float: "a number", list: "a list", dict: "an object"}


def _is(kind: Any, value: Any, path: tuple[str, ...]) -> Any:
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise Misfit(path, f"it is {_shown(value)}, and not {_NAMES.get(kind, kind)}")
    return value


def _shown(value: Any) -> str:
    """Describes a value for a message by its kind only, because it may be secret or long."""
    return "null" if value is None else str(value) if isinstance(value, (bool, int, float)) and abs(value) < 1e15 else _NAMES.get(type(value), type(value).__name__)


_DURATION: Final = re.compile(r"(\d+(?:\.\d*)?|\.\d+)(h|ms|m|s|us|µs|ns)")
_UNITS: Final = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "ns": 1e-9}


def duration(text: str, path: tuple[str, ...] = ()) -> datetime.timedelta:
    """Parses a duration in Go's format: "1h30m", "1.5s"."""
    parts = _DURATION.findall(text)
    if text == "0":
        return datetime.timedelta(0)
    if not parts or "".join(number + unit for number, unit in parts) != text.lstrip("+-"):
        raise Misfit(path, 'it is no duration such as "90s" or "1h30m"')
    seconds = sum(float(number) * _UNITS[unit] for number, unit in parts)
    return datetime.timedelta(seconds=-seconds if text.startswith("-") else seconds)
