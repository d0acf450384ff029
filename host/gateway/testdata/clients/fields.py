"""Prints the request fields of a protocol as the installed client package defines them, one per line.

    python fields.py chat | responses | messages

A line is a path of names. Lists add nothing to a path. Where an object is one of several variants, <V|W> names the
variant by its literal "type" or "role". PATH=V is a value of such a name.
"""
import importlib
import inspect
import sys
import types
import typing

import typing_extensions

ROOTS = {
    "chat": [
        "openai.types.chat.completion_create_params.CompletionCreateParamsNonStreaming",
        "openai.types.chat.completion_create_params.CompletionCreateParamsStreaming",
    ],
    "responses": [
        "openai.types.responses.response_create_params.ResponseCreateParamsNonStreaming",
        "openai.types.responses.response_create_params.ResponseCreateParamsStreaming",
    ],
    "messages": [
        "anthropic.types.message_create_params.MessageCreateParamsNonStreaming",
        "anthropic.types.message_create_params.MessageCreateParamsStreaming",
        "anthropic.types.beta.message_create_params.MessageCreateParamsNonStreaming",
        "anthropic.types.beta.message_create_params.MessageCreateParamsStreaming",
    ],
}
SCALARS = {str, int, float, bool, bytes, type(None), object, typing.Any}
KINDS = ("type", "role")  # the names that tell variants apart


def members(cls):
    """Returns the fields of an object type by the names that are sent, or None."""
    if typing_extensions.is_typeddict(cls):
        hints = typing_extensions.get_type_hints(cls, include_extras=True)
    elif inspect.isclass(cls) and hasattr(cls, "model_fields"):
        hints = {field.alias or name: field.annotation for name, field in cls.model_fields.items()}
    else:
        return None
    out = {}
    for name, hint in hints.items():
        hint, alias = unwrapped(hint)
        out[alias or name] = hint
    return out


def unwrapped(hint):
    """Removes Required, NotRequired and Annotated, and returns the alias that Annotated has."""
    alias = None
    while True:
        origin = typing_extensions.get_origin(hint)
        if origin is typing_extensions.Annotated:
            hint, *notes = typing_extensions.get_args(hint)
            alias = next((note.alias for note in notes if getattr(note, "alias", None)), alias)
        elif origin in (typing_extensions.Required, typing_extensions.NotRequired):
            (hint,) = typing_extensions.get_args(hint)
        else:
            return hint, alias


def leaves(hint):
    """Yields the object types and literals of a hint: of unions, lists and aliases."""
    hint, _ = unwrapped(hint)
    if isinstance(hint, typing_extensions.TypeAliasType):
        hint = hint.__value__
    origin, args = typing_extensions.get_origin(hint), typing_extensions.get_args(hint)
    if members(hint) is not None or origin is typing.Literal:
        yield hint
    elif typing.IO in (hint, origin):
        pass  # a file, which is sent as a string
    elif origin in (typing.Union, types.UnionType) or inspect.isclass(origin) and issubclass(origin, typing.Iterable):
        for arg in args[-1:] if origin is dict or len(args) == 2 and "Mapping" in str(origin) else args:
            yield from leaves(arg)
    elif hint not in SCALARS and not inspect.isclass(hint):
        raise TypeError(f"{hint!r} is of a kind that this program cannot read")


def variant(cls):
    """Returns the values of the literal that tells an object type apart."""
    for name in KINDS:
        hint = members(cls).get(name)
        values = [v for leaf in leaves(hint) if members(leaf) is None for v in typing.get_args(leaf)] if hint else []
        if values:
            return values
    return []


def walk(cls, path, above, out):
    for name, hint in members(cls).items():
        at = f"{path}.{name}" if path else name
        found = list(leaves(hint))
        objects = [leaf for leaf in found if members(leaf) is not None]
        kinds = [value for leaf in found if members(leaf) is None for value in typing.get_args(leaf)]
        out.update([f"{at}={kind}" for kind in kinds] if kinds and name in KINDS else [at])
        for inner in objects:
            if inner in above:
                continue
            kinds = variant(inner)
            walk(inner, f"{at}<{'|'.join(kinds)}>" if kinds else at, above | {inner}, out)


out = set()
for root in ROOTS[sys.argv[1]]:
    module, _, name = root.rpartition(".")
    walk(getattr(importlib.import_module(module), name), "", frozenset(), out)
sys.stdout.writelines(f"{line}\n" for line in sorted(out))
