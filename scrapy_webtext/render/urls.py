"""Addresses of links and pictures: absolute, and safe to embed."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urljoin

from scrapy_webtext.page.tree import Page

#: Schemes that a link may have. What runs code ("javascript:") or carries its own page ("data:")
#: is none of them.
LINK_SCHEMES: Final = frozenset({"http", "https", "mailto", "tel", "ftp"})
PICTURE_SCHEMES: Final = frozenset({"http", "https"})

MAX_CHARS: Final = 4_000

#: Browsers leave these out wherever in an address they stand.
_LEFT_OUT: Final = str.maketrans("", "", "\t\n\r")
_CONTROLS: Final = "".join(map(chr, range(33)))
_SCHEME: Final = re.compile(r"\A([a-zA-Z][a-zA-Z0-9+.-]*):")
#: What no address has; each is written as browsers write it.
_ODD: Final = re.compile(r"[\x00-\x20\x7f-\xa0\"<>\\^`{|}\u2028\u2029\ud800-\udfff\ufffe\uffff]")


class Addresses:
    """The addresses of one page, made absolute by its ``<base>`` and its own address."""

    def __init__(self, page: Page) -> None:
        self._base = _base(page)
        self._known: dict[tuple[str, bool], str | None] = {}

    def link(self, given: str) -> str | None:
        """Return where a link leads, None where it must not be followed."""
        return self._resolved(given, False)

    def picture(self, given: str) -> str | None:
        """Return where a picture is, None where it is not a file of its own."""
        return self._resolved(given, True)

    def _resolved(self, given: str, is_picture: bool) -> str | None:
        key = (given, is_picture)
        if key not in self._known:
            schemes = PICTURE_SCHEMES if is_picture else LINK_SCHEMES
            self._known[key] = _absolute(self._base, given, schemes)
        return self._known[key]


def _base(page: Page) -> str:
    """Return what relative addresses of a page are relative to, "" where nobody knows."""
    own = page.url or ""
    nodes = page.nodes
    for i in nodes.tagged(frozenset({"base"})):
        given = dict(nodes.attributes[i]).get("href")
        if given is not None:
            return _absolute(own, given, PICTURE_SCHEMES) or own
    return own


def _absolute(base: str, given: str, schemes: frozenset[str]) -> str | None:
    given = given.translate(_LEFT_OUT).strip(_CONTROLS)
    if not given or len(given) > MAX_CHARS:
        return None
    try:
        address = urljoin(base, given) if base else given
    except ValueError:  # "http://["
        return None
    scheme = _SCHEME.match(address)
    if scheme and scheme[1].lower() not in schemes:
        return None
    return _ODD.sub(_quoted, address)


def _quoted(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode("utf-8", "replace"))
