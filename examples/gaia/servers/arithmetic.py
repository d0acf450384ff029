"""Three tools for two numbers, as an MCP server of fastmcp: python arithmetic.py, on standard input and output."""

from fastmcp import FastMCP

server = FastMCP("arithmetic")
READ_ONLY = {"readOnlyHint": True}


@server.tool(annotations=READ_ONLY)
def subtract(a: int, b: int) -> str:
    """Subtracts b from a."""
    return f"The difference of {a} and {b} is {a - b}."


@server.tool(annotations=READ_ONLY)
def multiply(a: int, b: int) -> str:
    """Multiplies a by b."""
    return f"The product of {a} and {b} is {a * b}."


@server.tool(annotations=READ_ONLY)
def larger(a: int, b: int) -> str:
    """The larger of two numbers."""
    return f"The larger of {a} and {b} is {max(a, b)}."


if __name__ == "__main__":
    server.run("stdio", show_banner=False)
