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


class LoopbackServer(ThreadingHTTPServer):
    """Serves answers by path (with its query) between start() and stop()."""

    daemon_threads = False  # so that server_close() waits for them
    request_queue_size = 128

    def __init__(self, answers: Mapping[str, Answer]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler, bind_and_activate=False)
        self.answers = answers
        self._thread = threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True)

    @property
    def url(self) -> str:
        """Address of the running server, without a slash at the end."""
        return f"http://127.0.0.1:{self.server_port}"

    def start(self) -> None:
        """Listen on a free port and answer from another thread."""
        self.server_bind()
        self.server_activate()
        self._thread.start()

    def stop(self) -> None:
        """Stop listening and wait until all threads have ended."""
        if self._thread.is_alive():
            self.shutdown()
            self._thread.join()
        self.server_close()


class _Handler(BaseHTTPRequestHandler):
    server: LoopbackServer
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
