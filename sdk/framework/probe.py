"""Describes the configuration of an installed framework, in one JSON document on standard output.

The request on standard input has the folder of the packages, and either configurations that Hydra composes, the name
of a dataclass, or names of classes whose bases other distributions may define. Classes are read from their source: no
framework is imported.
"""

import ast
import functools
import hashlib
import json
import pathlib
import re
import sys

request = json.load(sys.stdin)
root = pathlib.Path(request["root"])
used = set()  # the files that define the configuration
dataclasses, others = request.get("classes") or [], request.get("methods") or []
top = f"{dataclasses[0].partition('.')[0]}." if dataclasses else ""  # begins the full names of the distribution

KINDS = {"bool": ["bool"], "int": ["int"], "float": ["float", "int"], "str": ["str"], "None": ["null"]}
KINDS |= dict.fromkeys(["list", "List", "tuple", "Tuple", "Sequence"], ["list"])
KINDS |= dict.fromkeys(["dict", "Dict", "DictConfig", "Mapping"], ["dict"])
ANYTHING = ["bool", "int", "float", "str", "list", "dict", "null"]


@functools.cache
def read(file):
    """Returns the text of a file."""
    return file.read_text("utf-8")


@functools.cache
def find(target):
    """Returns the file and the node of a class of a module or its neighbors, or of a package's modules, or None."""
    module, _, name = str(target).rpartition(".")
    own = root.joinpath(*module.split(".")).with_suffix(".py")
    files = (own.parent if own.is_file() else own.with_suffix("")).glob("*.py")
    for file in sorted(files, key=lambda file: (file == own, file), reverse=True) if module else ():
        if re.search(rf"^class {re.escape(name)}\b", read(file), re.MULTILINE):
            for node in reversed(ast.parse(read(file)).body):
                if isinstance(node, ast.ClassDef) and node.name == name:
                    return file, node
    return None


def require(target):
    """Returns the file and the node of a class that a configuration cannot do without."""
    return find(target) or sys.exit(f"there is no class {target}: awhost does not know this configuration")


def annotated(node):
    """Yields the fields of a class itself, each a statement and its annotation."""
    for part in node.body:
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
            annotation = ast.unparse(part.annotation).strip("\"'")
            if not annotation.startswith("ClassVar"):
                yield part, annotation


def choices(default):
    """Returns the texts in the metadata of a field that are its only ones."""
    for node in ast.walk(default or ast.Constant(None)):
        for key, value in zip(node.keys, node.values) if isinstance(node, ast.Dict) else ():
            if isinstance(key, ast.Constant) and key.value == "choices" and isinstance(value, ast.List):
                return [choice.value for choice in value.elts if isinstance(choice.value, str)]
    return []


@functools.cache
def fields(target):
    """Returns the fields of a class and its bases, each an annotation and choices, or None if none is found."""
    if find(target) is None:
        return None
    file, node = find(target)
    used.add(file)
    module = str(target).rpartition(".")[0]
    found = functools.reduce(lambda all, base: all | (fields(f"{module}.{ast.unparse(base)}") or {}), node.bases, {})
    return found | {part.target.id: (annotation, choices(part.value)) for part, annotation in annotated(node)}


def alternatives(annotation):
    """Returns the members of a union."""
    node = ast.parse(annotation, mode="eval").body
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return alternatives(node.value)
    if isinstance(node, ast.BinOp):
        return alternatives(ast.unparse(node.left)) + alternatives(ast.unparse(node.right))
    union = ast.unparse(node.value) if isinstance(node, ast.Subscript) else ""
    if union not in ("Optional", "Union"):
        return [ast.unparse(node)]
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    return sum((alternatives(ast.unparse(part)) for part in parts), []) + ["None"] * (union == "Optional")


@functools.cache
def takes(annotation):
    """Returns the kinds of values that a field takes. A class, an enumeration, and an unknown type take anything."""
    kinds = [KINDS.get(member.partition("[")[0], ANYTHING) for member in alternatives(annotation)]
    return [kind for kind in ANYTHING if any(kind in some for some in kinds)]


def takes_like(default):
    """Returns the kinds of values that a key takes of which only the default is known."""
    if default is None or isinstance(default, str) and ("${" in default or default == "???"):
        return ANYTHING
    kinds = KINDS[type(default).__name__]
    return kinds if kinds == ["bool"] else [*kinds, "null"]


def of_class(target, prefix=""):
    """Yields the keys of a dataclass."""
    require(target)
    for name, (annotation, texts) in fields(target).items():
        key, kinds = prefix + name, takes(annotation)
        parts = [f"{target.rpartition('.')[0]}.{member}" for member in alternatives(annotation)]
        section = next(filter(fields, parts), None)
        is_open = not section and kinds != ANYTHING and "dict" in kinds
        entry = {"key": key, "annotation": annotation, "takes": kinds, "choices": texts}
        yield entry | {"section": bool(section), "open": is_open}
        if section:
            yield from of_class(section, f"{key}.")


def of_config(config, prefix=""):
    """Yields the keys of a composed configuration and of the dataclasses that its sections name."""
    known = fields(config.get("_target_")) or {}
    for name in [*(name for name in known if name not in config), *config]:
        value, key = config.get(name), prefix + name
        kinds = takes(known[name][0]) if name in known else takes_like(value)
        if isinstance(value, dict) and value:
            yield {"key": key, "section": True, "strict": fields(value.get("_target_")) is not None}
            yield from of_config(value, f"{key}.")
        else:
            is_open = value == {} or value is None and name in known and "dict" in kinds
            yield {"key": key, "takes": kinds, "open": is_open} | ({"default": value} if name in config else {})


def literal(node):
    """Returns the value of an expression in a list, which is empty if JSON has no such value."""
    try:
        return [json.loads(json.dumps(ast.literal_eval(node), allow_nan=False))]
    except (TypeError, ValueError):
        return []


def own_field(part, annotation):
    """Returns a class's own field, with the members of its Literal types and its default, as far as it is known."""
    kind = lambda member: KINDS["None" if member is None else type(member).__name__][0]
    members, kinds = [], set()
    for alternative in alternatives(annotation):
        listed = literal(alternative[len("Literal"):]) if alternative.startswith("Literal[") else []
        members += sum(listed, [])
        kinds |= set() if listed else set(takes(alternative))
    members = [member for member in members if kind(member) not in kinds]
    kinds |= set(map(kind, members))
    value = part.value
    if isinstance(value, ast.Call):  # field(default=...)
        value = next((keyword.value for keyword in value.keywords if keyword.arg == "default"), value)
    entry = {"key": part.target.id, "annotation": annotation, "takes": [k for k in ANYTHING if k in kinds]}
    return entry | {"members": members} | {"default": default for default in literal(value) if value}


def imports(file):
    """Returns the full names of the names that a file imports."""
    package, names, body = file.parent.relative_to(root).parts, {}, ast.parse(read(file)).body
    for node in body + [node for part in body if isinstance(part, (ast.If, ast.Try)) for node in ast.walk(part)]:
        if isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            source = ".".join([*above, *filter(None, [node.module])])
            names |= {alias.asname or alias.name: f"{source}.{alias.name}" for alias in node.names}
    return names


def defined(target):
    """Returns the full name that a class has where it is defined, or None if that is not in this distribution."""
    if not target.startswith(top) or not find(target):
        return None
    file, node = find(target)
    return ".".join([*file.relative_to(root).with_suffix("").parts, node.name])


def with_bases(target):
    """Yields a class and its bases in this distribution, each a full name and a description."""
    file, node = require(target)
    module, names, bases = defined(target).rpartition(".")[0], imports(file), []
    for base in map(ast.unparse, node.bases):
        full = defined(names.get(base) or f"{module}.{base}") or names.get(base, "")
        bases += [full] if full else []
    used.add(file)
    yield defined(target), {"bases": bases, "keys": [brief(own_field(*own)) for own in annotated(node)]}
    for base in bases:
        if base.startswith(top):
            yield from with_bases(base)


def with_methods(target):
    """Returns the methods of a class itself, each with its parameters."""
    file, node = require(target)
    used.add(file)
    functions = [part for part in node.body if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef))]
    return {"methods": {part.name: [a.arg for a in part.args.args + part.args.kwonlyargs] for part in functions}}


def of_distribution():
    """Returns dataclasses with their bases and other classes with their methods, by full name."""
    return dict(pair for target in dataclasses for pair in with_bases(target)) | {t: with_methods(t) for t in others}


def brief(entry):
    """Leaves out what is not known, or the rule."""
    return {part: value for part, value in entry.items() if part == "default" or value and value != ANYTHING}


def compose(folder, options):
    """Returns the first of some configurations that the framework has, each a name and overrides, or None."""
    import hydra
    from omegaconf import OmegaConf

    used.update(folder.rglob("*.yaml"))
    with hydra.initialize_config_dir(config_dir=str(folder), version_base=None):
        for name, *overrides in options:
            try:
                return OmegaConf.to_container(hydra.compose(name, overrides))
            except hydra.errors.MissingConfigException:
                continue


folder, configs = root / request["folder"], request["configs"] or {}
schemas = {name: list(of_config(compose(folder, options) or {})) for name, options in configs.items()}
if request["class"]:
    schemas[""] = list(of_class(request["class"]))
described = of_distribution()
keys = {}  # each once, with the configurations that have it
for name, entries in schemas.items():
    for entry in entries:
        entry = brief(entry)
        keys.setdefault(json.dumps(entry), (entry, []))[1].append(name)
sums = {str(file.relative_to(root)): hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(used)}
merged = [entry | ({"in": names} if len(names) < len(schemas) else {}) for entry, names in keys.values()]
document = {"version": request["version"], "schemas": [n for n in schemas if schemas[n]], "files": sums, "keys": merged}
document |= {"classes": described} if described else {}
print(json.dumps(document, separators=(",", ":")))
