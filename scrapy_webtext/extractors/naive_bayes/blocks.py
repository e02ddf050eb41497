"""The web blocks of a page (Wang et al. 2013, section 3, step 4).

A web block is what its paper calls a block: the text below one table, tr, td or div, merged with
the sibling before it. It is made of whole blocks of text of the page
(:class:`~scrapy_webtext.page.Blocks`), since its tags are block-level tags all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Final, Literal, NamedTuple, get_args

from scrapy_webtext.extractors.naive_bayes.levels import Counts, Punctuation, count_punctuation
from scrapy_webtext.page import Page, prefix_sums

BlockTags = Literal["more", "paper", "table"]
Denoising = Literal["hidden", "paper"]
Nested = Literal["own", "affiliated"]
Outside = Literal["block", "none"]

#: Tags that make web blocks. "more" adds those that part today's pages, as the authors propose
#: for future work, and "table" is what they compare with (Table 3). Lists and headings are not
#: among them: they part an article from itself.
BLOCK_TAGS: Final[dict[BlockTags, frozenset[str]]] = {
    "more": frozenset(
        "table tr td div article section main aside nav header footer form figure figcaption "
        "button".split()
    ),
    "paper": frozenset({"table", "tr", "td", "div"}),
    "table": frozenset({"table"}),
}

_HEAD: Final = frozenset({"head"})


class Blocking(NamedTuple):
    """How a page falls into web blocks; a model has counts for each of these ways."""

    block_tags: BlockTags = "more"
    #: ``"hidden"`` leaves out what a browser does not show (`Page.hidden`), ``"paper"`` only
    #: style, scripts and comments, of which a page has no text.
    denoising: Denoising = "hidden"
    #: A block holds its own text, or also that of its ``"affiliated"`` tags, inner blocks.
    nested: Nested = "own"
    #: Text outside all of the tags makes a block of the root, or none.
    outside: Outside = "block"
    punctuation: Punctuation = "sentence"

    @property
    def key(self) -> str:
        """Its name in a model."""
        return "/".join(self)


#: All ways that there are.
BLOCKINGS: Final = tuple(
    Blocking(*values)
    for values in product(
        *(get_args(choice) for choice in (BlockTags, Denoising, Nested, Outside, Punctuation))
    )
)


class WebBlock(NamedTuple):
    """One web block and the counts behind its features."""

    parts: list[int]  #: numbers of the page's blocks of text that are in no inner one, ascending
    counts: Counts
    #: Bounds of the series of the page's blocks that it holds besides; empty unless affiliated.
    inner: tuple[tuple[int, int], ...] = ()


def noise_of(page: Page, denoising: Denoising) -> Sequence[int]:
    """Mask over nodes: 1 for what denoising leaves out."""
    return page.hidden if denoising == "hidden" else page.nodes.inside(_HEAD)


def web_blocks(page: Page, blocking: Blocking) -> list[WebBlock]:
    """Return the web blocks of a page, in the order of their first text.

    Rules 1 to 3: from each leaf up to the nearest of the tags; what has the same one is a block;
    a block whose element is a sibling of the element before it joins it. <head> makes none.
    """
    names = BLOCK_TAGS[blocking.block_tags]
    noise = noise_of(page, blocking.denoising)
    owners = page.nodes.nearest(names)
    tag, parent = page.nodes.tag, page.nodes.parent
    number: dict[int, int] = {}  # owner -> its web block
    parts: list[list[int]] = []
    before = -1
    for block, node in enumerate(page.blocks.node):
        if noise[node]:
            continue
        owner = owners[node]
        if tag[owner] not in names and blocking.outside == "none":
            continue
        if owner not in number:
            if before >= 0 and parent[before] == parent[owner]:
                number[owner] = number[before]
            else:
                number[owner] = len(parts)
                parts.append([])
        parts[number[owner]].append(block)
        before = owner
    if blocking.nested == "affiliated":
        return _affiliated(page, noise, names, number, parts, blocking.punctuation)
    paragraphs = [0] * len(parts)
    for i, name in enumerate(tag):
        if name == "p" and owners[i] in number:
            paragraphs[number[owners[i]]] += 1
    return [
        WebBlock(own, _counts(page, own, n, blocking.punctuation))
        for own, n in zip(parts, paragraphs, strict=True)
    ]


def parts_of(page: Page, blocks: Iterable[WebBlock], denoising: Denoising) -> list[int]:
    """Return the numbers of the page's blocks of text in these web blocks, each once, ascending."""
    own: list[int] = []
    inner: list[tuple[int, int]] = []
    for block in blocks:
        own += block.parts
        inner += block.inner
    if not inner:
        return sorted(own)
    noise = noise_of(page, denoising)
    opened = [0] * (len(page.blocks) + 1)
    for first, end in [*inner, *((part, part + 1) for part in own)]:
        opened[first] += 1
        opened[end] -= 1
    held = prefix_sums(opened)[1:]
    return [b for b, node in enumerate(page.blocks.node) if held[b] and not noise[node]]


def _counts(page: Page, parts: list[int], paragraphs: int, punctuation: Punctuation) -> Counts:
    blocks = page.blocks
    text = "".join([blocks.text[b] for b in parts])
    return Counts(
        sum([blocks.chars[b] for b in parts]),
        sum([blocks.link_chars[b] for b in parts]),
        count_punctuation(text, punctuation),
        paragraphs,
    )


def _affiliated(
    page: Page,
    noise: Sequence[int],
    names: frozenset[str],
    number: dict[int, int],
    parts: list[list[int]],
    punctuation: Punctuation,
) -> list[WebBlock]:
    """Return the web blocks with what is inside their elements; one of the root has its own."""
    blocks, nodes = page.blocks, page.nodes
    shown = [not noise[node] for node in blocks.node]
    marks = (count_punctuation(text, punctuation) for text in blocks.text)
    columns = [
        prefix_sums(n if is_shown else 0 for n, is_shown in zip(column, shown, strict=True))
        for column in (blocks.chars, blocks.link_chars, marks)
    ]
    paragraphs = prefix_sums(tag == "p" for tag in nodes.tag)
    sums = [[0, 0, 0, 0] for _ in parts]
    inner: list[list[tuple[int, int]]] = [[] for _ in parts]
    for owner, k in number.items():
        if nodes.tag[owner] in names:
            held = page.blocks_in(owner)
            inner[k].append((held.start, held.stop))
            for place, column in enumerate(columns):
                sums[k][place] += column[held.stop] - column[held.start]
            sums[k][3] += paragraphs[nodes.end[owner]] - paragraphs[owner]
    return [
        WebBlock(own, Counts(*values), tuple(spans))
        if spans
        else WebBlock(own, _counts(page, own, 0, punctuation))
        for own, values, spans in zip(parts, sums, inner, strict=True)
    ]
