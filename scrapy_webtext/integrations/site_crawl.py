"""One crawl of ``scrapy webtext crawl``, in Scrapy's own settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final

from scrapy import signals
from scrapy.exceptions import DropItem
from scrapy.extensions import feedexport
from scrapy.http.request import NO_CALLBACK

from scrapy_webtext.cli.crawl_order import CrawlOrder
from scrapy_webtext.cli.crawl_outcome import PAGES_READ, CrawlOutcome
from scrapy_webtext.cli.output import STDOUT
from scrapy_webtext.errors import InputError
from scrapy_webtext.integrations.article_spider import ArticleSpider
from scrapy_webtext.integrations.page_limit import PageLimitScheduler
from scrapy_webtext.log_text import describe
from scrapy_webtext.results import WebTextResult
from scrapy_webtext.setting_values import DEFAULT_FIELDS

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

#: What holds unless the project says otherwise.
DEFAULTS: Final[Mapping[str, Any]] = {
    "ROBOTSTXT_OBEY": True,
    "AUTOTHROTTLE_ENABLED": True,
    "AUTOTHROTTLE_START_DELAY": 1.0,
    "WEBTEXT_JUDGE": "learned",
    # As many as autothrottle asks for at once.
    "CONCURRENT_REQUESTS_PER_DOMAIN": 2,
    # Pages near the sources first: where a crawl is stopped, it has seen all parts of a site.
    "DEPTH_PRIORITY": 1,
    "SCHEDULER_DISK_QUEUE": "scrapy.squeues.PickleFifoDiskQueue",
    "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue",
}

#: Names of what an item can have beside its ``url``.
RESULTS: Final = frozenset(f.name for f in fields(WebTextResult))


class KeepOnce:
    """Drops items without a text, and those whose text was kept before, in this run or an earlier.

    The texts' digests are in ``spider.state``, which a job folder keeps.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> KeepOnce:
        """Return the pipeline of a crawl."""
        return cls(crawler)

    def process_item(self, item: Any, spider: Spider | None = None) -> Any:  # noqa: ARG002
        """Return the item; DropItem for one that is left out."""
        text = item.get("main_text")
        running: Any = self._crawler.spider
        if not text:
            if running.order.all_pages:
                return item
            self._drop("no_text")
        kept = running.__dict__.setdefault("state", {}).setdefault("texts", set())
        digest = blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()
        if digest in kept:
            self._drop("copies")
        kept.add(digest)
        return item

    def _drop(self, reason: str) -> None:
        assert self._crawler.stats is not None
        self._crawler.stats.inc_value(f"webtext/crawl/{reason}")
        raise DropItem(f"webtext: {reason}", log_level="DEBUG")


def set_defaults(settings: BaseSettings, order: CrawlOrder) -> None:
    """Set what holds unless the project or the command line says otherwise."""
    at_once = min(16, DEFAULTS["CONCURRENT_REQUESTS_PER_DOMAIN"] * len(order.sources))
    settings.setdict({**DEFAULTS, "CONCURRENT_REQUESTS": at_once}, priority="addon")


def set_order(settings: BaseSettings, order: CrawlOrder) -> None:
    """Set what the options ask for, and leave the project's own feeds, pipelines and queue out."""
    wanted = {*order.fields, "main_text"} - {"url"}
    absent = dict.fromkeys(DEFAULT_FIELDS.keys() - wanted)
    addons = settings.getdict("ADDONS")
    if not any("scrapy_webtext" in str(addon) for addon in addons):
        addons["scrapy_webtext.Addon"] = 500
    settings.setdict(
        {
            "ADDONS": addons,
            "WEBTEXT_ENABLED": True,
            "WEBTEXT_ACTION": "flag" if order.all_pages else "drop_items",
            "WEBTEXT_FIELDS": {name: name for name in sorted(wanted)} | absent,
            "ITEM_PIPELINES": {KeepOnce: 900},
            "FEEDS": _feeds(order),
            "FEED_STORE_EMPTY": False,
            "SCHEDULER": PageLimitScheduler,
            "DEPTH_LIMIT": order.depth,
            "JOBDIR": order.job,
        },
        priority="cmdline",
    )
    if order.form == "parquet":
        exporters = settings.getdict("FEED_EXPORTERS")
        exporters["parquet"] = _parquet_exporter()
        settings.set("FEED_EXPORTERS", exporters, priority="cmdline")


def _parquet_exporter() -> type:
    """Return the exporter; MissingExtraError where pyarrow is not installed."""
    from scrapy_webtext.integrations.parquet_feed import ParquetItemExporter

    return ParquetItemExporter


def _feeds(order: CrawlOrder) -> dict[str, Any]:
    feed: dict[str, Any] = {"format": order.form, "fields": list(order.fields)}
    if order.output == STDOUT:
        return {"stdout:": feed}
    feed |= {"encoding": "utf-8", "overwrite": not order.is_resumed}
    if order.form == "csv" and order.is_resumed:
        feed["item_export_kwargs"] = {"include_headers_line": False}
    # Scrapy before 2.19 takes any percent sign for the start of a placeholder.
    is_literal = hasattr(feedexport, "apply_uri_params")
    return {order.output if is_literal else order.output.replace("%", "%%"): feed}


def run_crawl(process: Any, order: CrawlOrder, step: Callable[[], None]) -> CrawlOutcome:
    """Crawl, and return what came of it; InputError where it cannot start.

    ``process`` is Scrapy's; ``step`` is called after each page.
    """
    crawler: Crawler = process.create_crawler(ArticleSpider)
    faults: list[BaseException] = []

    def count(request: Any) -> None:
        if request.callback is not NO_CALLBACK and crawler.stats is not None:
            crawler.stats.inc_value(PAGES_READ)
            step()

    crawler.signals.connect(count, signals.response_received, weak=False)
    try:
        running: Any = process.crawl(crawler, order=order)
    except Exception as error:  # a project may break in any way
        raise InputError(f"The crawl cannot start: {describe(error)}") from error
    if hasattr(running, "addErrback"):
        running.addErrback(lambda failure: faults.append(failure.value))
    else:
        running.add_done_callback(
            lambda task: faults.extend([] if task.cancelled() else filter(None, [task.exception()]))
        )
    process.start()
    if faults:
        raise InputError(f"The crawl cannot start: {describe(faults[0])}") from faults[0]
    spider: Any = crawler.spider
    if spider is None or crawler.stats is None:
        raise InputError("The crawl was stopped before it began")
    return CrawlOutcome(dict(crawler.stats.get_stats()), tuple(spider.failures))
