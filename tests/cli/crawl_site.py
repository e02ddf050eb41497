"""A news site of a dozen pages on loopback, with all that a crawl is to leave alone."""

import gzip
import re
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

from tests.cli import ROOT
from tests.crawls.site import Answer

LABELLED = ROOT / "example_project" / "news" / "site" / "labelled"
STORIES = (
    "harbour-wall-repairs-begin museum-reopens library-roof-grant cafe-terraces seal-pup-released "
    "lighthouse-open-day"
).split()
#: What no link may lead a crawl to.
LEFT_ALONE = (
    "/login",
    "/calendar/2026-11",
    "/search?id=1&id=2",
    "/news/museum-reopens?replytocom=3",
    "/report.pdf",
    "/nofollow",
)


def _page(links: str) -> Answer:
    return Answer(f"<html><title>Front</title><body><h1>News</h1><ul>{links}</ul></body>".encode())


def _story(name: str) -> bytes:
    """Return a page of the example's site, whose links lead nowhere else."""
    html = (LABELLED / f"{name}.html").read_bytes()
    return re.sub(rb"""href=("[^"]*"|'[^']*')""", b'href="#"', html)


def _links(*addresses: str) -> str:
    return "".join(f"<li><a href='{address}'>Read</a>" for address in addresses)


def _answers(base: str) -> dict[str, Answer]:
    stories = {f"/news/{name}": Answer(_story(name)) for name in STORIES}
    addresses = [base + path for path in stories]
    locations = "".join(f"<url><loc>{address}</loc></url>" for address in addresses)
    sitemap = f"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{locations}</urlset>"
    # Of whoever reads them; the host is the site's.
    own_file = (LABELLED / "bakery-fire.html").as_uri().replace("file://", "file://127.0.0.1")
    index = "".join(
        f"<sitemap><loc>{one}</loc></sitemap>" for one in (own_file, f"{base}/stories.xml.gz")
    )
    index = f"<sitemapindex>{index}</sitemapindex>"
    items = f"<item><link>{own_file}</link></item>" + "".join(
        f"<item><title>x</title><link>{one}</link></item>" for one in addresses
    )
    entries = "".join(f"<entry><link rel='alternate' href='{one}'/></entry>" for one in addresses)
    first, second, *others = stories
    front = _links(first, f"{second}?utm_source=front", "/more", *LEFT_ALONE, "/private/1")
    front += _links(own_file)
    front = front.replace("href='/nofollow'", "rel=nofollow href='/nofollow'")
    return {
        **stories,
        "/robots.txt": Answer(b"User-agent: *\nDisallow: /private/\n", "text/plain"),
        "/": _page(front + _links("http://elsewhere.invalid/")),
        "/more": _page(_links(*others, "/copy", "/gone")),
        "/copy": stories[first],
        "/sitemap.xml": Answer(index.encode(), "application/xml"),
        "/stories.xml.gz": Answer(gzip.compress(sitemap.encode()), "application/gzip"),
        "/rss": Answer(f"<rss><channel>{items}</channel></rss>".encode(), "application/rss+xml"),
        "/atom": Answer(
            f"<feed xmlns='http://www.w3.org/2005/Atom'>{entries}</feed>".encode(), "text/xml"
        ),
        "/list": _page(_links("/empty")),
        "/empty": _page(""),
        "/data.json": Answer(b'{"a": 1}', "application/json"),
    }


class CrawlSite:
    """Serves the site while it is entered; ``asked`` has the paths that were asked for."""

    def __enter__(self) -> "CrawlSite":
        self.asked: list[str] = []
        site = self

        class Handler(BaseHTTPRequestHandler):
            answers: ClassVar[Mapping[str, Answer]] = {}

            def do_GET(self) -> None:
                site.asked.append(self.path)
                answer = self.answers.get(self.path.replace("?utm_source=front", ""))
                (answer or Answer(b"<p>nothing here", status=404)).send(self)

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        Handler.answers = _answers(self.url)
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._server.shutdown()
        self._server.server_close()
