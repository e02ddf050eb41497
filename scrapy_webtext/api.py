"""``extract``, for HTML in a notebook or a response in a callback, and ``extract_many``."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from functools import partial
from importlib import import_module
from itertools import islice
from typing import TYPE_CHECKING, Any

from scrapy_webtext.errors import NotHtmlError, SettingsError
from scrapy_webtext.extraction import extract_page, format_names, unread
from scrapy_webtext.log_text import describe
from scrapy_webtext.page import parse, what_else
from scrapy_webtext.page.selectors import read_selectors
from scrapy_webtext.provenance import VERSION, version_of
from scrapy_webtext.registry import (
    DEFAULT_EXTRACTOR,
    DEFAULT_JUDGE,
    DEFAULT_THRESHOLD,
    AnyExtractor,
    AnyJudge,
    make_extractor,
    make_judge,
    shown_name,
)
from scrapy_webtext.results import WebTextResult
from scrapy_webtext.settings import WebtextSettings, read_threshold

if TYPE_CHECKING:
    from scrapy.http import Response


def extract(
    html: str | bytes | Response,
    *,
    url: str | None = None,
    extractor: AnyExtractor | None = None,
    judge: AnyJudge | None = None,
    threshold: float | None = None,
    include: str | Collection[str] = (),
    within: str = "",
    without: str = "",
    **options: Any,
) -> WebTextResult:
    """Return the main text of a page and whether it has an article.

    ``extractor`` and ``judge`` are registered names, dotted paths, classes or ready objects;
    without one, the defaults of the settings, and so for ``threshold`` (0.5). ``options`` are
    parameters of the extractor. ``include`` names optional result fields, which
    `extraction.INCLUDED` lists: renderings of the text ("main_markdown", "main_html",
    "blocks"), metadata ("title", "authors", "published", ...), its
    "fingerprint"; or "all". CSS selectors limit the text: it is ``within`` these elements (if one
    is there) and ``without`` those. ``bytes`` are decoded as Scrapy would. Any HTML gives a
    result, if an empty one. NotHtmlError for what is an address, JSON, a PDF or a picture,
    SettingsError for an unknown name or a parameter that is not allowed, TypeError for input of
    another type.

    In a callback, ``extract(response)`` returns the result that the pipeline uses, with the
    crawl's settings, computed once. A fault or a response that is no HTML does not
    raise: ``result.status`` is "failed" or "skipped" then.

    >>> extract("<article><p>One day it rained.</p></article>").main_text
    'One day it rained.'
    """
    if threshold is not None:
        threshold = read_threshold("threshold", threshold)
    selectors = read_selectors(within, without, "") if within or without else None
    if not isinstance(html, str | bytes):
        from scrapy_webtext.crawling.crawl import extract_response  # only a crawl has responses

        return extract_response(html, extractor, judge, threshold, include, options, selectors)
    _check_html(html)
    made = make_extractor(extractor or DEFAULT_EXTRACTOR, options)
    made_judge = make_judge(judge or DEFAULT_JUDGE)
    least = DEFAULT_THRESHOLD if threshold is None else threshold
    page = parse(html, url=url, selectors=selectors)
    formats, version = format_names(include), None
    if VERSION in formats:
        parts: dict[str, Any] = {"extractor": made, "judge": made_judge, "threshold": least}
        version = version_of(WebtextSettings(**parts, extractor_options=options), selectors)
    return extract_page(page, made, made_judge, least, formats, version)


def extract_many(
    pages: Iterable[str | bytes | tuple[str | bytes, str | None]],
    *,
    processes: int = 1,
    progress: bool = False,
    **how: Any,
) -> Iterator[WebTextResult]:
    """Yield the result of each page, in their order; memory does not grow with their number.

    A page is HTML, or a pair of HTML and its address. ``how`` has further arguments of `extract`.
    With several ``processes`` a script needs ``if __name__ == "__main__":``. ``progress`` shows a
    bar if tqdm is installed. The result of a page that is no HTML, or on which the extractor fails,
    has this ``status``. Raise as `extract` for an unknown name or parameter, before the first page.
    """
    if processes < 1:
        raise SettingsError(
            f"extract_many() takes processes from 1 on, not {processes}: give 1, or the number of "
            f"your processor cores"
        )
    extract("", url=None, **how)  # raises for an address, too: each page has its own
    if progress:
        with suppress(ImportError):
            pages = import_module("tqdm.auto").tqdm(pages)
    return _results(partial(_extract_one, how), iter(pages), processes)


def _results(
    one: Callable[[Any], WebTextResult], pages: Iterator[Any], processes: int
) -> Iterator[WebTextResult]:
    if processes == 1:
        yield from map(one, pages)
        return
    with ProcessPoolExecutor(processes) as pool:
        while batch := list(islice(pages, 16 * processes)):
            yield from pool.map(one, batch, chunksize=4)


def _extract_one(how: Mapping[str, Any], page: Any) -> WebTextResult:
    try:
        html, url = page if isinstance(page, tuple) else (page, None)
        return extract(html, url=url, **how)
    except (Exception, SystemExit) as error:
        name = shown_name(how.get("extractor") or DEFAULT_EXTRACTOR)
        if isinstance(error, NotHtmlError):
            return unread(name, "skipped", "not_html")
        return unread(name, "failed", describe(error))


def _check_html(html: str | bytes) -> None:
    other = what_else(html)
    if other == "an address":
        address = html.decode("latin-1") if isinstance(html, bytes) else html
        raise NotHtmlError(
            f"extract() takes the HTML of a page, not its address ({address.strip()[:200]}): fetch "
            "it first, or run: scrapy webtext extract ADDRESS"
        )
    if other:
        raise NotHtmlError(f"extract() takes HTML, and this is {other}: leave it out")
