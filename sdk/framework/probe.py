"""Describes the configuration of an installed framework, in one JSON document on standard output.

The request on standard input has the folder of the packages, and either configurations that Hydra composes or the name
of a dataclass. Classes are read from their source: no framework is imported.
"""

import ast
import functools
import hashlib
import json
import os
import sys

request = json.load(sys.stdin)
root = request["root"]
used = set()  # the files that define the configuration

KINDS = {"bool": ["bool"], "int": ["int"], "float": ["float", "int"], "str": ["str"], "None": ["null"]}
KINDS |= dict.fromkeys(["list", "List", "tuple", "Tuple", "Sequence"], ["list"])
KINDS |= dict.fromkeys(["dict", "Dict", "DictConfig", "Mapping"], ["dict"])
ANYTHING = ["bool", "int", "float", "str", "list", "dict", "null"]


@functools.cache
def classes(module):
    """Returns the classes of a module and its neighbors, or of a package's modules: file, bases, and annotations."""
    own = os.path.join(root, *module.split(".")) + ".py"
    folder = os.path.dirname(own) if os.path.isfile(own) else own.removesuffix(".py")
    names = os.listdir(folder) if os.path.isdir(folder) else []
    files = [os.path.join(folder, name) for name in names if name.endswith(".py")]
    found = {}
    for file in sorted(files, key=lambda file: (file == own, file)):
        with open(file, encoding="utf-8") as source:
            text = source.read()
        for node in ast.parse(text).body:
            if isinstance(node, ast.ClassDef):
                annotated = [n for n in node.body if isinstance(n, ast.AnnAssign) and isinstance(n.target, ast.Name)]
                texts = {n.target.id: " ".join(ast.get_source_segment(text, n.annotation).split()) for n in annotated}
                fields = {name: t.strip("\"'") for name, t in texts.items() if not t.startswith("ClassVar")}
                found[node.name] = file, [ast.unparse(base) for base in node.bases], fields
    return found


@functools.cache
def fields(target):
    """Returns the annotations of a class and its bases by field, or None if the class is not found."""
    module, _, name = str(target).rpartition(".")
    if not module or name not in classes(module):
        return None
    file, bases, own = classes(module)[name]
    used.add(file)
    return functools.reduce(lambda merged, base: merged | (fields(f"{module}.{base}") or {}), bases, {}) | own


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
    for name, annotation in fields(target).items():
        key, kinds = prefix + name, takes(annotation)
        parts = [f"{target.rpartition('.')[0]}.{member}" for member in alternatives(annotation)]
        section = next(filter(fields, parts), None)
        is_open = not section and kinds != ANYTHING and "dict" in kinds
        yield {"key": key, "annotation": annotation, "takes": kinds, "section": bool(section), "open": is_open}
        if section:
            yield from of_class(section, f"{key}.")


def of_config(config, prefix=""):
    """Yields the keys of a composed configuration and of the dataclasses that its sections name."""
    known = fields(config.get("_target_")) or {}
    for name in [*(name for name in known if name not in config), *config]:
        value, key = config.get(name), prefix + name
        kinds = takes(known[name]) if name in known else takes_like(value)
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

    used.update(os.path.join(at, name) for at, _, names in os.walk(folder) for name in names if name.endswith(".yaml"))
    with hydra.initialize_config_dir(config_dir=folder, version_base=None):
        for name, *overrides in options:
            try:
                return OmegaConf.to_container(hydra.compose(name, overrides))
            except hydra.errors.MissingConfigException:
                continue


folder, configs = os.path.join(root, request["folder"]), request["configs"] or {}
schemas = {name: list(of_config(compose(folder, options) or {})) for name, options in configs.items()}
if request["class"]:
    schemas[""] = list(of_class(request["class"]))
keys = {}  # each once, with the configurations that have it
for name, entries in schemas.items():
    for entry in entries:
        entry = {part: value for part, value in entry.items() if part == "default" or value and value != ANYTHING}
        keys.setdefault(json.dumps(entry), (entry, []))[1].append(name)
sums = {}
for file in sorted(used):
    with open(file, "rb") as content:
        sums[os.path.relpath(file, root)] = hashlib.sha256(content.read()).hexdigest()
merged = [entry | ({"in": names} if len(names) < len(schemas) else {}) for entry, names in keys.values()]
document = {"version": request["version"], "schemas": [n for n in schemas if schemas[n]], "files": sums, "keys": merged}
json.dump(document, sys.stdout, separators=(",", ":"))
