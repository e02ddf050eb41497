"""Serves pages on loopback from a process of its own, as compressed as sites send them.

    python -m tests.benchmarks.server [CORPUS...] [--every 10]

Prints its address and the number of its pages as JSON and serves until its standard input ends.
The address /N is that of page N, modulo their number.
"""

from __future__ import annotations

import argparse
import gzip
import json
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

from tests.benchmarks.pages import add_arguments, read_pages


class Served(NamedTuple):
    base: str
    pages: int  #: how many


class _Server(ThreadingHTTPServer):
    daemon_threads = True
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
        if self.headers.get("Connection") == "close":
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def serving(corpora: Sequence[str], every: int) -> Iterator[Served]:
    """The server in its process, while the context lasts."""
    command = [sys.executable, "-m", "tests.benchmarks.server", *corpora, "--every", str(every)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        first_line = process.stdout.readline()
        if not first_line:
            raise RuntimeError(f"{' '.join(command)} ended with {process.wait()}; see above")
        try:
            yield Served(**json.loads(first_line))
        finally:
            process.stdin.close()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_arguments(parser)
    given = parser.parse_args()
    server = _Server(("127.0.0.1", 0), _Handler)
    server.bodies = [
        gzip.compress(page.html.encode("utf-8", "replace"), 6)
        for page in read_pages(given.corpora, given.every)
    ]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    print(json.dumps(Served(address, len(server.bodies))._asdict()), flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
