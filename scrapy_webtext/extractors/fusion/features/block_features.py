"""The feature table of a page: one column per name of ``BLOCK_FEATURES``, one row per block.

Training and extraction use the same function, and a model lists the features that it uses. So
training and extraction cannot differ. All features are computed by list operations over columns or
by differences of prefix sums; no block walks the tree, and the cost is linear in the page.

A new feature is a column that one of the ``_add_*`` functions sets, and its name in
``BLOCK_FEATURES``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from scrapy_webtext.compiled import compiled
from scrapy_webtext.extractors.fusion.features.headings import add_headings
from scrapy_webtext.extractors.fusion.features.short_texts import TokenScores
from scrapy_webtext.extractors.fusion.features.tables import (
    FLAGS,
    HIDDEN_BY_ATTRIBUTE,
    BlockTable,
    ClassNameScore,
    Columns,
    ElementTable,
    block_table,
    containers_above,
    element_table,
)
from scrapy_webtext.extractors.fusion.features.templates import add_templates, add_token_scores
from scrapy_webtext.extractors.fusion.filters.landmarks import excluded_nodes
from scrapy_webtext.extractors.pvalue import PValues, p_values
from scrapy_webtext.page import Page

#: Names of the columns, in the order of the training matrix.
BLOCK_FEATURES: Final = tuple(
    """
    chars unlinked_chars link_density ends_sentence tag_class runs_per_word word_chars copies
    in_nav in_footer in_aside in_article in_main in_figure in_table is_hidden_by_attribute depth
    class_score_sum class_score_own class_score_low class_score_high class_score_near
    class_score_middle
    best_steps best_distance half_steps half_distance most_steps most_distance
    plateau_distance dense_distance
    p p_1 p_2 unlinked_share_1 unlinked_share_2 unlinked_share_3 prose_share_1 prose_share_2
    prose_share_3
    mean_unlinked_1 mean_unlinked_2 link_density_2 link_density_3 blocks_3
    template_count template_unlinked template_prose template_mean template_sentences
    template_start parent_template_count parent_template_unlinked
    repeated_items item_prose items_unlinked items_prose prose_before_items
    smoothed_unlinked next_unlinked next_tag_class window_unlinked window_link_density
    unlinked_position prose_position prose_left
    section_unlinked section_blocks section_link_density
    since_heading heading_level title_similarity from_headline prose_from_headline
    token_score_mean token_score_low token_score_window token_score_template
    """.split()
)

_NAMES: Final = frozenset(BLOCK_FEATURES)
#: Statistics of a container. Each of three levels of containers has those that are features.
_CONTAINER_FEATURES: Final = (
    "unlinked_share",
    "prose_share",
    "p",
    "mean_unlinked",
    "link_density",
    "blocks",
)
#: Classes of tags. Similar tags have close numbers, because trees split by thresholds.
_TAG_CLASSES: Final = {
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
class FeatureTable:
    """The candidate blocks of a page and their features."""

    texts: BlockTable
    elements: ElementTable
    p: PValues
    columns: Columns  #: per feature, one value per candidate block
    is_prose_main: bytearray  #: mask over candidate blocks: inside the node with half the prose
    article_token_score: float  #: mean article score of the words of short texts


def compute_features(page: Page, score: ClassNameScore, token_scores: TokenScores) -> FeatureTable:
    """Return the feature table of a page, in time linear in the page.

    ``score`` returns the scores of the class names of one element; ``token_scores`` are the
    learned scores of words.
    """
    excluded = excluded_nodes(page)
    texts = block_table(page, excluded)
    elements = element_table(page, excluded, score)
    p = p_values(page)
    columns: Columns = {}
    _add_text(columns, page, texts)
    _add_ancestors(columns, page, texts, elements)
    main = add_distances(columns, page, texts, elements, p)
    _add_containers(columns, page, texts, p)
    add_templates(columns, page, texts, elements)
    _add_neighbours(columns, texts)
    add_headings(columns, page, texts)
    article_token_score = add_token_scores(columns, texts, elements, token_scores)
    return FeatureTable(texts, elements, p, columns, main, article_token_score)


@compiled
def _add_text(columns: Columns, page: Page, texts: BlockTable) -> None:
    tag, first, end = page.nodes.tag, page.blocks.first_run, page.blocks.end_run
    columns["chars"] = texts.chars
    columns["unlinked_chars"] = texts.unlinked_chars
    columns["link_density"] = texts.link_density
    columns["ends_sentence"] = texts.ends
    columns["tag_class"] = [_TAG_CLASSES.get(tag[i], 0) for i in texts.node]
    columns["runs_per_word"] = [
        (end[b] - first[b]) / n for b, n in zip(texts.numbers, texts.words, strict=True)
    ]
    columns["word_chars"] = [n / w for n, w in zip(texts.chars, texts.words, strict=True)]
    copies = Counter(texts.text)
    columns["copies"] = [copies[t] for t in texts.text]


@compiled
def _add_ancestors(columns: Columns, page: Page, texts: BlockTable, elements: ElementTable) -> None:
    parent, containers = page.nodes.parent, page.containers
    flags = [elements.flags[i] for i in texts.owner]
    for name in ("nav", "footer", "aside", "article", "main", "figure", "table"):
        bit = FLAGS[name]
        columns[f"in_{name}"] = [(f & bit) != 0 for f in flags]
    columns["is_hidden_by_attribute"] = [(f & HIDDEN_BY_ATTRIBUTE) != 0 for f in flags]
    columns["depth"] = [elements.depth[i] for i in texts.node]
    total = elements.class_score_sum
    columns["class_score_sum"] = [total[i] for i in texts.owner]
    columns["class_score_own"] = [
        total[i] - total[parent[k]] for i, k in zip(texts.owner, texts.node, strict=True)
    ]
    columns["class_score_low"] = [elements.class_score_low[i] for i in texts.owner]
    columns["class_score_high"] = [elements.class_score_high[i] for i in texts.owner]
    near, middle = [], []
    for i, node in zip(texts.owner, texts.node, strict=True):
        above = containers[parent[node]]
        further = containers[parent[containers[parent[above]]]]
        edge = total[parent[above]]
        near.append(total[i] - edge)
        middle.append(edge - total[further])
    columns["class_score_near"] = near
    columns["class_score_middle"] = middle


@compiled
def _add_containers(columns: Columns, page: Page, texts: BlockTable, p: PValues) -> None:
    """Statistics of the three closest block-level elements around a block (levels 1 to 3)."""
    columns["p"] = [p.p[i] for i in texts.node]
    levels, nodes = [], texts.node
    for _ in range(3):
        nodes = containers_above(page, nodes)
        levels.append(nodes)
    statistics = _container_statistics(dict.fromkeys(chain(*levels)), page, texts, p)
    for level, nodes in enumerate(levels, 1):
        rows = list(zip(*[statistics[i] for i in nodes], strict=True))
        rows = rows or [()] * len(_CONTAINER_FEATURES)
        named = zip([f"{name}_{level}" for name in _CONTAINER_FEATURES], rows, strict=True)
        columns.update((name, column) for name, column in named if name in _NAMES)


def _container_statistics(
    nodes: Iterable[int], page: Page, texts: BlockTable, p: PValues
) -> dict[int, tuple[float, ...]]:
    """Return per node its statistics, in the order of ``_CONTAINER_FEATURES``."""
    at, first, end = texts.at, page.runs.first, page.runs.end
    unlinked_chars, chars, prose = texts.unlinked_sums, texts.chars_sums, texts.prose_sums
    all_unlinked, all_prose = unlinked_chars[-1] or 1, prose[-1] or 1
    statistics: dict[int, tuple[float, ...]] = {}
    for i in nodes:
        a, z = at[first[i]], at[end[i]]
        n = unlinked_chars[z] - unlinked_chars[a]
        statistics[i] = (
            n / all_unlinked,
            (prose[z] - prose[a]) / all_prose,
            p.p[i],
            n / (z - a) if z > a else 0.0,
            1 - n / ((chars[z] - chars[a]) or 1),
            z - a,
        )
    return statistics


@compiled
def _add_neighbours(columns: Columns, texts: BlockTable) -> None:
    n = len(texts.node)
    unlinked_chars, sums, chars = texts.unlinked_chars, texts.unlinked_sums, texts.chars_sums
    padded = [0, 0, *unlinked_chars, 0, 0]
    columns["smoothed_unlinked"] = [
        a + 2 * b + 3 * c + 2 * d + e
        for a, b, c, d, e in zip(padded, padded[1:], padded[2:], padded[3:], padded[4:])  # noqa: B905
    ]
    columns["next_unlinked"] = [*unlinked_chars[1:], 0][:n]
    columns["next_tag_class"] = [*columns["tag_class"][1:], 0][:n]
    bounds = [(max(0, i - 8), min(n, i + 9)) for i in range(n)]
    window = [sums[z] - sums[a] for a, z in bounds]
    columns["window_unlinked"] = window
    columns["window_link_density"] = [
        1 - n / (chars[z] - chars[a]) for n, (a, z) in zip(window, bounds, strict=True)
    ]
    all_unlinked, all_prose = sums[-1] or 1, texts.prose_sums[-1] or 1
    columns["unlinked_position"] = [n / all_unlinked for n in sums[:-1]]
    columns["prose_position"] = [n / all_prose for n in texts.prose_sums[:-1]]
    columns["prose_left"] = [all_prose - n for n in texts.prose_sums[1:]]


# Distances of each block from four guesses of where the main text is

#: Number of steps if there is no such element.
NOWHERE: Final = 99


def add_distances(
    columns: Columns, page: Page, texts: BlockTable, elements: ElementTable, p: PValues
) -> bytearray:
    """Add the distances; return a mask over blocks of those in the element with half the prose.

    The guesses are the element with the greatest P ("best"), the deepest elements with 50 % and
    with 80 % of the prose ("half", "most"), and the plateau of body text extraction ("plateau").
    "dense" is the same search for a plateau with text outside links in place of words.
    """
    at, sums = texts.at, texts.prose_sums
    first, end = page.runs.first, page.runs.end
    kept_nodes = elements.kept_nodes
    prose = [sums[at[end[i]]] - sums[at[first[i]]] for i in kept_nodes]
    half = _deepest(kept_nodes, prose, 0.5 * sums[-1])
    _add_node(columns, "best", page, texts, p.best)
    _add_node(columns, "half", page, texts, half)
    _add_node(columns, "most", page, texts, _deepest(kept_nodes, prose, 0.8 * sums[-1]))
    tags = [page.runs.tags_before[page.blocks.first_run[b]] for b in texts.numbers]
    after = [*tags[1:], tags[-1] + 1] if tags else []
    gains = [w - (z - a) for w, a, z in zip(texts.words, tags, after, strict=True)]
    columns["plateau_distance"] = _distance(len(gains), *_plateau(gains))
    dense = [(2 * n - c) / 5 - 8 for n, c in zip(texts.unlinked_chars, texts.chars, strict=True)]
    columns["dense_distance"] = _distance(len(dense), *_plateau(dense))
    mask = bytearray(len(texts.node))
    if half >= 0:
        a, z = at[first[half]], at[end[half]]
        mask[a:z] = b"\x01" * (z - a)
    return mask


def _deepest(nodes: Sequence[int], values: Sequence[float], bound: float) -> int:
    """Return the last node whose value is at least ``bound``; -1 if there is none or no bound."""
    if bound <= 0:
        return -1
    return next(
        (i for i, v in zip(reversed(nodes), reversed(values), strict=True) if v >= bound), -1
    )


def _add_node(columns: Columns, name: str, page: Page, texts: BlockTable, node: int) -> None:
    """Add steps up from a node until it holds the block, and blocks before (< 0) or after it."""
    at, n = texts.at, len(texts.node)
    bounds = (at[page.runs.first[node]], at[page.runs.end[node]]) if node >= 0 else (0, 0)
    columns[f"{name}_steps"] = steps_up(page, texts, node) if node >= 0 else [NOWHERE] * n
    columns[f"{name}_distance"] = _distance(n, *bounds)


def steps_up(page: Page, texts: BlockTable, node: int) -> list[int]:
    """Return per candidate block the steps up from a node to an element that holds the block."""
    at, first, end, parent = texts.at, page.runs.first, page.runs.end, page.nodes.parent
    steps = [NOWHERE] * len(texts.node)
    low = high = at[first[node]]
    step = 0
    while node >= 0:
        a, z = at[first[node]], at[end[node]]
        steps[a:low] = [step] * (low - a)
        steps[high:z] = [step] * (z - high)
        low, high, node, step = a, z, parent[node], step + 1
    return steps


def _distance(n: int, first: int, end: int) -> list[int]:
    """Return per block its distance from [first, end): 0 inside, < 0 before, > 0 after."""
    return [*range(-first, 0), *([0] * (end - first)), *range(1, n - end + 1)]


def _plateau(gains: Sequence[float]) -> tuple[int, int]:
    """Return the bounds of the interval with the greatest sum; (0, 0) if no gain is positive.

    With words minus tags as gains this is body text extraction (Finn, Kushmerick, Smyth 2001).
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
