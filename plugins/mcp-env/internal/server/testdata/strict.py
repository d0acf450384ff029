"""A server that rejects every version except one: python3 strict.py VERSION [http]"""
import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

VERSION = sys.argv[1]


def answer(message):
    """Returns the response, and whether the version is rejected."""
    match message["method"]:
        case "initialize":
            requested = message["params"]["protocolVersion"]
            if requested != VERSION:
                text = f"Unsupported protocol version: {requested}. Supported: {VERSION}"
                return {"error": {"code": -32602, "message": text}}, True
            server = {"name": "strict", "version": "1"}
            return {"result": {"protocolVersion": VERSION, "capabilities": {"tools": {}}, "serverInfo": server}}, False
        case "tools/list":
            return {"result": {"tools": [{"name": "look", "inputSchema": {"type": "object"}}]}}, False
        case "tools/call" if message["params"]["arguments"].get("empty"):
            return {"result": {}}, False
        case "tools/call":
            return {"result": {"structuredContent": {"answer": 42}}}, False
        case _:
            return {"error": {"code": -32601, "message": "Method not found"}}, False


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if "id" not in message:
            self.send_response(202)
            self.end_headers()
            return
        response, rejected = answer(message)
        self.send_response(400 if rejected else 200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps({"jsonrpc": "2.0", "id": message["id"], **response}).encode())

    def log_message(self, *_):
        pass


if len(sys.argv) > 2:
    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(f"http://127.0.0.1:{http.server_port}/mcp", flush=True)
    http.serve_forever()
for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **answer(message)[0]}), flush=True)
