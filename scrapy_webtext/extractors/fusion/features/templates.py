# cython: infer_types=True
"""Features of templates, repeated items and short texts.

Blocks have the same template if they have the same tags and classes up to the root, as teasers,
cards, posts and menu items do. Usually all blocks of a template are content, or none is. So the sum
over all blocks of a template is a better feature than the values of one block.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from scrapy_webtext.core import arrays
from scrapy_webtext.core.distinct import TokenTable
from scrapy_webtext.core.texts import Texts
from scrapy_webtext.core.words import ROOM
from scrapy_webtext.extractors.fusion.features.measures import (
    add_group,
    add_mean,
    add_range,
    range_of,
    totals_of_blocks,
    totals_of_nodes,
    window,
)
from scrapy_webtext.extractors.fusion.features.tables import BlockTable, Columns, ElementTable
from scrapy_webtext.models import ModelFile


def add_templates(columns: Columns, texts: BlockTable, elements: ElementTable) -> None:
    """Add features of a block's template, its container's template and its repeated item."""
    n, templates = texts.n, elements.n + 1
    counts, topmost = _repeated(elements)
    above, items = arrays.unset_longs(n), arrays.unset_longs(n)
    node, item, top = arrays.longs(above), arrays.longs(items), arrays.longs(topmost)
    for k in range(n):
        node[k], item[k] = elements.above[texts.node[k]], top[texts.owner[k]]
    own = templates_of(elements, texts.columns["owner"])
    add_group(columns, texts, "template", own, totals_of_blocks(texts, own, templates))
    for name, nodes in (("parents", above), ("items", items)):
        totals = totals_of_nodes(texts, elements, nodes, counts)
        add_group(columns, texts, name, templates_of(elements, nodes), totals)
    add_range(columns, texts, "item", range_of(elements, items))


def templates_of(elements: ElementTable, nodes: array[int]) -> array[int]:
    """Return the template of each of these nodes."""
    n, templates, node = len(nodes), arrays.unset_longs(len(nodes)), arrays.longs(nodes)
    template = arrays.longs(templates)
    for k in range(n):
        template[k] = elements.template_id[node[k]]
    return templates


def _repeated(elements: ElementTable) -> tuple[array[int], array[int]]:
    """Return the number of nodes per template, and per node its topmost repeated node.

    A node is repeated if its template occurs more than twice, as items of a list, cards and posts
    do. The topmost repeated node is the node itself or an ancestor; ``n`` if none is repeated.
    """
    counts, topmost = arrays.new_longs(elements.n + 1), arrays.new_longs(elements.n + 1)
    count, top = arrays.longs(counts), arrays.longs(topmost)
    parent, template, no_node = elements.parent, elements.template_id, elements.n
    for k in range(elements.kept):
        count[template[elements.kept_nodes[k]]] += 1
    for k in range(elements.kept):
        i = elements.kept_nodes[k]
        top[i] = top[parent[i]] if parent[i] >= 0 else no_node
        if top[i] == no_node and count[template[i]] > 2:
            top[i] = i
    return counts, topmost


def add_token_scores(
    columns: Columns, texts: BlockTable, elements: ElementTable, token_scores: TokenScores
) -> float:
    """Add the scores of short texts: of a block, its neighbours, its template and its heading.

    Return the mean article score of the page's tokens.
    """
    scored, n = score_texts(texts.text, texts.low, token_scores), texts.n
    columns["token_score_mean"] = scored.mean
    columns["token_score_low"] = scored.low
    sums, weights = arrays.sums(scored.mean), arrays.as_doubles(range(n + 1))
    add_mean(columns, "token_score_window", window(n, AROUND, AROUND), sums, weights)
    totals, template, owner = arrays.new_doubles(elements.n + 1), elements.template_id, texts.owner
    of_template, mean = arrays.doubles(totals), arrays.doubles(columns["token_score_mean"])
    counts, since = (
        arrays.doubles(columns["template_count"]),
        arrays.doubles(columns["since_heading"]),
    )
    template_mean = arrays.unset_column(columns, "token_score_template", n)
    heading = 0
    of_heading = arrays.unset_column(columns, "token_score_section", n)
    for k in range(n):
        of_template[template[owner[k]]] += mean[k]
        heading = k if since[k] == 0 else heading
        of_heading[k] = mean[heading]
    for k in range(n):
        template_mean[k] = of_template[template[owner[k]]] / counts[k]
    return scored.article


# Scores of the tokens of short texts, such as "Add to cart" or "5 min read". Thousands of sites
# have texts such as "Privacy policy" and "Reply"; they show whether a text is content and whether
# its page is an article. So each word of a short text has two learned scores: the log-odds that the
# text is content, and the log-odds that its page is an article. A text of two to four words is also
# a token as a whole. Long texts are left out, because their words depend only on the subject.

#: A text with more words or characters is not short.
MAX_WORDS: Final = 24
MAX_CHARS: Final = 240
#: A text of two to this many words is also a token as a whole.
MAX_WHOLE_WORDS: Final = 4
#: Number of neighbours on each side in the mean of a block and its neighbours.
AROUND: Final = 3
#: Prior of the page's mean score: this many tokens with score 0.
PRIOR_TOKENS: Final = 10


@dataclass(frozen=True)
class TokenScores:
    """Learned scores of tokens, in log-odds; 0 is neutral."""

    content: Mapping[str, float]  #: token -> score for being content
    article: Mapping[str, float]  #: token -> score for being on an article

    @cached_property
    def table(self) -> TokenTable:
        """Fast look-ups; ``scores``: of content, ``weights``: of articles."""
        return TokenTable(self.content, self.article)


NO_TOKEN_SCORES: Final = TokenScores({}, {})


class TextScores(NamedTuple):
    """Scores of the short texts of a page; 0 for long texts."""

    mean: array[float]  #: mean content score of each text's tokens
    low: array[float]  #: lowest content score of each text's tokens, at most 0
    article: float  #: mean article score of the page's tokens


def score_texts(texts: list[str], low: Texts, token_scores: TokenScores) -> TextScores:
    """Return the scores of these texts (``low``: in lower case), in time linear in short texts."""
    table, n = token_scores.table, len(texts)
    means, lows = arrays.new_doubles(n), arrays.new_doubles(n)
    mean, lowest = arrays.doubles(means), arrays.doubles(lows)
    scores, weights = arrays.doubles(table.scores), arrays.doubles(table.weights)
    tokens, has_weight = arrays.longs(table.found), arrays.octets(table.has_weight)
    is_seen = bytearray(len(table.has_weight))
    seen, known, article = arrays.octets(is_seen), 0, 0.0
    chars, words, whole_words, room = MAX_CHARS, MAX_WORDS, MAX_WHOLE_WORDS, ROOM - 1
    for k in range(n):
        text = texts[k]
        blanks = text.count(" ") if len(text) <= chars else words
        if blanks >= words:
            continue
        # A text of two to four words is also a token as a whole.
        number, total = table.read_words(low, k, room, 0 < blanks < whole_words), 0.0
        for i in range(number):
            token = tokens[i]
            total += scores[token]
            lowest[k] = min(lowest[k], scores[token])
            if has_weight[token] and not seen[token]:
                seen[token] = 1
                article += weights[token]
                known += 1
        if number:
            mean[k] = total / number
    return TextScores(means, lows, article / (known + PRIOR_TOKENS))


def read_token_scores(model: ModelFile) -> TokenScores:
    """Return the scores in a section of a model file; raise ModelError if it is damaged."""
    tokens = model.strings("tokens")
    content = model.numbers("content", length=len(tokens))
    article = model.numbers("article", length=len(tokens))
    return TokenScores(
        {token: score for token, score in zip(tokens, content, strict=True) if score},
        {token: score for token, score in zip(tokens, article, strict=True) if score},
    )
