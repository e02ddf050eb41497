"""The spider of ``scrapy webtext crawl``: the articles of sites, sitemaps and feeds.

It is Scrapy's `CrawlSpider` for the pages of a site and its `SitemapSpider` for sitemaps; what a
source is, its content says.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import suppress
from operator import itemgetter
from typing import Any, Final
from urllib.parse import urlsplit

from scrapy import Request, Selector
from scrapy.exceptions import IgnoreRequest
from scrapy.http import HtmlResponse, Response
from scrapy.link import Link
from scrapy.linkextractors import LinkExtractor
from scrapy.spidermiddlewares.httperror import HttpError
from scrapy.spiders import CrawlSpider, Rule, SitemapSpider
from scrapy.utils.sitemap import Sitemap
from w3lib.url import canonicalize_url, url_query_cleaner

from scrapy_webtext.cli.crawl import CrawlOrder
from scrapy_webtext.cli.crawl_job import CrawlJob
from scrapy_webtext.crawling.crawl import WebtextCrawl
from scrapy_webtext.crawling.responses import has_html
from scrapy_webtext.integrations.crawl_output import RowStore
from scrapy_webtext.integrations.fetching import TOO_LARGE, is_of_size
from scrapy_webtext.log_text import describe, shown

#: Addresses of a site that hold no article and may go on without end: accounts, shops, calendars,
#: forms, the same page in another order. A word must be a whole part of the path.
NO_ARTICLES: Final = (
    r"(?i)/(?:log-?(?:in|out|on)|sign-?(?:in|up|out)|register|registration|password|account|cart|"
    r"basket|checkout|wishlist|calendar|wp-login|wp-admin|wp-json|cgi-bin|search|print)"
    r"(?:\.\w{2,5})?(?:[/?]|$)",
    r"(?i)[?&](?:replytocom|share|action|do|sort|order|orderby|filter|year|month|week|date|"
    r"ical|cal|print|format|redirect|return_?to|next|s|q|query|search)=",
)

#: Parameters that say where a reader came from: the page is the same without them.
TRACKING: Final = (
    "utm_source utm_medium utm_campaign utm_term utm_content utm_id fbclid gclid dclid msclkid "
    "mc_cid mc_eid"
).split()

_ROOT: Final = re.compile(rb"<(?:\w+:)?(urlset|sitemapindex|rss|feed|RDF|html)[\s>]", re.IGNORECASE)
#: Bytes in which the root of a sitemap or feed stands.
_HEAD: Final = 4096
_GZIP: Final = b"\x1f\x8b"

#: Pages of sitemaps come before further sitemaps: there may be more of these than pages are read.
_BEFORE_SITEMAPS: Final = 1000

#: Entries that are taken of a sitemap at once, as many as its protocol allows. If it has more, it
#: is read again for them when these are read.
MAX_ENTRIES: Final = 50_000

#: Key of ``request.meta`` with the first of them.
FIRST: Final = "webtext_first"


def kind_of(response: Response) -> str | None:
    """Return what a source is by its content: "sitemap", "feed", "site", or None."""
    if response.url.endswith("/robots.txt") or response.body[:2] == _GZIP:
        return "sitemap"
    found = _ROOT.search(response.body[:_HEAD])
    root = found[1].lower() if found else b""
    if root in (b"urlset", b"sitemapindex"):
        return "sitemap"
    if root in (b"rss", b"feed", b"rdf"):
        return "feed"
    return "site" if has_html(response) else None


def feed_links(response: Response) -> list[str]:
    """Return the addresses of a feed's entries (RSS, Atom, RSS 1.0), absolute, in their order."""
    selector = Selector(text=response.body.decode("utf-8", "replace"), type="xml")
    selector.remove_namespaces()
    found = []
    for entry in selector.xpath("//item | //entry"):
        link = entry.xpath(
            "link/text() | link[not(@rel) or @rel='alternate']/@href"
            " | guid[not(@isPermaLink='false')]/text()"
        ).get(default="")
        if link.strip():
            found.append(response.urljoin(link.strip()))
    return list(dict.fromkeys(found))


class ArticleSpider(SitemapSpider, CrawlSpider):
    """Yields a dict with the ``url`` of each HTML page: the add-on fills it.

    Of a site all links within it are followed; of a sitemap or a feed its entries are read, and
    no link of theirs is followed. ``failures`` says which sources could not be read, and why.
    ``store`` takes the rows, ``job`` notes what is asked and done.
    """

    name = "webtext"
    allowed_domains: list[str]

    def __init__(
        self, order: CrawlOrder, store: RowStore, job: CrawlJob | None = None, **kwargs: Any
    ) -> None:
        self.order = order
        self.store = store
        self.job = job
        self.failures: list[str] = []
        self.allowed_domains = []
        for source in order.sources:
            self._allow(source)
        links = LinkExtractor(
            allow=order.include,
            # Who names the pages that are wanted may mean those that hold no article as a rule.
            deny=order.exclude if order.include else (*NO_ARTICLES, *order.exclude),
            process_value=_without_tracking,
        )
        self.rules = [
            Rule(
                links,
                callback="parse_page",
                follow=True,
                process_links="choose_links",
                errback="note_failure",
            )
        ]
        self._sources = {canonicalize_url(source) for source in order.sources}
        super().__init__(**kwargs)

    async def start(self) -> AsyncIterator[Request]:
        """Ask for each source, also where a job goes on: a feed may have new entries."""
        for source in self.order.sources:
            yield Request(
                source, self.parse_source, errback=self.note_source_failure, dont_filter=True
            )

    def parse_source(self, response: Response) -> Iterator[Any]:
        """Follow what a source names."""
        kind = kind_of(response)
        if kind == "sitemap":
            yield from self._parse_sitemap(response)
        elif kind == "feed":
            yield from self._parse_feed(response)
        elif kind == "site":
            self._allow(response.url)  # a site may have moved
            yield from self.parse_page(response)
            for request in self._requests_to_follow(response):
                if request is not None:
                    yield request
        else:
            self.failures.append(f"{shown(response.url)} is no web page, sitemap or feed")

    def parse_page(self, response: Response) -> Iterator[dict[str, str]]:
        """Yield an item for a page of HTML."""
        if isinstance(response, HtmlResponse):
            yield {"url": response.url}

    def _parse_sitemap(self, response: Response) -> Iterator[Request]:
        """Yield the sitemaps that are named, or the pages that are asked for, the newest first."""
        if response.url.endswith("/robots.txt"):
            response.meta["depth"] = -1  # a sitemap is a source, no link
            named: Iterable[Request] = super()._parse_sitemap(response)
            yield from self._sitemaps(request.url for request in named)
            return
        body = self._get_sitemap_body(response)
        if not body:
            self.failures.append(
                f"{shown(response.url)} is no sitemap, or larger than DOWNLOAD_MAXSIZE allows"
            )
            return
        sitemap = Sitemap(body)
        entries = sorted(
            ((entry.get("lastmod", ""), entry["loc"]) for entry in sitemap if entry.get("loc")),
            key=itemgetter(0),
            reverse=True,
        )
        first = response.meta.get(FIRST, 0)
        addresses = [address for _, address in entries[first : first + MAX_ENTRIES]]
        if sitemap.type == "sitemapindex":
            response.meta["depth"] = -1  # so are its sitemaps
            yield from self._sitemaps(addresses)
        elif sitemap.type == "urlset":
            yield from self._pages(addresses, priority=_BEFORE_SITEMAPS)
        if len(entries) > first + MAX_ENTRIES:
            yield Request(
                response.url,
                self._parse_sitemap,
                errback=self.note_failure,
                dont_filter=True,
                meta={FIRST: first + MAX_ENTRIES},
            )

    def _sitemaps(self, addresses: Iterable[str]) -> Iterator[Request]:
        for address in addresses:
            with suppress(ValueError):  # what is no address
                if is_of_web(address):
                    yield Request(address, self._parse_sitemap, errback=self.note_failure)

    def _pages(self, addresses: Iterable[str], **options: Any) -> Iterator[Request]:
        for address in filter(self._is_wanted, addresses):
            with suppress(ValueError):  # what is no address
                yield Request(address, self.parse_page, errback=self.note_failure, **options)

    def _parse_feed(self, response: Response) -> Iterator[Request]:
        """Yield the entries of a feed, on whatever site they are: the feed names them."""
        addresses = filter(None, map(_without_tracking, feed_links(response)))
        yield from self._pages(addresses, meta={"allow_offsite": True})

    def _requests_to_follow(self, response: Response) -> Iterator[Request | None]:
        limit = WebtextCrawl.of(self.crawler).settings.max_body_size
        if not limit or len(response.body) <= limit:
            yield from super()._requests_to_follow(response)

    def _is_wanted(self, address: str) -> bool:
        """Whether an entry is on the web, where its list may not name files, and is asked for."""
        if not is_of_web(address):
            return False
        include, exclude = self.order.include, self.order.exclude
        if include and not any(pattern.search(address) for pattern in include):
            return False
        return not any(pattern.search(address) for pattern in exclude)

    def choose_links(self, links: list[Link]) -> list[Link]:
        """Return the links that are followed: none that a page asks not to, no source again."""
        return [
            link
            for link in links
            if not link.nofollow and canonicalize_url(link.url) not in self._sources
        ]

    def note_failure(self, failure: Any) -> None:
        """Count a page that could not be had."""
        error = failure.value
        assert self.crawler.stats is not None
        if isinstance(error, HttpError):
            self.crawler.stats.inc_value("webtext/crawl/error_answers")
        elif is_of_size(error):
            self.crawler.stats.inc_value("webtext/responses/skipped/too_large")
        elif not isinstance(error, IgnoreRequest):  # robots.txt and other sites: Scrapy counts
            self.crawler.stats.inc_value("webtext/crawl/not_reached")

    def note_source_failure(self, failure: Any) -> None:
        """Keep why a source could not be had."""
        self.note_failure(failure)
        error, address = failure.value, shown(failure.request.url)
        if isinstance(error, HttpError):
            reason = f"answered with status {error.response.status}"
        elif isinstance(error, IgnoreRequest) and "robots.txt" in str(error):
            reason = (
                "is forbidden by the site's robots.txt: name a part of the site that is not, or "
                "for a site of your own give -s ROBOTSTXT_OBEY=False"
            )
        elif is_of_size(error):
            reason = TOO_LARGE
        elif isinstance(error, IgnoreRequest):
            reason = f"was not fetched: {describe(error)}"
        else:
            reason = f"cannot be reached (address and connection right?): {describe(error)}"
        self.failures.append(f"{address} {reason}")

    def _allow(self, address: str) -> None:
        """Count the host of an address, and what is below it, to the site."""
        host = (urlsplit(address).hostname or "").removeprefix("www.")
        if host and host not in self.allowed_domains:
            self.allowed_domains.append(host)


def is_of_web(address: str) -> bool:
    """Return whether an address is of http or https: no page names a file of this machine."""
    return address[:8].lower().startswith(("http://", "https://"))


def _without_tracking(address: str) -> str | None:
    """Return an address as it is asked for; None if it is not of the web."""
    if not is_of_web(address):
        return None
    if "?" not in address:
        return address
    return url_query_cleaner(address, TRACKING, remove=True, unique=False)
