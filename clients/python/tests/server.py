"""A server for tests: it does one thing after the other, each for one request, and records the requests."""

from __future__ import annotations

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union


class Turn(NamedTuple):
    """A response, or none: the connection is closed."""

    status: int = 200
    body: Union[Dict[str, Any], str, None] = None
    headers: Dict[str, str] = {}
    drops: bool = False


class Received(NamedTuple):
    method: str
    path: str
    headers: Any
    body: Any
    at: float


class Scripted:
    """Use it in `with`: its `url`, and the requests that it received."""

    def __init__(self, *turns: Turn) -> None:
        self.requests: List[Received] = []
        script = self

        class Handler(BaseHTTPRequestHandler):
            def respond(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                sent = self.rfile.read(length)
                turn = turns[min(len(script.requests), len(turns) - 1)]
                body = json.loads(sent) if sent else None
                received = Received(self.command, self.path, self.headers, body, time.monotonic())
                script.requests.append(received)
                if turn.drops:
                    self.close_connection = True
                    return
                text = turn.body if isinstance(turn.body, str) else json.dumps(turn.body)
                raw = b"" if turn.body is None else text.encode()
                self.send_response(turn.status)
                for name, value in turn.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(raw)))
                self.end_headers()
                self.wfile.write(raw)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = respond

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Scripted:
        self._thread.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self._server.shutdown()
        self._server.server_close()

    def sent(self) -> List[Tuple[str, str]]:
        return [(one.method, one.path) for one in self.requests]


def problem(status: int, code: str, retry_after: Optional[str] = None, **facts: Any) -> Turn:
    headers = {} if retry_after is None else {"Retry-After": retry_after}
    return Turn(status, {"code": code, "detail": f"{code}.", "status": status, **facts}, headers)
