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

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from scrapy_webtext.core import arrays
from scrapy_webtext.core.distinct import DistinctTexts
from scrapy_webtext.extractors.fusion.features.measures import PAGE_CHARS, add_range, share
from scrapy_webtext.extractors.fusion.features.tables import BlockTable, Columns, ElementTable
from scrapy_webtext.page import Page
from scrapy_webtext.page.nodes import Attributes

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
_PLAYER: Final = 32
_OWN_LINK: Final = 64  #: a link to the site that most links lead to
_OTHER_LINK: Final = 128
_LINK_WITHIN: Final = 256  #: a link to an element of the page
_TARGET: Final = 512  #: the target of such a link
_STRUCTURE: Final = 10
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
    **dict.fromkeys(("input", "button", "select", "textarea", "form"), _CONTROL),
    **dict.fromkeys(("iframe", "video", "audio", "embed", "object"), _PLAYER),
}
#: Feature -> flag of the elements that it counts.
_COUNTED: Final = {
    "unit_pictures": _PICTURE,
    "unit_controls": _CONTROL,
    "unit_players": _PLAYER,
    "unit_own_links": _OWN_LINK,
    "unit_other_links": _OTHER_LINK,
    "unit_links_within": _LINK_WITHIN,
    "unit_targets": _TARGET,
}

#: Further features of units and of what is near a block.
UNIT_FEATURES: Final = tuple(
    """
    unit_tag_class unit_depth unit_classes unit_prose_around unit_link_density_around unit_token_low
    unit_token_mean unit_own_links unit_other_links unit_pictures unit_controls unit_players
    unit_after_colon unit_begins_with unit_of_links unit_template_count unit_structure
    unit_links_within unit_targets pictures_near
    """.split()
)
#: Features of a unit between likely text, for the third pass: its mean probability, the highest and
#: the lowest probability of its blocks, and the probabilities of the units before and after it.
UNIT_CHANCES: Final = tuple("unit_mean unit_highest unit_lowest unit_before unit_after".split())
#: Number of blocks on each side in which pictures in links are counted.
PICTURE_REACH: Final = 3
#: A block with probability `LIKELY` or more is likely content; a unit with mean probability
#: `SURE_UNIT` or more is surely content.
LIKELY: Final = 0.5
SURE_UNIT: Final = 0.95
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
    below = arrays.unset_column(columns, "unit_depth", n)
    names = arrays.unset_column(columns, "unit_classes", n)
    around = arrays.unset_column(columns, "unit_prose_around", n)
    density_around = arrays.unset_column(columns, "unit_link_density_around", n)
    for k in range(n):
        a, z, first, end, i = begins[k], ends[k], low[k], high[k], unit[k]
        up = elements.parent[i] if elements.parent[i] >= 0 else nodes
        tag_class[k] = elements.tag_class[i]
        below[k] = elements.depth[texts.node[k]] - elements.depth[i]
        names[k] = elements.class_score_sum[i] - elements.class_score_sum[up]
        around[k] = share(before[k] + after[k], all_prose, most)
        rest = chars[end] - chars[first] - (chars[z] - chars[a])
        linked = rest - (unlinked[end] - unlinked[first] - (unlinked[z] - unlinked[a]))
        density_around[k] = float(linked) / float(rest) if rest > 0 else -1.0


def _add_contents(columns: Columns, units: Units, texts: BlockTable) -> None:
    n, text, is_link = texts.n, texts.text, IS_LINK
    begins, ends = arrays.longs(units.first), arrays.longs(units.end)
    low, tag_class = arrays.longs(units.around_first), arrays.doubles(columns["tag_class"])
    token_low = arrays.doubles(columns["token_score_low"])
    token_mean = arrays.doubles(columns["token_score_mean"])
    lowest = arrays.unset_column(columns, "unit_token_low", n)
    mean = arrays.unset_column(columns, "unit_token_mean", n)
    of_links = arrays.unset_column(columns, "unit_of_links", n)
    colon = arrays.unset_column(columns, "unit_after_colon", n)
    begins_with = arrays.unset_column(columns, "unit_begins_with", n)
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
            links += 1.0 if texts.link_density[b] > is_link else 0.0
        lowest[k], mean[k], of_links[k] = least, total / float(z - a), links / float(z - a)
        begins_with[k] = tag_class[a]
        colon[k] = -1.0
        if a > low[k]:
            colon[k] = 1.0 if text[a - 1].endswith((":", "：")) else 0.0  # objects


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
    _mark_links(page, kinds)
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
    """Add the number of pictures in links near each block, `PICTURE_REACH` blocks on each side."""
    n, sums, reach = texts.n, arrays.unset_longs(len(kinds) + 1), PICTURE_REACH
    kind, before, is_link = arrays.longs(kinds), arrays.longs(sums), arrays.octets(page.is_link)
    near = arrays.unset_column(columns, "pictures_near", n)
    before[0] = 0
    for i in range(len(kinds)):
        before[i + 1] = before[i] + (1 if kind[i] & _PICTURE and is_link[i] else 0)
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


def _mark_links(page: Page, kinds: array[int]) -> None:
    """Set the flags of links, and of the elements that links within the page lead to."""
    attributes, starts, names, some = page.nodes.attributes, DistinctTexts(), [], []
    keys, kind, values = attributes.kinds(_LINKING), arrays.longs(kinds), attributes.values
    # ``href[k]`` is -1 for a name of an element and 0 for other attributes. For an address it is 1
    # plus the number of its scheme and host in ``starts``; a path has the number 0.
    first, href = arrays.longs(attributes.first), arrays.longs(keys)
    counts, longest = arrays.new_longs(len(keys) + 1), _LONGEST_SCHEME
    count = arrays.longs(counts)
    for i in range(len(kinds)):
        for k in range(first[i], first[i + 1]):
            if href[k] > 0 and values.starts_with(k, "#"):
                names.append((i, values.at(k)[1:]))  # objects
                href[k] = 0
            elif href[k] > 0:
                is_path = values.starts_with(k, "/") and not values.starts_with(k, "//")
                number = 0 if is_path else starts.number_to_slash(values, k, longest)
                href[k] = 1 + number
                if not count[number]:
                    some.append((number, values.at(k)))
                count[number] += 1
    flags = _flags_of_links(some, counts)
    flag = arrays.longs(flags)
    for i in range(len(kinds)):
        for k in range(first[i], first[i + 1]):
            if href[k] > 0:
                kind[i] |= flag[href[k] - 1]
    for i, target in _references(attributes, keys, names):
        kind[i] |= _LINK_WITHIN
        kind[target] |= _TARGET


def _flags_of_links(some: list[tuple[int, str]], counts: array[int]) -> array[int]:
    """Return, per number of a start, the flag of its links; ``some`` has an address per number."""
    flags, of_hosts = arrays.new_longs(len(counts)), dict[str, int]()
    hosts = [(n, host) for n, address in some if (host := _host(address)) != _NO_PAGE]
    for number, host in hosts:
        of_hosts[host] = of_hosts.get(host, 0) + counts[number]
    own = max(of_hosts, key=of_hosts.__getitem__, default="")  # the first of equally frequent hosts
    for number, host in hosts:
        flags[number] = _OWN_LINK if host in ("", own) else _OTHER_LINK
    return flags


_LINKING: Final = {"href": 1, "id": -1, "name": -1}
#: Length of "https://".
_LONGEST_SCHEME: Final = 8
_NO_PAGES: Final = ("javascript:", "mailto:", "tel:", "#")
_NO_PAGE: Final = "#"


def _host(address: str) -> str:
    """Return the host of an address; "" for a relative address, ``_NO_PAGE`` if it is no page."""
    if "//" not in address and ":" not in address and "#" not in address:
        return ""
    slash = address.find("/", _LONGEST_SCHEME)
    address = (address if slash < 0 else address[:slash]).strip().lower()
    scheme, _, rest = address.partition("//")
    if rest and scheme in ("", "http:", "https:"):
        return rest.partition("/")[0].removeprefix("www.")
    return _NO_PAGE if address.startswith(_NO_PAGES) else ""


def _references(
    attributes: Attributes, keys: array[int], names: list[tuple[int, str]]
) -> list[tuple[int, int]]:
    """Return (node of the link, node of its target) for links within the page.

    ``names`` has the nodes of the links and the names of the targets; ``keys`` is -1 for attributes
    that name an element.
    """
    wanted = dict.fromkeys(name for _, name in names)
    numbers, targets, n = DistinctTexts(wanted), dict[str, int](), len(wanted)
    first, key, values = arrays.longs(attributes.first), arrays.longs(keys), attributes.values
    for i in range(len(attributes) if any(wanted) else 0):
        for k in range(first[i], first[i + 1]):
            if key[k] < 0 and numbers.number(values, k) <= n:
                targets.setdefault(values.at(k), i)  # objects
    found = ((i, targets.get(name, i)) for i, name in names)
    return [(i, target) for i, target in found if target != i]


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


def units_between(units: Units, means: Sequence[float]) -> list[int]:
    """Return the first block of each unit with likely text before and after it.

    Only text in the element around the unit counts. ``means`` are the `unit_means`. Units that are
    surely content (`SURE_UNIT`) are left out.
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


def values_at(columns: Columns, places: Sequence[int]) -> Columns:
    """Return only the rows ``places`` of the columns, as floats."""
    found: Columns = {}
    chosen, n = arrays.as_longs(places), len(places)
    place = arrays.longs(chosen)
    for name, column in columns.items():
        all_values, some_values = arrays.as_doubles(column), arrays.new_doubles(n)
        values, some = arrays.doubles(all_values), arrays.doubles(some_values)
        for k in range(n):
            some[k] = values[place[k]]
        found[name] = some_values
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
        [means[k - 1] for k in places],
        [means[units.end[k]] for k in places],
    )
    return {name: array("d", row) for name, row in zip(UNIT_CHANCES, rows, strict=True)}
