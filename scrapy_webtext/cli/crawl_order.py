"""What ``scrapy webtext crawl`` is asked to do, checked before anything is fetched."""

from __future__ import annotations

import argparse
import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from scrapy_webtext.cli.crawl import DEFAULT_FIELDS, DEFAULT_PAGES, FORMATS
from scrapy_webtext.cli.output import STDOUT, check_file
from scrapy_webtext.errors import InputError
from scrapy_webtext.log_text import shown

#: Endings of files that are written in one piece: no later run can continue them.
WHOLE: Final = frozenset({".json", ".parquet"})

_WEB_ADDRESS: Final = re.compile(r"https?://[^/\s]", re.IGNORECASE)


@dataclass(frozen=True)
class CrawlOrder:
    """What a crawl is to do."""

    sources: tuple[str, ...]  #: addresses of sites, sitemaps and feeds
    output: str = STDOUT
    form: str = "jsonlines"  #: of Scrapy's feeds
    fields: tuple[str, ...] = DEFAULT_FIELDS
    pages: int = DEFAULT_PAGES  #: the crawl ends after so many; 0 for no limit
    depth: int = 0  #: links between a source and a page; 0 for no limit
    include: tuple[re.Pattern[str], ...] = ()  #: addresses that match one are followed
    exclude: tuple[re.Pattern[str], ...] = ()  #: addresses that match one are not
    job: str | None = None  #: folder that a stopped crawl goes on from
    overwrite: bool = False
    all_pages: bool = False  #: pages without an article are kept, too

    @property
    def purpose(self) -> dict[str, Any]:
        """What must be the same where a job goes on."""
        return {
            "sources": list(self.sources),
            "include": [expression.pattern for expression in self.include],
            "exclude": [expression.pattern for expression in self.exclude],
            "all_pages": self.all_pages,
        }


def order_of(opts: argparse.Namespace, results: Collection[str]) -> CrawlOrder:
    """Return what the options ask for; InputError for what cannot be done, before anything is.

    ``results`` are the names of results that an item can have beside its ``url``.
    """
    if not opts.sources:
        raise InputError("No address given: name a site, a sitemap or a feed")
    for source in opts.sources:
        if not _WEB_ADDRESS.match(source):
            hint = "" if "://" in source else f": write https://{source}"
            raise InputError(f"{shown(source)} is no http or https address{hint}")
    fields = tuple(opts.fields or DEFAULT_FIELDS)
    unknown = [name for name in fields if name != "url" and name not in results]
    if unknown:
        raise InputError(
            f"--fields has {unknown[0]!r}; it takes: url, {', '.join(sorted(results))}"
        )
    order = CrawlOrder(
        tuple(dict.fromkeys(opts.sources)),
        opts.output,
        _form(opts.output),
        fields,
        opts.pages,
        opts.depth,
        tuple(opts.include),
        tuple(opts.exclude),
        opts.job,
        opts.overwrite,
        opts.all_pages,
    )
    check_file(order.output)
    if order.job is not None and order.overwrite:
        raise InputError("--job continues FILE and --overwrite replaces it: leave one of them out")
    if order.job is None and not order.overwrite:
        check_new(order.output)
    return order


def check_new(output: str) -> None:
    """Raise InputError where an output has content."""
    path = Path(output)
    if output != STDOUT and path.is_file() and path.stat().st_size:
        raise InputError(
            f"{output} is there already: name another file, give --overwrite, or go on with the "
            "crawl that wrote it by its --job"
        )


def _form(output: str) -> str:
    if output == STDOUT:
        return "jsonlines"
    form = FORMATS.get(Path(output).suffix.lower())
    if form is None:
        raise InputError(f"-o {output}: its ending must be one of {', '.join(FORMATS)}")
    return form
