"""A news site of a dozen pages on loopback, with addresses that a crawl must not follow."""

import gzip
import re
from collections.abc import Iterator
from contextlib import contextmanager

from tests.commands import ROOT
from tests.crawls.site import Answer, Site

LABELLED = ROOT / "example_project" / "news" / "site" / "labelled"
STORIES = (
    "harbour-wall-repairs-begin museum-reopens library-roof-grant cafe-terraces seal-pup-released "
    "lighthouse-open-day"
).split()
#: Links that a crawl must not follow.
NOT_FOLLOWED = (
    "/login",
    "/calendar/2026-11",
    "/search?id=1&id=2",
    "/news/museum-reopens?replytocom=3",
    "/report.pdf",
    "/nofollow",
)


def _page(*addresses: str) -> Answer:
    links = "".join(f"<li><a href='{address}'>Read</a>" for address in addresses)
    links = links.replace("href='/nofollow'", "rel=nofollow href='/nofollow'")
    heading = f"<h1>News, {len(addresses)} more</h1>"
    return Answer(f"<html><title>Front</title><body>{heading}<ul>{links}</ul></body>".encode())


def _story(name: str) -> Answer:
    """Return a page of the example's site without links to other pages."""
    html = (LABELLED / f"{name}.html").read_bytes()
    return Answer(re.sub(rb"""href=("[^"]*"|'[^']*')""", b'href="#"', html))


def _xml(root: str, entry: str, addresses: list[str], attributes: str = "") -> bytes:
    entries = "".join(entry.format(address) for address in addresses)
    return f"<{root}{attributes}>{entries}</{root}>".encode()


def _answers(base: str) -> dict[str, Answer]:
    stories = {f"/news/{name}": _story(name) for name in STORIES}
    addresses = [base + path for path in stories]
    # A file of the reader; its host is that of the site.
    own_file = (LABELLED / "bakery-fire.html").as_uri().replace("file://", "file://127.0.0.1")
    xmlns = " xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'"
    sitemap = _xml(
        "urlset", "<url><loc>{}</loc><lastmod>2025-06-03</lastmod></url>", addresses, xmlns
    )
    sources = [own_file, f"{base}/stories.xml.gz"]
    index = _xml("sitemapindex", "<sitemap><loc>{}</loc></sitemap>", sources)
    item = "<item><link>{}</link><pubDate>Tue, 03 Jun 2025 09:39:21 GMT</pubDate></item>"
    rss = b"<rss>" + _xml("channel", item, [own_file, *addresses]) + b"</rss>"
    xmlns = " xmlns='http://www.w3.org/2005/Atom'"
    atom = _xml(
        "feed",
        "<entry><link rel='alternate' href='{}'/><published>now</published></entry>",
        addresses,
        xmlns,
    )
    first, second, *others = stories
    return {
        **stories,
        "/robots.txt": Answer(
            f"User-agent: *\nDisallow: /private/\nSitemap: {base}/sitemap.xml\n".encode(),
            "text/plain",
        ),
        "/": _page(
            first, f"{second}?utm_source=front", "/more", *NOT_FOLLOWED, "/private/1", own_file,
            "http://elsewhere.invalid/",
        ),
        "/more": _page(*others, "/copy", "/gone"),
        "/copy": stories[first],
        "/sitemap.xml": Answer(index, "application/xml"),
        "/stories.xml.gz": Answer(gzip.compress(sitemap), "application/gzip"),
        "/rss": Answer(rss, "application/rss+xml"),
        "/atom": Answer(atom, "text/xml"),
        "/list": _page("/empty"),
        "/empty": _page(),
        "/data.json": Answer(b'{"a": 1}', "application/json"),
        "/nothing.xml": Answer(b"", "text/xml"),
    }  # fmt: skip


@contextmanager
def crawl_site() -> Iterator[Site]:
    """Serve the site."""
    site = Site({})
    site.answers = _answers(site.url)
    with site:
        yield site
