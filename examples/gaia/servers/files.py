"""The files of a folder as an MCP server of fastmcp, on standard input and output: python files.py FOLDER.

Only the files that list_files names can be opened. Symbolic links are none of them, and neither are GAIA's files of
questions (metadata.jsonl, metadata.parquet and the like): the answers stand in them."""

import csv
import html.parser
import io
import os
import pathlib
import posixpath
import sys
import urllib.parse

from fastmcp import FastMCP
from fastmcp.exceptions import ToolError

CHARACTERS = 4000  # most of them in an answer
ROWS = 40  # most of a table in an answer
LINES = 40  # most that find_text shows
SKIPPED = {"script", "style", "title"}  # elements whose text is not on the page
BLOCKS = {"br", "div", "h1", "h2", "h3", "h4", "li", "ol", "p", "table", "tr", "ul"}  # elements on lines of their own
server = FastMCP("files")
READ_ONLY = {"readOnlyHint": True}


def files() -> dict[str, pathlib.Path]:
    """The files that may be opened, by their paths from the top of the folder, sorted."""
    found = {}
    for folder, _, names in os.walk(sys.argv[1]):
        for name in names:
            path = pathlib.Path(folder, name)
            if path.is_file() and not path.is_symlink() and not name.lower().startswith("metadata."):
                found[path.relative_to(sys.argv[1]).as_posix()] = path
    return dict(sorted(found.items()))


def text_of(path: str) -> str:
    file = files().get(posixpath.normpath(path))
    if file is None:
        raise ToolError(f"There is no file {path!r}. list_files shows what there is.")
    try:
        return file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise ToolError(f"{path!r} is not text.") from None


def piece(text: str, offset: int) -> str:
    """As much of a text as fits into an answer, from an offset on, and how to go on."""
    end = offset + CHARACTERS
    if not 0 <= offset <= len(text):
        raise ToolError(f"The offset has to be from 0 to {len(text)}.")
    rest = f"\n[Characters {offset} to {end} of {len(text)}. Go on with offset {end}.]" if end < len(text) else ""
    return text[offset:end] + rest


@server.tool(annotations=READ_ONLY)
def list_files() -> str:
    """Lists all files, with their sizes."""
    return "\n".join(f"{name} ({path.stat().st_size} bytes)" for name, path in files().items())


@server.tool(annotations=READ_ONLY)
def read_file(path: str, offset: int = 0) -> str:
    """Reads a text file. Of a long one, a piece: go on with the offset that is told at the end."""
    return piece(text_of(path), offset)


@server.tool(annotations=READ_ONLY)
def read_table(
    path: str, columns: list[str] | None = None, where: dict[str, str | int | float] | None = None, skip: int = 0
) -> str:
    """Reads rows of a CSV file: some columns, or all; the rows where columns have certain values, such as
    {"port": "Ness"}, or all. Of many rows, some: go on with the skip that is told at the end."""
    if not path.lower().endswith(".csv"):
        raise ToolError(f"{path!r} is not a CSV file. read_file reads texts, open_page HTML.")
    rows = csv.DictReader(io.StringIO(text_of(path), newline=""))
    names = list(rows.fieldnames or [])
    conditions = {name: str(value) for name, value in (where or {}).items()}
    for name in [*(columns or []), *conditions]:
        if name not in names:
            raise ToolError(f"There is no column {name!r}. There are: {', '.join(names)}.")
    found = [row for row in rows if all(row[name] == value for name, value in conditions.items())]
    if not 0 <= skip <= len(found):
        raise ToolError(f"skip has to be from 0 to {len(found)}.")
    shown = found[skip : skip + ROWS]
    last = skip + len(shown)
    rest = f" Go on with skip {last}." if last < len(found) else ""
    text = io.StringIO()
    table = csv.DictWriter(text, columns or names, extrasaction="ignore", lineterminator="\n")
    table.writeheader()
    table.writerows(shown)
    return text.getvalue() + f"[Rows {min(skip + 1, last)} to {last} of {len(found)}.{rest}]"


class Page(html.parser.HTMLParser):
    """The text of a page, and where its links lead."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self.path, self.skipping, self.text, self.links = path, 0, "", []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.skipping += tag in SKIPPED
        if tag in BLOCKS:
            self.text += "\n"
        elif tag in ("td", "th"):
            self.text += "| "
        elif tag == "a":
            self.links.append(self.target(dict(attributes).get("href") or ""))
            self.text += f"[{len(self.links)}: "

    def target(self, href: str) -> str:
        """Where a link leads: the path of a file, or an address elsewhere."""
        to = urllib.parse.urlsplit(href)
        if to.scheme or to.netloc:
            return href
        path = posixpath.join(posixpath.dirname(self.path), urllib.parse.unquote(to.path))
        return posixpath.normpath(path) if to.path else self.path

    def handle_endtag(self, tag: str) -> None:
        self.skipping = max(self.skipping - (tag in SKIPPED), 0)
        self.text += "]" if tag == "a" else "\n" if tag in BLOCKS else " " if tag in ("td", "th") else ""

    def handle_data(self, data: str) -> None:
        if not self.skipping:
            self.text += data.replace("\n", " ")


@server.tool(annotations=READ_ONLY)
def open_page(path: str, offset: int = 0) -> str:
    """Opens an HTML file: its text, with a number before the text of each link, and below it where the links lead."""
    page = Page(posixpath.normpath(path))
    page.feed(text_of(path))
    page.close()
    lines = [" ".join(line.split()) for line in page.text.splitlines()]
    links = [f"{number}: {to}" for number, to in enumerate(page.links, 1)]
    return piece("\n".join([line for line in lines if line] + ["Links:"] + links), offset)


@server.tool(annotations=READ_ONLY)
def find_text(text: str, path: str = "") -> str:
    """Finds lines that contain a text, in one file or in all, whatever the case of letters."""
    found = []
    for name in [path] if path else files():
        try:
            lines = text_of(name).splitlines()
        except ToolError:
            if path:
                raise
            continue  # not text
        found += [f"{name}:{n}: {line[:300]}" for n, line in enumerate(lines, 1) if text.lower() in line.lower()]
    more = [f"[{len(found) - LINES} more. Look for a longer text.]"] if len(found) > LINES else []
    return "\n".join(found[:LINES] + more) or f"No line contains {text!r}."


if __name__ == "__main__":
    if len(sys.argv) != 2 or not os.path.isdir(sys.argv[1]):
        sys.exit("usage: python files.py FOLDER, and the folder has to be there")
    server.run("stdio", show_banner=False)
