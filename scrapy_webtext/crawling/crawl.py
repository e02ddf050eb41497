"""The state of one crawl: `WebtextCrawl` judges and extracts each response once, and counts.

The middlewares, the pipeline and ``extract(response)`` all call it. A process may have several
crawls. `of_response` and `of_result` find the crawl that a response or a result belongs to.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from time import perf_counter
from typing import Any, Final
from weakref import WeakKeyDictionary, WeakSet, WeakValueDictionary

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import Response, TextResponse
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import DeferredLock

from scrapy_webtext.crawling.binder import Binder
from scrapy_webtext.crawling.next_pages import (
    download,
    find_next,
    is_further,
    join,
    number_of,
    without_repeats,
)
from scrapy_webtext.crawling.private import has_selector
from scrapy_webtext.crawling.repeats import Repeats, combine
from scrapy_webtext.crawling.responses import callback_name, no_page_reason, read_page, skip_reason
from scrapy_webtext.crawling.sites import MAX_UNMATCHED, SiteRule, Sites, host_of
from scrapy_webtext.crawling.stats import CrawlStats, closing_line, logger
from scrapy_webtext.errors import shown
from scrapy_webtext.page import Page
from scrapy_webtext.page.parse import IS_COMPILED
from scrapy_webtext.reader import PageReader, default_reader
from scrapy_webtext.registry import shown_name
from scrapy_webtext.results import Judgement, WebTextResult
from scrapy_webtext.settings import WebtextSettings, given_value, read_mapping

#: Log line at the start of a crawl that filters by the default judge; ``%s`` is the action.
DEFAULT_JUDGE_FILTERS: Final = (
    'webtext: WEBTEXT_ACTION = "%s" filters by the default judge, "pvalue", which is wrong on '
    'about one page in five; WEBTEXT_JUDGE = "learned" is wrong on one in fifteen'
)

_crawls: WeakKeyDictionary[Crawler, WebtextCrawl] = WeakKeyDictionary()


@dataclass(slots=True, eq=False)
class ResponseState:
    """The state of one response: its settings, and what is computed so far."""

    settings: WebtextSettings
    reader: PageReader
    skipped: str | None = None  #: reason why the response is skipped; None if it is read
    callback: str = ""  #: name of the request's callback, "" for the spider's ``parse``
    is_counted: bool = False  #: whether the stats of responses count it
    page: Page | None = None  #: kept from the judgement until the result is computed
    judgement: Judgement | None = None
    result: WebTextResult | None = None
    next_page: str | None = None  #: address of the article's next page, if one is to be fetched
    is_whole: bool = False  #: whether the texts of the next pages have been fetched
    first_text: str = ""  #: of a further page: the text of the first page of its article
    lock: DeferredLock = field(default_factory=DeferredLock)  #: held while pages are fetched
    #: The state for ``extract(response)``, if the crawl skips the response.
    for_caller: ResponseState | None = None

    @property
    def has_no_article(self) -> bool:
        """Whether the judge found no article; False if the response was not judged."""
        return self.judgement is not None and not self.judgement.has_article

    @property
    def is_without_article(self) -> bool:
        """Whether no article can come from the response: none was found, or it is not read.

        False if the judge failed, or if the request asked not to read the response.
        """
        return self.has_no_article or self.skipped not in (None, "meta")


class WebtextCrawl:
    """The responses of one crawl and their states. All calls come from the crawler's own thread."""

    def __init__(self, settings: WebtextSettings, crawler: Crawler) -> None:
        self.settings = settings
        self.binder = Binder()
        self.stats = CrawlStats(crawler, settings.enabled)
        self.is_open = False  #: whether the spider runs
        self._warned: set[object] = set()
        self._judges: dict[str, None] = {}  #: names of the judges that were used, in order
        self._repeats = Repeats()
        self._counts_repeats = bool(settings.repeats or "text_repeats" in settings.fields)
        self._selecting: set[str] = set()  #: names of callbacks that have used a selector
        self._states: WeakKeyDictionary[Response, ResponseState] = WeakKeyDictionary()
        self._requests: WeakSet[Request] = WeakSet()
        #: By id, because equal results may come from several crawls.
        self._results: WeakValueDictionary[int, WebTextResult] = WeakValueDictionary()
        if settings.enabled:
            self._sites.of("")  # raises for wrong values
        is_default = given_value(crawler.settings, "WEBTEXT_JUDGE") is None
        if settings.enabled and settings.action != "flag" and is_default:
            logger.info(DEFAULT_JUDGE_FILTERS, settings.action)
        crawler.signals.connect(self.open, signal=signals.spider_opened)
        crawler.signals.connect(self.close, signal=signals.spider_closed)

    @cached_property
    def _sites(self) -> Sites:
        return Sites(self.settings)

    @classmethod
    def of(cls, crawler: Crawler) -> WebtextCrawl:
        """Return the crawl of this crawler; raise NotConfigured if WEBTEXT_ENABLED is False."""
        crawl = _crawls.get(crawler)
        if crawl is None:
            crawl = _crawls[crawler] = cls(WebtextSettings.from_settings(crawler.settings), crawler)
        if not crawl.settings.enabled:
            raise NotConfigured  # no message: Scrapy would log it for each component
        return crawl

    def judge(
        self, response: Response, request: Request | None, is_download: bool = False
    ) -> ResponseState:
        """Return the state of a response; judge a new response first.

        A middleware or a callback may replace a response by another one for the same request. The
        second response is not counted as a further page.
        """
        state = self._states.get(response)
        if state is None:
            state = self._states[response] = self._new_state(response, request, is_download)
            self._judge(state, response)
        return state

    def note_selector(self, response: Response | None) -> None:
        """Remember the name of a response's callback if the callback has used a selector."""
        if isinstance(response, TextResponse) and has_selector(response):
            self._selecting.add(callback_name(response.request))

    def result_for_caller(self, response: Response, **how: Any) -> WebTextResult:
        """Return the result of a response for a caller of `extract`, also if the crawl skips it.

        A call with arguments (``how``) that change the reader of the response computes it again.
        """
        known = self.judge(response, response.request)
        reader = known.reader.changed(**how)
        if reader is not known.reader:
            state = ResponseState(known.settings, reader)
        elif known.skipped is None:
            return self.result(known, response)
        else:
            state = known.for_caller = known.for_caller or ResponseState(known.settings, reader)
        state.callback = known.callback
        state.skipped = no_page_reason(response, response.request)
        self._judge(state, response)
        return self.result(state, response)

    def _new_state(
        self, response: Response, request: Request | None, is_download: bool
    ) -> ResponseState:
        overrides = request.meta.get("webtext") if request is not None else None
        rule = self._rule_for(overrides, response)
        skipped = "meta" if overrides is False else skip_reason(response, request, rule.reader)
        state = ResponseState(rule.settings, rule.reader, skipped)
        state.callback = callback_name(request)
        state.is_counted = is_download or request is None or request not in self._requests
        if request is not None:
            self._requests.add(request)
        if number_of(request) > 1:
            state.is_counted = False
            self.stats.count("responses/further")
        elif not state.is_counted:
            self.stats.count("responses/replaced")
        if skipped:
            self._count(state, f"skipped/{skipped}")
        return state

    def _judge(self, state: ResponseState, response: Response) -> None:
        """Judge a response, unless it is judged already or skipped."""
        if state.judgement is not None or state.skipped is not None or state.result is not None:
            return
        try:
            state.page = self._page(state, response)
            state.judgement, seconds = measure(state.reader.judged, state.page)
        except (Exception, SystemExit) as error:
            self._count(state, "failed")
            words = self.stats.fault(error, f"judging failed on {shown(response.url)}")
            self._keep(state, state.reader.unread("failed", words))
            return
        self.stats.count("seconds/judging", seconds)
        self._judges.setdefault(shown_name(state.reader.judge))
        self._count(state, "article" if state.judgement.has_article else "not_article")

    def _page(self, state: ResponseState, response: Response) -> Page:
        shares_tree = state.callback in self._selecting or has_selector(response)
        rule = self._sites.of(response.url)
        page = read_page(response, state.reader, shares_tree)
        self._warn_unmatched(rule.name, self._sites.unmatched(rule, page.unmatched), MAX_UNMATCHED)
        if page.is_truncated:
            self._count(state, "truncated")
        return page

    def _warn_unmatched(self, name: str, selectors: list[str], pages: int) -> None:
        for css in selectors:
            self.stats.count("sites/unmatched")
            words = "webtext: WEBTEXT_SITES[%r]: %s matches nothing on %d pages in a row"
            logger.warning(words, name, css, pages)

    def result(self, state: ResponseState, response: Response) -> WebTextResult:
        """Return the result of a response with this state, computed once."""
        if state.result is not None:
            return state.result
        if state.skipped is not None:
            return self._keep(state, state.reader.unread("skipped", state.skipped))
        page, judgement, reader = state.page, state.judgement, state.reader
        assert page is not None
        assert judgement is not None
        try:
            extraction, seconds = measure(reader.extracted, page)
            own = self._states.get(response)
            extraction = without_repeats(page, extraction, own.first_text if own else "")
            if self._counts_repeats and own is state:
                host = host_of(response.url)
                seen = self._repeats.see(host, page, extraction.text, extraction.chosen)
                self.stats.count("sites/repeated_blocks", len(seen.blocks))
                self.stats.count("sites/repeated_texts", int(seen.is_no_article))
                found = combine(seen, page, judgement, extraction, reader)
            else:
                found = reader.result(page, judgement, extraction)
        except (Exception, SystemExit) as error:
            words = self.stats.fault(error, f"extraction failed on {shown(response.url)}")
            return self._keep(state, reader.unread("failed", words, judgement))
        self.stats.count("seconds/extraction", seconds)
        if self.settings.next_pages and (found.has_article or number_of(response.request) > 1):
            state.next_page = find_next(response, page)
        return self._keep(state, found)

    async def with_next_pages(
        self, crawler: Crawler, response: Response, state: ResponseState
    ) -> WebTextResult:
        """Return the result of an article with the texts of its next pages; fetch these once."""
        await maybe_deferred_to_future(state.lock.acquire())
        try:
            parts = [self.result(state, response)]
            address = None if state.is_whole else state.next_page
            while address is not None and len(parts) <= self.settings.next_pages:
                part = await download(crawler, address, len(parts) + 1, response)
                own = self.judge(part, part.request)
                if (reason := own.reader.skip(part.body)) is not None:
                    raise ValueError(reason)
                own.first_text = parts[0].main_text
                found = self.result_for_caller(part)
                if not found.main_text or found.main_text in [one.main_text for one in parts]:
                    break
                parts.append(found)
                address = (own.for_caller or own).next_page
        except Exception as error:
            self.stats.fault(error, f"a further page of {shown(response.url)} is missing")
        finally:
            state.lock.release()
        state.is_whole = True
        return self._keep(state, join(parts)) if len(parts) > 1 else parts[0]

    def is_read_with(self, response: Response, address: str) -> bool:
        """Return whether an address is a further page of the response's article.

        The items of the response already have the text of such a page.
        """
        if not self.settings.next_pages:
            return False
        state = self.judge(response, response.request)
        if state.has_no_article:
            return False
        self.result(state, response)  # sets ``state.next_page``
        is_one = is_further(response.url, address, self.settings.next_pages + 1)
        return state.next_page is not None and (is_one or address == state.next_page)

    def _keep(self, state: ResponseState, result: WebTextResult) -> WebTextResult:
        state.result, state.page = result, None
        self._results[id(result)] = result
        return result

    def _count(self, state: ResponseState, name: str) -> None:
        if state.is_counted:
            self.stats.count(f"responses/{name}")

    def _rule_for(self, overrides: object, response: Response) -> SiteRule:
        rule = self._sites.of(response.url)
        if overrides is None or isinstance(overrides, bool):
            return rule
        try:
            words = ", or False to skip the response"
            given = read_mapping('request.meta["webtext"]', overrides, words)
            return self._sites.rule("", rule.settings.for_request(given), rule.reader.selectors)
        except Exception as error:  # a class that the settings name may raise any error
            where = f"request.meta['webtext'] of {shown(response.url)} is not used"
            self.stats.fault(error, where)
            return rule

    def warn_once(self, about: object, message: str) -> None:
        """Log a warning, unless one about the same class or setting has been logged."""
        if about not in self._warned:
            self._warned.add(about)
            logger.warning("webtext: %s", message)

    def open(self) -> None:
        """Note that the spider runs."""
        self.is_open = True

    def close(self, spider: Spider) -> None:
        """Remove all bindings and log the closing line."""
        self.is_open = False
        self.binder.clear()
        for site in self._sites.never_matched():
            self._warn_unmatched(*site)
        if self.settings.enabled:
            judges = ", ".join(self._judges) or shown_name(self.settings.judge)
            line = closing_line(self.stats.collector.get_stats(), judges)
            core = "compiled" if IS_COMPILED else "in Python"
            logger.info(f"{line}; {core}", extra={"spider": spider})


#: Method or attribute of an object that is no response -> expression that gives its HTML.
HINTS: Final = {
    "read_bytes": "path.read_bytes()",
    "getall": "selector.get()",
    "getroottree": "lxml.html.tostring(element, encoding='unicode')",
    "prettify": "str(soup)",
    "content": "response.content",
    "read": "file.read()",
}


def extract_response(response: object, **how: Any) -> WebTextResult:
    """Return the result of a response with the settings of its crawl.

    The result is computed once per response; a call with arguments of `PageReader.changed` computes
    it again. A response that the crawl skips (because of its status, its size or its request) is
    read, too, because the caller wants the result. Only a response without HTML, or to a HEAD
    request, is "skipped". Raise SettingsError for an unknown name or parameter, TypeError for an
    object that is no response.
    """
    if not isinstance(response, Response):
        kind = type(response)
        hint = next((f": give {how}" for name, how in HINTS.items() if hasattr(kind, name)), "")
        raise TypeError(f"extract() takes str, bytes or a Response, not {kind.__name__}{hint}")
    crawl = of_response(response)
    if crawl is not None:
        return crawl.result_for_caller(response, **how)
    reader = default_reader().changed(**how)
    reason = no_page_reason(response, response.request)
    if reason is not None:
        return reader.unread("skipped", reason)
    return reader.result(read_page(response, reader))


def of_response(response: Response) -> WebtextCrawl | None:
    """Return the crawl that knows a response, else the crawl that knows its request.

    If no crawl knows either, return the only open crawl; None if no crawl or several are open.
    """
    crawls = list(_crawls.values())
    found = [crawl for crawl in crawls if response in crawl._states]
    if not found and response.request is not None:
        found = [crawl for crawl in crawls if response.request in crawl._requests]
    found = found or open_crawls()
    return found[0] if len(found) == 1 else None


def of_result(result: WebTextResult) -> WebtextCrawl | None:
    """Return the crawl that computed this result, or None."""
    return next((c for c in _crawls.values() if c._results.get(id(result)) is result), None)


def open_crawls() -> list[WebtextCrawl]:
    """Return the crawls of this process that are still running."""
    return [crawl for crawl in _crawls.values() if crawl.is_open]


def measure(function: Callable[..., Any], *args: Any) -> tuple[Any, float]:
    """Call a function; return its return value and the seconds that it took."""
    began = perf_counter()
    return function(*args), perf_counter() - began
