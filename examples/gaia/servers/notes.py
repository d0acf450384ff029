"""Notes with questions, as an MCP server of fastmcp: python notes.py, on standard input and output."""

import json
import pathlib

from fastmcp import FastMCP

server = FastMCP("notes")
NOTES = json.loads((pathlib.Path(__file__).parent / "../data/notes.json").read_text())


@server.tool(annotations={"readOnlyHint": True})
def read_note(name: str) -> str:
    """What stands in a note."""
    return f"{name} says {NOTES.get(name, 'nothing')}"


@server.tool(annotations={"readOnlyHint": True})
def read_date(name: str) -> str:
    """When a note was written."""
    return f"{name} is of {NOTES.get(name, '')[:1] or '?'}.5."


if __name__ == "__main__":
    server.run("stdio", show_banner=False)
