"""Reads XML that other sites send, such as sitemaps and feeds, in pieces."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import suppress
from typing import Any, Final

from lxml import etree

#: Bytes that the parser gets at a time.
_PIECE: Final = 64 * 1024
#: Maximum number of children that are kept of an element that is kept whole.
_CHILDREN: Final = 1_000


def xml_events(body: bytes, whole: Collection[str]) -> Iterator[tuple[str, Any]]:
    """Yield ("start" or "end", element) for the elements of XML, which is parsed in pieces.

    Damaged XML is repaired. Finished elements are removed, except children of elements whose names
    are in ``whole``, so memory does not grow with the body.
    """
    parser = etree.XMLPullParser(
        ("start", "end"),
        recover=True,
        resolve_entities=False,
        no_network=True,
        remove_comments=True,
    )
    root = None
    for at in range(0, len(body), _PIECE):
        with suppress(etree.XMLSyntaxError):
            parser.feed(body[at : at + _PIECE])
        for event, element in parser.read_events():
            root = element if root is None else root
            yield event, element
        node = root
        while node is not None and len(node):
            if local_name(node) not in whole or len(node) > _CHILDREN:
                del node[:-1]
            node = node[-1]


def local_name(element: Any) -> str:
    """Return the name of an element without its namespace; empty for other nodes."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
