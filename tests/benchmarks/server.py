"""Serve pages on loopback from a process of its own, compressed with gzip as by most sites.

The address /N is that of page N, modulo the number of pages.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

from tests.benchmarks.pages import read_pages


class _Server(ThreadingHTTPServer):
    request_queue_size = 128
    bodies: Sequence[bytes]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def do_GET(self) -> None:
        body = self.server.bodies[int(self.path[1:]) % len(self.server.bodies)]
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def serving(corpora: Sequence[str], every: int) -> Iterator[str]:
    """Run the server during the context, whose value is its address; EOFError without pages."""
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(corpora, every, theirs), daemon=True)
    process.start()
    theirs.close()
    try:
        yield ours.recv()
    finally:
        process.terminate()


def _serve(corpora: Sequence[str], every: int, ready: Connection) -> None:
    server = _Server(("127.0.0.1", 0), _Handler)
    pages = read_pages(corpora, every)
    server.bodies = [gzip.compress(page.html.encode("utf-8", "replace"), 6) for page in pages]
    ready.send(f"http://127.0.0.1:{server.server_port}")
    server.serve_forever()
