"""The tables that all features are computed from: one over elements, one over blocks.

Candidate blocks are the blocks that ``fusion`` may choose: neither hidden nor in an excluded
landmark (`filters.landmarks`). A column has one value per node or per candidate block.
"""

from __future__ import annotations

import re
from array import array
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from scrapy_webtext.core import arrays
from scrapy_webtext.core.distinct import DistinctTexts, DistinctTriples
from scrapy_webtext.core.texts import Texts
from scrapy_webtext.extractors.fusion.features.class_names import ClassNameScores
from scrapy_webtext.page import Page

#: Tags of ancestors that are features of a block, one bit each.
FLAGS: Final = {
    "nav": 1,
    "footer": 2,
    "aside": 4,
    "article": 8,
    "main": 16,
    "figure": 32,
    "figcaption": 32,
    "table": 64,
    "ul": 128,
    "ol": 128,
    "p": 256,
    "form": 512,
    "header": 1024,
}
HIDDEN_BY_ATTRIBUTE: Final = 2048  #: hidden by attribute: hidden, aria-hidden, display:none
_HIDDEN: Final = HIDDEN_BY_ATTRIBUTE

#: Letters of scripts without spaces: Thai, Lao, kana, Chinese characters. Each counts as a word.
#: `page.words` has more scripts and punctuation, because it counts words of any text. This set
#: decides features, so it can change only together with the trained model.
_UNSPACED: Final = re.compile("[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
#: Characters of the class names of an element that are read: their scores are cached.
MAX_CLASS_NAME_CHARS: Final = 1_000
#: Characters of all distinct class names of a page that are read; names beyond have score 0.
#: (The maximum on 4,638 pages: 135,597.)
MAX_PAGE_CLASS_NAME_CHARS: Final = 300_000
#: Kinds of attributes: class names, of these classes, and what may hide an element.
_NAMING: Final = 1
_CLASSES: Final = 2
_HIDING: Final = 4
_READ: Final = {
    "class": _NAMING | _CLASSES,
    **dict.fromkeys(("id", "role", "itemprop"), _NAMING),
    **dict.fromkeys(("hidden", "aria-hidden", "style"), _HIDING),
}
#: A sentence ends with one of these, or with the quotation mark or bracket after it.
SENTENCE_ENDS: Final = frozenset(".!?…。！？．؟।։:;：；\"”»’')）」』")

#: A block of prose has at least this many characters outside links, and a lower link density.
MIN_PROSE_CHARS: Final = 60
MAX_PROSE_LINK_DENSITY: Final = 0.35
#: One value per block. ``Columns`` are keyed by the name of the feature.
Column: TypeAlias = "array[Any]"
Columns: TypeAlias = "dict[str, array[Any]]"


@dataclass(frozen=True, slots=True)
class ElementTable:
    """Columns over all nodes. They have a meaning only for ``kept_nodes``."""

    kept_nodes: array[int]  #: nodes that hold candidate blocks, in document order
    class_names: list[str]  #: class, id, role and itemprop, joined by spaces
    distinct_class_names: list[str]  #: each of them once, without the empty one
    flags: array[int]
    depth: array[int]
    template_id: array[int]  #: equal for nodes with equal tags and classes up to the root
    class_score_sum: array[float]  #: sum of the scores of class names from the root down
    class_score_low: array[float]  #: the lowest score from the root down
    class_score_high: array[float]


@dataclass(frozen=True, slots=True)
class BlockTable:
    """Columns over candidate blocks, in document order.

    In scripts without spaces each character counts as a word, and ``chars`` and
    ``unlinked_chars`` are three times the number of characters.
    """

    is_unspaced: bool  #: mostly of a script without spaces between words
    numbers: array[int]  #: of the blocks on the page
    node: array[int]
    owner: array[int]  #: the node directly above the block's first run
    text: list[str]
    words: array[int]
    chars: array[int]
    unlinked_chars: array[int]
    link_density: array[float]
    ends: array[int]  #: whether the text ends like a sentence
    prose: array[int]  #: ``unlinked_chars`` of blocks that look like sentences, else 0
    unlinked_sums: array[int]  #: prefix sums, as the next two
    chars_sums: array[int]
    prose_sums: array[int]
    at: array[int]  #: per run of the page, the first candidate block that begins there or later


def element_table(page: Page, excluded_nodes: bytearray, scores: ClassNameScores) -> ElementTable:
    """Return the columns over nodes, in one pass."""
    nodes, attributes, n = page.nodes, page.nodes.attributes, len(page.nodes)
    kept_nodes, names = _kept_nodes(page, excluded_nodes), arrays.untracked([""] * n)
    # One more than there are nodes: a root's parent is -1, the last.
    all_flags, depths = arrays.new_longs(n + 1), arrays.new_longs(n + 1)
    template_ids, sums = arrays.new_longs(n + 1), arrays.new_doubles(n + 1)
    lows, highs = arrays.new_doubles(n + 1), arrays.new_doubles(n + 1)
    flags, depth, template_id = (
        arrays.longs(all_flags),
        arrays.longs(depths),
        arrays.longs(template_ids),
    )
    total, low, high = arrays.doubles(sums), arrays.doubles(lows), arrays.doubles(highs)
    own_flags, kinds = nodes.kinds(FLAGS), attributes.kinds(_READ)
    own_flag, kind = arrays.longs(own_flags), arrays.longs(kinds)
    kept, parent, tag = (
        arrays.longs(kept_nodes),
        arrays.longs(nodes.parent),
        arrays.longs(nodes.name),
    )
    first, values = arrays.longs(attributes.first), attributes.values
    distinct, classes = DistinctTexts(), DistinctTexts()
    templates, joined = DistinctTriples(), DistinctTriples()
    scored = _ScoredNames(scores)
    for j in range(len(kept_nodes)):
        i = kept[j]
        up = parent[i] if parent[i] >= 0 else n
        flag, of_classes, naming = own_flag[i], 0, 0
        for k in range(first[i], first[i + 1]):
            if kind[k] & _NAMING:
                number = distinct.number(values, k)
                if naming or number:
                    naming = joined.number(naming, number, 0)
                if kind[k] & _CLASSES:
                    of_classes = classes.number_without_digits(values, k)
            elif kind[k] and _hides(attributes.names[attributes.name[k]], values.at(k)):  # objects
                flag |= _HIDDEN
        flags[i], depth[i] = flags[up] | flag, depth[up] + 1
        template_id[i] = templates.number(template_id[up], tag[i], of_classes)
        total[i], low[i], high[i] = total[up], low[up], high[up]
        if naming:
            if not scored.has(naming):
                scored.read(naming, values, kinds, first[i], first[i + 1])
            names[i] = scored.names[naming]
            below, above = scored.low[naming], scored.high[naming]
            total[i] = total[i] + below + above
            low[i], high[i] = min(low[i], below), max(high[i], above)
    columns = all_flags, depths, template_ids, sums, lows, highs
    return ElementTable(kept_nodes, names, scored.distinct(), *columns)


def _kept_nodes(page: Page, excluded_nodes: bytearray) -> array[int]:
    column, runs, n = arrays.new_longs(len(page.nodes)), page.runs, 0
    kept, gone = arrays.longs(column), arrays.octets(excluded_nodes)
    first, end = arrays.longs(runs.first), arrays.longs(runs.end)
    for i in range(len(excluded_nodes)):
        if first[i] < end[i] and not gone[i]:
            kept[n] = i
            n += 1
    return column[:n]


class _ScoredNames:
    """The class names of elements by number, and their lowest and highest scores."""

    def __init__(self, scores: ClassNameScores) -> None:
        self.names: list[str | None] = [""]  #: None of those that were not read
        self.low, self.high = [0.0], [0.0]
        self._scores, self._left = scores, MAX_PAGE_CLASS_NAME_CHARS

    def has(self, number: int) -> bool:
        """Whether the class names of a number were read."""
        return number < len(self.names) and self.names[number] is not None

    def read(self, number: int, values: Texts, kinds: array[int], first: int, end: int) -> None:
        """Read the class names of a number from the attributes of an element that has them."""
        more = number + 1 - len(self.names)
        self.names += [None] * more
        self.low += [0.0] * more
        self.high += [0.0] * more
        names = ""
        kind = arrays.longs(kinds)
        for k in range(first, end):
            if kind[k] & _NAMING:
                names = f"{names} {values.at(k)}" if names else values.at(k)
        names = names[:MAX_CLASS_NAME_CHARS]
        self._left -= len(names)
        self.names[number] = names if self._left >= 0 else ""
        if self._left >= 0:
            self.low[number], self.high[number] = self._scores.of(names)

    def distinct(self) -> list[str]:
        """Return the class names that were read, each once."""
        return list(dict.fromkeys(filter(None, self.names)))


def _hides(name: str, value: str) -> bool:
    if name == "style":
        return "none" in value and "display:none" in value.replace(" ", "")
    return name == "hidden" or value == "true"


def block_table(page: Page, excluded_nodes: bytearray) -> BlockTable:
    """Return the columns over candidate blocks."""
    blocks, runs, gone = page.blocks, page.runs, arrays.octets(excluded_nodes)
    of_block, first_run = arrays.longs(blocks.node), arrays.longs(blocks.first_run)
    run_node = arrays.longs(runs.node)
    block_chars, block_links = arrays.longs(blocks.chars), arrays.longs(blocks.link_chars)
    some, text, n = arrays.new_longs(len(blocks)), arrays.untracked([]), 0
    number, block_text = arrays.longs(some), blocks.text
    for b in range(len(blocks)):
        if not gone[of_block[b]]:
            number[n] = b
            text.append(block_text[b])
            n += 1
    numbers = some[:n]
    unspaced = is_unspaced(text)
    nodes, owners, all_words = arrays.new_longs(n), arrays.new_longs(n), arrays.new_longs(n)
    all_chars, all_unlinked = arrays.new_longs(n), arrays.new_longs(n)
    densities, all_ends, all_prose = arrays.new_doubles(n), arrays.new_longs(n), arrays.new_longs(n)
    node, owner, words = arrays.longs(nodes), arrays.longs(owners), arrays.longs(all_words)
    chars, unlinked = arrays.longs(all_chars), arrays.longs(all_unlinked)
    density, ends = arrays.doubles(densities), arrays.longs(all_ends)
    prose = arrays.longs(all_prose)
    least, most, closing = MIN_PROSE_CHARS, MAX_PROSE_LINK_DENSITY, SENTENCE_ENDS
    for k in range(n):
        b, one = number[k], text[k]
        length, links = block_chars[b], block_links[b]
        words[k] = length if unspaced else one.count(" ") + 1
        if unspaced:
            length, links = 3 * length, 3 * links
        node[k], owner[k] = of_block[b], run_node[first_run[b]]
        chars[k], unlinked[k] = length, length - links
        density[k] = float(links) / float(length)
        ends[k] = one[len(one) - 1] in closing
        if length - links >= least and density[k] < most and (ends[k] or _marks(one, unspaced) > 1):
            prose[k] = length - links
    columns = nodes, owners, text, all_words, all_chars, all_unlinked, densities, all_ends
    sums = _summed(all_unlinked), _summed(all_chars), _summed(all_prose)
    at = _blocks_at(numbers, blocks.first_run, len(runs))
    return BlockTable(unspaced, numbers, *columns, all_prose, *sums, at)


def _marks(text: str, unspaced: bool) -> int:
    """Return the commas within a text, and twice its full stops."""
    if unspaced:
        return text.count("，") + text.count("、") + 2 * text.count("。")
    return text.count(", ") + 2 * text.count(". ")


def _summed(column: array[int]) -> array[int]:
    """Return the sums of the first 0, 1, ... values."""
    made = arrays.new_longs(len(column) + 1)
    sums, values = arrays.longs(made), arrays.longs(column)
    for k in range(len(column)):
        sums[k + 1] = sums[k] + values[k]
    return made


def _blocks_at(numbers: array[int], first_runs: array[int], runs: int) -> array[int]:
    """Return per run, and for the end, the first candidate block that begins there or later."""
    column, run, n = arrays.new_longs(runs + 1), 0, len(numbers)
    at, number, first_run = arrays.longs(column), arrays.longs(numbers), arrays.longs(first_runs)
    for k in range(n):
        while run <= first_run[number[k]]:
            at[run] = k
            run += 1
    for i in range(run, runs + 1):
        at[i] = n
    return column


def is_unspaced(text: list[str]) -> bool:
    """Whether the text is mostly of a script without spaces between words."""
    step = 1 + len(text) // 1000
    sample = "".join(text[::step])[:20_000]
    if sample.isascii():
        return False
    if len(sample.encode("ascii", "ignore")) > 0.8 * len(sample):  # mostly ASCII: no need to search
        return False
    return len(_UNSPACED.findall(sample)) > 0.2 * len(sample)


def go_up(page: Page, nodes: array[int]) -> None:
    """Put the nearest block-level element above it in the place of each node but roots."""
    node, parent = arrays.longs(nodes), arrays.longs(page.nodes.parent)
    container = arrays.longs(page.containers)
    for k in range(len(nodes)):
        if parent[node[k]] >= 0:
            node[k] = container[parent[node[k]]]
