"""An MCP server on standard input and output, with a tool for each operation."""

from fastmcp import FastMCP

server = FastMCP("arithmetic")


@server.tool
def add(a: int, b: int) -> str:
    """Adds two numbers."""
    return str(a + b)


@server.tool
def sub(a: int, b: int) -> str:
    """Subtracts b from a."""
    return str(a - b)


@server.tool
def mul(a: int, b: int) -> str:
    """Multiplies two numbers."""
    return str(a * b)


@server.tool
def mod(a: int, b: int) -> str:
    """Returns the remainder of a divided by b."""
    return str(a % b)


if __name__ == "__main__":
    server.run("stdio", show_banner=False)
