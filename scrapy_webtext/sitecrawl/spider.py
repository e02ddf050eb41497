"""The spider of ``scrapy webtext crawl``: the articles of sites, sitemaps and feeds.

The content of a source decides whether it is a site, a sitemap, a feed or a robots.txt. All numbers
that limit what a crawl reads, keeps and schedules of a source are here. XML is read in pieces, so
memory does not grow with the number of its elements.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import suppress
from heapq import nlargest
from itertools import islice
from operator import itemgetter
from typing import Any, Final, NamedTuple
from urllib.parse import urljoin, urlsplit

from lxml import etree
from scrapy import Request, Spider
from scrapy.core.scheduler import Scheduler
from scrapy.exceptions import IgnoreRequest
from scrapy.http import HtmlResponse, Response, TextResponse
from scrapy.link import Link
from scrapy.linkextractors import LinkExtractor
from scrapy.spidermiddlewares.httperror import HttpError
from scrapy.utils.gz import gunzip, gzip_magic_number
from scrapy.utils.response import get_base_url
from tldextract import TLDExtract
from w3lib.url import canonicalize_url, url_query_cleaner

from scrapy_webtext.crawling.crawl import WebtextCrawl
from scrapy_webtext.crawling.responses import has_html
from scrapy_webtext.crawling.sites import is_web_address
from scrapy_webtext.errors import describe, shown
from scrapy_webtext.fetching import is_of_size, reason_of
from scrapy_webtext.files import Progress
from scrapy_webtext.page.encoding import decode
from scrapy_webtext.sitecrawl.rows import RowStore

#: Patterns of addresses that have no articles or are endless: accounts, shops, calendars, forms,
#: other orders of the same page. A word must be a whole segment of the path.
NO_ARTICLES: Final = (
    r"(?i)/(?:log-?(?:in|out|on)|sign-?(?:in|up|out)|register|registration|password|account|cart|"
    r"basket|checkout|wishlist|calendar|wp-login|wp-admin|wp-json|cgi-bin|search|print)"
    r"(?:\.\w{2,5})?(?:[/?]|$)",
    r"(?i)[?&](?:replytocom|share|action|do|sort|order|orderby|filter|year|month|week|date|"
    r"ical|cal|print|format|redirect|return_?to|next|s|q|query|search)=",
)

#: Query parameters for tracking; the page is the same without them.
TRACKING: Final = (
    "utm_source utm_medium utm_campaign utm_term utm_content utm_id fbclid gclid dclid msclkid "
    "mc_cid mc_eid"
).split()

#: XPath of the feeds that a page declares; at most `MAX_FEEDS` of them are read.
_FEEDS: Final = (
    "//link[contains(concat(' ', @rel, ' '), ' alternate ') and (contains(@type, '/rss+xml') or "
    "contains(@type, '/atom+xml') or contains(@type, '/feed+json'))]/@href"
)

#: Priority of the pages in sitemaps. It is above the priority of further sitemaps, because there
#: may be more sitemaps than the maximum number of pages.
_BEFORE_SITEMAPS: Final = 1000

#: Key of ``request.meta`` with the date in an entry of a feed or sitemap: {result field: date}.
LISTED: Final = "webtext_listed"

#: The public suffix list that tldextract contains, so that nothing is downloaded.
_SUFFIXES: Final = TLDExtract(suffix_list_urls=(), include_psl_private_domains=True)

#: Key of ``request.meta`` with the index of the sitemap's first entry to schedule.
FIRST: Final = "webtext_first"

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

#: Bytes that the parser gets at a time.
_PIECE: Final = 64 * 1024
#: Maximum number of children that are kept of an element that is kept whole.
_CHILDREN: Final = 1_000


class ArticleSpider(Spider):
    """Yields a dict with the ``url`` of each HTML page; the item pipeline fills the dict.

    The spider follows all links within a site. Of a sitemap or a feed it requests the entries, and
    follows no links of these pages. ``failures`` has a message for each source that could not be
    read.
    """

    name = "webtext"
    allowed_domains: list[str]
    queue: Scheduler  #: set by `CrawlScheduler.open`

    def __init__(self, store: RowStore, progress: Progress) -> None:
        self.store, self.progress = store, progress
        self.order = order = store.order
        self.failures: list[str] = []
        self.allowed_domains = []
        for source in order.sources:
            self._allow(source)
        # --include may name pages that NO_ARTICLES would leave out.
        deny: list[Any] = [*(() if order.include else NO_ARTICLES), *order.exclude]
        self._links = LinkExtractor(order.include, deny, process_value=_without_tracking)
        self._sources = {canonicalize_url(source) for source in order.sources}
        self._wanted = LinkExtractor(order.include, order.exclude)
        super().__init__()

    async def start(self) -> AsyncIterator[Request]:
        """Yield the requests of all sources; each run repeats them, since feeds get new entries."""
        for source in self.order.sources:
            failed = self.note_source_failure
            yield Request(source, self.parse_source, errback=failed, dont_filter=True)

    def parse_source(self, response: Response) -> Iterator[Any]:
        """Yield the requests of a source's entries or links, and the item of a site's page."""
        source = self._read(response)
        if source is None:
            return
        if source.kind == "site":
            self._allow(response.url)  # after a redirect
            yield from self.parse_linked_page(response)
            if urlsplit(response.url).path in ("", "/") and isinstance(response, HtmlResponse):
                yield from self._further_sources(response)
        elif source.kind is None:
            self._note(response, "is no web page, sitemap or feed")
        else:
            yield from self._parse_entries(response, source)

    def _further_sources(self, response: HtmlResponse) -> Iterator[Request]:
        """Yield the requests of the site's robots.txt, which names sitemaps, and of its feeds.

        They are requested after the links of the front page, and only their pages on the site are
        followed.
        """
        base, feeds = response.url, list[str]()
        if self._is_large(response):
            return
        with suppress(ValueError, LookupError):  # <base href="http://[">, an unknown charset
            base = get_base_url(response)
            feeds = response.xpath(_FEEDS).getall()[:MAX_FEEDS]
        for address in (urljoin(response.url, "/robots.txt"), *feeds):
            with suppress(ValueError):  # no valid address
                place = urljoin(base, address)
                if is_web_address(place):
                    yield Request(place, self.parse_source, meta={"allow_offsite": False})

    def parse_page(self, response: Response) -> Iterator[dict[str, Any]]:
        """Yield an item for an HTML page; ``listed`` has the dates in its feed or sitemap entry."""
        if has_html(response):
            yield {"url": response.url, "listed": response.meta.get(LISTED, {})}

    def parse_linked_page(self, response: Response) -> Iterator[Any]:
        """Yield the item of an HTML page of a site and the requests of its links."""
        yield from self.parse_page(response)
        crawl = WebtextCrawl.of(self.crawler)
        if not has_html(response) or self._is_large(response):
            return
        if isinstance(response, TextResponse):
            with suppress(ValueError, LookupError):  # <base href="http://[">, an unknown charset
                for link in self._choose(self._links.extract_links(response)):
                    if not crawl.is_read_with(response, link.url):
                        yield Request(link.url, self.parse_linked_page, errback=self.note_failure)

    def parse_sitemap(self, response: Response) -> Iterator[Request]:
        """Yield the requests of a source's entries, or note that the response is no source."""
        source = self._read(response)
        if source is not None and source.kind in (None, "site"):
            self._note(response, "is no sitemap")
        elif source is not None:
            yield from self._parse_entries(response, source)

    def _read(self, response: Response) -> Source | None:
        """Return the content of a source; None if it cannot be unpacked."""
        try:
            return read_source(response, self.settings.getint("DOWNLOAD_MAXSIZE"))
        except ValueError as error:
            self._note(response, f"cannot be unpacked: {error}")
            return None

    def _note(self, response: Response, words: str) -> None:
        """Note why a source is not read; it is a failure only of a source that the user named."""
        message = f"{shown(response.url)} {words}"
        if "allow_offsite" in response.meta:
            self.progress.say(message)
        else:
            self.failures.append(message)

    def _parse_entries(self, response: Response, source: Source) -> Iterator[Request]:
        """Yield the requests of the sitemaps or pages that a source lists, and of its rest."""
        some, after = source.some(response.meta.get(FIRST, 0))
        if source.kind in ("robots", "index"):
            yield from self._sitemaps(response, (address for address, _ in some))
        elif source.kind == "feed":
            pages = ((_without_tracking(address) or "", date) for address, date in some)
            yield from self._pages(response, pages, "published")
        else:
            yield from self._pages(response, some, "modified", priority=_BEFORE_SITEMAPS)
        if after is not None:
            meta = {FIRST: after}
            yield self._request(response, response.url, self.parse_sitemap, meta, dont_filter=True)

    def _sitemaps(self, response: Response, addresses: Iterable[str]) -> Iterator[Request]:
        if _is_given(response):
            response.meta["depth"] = -1  # so the sitemaps that it lists have depth 0
        for address in addresses:
            with suppress(ValueError):  # no valid address
                yield self._request(response, address, self.parse_sitemap)

    def _pages(
        self, response: Response, entries: Iterable[tuple[str, str]], field: str, **options: Any
    ) -> Iterator[Request]:
        """Yield a request per (address, date) of ``entries``; the date is the page's ``field``."""
        for address, date in entries:
            if is_web_address(address) and self._wanted.matches(address):
                with suppress(ValueError):  # no valid address
                    meta = {LISTED: {field: date}} if date else None
                    yield self._request(response, address, self.parse_page, meta, **options)

    def _request(
        self, response: Response, address: str, callback: Any, meta: Any = None, **options: Any
    ) -> Request:
        """Return the request of an entry.

        It may lead to any site if the user named the source, and only within the site if the crawl
        found the source itself.
        """
        meta = {"allow_offsite": _is_given(response), **(meta or {})}
        return Request(address, callback, errback=self.note_failure, meta=meta, **options)

    def _is_large(self, response: Response) -> bool:
        """Return whether a page is over a limit of the settings, so that its links are not read."""
        state = WebtextCrawl.of(self.crawler).judge(response, response.request)
        return state.skipped in ("too_large", "too_many_elements")

    def _choose(self, links: list[Link]) -> list[Link]:
        """Return the links to follow, without nofollow links and without sources.

        With --pages, return only so many links that the queue does not exceed its maximum; a job
        needs all links.
        """
        wanted = (
            link
            for link in links
            if not link.nofollow and canonicalize_url(link.url) not in self._sources
        )
        if not self.order.pages or self.store.job is not None:
            return list(wanted)
        enough = WAITING + self.order.pages * WAITING_PER_PAGE
        return list(islice(wanted, max(0, enough - len(self.queue))))

    def note_failure(self, failure: Any) -> None:
        """Count a page that could not be fetched."""
        error = failure.value
        assert self.crawler.stats is not None
        if isinstance(error, HttpError):
            self.crawler.stats.inc_value("webtext/crawl/error_answers")
        elif is_of_size(error):
            self.crawler.stats.inc_value("webtext/responses/skipped/too_large")
        elif not isinstance(error, IgnoreRequest):  # Scrapy counts robots.txt and other sites
            self.crawler.stats.inc_value("webtext/crawl/not_reached")

    def note_source_failure(self, failure: Any) -> None:
        """Note why a source could not be fetched."""
        self.note_failure(failure)
        self.failures.append(f"{shown(failure.request.url)} {reason_of(failure.value)}")

    def _allow(self, address: str) -> None:
        """Allow the host of an address, without "www.", and its subdomains."""
        host = urlsplit(Request(address).url).hostname or ""
        site = host.removeprefix("www.")
        host = site if _SUFFIXES(site).domain else host  # not all of "gov.uk" for "www.gov.uk"
        if host and host not in self.allowed_domains:
            self.allowed_domains.append(host)


def _is_given(source: Response) -> bool:
    """Return whether the user named this source, or a source that lists it."""
    return bool(source.meta.get("allow_offsite", True))


def _without_tracking(address: str) -> str | None:
    """Return an address without tracking parameters; None if it is no http(s) address."""
    if not is_web_address(address):
        return None
    if "?" not in address:
        return address
    return url_query_cleaner(address, TRACKING, remove=True, unique=False)


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
    events = _xml_events(body.lstrip()) if start.startswith("<") else iter(())
    for _, root in islice(events, 1):
        if kind := _KINDS.get(_local_name(root).lower()):
            return Source(kind, _entries(events, response.url))
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


def _entries(events: Iterable[tuple[str, Any]], url: str) -> Iterator[tuple[str, str]]:
    """Yield the address and the date of each entry of a sitemap or feed in XML."""
    for event, element in events:
        if event == "end" and _local_name(element) in _ENTRIES:
            base, links = url, [link for link in map(_address, element) if link]
            with suppress(ValueError, IndexError):  # an invalid address, or no address
                for one in [*reversed([*element.iterancestors()]), element]:
                    base = urljoin(base, one.get(_BASE, ""))
                date = next((c.text or "" for c in element if _local_name(c) in _DATES), "")
                yield from _absolute(base, [(min(links)[1], date.strip())])


def _address(child: Any) -> tuple[int, str] | None:
    """Return the rank and the address in a child of an entry; None for another child."""
    name, text = _local_name(child), (child.text or "").strip()
    if name == "link" and not text and child.get("rel", "alternate") == "alternate":
        text = (child.get("href") or "").strip()
    if name in ("loc", "link") and text:
        return 0, text
    if name == "guid" and text and child.get("isPermaLink") != "false":
        return 1, text
    return None


def _xml_events(body: bytes) -> Iterator[tuple[str, Any]]:
    """Yield ("start" or "end", element) for the elements of XML, which is parsed in pieces.

    Damaged XML is repaired. Finished elements are removed, except children of `_ENTRIES`, so memory
    does not grow with the body.
    """
    options: Any = {"recover": True, "resolve_entities": False, "remove_comments": True}
    parser = etree.XMLPullParser(("start", "end"), **options)
    root = None
    for at in range(0, len(body), _PIECE):
        with suppress(etree.XMLSyntaxError):
            parser.feed(body[at : at + _PIECE])
        for event, element in parser.read_events():
            root = element if root is None else root
            yield event, element
        node = root
        while node is not None and len(node):
            if _local_name(node) not in _ENTRIES or len(node) > _CHILDREN:
                del node[:-1]
            node = node[-1]


def _local_name(element: Any) -> str:
    """Return the name of an element without its namespace; empty for other nodes."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
