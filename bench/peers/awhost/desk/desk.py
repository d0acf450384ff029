"""An environment with one tool."""

import awhost


class Desk(awhost.Environment[None], type="desk", deterministic_under_seed=True, group_safe=True):
    """A desk with a tool that adds."""

    def open(self, start: awhost.Start) -> awhost.Opened[None]:
        """Asks the task's question."""
        return awhost.Opened(None, [awhost.user(start.task.prompt)], max_turns=4)

    @awhost.tool
    def add(self, state: None, a: int, b: int) -> str:
        """Adds two integers."""
        return str(a + b)


def main() -> None:
    """Serves the environment."""
    awhost.serve("desk", "0.1.0", Desk)
