"""What can be scored for its metadata: our extraction, and other packages as they document it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any, Final, NamedTuple

from scrapy_webtext.defaults import DEFAULT_EXTRACTOR, DEFAULT_JUDGE
from scrapy_webtext.errors import MissingExtraError
from scrapy_webtext.extraction import extract_page, resolve
from scrapy_webtext.metadata import metadata
from scrapy_webtext.page import Page, parse
from scrapy_webtext.results import Extraction


class Described(NamedTuple):
    """What a system says of a page's article."""

    title: str | None = None
    authors: Sequence[str] = ()
    published: str | None = None  #: begins with the day, as ISO 8601 has it
    seconds: float | None = None  #: CPU time of what is scored, where that is not the whole call


#: What systems are asked for.
FIELDS: Final = ("title", "authors", "published")

System = Callable[[str, str | None], Described]


def _webtext() -> System:
    extractor, judge = resolve(DEFAULT_EXTRACTOR, DEFAULT_JUDGE, {})

    def call(html: str, url: str | None) -> Described:
        page = parse(html, url=url)
        found = extract_page(page, extractor, judge, formats=FIELDS)
        return Described(found.title, found.authors or (), found.published)

    return call


def _webtext_alone() -> System:
    """Parse and metadata, without the text: which blocks it is made of is told."""
    extractor, _ = resolve(DEFAULT_EXTRACTOR, DEFAULT_JUDGE, {})

    def call(html: str, url: str | None) -> Described:
        extraction = extractor.extract(parse(html, url=url))
        began = time.thread_time()
        return _described(parse(html, url=url), extraction, began)

    return call


def _webtext_beside_text() -> System:
    """What metadata cost whoever has the text."""
    extractor, _ = resolve(DEFAULT_EXTRACTOR, DEFAULT_JUDGE, {})

    def call(html: str, url: str | None) -> Described:
        page = parse(html, url=url)
        extraction = extractor.extract(page)
        return _described(page, extraction, time.thread_time())

    return call


def _described(page: Page, extraction: Extraction, began: float) -> Described:
    found = metadata(page, extraction, FIELDS)
    return Described(found.title, found.authors, found.published, time.thread_time() - began)


def _import(module: str, package: str) -> Any:
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingExtraError(f"the peer {package}", package, "peers") from error


def _trafilatura() -> System:
    module = _import("trafilatura", "trafilatura")

    def call(html: str, url: str | None) -> Described:
        return _of_trafilatura(module.bare_extraction(html, url=url, with_metadata=True))

    return call


def _trafilatura_metadata() -> System:
    module = _import("trafilatura.metadata", "trafilatura")
    return lambda html, url: _of_trafilatura(module.extract_metadata(html, default_url=url))


def _of_trafilatura(found: Any) -> Described:
    if found is None:
        return Described()
    authors = [name.strip() for name in (found.author or "").split(";")]
    return Described(found.title, list(filter(None, authors)), found.date)


def _newspaper4k() -> System:
    newspaper = _import("newspaper", "newspaper4k")

    def call(html: str, url: str | None) -> Described:
        article = newspaper.Article(url or "https://example.com/", fetch_images=False)
        article.download(input_html=html)
        article.parse()
        day = str(article.publish_date)[:10] if article.publish_date else None
        return Described(article.title, article.authors, day)

    return call


#: Name in the table -> what imports a system. Text and metadata, but for those that say otherwise.
SYSTEMS: Final[Mapping[str, Callable[[], System]]] = {
    "webtext": _webtext,
    "webtext, metadata alone": _webtext_alone,
    "webtext, metadata beside the text": _webtext_beside_text,
    "trafilatura": _trafilatura,
    "trafilatura, metadata alone": _trafilatura_metadata,
    "newspaper4k": _newspaper4k,
}
