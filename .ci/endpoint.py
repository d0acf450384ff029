"""A stand-in for an endpoint that speaks OpenAI's protocol, for .ci/tutorial: python endpoint.py FILE writes its URL
there.

It calls the first tool that takes a and b for a sum, and tells the last number of what it hears.
"""

import http.server
import json
import os
import re
import sys


def answer(request: dict) -> dict:
    last = request["messages"][-1]
    numbers = re.findall(r"\d+", str(last["content"]))
    tools = [tool["function"] for tool in request.get("tools", [])]
    sums = [tool["name"] for tool in tools if "b" in tool["parameters"].get("properties", {})]
    if last["role"] == "user" and len(numbers) == 2 and sums:
        arguments = json.dumps({"a": int(numbers[0]), "b": int(numbers[1])})
        call = {"id": "1", "type": "function", "function": {"name": sums[0], "arguments": arguments}}
        return {"role": "assistant", "content": "", "tool_calls": [call]}
    value = numbers[-1] if numbers else ""
    tagged = any("<answer>" in str(m["content"]) for m in request["messages"] if m["role"] == "system")
    return {"role": "assistant", "content": f"<answer>{value}</answer>" if tagged else value}


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        message = answer(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        reason = "tool_calls" if "tool_calls" in message else "stop"
        body = json.dumps({
            "id": "1", "object": "chat.completion", "model": "stand-in", "created": 0,
            "choices": [{"index": 0, "message": message, "finish_reason": reason}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        }).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
with open(sys.argv[1] + ".new", "w") as file:
    file.write(f"http://127.0.0.1:{server.server_address[1]}/v1")
os.rename(sys.argv[1] + ".new", sys.argv[1])
server.serve_forever()
