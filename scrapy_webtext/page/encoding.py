"""Decides whether bytes are HTML, and turns them into UTF-8 by the rules of Scrapy.

Repairs encodings that are declared wrongly or not at all. A body is UTF-8 if most of its bytes
outside ASCII are valid UTF-8. Other encodings are guessed by charset_normalizer, from the pieces of
text that have bytes outside ASCII.

The module also detects input that is no page (a URL, JSON, a file of another type), and replaces
characters that files, feeds or databases refuse.
"""

from __future__ import annotations

import codecs
import json
import re
from contextlib import suppress
from functools import lru_cache
from typing import Final

from w3lib.encoding import (
    html_body_declared_encoding,
    html_to_unicode,
    http_content_type_encoding,
    read_bom,
    resolve_encoding,
)

from scrapy_webtext.core.texts import encoded, is_storable, is_utf8

#: Encodings that servers declare by default. Almost any bytes can be decoded with them.
LATIN_1: Final = frozenset({"cp1252", "windows-1252", "iso8859-1", "iso-8859-1", "latin-1"})

#: A body that declares another encoding is UTF-8 if, read as UTF-8, it has at least `_LEAST_UTF8`
#: characters outside ASCII and `_FEW_INVALID` times as many of them as invalid bytes. A body is not
#: in its declared encoding if it has more invalid bytes than `_MANY_INVALID` times the characters
#: outside ASCII.
_LEAST_UTF8: Final = 8
_FEW_INVALID: Final = 20
_MANY_INVALID: Final = 2
#: A text is not in Latin letters if at least this many of its bytes are outside ASCII, and at least
#: this share of these bytes and its ASCII letters together.
_LEAST_FOREIGN: Final = 16
_LEAST_FOREIGN_SHARE: Final = 0.4
#: Maximum number of bytes from which an encoding is guessed.
_MOST_GUESSED: Final = 20_000
_LANGUAGE: Final = re.compile(rb"<html\b[^<>]{0,500}?\blang\s*=\s*[\"']?([a-z]{2})", re.IGNORECASE)
#: Language -> encoding, for languages with Latin letters that windows-1252 lacks.
_OF_LATIN: Final = {
    **dict.fromkeys(("pl", "cs", "sk", "hu", "sl", "hr", "bs", "sr", "ro", "sq"), "cp1250"),
    **dict.fromkeys(("tr", "az", "ku"), "cp1254"),
    **dict.fromkeys(("lt", "lv", "et"), "cp1257"),
    "vi": "cp1258",
}
_JIS: Final = b"\x1b$B"  # begins Japanese text in ISO 2022
#: Bytes that show letters of central European languages in windows-1250 (`_LATIN_2`: ISO 8859-2).
_CENTRAL: Final = re.compile(rb"[\x8a\x8e\x9a\x9e\xb3\xb9]")
_C1: Final = re.compile(rb"[\x80-\x9f]")
_ASCII_LETTERS: Final = bytes({*range(65, 91), *range(97, 123)})
_HUNGARIAN: Final = re.compile(rb"[\xf5\xfb]")
_WESTERN: Final = re.compile(rb"[\xe0\xe2-\xe5\xe7\xe8\xea\xee\xf4]")
_LATIN_2: Final = re.compile(rb"[\xb1\xb6\xbe]")

#: Codecs of Python that are no encodings of the web, although a page can name them. These codecs
#: raise errors, decode plain ASCII to markup, or take quadratic time (20 s for 400 KB of punycode).
FOREIGN_CODECS: Final = frozenset(
    "base64 bz2 hex idna mbcs oem punycode quopri raw-unicode-escape rot-13 undefined "
    "unicode-escape utf-7 uu zlib".split()
)

#: A sample with all characters of markup; a codec that changes it is not used.
_MARKUP: Final = b"<a b=\"c\" d='e'>&amp;</a>"

#: Types of HTML in a ``Content-Type`` header.
HTML_TYPES: Final = frozenset(
    {"text/html", "application/xhtml+xml", "application/vnd.wap.xhtml+xml"}
)

#: A type at the start of a header: two tokens. Types that mean that no type is known.
_TYPE: Final = re.compile(r"\A([\w!#$&^.+-]+/[\w!#$&^.+-]+)(?![^;\s])")
_UNKNOWN: Final = frozenset({"unknown/unknown", "application/unknown"})

#: A body without a ``Content-Type`` is HTML if it begins with one of these (after white space).
HTML_STARTS: Final = (
    b"<!doctype html", b"<html", b"<head", b"<body", b"<title", b"<meta", b"<div", b"<p>",
    b"<article", b"<main", b"<table", b"<h1", b"<!--",
)  # fmt: skip

#: First bytes of a file -> its kind, for files that are often fetched by mistake.
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

#: `_BLANK`: control characters that are white space in Python. `_FORBIDDEN`: characters to remove.
_BLANK: Final = re.compile("[\x0b\x0c\x1c-\x1f]")
_FORBIDDEN: Final = re.compile("[\x00-\x08\x0e-\x1b\ufffe\uffff]")


#: Characters that no browser shows (Unicode: default ignorable), which can hide a message.
_GONE: Final = (
    "\x7f-\x84\x86-\x9f\u034f\u115f\u1160\u17b4\u17b5\u180e\u2061-\u2064\u206a-\u206f\u3164"
    "\uffa0\ufff9-\ufffb\U000e0000-\U000e00ff\U000e01f0-\U000e0fff"
)
#: They are removed, except in flags of regions. Of variation selectors, one after a character that
#: has variants is kept.
_VARIANTS: Final = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
_UNSEEN: Final = re.compile(
    f"(\U0001f3f4[\U000e0030-\U000e007a]{{4,6}}\U000e007f)|[{_GONE}]"
    f"|(?<=[A-Za-z\\s{_GONE}{_VARIANTS}])[{_VARIANTS}]"
)


def decode(body: bytes, content_type: str | None = None) -> str:
    """Decode an HTML body as Scrapy does; never raise.

    The encoding is given by the byte order mark, the ``Content-Type`` header or the page's own
    declaration, or it is guessed. It is also guessed if the named codec is no encoding of the web;
    Scrapy raises an error for such a codec.
    """
    return _decode(body, content_type)[1]


def to_utf8(body: str | bytes, content_type: str | None = None) -> bytes:
    """Return HTML as UTF-8 without NUL, and bytes without byte order mark.

    Bytes are decoded as `decode` does, and a wrong or missing declaration is repaired.
    """
    if isinstance(body, str):
        return without_c1(encode(body))
    body = bytes(body)  # of a subclass, too
    declared = _declared(body, content_type)
    html = as_declared(body, declared)
    if html is None:
        encoding, text = _decode(body, content_type)
        fixed = repaired(body, encoding, text, declared is not None)
        html = encode(text if fixed is None else fixed)
    return without_c1(html)


def as_declared(body: bytes, encoding: str | None, text: str | None = None) -> bytes | None:
    """Return a body that is UTF-8, as declared; None if it must be decoded.

    A byte order mark is left out. ``text`` is the decoded body, if known; this saves time.
    """
    is_wide = body.startswith((codecs.BOM_UTF16_BE, codecs.BOM_UTF16_LE))
    if encoding is None or encoding.lower() != "utf-8" or is_wide:
        return None
    is_valid = text is not None and "\ufffd" not in text and b"\0" not in body
    return body.removeprefix(codecs.BOM_UTF8) if is_valid or is_utf8(body) else None


def repaired(body: bytes, encoding: str, text: str, is_declared: bool) -> str | None:
    """Decode a body again if ``encoding``, with which ``text`` was decoded, is wrong.

    Return None if the encoding may be right or no better one is found.
    """
    is_unicode = encoding.lower().replace("_", "-") == "utf-8"
    # Valid UTF-8 may contain U+FFFD, which a publishing system has written for a lost letter.
    is_valid = is_unicode and ("\ufffd" not in text or is_utf8(body.replace(b"\0", b"")))
    if body.isascii() or is_valid:
        is_jis = not is_declared and _JIS in body
        return body.decode("iso2022_jp", "replace") if is_jis else None
    if not is_unicode:
        as_utf8 = body.decode("utf-8", "replace")
        valid, invalid = _counts(as_utf8, body.count(_REPLACED))
        least = 1 if encoding.lower() in LATIN_1 else _LEAST_UTF8
        if valid >= max(least, _FEW_INVALID * invalid):
            return as_utf8
    valid, invalid = _counts(text, body.count(_REPLACED) if is_unicode else 0)
    pieces = b" ".join(piece for piece in _PIECES.split(body) if not piece.isascii())
    is_wrong = invalid > _MANY_INVALID * valid or (
        encoding.lower() in LATIN_1 and _is_foreign(pieces)
    )
    if (is_declared or is_unicode) and not is_wrong:
        return None
    guess = _guess_from(pieces, body)
    return None if guess is None else body.decode(guess, "replace")


_PIECES: Final = re.compile(rb"[<>]")


_REPLACED: Final = "\ufffd".encode()


def _counts(text: str, written: int) -> tuple[int, int]:
    """Return the numbers of characters outside ASCII and of replaced invalid bytes in a text.

    ``written`` is the number of U+FFFD that the body itself has.
    """
    invalid = text.count("\ufffd") - written
    return len(text) - len(text.encode("ascii", "ignore")) - invalid, invalid


def _is_foreign(pieces: bytes) -> bool:
    """Return whether the bytes of a text show that it is not in Latin letters."""
    foreign = len(pieces) - len(pieces.translate(None, bytes(range(128, 256))))
    letters = len(pieces) - len(pieces.translate(None, _ASCII_LETTERS))
    return foreign >= max(_LEAST_FOREIGN, _LEAST_FOREIGN_SHARE * (foreign + letters))


def _guess_from(pieces: bytes, body: bytes) -> str | None:
    """Guess the codec of pieces of text that each have bytes outside ASCII; None if unknown."""
    language = _LANGUAGE.search(body, 0, 4096)
    name = language[1].decode().lower() if language else ""
    try:
        from charset_normalizer import from_bytes
    except ImportError:
        return _OF_LATIN.get(name, "cp1252")
    match = from_bytes(pieces[:_MOST_GUESSED]).best()
    codec = match.encoding if match else None
    if codec is not None and is_foreign_codec(codec):
        codec = None
    is_single = codec is None or len(pieces.decode(codec, "replace")) == len(pieces)
    if not is_single or _is_foreign(pieces):
        return codec
    is_central = _CENTRAL.search(pieces) or (
        _HUNGARIAN.search(pieces) and not _WESTERN.search(pieces)
    )
    codec = _OF_LATIN.get(name, "cp1250" if is_central and not name else "cp1252")
    is_latin_2 = codec == "cp1250" and _LATIN_2.search(pieces) and not _C1.search(pieces)
    return "iso8859-2" if is_latin_2 else codec


@lru_cache(maxsize=64)
def is_foreign_codec(name: str) -> bool:
    """Return whether a page must not be decoded with this codec, even if the page names it.

    Codecs that change ASCII, except UTF-16 and UTF-32, must not be used: no browser supports
    EBCDIC, and code that searches bytes would not find its markup.
    """
    try:
        codec = codecs.lookup(name).name.replace("_", "-")
        is_wide = codec.startswith(("utf-16", "utf-32"))
        return codec in FOREIGN_CODECS or not (is_wide or _MARKUP.decode(name) == _MARKUP.decode())
    except (LookupError, UnicodeError):
        return True


def is_html(body: bytes, content_type: str | None) -> bool:
    """Return whether a body is HTML by its Content-Type, or else by its first bytes.

    As in browsers, the last valid type of a list counts, and a type that is none or unknown is
    ignored.
    """
    types = [_TYPE.match(part.strip()) for part in (content_type or "").lower().split(",")]
    known = [found[1] for found in types if found and found[1] not in _UNKNOWN]
    if known:
        return known[-1] in HTML_TYPES
    start = body[:512].replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")
    return start.lower().startswith(HTML_STARTS)


def wide_encoding(body: bytes) -> str | None:
    """Return the encoding of a body in UTF-16 without byte order mark; None for other bodies.

    Nearly all characters of markup have one byte 0, and always the same one of two.
    """
    first, second = body[:512:2], body[1:512:2]
    for name, low, high in (("utf-16-le", first, second), ("utf-16-be", second, first)):
        if low and not low.count(0) and 2 * high.count(0) > len(high):
            return name if read_bom(body)[0] is None else None
    return None


def _decode(body: bytes, content_type: str | None) -> tuple[str, str]:
    if (wide := wide_encoding(body)) is not None:
        return wide, body.decode(wide, "replace")
    name = _declared(body, content_type)
    if name is not None and read_bom(body)[0] is None and is_foreign_codec(name):
        encoding = _guess(body) or "ascii"
        return encoding, body.decode(encoding, "replace")
    return html_to_unicode(content_type, body, default_encoding="ascii", auto_detect_fun=_guess)


def _declared(body: bytes, content_type: str | None) -> str | None:
    return (
        read_bom(body)[0]
        or wide_encoding(body)
        or http_content_type_encoding(content_type)
        or html_body_declared_encoding(body)
    )


def _guess(body: bytes) -> str | None:
    with suppress(UnicodeDecodeError):
        body.decode("utf-8")
        return "utf-8"
    try:
        from charset_normalizer import from_bytes  # new versions of Scrapy depend on it
    except ImportError:
        return "cp1252"  # the guess of older versions of Scrapy
    match = from_bytes(body).best()
    return resolve_encoding(match.encoding) if match else None


def file_kind(start: bytes) -> str | None:
    """Return the kind of file that begins with these bytes; None if it may be text."""
    return next((name for first, name in _SIGNATURES.items() if start.startswith(first)), None)


def what_else(content: str | bytes) -> str | None:
    """Return a description of content that is no HTML; None for content that may be a page."""
    start = content[:8] if isinstance(content, bytes) else content[:8].encode("latin-1", "replace")
    kind = file_kind(start)
    if kind is not None:
        return kind
    text = content[:4096].decode("latin-1") if isinstance(content, bytes) else content[:4096]
    if text.lstrip()[:1] in ("{", "[") and _is_json(content):  # also with HTML in a field
        return "JSON"
    return "an address" if _ADDRESS.match(text) else None


def _is_json(content: str | bytes) -> bool:
    try:
        json.loads(content)
    except (ValueError, RecursionError):
        return False
    return True


def storable_text(text: str) -> str:
    """Remove the characters that XML 1.0 forbids, UTF-8 cannot encode or no browser shows.

    Lone surrogates become "?". Control characters become a space if they are white space in Python;
    others are removed.
    """
    text = str.__str__(text)  # of a subclass, too
    if is_storable(text):
        return text
    text = _FORBIDDEN.sub("", _BLANK.sub(" ", encoded(text).decode()))
    return _UNSEEN.sub(r"\1", text)


def encode(html: str) -> bytes:
    """Return HTML as UTF-8 without NUL; lone surrogates become "?".

    Parsers and databases refuse NUL and lone surrogates. `storable_text` removes other characters
    from the text later.
    """
    return encoded(str.__str__(html)).replace(b"\0", b"")


#: Control characters U+0080 to U+009F in UTF-8 -> the characters that windows-1252 has there.
_WINDOWS: Final = {
    chr(code).encode(): bytes((code,)).decode("cp1252", "ignore").encode()
    for code in range(0x80, 0xA0)
}
_C1_IN_UTF8: Final = re.compile(rb"\xc2[\x80-\x9f]")


def without_c1(html: bytes) -> bytes:
    """Return HTML in UTF-8 with letters of windows-1252 in place of C1 control characters.

    They are text of windows-1252 that was decoded as Latin-1, as HTTP libraries do. Browsers read
    references to these characters in the same way.
    """
    at = html.find(b"\xc2")  # far faster than a search of the pattern
    while at >= 0 and html[at : at + 2] not in _WINDOWS:
        at = html.find(b"\xc2", at + 1)
    return html if at < 0 else _C1_IN_UTF8.sub(lambda found: _WINDOWS[found[0]], html)
