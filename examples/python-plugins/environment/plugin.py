"""An environment: a number to guess, with a tool that says higher or lower."""

import random
from typing import Annotated

import awhost


class Guess(awhost.Environment[dict[str, int]], type="pyguess", deterministic_under_seed=True, group_safe=True, metrics=["guesses"]):
    """A number to guess, and a tool that says higher or lower.

    highest: the largest number that may be hidden
    """

    highest: Annotated[int, awhost.Field(minimum=2, maximum=1000)] = 9

    def open(self, start: awhost.Start) -> awhost.Opened[dict[str, int]]:
        hidden = random.Random(start.seed).randint(1, self.highest)
        return awhost.Opened({"hidden": hidden}, [awhost.user(f"Guess a number from 1 to {self.highest}.")])

    @awhost.tool
    def guess(self, game: dict[str, int], n: int) -> awhost.Result:
        """Says whether the hidden number is higher or lower."""
        right = n == game["hidden"]
        text = "right" if right else "higher" if n < game["hidden"] else "lower"
        return awhost.Result(text, reward=float(right), done=right, metrics={"guesses": 1})


def main() -> None:
    awhost.serve("pyguess", "1.0.0", Guess)
