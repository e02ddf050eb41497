"""A text as units: paragraphs, headings, tables, pieces of code and pictures, in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from scrapy_webtext.render.containers import CAPTION, CODE, HEADING, TABLE, Path
from scrapy_webtext.render.flow import Flow, Part

PARAGRAPH: Final = "paragraph"
PICTURE: Final = "picture"


class Unit(NamedTuple):
    """What is rendered at once."""

    kind: str  #: PARAGRAPH, HEADING, CODE, TABLE or PICTURE
    path: Path  #: the containers around it
    node: int  #: the heading, table or code; -1 for others
    parts: Sequence[Part]


def units_of(flow: Flow) -> Iterator[Unit]:
    """Yield the units of a text."""
    for (kind, node), some in groupby(flow.parts, lambda part: _kind(flow, part)):
        parts = list(some)
        path = parts[0].path
        if kind in (TABLE, CODE):
            yield Unit(kind, path[: path.index(node)], node, parts)
            continue
        for part in parts:
            path = part.path[:-1] if kind == HEADING else part.path
            yield Unit(kind, path, node, (part,))


def _kind(flow: Flow, part: Part) -> tuple[str, int]:
    role = flow.role
    for i in part.path:
        if role[i] == TABLE and role[part.path[part.path.index(i) + 1]] != CAPTION:
            return TABLE, i
    if part.image is not None:
        return PICTURE, -1
    innermost = part.path[-1] if part.path else -1
    kind = role.get(innermost, "")
    return (kind, innermost) if kind in (CODE, HEADING) else (PARAGRAPH, -1)
