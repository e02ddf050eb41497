"""A web server on a free port of loopback, for the length of a crawl."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Answer:
    """The answer of the server for one path."""

    body: bytes = b""
    content_type: str | None = "text/html; charset=utf-8"  #: None sends no such header
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()


NOT_FOUND = Answer(b"<!doctype html><title>Not found</title><h1>Not found</h1>\n", status=404)


class LoopbackServer:
    """Serves answers by path (with its query) between start() and stop()."""

    def __init__(self, answers: Mapping[str, Answer]) -> None:
        self.answers = answers
        self._server: _Server | None = None
        self._thread: threading.Thread | None = None

    @property
    def url(self) -> str:
        """Address of the running server, without a slash at the end."""
        if self._server is None:
            raise RuntimeError("The server is not running: call start() first")
        return f"http://127.0.0.1:{self._server.server_port}"

    def start(self) -> None:
        """Listen on a free port and answer from another thread."""
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.answers = self.answers
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.05,), name="loopback", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """Stop listening and wait for the threads to end; does nothing if it never started."""
        if self._server is None or self._thread is None:
            return
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
        self._server = self._thread = None


class _Server(ThreadingHTTPServer):
    answers: Mapping[str, Answer]
    daemon_threads = False  # so that server_close() waits for them
    request_queue_size = 128


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    timeout = 10  # an idle connection must not delay stop()

    def do_GET(self) -> None:
        answer = self.server.answers.get(self.path, NOT_FOUND)
        self.send_response(HTTPStatus(answer.status))
        if answer.content_type is not None:
            self.send_header("Content-Type", answer.content_type)
        for name, value in answer.headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        self.wfile.write(answer.body)

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing, because Scrapy logs every response."""
