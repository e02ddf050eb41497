"""``scrapy webtext crawl``: its order and its outcome."""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

from scrapy_webtext.errors import InputError
from scrapy_webtext.files import STDOUT, check_file
from scrapy_webtext.log_text import shown, without_credentials
from scrapy_webtext.results import RESULT_FIELDS

#: Ending of the output's name -> format of Scrapy's exporters.
FORMATS: Final = {
    ".jsonl": "jsonlines",
    ".jl": "jsonlines",
    ".ndjson": "jsonlines",
    ".json": "json",
    ".csv": "csv",
    ".parquet": "parquet",
}

_WEB_ADDRESS: Final = re.compile(r"https?://[^/\s]", re.IGNORECASE)

#: Reason of the end of a crawl that reached its limit of pages.
PAGES: Final = "pages"

#: Reason of the end of a crawl whose rows or whose job could not be written.
OUTPUT: Final = "output"

#: The stat of pages that were read.
PAGES_READ: Final = "webtext/crawl/pages"

#: The stat of pages that were skipped because of their number of elements.
TOO_MANY: Final = "webtext/responses/skipped/too_many_elements"


@dataclass(frozen=True)
class CrawlOrder:
    """The order of a crawl; its fields are named as the options."""

    sources: list[str]  #: addresses of sites, sitemaps and feeds
    output: str
    fields: list[str]
    pages: int  #: limit of pages; 0 for no limit
    depth: int  #: limit of links between a source and a page; 0 for no limit
    include: list[re.Pattern[str]]  #: addresses that match one of them are followed
    exclude: list[re.Pattern[str]]  #: addresses that match one of them are not followed
    job: str | None  #: folder from which a stopped crawl goes on
    overwrite: bool
    all_pages: bool  #: pages without an article are kept, too

    @property
    def form(self) -> str | None:
        """The format of the output; None if its ending is unknown."""
        ending = Path(self.output).suffix.lower()
        return "jsonlines" if self.output == STDOUT else FORMATS.get(ending)

    @property
    def is_whole(self) -> bool:
        """Whether the output is written in one piece, so that no later run can continue it."""
        return self.form in ("json", "parquet")

    @property
    def purpose(self) -> dict[str, Any]:
        """The part of the order that must be the same when a job goes on."""
        return {
            "sources": list(map(without_credentials, self.sources)),
            "include": [expression.pattern for expression in self.include],
            "exclude": [expression.pattern for expression in self.exclude],
            "all_pages": self.all_pages,
        }


def order_of(opts: argparse.Namespace) -> CrawlOrder:
    """Return the order of the options; InputError for an order that cannot be carried out."""
    if not opts.sources:
        raise InputError("No address given: name a site, a sitemap or a feed")
    for source in opts.sources:
        if not _WEB_ADDRESS.match(source):
            hint = "" if "://" in source else f": write https://{source}"
            raise InputError(f"{shown(source)} is no http or https address{hint}")
    unknown = [name for name in opts.fields if name not in ("url", *RESULT_FIELDS)]
    if unknown:
        allowed = ", ".join(sorted(RESULT_FIELDS))
        raise InputError(f"--fields has {unknown[0]!r}; it takes: url, {allowed}")
    given = {field.name: getattr(opts, field.name) for field in fields(CrawlOrder)}
    order = CrawlOrder(**{**given, "sources": list(dict.fromkeys(opts.sources))})
    if order.form is None:
        raise InputError(f"-o {order.output}: its ending must be one of {', '.join(FORMATS)}")
    check_file(order.output)
    if order.job is not None and order.overwrite:
        raise InputError("--job continues FILE and --overwrite replaces it: leave one of them out")
    if order.job is None and not order.overwrite:
        check_new(order.output)
    return order


def check_new(output: str) -> None:
    """Raise InputError if an output has content."""
    path = Path(output)
    if output != STDOUT and path.is_file() and path.stat().st_size:
        raise InputError(
            f"{output} is there already: name another file, give --overwrite, or go on with the "
            "crawl that wrote it by its --job"
        )


@dataclass(frozen=True)
class CrawlOutcome:
    """The outcome of a crawl."""

    stats: Mapping[str, Any]  #: Scrapy's
    failures: tuple[str, ...]  #: faults of sources and of the output
    kept: int  #: number of rows in the output
    is_resumed: bool = False  #: whether it continued a job

    @property
    def is_interrupted(self) -> bool:
        """Whether the user stopped it."""
        return self.stats.get("finish_reason") in ("shutdown", None)

    def table(self, order: CrawlOrder) -> str:
        """Return the counts of the crawl, a line each, and why it stopped early, if it did.

        Counts of 0 are left out.
        """
        rows = [
            ("pages read", self._number(PAGES_READ)),
            ("pages kept" if order.all_pages else "articles kept", self.kept),
            ("without an article", self._number("webtext/items/dropped")),
            ("without a text", self._number("webtext/crawl/no_text")),
            ("copies of what was kept", self._number("webtext/crawl/copies")),
            ("answered with an error", self._number("webtext/crawl/error_answers")),
            ("sitemaps, feeds, files", self._number("webtext/responses/skipped/not_html")),
            ("too large", self._number("webtext/responses/skipped/too_large", TOO_MANY)),
            ("forbidden by robots.txt", self._number("robotstxt/forbidden")),
            ("not reached", self._number("webtext/crawl/not_reached")),
            ("links to other sites", self._number("offsite/filtered")),
        ]
        lines = [f"{words:<24} {n:>7}" for at, (words, n) in enumerate(rows) if n or at < 2]
        minutes, seconds = divmod(round(self.stats.get("elapsed_time_seconds") or 0), 60)
        lines.append(f"{'time':<24} {minutes:>4}:{seconds:02}")
        return "\n".join([*lines, *filter(None, [self._ending(order)])])

    def faults(self, order: CrawlOrder) -> list[str]:
        """Return the faults: sources that could not be read, or no article in the output."""
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
        how = "with --job DIR " if order.job is None else ""
        file = " in another FILE" if order.is_whole else ""
        go_on = f"{how}the same command goes on from there{file}"
        if reason == PAGES:
            return f"stopped after {order.pages} pages (--pages); {go_on}"
        if reason == OUTPUT:
            return f"stopped, because nothing more can be stored; {go_on}"
        return f"{'interrupted' if self.is_interrupted else f'stopped: {reason}'}; {go_on}"

    def _number(self, *names: str) -> int:
        return sum(int(self.stats.get(name, 0)) for name in names)
