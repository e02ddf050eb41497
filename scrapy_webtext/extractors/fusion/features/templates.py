"""What blocks of the same template have in common, and the entries that repeat it.

Teasers, cards, posts and menu items repeat the same tags and classes. They stand or fall
together: what all blocks of a template hold says more than what one of them does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from scrapy_webtext.extractors.fusion.features.short_texts import Wording, around, hear
from scrapy_webtext.extractors.fusion.features.tables import Columns, Elements, Texts, repeats
from scrapy_webtext.page import Page


def add_templates(columns: Columns, page: Page, texts: Texts, elements: Elements) -> None:
    """What all blocks with the same tags and classes up to the root have in common."""
    signature, containers, parent = elements.signature, page.containers, page.nodes.parent
    counts, topmost = repeats(page, elements)
    _add_alike(columns, texts, elements)
    at, first, end = texts.at, page.runs.first, page.runs.end
    plain, prose = texts.plain_sums, texts.prose_sums
    above = [containers[parent[i]] if parent[i] >= 0 else i for i in texts.node]
    held = _held_by_signature(above, elements, plain, at, page)
    all_plain = plain[-1] or 1
    columns["parents_alike"] = [counts[signature[i]] for i in above]
    columns["parents_plain"] = [held[signature[i]] / all_plain for i in above]
    entries = [topmost[i] for i in texts.owner]
    held = _held_by_signature(entries, elements, plain, at, page)
    columns["entries"] = [counts[signature[i]] if i else 0 for i in entries]
    columns["entry_prose"] = [prose[at[end[i]]] - prose[at[first[i]]] if i else -1 for i in entries]
    columns["entries_plain"] = [held[signature[i]] / all_plain if i else 0.0 for i in entries]
    held = _held_by_signature(entries, elements, prose, at, page)
    before: dict[int, int] = {}
    for i in dict.fromkeys(entries):
        if i:
            before.setdefault(signature[i], prose[at[first[i]]])
    all_prose = prose[-1] or 1
    columns["entries_prose"] = [held[signature[i]] / all_prose if i else 0.0 for i in entries]
    columns["prose_before_entries"] = [
        before[signature[i]] / all_prose if i else -1.0 for i in entries
    ]


def _held_by_signature(
    nodes: Sequence[int], elements: Elements, sums: Sequence[int], at: Sequence[int], page: Page
) -> dict[int, int]:
    """Return per signature of these nodes what all of them hold together, by prefix sums."""
    signature, first, end = elements.signature, page.runs.first, page.runs.end
    held: dict[int, int] = {}
    for i in dict.fromkeys(nodes):
        s = signature[i]
        held[s] = held.get(s, 0) + sums[at[end[i]]] - sums[at[first[i]]]
    return held


def _add_alike(columns: Columns, texts: Texts, elements: Elements) -> None:
    own = [elements.signature[i] for i in texts.owner]
    number = Counter(own)
    plain: dict[int, int] = dict.fromkeys(own, 0)
    prose, ends = plain.copy(), plain.copy()
    first: dict[int, int] = {}
    for s, n, q, end, before in zip(
        own, texts.plain, texts.prose, texts.ends, texts.prose_sums[:-1], strict=True
    ):
        plain[s] += n
        prose[s] += q
        ends[s] += end
        first.setdefault(s, before)
    all_plain, all_prose = texts.plain_sums[-1] or 1, texts.prose_sums[-1] or 1
    columns["alike"] = [number[s] for s in own]
    columns["alike_plain"] = [plain[s] / all_plain for s in own]
    columns["alike_prose"] = [prose[s] / all_prose for s in own]
    columns["alike_mean"] = [plain[s] / number[s] for s in own]
    columns["alike_ends"] = [ends[s] / number[s] for s in own]
    columns["alike_first"] = [first[s] / all_prose for s in own]


def add_wording(columns: Columns, texts: Texts, elements: Elements, wording: Wording) -> float:
    """What the words of short texts say: of the block, those around it and those alike.

    Returns what they say of the page being an article.
    """
    heard = hear(texts.text, wording)
    columns["words_mean"] = heard.mean
    columns["words_low"] = heard.low
    columns["words_around"] = around(heard.mean)
    own = [elements.signature[i] for i in texts.owner]
    sums: dict[int, float] = dict.fromkeys(own, 0.0)
    for s, score in zip(own, heard.mean, strict=True):
        sums[s] += score
    columns["words_alike"] = [sums[s] / n for s, n in zip(own, columns["alike"], strict=True)]
    return heard.article
