"""The spider of ``scrapy webtext crawl``: the articles of sites, sitemaps and feeds.

The content of a source decides whether it is a site, a sitemap or a feed
(:mod:`scrapy_webtext.sitecrawl.sources`).
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from typing import Any, Final
from urllib.parse import urljoin, urlsplit

from scrapy import Request, Spider
from scrapy.core.scheduler import Scheduler
from scrapy.exceptions import IgnoreRequest
from scrapy.http import HtmlResponse, Response, TextResponse
from scrapy.link import Link
from scrapy.linkextractors import LinkExtractor
from scrapy.spidermiddlewares.httperror import HttpError
from scrapy.utils.response import get_base_url
from tldextract import TLDExtract
from w3lib.url import canonicalize_url, url_query_cleaner

from scrapy_webtext.crawling.crawl import WebtextCrawl
from scrapy_webtext.crawling.responses import has_html
from scrapy_webtext.crawling.sites import is_web_address
from scrapy_webtext.errors import shown
from scrapy_webtext.fetching import is_of_size, reason_of
from scrapy_webtext.files import Progress
from scrapy_webtext.sitecrawl import sources
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
            feeds = response.xpath(_FEEDS).getall()[: sources.MAX_FEEDS]
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

    def _read(self, response: Response) -> sources.Source | None:
        """Return the content of a source; None if it cannot be unpacked."""
        try:
            return sources.read_source(response, self.settings.getint("DOWNLOAD_MAXSIZE"))
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

    def _parse_entries(self, response: Response, source: sources.Source) -> Iterator[Request]:
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
        enough = sources.WAITING + self.order.pages * sources.WAITING_PER_PAGE
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
