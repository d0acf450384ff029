"""A small MCP server that breaks one rule: python server.py RULE. Without a rule it breaks none."""

import json
import os
import sys
import time

RULE = sys.argv[1] if len(sys.argv) > 1 else ""
SCHEMA = {"type": "object", "properties": {"a": {"type": "number"}}, "required": ["a"]}
kept, notes, calls = [], [], 0


def tools():
    broken = {"schema": {"type": "array"}, "keyword": {"type": "object", "properties": {"a": {"type": "numbr"}}},
              "dangling": {"type": "object", "properties": {"a": {"$ref": "#/$defs/missing"}}}}
    schema = broken.get(RULE, SCHEMA)
    names = {"double": schema, "notes": {"type": "object"}, "note": {"type": "object"}}
    if RULE == "":
        point = {"type": "object", "properties": {"a": {"type": "number"}}}
        for at in ("$defs", "definitions"):
            names[at[-4:]] = {"type": "object", "properties": {"p": {"$ref": f"#/{at}/P"}}, at: {"P": point}}
        names["tree"] = {"type": "object", "properties": {"child": {"$ref": "#"}}}
    if RULE == "name":
        names["a tool of ours"] = {"type": "object"}
    if RULE == "drifts":
        names[f"tool_{os.getpid()}"] = {"type": "object"}
    return [{"name": name, "inputSchema": s, "annotations": {"readOnlyHint": name in ("double", "notes")}}
            for name, s in names.items()]


def call(params):
    global calls
    calls += 1
    if RULE == "dies" and calls == 4:
        os._exit(1)
    if RULE == "cut":
        time.sleep(0.05)
    if RULE == "grows":
        kept.append(os.urandom(1 << 20))
    name, arguments = params["name"], params.get("arguments") or {}
    known, missing = name in ("double", "note", "notes"), name == "double" and "a" not in arguments
    mistyped = name == "double" and isinstance(arguments.get("a"), str)
    if {"hangs-unknown": not known, "hangs-missing": missing, "hangs-type": mistyped,
            "hangs-call": name == "notes", "hangs-later": calls > 110}.get(RULE):
        return None
    text, failed = "", False
    if name == "double":
        wrong = missing and RULE != "lenient" or mistyped and RULE != "coerces"
        text, failed = str(2 * arguments.get("a", 0)), wrong
    elif name == "note":
        notes.append(arguments.get("text", ""))
        if RULE == "shares":
            with open(os.environ["SHARED_NOTES"], "a") as f:
                f.write("x")
    elif name == "notes":
        text = ",".join(notes)
        if RULE == "shares":
            text = open(os.environ["SHARED_NOTES"]).read()
    else:
        failed = RULE != "pleases"
    return {"content": [{"type": "text", "text": text}], "isError": failed}


for line in sys.stdin:
    message = json.loads(line)
    if RULE == "cut" and message["method"] == "notifications/cancelled":
        os._exit(1)
    if "id" not in message:
        continue
    answer = {"jsonrpc": "2.0", "id": message["id"]}
    match message["method"]:
        case "initialize":
            answer["result"] = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
                                "serverInfo": {"name": "small", "version": "1"}}
        case "tools/list":
            answer["result"] = {"tools": [] if RULE == "empty" else tools()}
        case "tools/call":
            answer["result"] = call(message["params"])
            if answer["result"] is None:
                continue
        case "ping":
            answer["result"] = {}
        case _:
            answer["error"] = {"code": -32601, "message": "no such method"}
    print(json.dumps(answer), flush=True)
