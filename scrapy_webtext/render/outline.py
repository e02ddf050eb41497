"""Chosen text as an outline: its parts in order, each with its container.

All renderings are written from one outline. So they have the same words in the same order.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeVar

from scrapy_webtext.page import Page
from scrapy_webtext.page.encoding import storable_text
from scrapy_webtext.page.text import BREAK
from scrapy_webtext.render.captions import captions_of, find_captions
from scrapy_webtext.render.code import clean_code, find_listings
from scrapy_webtext.render.formulas import find_formulas, place_formulas
from scrapy_webtext.render.pictures import find_images
from scrapy_webtext.render.tree import CHILDREN, ROOT, Containers, Image, ImageKind, Part, join_runs

T = TypeVar("T")
#: (block, its chosen runs).
_Chosen = tuple[int, Sequence[int]]
#: Roles of containers that cannot contain a picture between blocks.
_WITHOUT_PICTURES: Final = (*CHILDREN, "heading", "code", "term")
#: Roles of containers that may contain a rule.
_WITH_RULES: Final = frozenset({"item", "list", "quote"})

#: A raised mark of a reference or an editor: "[1]", "[note 2]", "[citation needed]"; MediaWiki's
#: class name of other marks.
_MARK: Final = re.compile(r"(?:\[[^\[\]]{1,40}\])+")
_MARK_NAME: Final = "reference"
_MAX_RUNS: Final = 8  #: of a mark
#: A pager has at least this many numbers.
_MIN_PAGES: Final = 3
_NO_PAGERS: Final = frozenset({"table", "pre"})


@dataclass(frozen=True, slots=True)
class Outline:
    """The parts of a text, in order."""

    page: Page
    parts: Sequence[Part]
    containers: Containers
    is_storable: bool = True  #: whether no character of the text must be removed
    notes: Mapping[int, str] = field(default_factory=dict)
    """First run of a footnote's mark -> its label; "" for further runs of the mark."""
    lines_of: str = ""  #: the whole text, if it is not from the page's blocks
    headline: str = ""  #: first line of Markdown and HTML; it is not in ``parts``
    links: bool = True  #: whether renderings have the addresses of links
    pictures: Mapping[int, Sequence[Image]] = field(default_factory=dict)
    """Run -> pictures directly before it, in its block."""
    chosen: Sequence[int] = ()  #: runs of the plain text, if ``parts`` was replaced
    captions: frozenset[int] = frozenset()  #: blocks that are not in the plain text
    marks: Sequence[int] = ()  #: runs of marks that are not in the plain text

    @property
    def runs(self) -> Sequence[int]:
        """The runs of the plain text."""
        return self.chosen or [k for part in self.parts for k in part.runs]


def _cache_last(page: Page, name: str, key: object, compute: Callable[[], T]) -> T:
    """Return the value of a key. The page caches the value of the last key.

    So the renderings of one text share its outline and its pictures.
    """
    last: list[Any] = page.cached(name, lambda: [None, None])
    if last[0] != key:
        last[:] = key, compute()
    return last[1]  # type: ignore[no-any-return]


def outline_blocks(page: Page, chosen: Iterable[int]) -> Outline:
    """Return the outline of whole blocks; ``chosen`` ascends."""
    return _outline(page, [(b, page.blocks.runs(b)) for b in chosen])


def outline_runs(page: Page, chosen: Sequence[int], has_marks: bool = False) -> Outline:
    """Return the outline of these runs; ``chosen`` ascends.

    Marks of references are left out unless ``has_marks``.
    """
    blocks, found, first = page.blocks, [], 0
    while first < len(chosen):
        block = bisect_right(blocks.first_run, chosen[first]) - 1
        end = bisect_left(chosen, blocks.end_run[block], first)
        found.append((block, chosen[first:end]))
        first = end
    return _outline(page, found, has_marks)


def _outline(page: Page, blocks: list[_Chosen], has_marks: bool = False) -> Outline:
    marks, pagers = page.cached("marks", lambda: ({*_find_marks(page)}, {*_find_pagers(page)}))
    gone = pagers if has_marks else marks | pagers
    own = [k for _, runs in blocks for k in runs if k in gone] if gone else ()
    if own:
        left = ((b, [k for k in runs if k not in gone]) for b, runs in blocks)
        blocks = [one for one in left if one[1]]
    parts = _cache_last(page, "parts", blocks, lambda: _make_parts(page, blocks))
    return Outline(page, *parts, marks=[k for k in own if k not in pagers])


def _find_marks(page: Page) -> Iterator[int]:
    """Yield the runs of raised marks within sentences, of which they are no words.

    A mark stays if it separates its sentence from an element after it, such as the note.
    """
    runs, nodes, marks = page.runs, page.nodes, [range(0)]
    named = [i for i, _, _ in nodes.attributes.named({"role"}, start="doc-noteref")]
    for i in sorted({*named, *nodes.tagged(frozenset({"sup"}))}):
        own = range(runs.first[i], runs.end[i])
        text = "".join([runs.text[k] for k in own[:_MAX_RUNS]])
        if _MARK.fullmatch(text) or _MARK_NAME in nodes.attributes.get(i, "class").split():
            first = marks.pop().start if marks[-1].stop == own.start else own.start
            marks.append(range(first, own.stop))
    for own in marks:
        is_end = own.stop == len(runs) or runs.gap[own.stop]
        is_inside = own and runs.gap[own.start] != BREAK
        if is_inside and (is_end or runs.node[own.stop] == runs.node[own.start - 1]):
            yield from own


def _find_pagers(page: Page) -> Iterator[int]:
    """Yield the runs of links or buttons that number the pictures of a slideshow or the pages.

    They are all of their blocks, and the number of the current one need not be a link.
    """
    runs, tag, texts = page.runs, page.nodes.tag, page.runs.text
    starts = [k for k, text in enumerate(texts) if text == "1"] if "3" in texts else ()
    around = page.nodes.nearest(_NO_PAGERS) if starts else ()
    for first in starts:
        end = first + 1
        while end < len(texts) and texts[end] == str(end - first + 1):
            end += 1
        own = runs.node[first:end]
        is_whole = runs.gap[first] == BREAK and (end == len(texts) or runs.gap[end] == BREAK)
        links = sum([page.is_link[i] or tag[page.containers[i]] == "button" for i in own])
        if is_whole and len(own) >= _MIN_PAGES and links >= len(own) - 1:
            yield from () if tag[around[own[0]]] in _NO_PAGERS else range(first, end)


def outline_captions(outline: Outline) -> Outline:
    """Return an outline with the captions of its pictures and the marks of references."""
    page, blocks = outline.page, {part.block for part in outline.parts}
    images = _find_pictures(outline) if find_captions(page) and not outline.lines_of else ()
    captions = {*captions_of(page, [image.node for _, image in images])} - blocks
    if not captions and not outline.marks:
        return outline
    added = (k for b in captions for k in page.blocks.runs(b))
    whole = outline_runs(page, sorted({*outline.runs, *added, *outline.marks}), has_marks=True)
    shown = outline.runs
    return replace(whole, links=outline.links, chosen=shown, captions=frozenset(captions))


def with_captions(page: Page, chosen: Sequence[int]) -> list[int]:
    """Return the blocks ``chosen`` with the captions of their pictures."""
    whole = outline_captions(outline_blocks(page, chosen))
    return sorted({*chosen, *whole.captions})


def outline_lines(page: Page, text: str) -> Outline:
    """Return the outline of a text that is not from blocks: one paragraph per line."""
    lines = [line for line in map(str.strip, text.splitlines()) if line]
    return Outline(page, [*map(Part, lines)], Containers(page.nodes), lines_of=text)


def blocks_in_tables(page: Page, chosen: Iterable[int]) -> frozenset[int]:
    """Return the chosen blocks in cells or captions of a data table.

    A table that contains all chosen blocks does not count.
    """
    parts, tag = outline_blocks(page, chosen).parts, page.nodes.tag
    around = [(part.block, one) for part in parts for one in part.container.path()]
    return frozenset(b for b, one in around if one.role == "cell" or tag[one.key] == "caption")


def add_pictures(outline: Outline, *kinds: ImageKind) -> Outline:
    """Add pictures of these kinds to an outline."""
    blocks = outline.parts
    images = [(at, image) for at, image in _find_pictures(outline) if image.kind in kinds]
    if not images:
        return outline
    first = [part.first_run for part in blocks]
    within: dict[int, list[Image]] = {}
    between: dict[int, list[Image]] = {}  # index of the next part -> pictures
    for at, image in images:
        number = bisect_left(first, at)
        own = blocks[number - 1].runs if number else ()
        if not own or at > own[-1]:
            between.setdefault(number, []).append(image)
        elif image.kind != "rule":
            within.setdefault(own[bisect_left(own, at)], []).append(image)
    parts: list[Part] = []
    for number, part in enumerate([*blocks, None]):
        for image in between.get(number, ()):
            container = outline.containers.of(image.node)
            before = parts[-1] if parts else None
            if image.kind == "rule" and not _is_between(outline, image, before, part):
                continue
            while container.role in _WITHOUT_PICTURES:
                container = container.outer
            parts.append(Part("", container, image=image))
        if part is not None:
            parts.append(part)
    return replace(outline, parts=parts, pictures=within)


def _is_between(outline: Outline, rule: Image, before: Part | None, after: Part | None) -> bool:
    """Return whether a rule directly separates two texts of one container, and no heading."""
    if before is None or after is None or not before.text or before.role == "heading":
        return False
    container = outline.containers.of(rule.node)
    return (
        after.first_run == outline.page.runs.first[rule.node]
        and all(container in (ROOT, *part.container.path()) for part in (before, after))
        and container.role != "list"
        and {one.role for one in container.path()} <= _WITH_RULES
    )


def _find_pictures(outline: Outline) -> list[tuple[int, Image]]:
    """Return (next run, picture) of the pictures, players and rules in the plain text."""
    page, runs = outline.page, outline.runs
    formulas = [range(one.node, one.end) for one in find_formulas(page)]
    without = {i for nodes in formulas for i in nodes}
    return _cache_last(page, "images", runs, lambda: find_images(page, runs, without))


def _make_parts(page: Page, blocks: list[_Chosen]) -> tuple[list[Part], Containers, bool]:
    """Return the parts of blocks, their containers, and whether the text is storable.

    The page caches them, so they must not refer to the page.
    """
    containers = Containers(page.nodes, find_listings(page))
    runs, own_texts, owner = page.runs, page.blocks.text, page.runs.node
    given: list[tuple[int, Sequence[int], Any]] = [(*one, ()) for one in blocks]
    if find_formulas(page):
        placed = place_formulas(page, [Part("", ROOT, *one) for one in blocks])
        given = [(part.block, part.runs, part.formulas) for part in placed]
    parts: list[Part] = []
    has_code = False
    for block, own, formulas in given:
        container = containers.of_text(owner[own[0]] if own else formulas[0].node)
        is_code = container.role == "code"
        has_code = has_code or is_code
        is_whole = not formulas and len(own) == len(page.blocks.runs(block))
        if is_whole and (is_code or not runs.preformatted):
            text = own_texts[block]  # `clean_code` builds the text of code
        else:
            text = join_runs(runs, own, formulas)
        parts.append(Part(text, container, block, own, formulas))
    parts = containers.drop_meaningless(parts)
    if has_code:
        parts = clean_code(page, parts)
    text = "".join([part.text for part in parts])
    is_storable = storable_text(text) == text
    if not is_storable:
        parts = [part._replace(text=_clean_text(part)) for part in parts]
        parts = [part for part in parts if part.text.strip()]
    return parts, containers, is_storable


def _clean_text(part: Part) -> str:
    """Return the text of a part without characters that cannot be stored."""
    text = storable_text(part.text)
    lines = [" ".join(line.split()) for line in text.split("\n")]
    return text if part.role == "code" else "\n".join(lines)
