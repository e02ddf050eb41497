# cython: infer_types=True
"""Units: what is main text as a whole, or not at all.

A table, a list, code, a quotation, a figure with its caption, a box between two paragraphs: an
author put all of it there, or the site did. So each candidate block belongs to a unit. It is the
topmost element around the block that is a table, a list or the like (``_UNIT``) without most of the
page's prose, or that has no paragraphs and stands among paragraphs; else it is the block alone. The
features of a unit are the same for all of its blocks, and its blocks get one probability.
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

#: Parts of a list or table that is too large for one unit.
PARTS: Final = frozenset({"tr", "li", "dd", "dt"})
#: A unit has at most this share of the page's prose and text, a part this share of the prose.
MOST_OF_PAGE: Final = 0.5
MOST_OF_PART: Final = 0.3
#: An element with as many paragraphs directly below it is a text that units stand in.
LEAST_PARAGRAPHS: Final = 2

#: Structures, by the element with most of a unit's text; else a picture with its caption, or none.
TABLE: Final = 1
LIST: Final = 2
DEFINITIONS: Final = 3
CODE: Final = 4
FIGURE: Final = 5
QUOTATION: Final = 6
DETAILS: Final = 7
PICTURE: Final = 8

#: What a tag means: flags, and above these the structure.
_UNIT: Final = 1
_PART: Final = 2
_PARAGRAPH: Final = 4
_PICTURE: Final = 8
_CONTROL: Final = 16
_PLAYER: Final = 32
_STRUCTURE: Final = 6
_TAGS: Final = {
    "table": _UNIT | TABLE << _STRUCTURE,
    **dict.fromkeys(("ul", "ol"), _UNIT | LIST << _STRUCTURE),
    "dl": _UNIT | DEFINITIONS << _STRUCTURE,
    "pre": _UNIT | CODE << _STRUCTURE,
    "figure": _UNIT | FIGURE << _STRUCTURE,
    "blockquote": _UNIT | QUOTATION << _STRUCTURE,
    "details": _UNIT | DETAILS << _STRUCTURE,
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
    unit_structure unit_links_within unit_targets
    """.split()
)
#: Features of a unit between likely text, for the third pass: probabilities of the unit (its mean,
#: and the highest and lowest of its blocks), of the block before and the block after.
UNIT_CHANCES: Final = tuple("unit_mean unit_highest unit_lowest unit_before unit_after".split())
#: From this probability on a block is likely content; a unit with a greater mean than this is text.
LIKELY: Final = 0.5
SURE_UNIT: Final = 0.95
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
    _add_structures(columns, units, page, texts, elements, kinds)
    return units


def _find_units(
    units: Units, page: Page, texts: BlockTable, elements: ElementTable, kinds: array[int]
) -> array[int]:
    """Return per candidate block the node of its unit, and fill in the ranges of ``units``."""
    nodes, kept, n = len(page.nodes), elements.kept_nodes, len(texts.node)
    numbers, tops, found = (
        _paragraphs(page, texts, kinds),
        arrays.new_longs(nodes + 1),
        arrays.new_longs(n),
    )
    holders = _holders(page, kept, numbers)
    paragraphs, holds = arrays.longs(numbers), arrays.octets(holders)
    top, unit, kind = arrays.longs(tops), arrays.longs(found), arrays.longs(kinds)
    parent, container = arrays.longs(page.nodes.parent), arrays.longs(page.containers)
    node, of_kept, at = arrays.longs(texts.node), arrays.longs(kept), arrays.longs(texts.at)
    first, end = arrays.longs(page.runs.first), arrays.longs(page.runs.end)
    unlinked, sums = arrays.longs(texts.unlinked_sums), arrays.longs(texts.prose_sums)
    least, most, all_prose = LEAST_PARAGRAPHS, MOST_OF_PAGE, float(sums[n])
    all_unlinked, most_of_part = float(unlinked[n] or 1), MOST_OF_PART
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


def _paragraphs(page: Page, texts: BlockTable, kinds: array[int]) -> array[int]:
    """Return per node the number of blocks of prose in it, or in paragraphs directly below it."""
    numbers = arrays.new_longs(len(page.nodes) + 1)
    paragraphs, kind, node = arrays.longs(numbers), arrays.longs(kinds), arrays.longs(texts.node)
    parent, container = arrays.longs(page.nodes.parent), arrays.longs(page.containers)
    prose = arrays.longs(texts.prose)
    for k in range(len(texts.node)):
        if prose[k]:
            i = node[k]
            if kind[i] & _PARAGRAPH and parent[i] >= 0:
                i = container[parent[i]]
            paragraphs[i] += 1
    return numbers


def _holders(page: Page, kept_nodes: array[int], numbers: array[int]) -> bytearray:
    """Return a mask over nodes: 1 for those with paragraphs, and for all nodes above them."""
    holders, least = bytearray(len(page.nodes) + 1), LEAST_PARAGRAPHS
    holds, kept, parent = (
        arrays.octets(holders),
        arrays.longs(kept_nodes),
        arrays.longs(page.nodes.parent),
    )
    paragraphs = arrays.longs(numbers)
    for k in range(len(kept_nodes) - 1, -1, -1):
        i = kept[k]
        if paragraphs[i] >= least:
            holds[i] = 1
        if holds[i] and parent[i] >= 0:
            holds[parent[i]] = 1
    return holders


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
    all_within, all_targets = arrays.new_longs(nodes + 1), arrays.new_longs(nodes + 1)
    within, target = arrays.longs(all_within), arrays.longs(all_targets)
    links, references = _links(page)
    for i, j in references:
        within[i + 1] = 1
        target[j + 1] = 1
    for i, is_own in links:
        if is_own:
            own[i + 1] = 1
        else:
            other[i + 1] = 1
    for i in range(nodes):
        own[i + 1] += own[i]
        other[i + 1] += other[i]
        within[i + 1] += within[i]
        target[i + 1] += target[i]
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
    links_within = arrays.column(columns, "unit_links_within", n)
    targets = arrays.column(columns, "unit_targets", n)
    for k in range(n):
        i = unit[k]
        z = end[i]
        own_links[k], other_links[k] = own[z] - own[i], other[z] - other[i]
        pictures[k], controls[k] = picture[z] - picture[i], control[z] - control[i]
        players[k] = player[z] - player[i]
        links_within[k], targets[k] = within[z] - within[i], target[z] - target[i]
        if not k or unit[k - 1] != i:
            count[template[i]] += 1
    for k in range(n):
        template_count[k] = count[template[unit[k]]]


def _add_structures(
    columns: Columns,
    units: Units,
    page: Page,
    texts: BlockTable,
    elements: ElementTable,
    kinds: array[int],
) -> None:
    n, kept, at = len(units.first), arrays.longs(elements.kept_nodes), arrays.longs(texts.at)
    kind = arrays.longs(kinds)
    first, end = arrays.longs(page.runs.first), arrays.longs(page.runs.end)
    begins, ends = arrays.longs(units.first), arrays.longs(units.end)
    chars, pictures = (
        arrays.longs(texts.chars_sums),
        arrays.doubles(columns["unit_pictures"]),
    )
    structure, picture = arrays.column(columns, "unit_structure", n), float(PICTURE)
    for k in range(len(elements.kept_nodes)):
        i = kept[k]
        if not kind[i] & _UNIT:
            continue
        a, z = at[first[i]], at[end[i]]
        if a == z:  # all of it is hidden
            continue
        begin, stop = begins[a], ends[a]
        if structure[begin] < 1 and 2 * (chars[z] - chars[a]) >= chars[stop] - chars[begin]:
            structure[begin] = kind[i] >> _STRUCTURE
    for k in range(n):
        if begins[k] < k:
            structure[k] = structure[begins[k]]
        elif structure[k] < 1 and pictures[k] > 0 and ends[k] - begins[k] <= 2:
            structure[k] = picture


def _links(page: Page) -> tuple[list[tuple[int, bool]], list[tuple[int, int]]]:
    """Return the nodes of links to other pages and of links within the page.

    The first each with whether it leads to the site that most lead to, the others with the node
    that they lead to.
    """
    found: list[tuple[int, str]] = []
    names: list[tuple[int, str]] = []
    hosts: dict[str, str] = {}
    for node, _, value in page.nodes.attributes.named(("href",)):
        if value.startswith("#"):
            names.append((node, value[1:]))
            continue
        slash = value.find("/", _LONGEST_SCHEME)
        start = value if slash < 0 else value[:slash]
        if start not in hosts:
            hosts[start] = _host(start)
        if hosts[start] != _NO_PAGE:
            found.append((node, hosts[start]))
    number = Counter(host for _, host in found)
    own = number.most_common(1)[0][0] if number else ""
    return [(node, host in ("", own)) for node, host in found], _references(page, names)


#: "https://" has as many characters.
_LONGEST_SCHEME: Final = 8
_NO_PAGES: Final = ("javascript:", "mailto:", "tel:", "#")
_NO_PAGE: Final = "#"


def _host(address: str) -> str:
    """Return the host of an address; empty within the site, ``_NO_PAGE`` if it leads to no page."""
    address = address.strip().lower()
    scheme, _, rest = address.partition("//")
    if rest and scheme in ("", "http:", "https:"):
        return rest.partition("/")[0].removeprefix("www.")
    return _NO_PAGE if address.startswith(_NO_PAGES) else ""


def _references(page: Page, names: list[tuple[int, str]]) -> list[tuple[int, int]]:
    """Return the nodes of links, each with the node of its name if there is another one."""
    if not any(name for _, name in names):
        return []
    targets: dict[str, int] = {}
    for i, _, name in page.nodes.attributes.named(("id", "name")):
        targets.setdefault(name, i)
    found = ((i, targets.get(name, i)) for i, name in names)
    return [(i, target) for i, target in found if target != i]


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


def units_between(units: Units, means: Sequence[float]) -> list[int]:
    """Return the first blocks of the units with likely text before and after them.

    The text is in the element around the unit. ``means`` has each block's mean of its unit
    (`unit_means`); units that are surely text are left out.
    """
    chances, n, found = arrays.as_doubles(means), len(means), []
    p, likely_sums = arrays.doubles(chances), arrays.new_longs(n + 1)
    likely, least, most = arrays.longs(likely_sums), LIKELY, SURE_UNIT
    begins, ends = arrays.longs(units.first), arrays.longs(units.end)
    low, high = arrays.longs(units.around_first), arrays.longs(units.around_end)
    for k in range(n):
        likely[k + 1] = likely[k] + (1 if p[k] >= least else 0)
    for k in range(n):
        has_text = likely[k] > likely[low[k]] and likely[high[k]] > likely[ends[k]]
        if begins[k] == k and has_text and p[k] < most:
            found.append(k)  # objects
    return found


def chances_of_units(
    units: Units, places: Sequence[int], means: Sequence[float], blocks: Sequence[float]
) -> Columns:
    """Return the features of ``UNIT_CHANCES`` of the units that begin at these blocks.

    ``blocks`` has the probabilities of the blocks, ``means`` the means of their units.
    """
    some = [blocks[k : units.end[k]] for k in places]
    rows = (
        [means[k] for k in places],
        list(map(max, some)),
        list(map(min, some)),
        [means[k - 1] for k in places],
        [means[units.end[k]] for k in places],
    )
    return {name: array("d", row) for name, row in zip(UNIT_CHANCES, rows, strict=True)}
