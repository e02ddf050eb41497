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

PREFIX: Final = "webtext/"

#: Stat without its prefix -> its meaning; ``<...>`` is any name. ``python -m
#: tests.kits.settings_table`` copies these to docs/settings.md.
STATS: Final[Mapping[str, str]] = {
    "responses/article": "pages judged, with an article",
    "responses/not_article": "pages judged, without one",
    "responses/failed": "pages on which the judge failed",
    "responses/skipped/<reason>": (
        "not read: `no_callback` (robots.txt, media), `head` (answers to HEAD), `status` (not "
        "2xx), `not_html`, `too_large`, `too_many_elements`, `meta`"
    ),
    "responses/truncated": ("pages nested deeper than libxml2's 2,048 levels; they are read, too"),
    "responses/ignored": 'pages judged that `"ignore"` kept from the spider',
    "responses/replaced": (
        "further responses to the same request, made by a middleware or a callback; judged, not "
        "counted above"
    ),
    "responses/further": "further pages of articles (`WEBTEXT_NEXT_PAGES`); not counted above",
    "items/seen": "items in the pipeline; each has one of the next seven outcomes",
    "items/filled": "items with their fields",
    "items/empty": "items with their fields and an empty text",
    "items/dropped": 'items dropped by `"drop_items"`',
    "items/unfilled": "items of pages that were not read, or without any of the fields",
    "items/unbound": "items whose response is unknown ([limits](#limits))",
    "items/failed": (
        "items of pages on which the judge or the extractor failed, and items that refused a value"
    ),
    "items/unsupported": "objects that are not items; not changed",
    "items/undeclared": "items without a field for a result, with any outcome",
    "sites/unmatched": "selectors of `WEBTEXT_SITES` that match nothing on a site any more",
    "sites/repeated_blocks": "blocks of texts that other pages of the site had (`WEBTEXT_REPEATS`)",
    "sites/repeated_texts": "pages with a text that two earlier pages of the site had as a whole",
    "errors/<Exception>": "faults; items of the page keep `None` in the fields",
    "seconds/judging": "time of judging",
    "seconds/extraction": "time of extraction",
    "crawl/pages": "pages read by the command `scrapy webtext crawl`",
    "crawl/no_text": "of the command: items dropped because they had no text",
    "crawl/copies": "of the command: items dropped as copies of an earlier text",
    "crawl/error_answers": "of the command: pages with an error status",
    "crawl/not_reached": "of the command: pages that could not be fetched",
}

#: The pipeline counts every item in exactly one of these stats, ``items/<outcome>``.
OUTCOMES: Final = (
    "filled", "empty", "dropped", "unfilled", "unbound", "failed", "unsupported",
)  # fmt: skip

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
