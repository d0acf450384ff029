"""The tool, which verifiers serves over MCP in a process that all rollouts share."""

import verifiers.v1 as vf


class Desk(vf.Toolset[vf.SharedToolsetConfig]):
    """A desk with a tool that adds."""

    TOOL_PREFIX = "desk"

    @vf.tool
    def add(self, a: int, b: int) -> str:
        """Adds two integers."""
        return str(a + b)


if __name__ == "__main__":
    Desk.run()
