"""A server of fastmcp for the tests: python fast.py stdio, or python fast.py PORT http or sse."""

import base64
import sys

from fastmcp import Context, FastMCP
from fastmcp.utilities.types import Image

server = FastMCP("fast")
notes: list[str] = []
PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="
)


@server.tool(annotations={"readOnlyHint": True})
def multiply(a: float, b: float = 1) -> float:
    """Multiplies two numbers."""
    return a * b


@server.tool
def note(text: str) -> str:
    """Writes a note."""
    notes.append(text)
    return ",".join(notes)


@server.tool(annotations={"readOnlyHint": True})
def picture() -> Image:
    """Draws a pixel."""
    return Image(data=PIXEL, format="png")


@server.tool(annotations={"readOnlyHint": True})
def fail() -> str:
    """Fails."""
    raise ValueError("as it was told")


@server.tool(annotations={"readOnlyHint": True})
async def wait(steps: int, context: Context) -> str:
    """Takes a tenth of a second a step, and says so."""
    import asyncio

    for i in range(steps):
        await asyncio.sleep(0.1)
        await context.report_progress(i + 1, steps)
    return "waited"


if sys.argv[1] == "stdio":
    server.run(show_banner=False)
else:
    server.run(transport=sys.argv[2], host="127.0.0.1", port=int(sys.argv[1]), show_banner=False)
