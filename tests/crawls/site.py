"""A small web server on loopback with one page per case that a crawl meets."""

import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

SENTENCE = "The harbour was quiet that morning, and nobody saw the boat leave. "
ARTICLE = f"<html><body><article><h1>Boat</h1><p>{SENTENCE * 20}</p></article></body></html>"
LIST = (
    "<html><body>" + "".join(f"<li><a href='/{n}'>Item {n}</a></li>" for n in range(30)) + "</body>"
)
SCRIPTED = (
    "<html><body><div id='app'></div><script>"
    f"document.getElementById('app').innerHTML = '<article><p>' + '{SENTENCE}'.repeat(20)"
    " + '</p></article>';</script></body></html>"
)
UMLAUTS = (
    f"<html><body><article><p>{'Zwölf Boxkämpfer jagen Viktor über den Deich. ' * 20}</p>"
    "</article></body></html>"
)


class Answer(NamedTuple):
    body: bytes
    content_type: str | None = "text/html; charset=utf-8"
    status: int = 200
    location: str = ""  #: of a redirect

    def send(self, handler: BaseHTTPRequestHandler) -> None:
        """Answer the request of this handler."""
        handler.send_response(self.status)
        if self.content_type:
            handler.send_header("Content-Type", self.content_type)
        if self.location:
            handler.send_header("Location", self.location)
        handler.send_header("Content-Length", str(len(self.body)))
        handler.end_headers()
        handler.wfile.write(self.body)


def _part(number: int, rest: str) -> Answer:
    """Return a page of an article over several pages."""
    prose = "".join(f"<p>Part {number}, {k}. {SENTENCE * 5}</p>" for k in range(5))
    return Answer(f"<title>S</title><article><h1>Story</h1>{prose}</article>{rest}".encode())


ANSWERS = {
    "/parts": _part(1, "<p>Page 1 of 4 <a href=/parts?page=2>2</a> <a href=/parts?page=3>3</a>"),
    "/parts?page=2": _part(2, "<a rel='next nofollow' href='?page=3#top'>More</a>"),
    "/parts?page=3": _part(3, "<link rel=next href='/parts?page=4'>"),
    "/moved": _part(1, "<a rel=next href=/moved?page=2>More</a>"),
    "/moved?page=2": Answer(b"", status=302, location="/moved?page=02"),
    "/moved?page=02": _part(2, "<a rel=next href=/moved?page=3>More</a>"),
    "/moved?page=3": Answer(b"", status=302, location="/story-1"),
    "/story-1": _part(5, "<link rel=next href=/another-story>"),
    "/robots.txt": Answer(b"User-agent: *\nAllow: /\n", "text/plain"),
    "/article": Answer(ARTICLE.encode()),
    "/list": Answer(LIST.encode()),
    "/scripted": Answer(SCRIPTED.encode()),
    "/missing": Answer(ARTICLE.encode(), status=404),
    "/feed.xml": Answer(b"<?xml version='1.0'?><rss><channel/></rss>", "application/rss+xml"),
    "/data.json": Answer(b'{"a": 1}', "application/json"),
    "/paper.pdf": Answer(b"%PDF-1.4\n\x00\x01\x02", "application/pdf"),
    "/untyped": Answer(ARTICLE.encode(), None),
    "/untyped-fragment": Answer(f"<div><p>{SENTENCE * 20}</p></div>".encode(), None),
    "/empty": Answer(b""),
    "/large": Answer(ARTICLE.encode() + b" " * 300_000),
    "/latin-1": Answer(UMLAUTS.encode(), "text/html; charset=iso-8859-1"),
    "/true-latin-1": Answer(UMLAUTS.encode("latin-1"), "text/html; charset=iso-8859-1"),
    "/after-html": Answer(f"<html><body></body></html><p>{SENTENCE * 20}</p>".encode()),
}


class Site:
    """A server while the context lasts; ``asked`` has the paths of its requests."""

    def __init__(self, answers: Mapping[str, Answer] = ANSWERS) -> None:
        self.answers = answers
        self.asked: list[str] = []

        class Handler(BaseHTTPRequestHandler):
            def do_GET(handler) -> None:  # noqa: N805
                self.asked.append(handler.path)
                answer = self.answers.get(handler.path, Answer(b"<p>no such page", status=404))
                if handler.path == "/agent":
                    text = f"<article><p>I saw {handler.headers['User-Agent']}."
                    answer = Answer(text.encode())
                answer.send(handler)

            def log_message(handler, format: str, *args: Any) -> None:  # noqa: N805
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> str:
        serve = self._server.serve_forever
        threading.Thread(target=serve, args=(0.05,), daemon=True).start()
        return self.url

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
