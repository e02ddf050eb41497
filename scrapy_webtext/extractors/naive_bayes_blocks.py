"""Web blocks and their features (Wang et al. 2013, sections 3 and 4.2).

A web block is what its paper calls a block: the text below one table, tr, td or div, less what
lies in another of them, merged with the sibling before it. It is made of whole blocks of text
of the page (:class:`~scrapy_webtext.page.Blocks`), since its tags are block-level tags all.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from scrapy_webtext.page import Page

BlockTags = Literal["paper", "more"]

#: Tags that make web blocks. "more" adds those that part today's pages, as the authors propose
#: for future work. Lists and headings are not among them: they part an article from itself.
BLOCK_TAGS: Final[dict[BlockTags, frozenset[str]]] = {
    "paper": frozenset({"table", "tr", "td", "div"}),
    "more": frozenset(
        "table tr td div article section main aside nav header footer form figure figcaption "
        "button".split()
    ),
}

_HEAD: Final = frozenset({"head"})

Denoising = Literal["hidden", "paper"]
_ASCII_PUNCTUATION: Final = ",.;:!?"
#: Marks that end or part sentences, in Latin, Chinese, Arabic and Indic scripts.
PUNCTUATION: Final = _ASCII_PUNCTUATION + "…，。；：！？、،؛؟۔।"


class Levels(NamedTuple):
    """The four features of a web block, each as a level counted from 0."""

    unlinked_chars: int  #: < 20, < 40, < 60, < 80, < 100, from 100 on
    link_ratio: int  #: below 10 %, below 50 %, to 80 %, above
    punctuation_ratio: int  #: below 2 %, to 10 %, above
    paragraphs: int  #: none, 1 to 3, more


#: How many levels each feature has.
LEVEL_COUNTS: Final = Levels(6, 4, 3, 3)


class WebBlock(NamedTuple):
    """One web block and the counts behind its features."""

    parts: list[int]  #: numbers of the page's blocks of text, ascending
    chars: int  #: textsum
    link_chars: int  #: linktextsum
    punctuation: int  #: puncsum
    paragraphs: int  #: psum

    @property
    def features(self) -> tuple[int, float, float, int]:
        """The features themselves, in the order of `Levels`; no links count as one character."""
        return (
            self.chars - self.link_chars,
            self.link_chars / self.chars,
            self.punctuation / (self.link_chars or 1),
            self.paragraphs,
        )

    @property
    def levels(self) -> Levels:
        """The features as levels (eqs. 2 and 3 and sections 4.3.1 to 4.3.4).

        Without punctuation the ratio of eq. 3 is 0, without links it is above every bound
        otherwise: 0/0 says nothing in the paper.
        """
        _, chars, links, marks, paragraphs = self
        if 2 * links < chars:
            link_ratio = 0 if 10 * links < chars else 1
        else:
            link_ratio = 2 if 5 * links <= 4 * chars else 3
        return Levels(
            min((chars - links) // 20, 5),
            link_ratio,
            0 if not marks or 50 * marks < links else 1 if 10 * marks <= links else 2,
            0 if not paragraphs else 1 if paragraphs <= 3 else 2,
        )


def web_blocks(
    page: Page, names: frozenset[str], denoising: Denoising = "hidden"
) -> list[WebBlock]:
    """Return the web blocks that these tags make, in the order of their first text.

    Rules 1 to 3 of section 3: from each leaf up to the nearest of the tags; what has the same
    one is a block; a block whose element is a sibling of the element before it joins it.
    Readings: a block holds no text of the blocks inside it (the letter, "its affiliated tags",
    would count it twice); text outside all of the tags makes a block of the root; <head> none.
    ``"hidden"`` also leaves out what a browser does not show (`Page.hidden`), ``"paper"``
    only style, scripts and comments, of which a page has no text.
    """
    owners = page.nodes.nearest(names)
    parent = page.nodes.parent
    noise = page.hidden if denoising == "hidden" else page.nodes.inside(_HEAD)
    number: dict[int, int] = {}  # owner -> its web block
    parts: list[list[int]] = []
    before = -1
    for block, node in enumerate(page.blocks.node):
        if noise[node]:
            continue
        owner = owners[node]
        if owner not in number:
            if before >= 0 and parent[before] == parent[owner]:
                number[owner] = number[before]
            else:
                number[owner] = len(parts)
                parts.append([])
        parts[number[owner]].append(block)
        before = owner
    paragraphs = [0] * len(parts)
    for i, tag in enumerate(page.nodes.tag):
        if tag == "p" and owners[i] in number:
            paragraphs[number[owners[i]]] += 1
    return [_web_block(page, own, n) for own, n in zip(parts, paragraphs, strict=True)]


def _web_block(page: Page, parts: list[int], paragraphs: int) -> WebBlock:
    blocks = page.blocks
    text = "".join([blocks.text[b] for b in parts])
    marks = _ASCII_PUNCTUATION if text.isascii() else PUNCTUATION
    return WebBlock(
        parts,
        sum([blocks.chars[b] for b in parts]),
        sum([blocks.link_chars[b] for b in parts]),
        sum(map(text.count, marks)),
        paragraphs,
    )
