# cython: infer_types=True
"""Units: what is main text as a whole, or not at all.

A table, a list, code, a quotation, a figure with its caption, a box between two paragraphs: an
author put all of it there, or the site did. So each candidate block belongs to a unit. It is the
topmost element around the block that is one of ``UNITS`` without most of the page's prose, or that
has no paragraphs and stands among paragraphs; else it is the block alone. The features of a
unit are the same for all of its blocks, and its blocks get one probability.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from scrapy_webtext.core import arrays
from scrapy_webtext.extractors.fusion.features.tables import BlockTable, Columns, ElementTable
from scrapy_webtext.page import Page

#: Elements that are a unit.
UNITS: Final = frozenset({"table", "ul", "ol", "dl", "pre", "figure", "blockquote", "details"})
#: Parts of a list or table that is too large for one unit.
PARTS: Final = frozenset({"tr", "li", "dd", "dt"})
#: A unit has at most this share of the page's prose and text, a part this share of the prose.
MOST_OF_PAGE: Final = 0.5
MOST_OF_PART: Final = 0.3
#: An element with as many paragraphs directly below it is a text that units stand in.
LEAST_PARAGRAPHS: Final = 2

_UNIT: Final = 1
_PART: Final = 2
_PARAGRAPH: Final = 4
_PICTURE: Final = 8
_CONTROL: Final = 16
_PLAYER: Final = 32
_TAGS: Final = {
    **dict.fromkeys(UNITS, _UNIT),
    **dict.fromkeys(PARTS, _PART),
    **dict.fromkeys(("p", "h2", "h3"), _PARAGRAPH),
    "img": _PICTURE,
    **dict.fromkeys(("input", "button", "select", "textarea", "form"), _CONTROL),
    **dict.fromkeys(("iframe", "video", "audio", "embed", "object"), _PLAYER),
}

#: Features of units before the first pass.
UNIT_FEATURES: Final = tuple(
    """
    unit_unlinked unit_blocks unit_link_density unit_tag_class unit_depth unit_prose unit_classes
    unit_prose_before unit_prose_after unit_prose_around unit_link_density_around
    unit_token_low unit_token_mean unit_own_links unit_other_links unit_pictures unit_controls
    unit_players unit_after_colon unit_begins_with unit_of_links unit_template_count
    """.split()
)
#: Features by the first pass' probabilities, for the second one.
UNIT_CONTEXT: Final = tuple(
    """
    unit_first unit_first_before unit_first_after unit_first_prose_before unit_first_prose_after
    unit_first_around
    """.split()
)
#: A block is a link if more than this share of it is.
IS_LINK: Final = 0.8


@dataclass(frozen=True, slots=True)
class Units:
    """Per candidate block: the blocks of its unit, and those of the element around the unit."""

    first: array[int]
    end: array[int]
    around_first: array[int]
    around_end: array[int]
    is_prose: array[int]  #: of the block


def add_units(columns: Columns, page: Page, texts: BlockTable, elements: ElementTable) -> Units:
    """Return the units of the candidate blocks, and add ``UNIT_FEATURES``."""
    kinds = page.nodes.kinds(_TAGS)
    n = len(texts.node)
    first, end, around_first = arrays.new_longs(n), arrays.new_longs(n), arrays.new_longs(n)
    units = Units(first, end, around_first, arrays.new_longs(n), texts.prose)
    unit_nodes = _find_units(units, page, texts, elements, kinds)
    _add_sizes(columns, units, page, texts, elements, unit_nodes)
    _add_contents(columns, units, texts)
    _add_elements(columns, page, elements, unit_nodes, kinds)
    return units


def _find_units(
    units: Units, page: Page, texts: BlockTable, elements: ElementTable, kinds: array[int]
) -> array[int]:
    """Return per candidate block the node of its unit, and fill in the ranges of ``units``."""
    nodes, kept, n = len(page.nodes), elements.kept_nodes, len(texts.node)
    numbers, holders = arrays.new_longs(nodes + 1), bytearray(nodes + 1)
    tops, found = arrays.new_longs(nodes + 1), arrays.new_longs(n)
    paragraphs, holds = arrays.longs(numbers), arrays.octets(holders)
    top, unit, kind = arrays.longs(tops), arrays.longs(found), arrays.longs(kinds)
    parent, container = arrays.longs(page.nodes.parent), arrays.longs(page.containers)
    node, prose, of_kept = arrays.longs(texts.node), arrays.longs(texts.prose), arrays.longs(kept)
    first, end, at = (
        arrays.longs(page.runs.first),
        arrays.longs(page.runs.end),
        arrays.longs(texts.at),
    )
    unlinked, sums = arrays.longs(texts.unlinked_sums), arrays.longs(texts.prose_sums)
    for k in range(n):
        if prose[k]:
            i = node[k]
            if kind[i] & _PARAGRAPH and parent[i] >= 0:
                i = container[parent[i]]
            paragraphs[i] += 1
    least = LEAST_PARAGRAPHS
    for k in range(len(kept) - 1, -1, -1):
        i = of_kept[k]
        if paragraphs[i] >= least:
            holds[i] = 1
        if holds[i] and parent[i] >= 0:
            holds[parent[i]] = 1
    most, all_prose, most_of_part = MOST_OF_PAGE, float(sums[n]), MOST_OF_PART
    all_unlinked = float(unlinked[n] or 1)
    for k in range(len(kept)):
        i = of_kept[k]
        up = parent[i]
        top[i] = -1
        if up >= 0 and top[up] >= 0:
            top[i] = top[up]
            continue
        a, z = at[first[i]], at[end[i]]
        own_prose, own = float(sums[z] - sums[a]), float(unlinked[z] - unlinked[a])
        if kind[i] & _UNIT and own <= most * all_unlinked and own_prose <= most * all_prose:
            top[i] = i
            continue
        if holds[i]:
            continue
        is_small_part = kind[i] & _PART and own_prose <= most_of_part * (all_prose or 1.0)
        is_among_text = up >= 0 and paragraphs[up] >= least and container[i] == i
        if is_small_part or is_among_text:
            top[i] = i
    begins, ends = arrays.longs(units.first), arrays.longs(units.end)
    low, high = arrays.longs(units.around_first), arrays.longs(units.around_end)
    for k in range(n):
        i = unit[k] = top[node[k]] if top[node[k]] >= 0 else node[k]
        a, z = at[first[i]], at[end[i]]
        if top[i] >= 0 or z - a == 1:
            begins[k], ends[k] = a, z
            i = container[parent[i]] if parent[i] >= 0 else i
        else:  # text directly in an element that has other blocks
            begins[k], ends[k] = k, k + 1
        low[k], high[k] = at[first[i]], at[end[i]]
    return found


def _add_sizes(
    columns: Columns,
    units: Units,
    page: Page,
    texts: BlockTable,
    elements: ElementTable,
    unit_nodes: array[int],
) -> None:
    n, nodes, unit = len(unit_nodes), len(page.nodes), arrays.longs(unit_nodes)
    begins, ends = arrays.longs(units.first), arrays.longs(units.end)
    low, high = arrays.longs(units.around_first), arrays.longs(units.around_end)
    node, parent = arrays.longs(texts.node), arrays.longs(page.nodes.parent)
    prose, unlinked = arrays.longs(texts.prose_sums), arrays.longs(texts.unlinked_sums)
    chars, depth = arrays.longs(texts.chars_sums), arrays.longs(elements.depth)
    classes, scores = arrays.longs(elements.tag_class), arrays.doubles(elements.class_score_sum)
    own_unlinked = arrays.column(columns, "unit_unlinked", n)
    blocks = arrays.column(columns, "unit_blocks", n)
    density = arrays.column(columns, "unit_link_density", n)
    tag_class = arrays.column(columns, "unit_tag_class", n)
    below = arrays.column(columns, "unit_depth", n)
    own_prose = arrays.column(columns, "unit_prose", n)
    names = arrays.column(columns, "unit_classes", n)
    before = arrays.column(columns, "unit_prose_before", n)
    after = arrays.column(columns, "unit_prose_after", n)
    around = arrays.column(columns, "unit_prose_around", n)
    density_around = arrays.column(columns, "unit_link_density_around", n)
    all_prose = float(prose[n] or 1)
    for k in range(n):
        a, z, first, end, i = begins[k], ends[k], low[k], high[k], unit[k]
        own, own_chars = unlinked[z] - unlinked[a], chars[z] - chars[a]
        own_unlinked[k], blocks[k] = own, z - a
        density[k] = 1 - float(own) / float(own_chars or 1)
        tag_class[k], below[k] = classes[i], depth[node[k]] - depth[i]
        own_prose[k] = prose[z] - prose[a]
        names[k] = scores[i] - scores[parent[i] if parent[i] >= 0 else nodes]
        before[k], after[k] = prose[a] - prose[first], prose[end] - prose[z]
        around[k] = (before[k] + after[k]) / all_prose
        rest = chars[end] - chars[first] - own_chars
        linked = rest - (unlinked[end] - unlinked[first] - own)
        density_around[k] = float(linked) / float(rest) if rest > 0 else -1.0


def _add_contents(columns: Columns, units: Units, texts: BlockTable) -> None:
    n, text, is_link = len(texts.node), texts.text, IS_LINK
    begins, ends = arrays.longs(units.first), arrays.longs(units.end)
    low, densities = arrays.longs(units.around_first), arrays.doubles(texts.link_density)
    token_low = arrays.doubles(columns["token_score_low"])
    token_mean = arrays.doubles(columns["token_score_mean"])
    tag_class = arrays.doubles(columns["tag_class"])
    lowest = arrays.column(columns, "unit_token_low", n)
    mean = arrays.column(columns, "unit_token_mean", n)
    of_links = arrays.column(columns, "unit_of_links", n)
    colon = arrays.column(columns, "unit_after_colon", n)
    begins_with = arrays.column(columns, "unit_begins_with", n)
    for k in range(n):
        a, z = begins[k], ends[k]
        if k > a:
            lowest[k], mean[k], of_links[k] = lowest[k - 1], mean[k - 1], of_links[k - 1]
            colon[k], begins_with[k] = colon[k - 1], begins_with[k - 1]
            continue
        total = links = least = 0.0
        for b in range(a, z):
            least = min(least, token_low[b])
            total += token_mean[b]
            links += 1.0 if densities[b] > is_link else 0.0
        lowest[k], mean[k], of_links[k] = least, total / float(z - a), links / float(z - a)
        begins_with[k] = tag_class[a]
        colon[k] = -1.0
        if a > low[k]:
            colon[k] = 1.0 if text[a - 1].endswith((":", "：")) else 0.0  # objects


def _add_elements(
    columns: Columns,
    page: Page,
    elements: ElementTable,
    unit_nodes: array[int],
    kinds: array[int],
) -> None:
    n, nodes, unit, kind = (
        len(unit_nodes),
        len(page.nodes),
        arrays.longs(unit_nodes),
        arrays.longs(kinds),
    )
    all_own, all_other = arrays.new_longs(nodes + 1), arrays.new_longs(nodes + 1)
    all_pictures, all_controls = arrays.new_longs(nodes + 1), arrays.new_longs(nodes + 1)
    all_players, counted = arrays.new_longs(nodes + 1), arrays.new_longs(nodes + 1)
    own, other = arrays.longs(all_own), arrays.longs(all_other)
    picture, control = arrays.longs(all_pictures), arrays.longs(all_controls)
    player, count = arrays.longs(all_players), arrays.longs(counted)
    for i, is_own in _links(page):
        if is_own:
            own[i + 1] = 1
        else:
            other[i + 1] = 1
    for i in range(nodes):
        own[i + 1] += own[i]
        other[i + 1] += other[i]
        picture[i + 1] = picture[i] + (1 if kind[i] & _PICTURE else 0)
        control[i + 1] = control[i] + (1 if kind[i] & _CONTROL else 0)
        player[i + 1] = player[i] + (1 if kind[i] & _PLAYER else 0)
    end, template = arrays.longs(page.nodes.end), arrays.longs(elements.template_id)
    own_links = arrays.column(columns, "unit_own_links", n)
    other_links = arrays.column(columns, "unit_other_links", n)
    pictures = arrays.column(columns, "unit_pictures", n)
    controls = arrays.column(columns, "unit_controls", n)
    players = arrays.column(columns, "unit_players", n)
    template_count = arrays.column(columns, "unit_template_count", n)
    for k in range(n):
        i = unit[k]
        z = end[i]
        own_links[k], other_links[k] = own[z] - own[i], other[z] - other[i]
        pictures[k], controls[k] = picture[z] - picture[i], control[z] - control[i]
        players[k] = player[z] - player[i]
        if not k or unit[k - 1] != i:
            count[template[i]] += 1
    for k in range(n):
        template_count[k] = count[template[unit[k]]]


def _links(page: Page) -> list[tuple[int, bool]]:
    """Return the nodes of links to pages, and whether each leads to the site that most lead to."""
    found: list[tuple[int, str]] = []
    for node, _, value in page.nodes.attributes.named(("href",)):
        address = value.strip()
        scheme, _, rest = address.partition("//")
        if rest and scheme.lower() in ("", "http:", "https:"):
            found.append((node, rest.partition("/")[0].lower().removeprefix("www.")))
        elif address[:1] != "#" and not address[:11].lower().startswith(_NO_PAGES):
            found.append((node, ""))
    hosts = Counter(host for _, host in found)  # empty in an address within the site
    own = hosts.most_common(1)[0][0] if hosts else ""
    return [(node, host in ("", own)) for node, host in found]


_NO_PAGES: Final = ("javascript:", "mailto:", "tel:")


def unit_context(units: Units, words: Sequence[int], first: Sequence[float]) -> Columns:
    """Return the features of ``UNIT_CONTEXT``; ``first`` has the first pass' probabilities."""
    chances, numbers = arrays.as_doubles(first), arrays.as_longs(words)
    n = len(chances)
    columns: Columns = {}
    weight_sums, weighted_sums = arrays.new_doubles(n + 1), arrays.new_doubles(n + 1)
    befores, afters = arrays.new_longs(n + 1), arrays.new_longs(n + 1)
    weight, weighted = arrays.doubles(weight_sums), arrays.doubles(weighted_sums)
    last, following = arrays.longs(befores), arrays.longs(afters)
    p, count, prose = arrays.doubles(chances), arrays.longs(numbers), arrays.longs(units.is_prose)
    begins, ends = arrays.longs(units.first), arrays.longs(units.end)
    low, high = arrays.longs(units.around_first), arrays.longs(units.around_end)
    last[0], following[n] = -1, n  # the last block of prose before a block, the next one from it on
    for k in range(n):
        weight[k + 1] = weight[k] + float(count[k] + 1)
        weighted[k + 1] = weighted[k] + p[k] * float(count[k] + 1)
        last[k + 1] = k if prose[k] else last[k]
    for k in range(n - 1, -1, -1):
        following[k] = k if prose[k] else following[k + 1]
    mean = arrays.column(columns, "unit_first", n)
    before = arrays.column(columns, "unit_first_before", n)
    after = arrays.column(columns, "unit_first_after", n)
    prose_before = arrays.column(columns, "unit_first_prose_before", n)
    prose_after = arrays.column(columns, "unit_first_prose_after", n)
    around = arrays.column(columns, "unit_first_around", n)
    for k in range(n):
        a, z, start, end = begins[k], ends[k], low[k], high[k]
        own, all_own = weight[z] - weight[a], weighted[z] - weighted[a]
        mean[k] = all_own / own
        before[k] = p[a - 1] if a > start else -1.0
        after[k] = p[z] if z < end else -1.0
        prose_before[k] = p[last[a]] if last[a] >= start else -1.0
        prose_after[k] = p[following[z]] if following[z] < end else -1.0
        rest = weight[end] - weight[start] - own
        held = weighted[end] - weighted[start] - all_own
        around[k] = held / rest if rest > 0.5 else -1.0
    return columns


def unit_means(units: Units, words: Sequence[int], probabilities: Sequence[float]) -> list[float]:
    """Return per block the mean probability of its unit, weighted by words."""
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
