"""The shared state of one crawl: judges and extracts each response once, and counts.

The middlewares, the pipeline and ``extract(response)`` all call `WebtextCrawl`.
"""

from __future__ import annotations

import weakref
from collections.abc import Awaitable, Mapping
from typing import TYPE_CHECKING

from scrapy import signals
from scrapy.exceptions import NotConfigured

from scrapy_webtext.compiled import is_in_use
from scrapy_webtext.crawling import crawls
from scrapy_webtext.crawling.awaiting import finished
from scrapy_webtext.crawling.binder import Binder
from scrapy_webtext.crawling.response_state import ResponseState
from scrapy_webtext.crawling.responses import no_page_reason, read_page, skip_reason
from scrapy_webtext.crawling.runner import Runner
from scrapy_webtext.crawling.stats import CrawlStats, closing_line, logger
from scrapy_webtext.crawling.trees import SelectingCallbacks, callback_name
from scrapy_webtext.errors import SettingsError
from scrapy_webtext.extraction import checked, combine, failed, skipped
from scrapy_webtext.log_text import shown
from scrapy_webtext.page import Page
from scrapy_webtext.results import Extraction, Judgement, WebTextResult
from scrapy_webtext.settings import WebtextSettings
from scrapy_webtext.worker import TimedFuture

if TYPE_CHECKING:
    from scrapy import Request, Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response


class WebtextCrawl:
    """The responses of one crawl and their states. All calls come from the crawler's own thread."""

    def __init__(self, settings: WebtextSettings, crawler: Crawler) -> None:
        self.settings = settings
        self.binder = Binder()
        self.stats = CrawlStats(crawler, settings.enabled)
        self.is_open = True
        self._warned: set[type] = set()
        self._runner = Runner(settings)
        self._selecting = SelectingCallbacks()
        self._states: weakref.WeakKeyDictionary[Response, ResponseState]
        self._states = weakref.WeakKeyDictionary()
        if settings.enabled:
            settings.make(self._runner.make)
        crawler.signals.connect(self.close, signal=signals.spider_closed)

    @classmethod
    def of(cls, crawler: Crawler) -> WebtextCrawl:
        """Return the crawl of this crawler; NotConfigured if WEBTEXT_ENABLED is False."""
        crawl = crawls.of_crawler(crawler)
        if crawl is None:
            crawl = cls(WebtextSettings.from_settings(crawler.settings), crawler)
            crawls.add(crawler, crawl)
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
        if state is None:
            overrides = request.meta.get("webtext") if request is not None else None
            state = ResponseState(self._settings_for(overrides, response))
            state.is_counted = is_download or not crawls.has_request(request)
            state.callback = callback_name(request)
            state.skipped = (
                "meta"
                if overrides is False
                else skip_reason(
                    response, request, state.settings.max_body_size, state.settings.max_elements
                )
            )
            if state.skipped and state.is_counted:
                self.stats.count(f"responses/skipped/{state.skipped}")
            self._states[response] = state
            crawls.register(self, response, request)
            if not state.is_counted:
                self.stats.count("responses/replaced")
        return state

    def judge(
        self, response: Response, request: Request | None, is_download: bool = False
    ) -> ResponseState | Awaitable[ResponseState]:
        """Return the state of a response after the judgement; an awaitable if a worker judges."""
        return self._judged(self.state(response, request, is_download), response)

    def judged_now(self, response: Response) -> ResponseState:
        """Return the state of a response; it is judged if that needs no worker."""
        state = self.state(response, response.request)
        if not state.is_judged and state.settings.runs_inline(state.settings.judge_part):
            self._judged(state, response)
        return state

    def result(self, response: Response) -> WebTextResult | Awaitable[WebTextResult]:
        """Return the result of a response, computed once; an awaitable if a worker computes it."""
        return self._result(self.state(response, response.request), response)

    def requested(
        self, response: Response, state: ResponseState | None = None
    ) -> WebTextResult | Awaitable[WebTextResult]:
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

    def _judged(
        self, state: ResponseState, response: Response
    ) -> ResponseState | Awaitable[ResponseState]:
        if state.is_judged:
            return state
        if state.judging is None:
            try:
                page = state.page = self._page(state, response)
            except Exception as error:  # of the parser: none is known
                return self._not_judged(state, error, response)
            state.judging = self._runner.start(
                state.settings, state.judge, "judge", page, state.settings.threshold
            )
        if state.judging.done():
            return self._take_judgement(state, state.judging, response)
        return self._judged_later(state, state.judging, response)

    async def _judged_later(
        self, state: ResponseState, judging: TimedFuture[Judgement], response: Response
    ) -> ResponseState:
        await finished(judging)
        return self._take_judgement(state, judging, response)

    def _take_judgement(
        self, state: ResponseState, judging: TimedFuture[Judgement], response: Response
    ) -> ResponseState:
        if state.is_judged:  # another waiter took it
            return state
        try:
            judgement = checked(judging.result())
        except (Exception, SystemExit) as error:
            return self._not_judged(state, error, response)
        self.stats.spent("judging", judging.seconds)
        self._count(state, "article" if judgement.has_article else "not_article")
        state.judgement = judgement
        return state

    def _not_judged(
        self, state: ResponseState, error: BaseException, response: Response
    ) -> ResponseState:
        self._count(state, "failed")
        words = self.stats.fault(error, f"judging failed on {shown(response.url)}")
        state.result = failed(state.extractor_name, words)
        return state

    def _page(self, state: ResponseState, response: Response) -> Page:
        shares_tree = self._selecting.shares(response, state.callback)
        page = read_page(response, state.settings.fix_encoding, shares_tree)
        if page.is_truncated:
            self._count(state, "truncated")
        return page

    def _result(
        self, state: ResponseState, response: Response
    ) -> WebTextResult | Awaitable[WebTextResult]:
        judged = self._judged(state, response)
        if isinstance(judged, Awaitable):
            return self._result_later(judged, response)
        if state.result is not None:
            return state.result
        if state.skipped is not None:
            return self._keep(state, skipped(state.extractor_name, state.skipped))
        if state.extraction is None:
            state.extraction = self._runner.start(
                state.settings, state.extractor, "extract", state.page
            )
            if not state.formats:
                state.page = None
        if state.extraction.done():
            return self._take_extraction(state, state.extraction, response)
        return self._extracted_later(state, state.extraction, response)

    async def _result_later(
        self, judged: Awaitable[ResponseState], response: Response
    ) -> WebTextResult:
        found = self._result(await judged, response)
        return await found if isinstance(found, Awaitable) else found

    async def _extracted_later(
        self, state: ResponseState, extraction: TimedFuture[Extraction], response: Response
    ) -> WebTextResult:
        await finished(extraction)
        return self._take_extraction(state, extraction, response)

    def _take_extraction(
        self, state: ResponseState, extraction: TimedFuture[Extraction], response: Response
    ) -> WebTextResult:
        if state.result is not None:  # another waiter took it
            return state.result
        assert state.judgement is not None
        try:
            result = combine(extraction.result(), state.judgement, state.page, state.formats)
        except (Exception, SystemExit) as error:
            words = self.stats.fault(error, f"extraction failed on {shown(response.url)}")
            return self._keep(state, failed(state.extractor_name, words, state.judgement))
        self.stats.spent("extraction", extraction.seconds)
        return self._keep(state, result)

    def _keep(self, state: ResponseState, result: WebTextResult) -> WebTextResult:
        state.result, state.page = result, None
        crawls.register_result(self, result)
        return result

    def _count(self, state: ResponseState, name: str) -> None:
        if state.is_counted:
            self.stats.count(f"responses/{name}")

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
            for part in (settings.extractor_part, settings.judge_part):
                self._runner.make(part)
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
        """Stop the worker, remove all bindings, log the closing line."""
        self.is_open = False
        self._runner.close()
        self.binder.clear()
        if self.settings.enabled:
            line = closing_line(self.stats.collector.get_stats())
            core = "compiled" if is_in_use() else "in Python"
            logger.info(f"{line}; {core}", extra={"spider": spider})
