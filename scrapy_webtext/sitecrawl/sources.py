"""Reads sitemaps, feeds and robots.txt within limits.

All numbers that limit what a crawl reads, keeps and schedules of them are here. XML is read in
pieces, so memory does not grow with the number of its elements.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from heapq import nlargest
from itertools import islice
from operator import itemgetter
from typing import Any, Final, NamedTuple
from urllib.parse import urljoin

from scrapy import Request
from scrapy.http import Response
from scrapy.utils.gz import gunzip, gzip_magic_number

from scrapy_webtext.crawling.responses import has_html
from scrapy_webtext.crawling.sites import is_web_address
from scrapy_webtext.errors import describe
from scrapy_webtext.page.encoding import decode
from scrapy_webtext.page.xml import local_name, xml_events

#: Maximum number of feeds that are read of those that a page declares.
MAX_FEEDS: Final = 10
#: Maximum size of a JSON Feed in bytes; parsed JSON takes thirty times as much memory.
MAX_JSON: Final = 4 << 20
#: Maximum number of a source's entries, and of the sitemaps that it lists, that are scheduled at
#: once. For the next ones the source is fetched again later.
MAX_ENTRIES: Final = 5_000
MAX_SITEMAPS: Final = 500
#: Bytes of a robots.txt that are read (RFC 9309: at least 500 KiB).
ROBOTS_BYTES: Final = 500 * 2**10
#: Maximum length of an address and of a date.
MAX_CHARS: Final = 4_000
#: The maximum number of waiting requests is the first number, plus the second number for each page
#: of --pages.
WAITING: Final = 1000
WAITING_PER_PAGE: Final = 20

#: Name of a source's root element -> kind of the source.
_KINDS: Final = {
    "urlset": "sitemap",
    "sitemapindex": "index",
    **dict.fromkeys(("rss", "feed", "rdf"), "feed"),
}
#: "Sitemap:" lines of a robots.txt. Scrapy's own function takes str in Scrapy 2.13, bytes in 2.19.
_SITEMAP: Final = re.compile(r"^[ \t]{0,40}sitemap:[ \t]{0,40}(\S+)", re.IGNORECASE | re.MULTILINE)
#: Elements with an address.
_ENTRIES: Final = frozenset({"url", "sitemap", "item", "entry"})
_BASE: Final = "{http://www.w3.org/XML/1998/namespace}base"
_DATES: Final = ("pubDate", "published", "date", "lastmod")


class Source(NamedTuple):
    """The content of a source."""

    kind: str | None  #: "robots", "sitemap", "index", "list", "feed", "site"; None if unknown
    entries: Iterator[tuple[str, str]]  #: absolute addresses with their dates, "" if missing

    def some(self, first: int) -> tuple[list[tuple[str, str]], int | None]:
        """Return the entries to schedule now, from an index on, and the next index, or None.

        The entries of a sitemap are ordered by date, newest first.
        """
        most = MAX_SITEMAPS if self.kind in ("robots", "index") else MAX_ENTRIES
        end = first + most
        if self.kind in ("sitemap", "index"):
            found = nlargest(end + 1, self.entries, key=itemgetter(1))[first:]
        else:
            found = list(islice(self.entries, first, end + 1))
        return found[:most], end if len(found) > most else None


def is_robots(request: Request) -> bool:
    """Return whether a robots.txt is requested, also after a redirect."""
    addresses = (request.url, *request.meta.get("redirect_urls", ()))
    return any(address.endswith("/robots.txt") for address in addresses)


def read_source(response: Response, max_size: int) -> Source:
    """Return the content of a response, which is unpacked if it is a gzip file.

    A "list" is a sitemap in plain text, with an address per line. Raise ValueError if the response
    is damaged or has more than ``max_size`` bytes.
    """
    body = response.body
    if gzip_magic_number(response):
        try:
            body = gunzip(body, max_size=max_size)
        except Exception as error:  # damaged, or too large
            raise ValueError(describe(error)) from error
    if response.request is not None and is_robots(response.request):
        found = _SITEMAP.finditer(body[:ROBOTS_BYTES].decode("utf-8", "replace"))
        return Source("robots", _absolute(response.url, ((one[1], "") for one in found)))
    start = decode(body[:512]).lstrip("\ufeff \t\r\n\0")
    items = _read_json_feed(body) if start.startswith("{") else None
    if items is not None:
        return Source("feed", _absolute(response.url, map(_entry_of_json, items)))
    if is_web_address(start):
        lines = (line.strip("\ufeff \t\r\n") for line in decode(body).splitlines())
        return Source("list", _absolute(response.url, ((line, "") for line in lines)))
    kind = _KINDS.get(_root(body)) if start.startswith("<") else None
    if kind is not None:
        return Source(kind, _entries(body, response.url))
    return Source("site" if has_html(response) else None, iter(()))


def _read_json_feed(body: bytes) -> list[Any] | None:
    """Return the entries of a JSON Feed; None if the body is no JSON Feed."""
    if len(body) > MAX_JSON:
        return None
    try:
        feed = json.loads(body.removeprefix(b"\xef\xbb\xbf"))
    except (ValueError, RecursionError):
        return None
    is_feed = str(feed.get("version")).startswith("https://jsonfeed.org/version/")
    return list(feed["items"]) if is_feed and isinstance(feed.get("items"), list) else None


def _entry_of_json(item: Any) -> tuple[str, str]:
    if not isinstance(item, dict):
        return "", ""
    return str(item.get("url") or item.get("id") or ""), str(item.get("date_published") or "")


def _absolute(base: str, entries: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    for address, date in entries:
        with suppress(ValueError):  # no valid address
            place = urljoin(base, address) if 0 < len(address) <= MAX_CHARS else ""
            if is_web_address(place):
                yield place, date[:MAX_CHARS]


def _root(body: bytes) -> str:
    """Return the name of the root element of XML in lower case; empty if it has none."""
    names = (local_name(element).lower() for _, element in xml_events(body.lstrip(), _ENTRIES))
    return next(names, "")


def _entries(body: bytes, url: str) -> Iterator[tuple[str, str]]:
    """Yield the address and the date of each entry of a sitemap or feed in XML."""
    for event, element in xml_events(body.lstrip(), _ENTRIES):
        if event == "end" and local_name(element) in _ENTRIES:
            base, links = url, [link for link in map(_address, element) if link]
            with suppress(ValueError, IndexError):  # an invalid address, or no address
                for one in [*reversed([*element.iterancestors()]), element]:
                    base = urljoin(base, one.get(_BASE, ""))
                date = next((c.text or "" for c in element if local_name(c) in _DATES), "")
                yield from _absolute(base, [(min(links)[1], date.strip())])


def _address(child: Any) -> tuple[int, str] | None:
    """Return the rank and the address in a child of an entry; None for another child."""
    name, text = local_name(child), (child.text or "").strip()
    if name == "link" and not text and child.get("rel", "alternate") == "alternate":
        text = (child.get("href") or "").strip()
    if name in ("loc", "link") and text:
        return 0, text
    if name == "guid" and text and child.get("isPermaLink") != "false":
        return 1, text
    return None
