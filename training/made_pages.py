"""Makes pages from labelled pages, to train on kinds of pages that are rare in corpora.

=============  ==========  =====================================================================
kind           is article  page
=============  ==========  =====================================================================
``without``    no          an article's page without the article's text: teaches the judge that
                           URL, class names, words and metadata do not make an article
``short``      yes         an article's page that ends after one to five paragraphs; every second
                           one is without JSON-LD
``entry``      yes         the texts of one to four articles as an entry of an encyclopedia
``category``   no          a text as a category, list, table or timeline of an encyclopedia
``manual``     no          a text as a section of a manual, between other sections
``tutorial``   yes         an article's page with code before its paragraphs
``front``      no          headlines with links and first paragraphs of 6 to 25 articles
``thread``     no          paragraphs as posts of a forum
``gallery``    no          pictures with captions, or a player, and at most one paragraph
``recipe``     no          ingredients and steps without an essay
``plain``      yes         an article's paragraphs and nothing else; every second one has the title
``policy``     no          terms, a privacy policy or an imprint (`policies`)
``old``        unchanged   a page in the markup of 2000: tables and line breaks, no metadata
``graft``      yes         an article's page with structures between its paragraphs (`grafts`);
                           ``graft 2`` is a second such page
``long``       yes         an article made longer (`surroundings`)
``cut``        yes         an article's first paragraphs, mostly with surroundings
``around``     yes         an article with other texts of a site below, above, beside and in it
``end``        yes         an article with texts as an article has them below it; ``end 2`` is a
                           second such page
``split``      yes         an article in two containers with an advertisement between them
``posts``      no          an article's paragraphs as posts of a forum (`threads`)
``card``       unchanged   a recipe page whose ingredients and steps are known (`cards`)
=============  ==========  =====================================================================

A hash of the page decides which pages are made of it, so the choice does not change when other
pages are added. A ``front`` shows its article and articles before it in the corpus that have the
same script. Every second ``front``, ``thread``, ``gallery`` or ``recipe`` replaces the text on the
article's own page, so its menus, class names and metadata are from a real site (``pieces.html``).
The encyclopedias have the layouts of MediaWiki's skins, Fandom, DokuWiki, MkDocs, Baidu Baike and
Britannica (``layouts.html``). The manuals have the layouts of DocBook, Sphinx, AsciiDoc, Javadoc
and man pages (``manuals.html``).
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from html import escape
from itertools import groupby
from operator import itemgetter
from random import Random
from typing import Any, Final, NamedTuple
from urllib.parse import urljoin, urlsplit
from zlib import crc32

from scrapy_webtext.lab.corpus import LabelledPage, match_words, tokens
from scrapy_webtext.page import Page, parse
from scrapy_webtext.page.nodes import without_texts
from training import render_template, resource, surroundings
from training.cards import card
from training.grafts import graft_some
from training.labels import SEPARATOR, domain_of, script_of
from training.policies import make_policy
from training.surroundings import Other
from training.threads import make_thread

#: Kinds whose pages name the blocks that are known as ``required``.
GRAFTS: Final = frozenset({"graft", "graft 2", "card"})
SURROUNDED: Final = frozenset({"long", "cut", "around", "split", *surroundings.ENDS})


class Lesson(NamedTuple):
    """How a kind of made pages with gold text trains; without a lesson as a labelled page does."""

    share: float = 1.0  #: of the articles from which a page of this kind is made
    blocks: float = 1.0  #: weight of its blocks in the first and in the second pass
    units: float = 1.0  #: weight of its units in the third pass
    words: bool = True  #: whether its new texts train content scores
    judge: float = 1.0  #: weight of the page in the training of the judge


LESSONS: Final[Mapping[str, Lesson]] = {
    "graft": Lesson(1.0, blocks=0.3, units=4.0, judge=0),
    "graft 2": Lesson(0.5, blocks=0.3, units=4.0, judge=0),
    "card": Lesson(0.0, blocks=0.3, units=4.0, judge=0),
    "long": Lesson(0.4, blocks=0.4, units=1.5, words=False, judge=0),
    "cut": Lesson(0.25, blocks=0.25, units=0.6, judge=0),
    "around": Lesson(0.5, blocks=0.2, units=0.6, judge=0),
    "end": Lesson(1.0, blocks=0.25, units=1.2, judge=0),
    "end 2": Lesson(0.5, blocks=0.25, units=1.2, judge=0),
    "split": Lesson(0.06, blocks=0.3, units=0.6, words=False, judge=0),
}
LABELLED: Final = Lesson()
#: Corpora and kinds that train as labelled pages do, but with another weight: a smaller one if they
#: are many for their variety.
WEIGHTED: Final[Mapping[str, Lesson]] = {
    "manuals": Lesson(blocks=0.3, judge=0.2),
    "legal": Lesson(blocks=0.5),
    "posts": Lesson(blocks=0.4, judge=0),
    "forums": Lesson(blocks=1.5),
}

#: Pages of the kind ``without`` are made until each script has at least this many pages without an
#: article per article.
LEAST_OTHERS: Final = 0.25
_DATA: Final[Mapping[str, Any]] = json.loads(resource("made_pages.json"))
#: For each kind, the share of articles from which a page of this kind is made.
ARTICLE_SHARES: Final[Mapping[str, float]] = {
    **_DATA["shares"],
    **{kind: lesson.share for kind, lesson in LESSONS.items()},
}
#: The number of other articles that surroundings are made of.
MOST_OTHERS: Final = 80
#: Of the pages with gold text that are no articles, the first share becomes ``old`` pages. The
#: second share becomes ``category`` pages (lists) or ``manual`` pages (others, except forums).
OLD_OTHERS_SHARE: Final = 0.2
OTHERS_SHARE: Final = 0.5
ARTICLES: Final = frozenset({"short", "entry", "tutorial", "plain"})
IN_LAYOUT: Final = frozenset({"entry", "category", "manual", "policy"})
#: Of the articles in a script, the share from which threads with gold text are made.
THREAD_SHARES: Final[Mapping[str, float]] = _DATA["threads"]

#: One of these is drawn as the number of paragraphs of a ``short`` page.
SHORT_PARAGRAPHS: Final = (1, 1, 2, 2, 3, 4, 5)
#: A block with fewer words is a heading or a label, not a paragraph.
PARAGRAPH_WORDS: Final = 12
#: Minimum and maximum number of teasers on a page that needs other articles.
LEAST_TEASERS: Final = 6
MOST_TEASERS: Final = 25
#: Minimum number of pieces of code in a tutorial.
LEAST_CODES: Final = 3
#: A block counts as gold text if more than this share of its words is in the gold text.
_LEAST_SHARE: Final = 0.3
LISTS: Final = ("listing", "collection")
#: Markup that pages of the year 2000 lacked: metadata, class names and ids, elements that name a
#: meaning.
_META: Final = re.compile(r"<meta\b[^<>]*>", re.IGNORECASE)
_NAMES: Final = re.compile(
    r"""\s(?:class|id|role|item\w+|data-[\w-]+)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)""", re.IGNORECASE
)
_AREA: Final = re.compile(
    r"<(/?)(?:article|main|section|header|footer|nav|aside|figure|figcaption|div)\b([^<>]*)>",
    re.IGNORECASE,
)
_HEADING: Final = re.compile(r"<(/?)h[1-6]\b[^<>]*>", re.IGNORECASE)
_PARAGRAPH: Final = re.compile(r"</?p\b[^<>]*>", re.IGNORECASE)
_NAME: Final = re.compile(r"\w{3,12}")
_WORDS: Final = re.compile("[\u3040-\u9fff]{1,5}|[^\\s\u3040-\u9fff]+")
_TITLE: Final = re.compile("<title[^<>]*>[^<]*", re.IGNORECASE)
_LATIN_WORD: Final = re.compile("[a-z0-9]+")
_AS_IN_HTML: Final = re.compile(r"[^'\"&<>’“”\xa0]*")
_TAG_END: Final = re.compile(r">\s*")
_SITE_NAME: Final = re.compile(r"\s[|·–—-]\s")


@dataclass(frozen=True, slots=True)
class Teaser:
    """An article as a front page shows it: title and paragraphs."""

    title: str
    paragraphs: tuple[str, ...]

    @property
    def section(self) -> str:
        """The name of the article's section, which is the first word of its title."""
        return self.title.partition(" ")[0]

    @property
    def slug(self) -> str:
        """The last segment of the article's address."""
        words = "-".join(_LATIN_WORD.findall(self.title.lower())[:8])
        return f"{words or 'a'}-{crc32(self.title.encode()) % 10**7}"


def kind_of(example_id: str) -> str:
    """Return the kind of a made page, read from its id; empty for a labelled page."""
    return example_id.rpartition(SEPARATOR)[2] if SEPARATOR in example_id else ""


def labelled_id(example_id: str) -> str:
    """Return the id of the labelled page from which a page was made; the same id if not made."""
    return example_id.rpartition(SEPARATOR)[0] if kind_of(example_id) else example_id


def made_pages(
    rows: Iterable[tuple[str, LabelledPage, Page]], kinds: Mapping[tuple[str, str], Iterable[str]]
) -> Iterator[tuple[str, LabelledPage, Page]]:
    """Make the pages of these kinds and yield each with the name of its corpus.

    A row is the name of a corpus, a labelled page, and the parsed page. ``kinds`` maps the corpus
    and the id of a labelled page to its kinds; an empty kind yields the labelled page itself. Rows
    that are not in ``kinds`` are skipped.
    """
    last: dict[tuple[str, str], deque[Teaser]] = defaultdict(partial(deque, maxlen=MOST_TEASERS))
    more: dict[tuple[str, str], deque[Other]] = defaultdict(partial(deque, maxlen=MOST_OTHERS))
    for corpus, labelled, page in rows:
        if (corpus, labelled.id) not in kinds:
            continue
        script = script_of(labelled.text)
        others = last[corpus, script]
        for kind in kinds[corpus, labelled.id]:
            made: tuple[LabelledPage, Page] | None = labelled, page
            if kind in SURROUNDED:
                made = surrounded_page(kind, labelled, more[corpus, script])
            elif kind:
                made = make_page(kind, labelled, page, others)
            if made:
                yield corpus, *made
        if labelled.type == "article" and (own := _teaser(labelled, page)).paragraphs:
            others.append(own)
            more[corpus, script].append(Other(own.title, own.paragraphs))


def surrounded_page(
    kind: str, labelled: LabelledPage, others: Sequence[Other]
) -> tuple[LabelledPage, Page] | None:
    """Make a page of the kinds `SURROUNDED`; None if it cannot be made."""
    chance = Random(f"{labelled.id}{SEPARATOR}{kind}")
    made = surroundings.make(kind, labelled, others, chance)
    return (made, parse(made.html, url=made.url)) if made else None


def make_page(
    kind: str, labelled: LabelledPage, page: Page, others: Sequence[Teaser] = ()
) -> tuple[LabelledPage, Page] | None:
    """Make a page of a kind and its labels; None if it cannot be made.

    Threads, cards and grafts have gold text; the labels of the latter two name the blocks that are
    known as ``required``. ``page`` is the labelled page, parsed. ``others`` are articles of the
    same corpus and script.
    """
    labels = replace(
        labelled,
        id=f"{labelled.id}{SEPARATOR}{kind}",
        text="",
        type="article" if kind in ARTICLES else "other",
    )
    chance = Random(labels.id)
    if kind == "card":
        known = card(labelled, page)
        return (known, page) if known else None
    if kind == "posts":
        thread = make_thread(labelled, _teaser(labelled, page).paragraphs, chance)
        return (thread, parse(thread.html, url=_folder(labelled.url, chance))) if thread else None
    if kind in GRAFTS:
        some = graft_some(labelled, chance, pool=[(one.title, "") for one in others])
        if not some:
            return None
        grafted = parse(some[-1].page.html, url=labelled.url)
        new = tuple(Counter(grafted.blocks.text) - Counter(page.blocks.text))
        text = some[-1].page.text
        return replace(labels, type=labelled.type, text=text, required=new), grafted
    if kind == "old":
        old = parse(in_old_markup(labelled.html, chance), url=labelled.url)
        return replace(labels, type=labelled.type), replace(old, json_ld=())
    if kind == "without":
        return labels, _emptied(page, _gold_blocks(labelled, page))
    if kind == "short":
        paragraphs = chance.choice(SHORT_PARAGRAPHS)
        made: Page | None = cut_short(
            labelled, page, paragraphs, keeps_json_ld=chance.random() < 0.5
        )
    elif kind == "policy":
        titles = [other.title for other in others]
        html, url = make_policy(labelled.text, domain_of(labelled), titles, chance)
        made = parse(html, url=url)
    elif kind in IN_LAYOUT:
        made = parse(in_layout(kind, labelled, others), url=_layout_url(kind, labelled))
    elif kind == "plain":
        own = _teaser(labelled, page)
        lines = own.paragraphs[: chance.choice((3, 5, 8, 20, 99))]
        title = f"<h1>{escape(own.title)}</h1>" if chance.random() < 0.5 else ""
        made = parse(title + "".join(f"<p>{escape(line)}</p>" for line in lines)) if lines else None
    elif kind == "tutorial":
        made = _with_code(labelled, _teaser(labelled, page).paragraphs, chance)
    else:
        made = _with_piece(kind, labelled, page, others, chance)
    return (labels, made) if made else None


def cut_short(
    labelled: LabelledPage, page: Page, paragraphs: int, *, keeps_json_ld: bool = True
) -> Page | None:
    """Cut an article's page after ``paragraphs`` paragraphs; None if it does not have more."""
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
    """Return a page without the text of these blocks; it still has their elements."""
    mask = bytearray(len(page.nodes))
    for block in blocks:
        for k in page.blocks.runs(block):
            mask[page.runs.node[k]] = 1
    return replace(page, nodes=without_texts(page.nodes, mask))


def _teaser(labelled: LabelledPage, page: Page) -> Teaser:
    title = max(_SITE_NAME.split(page.title), key=len).strip()
    lines = labelled.text.split("\n")
    paragraphs = tuple(line for line in lines if len(tokens(line)) >= PARAGRAPH_WORDS)
    return Teaser((title or labelled.text.strip())[:120], paragraphs)


def _with_piece(
    kind: str, labelled: LabelledPage, page: Page, others: Sequence[Teaser], chance: Random
) -> Page | None:
    """Fill a piece of ``pieces.html``; it becomes a page, or replaces an article's text."""
    own = _teaser(labelled, page)
    teasers = chance.sample(others, min(len(others), chance.randint(LEAST_TEASERS, MOST_TEASERS)))
    if len(teasers) < LEAST_TEASERS or not own.paragraphs:
        return None
    is_alone = chance.random() < 0.5
    url = _folder(labelled.url, chance) if kind == "front" else labelled.url
    piece = render_template(
        "pieces.html",
        kind=kind,
        own=own,
        teasers=teasers,
        texts=[text for teaser in teasers for text in teaser.paragraphs[:3]],
        is_alone=is_alone,
        host=urlsplit(url or "").netloc or "example.org",
        more=chance.choice(_DATA["more"][script_of(labelled.text)]),
        chance=chance,
        c=_namer(chance),
    )
    if is_alone:
        return parse(piece, url=url)
    at = _place(labelled.html, own.paragraphs[0])
    if at < 0:
        return None
    has_claims = chance.random() < 0.3
    start, gold = labelled.html[:at], labelled
    if kind == "front":
        start = _TITLE.sub(f"<title>{escape(own.section)}", start, count=1)
        gold = replace(labelled, text=f"{own.title}\n{labelled.text}")
    if not has_claims:
        start = start.replace('"article:', '"page:').replace('"article"', '"website"')
    made = parse(f"{start}{piece}{labelled.html[at:]}", url=url)
    made = _emptied(made, _gold_blocks(gold, made))
    return made if has_claims else replace(made, json_ld=())


def _with_code(labelled: LabelledPage, paragraphs: Iterable[str], chance: Random) -> Page | None:
    """Put code before an article's paragraphs; None for fewer than `LEAST_CODES` pieces of code."""
    html, parts, end = labelled.html, [], 0
    wrap, share = chance.choice(_DATA["code"]), chance.uniform(0.3, 1)
    for paragraph in paragraphs:
        at = _place(html, paragraph, end)
        if at >= end and chance.random() < share:
            names = _NAME.findall(paragraph) or ["value"]
            lines = [
                chance.choice(_DATA["statements"]).format(*chance.choices(names, k=3))
                for _ in range(chance.randint(1, 15))
            ]
            parts += [html[end:at], wrap.format(escape("\n".join(lines)))]
            end = at
    if len(parts) < 2 * LEAST_CODES:
        return None
    return parse("".join([*parts, html[end:]]), url=labelled.url)


def _namer(chance: Random) -> Callable[[str], str]:
    """Choose how a page makes class names: a word, with a prefix, hashed, or its first letter."""
    prefix = chance.choice(("c-", "news-", "td-", "block__", "m-"))
    return chance.choice(
        (
            lambda name: name,
            lambda name: f"{prefix}{name}",
            lambda name: f"css-{crc32((prefix + name).encode()):x}",
            lambda name: name[0],
        )
    )


def _place(html: str, text: str, start: int = 0) -> int:
    """Return where in the HTML the element begins whose text begins with ``text``; else -1."""
    beginning = _AS_IN_HTML.match(text.strip())
    if beginning is None or len(beginning[0]) < 12:
        return -1
    ends = _TAG_END.finditer(html, start)
    found = (end.start() for end in ends if html.startswith(beginning[0][:60], end.end()))
    return html.rfind("<", 0, next(found, 0))


def _folder(url: str | None, chance: Random) -> str | None:
    """Return the address of a page's site, or of a section of the site."""
    if url is None:
        return None
    segments = urlsplit(url).path.split("/")[1:-1]
    path = "/".join(s for s in segments[: chance.randint(0, 2)] if not s.isdigit())
    return urljoin(url, f"/{path}")


def in_layout(kind: str, labelled: LabelledPage, others: Sequence[Teaser] = ()) -> str:
    """Return gold text as HTML of an encyclopedia or a manual; an entry adds other articles."""
    chance = Random(f"{kind} {labelled.id}")
    lines = [line for line in labelled.text.split("\n") if line.strip()]
    title = " ".join(lines[0].split()[: chance.randint(1, 3)])[: chance.randint(8, 40)]
    words = [word for word in _NAME.findall(" ".join(lines)) if not word.islower()]
    if kind == "entry":
        for other in chance.sample(others, min(len(others), chance.choice((0, 0, 1, 3)))):
            lines += other.paragraphs
    long = [line for line in lines if len(tokens(line)) >= PARAGRAPH_WORDS]
    return render_template(
        "manuals.html" if kind == "manual" else "layouts.html",
        kind=kind,
        layout=chance.choice(_DATA["manuals" if kind == "manual" else "layouts"]),
        title=title,
        sections=list(_sections(lines, chance)),
        lines=lines,
        texts=long or lines,
        vocabulary=([*words[:400], title] * 9)[:400],
        ui=_DATA["ui"].get(script_of(labelled.text), _DATA["ui"]["english"]),
        chance=chance,
    )


def in_old_markup(html: str, chance: Random) -> str:
    """Remove <meta> elements, and replace modern markup by old markup.

    Tables replace areas such as <div> and <article>, bold lines replace headings, and line breaks
    replace paragraphs. Chance decides which of these, and which class names, are left as they were.
    """
    html = _META.sub("", html)
    if chance.random() < 0.6:
        html = _NAMES.sub("", html)
    share, is_table = chance.choice((0.0, 0.3, 0.6, 1.0)), list[bool]()

    def area(tag: re.Match[str]) -> str:
        if tag[1]:
            return "</td></tr></table>" if is_table and is_table.pop() else "</div>"
        is_table.append(chance.random() < share)
        return f"<table{tag[2]}><tr><td>" if is_table[-1] else f"<div{tag[2]}>"

    html = _AREA.sub(area, html)
    if chance.random() < 0.5:
        html = _HEADING.sub(lambda tag: "</b><br>" if tag[1] else "<br><b>", html)
    if chance.random() < 0.5:
        html = _PARAGRAPH.sub("<br><br>", html)
    return html


def _layout_url(kind: str, labelled: LabelledPage) -> str | None:
    """Return an address as encyclopedias and manuals have it; None for every third page."""
    chance = Random(labelled.id)
    name = f"{crc32(labelled.id.encode()):x}"
    folders = {
        "entry": ("wiki/", "wiki/", "doku.php?id=", "topic/", "item/", "encyclopedia/"),
        "category": ("wiki/Category:", "wiki/List_of_", "wiki/Timeline_of_", "doku.php?id=start:"),
        "manual": ("docs/current/", "manual/en/", "2.10/en/", "man1/", "api/", "html/ref/"),
    }
    folder = chance.choice(folders[kind])
    end = chance.choice(("", ".html")) if kind == "manual" else ""
    return None if chance.random() < 0.33 else f"https://{name[:3]}.example.org/{folder}{name}{end}"


def _sections(
    lines: Sequence[str], chance: Random
) -> Iterator[tuple[str, list[list[tuple[str, bool]]]]]:
    """Yield each section's title and paragraphs; a paragraph is a list of (text, is link)."""
    rest = list(lines)
    while rest:
        size = chance.randint(2, 6)
        heading = " ".join(rest[0].split()[: chance.randint(1, 4)])[:40]
        yield heading, [_linked(line, chance) for line in rest[:size]]
        rest = rest[size:]


def _linked(text: str, chance: Random) -> list[tuple[str, bool]]:
    """Split a text into pieces (text, is link); 8 % of its words are links, at random.

    In scripts without spaces a word is up to five characters.
    """
    words = [(word, chance.random() < 0.08) for word in _WORDS.findall(text)]
    grouped = groupby(words, key=itemgetter(1))
    return [(" ".join(word for word, _ in some), is_link) for is_link, some in grouped]
