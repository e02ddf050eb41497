# cython: infer_types=True
"""The feature table of a page: one column per name of ``BLOCK_FEATURES``, one row per block.

Training and extraction use the same function, and a model lists the names of its features. So
training and extraction cannot differ. All features are computed by loops over columns and by
differences of prefix sums, without walking the tree for each block, so the cost is linear in the
page.

To add a feature, add a measure to a table of `measures`; or set its column in one of the ``_add_*``
functions, and add its name to ``BLOCK_FEATURES`` and, if it can grow with the page, to ``LIMITS``.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from scrapy_webtext.core import arrays
from scrapy_webtext.core.distinct import DistinctTexts, TokenTable
from scrapy_webtext.core.words import ROOM
from scrapy_webtext.extractors.fusion.features.declared import add_named
from scrapy_webtext.extractors.fusion.features.measures import (
    GROUPS,
    PAGE_CHARS,
    RANGES,
    Range,
    add_mean,
    add_mean_of_groups,
    add_range,
    limit,
    position,
    range_of,
    window,
)
from scrapy_webtext.extractors.fusion.features.tables import (
    FLAGS,
    BlockTable,
    Columns,
    ElementTable,
    block_table,
    element_table,
    excluded_nodes,
)
from scrapy_webtext.extractors.fusion.features.templates import (
    TokenScores,
    add_templates,
    add_token_scores,
    templates_of,
)
from scrapy_webtext.extractors.fusion.features.units import UNIT_FEATURES, Units, add_units
from scrapy_webtext.extractors.pvalue import PValues, p_values
from scrapy_webtext.page import Page

#: Names of the columns, in the order of the training matrix.
BLOCK_FEATURES: Final = (
    *"""
    chars unlinked_chars link_density ends_sentence tag_class runs_per_word word_chars signs copies
    in_nav in_footer in_aside in_article in_main in_figure in_table depth
    class_score_sum class_score_own class_score_low class_score_high class_score_near
    class_score_middle
    best_steps best_distance half_steps half_distance most_steps most_distance
    p p_1 p_2
    next_unlinked unlinked_position prose_position
    since_heading heading_level title_similarity from_headline prose_from_headline
    headlines_before dates_before named_share
    opening_own opening_near opening_container opening_section opening_unit opening_template
    token_score_mean token_score_low token_score_window token_score_template token_score_section
    """.split(),
    *(
        f"{of}_{name}"
        for of, (_, names) in (*RANGES.items(), *GROUPS.items())
        for name in names.split()
    ),
    *UNIT_FEATURES,
)

#: Number of blocks on each side that are near a block, and after it that are following.
NEAR: Final = 3
FOLLOWING: Final = 6


@dataclass(frozen=True, slots=True)
class FeatureTable:
    """The candidate blocks of a page and their features."""

    texts: BlockTable
    elements: ElementTable
    p: PValues
    columns: Columns  #: name of a feature -> one value per candidate block
    units: Units
    is_prose_main: bytearray  #: 1 for candidate blocks in the deepest node with half the prose
    article_token_score: float  #: mean article score of the tokens of short texts


def compute_features(
    page: Page, class_names: TokenTable, token_scores: TokenScores
) -> FeatureTable:
    """Return the feature table of a page, in time linear in the page.

    ``class_names`` and ``token_scores`` have the learned scores of class names and of short texts.
    """
    excluded = excluded_nodes(page)
    texts = block_table(page, excluded)
    elements = element_table(page, texts, excluded, class_names)
    p = p_values(page)
    columns: Columns = {}
    _add_text(columns, texts, elements)
    _add_ancestors(columns, texts, elements)
    main = add_distances(columns, texts, elements, p)
    container = _add_containers(columns, texts, elements, p)
    add_templates(columns, texts, elements)
    _add_neighbours(columns, texts)
    sections = add_headings(columns, page, texts)
    near = window(texts.n, NEAR, NEAR)
    add_range(columns, texts, "near", near)
    add_range(columns, texts, "following", window(texts.n, 0, FOLLOWING))
    article_token_score = add_token_scores(columns, texts, elements, token_scores)
    units = add_units(columns, page, texts, elements)
    unit = units.first, units.end
    inside = {"near": near, "container": container, "section": sections, "unit": unit}
    _add_opening(columns, page, texts, elements, main, inside)
    add_named(columns, page, texts)
    limit(columns)
    return FeatureTable(texts, elements, p, columns, units, main, article_token_score)


#: Characters with which an item of a list that is no list begins.
MARKERS: Final = "-–—―•·▪‣►→»*|"


def _add_text(columns: Columns, texts: BlockTable, elements: ElementTable) -> None:
    n, text = texts.n, texts.text
    for name in ("chars", "unlinked_chars"):
        columns[name] = arrays.as_doubles(texts.columns[name])  # a copy, which gets limits
    columns["link_density"] = texts.columns["link_density"]
    columns["ends_sentence"] = texts.columns["ends"]
    tag_class = arrays.unset_column(columns, "tag_class", n)
    runs_per_word = arrays.unset_column(columns, "runs_per_word", n)
    word_chars = arrays.unset_column(columns, "word_chars", n)
    signs = arrays.unset_column(columns, "signs", n)
    copied = arrays.unset_column(columns, "copies", n)
    copies: dict[str, int] = {}
    for k in range(n):
        tag_class[k] = elements.tag_class[texts.node[k]]
        words = float(texts.words[k])
        runs_per_word[k] = float(texts.end_run[k] - texts.first_run[k]) / words
        word_chars[k] = float(texts.chars[k]) / words
        signs[k] = (
            ("@" in text[k]) + 2 * ("©" in text[k]) + 4 * (text[k][0] in MARKERS)  # objects
        )
        copies[text[k]] = copies.get(text[k], 0) + 1  # objects
    for k in range(n):
        copied[k] = copies[text[k]]  # objects


def _add_ancestors(columns: Columns, texts: BlockTable, elements: ElementTable) -> None:
    n, total = texts.n, elements.class_score_sum
    for name in ("nav", "footer", "aside", "article", "main", "figure", "table"):
        _add_flag(columns, f"in_{name}", texts, elements, FLAGS[name])  # objects
    scores = arrays.unset_column(columns, "class_score_sum", n)
    own = arrays.unset_column(columns, "class_score_own", n)
    low = arrays.unset_column(columns, "class_score_low", n)
    high = arrays.unset_column(columns, "class_score_high", n)
    near = arrays.unset_column(columns, "class_score_near", n)
    middle = arrays.unset_column(columns, "class_score_middle", n)
    for k in range(n):
        i, node = texts.owner[k], texts.node[k]
        scores[k], low[k], high[k] = (
            total[i],
            elements.class_score_low[i],
            elements.class_score_high[i],
        )
        node = elements.above[node]
        own[k] = total[i] - total[node]
        further = elements.above[node]
        near[k] = total[i] - total[further]
        middle[k] = total[further] - total[elements.above[further]]


def _add_flag(
    columns: Columns, name: str, texts: BlockTable, elements: ElementTable, bit: int
) -> None:
    column = arrays.unset_column(columns, name, texts.n)
    for k in range(texts.n):
        column[k] = 1.0 if elements.flags[texts.owner[k]] & bit else 0.0


def _add_containers(
    columns: Columns, texts: BlockTable, elements: ElementTable, p: PValues
) -> Range:
    """Add features of the three nearest block-level elements above a block (levels 1 to 3).

    Return the range of the nearest one.
    """
    n, around = texts.n, texts.columns["node"][:]
    node = arrays.longs(around)
    _add_p(columns, "p", p, around)
    for level in range(1, 4):
        for k in range(n):
            node[k] = elements.above[node[k]]
        inside = range_of(elements, around)
        add_range(columns, texts, f"container_{level}", inside)
        if level == 1:
            nearest = inside
        if level < 3:
            _add_p(columns, f"p_{level}", p, around)
    return nearest


def _add_p(columns: Columns, name: str, p: PValues, nodes: array[int]) -> None:
    values, node, n = arrays.doubles(p.p), arrays.longs(nodes), len(nodes)
    column = arrays.unset_column(columns, name, n)
    for k in range(n):
        column[k] = values[node[k]]


def _add_neighbours(columns: Columns, texts: BlockTable) -> None:
    n, unlinked, sums, prose = texts.n, texts.unlinked_chars, texts.unlinked_sums, texts.prose_sums
    following = arrays.unset_column(columns, "next_unlinked", n)
    unlinked_position = arrays.unset_column(columns, "unlinked_position", n)
    prose_position = arrays.unset_column(columns, "prose_position", n)
    most = PAGE_CHARS
    for i in range(n):
        following[i] = unlinked[i + 1] if i + 1 < n else 0
        unlinked_position[i] = position(sums[i], sums[n] - sums[i], most)
        prose_position[i] = position(prose[i], prose[n] - prose[i], most)


# Distances of each block from several guesses of where the main text is

#: Value of ``*_steps`` on a page without that element.
NOWHERE: Final = 20


def add_distances(
    columns: Columns, texts: BlockTable, elements: ElementTable, p: PValues
) -> bytearray:
    """Add the distances; return a mask over blocks: 1 in the deepest element with half the prose.

    The guesses are the element with the greatest P ("best"), and the deepest elements with 50 % and
    with 80 % of the prose ("half", "most"). ``depth`` is the depth of a block below the depth of
    "half".
    """
    half, n = _deepest(texts, elements, 0.5), texts.n
    _add_node(columns, "best", texts, elements, p.best)
    _add_node(columns, "half", texts, elements, half)
    _add_node(columns, "most", texts, elements, _deepest(texts, elements, 0.8))
    mask, depth = bytearray(n), arrays.unset_column(columns, "depth", n)
    for k in range(n):
        depth[k] = elements.depth[texts.node[k]] - (elements.depth[half] if half >= 0 else 0)
    if half >= 0:
        a, z = elements.begin[half], elements.stop[half]
        mask[a:z] = b"\x01" * (z - a)
    return mask


def _deepest(texts: BlockTable, elements: ElementTable, share: float) -> int:
    """Return the last node with at least this share of the prose; -1 on a page without prose."""
    sums, bound = texts.prose_sums, share * texts.prose_sums[texts.n]
    if bound <= 0:
        return -1
    for k in range(elements.kept - 1, -1, -1):
        i = elements.kept_nodes[k]
        if sums[elements.stop[i]] - sums[elements.begin[i]] >= bound:
            return i
    return -1


def _add_node(
    columns: Columns, name: str, texts: BlockTable, elements: ElementTable, node: int
) -> None:
    """Add each block's distances from a node.

    ``NAME_steps`` is the number of steps from the node up to the nearest ancestor that contains the
    block; an ancestor with no more blocks than the element below is no step. ``NAME_distance`` is
    the number of blocks between them: < 0 before the node, > 0 after it.
    """
    n, nowhere = texts.n, NOWHERE
    steps = arrays.unset_column(columns, f"{name}_steps", n)
    low = high = step = end = 0
    if node >= 0:
        low = high = elements.begin[node]
        end = elements.stop[node]
    distance = arrays.unset_column(columns, f"{name}_distance", n)
    for k in range(n):
        steps[k], distance[k] = nowhere, k - low if k < low else max(0, k - end + 1)
    while node >= 0:
        a, z = elements.begin[node], elements.stop[node]
        for k in range(a, low):
            steps[k] = step
        for k in range(high, z):
            steps[k] = step
        # An element that only wraps the one below is no step.
        step += 1 if step == 0 or a < low or z > high else 0
        low, high, node = a, z, elements.parent[node]


# Features of headings: distances from headings, sections, the headline.
#
# The headline is the heading that shares most words with the page's title.

#: Minimum and maximum length of a text that is compared with the title, in characters.
MIN_HEADING_CHARS: Final = 8
MAX_HEADING_CHARS: Final = 250
#: Distance from the headline if there is none.
NO_HEADLINE: Final = 100
#: A date is near below its headline, in a text of at most this many characters. Such a headline is
#: a heading, or a text of at least this many characters that does not end like a sentence.
DATE_REACH: Final = 2
MAX_DATE_CHARS: Final = 100
MIN_DATED_CHARS: Final = 24
_YEAR: Final = re.compile(r"(?:19|20)\d\d")


def add_headings(columns: Columns, page: Page, texts: BlockTable) -> Range:
    """Add distances from the previous heading and from the headline, and features of sections.

    Return the range of each block's section.
    """
    n, prose, tag_class = texts.n, texts.prose_sums, arrays.doubles(columns["tag_class"])
    since = arrays.unset_column(columns, "since_heading", n)
    heading_level = arrays.unset_column(columns, "heading_level", n)
    similarity = arrays.column(columns, "title_similarity", n)
    from_headline = arrays.unset_column(columns, "from_headline", n)
    prose_from = arrays.unset_column(columns, "prose_from_headline", n)
    headlines = arrays.column(columns, "headlines_before", n)
    dates = arrays.column(columns, "dates_before", n)
    # In scripts without spaces, characters are compared instead of words.
    low = page.title.lower()
    title = DistinctTexts(low if texts.is_unspaced else low.split())
    text, current, last, headline, top = texts.text, 0.0, 0, 0, 0.0
    least, most, reach, most_of_date, least_dated = (
        MIN_HEADING_CHARS,
        MAX_HEADING_CHARS,
        DATE_REACH,
        MAX_DATE_CHARS,
        MIN_DATED_CHARS,
    )
    # the last text that may be a headline, the last one with a date, the number of these
    begun, dated, number = -1, -1, 0
    for k in range(n):
        level = 19 - tag_class[k] if tag_class[k] > 12 else 0.0  # the class of <h1> is 18
        if level:
            current, last = level, k
        since[k], heading_level[k] = k - last, current
        is_near = begun > dated and k - begun <= reach and texts.chars[k] <= most_of_date
        if is_near and _YEAR.search(text[k]):  # objects
            dated, number = begun, number + 1
        elif level or (not texts.ends[k] and least_dated <= texts.chars[k] <= most):
            begun = k
        dates[k] = number
        if least <= texts.chars[k] <= most and (level or texts.link_density[k] < 0.5):
            similarity[k] = title.similarity(texts.low, k, texts.is_unspaced)
        rank = similarity[k] + (0.5 if level == 1 else 0.25 if level else 0.0)
        if rank > top:
            top, headline = rank, k
    nowhere = NO_HEADLINE
    for k in range(n):
        from_headline[k] = k - headline if top >= 0.4 else nowhere
        prose_from[k] = prose[k] - prose[headline] if top >= 0.4 else -1
        if k and k > headline:
            # headings of the headline's level, such as the headline of a next article
            is_headline = tag_class[k] > 12 and tag_class[k] >= tag_class[headline]
            headlines[k] = headlines[k - 1] + (1 if is_headline else 0)
    before = dates[headline] if n else 0.0
    for k in range(n):
        dates[k] = dates[k] - before if k > headline else 0.0
    sections = _sections(texts, columns["since_heading"])
    add_range(columns, texts, "section", sections)
    return sections


#: The opening is the first prose from the headline on, with this many characters. Its words of at
#: least this many bytes are compared: shorter ones are in every text.
OPENING_CHARS: Final = 1_000
OPENING_BYTES: Final = 5


def _add_opening(
    columns: Columns,
    page: Page,
    texts: BlockTable,
    elements: ElementTable,
    main: bytearray,
    ranges: Mapping[str, Range],
) -> None:
    """Add the share of a block's words that are in the opening, and its means over groups.

    An article repeats words of its title and beginning; a teaser or another article does so more
    rarely. The words of the opening itself do not count. The share is -1 without other words. On a
    page without a headline the opening is searched in ``main``.
    """
    n, text, chars, room = texts.n, texts.text, OPENING_CHARS, ROOM
    start = -columns["from_headline"][0] if n else 0.0
    first = int(start) if start > -NO_HEADLINE else max(main.find(1), 0)
    least = 1 if texts.is_unspaced else OPENING_BYTES
    opening, weights, weighted = DistinctTexts(), arrays.new_doubles(n), arrays.new_doubles(n)
    own = arrays.unset_column(columns, "opening_own", n)
    weight, held, at = arrays.doubles(weights), arrays.doubles(weighted), first
    opening.add_words(page.title, least)
    while at < n and chars > 0:
        if texts.prose[at]:
            opening.add_words(text[at][:chars], least)  # objects
            chars -= len(text[at])  # objects
        at += 1
    for k in range(n):
        own[k] = -1.0
        if not first <= k < at or not texts.prose[k]:
            own[k] = opening.share_of_words(texts.low, k, room)
            weight[k] = min(texts.words[k], room)
            held[k] = weight[k] * own[k]
    weight_sums, held_sums = arrays.sums(weights), arrays.sums(weighted)
    for name in ranges:
        add_mean(columns, f"opening_{name}", ranges[name], held_sums, weight_sums)
    templates = templates_of(elements, texts.columns["owner"])
    add_mean_of_groups(columns, "opening_template", templates, weighted, weights)


def _sections(texts: BlockTable, since_heading: array[float]) -> Range:
    """Return the range of the section of each block: from its heading to the next heading."""
    n, since = texts.n, arrays.doubles(since_heading)
    firsts, ends = arrays.unset_longs(n), arrays.unset_longs(n)
    first, end, begin = arrays.longs(firsts), arrays.longs(ends), 0
    for k in range(n):
        begin = k if since[k] == 0 else begin
        first[k] = begin
    following = n
    for k in range(n - 1, -1, -1):
        end[k] = following
        following = k if since[k] == 0 else following
    return firsts, ends
