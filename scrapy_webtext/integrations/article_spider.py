"""The spider of ``scrapy webtext crawl``: the articles of sites, sitemaps and feeds.

It is Scrapy's `CrawlSpider` for the pages of a site and its `SitemapSpider` for sitemaps; what a
source is, its content says.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Any, Final
from urllib.parse import urlsplit

from scrapy import Request, Selector
from scrapy.exceptions import IgnoreRequest
from scrapy.http import HtmlResponse, Response
from scrapy.link import Link
from scrapy.linkextractors import LinkExtractor
from scrapy.spidermiddlewares.httperror import HttpError
from scrapy.spiders import CrawlSpider, Rule, SitemapSpider
from w3lib.url import canonicalize_url, url_query_cleaner

from scrapy_webtext.cli.crawl_order import CrawlOrder
from scrapy_webtext.crawling.responses import has_html
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
    """

    name = "webtext"
    sitemap_rules = (("", "parse_page"),)
    allowed_domains: list[str]

    def __init__(self, order: CrawlOrder, **kwargs: Any) -> None:
        self.order = order
        self.failures: list[str] = []
        self.allowed_domains = []
        for source in order.sources:
            self._allow(source)
        links = LinkExtractor(
            allow=order.include,
            deny=(*NO_ARTICLES, *order.exclude),
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

    def sitemap_filter(self, entries: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """Yield the entries that the options ask for, the newest first."""
        newest_first = sorted(entries, key=lambda entry: entry.get("lastmod", ""), reverse=True)
        yield from (entry for entry in newest_first if self._is_sitemap or self._is_asked(entry))

    _is_sitemap = False

    def _parse_sitemap(self, response: Response) -> Iterator[Request]:
        root = _ROOT.search((self._get_sitemap_body(response) or b"")[:_HEAD])
        self._is_sitemap = root is not None and root[1].lower() == b"sitemapindex"
        for request in super()._parse_sitemap(response):
            is_page = request.callback == self.parse_page
            yield request.replace(
                errback=self.note_failure, priority=_BEFORE_SITEMAPS if is_page else 0
            )

    def _is_asked(self, entry: dict[str, Any]) -> bool:
        return self._is_wanted(entry.get("loc", ""))

    def _parse_feed(self, response: Response) -> Iterator[Request]:
        """Yield the entries of a feed, on whatever site they are: the feed names them."""
        for address in filter(self._is_wanted, feed_links(response)):
            try:
                yield Request(
                    _without_tracking(address),
                    self.parse_page,
                    errback=self.note_failure,
                    meta={"allow_offsite": True},
                )
            except ValueError:  # what is no address
                continue

    def _is_wanted(self, address: str) -> bool:
        """Whether an entry is on the web, where its list may not name files, and is asked for."""
        if not address.lower().startswith(("http://", "https://")):
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


def _without_tracking(address: str) -> str:
    return url_query_cleaner(address, TRACKING, remove=True) if "?" in address else address
