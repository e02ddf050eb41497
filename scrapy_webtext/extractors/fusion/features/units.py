# cython: infer_types=True
"""Units: groups of blocks that are main text as a whole, or not at all.

Tables, lists, code, quotations, figures with captions and boxes between paragraphs are units:
either the author put the whole unit into the text, or the site did. Each candidate block belongs to
one unit. The unit is the topmost element above the block for which one of two conditions is true:
it is a table, a list or the like (``_UNIT``) and has at most half of the page's prose and text; or
it has no paragraphs and is next to paragraphs. If there is no such element, the unit is the block
alone. All blocks of a unit have the same features of units and get the same probability.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from scrapy_webtext.core import arrays
from scrapy_webtext.extractors.fusion.features.measures import PAGE_CHARS, add_range, share
from scrapy_webtext.extractors.fusion.features.tables import BlockTable, Columns, ElementTable
from scrapy_webtext.page import Page

#: Maximum share of the page's prose and text in a unit; maximum share of its prose in a part. Of a
#: long page `PAGE_CHARS` characters count.
MOST_OF_PAGE: Final = 0.5
MOST_OF_PART: Final = 0.3
#: An element with at least this many paragraphs directly below it is a text that contains units.
LEAST_PARAGRAPHS: Final = 2

#: Structures. A unit has the structure of the element with most of its text. Without such an
#: element, it has `PICTURE` if it is a picture with a caption, else 0.
TABLE: Final = 1
LIST: Final = 2
DEFINITIONS: Final = 3
CODE: Final = 4
FIGURE: Final = 5
QUOTATION: Final = 6
DETAILS: Final = 7
PICTURE: Final = 8

#: Kinds of elements: flags, and from bit `_STRUCTURE` on the structure.
_UNIT: Final = 1
_PART: Final = 2  #: of a list or table; a unit if the list or table is too large
_PARAGRAPH: Final = 4
_PICTURE: Final = 8
_CONTROL: Final = 16
_LINK: Final = 32
_STRUCTURE: Final = 6
_TAGS: Final = {
    "table": _UNIT | TABLE << _STRUCTURE,
    **dict.fromkeys(("ul", "ol"), _UNIT | LIST << _STRUCTURE),
    "dl": _UNIT | DEFINITIONS << _STRUCTURE,
    "pre": _UNIT | CODE << _STRUCTURE,
    "figure": _UNIT | FIGURE << _STRUCTURE,
    "blockquote": _UNIT | QUOTATION << _STRUCTURE,
    "details": _UNIT | DETAILS << _STRUCTURE,
    **dict.fromkeys(("tr", "li", "dd", "dt"), _PART),
    **dict.fromkeys(("p", "h2", "h3"), _PARAGRAPH),
    "img": _PICTURE,
    "a": _LINK,
    **dict.fromkeys(("input", "button", "select", "textarea", "form"), _CONTROL),
}
#: Feature -> flag of the elements that it counts.
_COUNTED: Final = {
    "unit_pictures": _PICTURE,
    "unit_controls": _CONTROL,
}

#: Further features of units and of what is near a block.
UNIT_FEATURES: Final = tuple(
    """
    unit_tag_class unit_classes unit_prose_around unit_link_density_around unit_token_low
    unit_token_mean unit_pictures unit_controls unit_begins_with unit_of_links unit_template_count
    unit_structure pictures_near
    """.split()
)
#: Features of a unit for the third pass: its mean probability, the highest and the lowest
#: probability of its blocks, and the probabilities of the units before and after it, or -1.
UNIT_CHANCES: Final = tuple("unit_mean unit_highest unit_lowest unit_before unit_after".split())
#: Number of blocks on each side in which pictures in links are counted.
PICTURE_REACH: Final = 3
#: A block with probability `LIKELY` or more is likely content. The third pass decides on units with
#: a mean probability in `UNDECIDED`.
LIKELY: Final = 0.5
UNDECIDED: Final = 0.05, 0.98
#: Address of a picture, or of none.
_PICTURE_FILE: Final = re.compile(r"^(?:#|$)|\.(?:jpe?g|png|gif|webp|avif)\b", re.IGNORECASE)
#: A block with a greater link density is a link.
IS_LINK: Final = 0.8


@dataclass(frozen=True, slots=True)
class Units:
    """Per candidate block: the range of blocks of its unit, and of the element around the unit."""

    first: array[int]
    end: array[int]
    around_first: array[int]
    around_end: array[int]
    is_prose: array[int]  #: not 0 if the block is prose


def add_units(columns: Columns, page: Page, texts: BlockTable, elements: ElementTable) -> Units:
    """Return the units of the candidate blocks, and add ``UNIT_FEATURES``."""
    kinds, n = page.nodes.kinds(_TAGS), texts.n
    first, end = arrays.unset_longs(n), arrays.unset_longs(n)
    around_first, around_end = arrays.unset_longs(n), arrays.unset_longs(n)
    units = Units(first, end, around_first, around_end, texts.columns["prose"])
    unit_nodes = _find_units(units, texts, elements, kinds)
    _add_sizes(columns, units, texts, elements, unit_nodes)
    _add_contents(columns, units, texts)
    _add_elements(columns, page, texts, elements, unit_nodes, kinds)
    _add_structures(columns, units, texts, elements, kinds)
    return units


def _find_units(
    units: Units, texts: BlockTable, elements: ElementTable, kinds: array[int]
) -> array[int]:
    """Return, per candidate block, the node of its unit; write the ranges of ``units``."""
    n, tops, found = texts.n, arrays.new_longs(elements.n + 1), arrays.unset_longs(texts.n)
    numbers = _paragraphs(texts, elements, kinds)
    holders = _holders(elements, numbers)
    paragraphs, holds = arrays.longs(numbers), arrays.octets(holders)
    top, unit, kind = arrays.longs(tops), arrays.longs(found), arrays.longs(kinds)
    unlinked, sums, parent = texts.unlinked_sums, texts.prose_sums, elements.parent
    least, most, most_of_part, page_chars = LEAST_PARAGRAPHS, MOST_OF_PAGE, MOST_OF_PART, PAGE_CHARS
    all_prose, all_unlinked = min(sums[n], page_chars), min(unlinked[n] or 1, page_chars)
    for k in range(elements.kept):
        i = elements.kept_nodes[k]
        up = parent[i]
        top[i] = -1
        if up >= 0 and top[up] >= 0:
            top[i] = top[up]
            continue
        a, z = elements.begin[i], elements.stop[i]
        own_prose, own = float(sums[z] - sums[a]), float(unlinked[z] - unlinked[a])
        if kind[i] & _UNIT and own <= most * all_unlinked and own_prose <= most * all_prose:
            top[i] = i
            continue
        if holds[i]:
            continue
        is_small_part = kind[i] & _PART and own_prose <= most_of_part * (all_prose or 1)
        is_among_text = up >= 0 and paragraphs[up] >= least and elements.container[i] == i
        if is_small_part or is_among_text:
            top[i] = i
    begins, ends = arrays.longs(units.first), arrays.longs(units.end)
    low, high = arrays.longs(units.around_first), arrays.longs(units.around_end)
    for k in range(n):
        i = unit[k] = top[texts.node[k]] if top[texts.node[k]] >= 0 else texts.node[k]
        a, z = elements.begin[i], elements.stop[i]
        if top[i] >= 0 or z - a == 1:
            begins[k], ends[k] = a, z
            i = elements.above[i]
        else:  # text directly in an element that has other blocks
            begins[k], ends[k] = k, k + 1
        low[k], high[k] = elements.begin[i], elements.stop[i]
    return found


def _paragraphs(texts: BlockTable, elements: ElementTable, kinds: array[int]) -> array[int]:
    """Return, per node, the number of blocks of prose directly in it or in its paragraphs."""
    numbers = arrays.new_longs(elements.n + 1)
    paragraphs, kind = arrays.longs(numbers), arrays.longs(kinds)
    for k in range(texts.n):
        if texts.prose[k]:
            i = texts.node[k]
            paragraphs[elements.above[i] if kind[i] & _PARAGRAPH else i] += 1
    return numbers


def _holders(elements: ElementTable, numbers: array[int]) -> bytearray:
    """Return a mask over nodes: 1 at and above nodes with `LEAST_PARAGRAPHS` paragraphs."""
    holders, least, paragraphs = bytearray(elements.n + 1), LEAST_PARAGRAPHS, arrays.longs(numbers)
    holds = arrays.octets(holders)
    for k in range(elements.kept - 1, -1, -1):
        i = elements.kept_nodes[k]
        if paragraphs[i] >= least:
            holds[i] = 1
        if holds[i] and elements.parent[i] >= 0:
            holds[elements.parent[i]] = 1
    return holders


def _add_sizes(
    columns: Columns,
    units: Units,
    texts: BlockTable,
    elements: ElementTable,
    unit_nodes: array[int],
) -> None:
    add_range(columns, texts, "unit", (units.first, units.end))
    add_range(columns, texts, "before_unit", (units.around_first, units.first))
    add_range(columns, texts, "after_unit", (units.end, units.around_end))
    n, nodes, unit = texts.n, elements.n, arrays.longs(unit_nodes)
    begins, ends = arrays.longs(units.first), arrays.longs(units.end)
    low, high = arrays.longs(units.around_first), arrays.longs(units.around_end)
    unlinked, chars, all_prose = texts.unlinked_sums, texts.chars_sums, texts.prose_sums[n]
    before = arrays.doubles(columns["before_unit_prose"])
    after = arrays.doubles(columns["after_unit_prose"])
    most = PAGE_CHARS
    tag_class = arrays.unset_column(columns, "unit_tag_class", n)
    names = arrays.unset_column(columns, "unit_classes", n)
    around = arrays.unset_column(columns, "unit_prose_around", n)
    density_around = arrays.unset_column(columns, "unit_link_density_around", n)
    for k in range(n):
        a, z, first, end, i = begins[k], ends[k], low[k], high[k], unit[k]
        up = elements.parent[i] if elements.parent[i] >= 0 else nodes
        tag_class[k] = elements.tag_class[i]
        names[k] = elements.class_score_sum[i] - elements.class_score_sum[up]
        around[k] = share(before[k] + after[k], all_prose, most)
        rest = chars[end] - chars[first] - (chars[z] - chars[a])
        linked = rest - (unlinked[end] - unlinked[first] - (unlinked[z] - unlinked[a]))
        density_around[k] = float(linked) / float(rest) if rest > 0 else -1.0


def _add_contents(columns: Columns, units: Units, texts: BlockTable) -> None:
    n, is_link = texts.n, IS_LINK
    begins, ends = arrays.longs(units.first), arrays.longs(units.end)
    tag_class = arrays.doubles(columns["tag_class"])
    token_low = arrays.doubles(columns["token_score_low"])
    token_mean = arrays.doubles(columns["token_score_mean"])
    lowest = arrays.unset_column(columns, "unit_token_low", n)
    mean = arrays.unset_column(columns, "unit_token_mean", n)
    of_links = arrays.unset_column(columns, "unit_of_links", n)
    begins_with = arrays.unset_column(columns, "unit_begins_with", n)
    for k in range(n):
        a, z = begins[k], ends[k]
        if k > a:
            lowest[k], mean[k], of_links[k] = lowest[k - 1], mean[k - 1], of_links[k - 1]
            begins_with[k] = begins_with[k - 1]
            continue
        total = links = least = 0.0
        for b in range(a, z):
            least = min(least, token_low[b])
            total += token_mean[b]
            links += 1.0 if texts.link_density[b] > is_link else 0.0
        lowest[k], mean[k], of_links[k] = least, total / float(z - a), links / float(z - a)
        begins_with[k] = tag_class[a]


def _add_elements(
    columns: Columns,
    page: Page,
    texts: BlockTable,
    elements: ElementTable,
    unit_nodes: array[int],
    kinds: array[int],
) -> None:
    """Add, per unit, numbers of elements in it and the number of units with the same template."""
    n, unit, counted = len(unit_nodes), arrays.longs(unit_nodes), arrays.new_longs(elements.n + 1)
    count, template = arrays.longs(counted), elements.template_id
    for name, flag in _COUNTED.items():
        _add_number(columns, name, kinds, flag, page.nodes.end, unit_nodes)  # objects
    _add_pictures_near(columns, page, texts, kinds)
    template_count = arrays.unset_column(columns, "unit_template_count", n)
    for k in range(n):
        if not k or unit[k - 1] != unit[k]:
            count[template[unit[k]]] += 1
    for k in range(n):
        template_count[k] = count[template[unit[k]]]


def _add_pictures_near(columns: Columns, page: Page, texts: BlockTable, kinds: array[int]) -> None:
    """Add the number of pictures near each block, `PICTURE_REACH` blocks on each side.

    Pictures count in links that do not only show the picture itself.
    """
    n, sums, reach = texts.n, arrays.unset_longs(len(kinds) + 1), PICTURE_REACH
    kind, before, is_link = arrays.longs(kinds), arrays.longs(sums), arrays.octets(page.is_link)
    near, attributes = arrays.unset_column(columns, "pictures_near", n), page.nodes.attributes
    before[0] = link = 0
    for i in range(len(kinds)):
        link = i if kind[i] & _LINK else link
        is_one = kind[i] & _PICTURE and is_link[i]
        if is_one:
            is_one = not _PICTURE_FILE.search(attributes.get(link, "href"))  # objects
        before[i + 1] = before[i] + is_one
    for k in range(n):
        a, z = max(0, k - reach), min(n - 1, k + reach)
        near[k] = before[texts.node[z]] - before[texts.node[a]]


def _add_number(
    columns: Columns,
    name: str,
    kinds: array[int],
    flag: int,
    ends: array[int],
    unit_nodes: array[int],
) -> None:
    """Add, per unit, the number of elements in it whose kind has this flag."""
    n, sums = len(unit_nodes), arrays.unset_longs(len(kinds) + 1)
    kind, before, end = arrays.longs(kinds), arrays.longs(sums), arrays.longs(ends)
    unit, number = arrays.longs(unit_nodes), arrays.unset_column(columns, name, n)
    before[0] = 0
    for i in range(len(kinds)):
        before[i + 1] = before[i] + (1 if kind[i] & flag else 0)
    for k in range(n):
        number[k] = before[end[unit[k]]] - before[unit[k]]


def _add_structures(
    columns: Columns, units: Units, texts: BlockTable, elements: ElementTable, kinds: array[int]
) -> None:
    n, kind, chars = texts.n, arrays.longs(kinds), texts.chars_sums
    begins, ends = arrays.longs(units.first), arrays.longs(units.end)
    pictures, picture = arrays.doubles(columns["unit_pictures"]), float(PICTURE)
    structure = arrays.column(columns, "unit_structure", n)
    for k in range(elements.kept):
        i = elements.kept_nodes[k]
        a, z = elements.begin[i], elements.stop[i]
        if not kind[i] & _UNIT or a == z:  # no unit, or hidden
            continue
        begin, stop = begins[a], ends[a]
        if structure[begin] < 1 and 2 * (chars[z] - chars[a]) >= chars[stop] - chars[begin]:
            structure[begin] = kind[i] >> _STRUCTURE
    for k in range(n):
        if begins[k] < k:
            structure[k] = structure[begins[k]]
        elif structure[k] < 1 and pictures[k] > 0 and ends[k] - begins[k] <= 2:
            structure[k] = picture


def unit_means(units: Units, words: Sequence[int], probabilities: Sequence[float]) -> list[float]:
    """Return, per block, the mean probability of its unit, weighted by words."""
    chances, numbers = arrays.as_doubles(probabilities), arrays.as_longs(words)
    n = len(chances)
    made = arrays.new_doubles(n)
    mean, p, count = arrays.doubles(made), arrays.doubles(chances), arrays.longs(numbers)
    begins, ends = arrays.longs(units.first), arrays.longs(units.end)
    for k in range(n):
        a, z = begins[k], ends[k]
        if z - a == 1:
            mean[k] = p[k]
        elif k > a:
            mean[k] = mean[k - 1]
        else:
            total = weight = 0.0
            for b in range(a, z):
                total += p[b] * float(count[b] + 1)
                weight += float(count[b] + 1)
            mean[k] = total / weight
    return list(made)


def undecided_units(units: Units, means: Sequence[float]) -> list[int]:
    """Return the first block of each unit whose mean probability (`unit_means`) is not sure."""
    least, most = UNDECIDED
    begins = enumerate(zip(units.first, means, strict=True))
    return [k for k, (first, mean) in begins if first == k and least <= mean < most]


def values_at(columns: Columns, places: Sequence[int]) -> Columns:
    """Return only the rows ``places`` of the columns, as floats."""
    found: Columns = {}
    chosen, n = arrays.as_longs(places), len(places)
    place = arrays.longs(chosen)
    for name, column in columns.items():
        all_values, some = arrays.as_doubles(column), arrays.unset_column(found, name, n)
        values = arrays.doubles(all_values)
        for k in range(n):
            some[k] = values[place[k]]
    return found


def chances_of_units(
    units: Units, places: Sequence[int], means: Sequence[float], blocks: Sequence[float]
) -> Columns:
    """Return the features ``UNIT_CHANCES`` of the units that begin at the blocks ``places``.

    ``blocks`` has the probability of each block, ``means`` the mean probability of its unit.
    """
    some = [blocks[k : units.end[k]] for k in places]
    rows = (
        [means[k] for k in places],
        list(map(max, some)),
        list(map(min, some)),
        [means[k - 1] if k else -1.0 for k in places],
        [means[end] if (end := units.end[k]) < len(means) else -1.0 for k in places],
    )
    return {name: array("d", row) for name, row in zip(UNIT_CHANCES, rows, strict=True)}
