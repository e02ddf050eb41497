"""The state of one crawl: it judges and extracts each response once, and counts.

The middlewares, the pipeline and ``extract(response)`` all call `WebtextCrawl`. A process may have
several crawls; `of_response` and `of_result` find the one that a response or a result belongs to.
"""

from __future__ import annotations

import weakref
from collections.abc import Collection, Mapping
from concurrent.futures import Future
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.http import Response

from scrapy_webtext.crawling.binder import Binder
from scrapy_webtext.crawling.responses import (
    SelectingCallbacks,
    callback_name,
    no_page_reason,
    read_page,
    skip_reason,
)
from scrapy_webtext.crawling.stats import CrawlStats, closing_line, logger
from scrapy_webtext.crawling.thread import Calls, Outcome, call, finished
from scrapy_webtext.errors import SettingsError
from scrapy_webtext.extraction import (
    checked,
    combine,
    extract_page,
    failed,
    format_names,
    skipped,
)
from scrapy_webtext.log_text import shown
from scrapy_webtext.page import IS_COMPILED, Page
from scrapy_webtext.registry import AnyExtractor, AnyJudge, Part
from scrapy_webtext.results import Judgement, WebTextResult
from scrapy_webtext.settings import KINDS, WebtextSettings

if TYPE_CHECKING:
    from scrapy import Request, Spider
    from scrapy.crawler import Crawler

#: Extractors and judges that are kept; requests may name any number of others.
MAX_PARTS: Final = 100

_crawls: weakref.WeakKeyDictionary[Crawler, WebtextCrawl] = weakref.WeakKeyDictionary()


class ResponseState:
    """The state of one response, under one set of settings."""

    __slots__ = (
        "callback", "extraction", "formats", "is_counted", "judgement", "page", "requested",
        "result", "settings", "skipped",
    )  # fmt: skip

    def __init__(self, settings: WebtextSettings, formats: frozenset[str] = frozenset()) -> None:
        self.settings = settings
        self.formats = settings.formats | formats  #: renderings of the text, beside it
        self.is_counted = False  #: in the stats of responses
        self.skipped: str | None = None  #: the reason if it is skipped
        self.callback = ""  #: the name of its request's, "" for the spider's ``parse``
        self.page: Page | None = None  #: kept from the judgement to the result, no longer
        self.judgement: Judgement | None = None
        self.extraction: Future[Outcome] | None = None
        self.result: WebTextResult | None = None
        #: The state for a caller of `extract`, if the crawl skips the response.
        self.requested: ResponseState | None = None

    @property
    def has_no_article(self) -> bool:
        """Whether the judge found no article; False if the response was not judged."""
        return self.judgement is not None and not self.judgement.has_article

    @property
    def extractor_name(self) -> str:
        """The name of the extractor, for results that it did not compute."""
        return self.settings.part("extractor").shown


class WebtextCrawl:
    """The responses of one crawl and their states. All calls come from the crawler's own thread."""

    def __init__(self, settings: WebtextSettings, crawler: Crawler) -> None:
        self.settings = settings
        self.binder = Binder()
        self.stats = CrawlStats(crawler, settings.enabled)
        self.is_open = True
        self._warned: set[type] = set()
        self._parts: dict[Any, Any] = {}
        self._calls = Calls(settings.executor == "thread")
        self._selecting = SelectingCallbacks()
        self._states: weakref.WeakKeyDictionary[Response, ResponseState]
        self._states = weakref.WeakKeyDictionary()
        self._requests: weakref.WeakSet[Request] = weakref.WeakSet()
        #: By id, because equal results may come from several crawls.
        self._results: weakref.WeakValueDictionary[int, WebTextResult]
        self._results = weakref.WeakValueDictionary()
        if settings.enabled:
            settings.make(self._make)
        crawler.signals.connect(self.close, signal=signals.spider_closed)

    @classmethod
    def of(cls, crawler: Crawler) -> WebtextCrawl:
        """Return the crawl of this crawler; NotConfigured if WEBTEXT_ENABLED is False."""
        crawl = _crawls.get(crawler)
        if crawl is None:
            crawl = _crawls[crawler] = cls(WebtextSettings.from_settings(crawler.settings), crawler)
        if not crawl.settings.enabled:
            raise NotConfigured  # no message: Scrapy would log it for each component
        return crawl

    def state(
        self, response: Response, request: Request | None, is_download: bool = False
    ) -> ResponseState:
        """Return the state of a response, a new one for a new response.

        A response that replaces another one of the same request, because a middleware or a callback
        changed it, is not counted as a further page.
        """
        state = self._states.get(response)
        if state is not None:
            return state
        overrides = request.meta.get("webtext") if request is not None else None
        state = self._states[response] = ResponseState(self._settings_for(overrides, response))
        settings = state.settings
        is_first = request is None or all(request not in crawl._requests for crawl in _all())
        state.is_counted = is_download or is_first
        state.callback = callback_name(request)
        if overrides is False:
            state.skipped = "meta"
        else:
            limits = settings.max_body_size, settings.max_elements
            state.skipped = skip_reason(response, request, *limits)
        if state.skipped:
            self._count(state, f"skipped/{state.skipped}")
        if request is not None:
            self._requests.add(request)
        if not state.is_counted:
            self.stats.count("responses/replaced")
        return state

    def judge(
        self, response: Response, request: Request | None, is_download: bool = False
    ) -> ResponseState:
        """Return the state of a response after the judgement."""
        state = self.state(response, request, is_download)
        self._judge(state, response)
        return state

    def result(self, response: Response) -> WebTextResult:
        """Return the result of a response, computed once; wait for the thread if there is one."""
        return self._result(self.state(response, response.request), response)

    def is_ready(self, response: Response) -> bool:
        """Return whether `result` has to wait for no thread."""
        state = self.judge(response, response.request)
        if self.settings.executor == "inline" or state.skipped is not None:
            return True
        return state.result is not None or self._extracting(state).done()

    async def result_later(self, response: Response) -> WebTextResult:
        """Return the result of a response once the thread has computed it."""
        if not self.is_ready(response):
            await finished(self._extracting(self.state(response, response.request)))
        return self.result(response)

    def requested(self, response: Response, state: ResponseState | None = None) -> WebTextResult:
        """Return the result of a response for a caller of `extract`, also if the crawl skips it.

        With a ``state`` of other settings it is computed again.
        """
        known = self.state(response, response.request)
        if state is None:
            if known.skipped is None:
                return self._result(known, response)
            state = known.requested = known.requested or ResponseState(known.settings)
        state.callback = known.callback
        state.skipped = no_page_reason(response, response.request)
        return self._result(state, response)

    def _judge(self, state: ResponseState, response: Response) -> None:
        """Judge a response, unless that is done or there is nothing to judge."""
        if state.judgement is not None or state.skipped is not None or state.result is not None:
            return
        try:
            state.page = self._page(state, response)
            judge = self._make(state.settings.part("judge")).judge
            judged = call(judge, state.page, state.settings.threshold)
            state.judgement = checked(judged.result())
        except (Exception, SystemExit) as error:
            self._count(state, "failed")
            words = self.stats.fault(error, f"judging failed on {shown(response.url)}")
            self._keep(state, failed(state.extractor_name, words))
            return
        self.stats.spent("judging", judged.seconds)
        self._count(state, "article" if state.judgement.has_article else "not_article")

    def _page(self, state: ResponseState, response: Response) -> Page:
        shares_tree = self._selecting.shares(response, state.callback)
        page = read_page(response, state.settings.fix_encoding, shares_tree)
        if page.is_truncated:
            self._count(state, "truncated")
        return page

    def _result(self, state: ResponseState, response: Response) -> WebTextResult:
        self._judge(state, response)
        if state.result is not None:
            return state.result
        if state.skipped is not None:
            return self._keep(state, skipped(state.extractor_name, state.skipped))
        assert state.judgement is not None
        try:
            extracted = self._extracting(state).result()
            found = combine(extracted.result(), state.judgement, state.page, state.formats)
        except (Exception, SystemExit) as error:
            words = self.stats.fault(error, f"extraction failed on {shown(response.url)}")
            return self._keep(state, failed(state.extractor_name, words, state.judgement))
        self.stats.spent("extraction", extracted.seconds)
        return self._keep(state, found)

    def _extracting(self, state: ResponseState) -> Future[Outcome]:
        """Return the extractor's call for a judged response, begun once."""
        if state.extraction is None:
            extract = self._make(state.settings.part("extractor")).extract
            state.extraction = self._calls.start(extract, state.page)
            if not state.formats:
                state.page = None
        return state.extraction

    def _keep(self, state: ResponseState, result: WebTextResult) -> WebTextResult:
        state.result, state.page = result, None
        self._results[id(result)] = result
        return result

    def _count(self, state: ResponseState, name: str) -> None:
        if state.is_counted:
            self.stats.count(f"responses/{name}")

    def _make(self, part: Part) -> Any:
        """Return an extractor or judge, made once."""
        if part.is_ready:
            return part.make()
        made = self._parts[part.key] = self._parts.pop(part.key, None) or part.make()
        if len(self._parts) > MAX_PARTS:
            del self._parts[next(iter(self._parts))]
        return made

    def _settings_for(self, overrides: object, response: Response) -> WebtextSettings:
        if overrides is None or isinstance(overrides, bool):
            return self.settings
        try:
            if not isinstance(overrides, Mapping):
                raise SettingsError(
                    f'request.meta["webtext"] = {overrides!r} is not allowed: '
                    f"it must be False or a dict"
                )
            settings = self.settings.for_request(overrides)
            settings.make(self._make)
        except Exception as error:  # any error, of a class that the settings name
            where = f"request.meta['webtext'] of {shown(response.url)} is not used"
            self.stats.fault(error, where)
            return self.settings
        return settings

    def warn_once(self, item_class: type, message: str) -> None:
        """Log a warning about a class of items, once."""
        if item_class not in self._warned:
            self._warned.add(item_class)
            logger.warning("webtext: %s", message)

    def close(self, spider: Spider) -> None:
        """Stop the thread, remove all bindings, log the closing line."""
        self.is_open = False
        self._calls.close()
        self.binder.clear()
        if self.settings.enabled:
            line = closing_line(self.stats.collector.get_stats())
            core = "compiled" if IS_COMPILED else "in Python"
            logger.info(f"{line}; {core}", extra={"spider": spider})


def extract_response(
    response: Response,
    extractor: AnyExtractor | None = None,
    judge: AnyJudge | None = None,
    threshold: float | None = None,
    include: str | Collection[str] = (),
    options: Mapping[str, Any] | None = None,
) -> WebTextResult:
    """Return the result of a response, by the settings of its crawl.

    The result is computed once per response. With another extractor, judge, threshold, options or
    further renderings it is computed again. Responses that the crawl skips (because of their
    status, their size or their request) are read too, because the caller wants the result. Only a
    response without HTML, or to a HEAD request, is "skipped". SettingsError for an unknown name or
    parameter, TypeError for an object that is no response.
    """
    if not isinstance(response, Response):
        raise TypeError(f"extract() takes str, bytes or a Response, not {type(response).__name__}")
    crawl = of_response(response)
    settings = crawl.settings if crawl is not None else WebtextSettings()
    formats = format_names(include)
    changes: dict[str, Any] = {}
    if extractor or options:
        changes["extractor_options"] = options or {}
    if extractor:
        changes["extractor"] = extractor
    if judge:
        changes |= {"judge": judge, "judge_options": {}}
    if threshold is not None:
        changes["threshold"] = threshold
    state = ResponseState(replace(settings, **changes), formats)
    for kind in KINDS:
        state.settings.part(kind).check()
    if crawl is not None:
        is_as_known = not changes and formats <= settings.formats
        return crawl.requested(response, None if is_as_known else state)
    reason = no_page_reason(response, response.request)
    if reason is not None:
        return skipped(state.extractor_name, reason)
    page = read_page(response, settings.fix_encoding)
    made, made_judge = (state.settings.part(kind).make() for kind in KINDS)
    return extract_page(page, made, made_judge, state.settings.threshold, state.formats)


def of_response(response: Response) -> WebtextCrawl | None:
    """Return the crawl of a response, or of a response with the same request.

    If neither is known, the only open crawl; None if there is none, or several.
    """
    crawls = _all()
    found = [crawl for crawl in crawls if response in crawl._states]
    if not found and response.request is not None:
        found = [crawl for crawl in crawls if response.request in crawl._requests]
    found = found or open_crawls()
    return found[0] if len(found) == 1 else None


def of_result(result: WebTextResult) -> WebtextCrawl | None:
    """Return the crawl that computed this result, or None."""
    return next((c for c in _all() if c._results.get(id(result)) is result), None)


def open_crawls() -> list[WebtextCrawl]:
    """Return the crawls of this process that are not closed."""
    return [crawl for crawl in _all() if crawl.is_open]


def _all() -> list[WebtextCrawl]:
    return list(_crawls.values())
