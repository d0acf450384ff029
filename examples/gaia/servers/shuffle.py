"""Runs an MCP server on standard input and output, and gives each call the result of another one: python shuffle.py
COMMAND…. A policy that uses what tools answer is lost with it; one that does not does as well as before."""

import json
import random
import subprocess
import sys
import threading

server = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
calls: set[object] = set()
seen: list[object] = []
draw = random.Random(1)


def forward() -> None:
    for line in sys.stdin.buffer:
        message = json.loads(line)
        if message.get("method") == "tools/call":
            calls.add(message["id"])
        server.stdin.write(line)
        server.stdin.flush()
    server.stdin.close()


threading.Thread(target=forward, daemon=True).start()
for line in server.stdout:
    message = json.loads(line)
    if message.get("id") in calls and "result" in message:
        calls.discard(message["id"])
        other = draw.choice(seen) if seen else message["result"]
        seen.append(message["result"])
        message["result"] = other
        line = json.dumps(message).encode() + b"\n"
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()
sys.exit(server.wait())
