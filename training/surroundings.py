"""Makes labelled articles longer or shorter, and puts other texts of a site around them.

A publishing system puts cards, lists of excerpts, further articles, appeals, legal lines or boxes
below an article, above it, beside it and into it. ``surroundings.html`` contains them as templates
of the kinds `KINDS`, ``surroundings.json`` their wordings. Their titles, sentences and paragraphs
are from other articles, so the words do not show whether a text belongs to the article. Class names
have words, are hashed, utilities (as in Tailwind) or missing. The parts ``train`` and ``test`` have
the same kinds, but share no template and no wording.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from random import Random
from typing import Any, Final, NamedTuple
from zlib import crc32

import lxml.html
from lxml import etree

from scrapy_webtext.lab.corpus import LabelledPage
from scrapy_webtext.page import parse
from training import render_source
from training.grafts import KEY, LEAST_KEY, TRAIN, Raw, Wording, letters_of, sources
from training.labels import SEPARATOR

KINDS: Final = tuple(sources()["around", TRAIN])
#: Where surroundings are put: at the end of the paragraphs' parent, directly below the last
#: paragraph, below the parent, below an element around it; above the first paragraph, beside the
#: article, between two paragraphs.
BELOW: Final = ("end", "last", "parent", "outside")
PLACES: Final = (*BELOW * 2, "above", "beside", "inside")
#: Kinds with texts as an article has them, so that only their words and place tell them apart.
LIKE_TEXT: Final = ("river", "excerpts", "dashes", "appeal", "legal", "author", "article", "editor")
#: Kinds that also are put above, beside or between paragraphs.
BOXES: Final = ("cards", "newsletter", "appeal", "author", "most read", "social", "topic", "videos",
                "products", "events", "sponsored")  # fmt: skip
#: One of these is drawn: how many times as long an article becomes.
TIMES: Final = (2, 2, 3, 3, 4, 4, 6, 8, 12, 16, 24, 40)
MOST_CHARS: Final = 400_000  #: of a page that was made longer
ENDS: Final = ("end", "end 2")  #: kinds of pages with `LIKE_TEXT` below the article
LEAST_OTHERS: Final = 6  #: other articles
LEAST_SIBLINGS: Final = 2  #: paragraphs that are siblings
LEAST_TO_SPLIT: Final = 4
LEAST_WORDING: Final = 3  #: characters by which a text with a wording is recognised
ITEMS: Final = 3  #: of a list between further paragraphs
ADS: Final = ("Advertisement", "Anzeige", "Publicité", "Publicidad", "Реклама", "广告", "", "<img>")

_TAG_WITH_TEXT: Final = ("p", "div")
_INLINE: Final = frozenset(
    "a abbr b br cite code em font i img mark q s small span strong sub sup u".split()
)
_CLOSED: Final = frozenset("table tbody thead tr td th ul ol dl body html".split())
_NOT_XML: Final = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_TEXT_BELOW: Final = "following::text()[not(parent::script or parent::style)]"
_VALUE: Final = re.compile(r"\{\w+\}")
_SENTENCE_END: Final = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])")
_UTILITIES: Final = (
    "mt-4 flex gap-2", "grid md:grid-cols-3 gap-6", "text-sm leading-6", "block w-full", "p-4",
    "px-2 py-1 border-b", "font-bold text-lg", "flex-1 min-w-0", "text-gray-600 mb-2", "rounded",
)  # fmt: skip


class Other(NamedTuple):
    """An article whose title and paragraphs are put around another one."""

    title: str
    paragraphs: Sequence[str]


class Story(NamedTuple):
    """Another article as templates use it."""

    title: str
    url: str
    section: str
    lead: str  #: a paragraph
    short: str  #: its first sentence
    lines: Sequence[str]  #: some paragraphs
    person: str
    by: str
    when: str
    ago: str


class Around(Wording):
    """Provides the values of templates: other articles, class names of one manner, wordings."""

    def __init__(
        self, labelled: LabelledPage, chance: Random, part: str, others: Sequence[Other], own: str
    ) -> None:
        super().__init__(labelled, chance, part, [(other.title, "") for other in others])
        self._others = [other for other in others if other.paragraphs]
        self._salt = self.hash()
        self._manner = self.pick("word", "word", "prefix", "hash", "utility", "none")
        self._heading = self.pick("h2", "h3", "h4", "div", "strong", "none")
        self.tag = self.pick("div", "div", "section", "aside")
        #: The paragraphs of some surroundings look as those of the article.
        self.p = Raw(own) if chance.random() < 0.4 else self.c("text")

    def c(self, name: str) -> str:
        """Return the class attribute of a part, always the same in one template."""
        number = crc32(f"{self._salt}{name}".encode())
        made = {
            "word": name,
            "prefix": f"{self._salt[:2]}-{name}",
            "hash": f"css-{number:x}",
            "utility": _UTILITIES[number % len(_UTILITIES)],
            "none": "",
        }[self._manner]
        return Raw(f' class="{made}"' if made else "")

    def h(self, text: str) -> str:
        """Return a heading, with a tag that is the same in one template."""
        tag, name, text = self._heading, self.c("section-title"), escape(text)
        if tag == "strong":
            return Raw(f"<p><strong>{text}</strong></p>")
        return Raw(f"<{tag}{name}>{text}</{tag}>" if tag != "none" else "")

    def stories(self, least: int, most: int) -> list[Story]:
        """Return other articles, as far as there are so many."""
        number = min(self.n(least, most), len(self._others))
        return [self._story(other) for other in self.chance.sample(self._others, number)]

    def _story(self, other: Other) -> Story:
        lead = self.chance.choice(other.paragraphs[:4])
        first, person = _SENTENCE_END.split(lead)[0], self.say("person")
        count = self.n(2, 14)
        return Story(
            title=other.title,
            url=self.href(other.title),
            section=self.say("term"),
            lead=lead[:600],
            short=first if 20 < len(first) < 300 else f"{lead[:160].strip()}…",
            lines=other.paragraphs[:count],
            person=person,
            by=self.say("by").format(name=person),
            when=self._date(),
            ago=self.say("ago").format(n=self.n(1, 23)),
        )

    def _date(self) -> str:
        day, month, year = self.n(1, 28), self.n(1, 12), self.n(2008, 2025)
        if not self.joint:
            return f"{year}年{month}月{day}日"
        some = ("{2}-{1:02}-{0:02}", "{0}.{1}.{2}", "{1}/{0}/{2}", "{0}/{1:02}/{2}")
        return self.chance.choice(some).format(day, month, year)

    def pic(self, story: Story, link: str | None = None) -> str:
        """Return a picture, in a link unless ``link`` is empty, or nothing."""
        picture = f'<img src="{self.img()}" alt="">'
        linked = f'<a href="{escape(story.url)}">{picture}</a>' if link is None else picture
        return Raw(self.pick(linked, linked, f"<figure>{linked}</figure>", ""))

    def half(self, text: str) -> str:
        """Return the first half of a text's words."""
        words = text.split() if self.joint else list(text)
        return self.joint.join(words[: (len(words) + 1) // 2])

    def rest(self, text: str) -> str:
        """Return the second half of a text's words."""
        words = text.split() if self.joint else list(text)
        return self.joint.join(words[(len(words) + 1) // 2 :])

    def legal(self) -> str:
        """Return a legal line of a publisher."""
        name = self.pick("Daily Example", "Example Press", self.hash(6).title(), self.say("term"))
        return self.say("legal").format(name=name, year=self.n(2009, 2025))

    def biography(self) -> str:
        """Return a sentence about an author."""
        return self.say("biography").format(name=self.say("person"), year=self.n(1975, 2022))

    def nick(self) -> str:
        """Return the name of a reader."""
        first = self.say("person").split()[0]
        return str(self.pick(first, f"{self.hash(5)}_{self.n(1, 99)}", "Kim"))


@dataclass(slots=True)
class Article:
    """The tree of a labelled article, its paragraphs, and the gold text as lines."""

    labelled: LabelledPage
    root: Any
    own: list[Any]  #: paragraphs that are siblings and in the gold text
    lines: list[str]
    added: list[str] = field(default_factory=list)  #: texts of the surroundings
    said: set[str] = field(default_factory=set)  #: wordings in them

    def lengthen(self, times: int, others: Sequence[Other], chance: Random) -> bool:
        """Make the article ``times`` as long; return False if others have too few paragraphs.

        The further paragraphs have the tag and attributes of the article's own. Some have a link,
        and some stand below a heading or before a list.
        """
        wanted = min((times - 1) * _chars(self.own), MOST_CHARS - len(self.labelled.html))
        stock = [line for other in others for line in other.paragraphs]
        chance.shuffle(stock)
        if sum(map(len, stock)) < wanted or wanted <= 0:
            return False
        pattern, last = chance.choice(self.own), self.own[-1]
        at = self._line_after(last)
        new: list[Any] = []
        while wanted > 0 and len(stock) > ITEMS:
            number = chance.random()
            if number < 0.06:
                new.append(_element("h2" if number < 0.03 else "h3", chance.choice(others).title))
            elif number < 0.1:
                new.append(_element("ul", ""))
                texts = (_SENTENCE_END.split(stock.pop())[0][:200] for _ in range(ITEMS))
                new[-1].extend([_element("li", text) for text in texts])
            else:
                new.append(_like(pattern, stock.pop(), chance))
            wanted -= len(new[-1].text_content())
        _insert_after(last, new)
        shown = [e for one in new for e in (one if one.tag == "ul" else [one])]
        self.lines[at:at] = [e.text_content() for e in shown]
        self.own += [e for e in new if e.tag == pattern.tag]
        return True

    def cut(self, paragraphs: int) -> bool:
        """Keep the first paragraphs of the article; return False if others cannot be removed."""
        if len(self.own) <= paragraphs:
            return False
        end = self._line_after(self.own[paragraphs - 1])
        keys = {letters[:KEY] for line in self.lines[end:] if (letters := letters_of(line))}
        elements = iter(list(self.root.iter(etree.Element)))
        while next(elements) is not self.own[paragraphs - 1]:
            pass
        for e in elements:
            if e.tag not in _INLINE and _is_leaf(e) and letters_of(e.text_content())[:KEY] in keys:
                e.drop_tree()
        for e in self.own[paragraphs:]:
            if e.getparent() is not None:
                e.drop_tree()
        del self.lines[end:], self.own[paragraphs:]
        left = letters_of("".join(self.own[-1].xpath(_TEXT_BELOW)))
        return not any(key in left for key in keys if len(key) == KEY)

    def split(self, inner: str) -> bool:
        """Divide the paragraphs into two containers with other elements between them."""
        parent = self.own[0].getparent()
        if not _is_free(parent) or len(self.own) < LEAST_TO_SPLIT:
            return False
        first = self.own[len(self.own) // 2]
        second = _element(parent.tag, "", parent)
        second.extend([first, *first.itersiblings()])
        _insert_after(parent, [*_fragment(inner), second])
        self.added += parse(inner).blocks.text
        return True

    def put(self, html: str, place: str, chance: Random) -> None:
        """Put surroundings at a place; at the end of the paragraphs' parent if it is no place."""
        new, parent = _fragment(html), self.own[0].getparent()
        around = [e for e in parent.iterancestors() if _is_free(e)]
        if place == "inside" and len(self.own) > 2:
            _insert_after(chance.choice(self.own[:-1]), new)
        elif place == "last":
            _insert_after(self.own[-1], new)
        elif place == "above":
            below = parent if _is_free(parent) and chance.random() < 0.5 else self.own[0]
            for e in new:
                below.addprevious(e)
        elif place == "outside" and around:
            _insert_after(chance.choice(around[:3]), new)
        elif place in ("parent", "outside") and _is_free(parent):
            _insert_after(parent, new)
        elif place == "beside" and _is_free(parent):
            side = _element(chance.choice(("div", "aside", "div", "section")), "")
            side.extend(new)
            if chance.random() < 0.5:
                parent.addprevious(side)
            else:
                _insert_after(parent, [side])
        else:
            parent.extend(new)
        self.added += parse(html).blocks.text

    def page(self, kind: str) -> LabelledPage:
        """Return the made page; ``excluded`` has the texts of its surroundings.

        ``required`` has those with a wording: the words of other articles' titles and sentences are
        no signs of surroundings.
        """
        html = lxml.html.tostring(self.root.getroottree(), encoding="unicode")
        text = "\n".join(self.lines)
        gold = frozenset(self.lines)
        around = [line for line in dict.fromkeys(self.added) if line not in gold]
        spoken = tuple(line for line in around if any(one in line for one in self.said))
        made = replace(self.labelled, html=html, text=text, excluded=tuple(around))
        return replace(made, required=spoken, id=f"{self.labelled.id}{SEPARATOR}{kind}")

    def _line_after(self, paragraph: Any) -> int:
        """Return the index of the gold line after a paragraph."""
        letters = letters_of(paragraph.text_content())
        gold = [letters_of(line) for line in self.lines]
        found = (k for k, line in enumerate(gold) if line[:KEY] == letters[:KEY])
        after = next(found) + 1
        while after < len(gold) and gold[after] and gold[after] in letters:
            after += 1
        return after


def find_article(labelled: LabelledPage) -> Article | None:
    """Return an article with its largest group of sibling paragraphs; None if it has no two."""
    parser = lxml.html.HTMLParser(encoding="utf-8")
    try:
        source = labelled.html.encode("utf-8", "replace")
        root = lxml.html.document_fromstring(source, parser=parser)
    except (etree.LxmlError, ValueError):
        return None
    lines = labelled.text.split("\n")
    gold = {key[:KEY] for line in lines if len(key := letters_of(line)) >= LEAST_KEY}
    groups: dict[Any, list[Any]] = {}
    for e in root.iter(*_TAG_WITH_TEXT):
        if _is_leaf(e) and letters_of(e.text_content())[:KEY] in gold:
            groups.setdefault(e.getparent(), []).append(e)
    own = max(groups.values(), key=_chars, default=[])
    return Article(labelled, root, own, lines) if len(own) >= LEAST_SIBLINGS else None


def _chars(elements: Iterable[Any]) -> int:
    return sum(len(e.text_content()) for e in elements)


def draw(article: Article, others: Sequence[Other], chance: Random, part: str, kind: str) -> str:
    """Return surroundings of a kind as HTML."""
    own = "".join(f' {k}="{escape(v)}"' for k, v in article.own[0].attrib.items() if k == "class")
    around = Around(article.labelled, chance, part, others, own)
    html = render_source(chance.choice(sources()["around", part][kind]), **around.names())
    longest = (max(_VALUE.split(one), key=len).strip() for one in around.used)
    article.said.update(one for one in longest if len(one) >= LEAST_WORDING)
    return _NOT_XML.sub(" ", html)


def surround(
    article: Article,
    others: Sequence[Other],
    chance: Random,
    number: int,
    places: Sequence[str],
    below: Sequence[str],
) -> None:
    """Put surroundings around an article, each at one of ``places``; ``below`` are kinds below."""
    for _ in range(number):
        place = chance.choice(places)
        kind = chance.choice(below if place in BELOW else BOXES)
        article.put(draw(article, others, chance, TRAIN, kind), place, chance)


def make(
    kind: str, labelled: LabelledPage, others: Sequence[Other], chance: Random
) -> LabelledPage | None:
    """Make a page of a kind: long, cut, around or split; None if it cannot be made."""
    article = find_article(labelled)
    if article is None or len(others) < LEAST_OTHERS:
        return None
    numbers = {
        "long": (0, 0, 1, 2),
        "cut": (0, 1, 1, 2, 3),
        "split": (0, 0, 1),
        **dict.fromkeys(ENDS, (1, 1, 2)),
    }
    if kind == "long":
        times = chance.choice(TIMES)
        is_made = any(article.lengthen(some, others, chance) for some in (times, times // 2, 2))
    elif kind == "cut":
        is_made = article.cut(min(chance.choice((1, 1, 2, 3, 4)), len(article.own) - 1))
    elif kind == "split":
        inner = f'<div class="{chance.choice(("ad", "banner", ""))}">{chance.choice(ADS)}</div>'
        if chance.random() < 0.5:
            inner += draw(article, others, chance, TRAIN, chance.choice(BOXES))
        is_made = article.split(inner)
    else:
        is_made = True
    number = chance.choice(numbers.get(kind, (1, 1, 2, 3)))
    is_like_text = kind in ("long", *ENDS)
    where = ((*BELOW, "end"), LIKE_TEXT) if is_like_text else (PLACES, KINDS)
    surround(article, others, chance, number, *where)
    return article.page(kind) if is_made else None


def _is_free(e: Any) -> bool:
    """Return whether anything may be put beside an element."""
    above = e.getparent()
    if above is None or e.tag in _CLOSED:
        return False
    return above.tag == "body" or above.tag not in _CLOSED


def _is_leaf(e: Any) -> bool:
    return all(child.tag in _INLINE for child in e.iterdescendants() if isinstance(child.tag, str))


def _element(tag: str, text: str, pattern: Any = None) -> Any:
    """Return an element with a text, and with the attributes of another one except its id."""
    e = lxml.html.Element(tag)
    e.text, e.tail = _NOT_XML.sub(" ", text), "\n"
    if pattern is not None:
        e.attrib.update({k: v for k, v in pattern.attrib.items() if k != "id"})
    return e


def _like(pattern: Any, text: str, chance: Random) -> Any:
    """Return a paragraph as another one; a few words of every fourth are a link."""
    words = text.split()
    if chance.random() > 0.25 or len(words) < 12:
        return _element(pattern.tag, text, pattern)
    at, end = chance.randint(1, len(words) - 6), chance.randint(1, 5)
    e = _element(pattern.tag, " ".join(words[:at]) + " ", pattern)
    link = _element("a", " ".join(words[at : at + end]))
    link.set("href", f"/{chance.randrange(10**6)}")
    link.tail = _NOT_XML.sub(" ", " " + " ".join(words[at + end :]))
    e.append(link)
    return e


def _fragment(html: str) -> list[Any]:
    return [e for e in lxml.html.fragments_fromstring(html) if not isinstance(e, str)]


def _insert_after(e: Any, new: Iterable[Any]) -> None:
    """Insert elements after another one and the text that follows it."""
    tail, e.tail = e.tail, None
    for one in reversed(list(new)):
        e.addnext(one)
    e.tail = tail
