"""``extract``, for HTML in a notebook or a response in a callback, and ``extract_many``."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from scrapy_webtext.errors import NotHtmlError, SettingsError, UnknownOptionError, describe
from scrapy_webtext.page.encoding import what_else
from scrapy_webtext.reader import PageReader, default_reader, in_order
from scrapy_webtext.registry import AnyExtractor, AnyJudge
from scrapy_webtext.results import WebTextResult

if TYPE_CHECKING:
    from scrapy.http import Response


#: Keywords of trafilatura's `extract`, which people try here.
TRAFILATURA: Final = re.compile(
    r"'(favor|include|no|only|output|prune|target|url|author|with)_\w+'|'deduplicate'|'fast'"
)

#: Classes of what is no list of pages.
_ONE: Final = (str, bytes, bytearray, memoryview, Mapping)

_FILE: Final = re.compile(r"^[\w./\\:~-]{1,250}\.x?html?", re.IGNORECASE)


def extract(
    html: str | bytes | bytearray | memoryview | Response,
    *,
    url: str | None = None,
    extractor: AnyExtractor | None = None,
    judge: AnyJudge | None = None,
    threshold: float | None = None,
    include: str | Collection[str] | None = (),
    within: str = "",
    without: str = "",
    **options: Any,
) -> WebTextResult:
    """Return the main text of a page and whether it has an article.

    ``extractor`` and ``judge`` are registered names, dotted paths, classes or objects. The defaults
    of ``extractor``, ``judge`` and ``threshold`` are the defaults of the settings. ``options`` are
    parameters of the extractor. ``include`` names optional result fields (`reader.INCLUDED` lists
    them): renderings of the text ("main_markdown", "main_html", "blocks"), metadata ("title",
    "authors", "published", ...), the "fingerprint" of the text; or "all". ``within`` and
    ``without`` are CSS selectors. The text is taken from the elements that ``within`` selects, if
    it selects any; text in elements that ``without`` selects is left out. ``bytes`` are decoded as
    in a crawl. Any HTML gives a result; the text may be empty. Raise NotHtmlError for an address,
    JSON, a PDF or a picture, SettingsError for an unknown name or a wrong parameter, TypeError for
    input of another type.

    In a callback, ``extract(response)`` applies the crawl's settings and returns the same result as
    the pipeline; it is computed once. A response that the crawl skips because of its status or its
    size is read, too. ``result.status`` is "failed" if the extractor or the judge raised, and
    "skipped" if the response is no HTML. Neither raises an error.

    >>> extract("<article><p>One day it rained.</p></article>").main_text
    'One day it rained.'
    """
    how = {**options, "extractor": extractor, "judge": judge, "threshold": threshold}
    how.update(include=include, within=within, without=without)
    with _keywords_of(extract):
        html, url = _plain(html), _address(url)
        if not isinstance(html, str | bytes):
            from scrapy_webtext.crawling.crawl import extract_response  # imports Scrapy

            return extract_response(html, **how)
        reader = default_reader().changed(**how)
    _check_html(html)
    return reader.result(reader.page(html, url=url))


def extract_many(
    pages: Iterable[str | bytes | Sequence[str | bytes | None]], *, processes: int = 1, **how: Any
) -> Iterator[WebTextResult]:
    """Yield the result of each page, in the order of the pages, in constant memory.

    A page is HTML, or a pair of HTML and its address, which is the result's ``url``. ``how`` has
    further arguments of `extract`. With several ``processes`` a script needs ``if __name__ ==
    "__main__":``. ``result.status`` is "skipped" for a page that is no HTML, "failed" if the
    extractor or the judge raised. Raise SettingsError for an unknown name or parameter, before the
    first page is read, and TypeError for one page or a table.
    """
    if isinstance(pages, _ONE) or hasattr(pages, "columns"):
        kind, repair = type(pages).__name__, "give it [page], or zip(table['html'], table['url'])"
        raise TypeError(f"extract_many() takes a list of pages, not {kind}: {repair}")
    if processes < 1:
        repair = "give 1, or the number of your processor cores"
        raise SettingsError(f"extract_many() takes processes from 1 on, not {processes}: {repair}")
    with _keywords_of(extract_many, PageReader.changed):
        reader = default_reader().changed(**how)
    reader = replace(reader, max_body_size=0, max_elements=0)  # the pages are in memory already
    return in_order(partial(_read_one, reader), map(_given, pages), processes)


@contextmanager
def _keywords_of(*functions: Callable[..., Any]) -> Iterator[None]:
    """List the keyword arguments of these functions in the message of an UnknownOptionError."""
    try:
        yield
    except UnknownOptionError as error:
        parameters = [p for one in functions for p in inspect.signature(one).parameters.values()]
        own = ", ".join(p.name for p in parameters if p.default is not p.empty)
        words = f"{error}; {functions[0].__name__}() takes: {own}"
        if TRAFILATURA.search(words):
            words += "; docs/coming_from.md has the keyword for each of trafilatura's"
        raise UnknownOptionError(words) from None


def _given(page: Any) -> tuple[Any, str | None, str | None]:
    """Return the HTML and the address of a page, or why it cannot be read; it can be pickled."""
    address = None
    try:
        html, url = page if isinstance(page, tuple | list) else (page, None)
        html, address = _plain(html), None if str(url) in _MISSING else _address(url)
        if not isinstance(html, str | bytes):
            raise TypeError(f"extract_many() takes str or bytes, not {type(html).__name__}")
    except Exception as error:
        return None, address, describe(error)
    return html, address, None


def _read_one(reader: PageReader, page: tuple[Any, str | None, str | None]) -> WebTextResult:
    html, url, fault = page
    if fault is not None:
        found = reader.unread("failed", fault)
    elif what_else(html):
        found = reader.unread("skipped", "not_html")
    else:
        found = reader.read(html, url=url)
    return replace(found, url=url)


#: Missing addresses in tables, as text.
_MISSING: Final = frozenset({"None", "nan", "NaT", "<NA>"})


def _plain(html: Any) -> Any:
    """Return text and bytes of other classes as str and bytes, and other objects unchanged."""
    if isinstance(html, str):
        return str.__str__(html)
    return bytes(html) if isinstance(html, bytes | bytearray | memoryview) else html


def _address(url: Any) -> str | None:
    """Return an address as str; raise TypeError if it is neither a text nor an object for a URL."""
    if url is None or isinstance(url, str):
        return url if url is None else str.__str__(url)
    text = url.decode() if isinstance(url, bytes) else str(url)
    if "://" not in text:
        raise TypeError(f"url must be a str, not {type(url).__name__}")
    return text


_TAKES: Final = "extract() takes the HTML of a page"


def _check_html(html: str | bytes) -> None:
    if isinstance(html, str) and _FILE.fullmatch(html):
        repair = f"give Path({html!r}).read_bytes(), or run: scrapy webtext extract {html}"
        raise NotHtmlError(f"{_TAKES}, not the name of a file ({html}): {repair}")
    other = what_else(html)
    if other == "an address":
        address = html.decode("latin-1") if isinstance(html, bytes) else html
        repair = "fetch it first, or run: scrapy webtext extract ADDRESS"
        raise NotHtmlError(f"{_TAKES}, not its address ({address.strip()[:200]}): {repair}")
    if other:
        field = "give the field that has the HTML, such as data['content']"
        repair = field if other == "JSON" else "leave it out"
        raise NotHtmlError(f"extract() takes HTML, and this is {other}: {repair}")
