"""Describes the configuration of an installed framework, in one JSON document on standard output.

The request on standard input has the folder of the packages, and either configurations that Hydra composes or the name
of a dataclass. Classes are read from their source: no framework is imported.
"""

import ast
import functools
import hashlib
import json
import pathlib
import sys

request = json.load(sys.stdin)
root = pathlib.Path(request["root"])
used = set()  # the files that define the configuration

KINDS = {"bool": ["bool"], "int": ["int"], "float": ["float", "int"], "str": ["str"], "None": ["null"]}
KINDS |= dict.fromkeys(["list", "List", "tuple", "Tuple", "Sequence"], ["list"])
KINDS |= dict.fromkeys(["dict", "Dict", "DictConfig", "Mapping"], ["dict"])
ANYTHING = ["bool", "int", "float", "str", "list", "dict", "null"]


@functools.cache
def classes(module):
    """Returns the classes of a module and its neighbors, or of a package's modules, with their files."""
    own = root.joinpath(*module.split(".")).with_suffix(".py")
    files = (own.parent if own.is_file() else own.with_suffix("")).glob("*.py")
    trees = {file: ast.parse(file.read_text("utf-8")) for file in sorted(files, key=lambda file: (file == own, file))}
    return {node.name: (file, node) for file in trees for node in trees[file].body if isinstance(node, ast.ClassDef)}


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
    module, _, name = str(target).rpartition(".")
    if not module or name not in classes(module):
        return None
    file, node = classes(module)[name]
    used.add(file)
    found = functools.reduce(lambda all, base: all | (fields(f"{module}.{ast.unparse(base)}") or {}), node.bases, {})
    for part in node.body:
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
            annotation = ast.unparse(part.annotation).strip("\"'")
            if not annotation.startswith("ClassVar"):
                found[part.target.id] = annotation, choices(part.value)
    return found


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
    if fields(target) is None:
        sys.exit(f"there is no class {target}: awhost does not know this configuration")
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
keys = {}  # each once, with the configurations that have it
for name, entries in schemas.items():
    for entry in entries:
        entry = {part: value for part, value in entry.items() if part == "default" or value and value != ANYTHING}
        keys.setdefault(json.dumps(entry), (entry, []))[1].append(name)
sums = {str(file.relative_to(root)): hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(used)}
merged = [entry | ({"in": names} if len(names) < len(schemas) else {}) for entry, names in keys.values()]
document = {"version": request["version"], "schemas": [n for n in schemas if schemas[n]], "files": sums, "keys": merged}
print(json.dumps(document, separators=(",", ":")))
