"""Makes pages of Scrapy responses: reasons to skip a response, its encoding, its tree.

Scrapy parses a response when its selector is first used. The response keeps the tree, in a
reference cycle that only Python's garbage collector frees. If a callback uses selectors, the
extension reads its pages from that tree, except for the few pages before the first use is seen. For
other callbacks it parses each page into a separate tree and frees it at once. This needs a third of
the memory and halves the lag of the event loop.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from scrapy import Request
from scrapy.http import HtmlResponse, Response, TextResponse, XmlResponse
from scrapy.http.request import NO_CALLBACK

from scrapy_webtext.crawling.private import declared_encoding, has_selector
from scrapy_webtext.page import Page, encoding, from_root, parse_utf8
from scrapy_webtext.page.parser_limits import has_swollen_tag
from scrapy_webtext.reader import PageReader


def skip_reason(response: Response, request: Request | None, reader: PageReader) -> str | None:
    """Return why a response is skipped; None if it is read.

    The reasons are "no_callback", "head", "status", "not_html", "too_large" and
    "too_many_elements". Requests with NO_CALLBACK are for robots.txt and media; responses to HEAD
    have no body.
    """
    if request is not None and request.callback is NO_CALLBACK:
        return "no_callback"
    no_page = no_page_reason(response, request)
    if no_page != "head" and not 200 <= int(response.status) < 300:
        return "status"
    if no_page is not None:
        return no_page
    return reader.skip(response.body)


def no_page_reason(response: Response, request: Request | None) -> str | None:
    """Return why a response contains no page: "head" or "not_html"; None if it contains one."""
    if request is not None and request.method == "HEAD":
        return "head"
    return None if has_html(response) else "not_html"


def has_html(response: Response) -> bool:
    """Return whether a response is HTML, by its class, its Content-Type or its first bytes.

    A body that begins like a PDF or a picture is no HTML, whatever its Content-Type is.
    """
    if encoding.file_kind(response.body[:8]) is not None:
        return False
    if isinstance(response, HtmlResponse):
        return True
    content_type = (response.headers.get("Content-Type") or b"").decode("latin-1")
    return encoding.is_html(response.body, content_type)


def read_page(response: Response, reader: PageReader, shares_tree: bool = True) -> Page:
    """Return the page of a response, read from its selector's tree or from a separate tree.

    XHTML is parsed as HTML into a separate tree, because the element names in its selector's tree
    have namespaces.
    """
    if not isinstance(response, TextResponse) or encoding.is_foreign_codec(response.encoding):
        return reader.page(response.body, url=response.url)
    if encoding.wide_encoding(response.body) is not None:
        return reader.page(response.body, url=response.url)
    declared = declared_encoding(response)  # or by the constructor
    text = response.text if has_selector(response) else None
    body = encoding.as_declared(response.body, declared, text)
    fixed = None
    if body is None:
        whole, is_declared = response.text, declared is not None
        fixed = encoding.repaired(response.body, response.encoding, whole, is_declared)
        body = encoding.encode(response.text if fixed is None else fixed)
    shown = encoding.without_c1(body)
    root = _tree_of(response, body, shares_tree) if fixed is None and shown is body else None
    body = shown
    if root is None:
        return parse_utf8(body, url=response.url, selectors=reader.selectors)
    return from_root(root, body=body, url=response.url, selectors=reader.selectors)


def _tree_of(response: TextResponse, body: bytes, shares_tree: bool) -> Any:
    """Return the tree of a response's selector; None if the page needs a separate tree."""
    is_apart = not shares_tree and isinstance(response, HtmlResponse)
    is_blank = not response.body or response.body.isspace()
    if isinstance(response, XmlResponse) or is_apart or is_blank:
        return None
    if not has_selector(response) and has_swollen_tag(body):
        return None
    # ValueError: <base href="http://[">. RecursionError: parsel 1.8 reads "[" times 10,000 as JSON.
    with suppress(ValueError, RecursionError):
        selector = response.selector
        return selector.root if selector.type == "html" else None  # JSON has no tree
    return None


def callback_name(request: Request | None) -> str:
    """Return the name of a request's callback; "" if it has none, so that ``parse`` is called."""
    callback = request.callback if request is not None else None
    callback = getattr(callback, "func", callback)  # functools.partial has "func"
    return getattr(callback, "__qualname__", "")
