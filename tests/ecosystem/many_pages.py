"""A site of any number of pages on loopback, each linked from many others.

    python -m tests.ecosystem.many_pages COUNT

Prints its address and serves until its standard input ends.
"""

import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SENTENCE = "On day {} the ferry crossed the bay, and the keeper of page {} wrote down the wind. "


def is_article(number: int) -> bool:
    """Every fifth page is a list of links."""
    return number % 5 != 0


def text(number: int) -> str:
    return "".join(SENTENCE.format(day, number) for day in range(8))


def links(number: int, count: int) -> list[int]:
    """Pages that a page links to: none hangs on a single other, and none leads to the first."""
    near = [number + step for step in range(1, 6)]
    far = [2 * number, 2 * number + 1, 7 * number + 3, 13 * number + 5, 31 * number + 11]
    return sorted({target % count for target in near + far} - {number, 0})


def page(number: int, count: int) -> str:
    anchors = "".join(f"<li><a href='/{n}'>Page {n}</a></li>" for n in links(number, count))
    if is_article(number):
        paragraphs = "".join(f"<p>{text(number)}</p>" for _ in range(4))
        return f"<html><body><article><h1>Log</h1>{paragraphs}</article><ul>{anchors}</ul></body>"
    return f"<html><body><h1>All logs</h1><ul>{anchors * 6}</ul></body></html>"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    count = 0

    def do_GET(self) -> None:
        number = int(self.path[1:])
        body = page(number, self.count).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def main() -> None:
    _Handler.count = int(sys.argv[1])
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
