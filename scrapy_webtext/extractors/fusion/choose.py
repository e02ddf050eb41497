"""How ``fusion`` chooses blocks: the threshold, the rules, the options.

`select` applies the threshold and the rules in their order: gaps or named blocks, copies, comments,
next articles, headings, the standfirst. Each rule improves the results on corpora that the model
was not trained on (docs/fusion.md). Options (`options`) then add or leave out some parts.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import compress, islice, pairwise
from operator import mul
from typing import Final

from scrapy_webtext.extractors.fusion.features.block_features import NO_HEADLINE, FeatureTable
from scrapy_webtext.extractors.fusion.features.context import best_threshold
from scrapy_webtext.extractors.fusion.features.declared import meta_fields
from scrapy_webtext.extractors.fusion.features.tables import (
    SENTENCE_ENDS,
    TAG_CLASSES,
    BlockTable,
    ElementTable,
)
from scrapy_webtext.extractors.fusion.features.units import LIKELY
from scrapy_webtext.extractors.fusion.prediction import IS_ARTICLE, LEAST_ARTICLE, PagePrediction
from scrapy_webtext.page import Block, Page
from scrapy_webtext.page.nodes import prefix_sums


def select(
    page: Page, prediction: PagePrediction, beta: float = 1.0, copies: bool = False
) -> list[int]:
    """Return the positions of the chosen blocks among the candidate blocks, ascending.

    ``beta`` above 1 favours recall, below 1 precision. ``copies`` keeps repeated texts.
    """
    threshold = page_threshold(prediction, beta)
    chosen = [k for k, p in enumerate(prediction.probabilities) if p >= threshold]
    with_more = with_gaps if prediction.article >= IS_ARTICLE else with_named
    chosen = with_more(prediction, chosen)
    if not copies:
        chosen = without_duplicates(page, prediction, chosen)
    comments = comment_mask(page, prediction)
    chosen = [k for k in chosen if not comments[k]] or chosen
    chosen = without_next_articles(page, prediction.table, chosen)
    if prediction.article >= IS_ARTICLE:
        chosen = without_empty_headings(prediction.table, chosen) or chosen
        chosen = with_standfirst(page, prediction.table.texts, chosen)
    return chosen


def page_threshold(prediction: PagePrediction, beta: float = 1.0) -> float:
    """Return the lowest probability of a chosen block; the expected F-beta is greatest there.

    So that at least one block is chosen, the result is at most the highest probability.
    """
    probabilities = prediction.probabilities
    threshold = best_threshold(probabilities, prediction.table.texts.words, beta)
    return min([p for p in probabilities if p > threshold] or [max(probabilities)])


#: Prose in a gap of fewer blocks than this has at least this many words, and at least this
#: probability in the first pass.
MAX_GAP: Final = 5
GAP_WORDS: Final = 20
LEAST_FIRST: Final = 0.7


def with_gaps(prediction: PagePrediction, chosen: Sequence[int]) -> list[int]:
    """Add prose in gaps between chosen blocks that only the later passes left out.

    What is between the headline and the first chosen block is a gap of any length.
    """
    texts, first, begin = prediction.table.texts, prediction.first_pass, chosen[0]
    gaps = [range(a + 1, b) for a, b in pairwise(chosen) if b - a <= MAX_GAP]
    from_headline = int(prediction.table.columns["from_headline"][begin])
    if from_headline < NO_HEADLINE:
        gaps.append(range(begin - from_headline + 1, begin))
    prose = (k for gap in gaps for k in gap if texts.prose[k] and texts.words[k] >= GAP_WORDS)
    return sorted({*chosen, *(k for k in prose if first[k] >= LEAST_FIRST)})


#: A block that JSON-LD names has at least this share of its words there, and at least this
#: probability.
LEAST_NAMED: Final = 0.6
LEAST_OF_NAMED: Final = 0.3


def with_named(prediction: PagePrediction, chosen: Sequence[int]) -> list[int]:
    """Add blocks that the page's JSON-LD names, such as the ingredients of a recipe."""
    share, probabilities = prediction.table.columns["named_share"], prediction.probabilities
    pairs = enumerate(zip(share, probabilities, strict=True))
    named = (k for k, (n, p) in pairs if n >= LEAST_NAMED and p >= LEAST_OF_NAMED)
    return sorted({*chosen, *named})


# Copies: text that a page has twice, for example once for phones and once for large screens, or as
# the teaser of its own article. Repetitions within one text are intended: a refrain, a line of
# code, the same caution under each step. A container is removed only as a whole.

#: Texts with fewer words are no copies.
COPY_WORDS: Final = 8
#: A container is a copy if at least this share of its words is in copied texts (counting only texts
#: of `COPY_WORDS` words or more).
WHOLE: Final = 0.8
#: A container whose originals are in several other containers is a copy only if it has at least
#: this many copied blocks and words.
COPIED_BLOCKS: Final = 3
COPIED_WORDS: Final = 60
#: Maximum number of a block's ancestors that are searched for containers.
_REACH: Final = 64


def without_duplicates(page: Page, prediction: PagePrediction, chosen: Sequence[int]) -> list[int]:
    """Remove copies of other blocks from the positions ``chosen``, which ascend."""
    texts, elements = prediction.table.texts, prediction.table.elements
    text, words, node, template_id = texts.text, texts.words, texts.node, elements.template_id
    edges = elements.begin, elements.stop
    first: dict[str, int] = {}
    pairs: dict[tuple[int, int], list[int]] = defaultdict(list)  # containers: original, copy
    copies: dict[int, list[int]] = defaultdict(list)  # container of copies -> copies
    total = prefix_sums(words[k] if words[k] >= COPY_WORDS else 0 for k in chosen)
    for k in chosen:
        if words[k] >= COPY_WORDS and (original := first.setdefault(text[k], k)) != k:
            pair = _branches(page, node[original], node[k])
            if not _is_one_flow(page, elements, pair, node[original], node[k]):
                pairs[pair].append(k)
                copies[pair[1]].append(k)

    def range_of(container: int) -> list[int]:
        return [bisect_left(chosen, edge[container]) for edge in edges]

    def is_whole(container: int, own: Iterable[int]) -> bool:
        begin, end = range_of(container)
        return sum(words[k] for k in own) >= WHOLE * (total[end] - total[begin])

    gone: set[int] = set()
    for (one, other), blocks in pairs.items():
        originals = {first[text[k]] for k in blocks}
        if is_whole(other, blocks):
            gone.update(blocks)
        elif (
            # The original is an introduction that the text below repeats, not a post that is
            # quoted.
            not total[range_of(one)[0]]
            and template_id[one] != template_id[other]
            and is_whole(one, originals)
        ):
            gone.update(originals)
    if prediction.article >= LEAST_ARTICLE:  # in a forum, one post may quote several others
        for container, blocks in copies.items():
            is_large = sum(words[k] for k in blocks) >= COPIED_WORDS
            if len(blocks) >= COPIED_BLOCKS and is_large and is_whole(container, blocks):
                gone.update(blocks)
    gone |= _headings_of(gone, texts, chosen)
    return [k for k in chosen if k not in gone]


def _branches(page: Page, one: int, other: int) -> tuple[int, int]:
    """Return, for each of two nodes, the outermost ancestor that does not contain the other.

    ``one`` comes first in the document. The two results are equal if the nodes are too deep or one
    contains the other.
    """
    parent, end = page.nodes.parent, page.nodes.end
    for _ in range(_REACH):
        if parent[one] < 0 or other < end[parent[one]]:
            break
        one = parent[one]
    for _ in range(_REACH):
        if parent[other] <= parent[one]:
            break
        other = parent[other]
    return (one, other) if parent[one] == parent[other] else (one, one)


def _is_one_flow(
    page: Page, elements: ElementTable, pair: tuple[int, int], first: int, copy: int
) -> bool:
    """Return whether two equal blocks are repetitions within one text.

    They are repetitions if their containers (``pair``) are the same node, or have the same template
    and no overlap. If the containers are the nodes of the blocks (``first`` and ``copy``), it is
    enough that their tags are equal.
    """
    one, other = pair
    if pair == (first, copy):
        return one == other or page.nodes.tag[one] == page.nodes.tag[other]
    template_id, is_apart = elements.template_id, elements.stop[one] < elements.begin[other]
    return one == other or (template_id[one] == template_id[other] and is_apart)


def _headings_of(gone: set[int], texts: BlockTable, chosen: Sequence[int]) -> set[int]:
    """Return the short copies directly before removed copies, such as their headings."""
    if not gone:
        return gone
    text, words, is_before = texts.text, texts.words, False
    first: dict[str, int] = {}
    for k, one in enumerate(text):
        first.setdefault(one, k)
    found: set[int] = set()
    for k in reversed(chosen):
        is_copy = is_before and words[k] < COPY_WORDS and first[text[k]] < k
        if is_copy:
            found.add(k)
        is_before = is_copy or k in gone
    return found


# Readers' comments below an article, recognised by their class names.

#: Matches class names of elements with readers' comments; "commentary" is none of them.
COMMENT_NAMES: Final = re.compile("comment(?!ar)|disqus|kommentar")
#: A text that has fewer words and does not end like a sentence is a name, a date or a button.
LEAST_WORDS: Final = 6


def comment_mask(page: Page, prediction: PagePrediction) -> bytearray:
    """Return a mask over candidate blocks: 1 in elements with class names of comments.

    Class names here are class, id, role and itemprop. Only articles have comments; the posts of a
    forum are its text. Some sites give such names to the article, its paragraphs or its notes. So
    an element is no comment if it has at least half of the expected words, or if likely prose of
    the same parent follows it. If no likely prose is left outside, no element is a comment.
    """
    texts, probabilities = prediction.table.texts, prediction.probabilities
    mask, elements = bytearray(texts.n), prediction.table.elements
    distinct = elements.distinct_class_names
    if prediction.article < LEAST_ARTICLE or not is_comment_name("\n".join(distinct)):
        return mask
    names = set(filter(is_comment_name, distinct))
    begin, stop, containers = elements.begin, elements.stop, page.containers
    class_names, outside = elements.class_names, 0
    sums = prefix_sums(map(mul, probabilities, texts.words))
    found = []
    for i in elements.kept_nodes:
        # An inline element with such a name is a comment in source code that the page shows.
        if class_names[i] not in names or i < outside or containers[i] != i:
            continue
        a, z = begin[i], stop[i]
        if 2 * (sums[z] - sums[a]) < sums[-1]:
            mask[a:z] = b"\x01" * (z - a)
            outside = page.nodes.end[i]
            found.append((i, a, z))
    prose = prefix_sums(
        n if p >= LIKELY and not gone else 0
        for n, p, gone in zip(texts.prose, probabilities, mask, strict=True)
    )
    for i, a, z in found:
        if not prose[-1] or prose[stop[page.nodes.parent[i]]] > prose[z]:
            mask[a:z] = bytes(z - a)
    return mask


def comment_texts(page: Page, prediction: PagePrediction) -> list[int]:
    """Return the page's blocks that are text of comments, ascending.

    Links, buttons and names of authors are left out. Comments in excluded nodes, such as a sidebar
    or text outside <main>, are included.
    """
    if prediction.article < LEAST_ARTICLE:
        return []
    texts = prediction.table.texts
    numbers = [
        *compress(texts.numbers, comment_mask(page, prediction)),
        *_comments_in_excluded_nodes(page, prediction),
    ]
    return sorted(b for b in numbers if _is_comment_text(page.blocks[b], texts.is_unspaced))


def _comments_in_excluded_nodes(page: Page, prediction: PagePrediction) -> Iterator[int]:
    """Yield the blocks of comments in excluded nodes.

    Only class and id count here, because `element_table` does not read these nodes.
    """
    nodes = page.nodes
    kept_nodes, outside = frozenset(prediction.table.elements.kept_nodes), 0
    for i, container in enumerate(page.containers):
        if i < outside or i in kept_nodes or page.hidden[i] or container != i:
            continue
        if is_comment_name(" ".join(v for k, v in nodes.attributes[i] if k in ("class", "id"))):
            outside = nodes.end[i]
            yield from page.blocks_in(i)


def _is_comment_text(block: Block, is_unspaced: bool) -> bool:
    words = block.chars if is_unspaced else block.text.count(" ") + 1
    is_text = block.text[-1] in SENTENCE_ENDS or words >= LEAST_WORDS
    return is_text and block.link_density < 0.5


def is_comment_name(class_names: str) -> bool:
    """Return whether the class names of an element are typical of readers' comments."""
    low = class_names.lower()
    return ("ommen" in low or "disqus" in low) and COMMENT_NAMES.search(low) is not None


# Next articles: some pages load more articles when the reader scrolls.

#: Maximum number of a headline's letters that are compared; a headline with fewer than the minimum
#: is ignored.
_HEADLINE: Final = 60
_LEAST_HEADLINE: Final = 8
_ARTICLE: Final = frozenset({"article"})
_HEADLINE_TAG: Final = frozenset({"h1"})


def without_next_articles(page: Page, table: FeatureTable, chosen: Sequence[int]) -> list[int]:
    """Remove further articles of the page from the positions ``chosen``.

    The page's own article is the first one whose <h1> is in the page's title. Further articles are
    later ones with an <h1> that is not in the title.
    """
    headlines, texts = page.nodes.tagged(_HEADLINE_TAG), table.texts
    if len(headlines) < 2:
        return list(chosen)
    title, own, gone, end = _letters_of(page.title), False, bytearray(texts.n), page.nodes.end
    for i in _articles(page, table.elements, headlines):
        below = headlines[bisect_left(headlines, i) : bisect_left(headlines, end[i])]
        blocks = page.blocks_in(below[0]) if len(below) == 1 else range(0)
        headline = _letters_of("".join(page.blocks.text[b] for b in blocks), _HEADLINE)
        if len(headline) < _LEAST_HEADLINE:
            continue
        if headline in title:
            own = True
        elif own:
            a, z = texts.at[page.runs.first[i]], texts.at[page.runs.end[i]]
            gone[a:z] = b"\x01" * (z - a)
    return [k for k in chosen if not gone[k]]


def _articles(page: Page, elements: ElementTable, headlines: Sequence[int]) -> list[int]:
    """Return the <article> elements; without two of them, like elements that have an <h1> each."""
    articles = page.nodes.tops(_ARTICLE)
    if len(articles) > 1:
        return articles
    first, template_id = headlines[0], elements.template_id
    found = set()
    for i in headlines[1:]:
        if template_id[i] == template_id[first] != 0:  # 0: not a candidate
            one, other = _branches(page, first, i)
            found |= {one, other} if other not in (one, i) else set()
    return sorted(found)


# Headings of sections whose text was not chosen.

#: The lowest and the highest class of heading tags (`TAG_CLASSES`).
_H6: Final = TAG_CLASSES["h6"]
_H1: Final = TAG_CLASSES["h1"]


def without_empty_headings(table: FeatureTable, chosen: Sequence[int]) -> list[int]:
    """Remove headings from the positions ``chosen`` if no block of their section was chosen.

    A section without any block, such as a section of pictures, keeps its heading.
    """
    kept, node, tag_class = frozenset(chosen), table.texts.node, table.elements.tag_class
    # The next blocks that were chosen, and that were not; per level, the end of its section.
    text = gone = len(node)
    ends = [len(node)] * (_H1 + 1)
    empty = set()
    for k in range(len(node) - 1, -1, -1):
        level = tag_class[node[k]]
        if _H6 <= level <= _H1:
            if gone < ends[level] <= text:
                empty.add(k)
            ends[_H6 : level + 1] = [k] * (level + 1 - _H6)
        elif k in kept:
            text = k
        else:
            gone = k
    return [k for k in chosen if k not in empty]


# The standfirst: a short introduction above the text. Its probability is low, because it is short
# and far from the text. But the page repeats it as its description in <meta>.

_DESCRIPTIONS: Final = frozenset({"description", "og:description", "twitter:description"})
#: Maximum number of candidate blocks above the text that are searched for a standfirst.
MAX_ABOVE: Final = 25
#: Minimum length of a standfirst, and maximum length that is compared, in letters and digits.
MIN_LETTERS: Final = 30
COMPARED: Final = 400

_NO_STANDFIRST: Final = frozenset({"h1", "figure", "figcaption"})


def with_standfirst(page: Page, texts: BlockTable, chosen: Sequence[int]) -> list[int]:
    """Add the position of the standfirst above the positions ``chosen``, if there is one.

    A block is the standfirst if it and the page's description are equal or one begins with the
    other.
    """
    tag, text, node = page.nodes.tag, texts.text, texts.node
    first = chosen[0] if chosen else 0
    above = [
        k
        for k in range(first - 1, max(first - MAX_ABOVE, 0) - 1, -1)
        if len(text[k]) >= MIN_LETTERS and tag[node[k]] not in _NO_STANDFIRST
    ]
    if not above:
        return list(chosen)
    contents = {value for name, value in meta_fields(page) if name.lower() in _DESCRIPTIONS}
    starts = {_letters_of(content, MIN_LETTERS) for content in contents}
    for k in above if starts else ():
        start = _letters_of(text[k], MIN_LETTERS)
        if start in starts and len(start) == MIN_LETTERS:
            letters = _letters_of(text[k])
            described = [one for one in map(_letters_of, contents) if one.startswith(start)]
            if any(one.startswith(letters) or letters.startswith(one) for one in described):
                return [k, *chosen]
    return list(chosen)


def _letters_of(text: str, most: int = COMPARED) -> str:
    return "".join(islice(filter(str.isalnum, text[: 2 * COMPARED].lower()), most))
