# cython: infer_types=True
"""The tables that all features are computed from: one over elements, one over blocks.

Candidate blocks are the blocks that ``fusion`` may choose: neither hidden nor in an excluded
landmark (`landmarks`). A column has one value per node or per candidate block.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from scrapy_webtext.core import arrays
from scrapy_webtext.core.distinct import DistinctTexts, DistinctTriples
from scrapy_webtext.core.texts import Texts
from scrapy_webtext.core.tokens import TokenTable
from scrapy_webtext.page import Page
from scrapy_webtext.page.nodes import either

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
_FLAGS: Final = 2 * HIDDEN_BY_ATTRIBUTE - 1  #: all of these bits
#: Classes of tags. Similar tags have close numbers, because trees split by thresholds.
TAG_CLASSES: Final = {
    "p": 1,
    "blockquote": 2,
    "pre": 3,
    "li": 4,
    "dd": 5,
    "dt": 6,
    **dict.fromkeys(("div", "section", "article"), 7),
    "td": 8,
    "th": 9,
    "figcaption": 10,
    **dict.fromkeys(("button", "label", "legend"), 11),
    "summary": 12,
    "h6": 13,
    "h5": 14,
    "h4": 15,
    "h3": 16,
    "h2": 17,
    "h1": 18,
}
#: Tags that are features of a page, by kinds: their numbers are counted.
_COUNTED: Final = {"article": 1, "input": 2, "textarea": 2, "select": 2, "img": 3}
#: What a tag means: its flag, and above these its class (5 bits) and its kind.
_CLASS: Final = 12
_COUNT: Final = 17
_KINDS: Final = {
    tag: FLAGS.get(tag, 0) | TAG_CLASSES.get(tag, 0) << _CLASS | _COUNTED.get(tag, 0) << _COUNT
    for tag in {**FLAGS, **TAG_CLASSES, **_COUNTED}
}

#: Letters of scripts without spaces: Thai, Lao, kana, Chinese characters. Each counts as a word.
#: `core.words` has more scripts and punctuation, because it counts words of any text. This set
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
    counts: array[int]  #: number of all nodes whose tag is of kind 0, 1, 2, 3 of ``_COUNTED``
    class_names: list[str]  #: class, id, role and itemprop, joined by spaces
    distinct_class_names: list[str]  #: each of them once, without the empty one
    name_weights: list[float]  #: weights of their distinct tokens in the bag of words
    tag_class: array[int]
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


def element_table(page: Page, excluded_nodes: bytearray, class_names: TokenTable) -> ElementTable:
    """Return the columns over nodes, in one pass.

    ``class_names`` are the learned scores of tokens of class names, and their weights.
    """
    nodes, attributes, n = page.nodes, page.nodes.attributes, len(page.nodes)
    kept_nodes, names = _kept_nodes(page, excluded_nodes), arrays.untracked([""] * n)
    # One more than there are nodes: a root's parent is -1, the last.
    classes_of_tags, counts = arrays.new_longs(n), arrays.new_longs(4)
    all_flags, depths = arrays.new_longs(n + 1), arrays.new_longs(n + 1)
    template_ids, sums = arrays.new_longs(n + 1), arrays.new_doubles(n + 1)
    lows, highs = arrays.new_doubles(n + 1), arrays.new_doubles(n + 1)
    flags, depth, template_id = (
        arrays.longs(all_flags),
        arrays.longs(depths),
        arrays.longs(template_ids),
    )
    total, low, high = arrays.doubles(sums), arrays.doubles(lows), arrays.doubles(highs)
    own_kinds, kinds = nodes.kinds(_KINDS), attributes.kinds(_READ)
    own_kind, kind = arrays.longs(own_kinds), arrays.longs(kinds)
    kept, parent, tag = (
        arrays.longs(kept_nodes),
        arrays.longs(nodes.parent),
        arrays.longs(nodes.name),
    )
    first, values = arrays.longs(attributes.first), attributes.values
    distinct, classes = DistinctTexts(), DistinctTexts()
    numbers_without_digits = arrays.new_longs(len(kinds) + 1)  #: per number of a distinct text
    without_digits = arrays.longs(numbers_without_digits)
    templates, joined = DistinctTriples(), DistinctTriples()
    scored = ScoredNames(class_names)
    tag_class, count = arrays.longs(classes_of_tags), arrays.longs(counts)
    for i in range(n):
        count[own_kind[i] >> _COUNT] += 1
    for j in range(len(kept_nodes)):
        i = kept[j]
        up = parent[i] if parent[i] >= 0 else n
        flag, of_classes, naming = own_kind[i] & _FLAGS, 0, 0
        for k in range(first[i], first[i + 1]):
            if kind[k] & _NAMING:
                number = distinct.number(values, k)
                if naming or number:
                    naming = joined.number(naming, number, 0)
                if kind[k] & _CLASSES:
                    if not without_digits[number]:
                        without_digits[number] = classes.number_without_digits(values, k)
                    of_classes = without_digits[number]
            elif kind[k] and _hides(attributes.names[attributes.name[k]], values.at(k)):  # objects
                flag |= _HIDDEN
        tag_class[i] = own_kind[i] >> _CLASS & 31
        flags[i], depth[i] = flags[up] | flag, depth[up] + 1
        template_id[i] = templates.number(template_id[up], tag[i], of_classes)
        total[i], low[i], high[i] = total[up], low[up], high[up]
        if naming:
            number = scored.place(naming)
            if number < 0:
                number = scored.add(naming, _joined(values, kinds, first[i], first[i + 1]))
            names[i] = scored.names[number]
            below, above = scored.low[number], scored.high[number]
            total[i] = total[i] + below + above
            low[i], high[i] = min(low[i], below), max(high[i], above)
    columns = classes_of_tags, all_flags, depths, template_ids, sums, lows, highs
    distinct_names = list(dict.fromkeys(filter(None, scored.names)))
    return ElementTable(kept_nodes, counts, names, distinct_names, scored.weights, *columns)


def _kept_nodes(page: Page, excluded_nodes: bytearray) -> array[int]:
    column, runs, n = arrays.new_longs(len(page.nodes)), page.runs, 0
    kept, gone = arrays.longs(column), arrays.octets(excluded_nodes)
    first, end = arrays.longs(runs.first), arrays.longs(runs.end)
    for i in range(len(excluded_nodes)):
        if first[i] < end[i] and not gone[i]:
            kept[n] = i
            n += 1
    return column[:n]


class ScoredNames:
    """The class names of elements, each read once: their lowest and highest scores.

    People write class and id names, and these tell what an element is for: ``entry-content`` is
    content, ``related_posts`` is not. A name is split into tokens: the whole name and its parts, in
    lower case and without digits. Each token that enough sites use has a learned score: the
    log-odds that text below it is content, minus the log-odds of all text; 0 is neutral.
    """

    def __init__(self, tokens: TokenTable) -> None:
        self.names: list[str] = []
        self.low: list[float] = []
        self.high: list[float] = []
        self.weights: list[float] = []  #: of the distinct tokens that have one
        self._places: list[int] = []  #: per number of the names, their place; -1 without one
        self._tokens, self._seen = tokens, bytearray(len(tokens.has_weight))
        self._left = MAX_PAGE_CLASS_NAME_CHARS

    def place(self, number: int) -> int:
        """Return the place of the class names with a number; -1 if they were not added."""
        return self._places[number] if number < len(self._places) else -1

    def add(self, number: int, names: str) -> int:
        """Add the class names with a number, and return their place."""
        self._left -= len(names)
        names = names if self._left >= 0 else ""
        table, low, high = self._tokens, 0.0, 0.0
        tokens, scores = arrays.longs(table.found), arrays.doubles(table.scores)
        has_weight, seen = arrays.octets(table.has_weight), arrays.octets(self._seen)
        for k in range(table.read_names(names)):
            token = tokens[k]
            low, high = min(low, scores[token]), max(high, scores[token])
            if has_weight[token] and not seen[token]:
                seen[token] = 1
                self.weights.append(table.weights[token])  # objects
        self._places += [-1] * (number + 1 - len(self._places))
        self._places[number] = len(self.names)
        self.names.append(names)
        self.low.append(low)
        self.high.append(high)
        return len(self.names) - 1


def _joined(values: Texts, kinds: array[int], first: int, end: int) -> str:
    """Return the class names among the attributes from ``first`` on and before ``end``."""
    names, kind = "", arrays.longs(kinds)
    for k in range(first, end):
        if kind[k] & _NAMING:
            names = f"{names} {values.at(k)}" if names else values.at(k)  # objects
    return names[:MAX_CLASS_NAME_CHARS]


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
    texts = text[:: 1 + len(text) // 1000]
    if all(map(str.isascii, texts)):
        return False
    sample = "".join(texts)[:20_000]
    n, size = len(sample), len(sample.encode("utf-8", "surrogatepass"))
    # Each of these letters has three bytes.
    return size - n > 0.4 * n and len(_UNSPACED.findall(sample)) > 0.2 * n


def go_up(page: Page, nodes: array[int]) -> None:
    """Put the nearest block-level element above it in the place of each node but roots."""
    node, parent = arrays.longs(nodes), arrays.longs(page.nodes.parent)
    container = arrays.longs(page.containers)
    for k in range(len(nodes)):
        if parent[node[k]] >= 0:
            node[k] = container[parent[node[k]]]


# Leaves out landmarks before all else: <nav>, <footer>, <aside>, <header>, text outside <main>.
#
# They hold two fifths of the blocks and almost no labelled text: with perfect selection among the
# other blocks, 2,425 labelled pages lose 0.0003 of word F1. Some pages misuse these tags or do not
# close them, so that the whole page is in a <nav>. So an element with much of the prose stays.

#: An element with a greater share of the page's prose stays.
MAX_PROSE_SHARE: Final = {"nav": 0.2, "footer": 0.2, "aside": 0.05, "header": 0.05}
#: Text outside <main> is left out if <main> has at least this share of the prose.
LEAST_MAIN_SHARE: Final = 0.8
#: A header, footer or aside in one of these belongs to the text; <nav> is always a menu.
_TEXTS: Final = frozenset({"article", "main", "blockquote"})
_LANDMARKS: Final = (frozenset({"nav"}), _TEXTS | {"footer", "aside"}, _TEXTS | {"header"})
_HEADLINE: Final = frozenset({"h1"})
_MAIN: Final = frozenset({"main"})
_LANDMARKS_AND_HEADLINE: Final = frozenset.union(*_LANDMARKS, _HEADLINE)


def excluded_nodes(page: Page) -> bytearray:
    """Return a mask over nodes: 1 for those whose text is hidden or in an excluded landmark.

    An <h1> outside <main> stays with its ancestors, unless it is in a menu, footer or sidebar.
    If no block would be left, only hidden nodes are excluded.
    """
    end, hidden = page.nodes.end, page.hidden
    prose, among = _prose_sums(page, hidden), page.nodes.tagged(_LANDMARKS_AND_HEADLINE)
    mask = _outside_main(page, prose, among)
    for i in _boilerplate(page, prose, among):
        mask[i : end[i]] = b"\x01" * (end[i] - i)
    mask = either(mask, hidden)
    return hidden if all(mask[i] for i in page.blocks.node) else mask


def _outside_main(page: Page, prose: Sequence[int], among: list[int]) -> bytearray:
    """Return a mask over nodes: 1 outside <main>, if <main> holds most of the page's prose."""
    nodes = page.nodes
    mains = nodes.tops(_MAIN, among)
    share = sum(_held(page, i, prose) for i in mains) / (prose[-1] or 1)
    if share < LEAST_MAIN_SHARE:
        return bytearray(len(nodes))
    mask = bytearray(b"\x01") * len(nodes)
    for i in (*mains, *nodes.tops(_HEADLINE, among)):
        mask[i : nodes.end[i]] = bytes(nodes.end[i] - i)
        while (i := nodes.parent[i]) >= 0 and mask[i]:
            mask[i] = 0
    return mask


def _boilerplate(page: Page, prose: Sequence[int], among: list[int]) -> Iterator[int]:
    """Yield the landmarks to exclude; some may be inside others."""
    nodes = page.nodes
    for landmark_tags in _LANDMARKS:
        for i in nodes.tops(landmark_tags, among):
            tag = nodes.tag[i]
            if tag in _TEXTS or (tag == "header" and "h1" in nodes.tag[i : nodes.end[i]]):
                continue
            if tag == "aside" and _is_between_paragraphs(page, i):
                continue
            if _held(page, i, prose) <= MAX_PROSE_SHARE[tag] * prose[-1]:
                yield i


def _is_between_paragraphs(page: Page, node: int) -> bool:
    """Whether the blocks before and after a node are <p> elements with the same parent."""
    blocks, nodes, own = page.blocks, page.nodes, page.blocks_in(node)
    if not 0 < own.start < own.stop < len(blocks):
        return False
    beside = blocks.node[own.start - 1], blocks.node[own.stop]
    return all(nodes.tag[i] == "p" and nodes.parent[i] == nodes.parent[node] for i in beside)


def _held(page: Page, node: int, prose: Sequence[int]) -> int:
    """Return the characters of prose in a node."""
    blocks = page.blocks_in(node)
    return prose[blocks.stop] - prose[blocks.start]


def _prose_sums(page: Page, hidden: bytearray) -> array[int]:
    """Return prefix sums over the page's blocks of the characters of prose."""
    blocks = page.blocks
    column = arrays.new_longs(len(blocks) + 1)
    sums, node, unread = arrays.longs(column), arrays.longs(blocks.node), arrays.octets(hidden)
    chars, links = arrays.longs(blocks.chars), arrays.longs(blocks.link_chars)
    least, most = MIN_PROSE_CHARS, MAX_PROSE_LINK_DENSITY
    for k in range(len(blocks)):
        n = chars[k] - links[k]
        is_prose = n >= least and links[k] < most * chars[k] and not unread[node[k]]
        sums[k + 1] = sums[k] + (n if is_prose else 0)
    return column
