"""The state of one crawl: it judges and extracts each response once, and counts.

The middlewares, the pipeline and ``extract(response)`` all call `WebtextCrawl`. A process may have
several crawls; `of_response` and `of_result` find the one that a response or a result belongs to.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any, Final
from weakref import WeakKeyDictionary, WeakSet, WeakValueDictionary

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
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
from scrapy_webtext.crawling.site_stats import SiteMemory
from scrapy_webtext.crawling.sites import MAX_UNMATCHED, Sites
from scrapy_webtext.crawling.stats import CrawlStats, closing_line, logger
from scrapy_webtext.extraction import (
    checked,
    combine,
    extract_page,
    extraction_of,
    format_names,
    unread,
)
from scrapy_webtext.log_text import shown
from scrapy_webtext.page import IS_COMPILED, Page
from scrapy_webtext.page.selectors import Selectors
from scrapy_webtext.provenance import VERSION, version_of
from scrapy_webtext.registry import KINDS, AnyExtractor, AnyJudge, Kind, create, load, shown_name
from scrapy_webtext.repeats import host_of
from scrapy_webtext.results import Extraction, Judgement, Status, WebTextResult
from scrapy_webtext.settings import WebtextSettings, read_mapping

#: Limit of extractors and judges that are kept, since requests may name any number.
MAX_MADE: Final = 100

#: Log line at the start of a crawl that filters by the default judge; takes the action.
DEFAULT_JUDGE_FILTERS: Final = (
    'webtext: WEBTEXT_ACTION = "%s" filters by the default judge, "pvalue", which is wrong on '
    'about one page in five; WEBTEXT_JUDGE = "learned" on one in twenty'
)

#: Settings without a crawl.
_DEFAULTS: Final = WebtextSettings()

_crawls: WeakKeyDictionary[Crawler, WebtextCrawl] = WeakKeyDictionary()


@dataclass(slots=True, eq=False)
class ResponseState:
    """The state of one response, under one set of settings."""

    settings: WebtextSettings
    formats: frozenset[str]  #: optional result fields
    skipped: str | None = None  #: the reason if it is skipped
    selectors: Selectors | None = None  #: of a caller of `extract`; else those of the site
    callback: str = ""  #: name of the request's callback, "" for the spider's ``parse``
    is_counted: bool = False  #: in the stats of responses
    page: Page | None = None  #: from the judgement to the result
    judgement: Judgement | None = None
    result: WebTextResult | None = None
    #: The state for a caller of `extract`, if the crawl skips the response.
    requested: ResponseState | None = None

    @property
    def has_no_article(self) -> bool:
        """Whether the judge found no article; False if the response was not judged."""
        return self.judgement is not None and not self.judgement.has_article

    def unread(self, status: Status, reason: str) -> WebTextResult:
        """Return the result of a response without an extraction."""
        name = shown_name(self.settings.choice("extractor")[0])
        return unread(name, status, reason, self.judgement)


class WebtextCrawl:
    """The responses of one crawl and their states. All calls come from the crawler's own thread."""

    def __init__(self, settings: WebtextSettings, crawler: Crawler) -> None:
        self.settings = settings
        self.binder = Binder()
        self.stats = CrawlStats(crawler, settings.enabled)
        self.is_open = True
        self._warned: set[object] = set()
        self._made: dict[Any, Any] = {}
        self._sites = Sites(settings)
        self._memory = SiteMemory(settings, self.stats)
        self._selecting = SelectingCallbacks()
        self._states: WeakKeyDictionary[Response, ResponseState] = WeakKeyDictionary()
        self._requests: WeakSet[Request] = WeakSet()
        #: By id, because equal results may come from several crawls.
        self._results: WeakValueDictionary[int, WebTextResult] = WeakValueDictionary()
        if settings.enabled:
            settings.make(self._make)
            if settings.action != "flag" and crawler.settings.get("WEBTEXT_JUDGE") is None:
                logger.info(DEFAULT_JUDGE_FILTERS, settings.action)
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

    def judge(
        self, response: Response, request: Request | None, is_download: bool = False
    ) -> ResponseState:
        """Return the state of a response, judged, a new one for a new response.

        A response that replaces another one of the same request, because a middleware or a callback
        changed it, is not counted as a further page.
        """
        state = self._states.get(response)
        if state is None:
            state = self._states[response] = self._new_state(response, request, is_download)
            self._judge(state, response)
        return state

    def result(self, response: Response) -> WebTextResult:
        """Return the result of a response, computed once."""
        return self._result(self.judge(response, response.request), response)

    def requested(self, response: Response, state: ResponseState | None = None) -> WebTextResult:
        """Return the result of a response for a caller of `extract`, also if the crawl skips it.

        With a ``state`` of other settings it is computed again.
        """
        known = self.judge(response, response.request)
        if state is None and known.skipped is None:
            return self._result(known, response)
        if state is None:
            known.requested = known.requested or ResponseState(known.settings, known.formats)
            state = known.requested
        state.callback = known.callback
        state.skipped = no_page_reason(response, response.request)
        self._judge(state, response)
        return self._result(state, response)

    def _new_state(
        self, response: Response, request: Request | None, is_download: bool
    ) -> ResponseState:
        overrides = request.meta.get("webtext") if request is not None else None
        settings = self._settings_for(overrides, response)
        if overrides is False:
            skipped: str | None = "meta"
        else:
            limits = settings.max_body_size, settings.max_elements
            skipped = skip_reason(response, request, *limits)
        state = ResponseState(settings, settings.formats, skipped)
        state.callback = callback_name(request)
        state.is_counted = is_download or request is None or request not in self._requests
        if request is not None:
            self._requests.add(request)
        if not state.is_counted:
            self.stats.count("responses/replaced")
        if skipped:
            self._count(state, f"skipped/{skipped}")
        return state

    def _judge(self, state: ResponseState, response: Response) -> None:
        """Judge a response once, unless it is skipped."""
        if state.judgement is not None or state.skipped is not None or state.result is not None:
            return
        try:
            state.page = self._page(state, response)
            judge = state.settings.make_one("judge", self._make).judge
            judgement, seconds = timed(judge, state.page, state.settings.threshold)
            state.judgement = checked(judgement)
        except (Exception, SystemExit) as error:
            self._count(state, "failed")
            words = self.stats.fault(error, f"judging failed on {shown(response.url)}")
            self._keep(state, state.unread("failed", words))
            return
        self.stats.count("seconds/judging", seconds)
        self._count(state, "article" if state.judgement.has_article else "not_article")
        if state.is_counted:
            self._memory.judged(host_of(response.url), state.judgement)

    def _page(self, state: ResponseState, response: Response) -> Page:
        shares_tree = self._selecting.shares(response, state.callback)
        rule = self._sites.of(response.url)
        selectors = state.selectors or rule.selectors
        page = read_page(response, state.settings.fix_encoding, shares_tree, selectors)
        for css in self._sites.unmatched(rule, page.unmatched):
            self.stats.count("sites/unmatched")
            words = "WEBTEXT_SITES[%r]: %s matches nothing on %d pages in a row"
            logger.warning(f"webtext: {words}", rule.name, css, MAX_UNMATCHED)
        if page.is_truncated:
            self._count(state, "truncated")
        return page

    def _result(self, state: ResponseState, response: Response) -> WebTextResult:
        if state.result is not None:
            return state.result
        if state.skipped is not None:
            return self._keep(state, state.unread("skipped", state.skipped))
        assert state.judgement is not None
        try:
            extractor = state.settings.make_one("extractor", self._make)
            extraction, seconds = timed(extraction_of, extractor, state.page)
            found = self._combined(state, extraction, response)
        except (Exception, SystemExit) as error:
            words = self.stats.fault(error, f"extraction failed on {shown(response.url)}")
            return self._keep(state, state.unread("failed", words))
        self.stats.count("seconds/extraction", seconds)
        return self._keep(state, found)

    def _combined(
        self, state: ResponseState, extraction: Extraction, response: Response
    ) -> WebTextResult:
        """Return the result, with what earlier pages of the site had of it if that is counted."""
        page, judgement, version = state.page, state.judgement, self._version(state, response)
        assert page is not None
        assert judgement is not None
        if self._memory.is_needed and self._states.get(response) is state:
            host = host_of(response.url)
            return self._memory.combined(host, extraction, judgement, page, state.formats, version)
        return combine(extraction, judgement, page, state.formats, version)

    def _version(self, state: ResponseState, response: Response) -> str | None:
        """Return the version of a result, computed once per rule; None if it is not asked for."""
        if VERSION not in state.formats:
            return None
        rule = self._sites.of(response.url)
        if state.selectors is None and state.settings is rule.settings:
            return rule.version
        return version_of(state.settings, state.selectors or rule.selectors)

    def _keep(self, state: ResponseState, result: WebTextResult) -> WebTextResult:
        state.result, state.page = result, None
        self._results[id(result)] = result
        return result

    def _count(self, state: ResponseState, name: str) -> None:
        if state.is_counted:
            self.stats.count(f"responses/{name}")

    def _make(self, kind: Kind, target: Any, options: Mapping[str, Any]) -> Any:
        """Return an extractor or judge, made once."""
        if not isinstance(target, str | type):
            return create(kind, target, options)
        key = (kind, target, repr(sorted(options.items())))
        made = self._made[key] = self._made.pop(key, None) or create(kind, target, options)
        if len(self._made) > MAX_MADE:
            del self._made[next(iter(self._made))]
        return made

    def settings_of(self, response: Response) -> WebtextSettings:
        """Return the settings of a response's site."""
        return self._sites.of(response.url).settings

    def _settings_for(self, overrides: object, response: Response) -> WebtextSettings:
        own = self.settings_of(response)
        if overrides is None or isinstance(overrides, bool):
            return own
        try:
            settings = own.for_request(read_mapping('request.meta["webtext"]', overrides))
            settings.make(self._make)
        except Exception as error:  # any error, of a class that the settings name
            where = f"request.meta['webtext'] of {shown(response.url)} is not used"
            self.stats.fault(error, where)
            return own
        return settings

    def site_changes(self) -> Mapping[str, str]:
        """Return by site what changed since the last crawl (``WEBTEXT_SITE_STATS``), in words."""
        return self._memory.changes()

    def warn_once(self, about: object, message: str) -> None:
        """Log a warning about a class of items or a setting, once."""
        if about not in self._warned:
            self._warned.add(about)
            logger.warning("webtext: %s", message)

    def close(self, spider: Spider) -> None:
        """Remove all bindings, log the closing line."""
        self.is_open = False
        self.binder.clear()
        self._memory.close()
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
    selectors: Selectors | None = None,
) -> WebTextResult:
    """Return the result of a response, by the settings of its crawl.

    The result is computed once per response. With another extractor, judge, threshold, options,
    selectors or further renderings it is computed again. Responses that the crawl skips (because of
    their status, their size or their request) are read too, because the caller wants the result.
    Only a response without HTML, or to a HEAD request, is "skipped". SettingsError for an unknown
    name or parameter, TypeError for an object that is no response.
    """
    if not isinstance(response, Response):
        raise TypeError(f"extract() takes str, bytes or a Response, not {type(response).__name__}")
    crawl = of_response(response)
    settings = crawl.settings_of(response) if crawl is not None else _DEFAULTS
    formats = format_names(include)
    given = {
        "extractor": extractor,
        "extractor_options": options or ({} if extractor else None),
        "judge": judge,
        "judge_options": {} if judge else None,
        "threshold": threshold,
    }
    changes: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    changed = replace(settings, **changes)
    for kind in KINDS:
        load(kind, *changed.choice(kind))
    state = ResponseState(changed, changed.formats | formats, selectors=selectors)
    if crawl is not None:
        is_as_known = not changes and selectors is None and formats <= settings.formats
        return crawl.requested(response, None if is_as_known else state)
    reason = no_page_reason(response, response.request)
    if reason is not None:
        return state.unread("skipped", reason)
    page = read_page(response, settings.fix_encoding, selectors=selectors)
    made, made_judge = (create(kind, *changed.choice(kind)) for kind in KINDS)
    version = version_of(changed, selectors) if VERSION in state.formats else None
    return extract_page(page, made, made_judge, changed.threshold, state.formats, version)


def of_response(response: Response) -> WebtextCrawl | None:
    """Return the crawl of a response, or of a response with the same request.

    If neither is known, the only open crawl; None if there is none, or several.
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
    """Return the crawls of this process that are not closed."""
    return [crawl for crawl in _crawls.values() if crawl.is_open]


def timed(function: Callable[..., Any], *args: Any) -> tuple[Any, float]:
    """Return what a function returns, and the seconds that it took."""
    began = perf_counter()
    return function(*args), perf_counter() - began
