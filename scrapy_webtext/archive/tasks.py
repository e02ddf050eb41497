"""Small parts in groups: what an engine takes for a task is not paid for each of them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Final

from scrapy_webtext.archive.parts import Job, PartReport, attempt_part
from scrapy_webtext.archive.plan import Part

#: A group is full at so many bytes of input or so many parts, whichever comes first.
GROUP_BYTES: Final = 4 << 20
GROUP_PARTS: Final = 64

#: No worker is to have fewer groups than this, lest it wait for others at the end.
GROUPS_EACH: Final = 8


def grouped(parts: Sequence[Part], workers: int) -> list[tuple[Part, ...]]:
    """Return the parts in order, small ones in groups, a large one alone."""
    most = max(1, min(GROUP_PARTS, len(parts) // (workers * GROUPS_EACH)))
    return list(_groups(parts, most))


def _groups(parts: Sequence[Part], most: int) -> Iterator[tuple[Part, ...]]:
    group: list[Part] = []
    room = GROUP_BYTES
    for part in parts:
        size = _size(part)
        if group and (len(group) >= most or size > room):
            yield tuple(group)
            group, room = [], GROUP_BYTES
        group.append(part)
        room -= size
    if group:
        yield tuple(group)


def _size(part: Part) -> int:
    try:
        return os.path.getsize(part.source)
    except OSError:  # gone: the attempt will tell of it
        return 0


def attempt_parts(parts: Sequence[Part], job: Job) -> list[PartReport]:
    """Return the reports of `attempt_part`."""
    return [attempt_part(part, job) for part in parts]
