"""Rows of a dataset: a function of the user's returns them, as a list, a generator, a datasets.Dataset or a DataFrame.
They are taken from it piece by piece, each as the text of a JSON object."""

import asyncio
import datetime
import inspect
import json
import math
import os

import _awhost_loading as loading
from _awhost_driver import OPERATIONS, Refused, described

MOST_BYTES = 1 << 20  # of an answer, but for one row

rows = None  # of the function that was opened


class Rows:
    def __init__(self, source, what):
        self.source, self.what, self.given = iter(source), what, 0

    def take(self, most):
        out, size = [], 0
        while len(out) < most and size < MOST_BYTES:
            try:
                row = next(self.source)
            except StopIteration:
                break
            except BaseException as error:
                about = described(error)
                about["summary"] = "%s failed after %d rows: %s" % (self.what, self.given, about["summary"])
                raise Refused(attribute="name", summary=about["summary"], detail=about["detail"])
            self.given += 1
            text = self.text(row)
            out.append(text)
            size += len(text)
        return out

    def text(self, row):
        if not isinstance(row, dict):
            as_dict = getattr(row, "_asdict", None) or getattr(row, "model_dump", None) or getattr(row, "to_dict", None)
            if as_dict is None:
                raise self.wrong("", "is of type %s" % type(row).__name__, "return dicts, {column: value}")
            row = as_dict()
        return json.dumps(self.plain(row, ""), ensure_ascii=False, allow_nan=False, separators=(",", ":"))

    def plain(self, value, path):
        """The value in what JSON has. NaN is null, as in Parquet."""
        if value is None or isinstance(value, (bool, int, str)):
            return self.text_of(value, path) if isinstance(value, str) else value
        if isinstance(value, float):
            return value if math.isfinite(value) else None
        if isinstance(value, dict):
            for key in value:
                if not isinstance(key, str):
                    raise self.wrong(path, "has the name %r, of type %s" % (key, type(key).__name__), "make it a text")
            return {self.text_of(key, path): self.plain(v, path + "." + key if path else key)
                    for key, v in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.plain(v, "%s[%d]" % (path, i)) for i, v in enumerate(value)]
        if isinstance(value, (datetime.date, datetime.time)):
            return value.isoformat()
        for name in ("tolist", "item"):  # of arrays and numbers of numpy, torch and pandas
            method = getattr(value, name, None)
            if callable(method):
                made = method()
                if made is not value and type(made) is not type(value):
                    return self.plain(made, path)
        raise self.wrong(path, "is of type %s, which JSON does not support" % type(value).__name__,
                         "make it a text, a number, a list or a dict, or leave the column out")

    def text_of(self, value, path):
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            raise self.wrong(path, "has a half of a surrogate pair", "leave it out, or replace it")
        return str(value)

    def wrong(self, path, what, remedy):
        where = "row %d" % self.given + (", column %s," % path if path else "")
        return Refused(attribute="name", summary="%s of %s %s" % (where, self.what, what), detail=remedy)


def open_rows(request):
    global rows
    module = loading.module_from(request)
    what = "%s:%s" % (os.path.basename(request["path"]), request["name"])
    function = loading.find(module, request["name"])
    if inspect.isclass(function) or not callable(function):
        raise loading.problem("name", "Not a function", "%s is of type %s: name a function that returns rows."
                              % (what, type(function).__name__))
    result = loading.CallPlan(function, request["name"], {}, request["arguments"]).call({})
    if inspect.iscoroutine(result):
        result = asyncio.run(result)
    rows = Rows(iterable(result, what), what)
    return True


def iterable(result, what):
    if result is None:
        raise loading.problem("name", "No rows", "%s returned None: return a datasets.Dataset, a list of dicts or a "
                              "generator of them." % what)
    if hasattr(result, "__aiter__"):
        return drained(result)
    if callable(getattr(result, "to_dict", None)) and hasattr(result, "columns"):
        return result.to_dict("records")  # a DataFrame
    if isinstance(result, dict):  # a DatasetDict is one
        names = ", ".join(repr(name) for name in list(result)[:5])
        raise loading.problem("name", "Several datasets", "%s returned a %s with %s: return one of them, as in %s[%s]."
                              % (what, type(result).__name__, names, "dataset", names.split(", ")[0] or "..."))
    if isinstance(result, (str, bytes)) or not hasattr(result, "__iter__"):
        raise loading.problem("name", "No rows", "%s returned a %s: return a datasets.Dataset, a list of dicts or a "
                              "generator of them." % (what, type(result).__name__))
    return result


def drained(source):
    """What an async generator gives."""
    loop = asyncio.new_event_loop()
    steps = source.__aiter__()
    try:
        while True:
            try:
                yield loop.run_until_complete(steps.__anext__())
            except StopAsyncIteration:
                return
    finally:
        loop.close()


OPERATIONS["open_rows"] = open_rows
OPERATIONS["next_rows"] = lambda request: rows.take(request["most"])
