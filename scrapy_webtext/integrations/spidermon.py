"""A monitor for Spidermon that fails if a crawl finds too few articles or too few texts.

Each bound is a share in [0, 1]. A bound that is not set is not checked::

    SPIDERMON_WEBTEXT_MIN_ARTICLES   pages with an article, of all pages judged
    SPIDERMON_WEBTEXT_MIN_FILLED     items that got their fields, of all items
    SPIDERMON_WEBTEXT_MIN_TEXTS      items with a text, of those that got their fields

Set bounds below the usual shares of your sites. After a redesign, or if a site blocks the crawl or
shows a consent page, one of the shares falls, while every response still has status 200.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from spidermon import Monitor, MonitorSuite, monitors
from spidermon.contrib.monitors.mixins import StatsMonitorMixin

from scrapy_webtext.crawling.crawl import WebtextCrawl
from scrapy_webtext.settings import read_threshold

#: Setting -> stats of the part, stats of the rest, words for the share.
BOUNDS: Final = {
    "SPIDERMON_WEBTEXT_MIN_ARTICLES": (
        ("responses/article",),
        ("responses/not_article",),
        "pages judged have an article",
    ),
    "SPIDERMON_WEBTEXT_MIN_FILLED": (
        ("items/filled", "items/empty"),
        ("items/unfilled", "items/unbound", "items/failed"),
        "items have their fields",
    ),
    "SPIDERMON_WEBTEXT_MIN_TEXTS": (
        ("items/filled",),
        ("items/empty",),
        "filled items have a text",
    ),
}


def shortfall(setting: str, stats: Mapping[str, Any], bound: float) -> str | None:
    """Return in words that a share is below its bound, None if it is not.

    The share of a crawl without pages or items is 0.
    """
    part_names, rest_names, words = BOUNDS[setting]
    part, rest = _sum(part_names, stats), _sum(rest_names, stats)
    share = part / (part + rest) if part + rest else 0.0
    if share >= bound:
        return None
    return f"{part} of {part + rest} {words}: {share:.1%}, below {setting} = {bound:.1%}"


def _sum(names: tuple[str, ...], stats: Mapping[str, Any]) -> int:
    return sum(int(stats.get(f"webtext/{name}", 0)) for name in names)


@monitors.name("Main text")
class WebtextMonitor(Monitor, StatsMonitorMixin):
    """Compare shares of articles, filled items and texts with their bounds."""

    @monitors.name("Share of articles")
    def test_share_of_articles(self) -> None:
        """Fail if too few pages have an article."""
        self._check("SPIDERMON_WEBTEXT_MIN_ARTICLES")

    @monitors.name("Share of filled items")
    def test_share_of_filled_items(self) -> None:
        """Fail if too few items have their fields."""
        self._check("SPIDERMON_WEBTEXT_MIN_FILLED")

    @monitors.name("Share of texts")
    def test_share_of_texts(self) -> None:
        """Fail if too few of the filled items have a text."""
        self._check("SPIDERMON_WEBTEXT_MIN_TEXTS")

    @monitors.name("Changes of sites")
    def test_changes_of_sites(self) -> None:
        """Fail if a site has changed since the last crawl (``WEBTEXT_SITE_STATS``)."""
        if self.data.crawler.settings.get("WEBTEXT_SITE_STATS") is None:
            self.skipTest("WEBTEXT_SITE_STATS is not set")
        changes = WebtextCrawl.of(self.data.crawler).site_changes()
        if changes:
            self.fail("; ".join(f"{host}: {words}" for host, words in changes.items()))

    def _check(self, setting: str) -> None:
        value = self.data.crawler.settings.get(setting)
        if value is None:
            self.skipTest(f"{setting} is not set")
        found = shortfall(setting, self.data.stats, read_threshold(setting, value))
        if found is not None:
            self.fail(found)


class WebtextMonitorSuite(MonitorSuite):
    """The suite for ``SPIDERMON_SPIDER_CLOSE_MONITORS``; validates bounds at the spider's start."""

    monitors = (WebtextMonitor,)

    def __init__(self, *args: Any, crawler: Any = None, **kwargs: Any) -> None:
        if crawler is not None:
            for setting in BOUNDS:
                read_threshold(setting, crawler.settings.get(setting, 0))
        super().__init__(*args, crawler=crawler, **kwargs)
