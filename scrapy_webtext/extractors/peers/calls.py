"""Extractors of other packages, each called as its documentation says; imported on use."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module, metadata
from typing import Any, Final, TypeAlias

from scrapy_webtext.errors import MissingExtraError

#: From HTML and address to text.
Call: TypeAlias = Callable[[str, str | None], str | None]


def _import(peer: str, module: str, package: str) -> Any:
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingExtraError(f"The extractor {peer!r}", package, "peers") from error


def _trafilatura(**options: Any) -> Call:
    module = _import("trafilatura", "trafilatura", "trafilatura")
    return lambda html, _url: module.extract(html, include_comments=False, **options)


def _resiliparse() -> Call:
    module = _import("resiliparse", "resiliparse.extract.html2text", "resiliparse")
    return lambda html, _url: module.extract_plain_text(
        html, main_content=True, alt_texts=False, links=False, preserve_formatting=True
    )


def _readability() -> Call:
    readability = _import("readability", "readability", "readability-lxml")
    html_text = _import("readability", "html_text", "html-text")
    return lambda html, _url: html_text.extract_text(
        readability.Document(html).summary(html_partial=True)
    )


def _newspaper4k() -> Call:
    with warnings.catch_warnings():  # of nltk, which its summaries need
        warnings.simplefilter("ignore")
        newspaper = _import("newspaper4k", "newspaper", "newspaper4k")

    def call(html: str, url: str | None) -> str | None:
        article = newspaper.Article(url or "https://example.com/", fetch_images=False)
        article.download(input_html=html)
        article.parse()
        text: str | None = article.text
        return text

    return call


def _justext() -> Call:
    module = _import("justext", "justext", "justext")
    words = module.get_stoplist("English")
    return lambda html, _url: "\n".join(
        paragraph.text for paragraph in module.justext(html, words) if not paragraph.is_boilerplate
    )


def _html_text() -> Call:
    module = _import("html_text", "html_text", "html-text")
    return lambda html, _url: module.extract_text(html)


#: Peer -> what imports it and returns the function from HTML and address to text.
CALLS: Final[Mapping[str, Callable[[], Call]]] = {
    "trafilatura": _trafilatura,
    "trafilatura_fast": lambda: _trafilatura(fast=True),
    "resiliparse": _resiliparse,
    "readability": _readability,
    "newspaper4k": _newspaper4k,
    "justext": _justext,
    "html_text": _html_text,
}

#: Registered peer -> the packages that its text depends on.
PACKAGES: Final[Mapping[str, tuple[str, ...]]] = {
    "trafilatura": ("trafilatura",),
    "resiliparse": ("resiliparse",),
    "readability": ("readability-lxml", "html-text"),
    "newspaper4k": ("newspaper4k",),
}


def versions_of(name: str) -> Iterator[tuple[str, str]]:
    """Yield the packages of a registered peer with their versions."""
    for package in PACKAGES[name]:
        yield f"package {package}", metadata.version(package)
