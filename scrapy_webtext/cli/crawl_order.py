"""What ``scrapy webtext crawl`` is asked to do, checked before anything is fetched."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from scrapy_webtext.cli.crawl import DEFAULT_FIELDS, DEFAULT_PAGES, FORMATS
from scrapy_webtext.cli.output import STDOUT, check_file
from scrapy_webtext.errors import InputError
from scrapy_webtext.log_text import shown

#: What cannot be gone on with in the same file.
WHOLE: Final = frozenset({"json", "parquet"})


#: The file of a job folder that says whose job it is.
JOB_FILE: Final = "webtext.json"

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
    is_resumed: bool = False  #: whether the job folder holds a crawl that was begun

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
        opts.job is not None and Path(opts.job, JOB_FILE).is_file(),
    )
    _check_output(order)
    _check_job(order)
    return order


def _form(output: str) -> str:
    if output == STDOUT:
        return "jsonlines"
    form = FORMATS.get(Path(output).suffix.lower())
    if form is None:
        raise InputError(f"-o {output}: its ending must be one of {', '.join(FORMATS)}")
    return form


def _check_output(order: CrawlOrder) -> None:
    check_file(order.output)
    if order.output == STDOUT or order.overwrite or not _has_content(Path(order.output)):
        return
    if order.is_resumed and order.form not in WHOLE:
        return
    if order.is_resumed:
        raise InputError(
            f"{order.output} is written in one piece: name another file for what comes now"
        )
    raise InputError(
        f"{order.output} is there already: name another file, give --overwrite, or go on with the "
        "crawl that wrote it by its --job"
    )


def _has_content(path: Path) -> bool:
    return path.is_file() and path.stat().st_size > 0


def _check_job(order: CrawlOrder) -> None:
    if order.job is None:
        return
    folder = Path(order.job)
    if folder.exists() and not folder.is_dir():
        raise InputError(f"--job {order.job} is a file: name a folder")
    if order.is_resumed:
        try:
            there = json.loads((folder / JOB_FILE).read_text("utf-8"))
        except (OSError, ValueError) as error:
            raise InputError(f"--job {order.job} cannot be read: {error}") from None
        if there != order.purpose:
            raise InputError(
                f"--job {order.job} is of another crawl, {shown(json.dumps(there))}: "
                "repeat its addresses and options, or name another folder"
            )
    elif folder.is_dir() and any(folder.iterdir()):
        raise InputError(f"--job {order.job} is not empty and no job of a crawl: name a new folder")


def begin_job(order: CrawlOrder) -> None:
    """Write into the job folder whose it is; InputError where it cannot be written."""
    if order.job is None or order.is_resumed:
        return
    try:
        Path(order.job).mkdir(parents=True, exist_ok=True)
        Path(order.job, JOB_FILE).write_text(json.dumps(order.purpose), "utf-8")
    except OSError as error:
        raise InputError(f"--job {order.job} cannot be made: {error.strerror or error}") from None
