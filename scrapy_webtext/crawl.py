"""What the three components of one crawl share: settings, judgements, results, counts."""

from __future__ import annotations

import logging
import time
import weakref
from collections.abc import Awaitable, Mapping
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, Final

from scrapy.exceptions import NotConfigured

from scrapy_webtext.binder import Binder
from scrapy_webtext.errors import SettingsError
from scrapy_webtext.extraction import checked, combine
from scrapy_webtext.faults import describe, frames_of, shown
from scrapy_webtext.page import Page
from scrapy_webtext.registry import attributes_for, make_extractor, make_judge
from scrapy_webtext.responses import read_page, skip_reason
from scrapy_webtext.results import Extraction, Extractor, Judgement, WebTextResult
from scrapy_webtext.settings import WebtextSettings
from scrapy_webtext.worker import Worker, awaitable

if TYPE_CHECKING:
    from scrapy import Request, Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.statscollectors import StatsCollector

logger = logging.getLogger("scrapy_webtext")

#: Extractors and judges that are kept made; requests may ask for any number of others.
MAX_PARTS: Final = 100

#: Faults of one type that are logged with the places they came through.
FAULTS_WITH_FRAMES: Final = 10

_crawls: weakref.WeakKeyDictionary[Crawler, WebtextCrawl] = weakref.WeakKeyDictionary()
_crawl_of: weakref.WeakKeyDictionary[Response, weakref.ref[WebtextCrawl]]
_crawl_of = weakref.WeakKeyDictionary()


class Reading:
    """What is known of one response so far. Lives as long as the response."""

    __slots__ = ("failed", "future", "judgement", "page", "result", "settings", "skipped")

    def __init__(self, settings: WebtextSettings) -> None:
        self.settings = settings
        self.skipped: str | None = None
        self.page: Page | None = None  #: kept from the judgement to the extraction, no longer
        self.judgement: Judgement | None = None
        self.result: WebTextResult | None = None
        self.future: Future[Extraction] | None = None
        self.failed = False


class WebtextCrawl:
    """One crawl's reading of its responses; shared by its middlewares and its pipeline."""

    def __init__(self, settings: WebtextSettings, crawler: Crawler) -> None:
        self.settings = settings
        self.binder = Binder()
        # Weakly, since stats know their crawler, and a value of `_crawls` must not hold its key.
        assert crawler.stats is not None
        self._stats = weakref.ref(crawler.stats)
        self._readings: weakref.WeakKeyDictionary[Response, Reading] = weakref.WeakKeyDictionary()
        self._parts: dict[tuple[str, str, str], Any] = {}
        self._worker: Worker | None = None

    @classmethod
    def of(cls, crawler: Crawler) -> WebtextCrawl:
        """Return the one of this crawler; NotConfigured where WEBTEXT_ENABLED is False."""
        crawl = _crawls.get(crawler)
        if crawl is None:
            settings = WebtextSettings.from_settings(crawler.settings)
            if not settings.enabled:
                raise NotConfigured("WEBTEXT_ENABLED is False")
            crawl = _crawls[crawler] = cls(settings, crawler)
        return crawl

    @staticmethod
    def of_response(response: Response) -> WebtextCrawl | None:
        """Return the crawl that read this response, or None."""
        reference = _crawl_of.get(response)
        return reference() if reference is not None else None

    def read(self, response: Response, request: Request | None) -> Reading:
        """Return the reading of a response, judged; each response is judged once."""
        reading = self._readings.get(response)
        if reading is None:
            reading = self._readings[response] = self._judge(response, request)
            _crawl_of[response] = weakref.ref(self)
        return reading

    def _judge(self, response: Response, request: Request | None) -> Reading:
        overrides = request.meta.get("webtext") if request is not None else None
        reading = Reading(self._settings_for(overrides, response))
        settings = reading.settings
        reading.skipped = (
            "meta"
            if overrides is False
            else skip_reason(response, request, settings.max_body_size, settings.max_elements)
        )
        if reading.skipped:
            self.count(f"responses/skipped/{reading.skipped}")
            return reading
        began = time.perf_counter()
        try:
            self._judge_page(reading, response)
        except (Exception, SystemExit) as error:
            reading.failed = True
            self.fault(error, "judging", shown(response.url))
        self._spent("judging", began)
        return reading

    def _judge_page(self, reading: Reading, response: Response) -> None:
        settings = reading.settings
        attributes = attributes_for(settings.extractor, settings.judge, settings.judge_options)
        reading.page = read_page(response, settings.fix_encoding, attributes)
        if reading.page.is_truncated:
            self.count("responses/truncated")
        judge = self._part(make_judge, settings.judge, settings.judge_options)
        reading.judgement = checked(judge.judge(reading.page, settings.threshold))
        self.count("responses/" + ("article" if reading.judgement.has_article else "not_article"))

    def result(self, response: Response) -> WebTextResult | Awaitable[WebTextResult | None] | None:
        """Return the result of a response, computed once; None where there can be none.

        An awaitable of it where a worker computes it.
        """
        reading = self.read(response, response.request)
        if reading.result is not None or reading.judgement is None or reading.failed:
            return reading.result
        if not reading.settings.runs_inline:
            return self._result_from_worker(reading, response)
        began = time.perf_counter()
        try:
            assert reading.page is not None
            extraction = self._extractor(reading.settings).extract(reading.page)
            reading.result = combine(extraction, reading.judgement)
        except (Exception, SystemExit) as error:
            reading.failed = True
            self.fault(error, "extraction", shown(response.url))
        reading.page = None
        self._spent("extraction", began)
        return reading.result

    async def _result_from_worker(
        self, reading: Reading, response: Response
    ) -> WebTextResult | None:
        began = time.perf_counter()
        try:
            if reading.future is None:
                reading.future = self._submit(reading)
                reading.page = None
            extraction = await awaitable(reading.future)
            assert reading.judgement is not None
            if reading.result is None:
                reading.result = combine(extraction, reading.judgement)
                self._spent("extraction", began)
        except Exception as error:
            if not reading.failed:
                reading.failed = True
                self.fault(error, "extraction", shown(response.url))
        return reading.result

    def _submit(self, reading: Reading) -> Future[Extraction]:
        settings, page = reading.settings, reading.page
        assert page is not None
        kind: Any = "process" if settings.executor == "process" else "thread"
        if self._worker is None:
            self._worker = Worker(kind, settings.timeout)
        if kind == "thread":
            return self._worker.submit(self._extractor(settings).extract, page)
        return self._worker.submit(
            extract_elsewhere, page, settings.extractor, dict(settings.extractor_options)
        )

    def _extractor(self, settings: WebtextSettings) -> Extractor:
        extractor: Extractor = self._part(
            make_extractor, settings.extractor, settings.extractor_options
        )
        return extractor

    def _part(self, make: Any, name: str, options: Mapping[str, Any]) -> Any:
        """Return the extractor or judge of these options, made once."""
        key = (make.__name__, name, repr(sorted(options.items())))
        part = self._parts.get(key)
        if part is None:
            if len(self._parts) >= MAX_PARTS:
                self._parts.clear()
            part = self._parts[key] = make(name, options)
        return part

    def _settings_for(self, overrides: object, response: Response) -> WebtextSettings:
        if overrides is None or overrides is False or overrides is True:
            return self.settings
        try:
            if not isinstance(overrides, Mapping):
                raise SettingsError(
                    f'request.meta["webtext"] = {overrides!r} is not allowed: '
                    f"it must be False or a dict"
                )
            return self.settings.for_request(overrides)
        except Exception as error:  # of a class that the request names, any
            doing = "reading request.meta; the crawl's settings are used"
            self.fault(error, doing, shown(response.url))
            return self.settings

    @property
    def stats(self) -> StatsCollector:
        """The stats of this crawl, while it lasts."""
        stats = self._stats()
        assert stats is not None
        return stats

    def count(self, name: str) -> None:
        """Add one to the stat ``webtext/name``."""
        self.stats.inc_value(f"webtext/{name}")

    def _spent(self, doing: str, began: float) -> None:
        name = f"webtext/seconds/{doing}"
        seconds = time.perf_counter() - began
        self.stats.set_value(name, self.stats.get_value(name, 0.0) + seconds)

    def fault(self, error: BaseException, doing: str, subject: str) -> None:
        """Log and count a fault; the first few of a kind with the places they came through."""
        name = f"errors/{type(error).__name__}"
        self.count(name)
        seen = self.stats.get_value(f"webtext/{name}", 0)
        places = f"\n{frames_of(error)}" if seen <= FAULTS_WITH_FRAMES else ""
        logger.error("webtext: %s failed on %s: %s%s", doing, subject, describe(error), places)

    def close(self, spider: Spider) -> None:
        """Log the closing line; stop the worker."""
        if self._worker is not None:
            self._worker.close()
        logger.info(closing_line(self.stats.get_stats()), extra={"spider": spider})


def extract_elsewhere(page: Page, extractor: str, options: Mapping[str, Any]) -> Extraction:
    """Extract in a worker process; the page has travelled, so that all executors agree."""
    global _made
    key = (extractor, repr(sorted(options.items())))
    if _made is None or _made[0] != key:
        _made = (key, make_extractor(extractor, options))
    return _made[1].extract(page)


#: In a worker process: the extractor of the last page.
_made: tuple[tuple[str, str], Extractor] | None = None


def closing_line(stats: Mapping[str, Any]) -> str:
    """Return the line that sums up a crawl, from its stats."""

    def number(name: str) -> int:
        return int(stats.get(f"webtext/{name}", 0))

    articles = number("responses/article")
    errors = sum(int(n) for name, n in stats.items() if name.startswith("webtext/errors/"))
    return (
        f"webtext: {articles + number('responses/not_article')} pages judged, "
        f"{articles} with an article; {number('items/filled')} items filled, "
        f"{number('items/dropped')} dropped, {number('items/unbound')} unbound, {errors} errors"
    )
