"""Scrapy responses to pages: which to read, and how their text is decoded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scrapy.http import HtmlResponse, TextResponse
from scrapy.http.request import NO_CALLBACK

from scrapy_webtext.page import Page, from_root, parse

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.http import Response

#: Encodings that a server names by default and that decode any bytes without complaint.
LATIN_1: Final = frozenset({"cp1252", "windows-1252", "iso8859-1", "iso-8859-1", "latin-1"})

#: A body that begins with one of these (after white space) is HTML though nobody says so.
HTML_STARTS: Final = (
    b"<!doctype html", b"<html", b"<head", b"<body", b"<title", b"<meta", b"<div", b"<p>",
    b"<article", b"<main", b"<table", b"<h1", b"<!--",
)  # fmt: skip


def skip_reason(response: Response, request: Request | None, max_body_size: int) -> str | None:
    """Why a response is left alone, or None: "no_callback", "status", "not_html", "too_large".

    Requests without a callback of the spider's own are those for robots.txt and media.
    """
    if request is not None and request.callback is NO_CALLBACK:
        return "no_callback"
    if not 200 <= response.status < 300:
        return "status"
    if not is_html(response):
        return "not_html"
    if max_body_size and len(response.body) > max_body_size:
        return "too_large"
    return None


def is_html(response: Response) -> bool:
    """Whether a response is HTML by its type, or by its first bytes where it names no type."""
    if isinstance(response, HtmlResponse):
        return True
    if response.headers.get("Content-Type"):
        return False
    return response.body[:512].lstrip(b"\xef\xbb\xbf \t\r\n").lower().startswith(HTML_STARTS)


def read_page(response: Response, fix_encoding: bool) -> Page:
    """Return the page of a response, sharing the spider's own parse where there is one."""
    if not isinstance(response, TextResponse):
        return parse(response.body, url=response.url)
    text = _as_utf8(response) if fix_encoding else None
    if text is not None:
        return parse(text, url=response.url)
    if not response.body.strip():
        return parse("", url=response.url)
    return from_root(response.selector.root, source=response.text, url=response.url)


def _as_utf8(response: TextResponse) -> str | None:
    """Text of a UTF-8 body that is called Latin-1, or None for any other response."""
    if response.encoding.lower() not in LATIN_1 or response.body.isascii():
        return None
    try:
        return response.body.decode("utf-8")
    except UnicodeDecodeError:
        return None
