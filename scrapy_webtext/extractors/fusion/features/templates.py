"""Features of templates: what all blocks with the same tags and classes have in common.

Teasers, cards, posts and menu items repeat the same tags and classes up to the root. Usually all
of them are content, or none is. So the sum over all blocks of a template tells more than one block.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from scrapy_webtext.compiled import compiled
from scrapy_webtext.extractors.fusion.features.short_texts import TokenScores, around, score_texts
from scrapy_webtext.extractors.fusion.features.tables import (
    BlockTable,
    Columns,
    ElementTable,
    containers_above,
    repeated_templates,
)
from scrapy_webtext.page import Page


@compiled
def add_templates(columns: Columns, page: Page, texts: BlockTable, elements: ElementTable) -> None:
    """Add features of a block's template, of its container's template, and of its repeated item."""
    template_id = elements.template_id
    counts, topmost = repeated_templates(page, elements)
    _add_template_sums(columns, texts, elements)
    at, first, end = texts.at, page.runs.first, page.runs.end
    unlinked_chars, prose = texts.unlinked_sums, texts.prose_sums
    above = containers_above(page, texts.node)
    held = _held_by_template(above, elements, unlinked_chars, at, page)
    all_unlinked = unlinked_chars[-1] or 1
    columns["parent_template_count"] = [counts[template_id[i]] for i in above]
    columns["parent_template_unlinked"] = [held[template_id[i]] / all_unlinked for i in above]
    repeated_items = [topmost[i] for i in texts.owner]
    held = _held_by_template(repeated_items, elements, unlinked_chars, at, page)
    columns["repeated_items"] = [counts[template_id[i]] if i else 0 for i in repeated_items]
    columns["item_prose"] = [
        prose[at[end[i]]] - prose[at[first[i]]] if i else -1 for i in repeated_items
    ]
    columns["items_unlinked"] = [
        held[template_id[i]] / all_unlinked if i else 0.0 for i in repeated_items
    ]
    held = _held_by_template(repeated_items, elements, prose, at, page)
    before: dict[int, int] = {}
    for i in dict.fromkeys(repeated_items):
        if i:
            before.setdefault(template_id[i], prose[at[first[i]]])
    all_prose = prose[-1] or 1
    columns["items_prose"] = [
        held[template_id[i]] / all_prose if i else 0.0 for i in repeated_items
    ]
    columns["prose_before_items"] = [
        before[template_id[i]] / all_prose if i else -1.0 for i in repeated_items
    ]


def _held_by_template(
    nodes: Sequence[int], elements: ElementTable, sums: Sequence[int], at: Sequence[int], page: Page
) -> dict[int, int]:
    """Return per template the sum over these nodes with it, from prefix sums over blocks."""
    template_id, first, end = elements.template_id, page.runs.first, page.runs.end
    held: dict[int, int] = {}
    for i in dict.fromkeys(nodes):
        s = template_id[i]
        held[s] = held.get(s, 0) + sums[at[end[i]]] - sums[at[first[i]]]
    return held


def _add_template_sums(columns: Columns, texts: BlockTable, elements: ElementTable) -> None:
    templates = [elements.template_id[i] for i in texts.owner]
    number = Counter(templates)
    unlinked_chars: dict[int, int] = dict.fromkeys(templates, 0)
    prose, ends = unlinked_chars.copy(), unlinked_chars.copy()
    first: dict[int, int] = {}
    for s, n, q, end, before in zip(
        templates,
        texts.unlinked_chars,
        texts.prose,
        texts.ends,
        texts.prose_sums[:-1],
        strict=True,
    ):
        unlinked_chars[s] += n
        prose[s] += q
        ends[s] += end
        first.setdefault(s, before)
    all_unlinked, all_prose = texts.unlinked_sums[-1] or 1, texts.prose_sums[-1] or 1
    columns["template_count"] = [number[s] for s in templates]
    columns["template_unlinked"] = [unlinked_chars[s] / all_unlinked for s in templates]
    columns["template_prose"] = [prose[s] / all_prose for s in templates]
    columns["template_mean"] = [unlinked_chars[s] / number[s] for s in templates]
    columns["template_sentences"] = [ends[s] / number[s] for s in templates]
    columns["template_start"] = [first[s] / all_prose for s in templates]


@compiled
def add_token_scores(
    columns: Columns, texts: BlockTable, elements: ElementTable, token_scores: TokenScores
) -> float:
    """Add the scores of short texts: of the block, of its neighbours and of its template.

    Returns the mean article score of the page's tokens.
    """
    scored = score_texts(texts.text, token_scores)
    columns["token_score_mean"] = scored.mean
    columns["token_score_low"] = scored.low
    columns["token_score_window"] = around(scored.mean)
    templates = [elements.template_id[i] for i in texts.owner]
    sums: dict[int, float] = dict.fromkeys(templates, 0.0)
    for s, score in zip(templates, scored.mean, strict=True):
        sums[s] += score
    columns["token_score_template"] = [
        sums[s] / n for s, n in zip(templates, columns["template_count"], strict=True)
    ]
    return scored.article
