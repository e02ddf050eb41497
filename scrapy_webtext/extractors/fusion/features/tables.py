# cython: infer_types=True
"""The two tables that all features are computed from: of elements and of blocks.

Candidate blocks are the blocks that ``fusion`` may choose: neither hidden nor in an excluded
landmark (`excluded_nodes`). A column has one value per node or per candidate block.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from typing import Any, Final, TypeAlias

from scrapy_webtext.core import arrays
from scrapy_webtext.core.distinct import DistinctTexts, DistinctTriples, TokenTable
from scrapy_webtext.core.texts import Texts
from scrapy_webtext.page import Page
from scrapy_webtext.page.nodes import Nodes, either

#: Tag of an ancestor of a block -> its bit in the column ``flags``.
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
_FLAGS: Final = 2047  #: mask of these bits
#: Tag -> number of its class. Similar tags have near numbers, because trees compare with
#: thresholds.
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
#: Tag -> kind (1, 2, 3) that is counted for the features of a page.
_COUNTED: Final = {"article": 1, "input": 2, "textarea": 2, "select": 2, "img": 3}
#: Tag -> its flag, its class (5 bits from bit `_CLASS` on) and its counted kind (from bit `_COUNT`
#: on).
_CLASS: Final = 12
_COUNT: Final = 17
_KINDS: Final = {
    tag: FLAGS.get(tag, 0) | TAG_CLASSES.get(tag, 0) << _CLASS | _COUNTED.get(tag, 0) << _COUNT
    for tag in {**FLAGS, **TAG_CLASSES, **_COUNTED}
}

#: Letters of scripts without spaces: Thai, Lao, kana, Chinese characters. `core.words` has more
#: scripts and punctuation, because it counts words of any text. This set decides features, so it
#: can change only together with the trained model.
_UNSPACED: Final = re.compile("[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
#: Maximum length of the class names of an element; further characters are not read.
MAX_CLASS_NAME_CHARS: Final = 1_000
#: Maximum total length of the distinct class names of a page; further names have score 0. (The
#: maximum on 4,638 pages is 135,597.)
MAX_PAGE_CLASS_NAME_CHARS: Final = 300_000
#: Kinds of attributes: class names (`_NAMING`), among them "class" (`_CLASSES`).
_NAMING: Final = 1
_CLASSES: Final = 2
_READ: Final = {
    "class": _NAMING | _CLASSES,
    **dict.fromkeys(("id", "role", "itemprop"), _NAMING),
}
#: A text that ends with one of these characters ends like a sentence.
SENTENCE_ENDS: Final = frozenset(".!?…。！？．؟।։:;：；\"”»’')）」』")

#: A block of prose has at least this many characters outside links, and a lower link density.
MIN_PROSE_CHARS: Final = 60
MAX_PROSE_LINK_DENSITY: Final = 0.35
#: Name of a feature -> column with one value per block.
Columns: TypeAlias = "dict[str, array[Any]]"


class Table:
    """Columns of numbers by name.

    ``columns`` owns the numbers. Compiled code reads ``table.name[k]`` directly in their memory, so
    a column must be set once and keep its length. In Python code ``table.name`` is the column.
    """

    def __init__(self) -> None:
        self.columns: Columns = {}

    def __getattr__(self, name: str) -> array[Any]:
        try:
            return self.columns[name]
        except KeyError:
            raise AttributeError(f"there is no column {name!r}") from None


class BlockTable(Table):
    """Columns over candidate blocks, in document order.

    In scripts without spaces each character counts as a word, and ``chars`` and
    ``unlinked_chars`` are three times the number of characters.
    """

    n: int  #: number of candidate blocks
    is_unspaced: bool  #: whether most text is in a script without spaces between words
    text: list[str]
    low: Texts  #: ``text`` in lower case
    numbers: array[int]  #: indices of the candidate blocks among all blocks of the page
    first_run: array[int]
    end_run: array[int]
    node: array[int]
    owner: array[int]  #: the node directly above the block's first run
    words: array[int]
    chars: array[int]
    unlinked_chars: array[int]
    link_density: array[float]
    ends: array[int]  #: whether the text ends like a sentence
    prose: array[int]  #: ``unlinked_chars`` of blocks of prose, else 0
    unlinked_sums: array[int]  #: prefix sums; also the next two columns
    chars_sums: array[int]
    prose_sums: array[int]
    #: Per run of the page and after the last run: the first candidate block from there on.
    at: array[int]


class ElementTable(Table):
    """Columns over all nodes.

    Columns that are computed from tags and class names are set only for ``kept_nodes``. They have
    one extra value at the end, the parent of roots.
    """

    n: int  #: number of nodes
    kept: int  #: number of ``kept_nodes``
    kept_nodes: array[int]  #: nodes that contain candidate blocks, in document order
    parent: array[int]  #: -1 for a root
    container: array[int]  #: the nearest block-level element at or above the node
    #: the nearest container above that has more blocks; without one, the root. Elements that only
    #: wrap another one are skipped, so that a further wrapper changes nothing.
    above: array[int]
    begin: array[int]  #: the first candidate block in the node
    stop: array[int]  #: index after the last candidate block in the node
    #: number of nodes of kind 0, 1, 2 and 3 of ``_COUNTED`` outside excluded nodes
    counts: array[int]
    class_names: list[str]  #: class, id, role and itemprop, joined by spaces
    distinct_class_names: list[str]  #: ``class_names`` without duplicates and without ""
    name_weights: list[float]  #: weights of the page's distinct tokens of class names
    tag_class: array[int]
    flags: array[int]
    depth: array[int]  #: number of ancestors that have more blocks than the element below
    template_id: array[int]  #: equal for nodes with equal tags and classes up to the root
    class_score_sum: array[float]  #: sum of the scores of class names from the root down
    class_score_low: array[float]  #: the lowest score from the root down
    class_score_high: array[float]


def element_table(
    page: Page, texts: BlockTable, excluded_nodes: bytearray, class_names: TokenTable
) -> ElementTable:
    """Return the columns over nodes, computed in two passes.

    ``class_names`` has the learned scores and weights of tokens of class names.
    """
    table = _placed(page, texts, excluded_nodes)
    _add_names(table, page.nodes, excluded_nodes, class_names)
    return table


def _placed(page: Page, texts: BlockTable, excluded_nodes: bytearray) -> ElementTable:
    """Return a table with the columns that do not depend on attributes."""
    table, n, kept = ElementTable(), len(excluded_nodes), 0
    own, gone, outside = table.columns, arrays.octets(excluded_nodes), arrays.octets(page.outside)
    first, end = arrays.longs(page.runs.first), arrays.longs(page.runs.end)
    table.parent = arrays.keep(own, "parent", page.nodes.parent)
    table.container = arrays.keep(own, "container", page.containers)
    table.above = arrays.keep(own, "above", arrays.unset_longs(n))
    table.begin = arrays.keep(own, "begin", arrays.unset_longs(n))
    table.stop = arrays.keep(own, "stop", arrays.unset_longs(n))
    some = arrays.unset_longs(n)
    kept_nodes = arrays.longs(some)
    for i in range(n):
        table.begin[i], table.stop[i] = texts.at[first[i]], texts.at[end[i]]
        up = table.container[table.parent[i]] if table.parent[i] >= 0 else i
        is_wrapper = table.begin[up] == table.begin[i] and table.stop[up] == table.stop[i]
        table.above[i] = table.above[up] if is_wrapper and up != i else up
        # A site's rule may leave out only the text directly in a node.
        is_gone = gone[i] and not (outside[i] and table.begin[i] < table.stop[i])
        if first[i] < end[i] and not is_gone:
            kept_nodes[kept] = i
            kept += 1
    table.n, table.kept = n, kept
    table.kept_nodes = arrays.keep(own, "kept_nodes", some[:kept])
    return table


def _add_names(
    table: ElementTable, nodes: Nodes, excluded_nodes: bytearray, class_names: TokenTable
) -> None:
    """Add the columns that are computed from tags and attributes."""
    n, own, attributes = table.n, table.columns, nodes.attributes
    names = arrays.untracked([""] * n)
    own_kinds, kinds = nodes.kinds(_KINDS), attributes.kinds(_READ)
    own_kind, kind = arrays.longs(own_kinds), arrays.longs(kinds)
    tag, first, values = arrays.longs(nodes.name), arrays.longs(attributes.first), attributes.values
    table.counts = counts = arrays.new_longs(4)
    count, unread = arrays.longs(counts), arrays.octets(excluded_nodes)
    tag_class = table.tag_class = arrays.keep(own, "tag_class", arrays.new_longs(n + 1))
    flags = table.flags = arrays.keep(own, "flags", arrays.new_longs(n + 1))
    depth = table.depth = arrays.keep(own, "depth", arrays.new_longs(n + 1))
    template_id = table.template_id = arrays.keep(own, "template_id", arrays.new_longs(n + 1))
    total = table.class_score_sum = arrays.column(own, "class_score_sum", n + 1)
    low = table.class_score_low = arrays.column(own, "class_score_low", n + 1)
    high = table.class_score_high = arrays.column(own, "class_score_high", n + 1)
    distinct, classes = DistinctTexts(), DistinctTexts()
    numbers_without_digits = arrays.new_longs(len(kinds) + 1)  #: distinct -> classes
    without_digits = arrays.longs(numbers_without_digits)
    templates, joined = DistinctTriples(), DistinctTriples()
    scored = ScoredNames(class_names)
    for i in range(n):
        count[own_kind[i] >> _COUNT] += 0 if unread[i] else 1
    for j in range(table.kept):
        i = table.kept_nodes[j]
        up = table.parent[i] if table.parent[i] >= 0 else n
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
        tag_class[i] = own_kind[i] >> _CLASS & 31
        flags[i] = flags[up] | flag
        is_first = up == n or table.begin[up] != table.begin[i] or table.stop[up] != table.stop[i]
        depth[i] = depth[up] + (1 if is_first else 0)
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
    table.class_names, table.name_weights = names, scored.weights
    table.distinct_class_names = list(dict.fromkeys(filter(None, scored.names)))


class ScoredNames:
    """The lowest and highest scores of class names; each distinct text is read once.

    Authors of a site choose class and id names that describe an element: ``entry-content`` is
    content, ``related_posts`` is not. A name is split into tokens: the whole name and its parts, in
    lower case and without digits. Each token that enough sites use has a learned score: the
    log-odds that text below it is content, minus the log-odds of all text; 0 is neutral.
    """

    def __init__(self, tokens: TokenTable) -> None:
        self.names: list[str] = []
        self.low: list[float] = []
        self.high: list[float] = []
        self.weights: list[float] = []  #: of the page's distinct tokens that have a weight
        self._places: list[int] = []  #: number of a text -> its index in ``names``; -1 if missing
        self._tokens, self._seen = tokens, bytearray(len(tokens.has_weight))
        self._left = MAX_PAGE_CLASS_NAME_CHARS

    def place(self, number: int) -> int:
        """Return the index of the class names with this number; -1 if they were not added."""
        return self._places[number] if number < len(self._places) else -1

    def add(self, number: int, names: str) -> int:
        """Add class names under a number; return their index in ``names``, ``low`` and ``high``."""
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
    """Return the values of the naming attributes in [first, end), joined by spaces and cut."""
    names, kind = "", arrays.longs(kinds)
    for k in range(first, end):
        if kind[k] & _NAMING:
            names = f"{names} {values.at(k)}" if names else values.at(k)  # objects
    return names[:MAX_CLASS_NAME_CHARS]


def block_table(page: Page, excluded_nodes: bytearray) -> BlockTable:
    """Return the columns over candidate blocks."""
    table, blocks, gone, n = BlockTable(), page.blocks, arrays.octets(excluded_nodes), 0
    of_block, run_node = arrays.longs(blocks.node), arrays.longs(page.runs.node)
    first_run, end_run = arrays.longs(blocks.first_run), arrays.longs(blocks.end_run)
    block_chars, block_links = arrays.longs(blocks.chars), arrays.longs(blocks.link_chars)
    some, text, block_text = arrays.unset_longs(len(blocks)), arrays.untracked([]), blocks.text
    number, own = arrays.longs(some), table.columns
    for b in range(len(blocks)):
        if not gone[of_block[b]]:
            number[n] = b
            text.append(block_text[b])
            n += 1
    table.n, table.text, table.is_unspaced = n, text, is_unspaced(text)
    table.low = Texts([one.lower() for one in text])
    table.numbers = arrays.keep(own, "numbers", some[:n])
    table.first_run = arrays.keep(own, "first_run", arrays.unset_longs(n))
    table.end_run = arrays.keep(own, "end_run", arrays.unset_longs(n))
    table.node = arrays.keep(own, "node", arrays.unset_longs(n))
    table.owner = arrays.keep(own, "owner", arrays.unset_longs(n))
    table.words = arrays.keep(own, "words", arrays.unset_longs(n))
    chars = table.chars = arrays.keep(own, "chars", arrays.unset_longs(n))
    unlinked = table.unlinked_chars = arrays.keep(own, "unlinked_chars", arrays.unset_longs(n))
    density = table.link_density = arrays.unset_column(own, "link_density", n)
    ends = table.ends = arrays.keep(own, "ends", arrays.unset_longs(n))
    prose = table.prose = arrays.keep(own, "prose", arrays.new_longs(n))
    unspaced, least, most = table.is_unspaced, MIN_PROSE_CHARS, MAX_PROSE_LINK_DENSITY
    starts, closing = arrays.new_longs(len(page.runs)), SENTENCE_ENDS
    start = arrays.longs(starts)
    for k in range(n):
        b, one = number[k], text[k]
        length, links = block_chars[b], block_links[b]
        table.words[k] = length if unspaced else one.count(" ") + 1
        if unspaced:
            length, links = 3 * length, 3 * links
        table.first_run[k], table.end_run[k] = first_run[b], end_run[b]
        start[first_run[b]] = 1
        table.node[k], table.owner[k] = of_block[b], run_node[first_run[b]]
        chars[k], unlinked[k] = length, length - links
        density[k] = float(links) / float(length)
        ends[k] = one[len(one) - 1] in closing
        if length - links >= least and density[k] < most and (ends[k] or _marks(one, unspaced) > 1):
            prose[k] = length - links
    table.unlinked_sums = arrays.keep(own, "unlinked_sums", arrays.sums(own["unlinked_chars"]))
    table.chars_sums = arrays.keep(own, "chars_sums", arrays.sums(own["chars"]))
    table.prose_sums = arrays.keep(own, "prose_sums", arrays.sums(own["prose"]))
    table.at = arrays.keep(own, "at", arrays.sums(starts))
    return table


def _marks(text: str, unspaced: bool) -> int:
    """Return the number of commas within a text plus twice the number of full stops."""
    if unspaced:
        return text.count("，") + text.count("、") + 2 * text.count("。")
    return text.count(", ") + 2 * text.count(". ")


def is_unspaced(text: list[str]) -> bool:
    """Return whether most of the text is in a script without spaces between words."""
    texts = text[:: 1 + len(text) // 1000]
    if all(map(str.isascii, texts)):
        return False
    sample = "".join(texts)[:20_000]
    n, size = len(sample), len(sample.encode("utf-8", "surrogatepass"))
    # Each of these letters has three bytes in UTF-8, so few texts need the search.
    return size - n > 0.4 * n and len(_UNSPACED.findall(sample)) > 0.2 * n


# Landmarks are excluded first: <nav>, <footer>, <aside>, <header>, text outside <main>. They
# contain two fifths of the blocks and almost no labelled text: with perfect selection among the
# other blocks, 2,425 labelled pages lose 0.0003 of word F1. Some pages misuse these tags or do not
# close them, so that the whole page is in a <nav>. So an element with much of the prose is kept.

#: Tag -> an element with a greater share of the page's prose is kept.
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
    """Return a mask over nodes: 1 if the node is hidden or in an excluded landmark.

    An <h1> outside <main> is kept with its ancestors, unless it is in a menu, footer or sidebar. If
    no block would be left, only hidden nodes are excluded.
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
    """Yield the nodes of landmarks to exclude; some may be inside others."""
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
    """Return whether the blocks before and after a node are <p> elements with its parent."""
    blocks, nodes, own = page.blocks, page.nodes, page.blocks_in(node)
    if not 0 < own.start < own.stop < len(blocks):
        return False
    beside = blocks.node[own.start - 1], blocks.node[own.stop]
    return all(nodes.tag[i] == "p" and nodes.parent[i] == nodes.parent[node] for i in beside)


def _held(page: Page, node: int, prose: Sequence[int]) -> int:
    """Return the number of characters of prose in a node."""
    blocks = page.blocks_in(node)
    return prose[blocks.stop] - prose[blocks.start]


def _prose_sums(page: Page, hidden: bytearray) -> array[int]:
    """Return prefix sums of the characters of prose over the page's blocks."""
    blocks = page.blocks
    column = arrays.new_longs(len(blocks))
    prose, node, unread = arrays.longs(column), arrays.longs(blocks.node), arrays.octets(hidden)
    chars, links = arrays.longs(blocks.chars), arrays.longs(blocks.link_chars)
    least, most = MIN_PROSE_CHARS, MAX_PROSE_LINK_DENSITY
    for k in range(len(blocks)):
        n = chars[k] - links[k]
        if n >= least and links[k] < most * chars[k] and not unread[node[k]]:
            prose[k] = n
    return arrays.sums(column)
