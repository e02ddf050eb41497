"""Articles over several pages: the link to the next one, and the parts as one result."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import takewhile
from typing import Any, Final

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response, TextResponse
from scrapy.http.request import NO_CALLBACK
from scrapy.utils.defer import maybe_deferred_to_future

from scrapy_webtext.errors import shown
from scrapy_webtext.metadata.text import fingerprint
from scrapy_webtext.page import Page
from scrapy_webtext.page.selectors import NEXT_PAGE
from scrapy_webtext.results import WebTextResult

#: Key of ``request.meta`` with the number of a page of an article, from 2 on.
NUMBER: Final = "webtext_page"

_LINKS: Final = frozenset({"a", "link"})
_DIGITS: Final = re.compile(r"(\d{1,18})")
#: What the address of a further page adds to the first page's: "/2", "-2", "?page=2", "/page/2/".
_ADDED: Final = re.compile(r"[/?&_.;,-]?(?:[a-z_-]{1,12}[/=_-])?0?(\d{1,3})[/&]?", re.IGNORECASE)
#: Separators of the parts of texts.
_JOINED: Final = {"main_text": "\n", "main_markdown": "\n\n", "main_html": "\n"}


def number_of(request: Request | None) -> int:
    """Return the number of a page of an article; 1 for a page that the spider asked for."""
    return int(request.meta.get(NUMBER, 1)) if request is not None else 1


def find_next(response: Response, page: Page) -> str | None:
    """Return the address of the next page of an article, None if there is none.

    It is the link that the site's rule names; else a link with ``rel=next``, or whose text is the
    number of the page, to the address of this page with the next number. Next articles and next
    lists have other addresses.
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
    """Return the address of a link on the web; empty if it has none."""
    with suppress(ValueError, LookupError):  # href="http://[", <base> as well; an unknown charset
        address = response.urljoin(link).partition("#")[0]
        return address if address.startswith(("http://", "https://")) else ""
    return ""


def is_next(address: str, other: str, number: int) -> bool:
    """Return whether another address is the same with the number of the next page."""
    found = _numbers(address, other)
    return found is not None and found[0] in (None, number - 1) and found[1] == number


def is_further(address: str, other: str, most: int) -> bool:
    """Return whether another address is a further page of the first page, up to this number."""
    found = _numbers(address, other)
    return found is not None and found[0] in (None, 1) and 1 < found[1] <= most


def _numbers(address: str, other: str) -> tuple[int | None, int] | None:
    """Return the numbers by which two addresses differ; None for the first if it has none."""
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
    """Return the response of a page of an article; raise if it cannot be fetched.

    The page is read by the settings of the first page's request. A redirect may change its address,
    but not from a numbered page of the article to another page.
    """
    own = first.meta if first.request is not None else {}
    meta = {NUMBER: number, **{key: own[key] for key in ("webtext",) if key in own}}
    request = Request(address, callback=NO_CALLBACK, meta=meta)
    engine: Any = crawler.engine
    if hasattr(engine, "download_async"):
        response: Response = await engine.download_async(request)
    else:  # Scrapy 2.13
        response = await maybe_deferred_to_future(engine.download(request))
    if response.status != 200 or not isinstance(response, TextResponse):
        raise ValueError(f"status {response.status}")
    if is_further(first.url, address, number) > is_further(first.url, response.url, number):
        raise ValueError(f"redirected to {shown(response.url)}")
    return response


def join(parts: Sequence[WebTextResult]) -> WebTextResult:
    """Return the result of an article: the first page's, with the texts of all pages.

    Rows have their places in the whole text. The links and images of further pages are there only
    with ``blocks``, which number their blocks.
    """
    first = parts[0]
    changes: dict[str, Any] = {
        name: separator.join(getattr(part, name) for part in parts)
        for name, separator in _JOINED.items()
        if getattr(first, name) is not None
    }
    if first.fingerprint is not None:
        changes["fingerprint"] = fingerprint(changes["main_text"])
    if first.blocks is not None:
        changes.update(_rows(parts))
    return replace(first, **changes)


def _rows(parts: Sequence[WebTextResult]) -> dict[str, Any]:
    """Return the blocks, links and images of all pages, as far as the first page has them."""
    rows: dict[str, list[Any]] = {"blocks": [], "links": [], "images": []}
    start = count = 0  # characters and blocks of earlier pages
    for part in parts:
        blocks = part.blocks or ()
        rows["blocks"] += [replace(b, start=b.start + start, end=b.end + start) for b in blocks]
        for name in ("links", "images"):
            rows[name] += [replace(r, block=r.block + count) for r in getattr(part, name) or ()]
        start, count = start + len(part.main_text) + 1, count + len(blocks)
    return {name: tuple(of) for name, of in rows.items() if getattr(parts[0], name) is not None}
