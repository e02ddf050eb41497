"""Structures put between two paragraphs of labelled articles, to train on and to measure holes.

An author puts tables, lists, code, quotes or captions between two paragraphs (``CONTENT``), a
publishing system related links, forms or advertisement labels (``BOILERPLATE``). Word F1 hardly
weighs either, so they are put into real articles, where it is known which words were added.

``grafts.html`` has the structures as templates, ``grafts.json`` their wordings. The parts
``train`` and ``test`` have the same kinds, but share no template and no wording.

::

    python -m scrapy_webtext.lab.grafts CORPUS... --systems fusion trafilatura --every 7

prints per kind the share of content that is whole in the text (each line of it, in order, between
the two paragraphs, without white space and markers), of content in its Markdown form, and of
boilerplate kept out (at most 20 % of its words in the text).
"""

from __future__ import annotations

import argparse
import json
import logging
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from html import unescape
from html.parser import HTMLParser
from itertools import islice
from random import Random
from statistics import fmean
from typing import Any, Final, NamedTuple
from urllib.parse import urljoin, urlsplit

from scrapy_webtext.errors import import_extra
from scrapy_webtext.extraction import extract_page
from scrapy_webtext.extractors.peers import PACKAGES
from scrapy_webtext.lab import render_source, resource
from scrapy_webtext.lab.corpus import LabelledPage, corpus_path, read_corpora, script_of, tokens
from scrapy_webtext.lab.made_pages import SEPARATOR
from scrapy_webtext.lab.systems import make_system
from scrapy_webtext.lab.tables import table
from scrapy_webtext.page import Page, parse
from scrapy_webtext.registry import DEFAULT_JUDGE, make_judge

TRAIN: Final = "train"
TEST: Final = "test"
#: An article has this many paragraphs that are siblings and begin like lines of its gold text.
LEAST_PARAGRAPHS: Final = 6
#: In the part ``test``, the structure comes after this paragraph.
TEST_PLACE: Final = 3
#: Share of content among structures of no given kind.
CONTENT_SHARE: Final = 0.6
#: Numbers of structures in one page, one of which is drawn.
NUMBERS: Final = (1, 1, 2, 3, 4)
#: Share of structures in a wrapper, as systems of blocks have it.
WRAPPED_SHARE: Final = 0.25
#: Boilerplate is kept out if at most this share of its words is in the text.
MOST_KEPT: Final = 0.2
#: Letters and digits by which a paragraph is found; one with fewer than the least is no paragraph.
_KEY: Final = 30
_LEAST_KEY: Final = 14

_HEAD: Final = re.compile(
    r"^\{# (wrapper|content|boilerplate) (train|test): (.+) #\}\n", re.MULTILINE
)
_P: Final = re.compile(r"<(/?)p\b[^>]*>", re.IGNORECASE)
_NAME: Final = re.compile(r"\w+")
_TAG: Final = re.compile(r"<[^>]*>")
_LANG: Final = re.compile(r"<html[^>]*?\blang=[\"']?([a-z]{2})", re.IGNORECASE)
_BY_SCRIPT: Final = {
    "english": ("en",),
    "german": ("de",),
    "cyrillic": ("ru",),
    "greek": ("el",),
    "cjk": ("zh", "ja"),
    "latin": ("fr", "es", "it", "pl", "pt"),
    "other": ("ar",),
}


@cache
def _sources() -> Mapping[tuple[str, str], Mapping[str, Sequence[str]]]:
    """Return (content, boilerplate or wrapper, part) -> kind -> sources of templates."""
    found: dict[tuple[str, str], dict[str, list[str]]] = defaultdict(dict)
    pieces = _HEAD.split(resource("grafts.html"))[1:]
    for group, part, kind, source in zip(*(pieces[k::4] for k in range(4)), strict=True):
        found[group, part].setdefault(kind, []).append(source.strip())
    return found


@cache
def _wordings() -> Any:
    return json.loads(resource("grafts.json"))


CONTENT: Final = tuple(_sources()["content", TRAIN])
BOILERPLATE: Final = tuple(_sources()["boilerplate", TRAIN])


class Line(NamedTuple):
    """A line of a structure and the form it has in Markdown."""

    text: str
    form: str  #: table, item, quote, code, heading; empty for plain text


@dataclass(frozen=True, slots=True)
class Graft:
    """A labelled page with a structure put into it."""

    page: LabelledPage  #: of several structures, with all up to this one
    kind: str
    is_content: bool
    lines: tuple[Line, ...]
    before: str  #: the paragraph before the structure, its letters and digits
    after: str  #: the beginning of the next one

    @property
    def words(self) -> str:
        """The text of the structure, a line per block."""
        return "\n".join(line.text for line in self.lines)

    def letters(self, text: str) -> str:
        """Return the letters and digits of a text, of a formula without LaTeX's commands."""
        return _letters(_COMMAND.sub("", text) if self.kind == "formula" else text)


def graft(
    labelled: LabelledPage,
    chance: Random,
    *,
    part: str = TRAIN,
    kind: str | None = None,
    pool: Sequence[tuple[str, str]] = (),
) -> Graft | None:
    """Return a page with a structure between two of its paragraphs; None if it has no place.

    ``pool`` has titles and addresses of other articles, for related links.
    """
    place = _find_place(labelled, chance, part)
    if place is None:
        return None
    if kind is None:
        kind = chance.choice(CONTENT if chance.random() < CONTENT_SHARE else BOILERPLATE)
    group = "content" if kind in CONTENT else "boilerplate"
    names = _Wording(labelled, chance, part, pool).names()
    structure = render_source(chance.choice(_sources()[group, part][kind]), **names).strip()
    if chance.random() < WRAPPED_SHARE:
        wrapper = chance.choice(_sources()["wrapper", part]["wrapper"])
        structure = render_source(wrapper, inner=_Raw(structure), **names).strip()
    lines = read_lines(structure, kind)
    html = f"{labelled.html[: place.offset]}\n{structure}\n{labelled.html[place.offset :]}"
    if not _is_sibling(parse(html), place.before, _NAME.findall(structure)[0].lower()):
        return None
    text = labelled.text
    if group == "content":
        gold = text.split("\n")
        gold[place.line : place.line] = [line.text for line in lines]
        text = "\n".join(gold)
    joint = " + " if SEPARATOR in labelled.id else SEPARATOR
    page = replace(labelled, id=f"{labelled.id}{joint}{kind}", html=html, text=text)
    return Graft(page, kind, group == "content", tuple(lines), place.before, place.after)


def graft_some(
    labelled: LabelledPage, chance: Random, *, pool: Sequence[tuple[str, str]] = ()
) -> list[Graft]:
    """Return one to four structures put into a page, mixed; the last has the page with all."""
    found: list[Graft] = []
    for _ in range(chance.choice(NUMBERS)):
        one = graft(found[-1].page if found else labelled, chance, pool=pool)
        if one is not None:
            found.append(one)
    return found


def has_place(labelled: LabelledPage) -> bool:
    """Return whether a page has a place for a structure of the part ``test``."""
    return _find_place(labelled, Random(0), TEST) is not None


class _Place(NamedTuple):
    offset: int  # in the HTML, after a paragraph's end tag
    line: int  # of the gold text, after the paragraph
    before: str
    after: str


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _find_place(labelled: LabelledPage, chance: Random, part: str) -> _Place | None:
    gold = [_letters(line) for line in labelled.text.split("\n")]
    starts = {line[:_KEY]: k for k, line in enumerate(gold) if len(line) >= _LEAST_KEY}
    page = parse(labelled.html, url=labelled.url)
    siblings: dict[int, list[str]] = defaultdict(list)
    for node, text in zip(page.blocks.node, page.blocks.text, strict=True):
        if page.nodes.names[page.nodes.name[node]] == "p":
            letters = _letters(text)
            if letters[:_KEY] in starts:
                siblings[page.nodes.parent[node]].append(letters)
    found = max(siblings.values(), key=len, default=[])
    if len(found) < LEAST_PARAGRAPHS:
        return None
    places = chance.sample(range(len(found) - 1), len(found) - 1)
    for k in [TEST_PLACE - 1] if part == TEST else places:
        before = found[k]
        if (offset := _end_of(before, labelled.html)) >= 0:
            line = starts[before[:_KEY]] + 1
            while line < len(gold) and gold[line] and gold[line] in before:
                line += 1
            return _Place(offset, line, before, found[k + 1][:_KEY])
    return None


def _end_of(paragraph: str, html: str) -> int:
    """Return where a paragraph ends in the HTML; -1 if it is not found, or not only once."""
    start, ends = -1, []
    for tag in _P.finditer(html):
        if not tag[1]:
            start = tag.end()
        elif start >= 0:
            if _letters(unescape(_TAG.sub("", html[start : tag.start()]))) == paragraph:
                ends.append(tag.end())
            start = -1
    return ends[0] if len(ends) == 1 else -1


def _is_sibling(page: Page, paragraph: str, tag: str) -> bool:
    """Return whether an element of this name is the next sibling of a paragraph."""
    nodes = page.nodes
    for node, text in zip(page.blocks.node, page.blocks.text, strict=True):
        if _letters(text) == paragraph:
            after = nodes.end[node]
            is_sibling = after < len(nodes.parent) and nodes.parent[after] == nodes.parent[node]
            return is_sibling and nodes.names[nodes.name[after]] == tag
    return False


_FORMS: Final = {
    "td": "table",
    "th": "table",
    "li": "item",
    "blockquote": "quote",
    "pre": "code",
    **dict.fromkeys(("h2", "h3", "h4", "h5"), "heading"),
}
#: Kinds whose tables and lists are layout, or that have several right forms.
_PLAIN: Final = ("note", "caption without figure", "formula", "verse")
_INLINE: Final = frozenset(
    "a abbr b bdi cite code em font i img input kbd label mark math mfrac mi mn mo mrow msub msup"
    " q s small span strong sub sup svg time tt u wbr".split()
)
_VOID: Final = frozenset("br col img input source wbr".split())
_UNREAD: Final = frozenset("button script svg".split())
_UNREAD_CLASS: Final = re.compile("lineno|gutter|headerlink|katex-html")


class _Reader(HTMLParser):
    """Read the lines that a reader of a structure sees, with their Markdown forms."""

    def __init__(self, kind: str) -> None:
        super().__init__()
        self.kind = kind
        self.lines: list[Line] = []
        self.open: list[tuple[str, bool]] = []  # name, and whether its text is read
        self.pieces: list[str] = []
        self.is_first = False  # line of an item

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _INLINE:
            self.flush()
        self.is_first |= tag == "li"
        values = dict(attrs)
        if tag == "img" and self.kind == "formula":
            self.pieces.append(values.get("alt") or "")
        if tag not in _VOID:
            is_read = tag not in _UNREAD and not _UNREAD_CLASS.search(values.get("class") or "")
            self.open.append((tag, is_read and (not self.open or self.open[-1][1])))

    def handle_endtag(self, tag: str) -> None:
        if tag not in _INLINE:
            self.flush()
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if self.open and not self.open[-1][1]:
            return
        is_code = any(name == "pre" for name, _ in self.open)
        for k, line in enumerate(data.split("\n") if is_code else [data]):
            if k:
                self.flush()
            self.pieces.append(line)

    def flush(self) -> None:
        text = " ".join("".join(self.pieces).split())
        self.pieces = []
        if not _letters(text):
            return
        forms = [_FORMS[name] for name, _ in self.open if name in _FORMS]
        form = forms[-1] if forms and self.kind not in _PLAIN else ""
        if "code" in self.kind and form:
            form = "code"
        if form == "item":
            form, self.is_first = form if self.is_first else "", False
        self.lines.append(Line(text, form))


def read_lines(structure: str, kind: str) -> list[Line]:
    """Return the lines of a structure's HTML, without buttons and line numbers."""
    reader = _Reader(kind)
    reader.feed(structure)
    reader.close()
    reader.flush()
    return reader.lines


class _Raw(str):
    """HTML that a template does not escape."""

    __slots__ = ()

    def __html__(self) -> str:
        return self


class _Wording:
    """What templates are filled with: words of the article and wordings of its language."""

    def __init__(
        self, labelled: LabelledPage, chance: Random, part: str, pool: Sequence[tuple[str, str]]
    ) -> None:
        self.chance, self.pool = chance, pool
        self.used: set[str] = set()  # wordings and titles, so that a structure has each once
        self.wordings = _wordings()[part]
        declared = _LANG.search(labelled.html[:5000])
        self.script = script_of(labelled.text)
        by_script = chance.choice(_BY_SCRIPT[self.script])
        is_known = declared is not None and declared[1].lower() in self.wordings["related"]
        self.lang = declared[1].lower() if declared and is_known else by_script
        self.base = labelled.url or "https://www.example.com/news/"
        self.joint = "" if self.lang in ("zh", "ja") else " "
        own = labelled.text.split()
        if not self.joint:
            own = re.findall(r"\w{2,4}", labelled.text)
        self.own = own
        self.terms = [w for word in own if len(w := word.strip(".,:;!?\"'()«»„“”")) > 4] or own

    def names(self) -> dict[str, Any]:
        """Return what a template may name."""
        names = (
            "all away cls formula hash href img lines maybe n para person phrase pick say sentence"
            " story term value words"
        )
        found = {name: getattr(self, name) for name in names.split()}
        return found | {"page_url": self.base}

    def n(self, least: int, most: int) -> int:
        return self.chance.randint(least, most)

    def pick(self, *some: Any) -> Any:
        return self.chance.choice(some)

    def maybe(self, text: str, share: float = 0.5) -> str:
        return _Raw(text) if self.chance.random() < share else ""

    def hash(self, length: int = 6) -> str:
        return "".join(self.chance.choices("abcdefghijkmnpqrstuvwxyz0123456789", k=length))

    def cls(self, *some: str) -> str:
        """Return attributes, mostly a class: one of these, or hashed as by CSS in JavaScript."""
        draw = self.chance.random()
        made = self.pick(f"css-{self.hash()}", f"sc-{self.hash(8)} {self.hash(5)}")
        name = "" if draw < 0.12 else made if draw < 0.24 else self.chance.choice(some)
        also = (f' id="{self.hash()}"', f' data-id="{self.n(1, 9999)}"', ' style="margin: 1em 0"')
        more = self.pick(*also) if self.chance.random() < 0.2 else ""
        return _Raw((f' class="{name}"' if name else "") + more)

    def say(self, key: str) -> str:
        """Return a wording in the article's language, else in English."""
        listed = self.all(key)
        return self.new([one for one in listed if one not in self.used] or listed)

    def new(self, some: Sequence[str]) -> str:
        found = self.chance.choice(some)
        self.used.add(found)
        return found

    def all(self, key: str) -> list[str]:
        """Return all wordings in the article's language, else in English."""
        wordings = self.wordings[key]
        listed: str = wordings.get(self.lang, wordings["en"])
        return listed.split("|")

    def words(self, least: int, most: int) -> str:
        """Return words in short series from the article, or of its language's general ones."""
        number = self.n(least, most)
        found: list[str] = []
        while len(found) < number:
            start = self.chance.randrange(max(1, len(self.own) - 4))
            found += self.own[start : start + self.n(2, 4)] or ["1"]
        return self.joint.join(found[:number]).strip(".,:;–- ")

    def term(self) -> str:
        """Return a word or two, as a table has them."""
        if self.chance.random() < 0.35:
            return self.say("term")
        some = [self.chance.choice(self.terms) for _ in range(self.pick(1, 1, 2))]
        made = self.joint.join(some)
        return made[:1].upper() + made[1:]

    def phrase(self) -> str:
        made = self.words(3, 7)
        return made[:1].upper() + made[1:]

    def sentence(self) -> str:
        left = [one for one in self.all("sentence") if one not in self.used]
        if left and self.chance.random() < 0.3:
            return self.new(left)
        made = self.words(9, 18)
        return made[:1].upper() + made[1:] + ("." if self.joint else "。")

    def para(self) -> str:
        return self.joint.join(self.sentence() for _ in range(self.n(2, 3)))

    def value(self) -> str:
        return str(
            self.pick(
                self.n(1, 12),
                self.n(13, 2400),
                f"{self.n(1, 99)}.{self.n(0, 9)}",
                f"{self.n(1, 99)} %",
                f"{self.n(1, 90)} {self.pick('min', 'kg', 'km', 'cm', 'g', 'GB')}",
                f"{self.pick('$', '€', '£')}{self.n(2, 990)}",
            )
        )

    def href(self, words: str = "") -> str:
        """Return an address of the page's site."""
        slug = "-".join(re.findall(r"\w+", words.lower())[:6]) or self.hash()
        folder = self.pick("/news/", "/story/", "/", f"/{self.n(2012, 2024)}/{self.n(1, 12):02}/")
        tail = self.pick("", "/", ".html", f"-{self.n(10000, 9999999)}")
        return urljoin(self.base, f"{folder}{slug}{tail}")

    def away(self, words: str = "") -> str:
        """Return an address of another site."""
        hosts = "en.wikipedia.org/wiki github.com/docs www.nature.com/articles doi.org/10.1000"
        host = self.pick(*hosts.split(), f"www.{self.hash(7)}.org", f"blog.{self.hash(6)}.com/p")
        return f"https://{host}/{'-'.join(re.findall(r'[a-z]+', words.lower())[:4]) or self.hash()}"

    def story(self) -> tuple[str, str]:
        """Return title and address of another article, mostly on the page's site."""
        some = self.chance.choices(self.pool, k=8) if self.pool else []
        fits = (one for one in some if one[0] not in self.used and script_of(one[0]) == self.script)
        title, url = next(fits, None) or (self.phrase(), "")
        self.used.add(title)
        path = urlsplit(url).path.strip("/")
        if not path or self.chance.random() < 0.8:
            return title, urljoin(self.base, f"/{path}") if path else self.href(title)
        return title, url

    def person(self) -> str:
        return self.say("person")

    def img(self) -> str:
        size = self.pick(320, 640, 768, 1024)
        folder = self.pick("/wp-content/uploads/2021/04/", "/images/", "https://cdn.example.net/i/")
        return f"{folder}{self.hash(9)}-{size}.{self.pick('jpg', 'webp', 'png')}"

    def lines(self) -> list[str]:
        """Return lines of code whose names are words of the article."""
        own = [word for word in map(str.lower, self.terms) if word.isascii() and word.isalpha()]
        names = iter(self.chance.sample([*own, *"item value config list".split()], 3))
        code = "\n".join(self.chance.choice(self.wordings["code"]))
        for mark in ("W0", "W1", "W2"):
            code = code.replace(mark, next(names)[:12])
        return code.split("\n")

    def formula(self) -> tuple[str, str]:
        """Return a formula in LaTeX and in MathML, with the same letters in the same order."""
        tex, mathml = self.chance.choice(self.wordings["formula"])
        return tex, _Raw(mathml)


_TITLE_END: Final = re.compile(r"\s[|–—·-]\s")


def titles_of(pages: Iterable[LabelledPage]) -> list[tuple[str, str]]:
    """Return titles, without the site's name, and addresses of pages, for related links."""
    titles = ((_TITLE_END.split(parse(page.html).title)[0], page.url or "") for page in pages)
    return [(title, url) for title, url in titles if title]


def grafts(
    pages: Sequence[LabelledPage], kinds: int | None = None, part: str = TEST
) -> Iterator[Graft]:
    """Yield each page that has a place with one structure of each kind.

    If only some ``kinds`` are asked for, the next page has the next ones.
    """
    pool = titles_of(pages)
    every = [*CONTENT, *BOILERPLATE]
    turn = 0
    for page in pages:
        found = [
            graft(page, Random(f"{page.id}:{kind}"), part=part, kind=kind, pool=pool)
            for kind in (every * 2)[turn : turn + (kinds or len(every))]
        ]
        yield from filter(None, found)
        if any(found):
            turn = (turn + (kinds or 0)) % len(every)


#: From HTML and address to a text, and to its Markdown if the system has one.
_Read = Callable[[str, str | None], tuple[str, str | None]]


def _reader_of(name: str) -> _Read:
    """Return the function that reads a page by a system (`make_system`)."""
    system = make_system(name)
    if name == "trafilatura":
        call = import_extra("trafilatura", "The extractor 'trafilatura'", "peers").extract
        how: dict[str, Any] = {"include_comments": False, "output_format": "markdown"}
        return lambda html, url: (system.text(html, url), call(html, **how) or "")
    if system.extractor is None or name in PACKAGES:
        return lambda html, url: (system.text(html, url), None)
    extractor, judge = system.extractor, make_judge(DEFAULT_JUDGE)

    def read(html: str, url: str | None) -> tuple[str, str | None]:
        found = extract_page(parse(html, url=url), extractor, judge, formats=["main_markdown"])
        return found.main_text, found.main_markdown

    return read


_FORM: Final = ", form"
_COMMAND: Final = re.compile(r"\\+[a-zA-Z]+")
_TARGET: Final = re.compile(r"!\[[^\]]*\]\([^)]*\)|(?<=\])\([^)]*\)")
_MARKERS: Final = {
    "table": re.compile(r"[ >]*\|"),
    "item": re.compile(r"[ >]*([-*+]|\d+[.)]|\[\^.+\]:)\s"),
    "quote": re.compile(r"\s*>"),
    "code": re.compile("```"),
    "heading": re.compile(r"[ >]*#"),
}


def count_found(one: Graft, text: str) -> tuple[int, int]:
    """Return how many words a structure has, and how many are in a text.

    Words count by whole lines, in their order, between the paragraphs before and after if the text
    has them.
    """
    letters = one.letters(text)
    start = letters.find(one.before[-_KEY:])
    start = start + len(one.before[-_KEY:]) if start >= 0 else 0
    end = letters.find(one.after, start)
    found = 0
    for line in one.lines:
        wanted = one.letters(line.text)
        place = letters.find(wanted, start, end if end >= 0 else len(letters))
        if place >= 0:
            start = place + len(wanted)
            found += len(tokens(line.text))
    return sum(len(tokens(line.text)) for line in one.lines), found


def has_form(one: Graft, markdown: str) -> bool:
    """Return whether each line of a structure is in Markdown in its form, at its place."""
    rows: list[tuple[str, str]] = []
    is_fenced = False
    for row in markdown.split("\n"):
        if row.lstrip("> ").startswith(("```", "~~~")):
            is_fenced = not is_fenced
        rows.append(("```" if is_fenced else row, one.letters(_TARGET.sub("", row))))
    starts = (k for k, (_, row) in enumerate(rows) if row.endswith(one.before[-_KEY:]))
    start = next(starts, -1) + 1
    ends = (k for k in range(start, len(rows)) if rows[k][1].startswith(one.after))
    end = len(rows) if one.kind == "footnotes" else next(ends, len(rows))  # they are at the end
    rows = rows[start:end]
    return all(
        any(
            one.letters(line.text) in letters
            and (not line.form or _MARKERS[line.form].match(row) is not None)
            for row, letters in rows
        )
        for line in one.lines
    )


def measure(some: Iterable[Graft], systems: Sequence[str]) -> dict[str, dict[str, list[float]]]:
    """Return for each system the marks of each kind, 0 or 1 per page.

    Content is whole or not, and has its form in Markdown or not (the kind with ", form");
    boilerplate is kept out or not. A page on which a system fails counts 0.
    """
    readers = {name: _reader_of(name) for name in systems}
    marks: dict[str, dict[str, list[float]]] = {name: defaultdict(list) for name in systems}
    for one in some:
        for name, read in readers.items():
            text, markdown = read(one.page.html, one.page.url)
            words, found = count_found(one, text)
            if not one.is_content:
                marks[name][one.kind].append(found <= MOST_KEPT * words)
                continue
            marks[name][one.kind].append(found == words)
            if markdown is not None:
                marks[name][one.kind + _FORM].append(has_form(one, markdown))
    return marks


def mean_marks(marks: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """Return the mean mark of each kind of a system, and of "content", "form" and "kept out"."""
    forms = [kind for kind in marks if kind.endswith(_FORM)]
    groups = {"content": CONTENT, "form": forms, "kept out": BOILERPLATE}
    means = {kind: fmean(some) for kind, some in marks.items()}
    found = {
        group: [means[kind] for kind in kinds if kind in means] for group, kinds in groups.items()
    }
    return {group: fmean(some) for group, some in found.items() if some} | means


def report(marks: Mapping[str, Mapping[str, Sequence[float]]]) -> str:
    """Return a Markdown table of the mean marks: a column per system, a row per kind."""
    means = [mean_marks(own) for own in marks.values()]
    kinds = dict.fromkeys(kind for own in means for kind in own)
    rows = [[kind, *(f"{own[kind]:.3f}" if kind in own else "" for own in means)] for kind in kinds]
    return table(["kind", *marks], rows)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table for some corpora."""
    parser = argparse.ArgumentParser(prog="python -m scrapy_webtext.lab.grafts")
    parser.add_argument("corpora", nargs="+", metavar="CORPUS")
    parser.add_argument("--systems", nargs="+", default=["fusion"])
    parser.add_argument("--every", type=int, default=1, help="of the pages, take each n-th")
    parser.add_argument("--pages", type=int, default=64, help="take at most n articles")
    parser.add_argument("--kinds", type=int, help="put n kinds into a page, other ones in the next")
    given = parser.parse_args(arguments)
    logging.disable(logging.CRITICAL)  # of other systems
    pages = islice(read_corpora(map(corpus_path, given.corpora)), None, None, given.every)
    articles = (page for page in pages if page.type in ("", "article") and page.text)
    taken = list(islice(filter(has_place, articles), given.pages))
    print(report(measure(grafts(taken, given.kinds), given.systems)))


if __name__ == "__main__":
    main()
