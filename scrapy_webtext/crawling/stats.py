"""The stats of a crawl, its logged errors, and its closing line."""

from __future__ import annotations

import logging
import weakref
from collections.abc import Mapping
from typing import Any, Final

from scrapy.crawler import Crawler
from scrapy.statscollectors import StatsCollector

from scrapy_webtext.errors import describe, frames_of

logger = logging.getLogger("scrapy_webtext")

PREFIX: Final = "webtext/"  #: of all stats; docs/settings.md describes them

#: The pipeline counts every item in exactly one of these stats, ``items/<outcome>``.
OUTCOMES: Final = "filled empty dropped unfilled unbound failed unsupported".split()

#: Number of errors of each type that are logged with their traceback.
FAULTS_WITH_FRAMES: Final = 10


class CrawlStats:
    """The stats ``webtext/...`` of one crawl. All calls come from the crawler's own thread."""

    def __init__(self, crawler: Crawler, is_counting: bool = True) -> None:
        self._is_counting = is_counting  #: False if the extension is disabled
        # A weak reference, since the stats refer to the crawler, which refers to this object.
        assert crawler.stats is not None
        self._collector = weakref.ref(crawler.stats)

    @property
    def collector(self) -> StatsCollector:
        """Scrapy's stats, while the crawl lasts."""
        collector = self._collector()
        assert collector is not None
        return collector

    def count(self, name: str, number: Any = 1) -> None:
        """Add a number, or seconds, to the stat ``webtext/name``."""
        if self._is_counting and number:
            collector = self.collector
            # Called through the class: Scrapy wraps the instance's methods, and the wrapper costs
            # ten times the method.
            type(collector).inc_value(collector, PREFIX + name, number)

    def fault(self, error: BaseException, what: str) -> str:
        """Count an error, log it and return its description; ``what`` names the step and the page.

        The first errors of each type are logged with their traceback.
        """
        name = f"errors/{type(error).__name__}"
        self.count(name)
        number = self.collector.get_value(PREFIX + name, 0)
        frames = f"\n{frames_of(error)}" if number <= FAULTS_WITH_FRAMES else ""
        words = describe(error)
        logger.error("webtext: %s: %s%s", what, words, frames)
        return words


def closing_line(stats: Mapping[str, Any], judges: str) -> str:
    """Return the line that summarizes a crawl's stats; zero counts are left out.

    If most of the skipped pages have one reason, it is named.
    """

    def number(name: str) -> int:
        return int(stats.get(PREFIX + name, 0))

    def total(prefix: str) -> int:
        return sum(int(n) for name, n in stats.items() if name.startswith(PREFIX + prefix))

    def named(counts: Mapping[str, int]) -> str:
        return "".join(f", {count} {name}" for name, count in counts.items() if count)

    articles, errors = number("responses/article"), total("errors/")
    start = f"{PREFIX}responses/skipped/"
    reasons = {name.removeprefix(start): n for name, n in stats.items() if name.startswith(start)}
    skipped, most = sum(reasons.values()), max(reasons, key=reasons.__getitem__, default="")
    part = "" if len(reasons) == 1 else f"{reasons.get(most)} "
    is_most = 2 * reasons.get(most, 0) > skipped
    pages = {
        f"skipped: {part}{most}" if is_most else "skipped": skipped,
        "failed": number("responses/failed"),
        "ignored": number("responses/ignored"),
    }
    items = {name: number(f"items/{name}") for name in OUTCOMES[1:]}
    judged = articles + number("responses/not_article")
    return (
        f"webtext: {judged} pages judged by {judges}, {articles} with an article{named(pages)}; "
        f"{number('items/filled')} items filled{named(items)}; {errors} error{'s' * (errors != 1)}"
    )
