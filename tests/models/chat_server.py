"""A small OpenAI-compatible server on a loopback port that answers as a function says."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Reply:
    """An HTTP answer; ``body`` is JSON unless it is bytes. ``wait`` holds it back until the server stops."""

    body: Any
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    wait: bool = False


@dataclass
class Server:
    """Where it listens, and what came in."""

    url: str
    bodies: list[dict[str, Any]]
    headers: list[Mapping[str, str]]


def completion(text: str | None, finish: str = "stop", model: str = "served-1") -> dict[str, Any]:
    return {
        "id": "c1",
        "object": "chat.completion",
        "created": 1,
        "model": model,
        "choices": [{"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text}}],
        "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
    }


@contextmanager
def serving(answer: Callable[[int, dict[str, Any]], Reply]) -> Iterator[Server]:
    """Serve ``answer(number, body)``, the number counting from 1."""
    stopping = threading.Event()
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with lock:
                server.bodies.append(body)
                server.headers.append({name.lower(): value for name, value in self.headers.items()})
                number = len(server.bodies)
            reply = answer(number, body)
            if reply.wait:
                stopping.wait(60)
                return
            data = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
            self.send_response(reply.status)
            for name, value in {"Content-Type": "application/json", **reply.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *arguments: object) -> None:
            pass

        def handle(self) -> None:
            with contextlib.suppress(ConnectionError, TimeoutError):  # the client went away, as tests make it
                super().handle()

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    http.daemon_threads = True
    server = Server(f"http://127.0.0.1:{http.server_address[1]}/v1", [], [])
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        stopping.set()
        http.shutdown()
        http.server_close()
        thread.join(10)
