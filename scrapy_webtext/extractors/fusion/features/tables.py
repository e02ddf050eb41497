"""The tables that all features are computed from: one over elements, one over blocks.

Candidate blocks are the blocks that ``fusion`` may choose: neither hidden nor in an excluded
landmark (`filters.landmarks`). A column has one value per node or per candidate block.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from scrapy_webtext.compiled import compiled
from scrapy_webtext.page import Page, prefix_sums

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

#: Letters of scripts without spaces: Thai, Lao, kana, Chinese characters. Each counts as a word.
#: `page.words` has more scripts and punctuation, because it counts words of any text. This set
#: decides features, so it can change only together with the trained model.
_UNSPACED: Final = re.compile("[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
#: Removed from classes before they are compared, so that "post-17" equals "post-18".
_DIGITS: Final = b"0123456789"
#: Characters of the class names of an element that are read: their scores are cached.
MAX_CLASS_NAME_CHARS: Final = 1_000
#: Characters of all distinct class names of a page that are read; names beyond have score 0.
#: (The maximum on 4,638 pages: 135,597.)
MAX_PAGE_CLASS_NAME_CHARS: Final = 300_000
_CLASS_NAME_ATTRIBUTES: Final = frozenset({"class", "id", "role", "itemprop"})
_HIDING_ATTRIBUTES: Final = frozenset({"hidden", "aria-hidden", "style"})
#: A sentence ends with one of these, or with the quotation mark or bracket after it.
SENTENCE_ENDS: Final = frozenset(".!?…。！？．؟।։:;：；\"”»’')）」』")

#: A block of prose has at least this many characters outside links, and a lower link density.
MIN_PROSE_CHARS: Final = 60
MAX_PROSE_LINK_DENSITY: Final = 0.35
#: One value per block. ``Columns`` are keyed by the name of the feature.
Column: TypeAlias = "array[Any]"
Columns: TypeAlias = "dict[str, array[Any]]"
#: From the class names of an element: the lowest score, the highest score, and the weights of their
#: tokens in the bag of words.
ClassNameScore = Callable[[str], tuple[float, float, Mapping[str, float]]]


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


@compiled
def element_table(page: Page, excluded_nodes: bytearray, score: ClassNameScore) -> ElementTable:
    """Return the columns over nodes, in one pass."""
    nodes, runs = page.nodes, page.runs
    tag, parent = nodes.tag, nodes.parent
    n = len(nodes)
    kept_nodes = [
        i
        for i, (a, z, gone) in enumerate(zip(runs.first, runs.end, excluded_nodes, strict=True))
        if a < z and not gone
    ]
    class_names = [""] * n
    # One more than there are nodes: a root's parent is -1, the last.
    flags, depth = [0] * (n + 1), [0] * (n + 1)
    template_id = [0] * (n + 1)
    total, low, high = [0.0] * (n + 1), [0.0] * (n + 1), [0.0] * (n + 1)
    known: dict[tuple[int, str, str], int] = {}
    scores: dict[str, tuple[float, float]] = {"": (0.0, 0.0)}
    left = MAX_PAGE_CLASS_NAME_CHARS
    flag_of, naming, hiding = FLAGS.get, _CLASS_NAME_ATTRIBUTES, _HIDING_ATTRIBUTES
    for i in kept_nodes:
        up, name = parent[i], tag[i]
        flag, joined, classes = flag_of(name, 0), "", ""
        for key, value in nodes.attributes[i]:
            if key in naming:
                joined = f"{joined} {value}" if joined else value
                if key == "class":
                    # Bytes, because `str.translate` would take half of this function's time.
                    classes = value.encode().translate(None, _DIGITS).decode()
            elif key in hiding and _hides(key, value):
                flag |= HIDDEN_BY_ATTRIBUTE
        flags[i] = flags[up] | flag
        depth[i] = depth[up] + 1
        template_id[i] = known.setdefault((template_id[up], name, classes), len(known) + 1)
        if joined:
            joined = joined[:MAX_CLASS_NAME_CHARS]
            if joined not in scores:
                left -= len(joined)
                if left < 0:
                    joined = ""
                else:
                    scores[joined] = score(joined)[:2]
            class_names[i] = joined
            below, above = scores[joined]
            total[i] = total[up] + below + above
            low[i] = below if below < low[up] else low[up]
            high[i] = above if above > high[up] else high[up]
        else:
            total[i], low[i], high[i] = total[up], low[up], high[up]
    del scores[""]
    return ElementTable(
        kept_nodes, class_names, list(scores), flags, depth, template_id, total, low, high
    )


def _hides(name: str, value: str) -> bool:
    if name == "style":
        return "none" in value and "display:none" in value.replace(" ", "")
    return name == "hidden" or value == "true"


@compiled
def block_table(page: Page, excluded_nodes: bytearray) -> BlockTable:
    """Return the columns over candidate blocks."""
    blocks = page.blocks
    numbers = [b for b, i in enumerate(blocks.node) if not excluded_nodes[i]]
    text = [blocks.text[b] for b in numbers]
    chars = [blocks.chars[b] for b in numbers]
    link = [blocks.link_chars[b] for b in numbers]
    node = [blocks.node[b] for b in numbers]
    owner = [page.runs.node[blocks.first_run[b]] for b in numbers]
    unspaced = is_unspaced(text)
    if unspaced:
        words = chars
        chars, link = [3 * n for n in chars], [3 * n for n in link]
        inner = [t.count("，") + t.count("、") + 2 * t.count("。") for t in text]
    else:
        words = [t.count(" ") + 1 for t in text]
        inner = [t.count(", ") + 2 * t.count(". ") for t in text]
    unlinked_chars = [n - k for n, k in zip(chars, link, strict=True)]
    link_density = [k / n for k, n in zip(link, chars, strict=True)]
    ends = [t[-1] in SENTENCE_ENDS for t in text]
    prose = [
        n if n >= MIN_PROSE_CHARS and d < MAX_PROSE_LINK_DENSITY and (end or marks > 1) else 0
        for n, d, end, marks in zip(unlinked_chars, link_density, ends, inner, strict=True)
    ]
    return BlockTable(
        is_unspaced=unspaced,
        numbers=numbers,
        node=node,
        owner=owner,
        text=text,
        words=words,
        chars=chars,
        unlinked_chars=unlinked_chars,
        link_density=link_density,
        ends=ends,
        prose=prose,
        unlinked_sums=prefix_sums(unlinked_chars),
        chars_sums=prefix_sums(chars),
        prose_sums=prefix_sums(prose),
        at=_blocks_at(page, numbers),
    )


def is_unspaced(text: list[str]) -> bool:
    """Whether the text is mostly of a script without spaces between words."""
    step = 1 + len(text) // 1000
    sample = "".join(text[::step])[:20_000]
    if len(sample.encode("ascii", "ignore")) > 0.8 * len(sample):  # mostly ASCII: no need to search
        return False
    return len(_UNSPACED.findall(sample)) > 0.2 * len(sample)


def _blocks_at(page: Page, numbers: Sequence[int]) -> list[int]:
    """Return per run, and for the end, the first candidate block that begins there or later."""
    first_run, column, last = page.blocks.first_run, [], 0
    for k, number in enumerate(numbers):
        run = first_run[number]
        column += [k] * (run + 1 - last)
        last = run + 1
    column += [len(numbers)] * (len(page.runs) + 1 - last)
    return column


def containers_above(page: Page, nodes: Iterable[int]) -> list[int]:
    """Return for each node the nearest block-level element above it; a root is its own."""
    containers, parent = page.containers, page.nodes.parent
    return [containers[parent[i]] if parent[i] >= 0 else i for i in nodes]


def repeated_templates(page: Page, elements: ElementTable) -> tuple[Counter[int], list[int]]:
    """Return how often each template occurs, and per node its topmost ancestor that is repeated.

    Repeated means more than twice, as items of a list, cards and posts are. A node may be its own
    topmost repeated node; 0 means that there is none.
    """
    parent, template_id = page.nodes.parent, elements.template_id
    counts = Counter([template_id[i] for i in elements.kept_nodes])
    topmost = [0] * (len(parent) + 1)
    for i in elements.kept_nodes:
        topmost[i] = topmost[parent[i]] or (i if counts[template_id[i]] > 2 else 0)
    return counts, topmost
