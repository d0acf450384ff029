"""An OpenAI-compatible endpoint on loopback that says what a test wants."""

from __future__ import annotations

import http.server
import json
import threading
from typing import Any, Callable

Answer = tuple[int, dict[str, str], Any]  # status, headers, body


def completion(content: str, prompt_tokens: int = 100, completion_tokens: int = 10) -> Answer:
    return 200, {}, {
        "id": "1", "object": "chat.completion", "created": 0, "model": "fake",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content}}],
        "usage": {"prompt_tokens": prompt_tokens, "completion_tokens": completion_tokens, "total_tokens": prompt_tokens + completion_tokens},
    }


def points(**given: int) -> Answer:
    return completion(json.dumps({"reason": "so", "points": given}))


def problem(status: int) -> Answer:
    """One that may pass: the client asks again at once."""
    return status, {"retry-after-ms": "1"}, {"error": {"message": "not now, and here is your request: SECRET"}}


class Endpoint:
    """Use it as a context. answer gets the requests; they are kept, with their headers."""

    def __init__(self, answer: Callable[[dict[str, Any]], Answer]) -> None:
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str] = []
        endpoint = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                endpoint.keys.append(self.headers["Authorization"])
                endpoint.requests.append(request)
                status, headers, body = answer(request) if self.path == "/v1/chat/completions" else (404, {}, {})
                text = json.dumps(body).encode()
                self.send_response(status)
                for name, value in {**headers, "Content-Type": "application/json", "Content-Length": str(len(text))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *_: object) -> None:
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> "Endpoint":
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
