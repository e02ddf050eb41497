"""The blocks and pictures of a text in the order in which they are shown."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from scrapy_webtext.render.containers import (
    CAPTION,
    CELL,
    CODE,
    HEADING,
    MAX_DEPTH,
    ROW,
    TABLE,
    TERM,
    Containers,
    Path,
    complete,
)
from scrapy_webtext.render.images import Image, images_of
from scrapy_webtext.render.outline import Leaf, Outline

_PARTS_OF_TABLES = frozenset({TABLE, ROW, CELL, CAPTION})
#: A picture of its own ends these.
_WITHOUT_PICTURES = frozenset({HEADING, CODE, TERM})


class Part(NamedTuple):
    """A block, or a picture of its own."""

    path: Path
    leaf: Leaf | None
    image: Image | None


@dataclass(frozen=True, slots=True)
class Flow:
    """The parts of a text in order."""

    parts: Sequence[Part]
    role: Mapping[int, str]  #: of the containers
    pictures: Mapping[int, Sequence[Image]] = field(default_factory=dict)
    """Those within blocks, by the run that they stand before."""


def flow_of(outline: Outline) -> Flow:
    """Return the blocks of an outline with the pictures between and within them."""
    page, leaves = outline.page, outline.leaves
    parts = [Part(leaf.path, leaf, None) for leaf in leaves]
    if page is None:
        return Flow(parts, outline.role)
    images = images_of(page, [k for leaf in leaves for k in leaf.runs])
    if not images:
        return Flow(parts, outline.role)
    first = [leaf.runs[0] for leaf in leaves]
    within: dict[int, list[Image]] = {}
    alone: dict[int, list[Image]] = {}  # by the block that they stand before
    for at, image in images:
        number = bisect_left(first, at)
        runs = leaves[number - 1].runs if number else ()
        if runs and at <= runs[-1]:
            within.setdefault(runs[bisect_left(runs, at)], []).append(image)
        else:
            alone.setdefault(number, []).append(image)
    containers = Containers(page.nodes)
    return Flow(_merged(outline, containers, parts, alone), containers.role, within)


def _merged(
    outline: Outline,
    containers: Containers,
    parts: Sequence[Part],
    alone: Mapping[int, Sequence[Image]],
) -> list[Part]:
    page = outline.page
    assert page is not None
    tables = {i for path in outline.paths for i in path if outline.role[i] == TABLE}
    merged: list[Part] = []
    for number in range(len(parts) + 1):
        for image in alone.get(number, ()):
            path = _path_of_picture(outline, containers, image, tables)
            merged.append(Part(path, None, image))
        if number < len(parts):
            containers.of(page.runs.node[outline.leaves[number].runs[0]])
            merged.append(parts[number])
    return merged


def _path_of_picture(
    outline: Outline, containers: Containers, image: Image, tables: set[int]
) -> Path:
    """Return the containers of a picture, of which those of tables must hold text, too."""
    path = [i for i in containers.of(image.node) if i not in outline.left_out]
    role = containers.role
    if not any(i in tables for i in path):
        path = [i for i in path if role[i] not in _PARTS_OF_TABLES]
    del path[MAX_DEPTH:]
    found = complete(tuple(path), role)
    while found and role[found[-1]] in _WITHOUT_PICTURES:
        found = complete(found[:-1], role)
    return found
