"""Puts structures between two paragraphs of labelled articles, for training and for measuring.

An author puts tables, lists, code, quotes or captions between two paragraphs (``CONTENT``). A
publishing system puts related links, forms or advertisement labels there (``BOILERPLATE``). Word F1
hardly changes with either. So this module puts such structures into real articles and records which
words it added.

``structures.html`` contains the structures as templates, and ``structures.json`` their wordings.
The parts ``train`` and ``test`` have the same kinds, but share no template and no wording. A
structure takes most of its words from the article, so its words do not show whether it is content.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from html import unescape
from html.parser import HTMLParser
from random import Random
from typing import Any, Final, NamedTuple
from urllib.parse import urljoin, urlsplit

from scrapy_webtext.lab.corpus import LabelledPage
from scrapy_webtext.page import Page, parse
from training import render_source, resource
from training.labels import SEPARATOR, script_of

TRAIN: Final = "train"
TEST: Final = "test"
#: The share of structures that are put into a wrapper element, as block editors do.
WRAPPED_SHARE: Final = 0.25

_HEAD: Final = re.compile(
    r"^\{# (wrapper|content|boilerplate|around) (train|test): (.+) #\}\n", re.MULTILINE
)
_WORD: Final = re.compile(r"\w+")
_LATIN: Final = re.compile("[a-z]+")
_SOME_LETTERS: Final = re.compile(r"\w{2,4}")
_LANG: Final = re.compile(r"<html[^<>]*?\blang=[\"']?([a-z]{2})", re.IGNORECASE)
_BY_SCRIPT: Final = {
    "english": ("en",),
    "german": ("de",),
    "cyrillic": ("ru", "uk"),
    "greek": ("el",),
    "cjk": ("zh", "ja"),
    "latin": ("fr", "es", "it", "pl", "pt", "nl", "sv", "tr", "cs", "vi", "id"),
    "other": ("ar", "hi", "ko"),
}


@cache
def sources() -> Mapping[tuple[str, str], Mapping[str, Sequence[str]]]:
    """Return the template sources: (content, boilerplate, wrapper or around; part) -> kind -> them.

    ``around`` are the templates of `surroundings`.
    """
    found: dict[tuple[str, str], dict[str, list[str]]] = defaultdict(dict)
    pieces = _HEAD.split(resource("structures.html") + resource("surroundings.html"))[1:]
    for group, part, kind, source in zip(*(pieces[k::4] for k in range(4)), strict=True):
        found[group, part].setdefault(kind, []).append(source.strip())
    return found


_OF_STRUCTURES: Final[Any] = json.loads(resource("structures.json"))
_OF_SURROUNDINGS: Final[Any] = json.loads(resource("surroundings.json"))
_WORDINGS: Final = {part: _OF_STRUCTURES[part] | _OF_SURROUNDINGS[part] for part in (TRAIN, TEST)}
CONTENT: Final = tuple(sources()["content", TRAIN])
BOILERPLATE: Final = tuple(sources()["boilerplate", TRAIN])


class Line(NamedTuple):
    """A line of a structure, and the form that the line has in Markdown."""

    text: str
    form: str  #: table, item, quote, code, heading; empty for plain text


def letters_of(text: str) -> str:
    """Return the letters and digits of a text, in lower case."""
    return "".join(filter(str.isalnum, text.casefold()))


class Structure(NamedTuple):
    """A structure as HTML, and the lines that a reader sees."""

    html: str
    lines: tuple[Line, ...]


def make_structure(
    kind: str, labelled: LabelledPage, chance: Random, part: str, pool: Sequence[tuple[str, str]]
) -> Structure:
    """Make a structure for a page; ``pool`` contains titles and addresses of other articles."""
    group = "content" if kind in CONTENT else "boilerplate"
    names = Wording(labelled, chance, part, pool).names()
    html = render_source(chance.choice(sources()[group, part][kind]), **names).strip()
    if chance.random() < WRAPPED_SHARE:
        wrapper = chance.choice(sources()["wrapper", part]["wrapper"])
        html = render_source(wrapper, inner=Raw(html), **names).strip()
    return Structure(html, read_lines(html, kind))


_FORMS: Final = {
    "td": "table",
    "th": "table",
    "li": "item",
    "blockquote": "quote",
    "pre": "code",
    **dict.fromkeys(("h2", "h3", "h4", "h5"), "heading"),
}
#: Kinds that have no form in Markdown: their tables and lists are layout, or several forms are
#: right.
_PLAIN: Final = ("note", "caption without figure", "formula", "verse")
_INLINE: Final = frozenset(
    "a abbr b bdi cite code em font i img input kbd label mark math mfrac mi mn mo mrow msub msup"
    " q s small span strong sub sup svg time tt u wbr".split()
)
_VOID: Final = frozenset("br col img input source wbr".split())
_UNREAD: Final = frozenset("button script svg".split())
_UNREAD_CLASS: Final = re.compile("lineno|gutter|step-number|headerlink|katex-html")


class _Reader(HTMLParser):
    """Collects the lines that a reader of a structure sees, with their forms in Markdown."""

    def __init__(self, kind: str) -> None:
        super().__init__()
        self.kind = kind
        self.lines: list[Line] = []
        self.open: list[tuple[str, bool]] = []  # open elements: name, and whether text is read
        self.pieces: list[str] = []
        self.is_first = False  # whether the next line is the first line of a list item

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
        if not letters_of(text):
            return
        forms = [_FORMS[name] for name, _ in self.open if name in _FORMS]
        form = forms[-1] if forms and self.kind not in _PLAIN else ""
        if "code" in self.kind and form:
            form = "code"
        if form == "item":
            form, self.is_first = form if self.is_first else "", False
        self.lines.append(Line(text, form))


def read_lines(structure: str, kind: str) -> tuple[Line, ...]:
    """Return the lines of a structure, without the text of buttons and without line numbers."""
    reader = _Reader(kind)
    reader.feed(structure)
    reader.close()
    reader.flush()
    return tuple(reader.lines)


class Raw(str):
    """HTML that a template inserts without escaping it."""

    __slots__ = ()

    def __html__(self) -> str:
        return self


class Wording:
    """Provides the values of templates: words of the article and wordings in its language."""

    def __init__(
        self, labelled: LabelledPage, chance: Random, part: str, pool: Sequence[tuple[str, str]]
    ) -> None:
        self.chance, self.pool = chance, pool
        self.used: set[str] = set()  # used wordings and titles, so that none is used twice
        self.wordings = _WORDINGS[part]
        declared = _LANG.search(labelled.html[:5000])
        self.script = script_of(labelled.text)
        known = self.wordings["related"]
        by_script = chance.choice([lang for lang in _BY_SCRIPT[self.script] if lang in known])
        is_known = declared is not None and declared[1].lower() in known
        self.lang = declared[1].lower() if declared and is_known else by_script
        self.base = labelled.url or "https://www.example.com/news/"
        self.joint = "" if self.lang in ("zh", "ja") else " "
        own = labelled.text.split()
        if not self.joint:
            own = _SOME_LETTERS.findall(labelled.text)
        self.own = own
        self.terms = [w for word in own if len(w := word.strip(".,:;!?\"'()«»„“”")) > 4] or own

    def names(self) -> dict[str, Any]:
        """Return the names that a template may use, with their values."""
        names = [name for name in dir(self) if not name.startswith("_")]
        return {name: getattr(self, name) for name in names} | {"page_url": self.base}

    def n(self, least: int, most: int) -> int:
        return self.chance.randint(least, most)

    def pick(self, *some: Any) -> Any:
        return self.chance.choice(some)

    def maybe(self, text: str, share: float = 0.5) -> str:
        return Raw(text) if self.chance.random() < share else ""

    def hash(self, length: int = 6) -> str:
        return "".join(self.chance.choices("abcdefghijkmnpqrstuvwxyz0123456789", k=length))

    def cls(self, *some: str) -> str:
        """Return attributes, mostly a class: one of the names, or a hash as CSS-in-JS has it."""
        draw = self.chance.random()
        made = self.pick(f"css-{self.hash()}", f"sc-{self.hash(8)} {self.hash(5)}")
        name = "" if draw < 0.12 else made if draw < 0.24 else self.chance.choice(some)
        also = (f' id="{self.hash()}"', f' data-id="{self.n(1, 9999)}"', ' style="margin: 1em 0"')
        more = self.pick(*also) if self.chance.random() < 0.2 else ""
        return Raw((f' class="{name}"' if name else "") + more)

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
        """Return words in short series from the article, or general words of its language."""
        number = self.n(least, most)
        found: list[str] = []
        while len(found) < number:
            start = self.chance.randrange(max(1, len(self.own) - 4))
            found += self.own[start : start + self.n(2, 4)] or ["1"]
        return self.joint.join(found[:number]).strip(".,:;–- ")

    def term(self) -> str:
        """Return one or two words, as in a table cell."""
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
        slug = "-".join(_WORD.findall(words.lower())[:6]) or self.hash()
        folder = self.pick("/news/", "/story/", "/", f"/{self.n(2012, 2024)}/{self.n(1, 12):02}/")
        tail = self.pick("", "/", ".html", f"-{self.n(10000, 9999999)}")
        return urljoin(self.base, f"{folder}{slug}{tail}")

    def away(self, words: str = "") -> str:
        """Return an address of another site."""
        hosts = "en.wikipedia.org/wiki github.com/docs www.nature.com/articles doi.org/10.1000"
        host = self.pick(*hosts.split(), f"www.{self.hash(7)}.org", f"blog.{self.hash(6)}.com/p")
        return f"https://{host}/{'-'.join(_LATIN.findall(words.lower())[:4]) or self.hash()}"

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

    def ingredient(self) -> str:
        left = [one for one in self.all("ingredient") if one not in self.used]
        return self.new(left) if left else f"{self.n(2, 90)} g {self.term()}"

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
        return tex, Raw(mathml)


# Grafting

#: A structure is put only into an article with at least this many sibling paragraphs whose
#: beginnings match lines of its gold text.
LEAST_PARAGRAPHS: Final = 6
#: In the part ``test``, the structure is put after the paragraph with this number.
TEST_PLACE: Final = 3
#: If no kind is given, the structure is of a content kind with this probability.
CONTENT_SHARE: Final = 0.6
#: One of these is drawn as the number of structures for a page.
NUMBERS: Final = (1, 2, 3, 4)
#: A paragraph is found by its first ``KEY`` letters and digits. A gold line with fewer than
#: ``LEAST_KEY`` is not used.
KEY: Final = 30
LEAST_KEY: Final = 14

_P: Final = re.compile(r"<(/?)p\b[^<>]*>", re.IGNORECASE)
_TAG: Final = re.compile(r"<[^<>]*>")


@dataclass(frozen=True, slots=True)
class Graft:
    """A labelled page into which a structure was put."""

    page: LabelledPage  #: the page with this structure and those put into it before
    kind: str
    lines: tuple[Line, ...]
    place: Place


def graft(
    labelled: LabelledPage,
    chance: Random,
    *,
    part: str = TRAIN,
    kind: str | None = None,
    pool: Sequence[tuple[str, str]] = (),
) -> Graft | None:
    """Put a structure between two paragraphs of a page; return None if it has no place for one.

    ``pool`` contains titles and addresses of other articles, for related links.
    """
    place = find_place(labelled, chance, part)
    if place is None:
        return None
    if kind is None:
        kind = chance.choice(CONTENT if chance.random() < CONTENT_SHARE else BOILERPLATE)
    structure = make_structure(kind, labelled, chance, part, pool)
    html = f"{labelled.html[: place.offset]}\n{structure.html}\n{labelled.html[place.offset :]}"
    if not _is_sibling(parse(html), place.before, _WORD.findall(structure.html)[0].lower()):
        return None
    text = labelled.text
    if kind in CONTENT:
        gold = text.split("\n")
        gold[place.line : place.line] = [line.text for line in structure.lines]
        text = "\n".join(gold)
    joint = " + " if SEPARATOR in labelled.id else SEPARATOR
    page = replace(labelled, id=f"{labelled.id}{joint}{kind}", html=html, text=text)
    return Graft(page, kind, structure.lines, place)


def graft_some(
    labelled: LabelledPage, chance: Random, *, pool: Sequence[tuple[str, str]] = ()
) -> list[Graft]:
    """Put one to four structures into a page; the page of the last graft contains all of them."""
    found: list[Graft] = []
    for _ in range(chance.choice(NUMBERS)):
        one = graft(found[-1].page if found else labelled, chance, pool=pool)
        if one is not None:
            found.append(one)
    return found


class Place(NamedTuple):
    """A place between two paragraphs of a page."""

    offset: int  #: position in the HTML after the end tag of the paragraph before the place
    line: int  #: index of the gold text's next line after this paragraph
    before: str  #: letters and digits of this paragraph
    after: str  #: the first letters and digits of the paragraph after the place


def find_place(labelled: LabelledPage, chance: Random, part: str) -> Place | None:
    """Return a place between two paragraphs of a page; for the part ``test`` always the same place.

    Return None if fewer than `LEAST_PARAGRAPHS` paragraphs are siblings, or if no place is possible
    because its paragraph is not found exactly once in the HTML.
    """
    gold = [letters_of(line) for line in labelled.text.split("\n")]
    starts = {line[:KEY]: k for k, line in enumerate(gold) if len(line) >= LEAST_KEY}
    page = parse(labelled.html, url=labelled.url)
    siblings: dict[int, list[str]] = defaultdict(list)
    for node, text in zip(page.blocks.node, page.blocks.text, strict=True):
        if page.nodes.names[page.nodes.name[node]] == "p":
            letters = letters_of(text)
            if letters[:KEY] in starts:
                siblings[page.nodes.parent[node]].append(letters)
    found = max(siblings.values(), key=len, default=[])
    if len(found) < LEAST_PARAGRAPHS:
        return None
    places = chance.sample(range(len(found) - 1), len(found) - 1)
    for k in [TEST_PLACE - 1] if part == TEST else places:
        before = found[k]
        if (offset := _end_of(before, labelled.html)) >= 0:
            line = starts[before[:KEY]] + 1
            while line < len(gold) and gold[line] and gold[line] in before:
                line += 1
            return Place(offset, line, before, found[k + 1][:KEY])
    return None


def _end_of(paragraph: str, html: str) -> int:
    """Return where a paragraph ends in the HTML; -1 if it is not found exactly once."""
    start, ends = -1, []
    for tag in _P.finditer(html):
        if not tag[1]:
            start = tag.end()
        elif start >= 0:
            if letters_of(unescape(_TAG.sub("", html[start : tag.start()]))) == paragraph:
                ends.append(tag.end())
            start = -1
    return ends[0] if len(ends) == 1 else -1


def _is_sibling(page: Page, paragraph: str, tag: str) -> bool:
    """Return whether the next sibling of a paragraph is an element with the name ``tag``."""
    nodes = page.nodes
    for node, text in zip(page.blocks.node, page.blocks.text, strict=True):
        if letters_of(text) == paragraph:
            after = nodes.end[node]
            is_sibling = after < len(nodes.parent) and nodes.parent[after] == nodes.parent[node]
            return is_sibling and nodes.names[nodes.name[after]] == tag
    return False
