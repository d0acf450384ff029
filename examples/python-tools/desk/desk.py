"""An environment whose tools are Python functions."""

import awhost


class Desk(awhost.Environment[None], type="desk", deterministic_under_seed=True, group_safe=True):
    """A desk calculator with a tool for each operation."""

    def open(self, start: awhost.Start) -> awhost.Opened[None]:
        return awhost.Opened(None, [awhost.user(start.task.prompt)], max_turns=4)

    @awhost.tool
    def add(self, state: None, a: int, b: int) -> str:
        """Adds two numbers."""
        return str(a + b)

    @awhost.tool
    def sub(self, state: None, a: int, b: int) -> str:
        """Subtracts b from a."""
        return str(a - b)

    @awhost.tool
    def mul(self, state: None, a: int, b: int) -> str:
        """Multiplies two numbers."""
        return str(a * b)

    @awhost.tool
    def mod(self, state: None, a: int, b: int) -> str:
        """Returns the remainder of a divided by b."""
        return str(a % b)


def main() -> None:
    awhost.serve("desk", "0.1.0", Desk)
