"""What came of ``scrapy webtext crawl``: its closing table, and what went wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from scrapy_webtext.cli.crawl_order import WHOLE, CrawlOrder

#: Why a crawl ended that read as many pages as it was to read.
PAGES: Final = "pages"

#: Why a crawl ended whose rows could not be stored, or whose job could not be written.
OUTPUT: Final = "output"

#: The stat of pages that were read.
PAGES_READ: Final = "webtext/crawl/pages"


@dataclass(frozen=True)
class CrawlOutcome:
    """What came of a crawl."""

    stats: Mapping[str, Any]  #: Scrapy's
    failures: tuple[str, ...]  #: why sources could not be read, or rows not be stored
    kept: int  #: rows that are stored
    is_resumed: bool = False  #: whether it went on with a job

    @property
    def is_interrupted(self) -> bool:
        """Whether somebody stopped it."""
        return self.stats.get("finish_reason") in ("shutdown", None)

    def table(self, order: CrawlOrder) -> str:
        """Return what became of the pages, a line each, and why the crawl ended before its end.

        What is 0 is left out.
        """
        rows = [
            ("pages read", self._number(PAGES_READ)),
            ("articles kept", self.kept),
            ("without an article", self._number("webtext/items/dropped")),
            ("without a text", self._number("webtext/crawl/no_text")),
            ("copies of what was kept", self._number("webtext/crawl/copies")),
            ("answered with an error", self._number("webtext/crawl/error_answers")),
            ("sitemaps, feeds, files", self._number("webtext/responses/skipped/not_html")),
            ("too large", self._total("webtext/responses/skipped/too_")),
            ("forbidden by robots.txt", self._number("robotstxt/forbidden")),
            ("not reached", self._number("webtext/crawl/not_reached")),
            ("links to other sites", self._number("offsite/filtered")),
        ]
        if order.all_pages:
            rows[1] = ("pages kept", rows[1][1])
        always = ("pages read", rows[1][0])
        lines = [f"{words:<24} {n:>7}" for words, n in rows if n or words in always]
        lines.append(f"{'time':<24} {_time(float(self.stats.get('elapsed_time_seconds') or 0))}")
        return "\n".join([*lines, *filter(None, [self._ending(order)])])

    def faults(self, order: CrawlOrder) -> list[str]:
        """Return what went wrong: sources that could not be read, or that nothing was kept."""
        if self.failures or self.is_interrupted or self.is_resumed:
            return list(self.failures)
        pages = self._number(PAGES_READ)
        if self.kept:
            return []
        if self._number("robotstxt/forbidden") and pages <= len(order.sources):
            return ["robots.txt forbids all that was found: name a part of the site that it allows"]
        unreached = self._number("webtext/crawl/not_reached")
        if unreached:
            return [
                f"Of {pages + unreached} pages {unreached} were not reached, none has an article"
            ]
        return [
            f"No article kept of {pages} read: read more (--pages, --depth, --include), name a "
            "section, a sitemap or a feed, lower --threshold, or see the others with --all-pages"
        ]

    def _ending(self, order: CrawlOrder) -> str | None:
        reason = self.stats.get("finish_reason")
        if reason == "finished":
            return None
        if order.job is None:
            go_on = "with --job DIR the same command could go on from there"
        elif Path(order.output).suffix.lower() in WHOLE:
            go_on = "the same command with another FILE goes on from there"
        else:
            go_on = "the same command goes on from there"
        if reason == PAGES:
            return f"stopped after {order.pages} pages (--pages); {go_on}"
        if reason == OUTPUT:
            return f"stopped, because nothing more can be stored; {go_on}"
        return f"{'interrupted' if self.is_interrupted else f'stopped: {reason}'}; {go_on}"

    def _number(self, name: str) -> int:
        return int(self.stats.get(name, 0))

    def _total(self, prefix: str) -> int:
        return sum(int(n) for name, n in self.stats.items() if name.startswith(prefix))


def _time(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes:>4}:{rest:02}"
