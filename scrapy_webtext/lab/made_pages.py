"""Pages that are made of labelled ones, to train the judge on kinds that corpora have too few of.

=============  ==========  =====================================================================
made           is article  page
=============  ==========  =====================================================================
``without``    no          an article's page without its text: URL, class names, words and
                           metadata do not make an article
``short``      yes         an article's page cut after one to five paragraphs, every second
                           without its JSON-LD
``entry``      yes         the text of an article as an entry of an encyclopedia
``manual``     no          the text of documentation, products and services in the same layout
``category``   no          the text of a listing as links in the same layout
=============  ==========  =====================================================================

Which pages are made is drawn by a hash of the page, so it does not change when other pages are
added. The layouts are those of MediaWiki's skins, Fandom and DokuWiki (``layouts.html``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby, islice
from operator import itemgetter
from random import Random
from typing import TYPE_CHECKING, Final
from zlib import crc32

from scrapy_webtext.core.texts import Texts
from scrapy_webtext.lab import render_template
from scrapy_webtext.lab.corpus import LabelledPage, match_words, tokens
from scrapy_webtext.page import Page, parse
from scrapy_webtext.page.nodes import Nodes

if TYPE_CHECKING:
    from scrapy_webtext.lab.train_examples import Example

WITHOUT: Final = "without"
SHORT: Final = "short"
ENTRY: Final = "entry"
MANUAL: Final = "manual"
CATEGORY: Final = "category"

#: Emptied pages are made until a script has this many other pages per article.
LEAST_OTHERS: Final = 0.5
#: Of all articles, this share is also used cut short, and as an entry.
SHORT_SHARE: Final = 0.3
ENTRY_SHARE: Final = 0.1
#: Of the other pages with gold text, this share is also used in the layout of an encyclopedia.
OTHERS_SHARE: Final = 0.5
MOST_PARAGRAPHS: Final = 5
#: A block with fewer words is a heading or a label, not a paragraph.
PARAGRAPH_WORDS: Final = 12
#: A block is part of the gold text if this share of its words is.
_LEAST_SHARE: Final = 0.3
_LISTS: Final = ("listing", "collection")
_LAYOUTS: Final = ("vector", "vector-2022", "monobook", "minerva", "fandom", "dokuwiki")
_SEPARATOR: Final = " made: "


def _chance(kind: str, page: Example) -> float:
    """Return a number in [0, 1) that depends only on the kind and the page."""
    return crc32(f"{kind}:{page.corpus}:{page.id}".encode()) / 2**32


def kind_of(example_id: str) -> str:
    """Return the kind of a made page by its id; empty for a labelled page."""
    return example_id.rpartition(_SEPARATOR)[2] if _SEPARATOR in example_id else ""


def labelled_id(example_id: str) -> str:
    """Return the id of the labelled page that a page is, or was made of."""
    return example_id.rpartition(_SEPARATOR)[0] if kind_of(example_id) else example_id


def made_kinds(pages: Iterable[Example]) -> Mapping[tuple[str, str], Sequence[str]]:
    """Return per (corpus, id) the kinds of pages that are made of a page; labelled ones only."""
    found: dict[tuple[str, str], list[str]] = {}
    ordered = sorted(pages, key=partial(_chance, WITHOUT))
    number = Counter((page.script, page.is_article) for page in ordered)
    missing = {
        script: int(LEAST_OTHERS * number[script, True]) - number[script, False]
        for script, _ in number
    }
    for page in ordered:
        if not page.labels:
            continue
        kinds = found.setdefault((page.corpus, page.id), [])
        if page.is_article:
            if missing[page.script] > 0:
                missing[page.script] -= 1
                kinds.append(WITHOUT)
            kinds += [SHORT] if _chance(SHORT, page) < SHORT_SHARE else []
            kinds += [ENTRY] if _chance(ENTRY, page) < ENTRY_SHARE else []
        elif _chance(MANUAL, page) < OTHERS_SHARE and page.type != "forum":
            kinds.append(CATEGORY if page.type in _LISTS else MANUAL)
    return found


def make_page(kind: str, labelled: LabelledPage, page: Page) -> tuple[LabelledPage, Page] | None:
    """Return a made page and its labels (without gold text); None if it cannot be made.

    ``page`` is the labelled page, parsed.
    """
    is_article = kind in (SHORT, ENTRY)
    labels = replace(
        labelled,
        id=f"{labelled.id}{_SEPARATOR}{kind}",
        text="",
        type="article" if is_article else "other",
    )
    if kind == WITHOUT:
        return labels, _emptied(page, _gold_blocks(labelled, page))
    if kind == SHORT:
        chance = Random(labelled.id)
        paragraphs = chance.randint(1, MOST_PARAGRAPHS)
        cut = cut_short(labelled, page, paragraphs, keeps_json_ld=chance.random() < 0.5)
        return None if cut is None else (labels, cut)
    return labels, parse(in_layout(kind, labelled))


def cut_short(
    labelled: LabelledPage, page: Page, paragraphs: int, *, keeps_json_ld: bool = True
) -> Page | None:
    """Return an article's page that ends after some paragraphs; None if it has no more of them."""
    gold = _gold_blocks(labelled, page)
    long = [b for b in gold if len(tokens(page.blocks.text[b])) >= PARAGRAPH_WORDS]
    if len(long) <= paragraphs:
        return None
    cut = _emptied(page, [b for b in gold if b >= long[paragraphs]])
    return cut if keeps_json_ld else replace(cut, json_ld=())


def _gold_blocks(labelled: LabelledPage, page: Page) -> list[int]:
    matches = match_words(page.blocks.text, labelled.text)
    return [block for block, match in enumerate(matches) if match.share > _LEAST_SHARE]


def _emptied(page: Page, blocks: Iterable[int]) -> Page:
    """Return a page without the text of these blocks; the elements stay."""
    emptied = {page.runs.node[k] for block in blocks for k in page.blocks.runs(block)}
    nodes = page.nodes
    text = [None if i in emptied else string for i, string in enumerate(nodes.text)]
    tails = zip(nodes.parent, nodes.tail, strict=True)
    tail = [None if i in emptied else string for i, string in tails]
    columns = nodes.names, nodes.name, nodes.parent, nodes.end, nodes.attributes
    return replace(page, nodes=Nodes(*columns, Texts(text), Texts(tail)))


def in_layout(kind: str, labelled: LabelledPage) -> str:
    """Return the gold text of a page as HTML in the layout of an encyclopedia."""
    chance = Random(labelled.id)
    lines = [line for line in labelled.text.split("\n") if line.strip()]
    title = min(islice(lines, 3), key=len, default="")[:80]
    layout = chance.choice(_LAYOUTS)
    sections = list(_sections(lines, chance))
    return render_template(
        "layouts.html",
        kind=kind,
        layout=layout,
        title=title,
        sections=sections,
        lines=lines,
        chance=chance,
    )


def _sections(
    lines: Sequence[str], chance: Random
) -> Iterator[tuple[str, list[list[tuple[str, bool]]]]]:
    """Yield the title and the paragraphs of each section, each a list of (text, is link)."""
    rest = list(lines)
    while rest:
        size = chance.randint(2, 6)
        heading = " ".join(rest[0].split()[: chance.randint(1, 4)])[:40]
        yield heading, [_linked(line, chance) for line in rest[:size]]
        rest = rest[size:]


def _linked(text: str, chance: Random) -> list[tuple[str, bool]]:
    """Return a text in pieces, of which some words are links."""
    words = [(word, chance.random() < 0.08) for word in text.split()]
    grouped = groupby(words, key=itemgetter(1))
    return [(" ".join(word for word, _ in some), is_link) for is_link, some in grouped]
