"""Compares formulas with sympy for reward "math": a JSON line for each JSON line of the input.

A comparison is bounded in function calls, which are the same on each machine, and in CPU time, which also bounds a
single long operation, such as the power of a large integer. The kernel ends the process at that bound.
"""

import importlib.metadata
import json
import re
import resource
import sys

import sympy
from latex2sympy2_extended import NormalizationConfig, latex2sympy, normalize_latex
from latex2sympy2_extended.latex2sympy2 import ConversionConfig
from sympy.core.cache import clear_cache

MAX_CALLS = 10_000_000
MAX_SECONDS = 10
NOTATION = NormalizationConfig(basic_latex=True, malformed_operators=True, units=False, nits=False, equations=False)
# A number or a variable in degrees.
DEGREES = re.compile(
    r"((?<![\d.,^_}])\d[\d.]*|(?<![A-Za-z.,^_}\\])[A-Za-z]|\\(?:alpha|beta|gamma|theta|phi|varphi|omega))"
    r"\s*(?:°|\\degree|\^\s*\\circ|\^\s*\{\s*\\circ\s*\})(?![A-Za-z])"
)
# Notation that the parser ignores or misreads: it reads \sin_2 x as \sin x.
MISREAD = re.compile(
    r"\\(?:approx|prime|circ|degree|[lc]?dots)(?![A-Za-z])|[≈′°…]|\\(?:arc)?(?:sin|cos|tan|cot|sec|csc)h?\s*_"
)

# The nodes of a calculation, which the model has to carry out unless the ground truth has one.
CALCULATIONS = (sympy.Integral, sympy.Sum, sympy.Product, sympy.Limit, sympy.Derivative)


class NoVerdict(BaseException):
    """Ends a comparison with a failure."""


def limited(compare, *arguments):
    clear_cache()  # results of earlier comparisons would change the number of calls
    used = resource.getrusage(resource.RUSAGE_SELF)
    seconds = int(used.ru_utime + used.ru_stime) + MAX_SECONDS
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, resource.getrlimit(resource.RLIMIT_CPU)[1]))
    left = MAX_CALLS

    def count(_frame, _event, _argument):
        nonlocal left
        left -= 1
        if left < 0:
            raise NoVerdict("it takes more than %d function calls" % MAX_CALLS)

    sys.setprofile(count)
    try:
        return {"equal": compare(*arguments)}
    except NoVerdict as e:
        return {"failure": str(e)}
    except (MemoryError, RecursionError) as e:
        return {"failure": type(e).__name__}
    except Exception:  # the answer is not a formula, or sympy cannot compare it
        return {"equal": False}
    finally:
        sys.setprofile(None)


def parse(text):
    text = DEGREES.sub(r"(\1\\cdot\\frac{\\pi}{180})", normalize_latex(text, NOTATION))
    if misread := MISREAD.search(text):
        raise ValueError("it contains %s" % misread[0])
    return latex2sympy(text, conversion_config=ConversionConfig(lowercase_symbols=False))


def equal(truth, answer):
    try:
        a = parse(truth)
    except Exception as e:
        raise NoVerdict("latex2sympy cannot parse the ground truth %r: %s" % (truth[:200], str(e)[:200])) from e
    b = parse(answer)
    if any(b.has(node) and not a.has(node) for node in CALCULATIONS):
        return False
    if isinstance(a, sympy.MatrixBase) and isinstance(b, sympy.MatrixBase):
        return a.shape == b.shape and all(is_zero(x - y) for x, y in zip(a, b))
    if isinstance(a, sympy.Expr) and isinstance(b, sympy.Expr):
        return is_zero(a - b)
    return a == b


def is_zero(difference):
    """Compares exactly: decimals are rational numbers."""
    difference = sympy.nsimplify(difference, rational=True)
    return sympy.simplify(difference) == 0 or difference.equals(0) is True


equal("\\sin x", "x")  # loads the parser's tables, which would count for the first comparison
names = ("sympy", "latex2sympy2_extended")
sys.stdin.readline()  # the request for the versions
print(json.dumps(", ".join("%s %s" % (name, importlib.metadata.version(name)) for name in names)), flush=True)
for line in sys.stdin:
    print(json.dumps(limited(equal, *json.loads(line))), flush=True)
