"""Features of the blocks of a page: one column per name of ``BLOCK_FEATURES``.

The same function serves training and extraction, and a model names the features that it asks
for, so that the two cannot drift apart. Everything is a list operation over columns or a
difference of prefix sums: no block walks the tree.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from scrapy_webtext.extractors.fusion.reading import (
    FLAGS,
    UNSEEN,
    Elements,
    NameScore,
    Texts,
    read_elements,
    read_texts,
)
from scrapy_webtext.extractors.fusion.templates import Columns, add_templates, add_wording
from scrapy_webtext.extractors.fusion.wording import Wording
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

#: Steps and places where there is nothing to count from.
NOWHERE: Final = 99
NO_HEADLINE: Final = 999

_LEVELS: Final = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
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
    kind_words: tuple[float, ...]  #: per kind of page, what the words of short texts say


def read(page: Page, score: NameScore, wording: Wording) -> Reading:
    """Return the features of a page's visible blocks, in time linear in the page.

    ``score`` gives the lowest and highest learned score of the names of one element, ``wording``
    the learned scores of words.
    """
    texts = read_texts(page)
    elements = read_elements(page, score)
    p = page.remember(("p_values", "none", "folded"), lambda: p_values(page, "none", "folded"))
    columns: Columns = {}
    _add_text(columns, page, texts)
    _add_ancestors(columns, page, texts, elements)
    main = _add_places(columns, page, texts, elements, p)
    _add_containers(columns, page, texts, p)
    add_templates(columns, page, texts, elements)
    _add_neighbours(columns, texts)
    _add_headings(columns, page, texts)
    kind_words = add_wording(columns, texts, elements, wording)
    return Reading(texts, elements, p, columns, main, kind_words)


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


def _add_places(
    columns: Columns, page: Page, texts: Texts, elements: Elements, p: PValues
) -> bytearray:
    """Where a block lies relative to four guesses at the main text.

    They are the element with the greatest P, the deepest elements with 50 % and 80 % of the
    prose, and the plateau of body text extraction. Returns the mask of the second.
    """
    at, sums = texts.at, texts.prose_sums
    first, end = page.runs.first, page.runs.end
    live = elements.live
    prose = [sums[at[end[i]]] - sums[at[first[i]]] for i in live]
    half = _deepest(live, prose, 0.5 * sums[-1])
    _add_node(columns, "best", page, texts, p.best)
    _add_node(columns, "half", page, texts, half)
    _add_node(columns, "most", page, texts, _deepest(live, prose, 0.8 * sums[-1]))
    tags = [page.runs.tags_before[page.blocks.first_run[b]] for b in texts.numbers]
    after = [*tags[1:], tags[-1] + 1] if tags else []
    gains = [w - (z - a) for w, a, z in zip(texts.words, tags, after, strict=True)]
    columns["plateau_place"] = _place(len(gains), *_plateau(gains))
    dense = [(2 * n - c) / 5 - 8 for n, c in zip(texts.plain, texts.chars, strict=True)]
    columns["dense_place"] = _place(len(dense), *_plateau(dense))
    mask = bytearray(len(texts.node))
    if half >= 0:
        a, z = at[first[half]], at[end[half]]
        mask[a:z] = b"\x01" * (z - a)
    return mask


def _deepest(nodes: Sequence[int], values: Sequence[float], bound: float) -> int:
    """Return the last of these nodes whose value reaches the bound; -1 for none or no bound."""
    if bound <= 0:
        return -1
    return next(
        (i for i, v in zip(reversed(nodes), reversed(values), strict=True) if v >= bound), -1
    )


def _add_node(columns: Columns, name: str, page: Page, texts: Texts, node: int) -> None:
    """Steps up from a node until a block is inside, and blocks before (< 0) or after it."""
    at, first, end, parent = texts.at, page.runs.first, page.runs.end, page.nodes.parent
    n = len(texts.node)
    steps = [NOWHERE] * n
    low, high = place = (at[first[node]], at[end[node]]) if node >= 0 else (0, 0)
    steps[low:high] = [0] * (high - low)
    up, step = parent[node] if node >= 0 else -1, 1
    while up >= 0:
        a, z = at[first[up]], at[end[up]]
        steps[a:low] = [step] * (low - a)
        steps[high:z] = [step] * (z - high)
        low, high, up, step = a, z, parent[up], step + 1
    columns[f"{name}_steps"] = steps
    columns[f"{name}_place"] = _place(n, *place)


def _place(n: int, first: int, end: int) -> list[int]:
    """Per block: 0 in [first, end), below 0 the blocks until it, above 0 the blocks since."""
    return [*range(-first, 0), *([0] * (end - first)), *range(1, n - end + 1)]


def _plateau(gains: Sequence[float]) -> tuple[int, int]:
    """Return the bounds of the series with the greatest sum; (0, 0) where none is positive.

    With words less tags as gains this is body text extraction (Kushmerick et al. 2001).
    """
    greatest = total = 0.0
    start = first = end = 0
    for i, gain in enumerate(gains):
        if total <= 0:
            total, start = gain, i
        else:
            total += gain
        if total > greatest:
            greatest, first, end = total, start, i + 1
    return first, end


def _add_containers(columns: Columns, page: Page, texts: Texts, p: PValues) -> None:
    """What the block-level elements around a block hold: its parent, grandparent, the next."""
    at, containers, parent = texts.at, page.containers, page.nodes.parent
    first, end = page.runs.first, page.runs.end
    plain, chars, prose = texts.plain_sums, texts.chars_sums, texts.prose_sums
    all_plain, all_prose = plain[-1] or 1, prose[-1] or 1
    columns["p"] = [p.p[i] for i in texts.node]
    nodes = texts.node
    for level in (1, 2, 3):
        nodes = [containers[parent[i]] if parent[i] >= 0 else i for i in nodes]
        spans = [(at[first[i]], at[end[i]]) for i in nodes]
        held = [plain[z] - plain[a] for a, z in spans]
        columns[f"plain_share_{level}"] = [n / all_plain for n in held]
        columns[f"prose_share_{level}"] = [(prose[z] - prose[a]) / all_prose for a, z in spans]
        if level < 3:
            columns[f"p_{level}"] = [p.p[i] for i in nodes]
            columns[f"plain_mean_{level}"] = [
                n / (z - a) if z > a else 0.0 for n, (a, z) in zip(held, spans, strict=True)
            ]
        if level > 1:
            columns[f"density_{level}"] = [
                1 - n / ((chars[z] - chars[a]) or 1) for n, (a, z) in zip(held, spans, strict=True)
            ]
    columns["blocks_3"] = [z - a for a, z in spans]


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


def _add_headings(columns: Columns, page: Page, texts: Texts) -> None:
    """Distance from the last heading and from the headline, the heading most like the title."""
    levels = [_LEVELS.get(page.nodes.tag[i], 0) for i in texts.node]
    since, kinds, level, last = [], [], 0, 0
    for i, own in enumerate(levels):
        if own:
            level, last = own, i
        since.append(i - last)
        kinds.append(level)
    columns["since_heading"] = since
    _add_sections(columns, texts, since)
    columns["heading_level"] = kinds
    columns["title_similarity"] = similarity = _similarities(page.title, texts, levels)
    ranks = [
        s + (0.5 if own == 1 else 0.25 if own else 0.0)
        for s, own in zip(similarity, levels, strict=True)
    ]
    top = max(ranks, default=0.0)
    if top < 0.4:
        columns["from_headline"] = [NO_HEADLINE] * len(levels)
        columns["prose_from_headline"] = [-1] * len(levels)
        return
    headline, sums = ranks.index(top), texts.prose_sums
    columns["from_headline"] = list(range(-headline, len(levels) - headline))
    columns["prose_from_headline"] = [n - sums[headline] for n in sums[:-1]]


def _add_sections(columns: Columns, texts: Texts, since: Sequence[int]) -> None:
    """What lies between a block's heading, or the start of the page, and the next heading."""
    starts = [i for i, distance in enumerate(since) if i == 0 or distance == 0]
    plain, chars = texts.plain_sums, texts.chars_sums
    plains: list[int] = []
    blocks: list[int] = []
    densities: list[float] = []
    for a, z in pairwise([*starts, len(since)]):
        n = z - a
        held = plain[z] - plain[a]
        plains += [held] * n
        blocks += [n] * n
        densities += [1 - held / ((chars[z] - chars[a]) or 1)] * n
    columns["section_plain"] = plains
    columns["section_blocks"] = blocks
    columns["section_density"] = densities


def _similarities(title: str, texts: Texts, levels: Sequence[int]) -> list[float]:
    """Per block, words shared with the title per words of either; 0 for long blocks and links.

    Characters take the place of words in scripts without spaces.
    """
    wanted = set(title.lower() if texts.is_unspaced else title.lower().split())
    if not wanted:
        return [0.0] * len(texts.text)
    column = []
    for text, chars, level, density in zip(
        texts.text, texts.chars, levels, texts.density, strict=True
    ):
        if 8 <= chars <= 250 and (level or density < 0.5):
            low = text.lower()
            words = set(low if texts.is_unspaced else low.split())
            shared = len(words & wanted)
            column.append(shared / (len(words) + len(wanted) - shared) if shared else 0.0)
        else:
            column.append(0.0)
    return column
