"""Articles over several pages: finds the link to the next page, joins the pages' results."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import count, takewhile
from typing import Any, Final

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response, TextResponse
from scrapy.http.request import NO_CALLBACK
from scrapy.utils.defer import maybe_deferred_to_future

from scrapy_webtext.crawling.sites import host_of, is_web_address
from scrapy_webtext.errors import shown
from scrapy_webtext.metadata.text import fingerprint
from scrapy_webtext.page import Page
from scrapy_webtext.page.selectors import NEXT_PAGE
from scrapy_webtext.results import Extraction, WebTextResult

#: Key of ``request.meta`` with the page's number in its article; only pages from 2 on have it.
NUMBER: Final = "webtext_page"

#: Keys of ``request.meta`` that are about one request only; our own begin with "webtext_".
_STATE: Final = frozenset(
    "depth download_latency is_start_request playwright_page retry_times redirect_times "
    "redirect_ttl redirect_urls redirect_reasons".split()
)

_LINKS: Final = frozenset({"a", "link"})
_DIGITS: Final = re.compile(r"(\d{1,18})")
#: The part that a further page adds to the first page's address: "/2", "-2", "?page=2", "/page/2/".
_ADDED: Final = re.compile(r"[/?&_.;,-]?(?:[a-z_-]{1,12}[/=_-])?0?(\d{1,3})[/&]?", re.IGNORECASE)
#: Result field -> separator between the texts of pages.
_JOINED: Final = {"main_text": "\n", "main_markdown": "\n\n", "main_html": "\n"}
_HEADLINE: Final = {
    "main_markdown": re.compile(r"\A# [^\n]{1,1000}(?:\n|\Z)"),
    "main_html": re.compile(r"\A<h1>[^\n]{1,1000}</h1>(?:\n|\Z)"),
}
#: A page's number after its headline: "- Page 2", "(2/3)".
_PAGE: Final = re.compile(
    r"[\W_]{0,5}(?:(?:[^\W\d_]{1,8}\.?\s?)?\d{1,3}(?:\s?\S{1,3}\s?\d{1,3})?\W?)?(?:</h1>)?"
)
#: Number of the first and the last blocks of a further page that may repeat the first page.
_EDGE: Final = 8
#: The start of a footnote; its label, also in the text.
_NOTE: Final = re.compile(r"^\[\^(\w{1,40})\]:", re.MULTILINE)
_LABEL: Final = re.compile(r"(?<!\\)\[\^(\w{1,40})\]")


def number_of(request: Request | None) -> int:
    """Return the number of a page in its article; 1 for a page that the spider requested."""
    return int(request.meta.get(NUMBER, 1)) if request is not None else 1


def find_next(response: Response, page: Page) -> str | None:
    """Return the address of the next page of an article; None if it has none.

    A link that the site's rule selects is preferred. Any other link must have ``rel=next`` or the
    next page's number as its text, and its address must be this page's address with the next
    number, so a link to the next article is not followed.
    """
    number = number_of(response.request) + 1
    get, runs = page.nodes.attributes.get, page.runs
    for node, attribute in page.values.get(NEXT_PAGE, ()):
        if address := _resolve(response, get(node, attribute or "href")):
            return address
    for node in page.nodes.tagged(_LINKS):
        is_named = "next" in get(node, "rel").lower().split()
        if is_named or runs.text[runs.first[node] : runs.end[node]] == [str(number)]:
            address = _resolve(response, get(node, "href"))
            if is_next(response.url, address, number):
                return address
    return None


def _resolve(response: Response, link: str) -> str:
    """Return the absolute http(s) address of a link; empty if it has none."""
    with suppress(ValueError, LookupError):  # href="http://[" here or in <base>; an unknown charset
        address = response.urljoin(link).partition("#")[0]
        return address if is_web_address(address) else ""
    return ""


def is_next(address: str, other: str, number: int) -> bool:
    """Return whether ``other`` is ``address`` with the next page's ``number``."""
    found = _numbers(address, other)
    return found is not None and found[0] in (None, number - 1) and found[1] == number


def is_further(address: str, other: str, most: int) -> bool:
    """Return whether ``other`` is one of pages 2 to ``most`` of the first page ``address``."""
    found = _numbers(address, other)
    return found is not None and found[0] in (None, 1) and 1 < found[1] <= most


def _numbers(address: str, other: str) -> tuple[int | None, int] | None:
    """Return the page numbers of two addresses that differ only by them; else None.

    The first number is None if ``address`` has no page number.
    """
    own, others = _DIGITS.split(address), _DIGITS.split(other)
    changed = [pair for pair in zip(own, others, strict=False) if pair[0] != pair[1]]
    if len(own) == len(others) and len(changed) == 1:
        one, next_one = changed[0]
        return (int(one), int(next_one)) if one.isdigit() and next_one.isdigit() else None
    start = _shared(address, other)
    end = _shared(address[start:][::-1], other[start:][::-1])
    added = _ADDED.fullmatch(other[start : len(other) - end])
    return (None, int(added[1])) if start + end == len(address) and added is not None else None


def _shared(one: str, other: str) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


async def download(crawler: Crawler, address: str, number: int, first: Response) -> Response:
    """Fetch a further page of an article; raise an error if it cannot be fetched.

    The request has the ``meta`` of the first page's request (session, proxy, browser, settings)
    and, on the same host, its headers. A redirect may change the address, but a redirect from a
    numbered page of the article to any other page is an error.
    """
    asked = first.request or Request(first.url)
    names = [name for name in asked.meta if name not in _STATE and not name.startswith("webtext_")]
    meta = {**{name: asked.meta[name] for name in names}, NUMBER: number}
    headers = {name: value for name, value in asked.headers.items() if not name.startswith(b"If-")}
    headers = headers if host_of(address) == host_of(first.url) else {}
    request = Request(address, callback=NO_CALLBACK, headers=headers, meta=meta)
    engine: Any = crawler.engine
    if hasattr(engine, "download_async"):
        response: Response = await engine.download_async(request)
    else:  # for Scrapy 2.13
        response = await maybe_deferred_to_future(engine.download(request))
    if response.status != 200 or not isinstance(response, TextResponse):
        raise ValueError(f"status {response.status}")
    if is_further(first.url, address, number) > is_further(first.url, response.url, number):
        raise ValueError(f"redirected to {shown(response.url)}")
    return response


def without_repeats(page: Page, extraction: Extraction, first_text: str) -> Extraction:
    """Leave out what the first page of an article has, too, such as its standfirst and byline.

    Only blocks at both ends of the texts are compared.
    """
    lines, chosen, texts = first_text.split("\n"), extraction.chosen, page.blocks.text
    known = {*lines[:_EDGE], *lines[-_EDGE:]}
    repeats = {b for b in (*chosen[:_EDGE], *chosen[-_EDGE:]) if texts[b] in known}
    return extraction.with_blocks(page, {*chosen} - repeats) if repeats else extraction


def join(parts: Sequence[WebTextResult]) -> WebTextResult:
    """Return the first page's result with the texts of all pages.

    The offsets of blocks refer to the joined text. Links and images of further pages are added only
    if the results have ``blocks``, because a link has the number of its block.
    """
    first = parts[0]
    changes: dict[str, Any] = {
        name: separator.join(_texts(name, [getattr(part, name) for part in parts]))
        for name, separator in _JOINED.items()
        if getattr(first, name) is not None
    }
    if first.fingerprint is not None:
        changes["fingerprint"] = fingerprint(changes["main_text"])
    if first.blocks is not None:
        changes.update(_rows(parts))
    return replace(first, **changes)


def _texts(name: str, texts: Sequence[str]) -> Iterator[str]:
    """Yield the texts of pages: one headline, and footnotes with labels of their own."""
    headline = _HEADLINE[name].match(texts[0]) if name in _HEADLINE else None
    known: set[str] = set()  # labels of earlier pages
    for number, text in enumerate(texts):
        title = _HEADLINE[name].match(text) if number and headline else None
        if title and headline and _is_repeated(title[0].strip(), headline[0].strip()):
            text = text[title.end() :].lstrip("\n")
        if name == "main_markdown":
            own = {*_NOTE.findall(text)}
            free = (str(k) for k in count(1) if str(k) not in known and str(k) not in own)
            labels = {label: next(free) if label in known else label for label in sorted(own)}
            pieces = _LABEL.split(text)
            pieces[1::2] = [f"[^{labels.get(label, label)}]" for label in pieces[1::2]]
            text = "".join(pieces)
            known.update(labels.values())
        yield text


def _is_repeated(title: str, first: str) -> bool:
    """Return whether a headline is that of the first page, perhaps with the page's number."""
    first = first.removesuffix("</h1>")
    return title.startswith(first) and _PAGE.fullmatch(title[len(first) :]) is not None


def _rows(parts: Sequence[WebTextResult]) -> dict[str, Any]:
    """Return the blocks, links and images of all pages; only fields that the first page has."""
    rows: dict[str, list[Any]] = {"blocks": [], "links": [], "images": []}
    start = number = 0  # characters and blocks of earlier pages
    for part in parts:
        blocks = part.blocks or ()
        rows["blocks"] += [replace(b, start=b.start + start, end=b.end + start) for b in blocks]
        for name in ("links", "images"):
            rows[name] += [replace(r, block=r.block + number) for r in getattr(part, name) or ()]
        start, number = start + len(part.main_text) + 1, number + len(blocks)
    return {name: tuple(of) for name, of in rows.items() if getattr(parts[0], name) is not None}
