# cython: infer_types=True
"""Measures of ranges and of groups of blocks: most features, declared in two tables.

Each block has ranges of consecutive blocks around it, such as its section, and groups that it
belongs to, such as the blocks of its template. A feature is a measure of a range or of a group. A
new feature of this kind is a line in ``RANGES`` or ``GROUPS``. Measures of ranges are differences
of prefix sums, so their cost does not depend on the length of the range.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from typing import Final, TypeAlias

from scrapy_webtext.core import arrays
from scrapy_webtext.extractors.fusion.features.tables import BlockTable, Columns, ElementTable

#: Range -> {feature: its measure (see `add_range`)}.
RANGES: Final[Mapping[str, Mapping[str, str]]] = {
    # the three nearest block-level elements above the block
    "container_1": {
        "unlinked_share_1": "unlinked share",
        "prose_share_1": "prose share",
        "mean_unlinked_1": "mean unlinked",
    },
    "container_2": {
        "unlinked_share_2": "unlinked share",
        "prose_share_2": "prose share",
        "mean_unlinked_2": "mean unlinked",
        "link_density_2": "link density",
    },
    "container_3": {
        "unlinked_share_3": "unlinked share",
        "prose_share_3": "prose share",
        "link_density_3": "link density",
        "blocks_3": "blocks",
    },
    # the block with `WINDOW` blocks on each side
    "window": {"window_unlinked": "unlinked", "window_link_density": "link density"},
    # from a heading to the next one
    "section": {
        "section_unlinked": "unlinked",
        "section_blocks": "blocks",
        "section_link_density": "link density",
    },
    # see `units`; "before" and "after" are the rest of the element around the unit
    "unit": {
        "unit_unlinked": "unlinked",
        "unit_blocks": "blocks",
        "unit_link_density": "link density",
        "unit_prose": "prose",
    },
    "before_unit": {"unit_prose_before": "prose"},
    "after_unit": {"unit_prose_after": "prose"},
}
#: Group -> {feature: its measure, a key of `Totals`}.
GROUPS: Final[Mapping[str, Mapping[str, str]]] = {
    # blocks with equal tags and classes up to the root
    "template": {
        "template_count": "number",
        "template_unlinked": "unlinked share",
        "template_prose": "prose share",
        "template_mean": "mean unlinked",
        "template_sentences": "mean ends",
        "template_start": "start",
    },
    # elements with the template of the block's parent
    "parent_template": {
        "parent_template_count": "number",
        "parent_template_unlinked": "unlinked share",
    },
    # elements with the template of the topmost repeated element above the block
    "items": {
        "repeated_items": "number",
        "items_unlinked": "unlinked share",
        "items_prose": "prose share",
        "prose_before_items": "start",
    },
}
#: Number of blocks on each side in the window.
WINDOW: Final = 8

#: Per block, the first block of a range and the index after its last block.
Range: TypeAlias = "tuple[array[int], array[int]]"
#: Name -> one sum per group. "number" has its members, "start" the prose before the first one.
Totals: TypeAlias = "dict[str, array[int]]"


def window(n: int, reach: int) -> Range:
    """Return, for ``n`` blocks, the range of the blocks up to ``reach`` blocks away."""
    firsts, ends = arrays.unset_longs(n), arrays.unset_longs(n)
    first, end = arrays.longs(firsts), arrays.longs(ends)
    for k in range(n):
        first[k], end[k] = max(0, k - reach), min(n, k + reach + 1)
    return firsts, ends


def range_of(elements: ElementTable, nodes: array[int]) -> Range:
    """Return the range of the blocks in a node per block."""
    n = len(nodes)
    firsts, ends, node = arrays.unset_longs(n), arrays.unset_longs(n), arrays.longs(nodes)
    first, end = arrays.longs(firsts), arrays.longs(ends)
    for k in range(n):
        first[k], end[k] = elements.begin[node[k]], elements.stop[node[k]]
    return firsts, ends


def add_range(columns: Columns, texts: BlockTable, name: str, of_blocks: Range) -> None:
    """Add the features of a range in ``RANGES``.

    "unlinked" and "prose" are numbers of characters; with "share", of the page's; with "mean", per
    block.
    """
    n, firsts, ends = texts.n, of_blocks[0], of_blocks[1]
    a, z = arrays.longs(firsts), arrays.longs(ends)
    unlinked, chars = texts.unlinked_sums, texts.chars_sums
    for feature, measure in RANGES[name].items():
        made = arrays.unset_column(columns, feature, n)
        sums = texts.prose_sums if measure.startswith("prose") else unlinked
        whole = float(sums[n] or 1) if measure.endswith("share") else 1.0
        if measure == "link density":
            for k in range(n):
                held = float(unlinked[z[k]] - unlinked[a[k]])
                made[k] = 1 - held / float((chars[z[k]] - chars[a[k]]) or 1)
        elif measure == "blocks":
            for k in range(n):
                made[k] = z[k] - a[k]
        elif measure == "mean unlinked":
            for k in range(n):
                made[k] = float(sums[z[k]] - sums[a[k]]) / float(z[k] - a[k] or 1)
        else:
            for k in range(n):
                made[k] = float(sums[z[k]] - sums[a[k]]) / whole


def add_mean(
    columns: Columns, feature: str, of_blocks: Range, sums: array[float], weights: array[float]
) -> None:
    """Add the weighted mean over a range, from prefix sums of weighted values and of weights."""
    firsts, ends = of_blocks
    a, z, n = arrays.longs(firsts), arrays.longs(ends), len(firsts)
    held, weight = arrays.doubles(sums), arrays.doubles(weights)
    mean = arrays.unset_column(columns, feature, n)
    for k in range(n):
        mean[k] = (held[z[k]] - held[a[k]]) / (weight[z[k]] - weight[a[k]])


def totals_of_blocks(texts: BlockTable, of_blocks: array[int], groups: int) -> Totals:
    """Return the totals of groups of blocks; ``of_blocks`` has the group of each block."""
    made: Totals = {}
    number = arrays.keep(made, "number", arrays.new_longs(groups))
    unlinked = arrays.keep(made, "unlinked", arrays.new_longs(groups))
    prose = arrays.keep(made, "prose", arrays.new_longs(groups))
    ends = arrays.keep(made, "ends", arrays.new_longs(groups))
    start, group = arrays.keep(made, "start", arrays.new_longs(groups)), arrays.longs(of_blocks)
    for k in range(texts.n):
        s = group[k]
        if not number[s]:
            start[s] = texts.prose_sums[k]
        number[s] += 1
        unlinked[s] += texts.unlinked_chars[k]
        prose[s] += texts.prose[k]
        ends[s] += texts.ends[k]
    return made


def totals_of_nodes(
    texts: BlockTable, elements: ElementTable, nodes: array[int], counts: array[int]
) -> Totals:
    """Return the totals of groups of nodes with equal templates.

    ``nodes`` has a node per block; node 0 belongs to no group. ``counts`` is "number".
    """
    n, groups, is_seen = texts.n, elements.n + 1, bytearray(elements.n)
    made: Totals = {"number": counts}
    unlinked = arrays.keep(made, "unlinked", arrays.new_longs(groups))
    prose = arrays.keep(made, "prose", arrays.new_longs(groups))
    start, node = arrays.keep(made, "start", arrays.new_longs(groups)), arrays.longs(nodes)
    is_known = bytearray(groups)
    seen, known = arrays.octets(is_seen), arrays.octets(is_known)
    for k in range(n):
        i = node[k]
        if not seen[i]:
            seen[i] = 1
            s, a, z = elements.template_id[i], elements.begin[i], elements.stop[i]
            if not known[s]:
                known[s], start[s] = 1, texts.prose_sums[a]
            unlinked[s] += texts.unlinked_sums[z] - texts.unlinked_sums[a]
            prose[s] += texts.prose_sums[z] - texts.prose_sums[a]
    return made


def add_group(
    columns: Columns, texts: BlockTable, name: str, of_blocks: array[int], totals: Totals
) -> None:
    """Add the features of a group in ``GROUPS``; ``of_blocks`` has the group of each block."""
    n, group, number = texts.n, arrays.longs(of_blocks), arrays.longs(totals["number"])
    for feature, measure in GROUPS[name].items():
        made = arrays.unset_column(columns, feature, n)
        total = arrays.longs(totals[measure.removeprefix("mean ").removesuffix(" share")])
        if measure.startswith("mean"):
            for k in range(n):
                made[k] = float(total[group[k]]) / float(number[group[k]])
            continue
        whole = 1.0
        if measure == "unlinked share":
            whole = float(texts.unlinked_sums[n] or 1)
        elif measure != "number":
            whole = float(texts.prose_sums[n] or 1)
        for k in range(n):
            made[k] = float(total[group[k]]) / whole
