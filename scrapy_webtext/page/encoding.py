"""Decodes bodies: whether bytes are HTML, and in which encoding, by the rules of Scrapy.

And what is no page (a URL, JSON, a file of another type), and which characters files, feeds or
databases refuse.
"""

from __future__ import annotations

import codecs
import json
import re
from functools import lru_cache
from typing import Final

from w3lib.encoding import (
    html_body_declared_encoding,
    html_to_unicode,
    http_content_type_encoding,
    read_bom,
    resolve_encoding,
)

from scrapy_webtext.core.texts import encoded, is_storable

#: Default encodings of servers, which decode any bytes without an error.
LATIN_1: Final = frozenset({"cp1252", "windows-1252", "iso8859-1", "iso-8859-1", "latin-1"})

#: Codecs of Python that are no encodings of the web, but that a page can name. They raise errors,
#: make markup of other ASCII, or take quadratic time (20 s for 400 KB of punycode).
FOREIGN_CODECS: Final = frozenset(
    "base64 bz2 hex idna mbcs oem punycode quopri raw-unicode-escape rot-13 undefined "
    "unicode-escape utf-7 uu zlib".split()
)

#: Characters that begin, end and escape markup.
_MARKUP: Final = b"<a b=\"c\" d='e'>&amp;</a>"

#: Types of HTML in a ``Content-Type`` header.
HTML_TYPES: Final = frozenset(
    {"text/html", "application/xhtml+xml", "application/vnd.wap.xhtml+xml"}
)

#: A body without a type is HTML if it begins with one of these (after white space).
HTML_STARTS: Final = (
    b"<!doctype html", b"<html", b"<head", b"<body", b"<title", b"<meta", b"<div", b"<p>",
    b"<article", b"<main", b"<table", b"<h1", b"<!--",
)  # fmt: skip

#: First bytes of files that are often fetched with pages.
_SIGNATURES: Final = {
    b"%PDF-": "a PDF",
    b"\x89PNG\r\n": "a PNG picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"GIF8": "a GIF picture",
    b"PK\x03\x04": "a ZIP archive or an office document",
    b"\x1f\x8b": "compressed with gzip",
    b"\x28\xb5\x2f\xfd": "compressed with zstd",
}
_ADDRESS: Final = re.compile(r"\A\s*(?:https?|ftp|file)://\S{1,2000}\s*\Z", re.IGNORECASE)

#: Controls that are white space to Python, and what else is left out.
_BLANK: Final = re.compile("[\x0b\x0c\x1c-\x1f]")
_FORBIDDEN: Final = re.compile("[\x00-\x08\x0e-\x1b\ufffe\uffff]")


def decode(body: bytes, content_type: str | None = None) -> str:
    """Text of an HTML body, its encoding found as Scrapy finds it.

    By the byte order mark, the ``Content-Type`` header, the page's own declaration, or by
    trying. Never raises: where Scrapy does, since the codec named is no encoding of the web,
    by trying.
    """
    return _decode(body, content_type)[1]


def decode_fixed(body: bytes, content_type: str | None = None) -> str:
    """Return the text as `decode` does, but read valid UTF-8 as UTF-8 if it is labelled Latin-1."""
    encoding, text = _decode(body, content_type)
    fixed = as_utf8(body, encoding)
    return text if fixed is None else fixed


def as_utf8(body: bytes, encoding: str) -> str | None:
    """Text of a UTF-8 body that is called Latin-1, or None for any other body."""
    if encoding.lower() not in LATIN_1 or body.isascii():
        return None
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        return None


@lru_cache(maxsize=64)
def is_foreign_codec(name: str) -> bool:
    """Return whether a page must not be decoded with this codec, even if it names it.

    Those in which ASCII is not ASCII are among them, but for UTF-16 and UTF-32: no browser knows
    EBCDIC, and markup in it would pass every look at the bytes.
    """
    try:
        codec = codecs.lookup(name).name.replace("_", "-")
        is_wide = codec.startswith(("utf-16", "utf-32"))
        return codec in FOREIGN_CODECS or not (is_wide or _MARKUP.decode(name) == _MARKUP.decode())
    except (LookupError, UnicodeError):
        return True


def is_html(body: bytes, content_type: str | None) -> bool:
    """Return whether a body is HTML, by its type, or by its first bytes if it has no type."""
    if content_type and content_type.strip():
        return content_type.partition(";")[0].strip().lower() in HTML_TYPES
    return body[:512].lstrip(b"\xef\xbb\xbf \t\r\n").lower().startswith(HTML_STARTS)


def _decode(body: bytes, content_type: str | None) -> tuple[str, str]:
    mark, _ = read_bom(body)
    if mark is None and _names_foreign_codec(body, content_type):
        encoding = _guess(body) or "ascii"
        return encoding, body.decode(encoding, "replace")
    return html_to_unicode(content_type, body, default_encoding="ascii", auto_detect_fun=_guess)


def _names_foreign_codec(body: bytes, content_type: str | None) -> bool:
    name = http_content_type_encoding(content_type) or html_body_declared_encoding(body)
    return name is not None and is_foreign_codec(name)


def _guess(body: bytes) -> str | None:
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        pass
    else:
        return "utf-8"
    try:
        from charset_normalizer import from_bytes  # comes with Scrapy since it guesses with it
    except ImportError:
        return "cp1252"  # what Scrapy tried before
    match = from_bytes(body).best()
    return resolve_encoding(match.encoding) if match else None


def file_kind(start: bytes) -> str | None:
    """Return what file begins with these bytes, None for one that may be text."""
    return next((name for first, name in _SIGNATURES.items() if start.startswith(first)), None)


def what_else(content: str | bytes) -> str | None:
    """Return a description of content that is no HTML; None for content that may be a page."""
    start = content[:8] if isinstance(content, bytes) else content[:8].encode("latin-1", "replace")
    kind = file_kind(start)
    if kind is not None:
        return kind
    text = content[:4096].decode("latin-1") if isinstance(content, bytes) else content[:4096]
    if "<" in text:
        return None
    if _ADDRESS.match(text):
        return "an address"
    return "JSON" if text.lstrip()[:1] in ("{", "[") and _is_json(content) else None


def _is_json(content: str | bytes) -> bool:
    try:
        json.loads(content)
    except (ValueError, RecursionError):
        return False
    return True


def storable_text(text: str) -> str:
    """Return a text without what XML 1.0 forbids and UTF-8 cannot express.

    Halves of surrogate pairs become "?", control characters go; those that part words leave a
    blank.
    """
    if is_storable(text):
        return text
    return _FORBIDDEN.sub("", _BLANK.sub(" ", _encoded(text)[0]))


def storable_source(source: str) -> tuple[str, bytes]:
    """Return some HTML without NUL and halves of surrogate pairs, and its UTF-8.

    These are what parsers and databases refuse; the rest is for `storable_text`, once it is text.
    """
    source, body = _encoded(source)
    if b"\0" in body:
        source = source.replace("\0", "")
        body = source.encode()
    return source, body


def _encoded(text: str) -> tuple[str, bytes]:
    try:
        return text, encoded(text)
    except UnicodeEncodeError:
        body = text.encode("utf-8", "replace")
        return body.decode(), body
