"""Features of the blocks of a page: one column per name of ``BLOCK_FEATURES``.

The same function serves training and extraction, and a model names the features that it asks
for, so that the two cannot drift apart. Everything is a list operation over columns or a
difference of prefix sums: no block walks the tree.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Final

from scrapy_webtext.extractors.fusion.features.distances import add_places
from scrapy_webtext.extractors.fusion.features.headings import add_headings
from scrapy_webtext.extractors.fusion.features.short_texts import Wording
from scrapy_webtext.extractors.fusion.features.tables import (
    FLAGS,
    UNSEEN,
    Columns,
    Elements,
    NameScore,
    Texts,
    read_elements,
    read_texts,
)
from scrapy_webtext.extractors.fusion.features.templates import add_templates, add_wording
from scrapy_webtext.extractors.fusion.filters.landmarks import unread
from scrapy_webtext.extractors.pvalue import PValues, p_values
from scrapy_webtext.page import Page

#: Names of the columns, in a fixed order.
BLOCK_FEATURES: Final = tuple(
    """
    chars plain density ends kind runs_per_word word_chars copies
    in_nav in_footer in_aside in_article in_main in_figure in_table is_unseen depth
    name_sum name_own name_low name_high name_near name_middle
    best_steps best_place half_steps half_place most_steps most_place plateau_place dense_place
    p p_1 p_2 plain_share_1 plain_share_2 plain_share_3 prose_share_1 prose_share_2 prose_share_3
    plain_mean_1 plain_mean_2 density_2 density_3 blocks_3
    alike alike_plain alike_prose alike_mean alike_ends alike_first parents_alike parents_plain
    entries entry_prose entries_plain entries_prose prose_before_entries
    smooth_plain next_plain next_kind around_plain around_density
    plain_position prose_position prose_left
    section_plain section_blocks section_density
    since_heading heading_level title_similarity from_headline prose_from_headline
    words_mean words_low words_around words_alike
    """.split()
)

_NAMES: Final = frozenset(BLOCK_FEATURES)
#: What elements around a block hold, each of three levels up, as far as features are made of it.
_HELD: Final = ("plain_share", "prose_share", "p", "plain_mean", "density", "blocks")
#: Kinds of block by tag, so numbered that neighbours are alike.
_KINDS: Final = {
    "p": 1,
    "blockquote": 2,
    "pre": 3,
    "li": 4,
    "dd": 5,
    "dt": 6,
    "div": 7,
    "section": 7,
    "article": 7,
    "td": 8,
    "th": 9,
    "figcaption": 10,
    "button": 11,
    "label": 11,
    "legend": 11,
    "summary": 12,
    "h6": 13,
    "h5": 14,
    "h4": 15,
    "h3": 16,
    "h2": 17,
    "h1": 18,
}


@dataclass(frozen=True, slots=True)
class Reading:
    """A page as ``fusion`` sees it: its visible blocks and their features."""

    texts: Texts
    elements: Elements
    p: PValues
    columns: Columns  #: per feature, one value per visible block
    is_prose_main: bytearray  #: mask over visible blocks: inside the node with half the prose
    article_words: float  #: what the words of short texts say of the page being an article


def read(page: Page, score: NameScore, wording: Wording) -> Reading:
    """Return the features of a page's visible blocks, in time linear in the page.

    ``score`` gives the lowest and highest learned score of the names of one element, ``wording``
    the learned scores of words.
    """
    skipped = unread(page)
    texts = read_texts(page, skipped)
    elements = read_elements(page, skipped, score)
    p = p_values(page)
    columns: Columns = {}
    _add_text(columns, page, texts)
    _add_ancestors(columns, page, texts, elements)
    main = add_places(columns, page, texts, elements, p)
    _add_containers(columns, page, texts, p)
    add_templates(columns, page, texts, elements)
    _add_neighbours(columns, texts)
    add_headings(columns, page, texts)
    article_words = add_wording(columns, texts, elements, wording)
    return Reading(texts, elements, p, columns, main, article_words)


def _add_text(columns: Columns, page: Page, texts: Texts) -> None:
    tag, first, end = page.nodes.tag, page.blocks.first_run, page.blocks.end_run
    columns["chars"] = texts.chars
    columns["plain"] = texts.plain
    columns["density"] = texts.density
    columns["ends"] = texts.ends
    columns["kind"] = [_KINDS.get(tag[i], 0) for i in texts.node]
    columns["runs_per_word"] = [
        (end[b] - first[b]) / n for b, n in zip(texts.numbers, texts.words, strict=True)
    ]
    columns["word_chars"] = [n / w for n, w in zip(texts.chars, texts.words, strict=True)]
    copies = Counter(texts.text)
    columns["copies"] = [copies[t] for t in texts.text]


def _add_ancestors(columns: Columns, page: Page, texts: Texts, elements: Elements) -> None:
    parent, containers = page.nodes.parent, page.containers
    flags = [elements.flags[i] for i in texts.owner]
    for name in ("nav", "footer", "aside", "article", "main", "figure", "table"):
        bit = FLAGS[name]
        columns[f"in_{name}"] = [(f & bit) != 0 for f in flags]
    columns["is_unseen"] = [(f & UNSEEN) != 0 for f in flags]
    columns["depth"] = [elements.depth[i] for i in texts.node]
    total = elements.name_sum
    columns["name_sum"] = [total[i] for i in texts.owner]
    columns["name_own"] = [
        total[i] - total[parent[k]] for i, k in zip(texts.owner, texts.node, strict=True)
    ]
    columns["name_low"] = [elements.name_low[i] for i in texts.owner]
    columns["name_high"] = [elements.name_high[i] for i in texts.owner]
    near, middle = [], []
    for i, node in zip(texts.owner, texts.node, strict=True):
        above = containers[parent[node]]
        further = containers[parent[containers[parent[above]]]]
        edge = total[parent[above]]
        near.append(total[i] - edge)
        middle.append(edge - total[further])
    columns["name_near"] = near
    columns["name_middle"] = middle


def _add_containers(columns: Columns, page: Page, texts: Texts, p: PValues) -> None:
    """What the block-level elements around a block hold: its parent, grandparent, the next."""
    containers, parent = page.containers, page.nodes.parent
    columns["p"] = [p.p[i] for i in texts.node]
    levels, nodes = [], texts.node
    for _ in range(3):
        nodes = [containers[parent[i]] if parent[i] >= 0 else i for i in nodes]
        levels.append(nodes)
    held = _held(dict.fromkeys(chain(*levels)), page, texts, p)
    for level, nodes in enumerate(levels, 1):
        rows = list(zip(*[held[i] for i in nodes], strict=True)) or [()] * len(_HELD)
        named = zip([f"{name}_{level}" for name in _HELD], rows, strict=True)
        columns.update((name, column) for name, column in named if name in _NAMES)


def _held(
    nodes: Iterable[int], page: Page, texts: Texts, p: PValues
) -> dict[int, tuple[float, ...]]:
    """Return per node what it holds, in the order of ``_HELD``."""
    at, first, end = texts.at, page.runs.first, page.runs.end
    plain, chars, prose = texts.plain_sums, texts.chars_sums, texts.prose_sums
    all_plain, all_prose = plain[-1] or 1, prose[-1] or 1
    held: dict[int, tuple[float, ...]] = {}
    for i in nodes:
        a, z = at[first[i]], at[end[i]]
        n = plain[z] - plain[a]
        held[i] = (
            n / all_plain,
            (prose[z] - prose[a]) / all_prose,
            p.p[i],
            n / (z - a) if z > a else 0.0,
            1 - n / ((chars[z] - chars[a]) or 1),
            z - a,
        )
    return held


def _add_neighbours(columns: Columns, texts: Texts) -> None:
    n = len(texts.node)
    plain, sums, chars = texts.plain, texts.plain_sums, texts.chars_sums
    padded = [0, 0, *plain, 0, 0]
    columns["smooth_plain"] = [
        a + 2 * b + 3 * c + 2 * d + e
        for a, b, c, d, e in zip(padded, padded[1:], padded[2:], padded[3:], padded[4:])  # noqa: B905
    ]
    columns["next_plain"] = [*plain[1:], 0][:n]
    columns["next_kind"] = [*columns["kind"][1:], 0][:n]
    bounds = [(max(0, i - 8), min(n, i + 9)) for i in range(n)]
    around = [sums[z] - sums[a] for a, z in bounds]
    columns["around_plain"] = around
    columns["around_density"] = [
        1 - n / (chars[z] - chars[a]) for n, (a, z) in zip(around, bounds, strict=True)
    ]
    all_plain, all_prose = sums[-1] or 1, texts.prose_sums[-1] or 1
    columns["plain_position"] = [n / all_plain for n in sums[:-1]]
    columns["prose_position"] = [n / all_prose for n in texts.prose_sums[:-1]]
    columns["prose_left"] = [all_prose - n for n in texts.prose_sums[1:]]
