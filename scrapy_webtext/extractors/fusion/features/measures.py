# cython: infer_types=True
"""Measures of ranges and of groups of blocks: most features, declared in two tables.

Each block has ranges of consecutive blocks around it, such as its section, and groups that it
belongs to, such as the blocks of its template. A feature is a measure of a range or of a group. A
new feature of this kind is a word in ``RANGES`` or ``GROUPS``. Measures of ranges are differences
of prefix sums, so their cost does not depend on the length of the range.

No feature grows without limit with the page, because a forest knows only the lengths that its
training had. A share is a part of the page, but of at most `PAGE_CHARS` characters; other numbers
have a limit in ``LIMITS``, near the 90 % quantile of labelled pages.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from typing import Final, TypeAlias

from scrapy_webtext.core import arrays
from scrapy_webtext.extractors.fusion.features.tables import BlockTable, Columns, ElementTable

#: Range of blocks -> what it is, its measures. `add_range` computes the feature ``RANGE_MEASURE``.
RANGES: Final[Mapping[str, tuple[str, str]]] = {
    "container_1": (
        "the nearest block-level element above the block that has more blocks",
        "unlinked_share mean_unlinked",
    ),
    "container_2": (
        "the next one above it",
        "unlinked_share prose_share mean_unlinked link_density",
    ),
    "container_3": ("the next one", "unlinked_share link_density"),
    "near": ("the block and three blocks on each side", "mean_unlinked link_density"),
    "following": ("the block and the six blocks after it", "mean_unlinked link_density"),
    "section": ("from a heading to the next heading", "unlinked blocks link_density"),
    "item": (
        "the topmost repeated element above the block; without one, the block",
        "blocks link_density",
    ),
    "unit": ("the block's unit", "unlinked blocks link_density"),
    "before_unit": ("what is before the unit in the element around it", "prose"),
    "after_unit": ("what is after it", "prose"),
}
#: Group of blocks -> what it is, its measures. `add_group` computes the feature ``GROUP_MEASURE``.
GROUPS: Final[Mapping[str, tuple[str, str]]] = {
    "template": (
        "blocks with equal tags and classes up to the root",
        "count unlinked_share prose_share mean_unlinked mean_ends start",
    ),
    "parents": ("elements with the template of container 1", "count unlinked_share"),
    "items": (
        "elements with the template of the block's item; 0 without an item",
        "count unlinked_share start",
    ),
}
#: Shares and positions are computed as if a page had at most this many characters; positions as if
#: it had at most this many before a block, and this many after it.
PAGE_CHARS: Final = 10_000


#: Limit -> features of blocks whose values are at most this and, with a minus, at least.
_LIMITED: Final = {
    5: "headlines_before dates_before pictures_near",
    10: "copies",
    20: """
    depth best_steps half_steps most_steps unit_pictures unit_controls
    """,
    50: "word_chars template_count parents_count items_count unit_template_count",
    100: """
    section_blocks item_blocks unit_blocks since_heading from_headline
    best_distance half_distance most_distance
    """,
    1_000: """
    container_1_mean_unlinked container_2_mean_unlinked near_mean_unlinked
    following_mean_unlinked template_mean_unlinked
    """,
    2_000: "chars unlinked_chars next_unlinked unit_unlinked",
    PAGE_CHARS: "section_unlinked before_unit_prose after_unit_prose prose_from_headline",
}
LIMITS: Final = {name: most for most, names in _LIMITED.items() for name in names.split()}

#: Per block, the first block of a range and the index after its last block.
Range: TypeAlias = "tuple[array[int], array[int]]"
#: Name -> one sum per group. "count" has its members, "start" the prose before the first one.
Totals: TypeAlias = "dict[str, array[int]]"


def limit(columns: Columns) -> None:
    """Replace the values that are beyond the limits in ``LIMITS`` by the limits."""
    for name, most in LIMITS.items():
        column = arrays.doubles(columns[name])
        for k in range(len(columns[name])):
            column[k] = min(max(column[k], -most), most)


def position(before: float, after: float, most: float) -> float:
    """Return a position in [0, 1] from what is before a place and after it, each at most ``most``.

    On a page with at most ``most`` this is the share before the place.
    """
    near, rest = min(before, most), min(after, most)
    return near / (near + rest) if near > 0 else 0.0


def share(held: float, whole: float, most: float) -> float:
    """Return a share of a whole, of which at most ``most`` counts; the share is at most 1."""
    return min(held / min(whole or 1.0, most), 1.0)


def window(n: int, before: int, after: int) -> Range:
    """Return the range from ``before`` blocks before each block to ``after`` blocks after it."""
    firsts, ends = arrays.unset_longs(n), arrays.unset_longs(n)
    first, end = arrays.longs(firsts), arrays.longs(ends)
    for k in range(n):
        first[k], end[k] = max(0, k - before), min(n, k + after + 1)
    return firsts, ends


def range_of(elements: ElementTable, nodes: array[int]) -> Range:
    """Return the range of the blocks in a node per block; the block alone for node ``n``."""
    n, no_node = len(nodes), elements.n
    firsts, ends, node = arrays.unset_longs(n), arrays.unset_longs(n), arrays.longs(nodes)
    first, end = arrays.longs(firsts), arrays.longs(ends)
    for k in range(n):
        i = node[k]
        first[k], end[k] = k, k + 1
        if i != no_node:
            first[k], end[k] = elements.begin[i], elements.stop[i]
    return firsts, ends


def add_range(columns: Columns, texts: BlockTable, name: str, of_blocks: Range) -> None:
    """Add the measures of a range in ``RANGES``.

    "unlinked" and "prose" are numbers of characters; with "share", a share of the page; with
    "mean", per block.
    """
    n, firsts, ends = texts.n, of_blocks[0], of_blocks[1]
    a, z = arrays.longs(firsts), arrays.longs(ends)
    unlinked, chars = texts.unlinked_sums, texts.chars_sums
    for measure in RANGES[name][1].split():
        made = arrays.unset_column(columns, f"{name}_{measure}", n)
        sums = texts.prose_sums if measure.startswith("prose") else unlinked
        whole, most = float(sums[n]), float(PAGE_CHARS)
        if measure == "link_density":
            for k in range(n):
                held = float(unlinked[z[k]] - unlinked[a[k]])
                made[k] = 1 - held / float(max(chars[z[k]] - chars[a[k]], 1))
        elif measure == "blocks":
            for k in range(n):
                made[k] = z[k] - a[k]
        elif measure == "mean_unlinked":
            for k in range(n):
                made[k] = float(sums[z[k]] - sums[a[k]]) / float(max(z[k] - a[k], 1))
        elif measure.endswith("share"):
            for k in range(n):
                made[k] = share(sums[z[k]] - sums[a[k]], whole, most)
        else:
            for k in range(n):
                made[k] = sums[z[k]] - sums[a[k]]


def add_mean(
    columns: Columns, feature: str, of_blocks: Range, sums: array[float], weights: array[float]
) -> None:
    """Add the weighted mean over a range, from prefix sums of weighted values and of weights.

    It is -1 for a range without weight.
    """
    firsts, ends = of_blocks
    a, z, n = arrays.longs(firsts), arrays.longs(ends), len(firsts)
    held, weight = arrays.doubles(sums), arrays.doubles(weights)
    mean = arrays.unset_column(columns, feature, n)
    for k in range(n):
        whole = weight[z[k]] - weight[a[k]]
        mean[k] = (held[z[k]] - held[a[k]]) / whole if whole > 0 else -1.0


def add_mean_of_groups(
    columns: Columns,
    feature: str,
    of_blocks: array[int],
    weighted: array[float],
    weights: array[float],
) -> array[float]:
    """Add the weighted mean over a block's group; return the weight of each group.

    ``of_blocks`` has the group of each block. The mean is -1 for a group without weight.
    """
    group, n, most = arrays.longs(of_blocks), len(of_blocks), 0
    for k in range(n):
        most = max(most, group[k])
    sums, counts = arrays.new_doubles(most + 1), arrays.new_doubles(most + 1)
    total, count = arrays.doubles(sums), arrays.doubles(counts)
    held, weight = arrays.doubles(weighted), arrays.doubles(weights)
    mean = arrays.unset_column(columns, feature, n)
    for k in range(n):
        total[group[k]] += held[k]
        count[group[k]] += weight[k]
    for k in range(n):
        mean[k] = total[group[k]] / count[group[k]] if count[group[k]] > 0 else -1.0
    return counts


def totals_of_blocks(texts: BlockTable, of_blocks: array[int], groups: int) -> Totals:
    """Return the totals of groups of blocks; ``of_blocks`` has the group of each block."""
    made: Totals = {}
    count = arrays.keep(made, "count", arrays.new_longs(groups))
    unlinked = arrays.keep(made, "unlinked", arrays.new_longs(groups))
    prose = arrays.keep(made, "prose", arrays.new_longs(groups))
    ends = arrays.keep(made, "ends", arrays.new_longs(groups))
    start, group = arrays.keep(made, "start", arrays.new_longs(groups)), arrays.longs(of_blocks)
    for k in range(texts.n):
        s = group[k]
        if not count[s]:
            start[s] = texts.prose_sums[k]
        count[s] += 1
        unlinked[s] += texts.unlinked_chars[k]
        prose[s] += texts.prose[k]
        ends[s] += texts.ends[k]
    return made


def totals_of_nodes(
    texts: BlockTable, elements: ElementTable, nodes: array[int], counts: array[int]
) -> Totals:
    """Return the totals of groups of nodes with equal templates.

    ``nodes`` has a node per block; node ``n`` belongs to no group. ``counts`` is "count".
    """
    groups, is_seen, is_known = elements.n + 1, bytearray(elements.n + 1), bytearray(elements.n + 1)
    made: Totals = {"count": counts}
    unlinked = arrays.keep(made, "unlinked", arrays.new_longs(groups))
    start, node = arrays.keep(made, "start", arrays.new_longs(groups)), arrays.longs(nodes)
    seen, known = arrays.octets(is_seen), arrays.octets(is_known)
    seen[elements.n] = 1
    for k in range(texts.n):
        i = node[k]
        if not seen[i]:
            seen[i] = 1
            s, a, z = elements.template_id[i], elements.begin[i], elements.stop[i]
            if not known[s]:
                known[s], start[s] = 1, texts.prose_sums[a]
            unlinked[s] += texts.unlinked_sums[z] - texts.unlinked_sums[a]
    return made


def add_group(
    columns: Columns, texts: BlockTable, name: str, of_blocks: array[int], totals: Totals
) -> None:
    """Add the measures of a group in ``GROUPS``; ``of_blocks`` has the group of each block.

    "start" is the position of the group's first block in the prose.
    """
    n, group, count = texts.n, arrays.longs(of_blocks), arrays.longs(totals["count"])
    for measure in GROUPS[name][1].split():
        made = arrays.unset_column(columns, f"{name}_{measure}", n)
        total = arrays.longs(totals[measure.removeprefix("mean_").removesuffix("_share")])
        sums = texts.unlinked_sums if measure.startswith("unlinked") else texts.prose_sums
        whole, most = float(sums[n]), float(PAGE_CHARS)
        if measure.startswith("mean"):
            for k in range(n):
                made[k] = float(total[group[k]]) / float(count[group[k]])
        elif measure == "start":
            for k in range(n):
                made[k] = position(total[group[k]], whole - total[group[k]], most)
        elif measure.endswith("share"):
            for k in range(n):
                made[k] = share(total[group[k]], whole, most)
        else:
            for k in range(n):
                made[k] = total[group[k]]
