"""The tools of files.py and arithmetic.py over HTTP, behind one port: TOKEN=… python serve.py FOLDER [PORT].

POST /mcp is for clients that send the token, GET /health for whoever asks whether it serves."""

import os
import sys

import arithmetic
import files
from fastmcp import FastMCP
from fastmcp.server.auth import StaticTokenVerifier
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

if len(sys.argv) < 2 or not os.path.isdir(sys.argv[1]):
    sys.exit("name the folder of the questions' files: python serve.py FOLDER [PORT]")
if not os.environ.get("TOKEN"):
    sys.exit("set TOKEN to the token that clients have to send: the port may be reached by others")

server = FastMCP("questions", auth=StaticTokenVerifier({os.environ["TOKEN"]: {"client_id": "awhost", "scopes": []}}))
server.mount(files.server)
server.mount(arithmetic.server)


@server.custom_route("/health", methods=["GET"])
async def health(_: Request) -> Response:
    return PlainTextResponse("ok")


if __name__ == "__main__":
    port = int(sys.argv[2]) if len(sys.argv) > 2 else 8000
    server.run(
        "http", host=os.environ.get("HOST", "127.0.0.1"), port=port, show_banner=False, log_level="warning",
        host_origin_protection=False,  # of browsers; clients have a token
    )
