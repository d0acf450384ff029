"""The tools of the agents: plain functions, as a program has them."""


def add(a: int, b: int) -> int:
    """Adds b to a."""
    return a + b


def sub(a: int, b: int) -> int:
    """Subtracts b from a."""
    return a - b


def mul(a: int, b: int) -> int:
    """Multiplies a by b."""
    return a * b


def mod(a: int, b: int) -> int:
    """Returns what is left of a when it is divided by b."""
    return a % b


ALL = [add, sub, mul, mod]
