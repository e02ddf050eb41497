"""Pictures as HTML, with the sizes that the page offers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from itertools import islice
from typing import Final

from scrapy_webtext.page.tree import Page
from scrapy_webtext.render.images import Image
from scrapy_webtext.render.urls import Addresses

#: A candidate of a srcset: an address, and a width or density.
_WIDTH: Final = re.compile(r"\A\d{1,5}(?:\.\d{1,3})?[wx]\Z")
MAX_CANDIDATES: Final = 20
_TYPE: Final = re.compile(r"image/[a-z0-9.+-]{1,30}\Z")
#: Lengths and conditions, no more.
_SIZES: Final = re.compile(r"\A[\w\s().,:%+*/-]{1,300}\Z")


class PictureWriter:
    """Writes the pictures of one page."""

    def __init__(self, page: Page | None) -> None:
        self._page = page
        self._addresses = Addresses(page) if page is not None else None

    def html(self, image: Image) -> str:
        """Return a picture, within its ``<picture>`` where it has one."""
        assert self._page is not None
        nodes = self._page.nodes
        attributes = {"src": image.source, **self._sizes(image.node), "alt": image.alt}
        for name, size in (("width", image.width), ("height", image.height)):
            if size is not None:
                attributes[name] = str(size)
        written = _element("img", attributes)
        around = nodes.parent[image.node]
        for _ in range(MAX_CANDIDATES):  # libxml2 puts what follows <source> into it
            if around >= 0 and nodes.tag[around] == "source":
                around = nodes.parent[around]
        if around < 0 or nodes.tag[around] != "picture":
            return written
        sources = "".join(self._sources(around))
        return f"<picture>{sources}{written}</picture>" if sources else written

    def _sources(self, picture: int) -> Iterator[str]:
        assert self._page is not None
        nodes = self._page.nodes
        for i in range(picture + 1, min(nodes.end[picture], picture + MAX_CANDIDATES)):
            if nodes.tag[i] != "source":
                continue
            given = dict(nodes.attributes[i])
            attributes = self._sizes(i)
            if "srcset" in attributes:
                if _SIZES.match(given.get("media", "")):
                    attributes["media"] = given["media"]
                if _TYPE.match(given.get("type", "")):
                    attributes["type"] = given["type"]
                yield _element("source", attributes)

    def _sizes(self, node: int) -> dict[str, str]:
        """Return ``srcset`` and ``sizes`` of a picture or one of its sources."""
        assert self._page is not None
        assert self._addresses is not None
        given = dict(self._page.nodes.attributes[node])
        late = given.get("data-srcset") or given.get("data-lazy-srcset")
        candidates: list[str] = []
        for given_address, width in islice(
            _candidates((late or given.get("srcset", ""))[:8_000]), MAX_CANDIDATES
        ):
            address = self._addresses.picture(given_address)
            if address is not None:
                candidates.append(f"{address.replace(',', '%2C')} {width}".rstrip())
        if not candidates:
            return {}
        sizes = given.get("sizes", "")
        found = {"srcset": ", ".join(candidates)}
        return {**found, "sizes": sizes} if _SIZES.match(sizes) else found


def _candidates(srcset: str) -> Iterator[tuple[str, str]]:
    """Yield the addresses in a ``srcset``, each with its width or density, "" without one.

    A comma parts them where a blank stands beside it; within an address it is one of its letters.
    """
    address = ""
    width = ""
    for word in srcset.split():
        if not address:
            address = word.lstrip(",")
        elif _WIDTH.match(word.rstrip(",")):
            width = word.rstrip(",")
        if address and word.endswith(","):
            yield address.rstrip(","), width
            address = width = ""
    if address:
        yield address, width


def _element(name: str, attributes: dict[str, str]) -> str:
    written = "".join(f' {key}="{escape(value)}"' for key, value in attributes.items())
    return f"<{name}{written}>"
