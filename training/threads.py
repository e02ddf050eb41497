"""Makes threads of forums from the paragraphs of labelled pages.

``threads.html`` has the markup of Discuz, phpBB, vBulletin, XenForo, bbPress, Discourse, Invision
and others as templates, and ``threads.json`` their wordings in English, German, Russian and
Chinese. The parts ``train`` and ``test`` share no template, and no wording for what a member's
profile, a post's head and its buttons say. The posts are the gold text; ranks, counters, dates,
buttons and signatures are not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from random import Random
from typing import Final, NamedTuple

from scrapy_webtext.lab.corpus import LabelledPage
from training import render_source, resource
from training.labels import SEPARATOR, script_of

TRAIN: Final = "train"
TEST: Final = "test"
_HEAD: Final = re.compile(r"^\{# (train|test) (.+) #\}\n", re.MULTILINE)
_WORDINGS: Final[Mapping[str, Mapping[str, Mapping[str, str]]]] = json.loads(
    resource("threads.json")
)
#: Scripts that have wordings.
SCRIPTS: Final = tuple(_WORDINGS[TRAIN])
_LANGUAGES: Final = {"english": "en", "german": "de", "cyrillic": "ru", "cjk": "zh"}
#: The wordings of the script ``cjk`` are Chinese.
_KANA: Final = re.compile("[\u3041-\u30ff]")
#: A sentence ends here.
_END: Final = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")

#: Forms of the day on which a member joined.
_MONTHS: Final = ("{mon} {y}", "{y}-{mm}-{d}")
LEAST_POSTS: Final = 3
MOST_POSTS: Final = 12
#: Shares of posts that are short, quote an earlier post, were edited, have a signature.
SHORT: Final = 0.15
QUOTES: Final = 0.2
EDITED: Final = 0.15
SIGNED: Final = 0.3


class Post(NamedTuple):
    """A post of a made thread."""

    id: int
    author: str
    rank: str
    date: str
    joined: str
    place: str  #: which post of the thread it is
    place_of: str  #: of its author; may be empty
    lines: Sequence[str]
    quote: str  #: from an earlier post, or empty
    quoted: str  #: author of the quote
    quote_date: str
    edited: str
    liked: str
    signature: str


@cache
def systems(part: str) -> Mapping[str, Sequence[str]]:
    """Return the templates of a part: name of the system -> sources."""
    found: dict[str, list[str]] = {}
    pieces = _HEAD.split(resource("threads.html"))[1:]
    for of, name, source in zip(*(pieces[k::3] for k in range(3)), strict=True):
        if of == part:
            found.setdefault(name, []).append(source.strip())
    return found


def make_thread(
    labelled: LabelledPage,
    texts: Sequence[str],
    chance: Random,
    *,
    part: str = TRAIN,
    system: str | None = None,
) -> LabelledPage | None:
    """Make a thread of these texts; None if they are too few, or in a script without wordings."""
    script = script_of("\n".join(texts))
    if script not in SCRIPTS or _KANA.search("".join(texts)):
        return None
    words = _Words(script, part, chance)
    posts = list(_posts(texts, words, chance))
    if len(posts) < LEAST_POSTS:
        return None
    templates = systems(part)
    source = chance.choice(templates[system or chance.choice([*templates])])
    title = " ".join(_END.split(texts[-1])[0].split()[:9])[:60].rstrip(".,:;")
    html = render_source(
        source,
        title=title,
        lang=_LANGUAGES[script],
        site=words.one("site"),
        board=words.one("board"),
        menu=words.some("menu", 6),
        topics=[" ".join(text.split()[:8])[:50] for text in texts[:5]],
        posts=posts,
        w=words.page,
        n=chance.randint,
        pick=lambda *some: chance.choice(some),
        date=words.date,
    )
    gold = [line for post in posts for line in (post.quote, *post.lines) if line]
    if "p.quote" not in source:
        gold = [line for post in posts for line in post.lines]
    name = f"{labelled.id}{SEPARATOR}posts"
    return replace(
        labelled, id=name, html=html, text="\n".join(gold), type="forum", required=(), excluded=()
    )


class _Words:
    """Chooses the wordings of a page."""

    def __init__(self, script: str, part: str, chance: Random) -> None:
        every = {**_WORDINGS[TRAIN][script], **_WORDINGS[part][script]}
        self.listed = {key: listed.split("|") for key, listed in every.items()}
        self.chance = chance
        self.page = {key: chance.choice(some) for key, some in self.listed.items()}

    def one(self, key: str) -> str:
        return self.chance.choice(self.listed[key])

    def some(self, key: str, most: int) -> list[str]:
        listed = self.listed[key]
        return self.chance.sample(listed, min(most, len(listed)))

    def date(self, form: str | None = None) -> str:
        number = self.chance.randint
        month = number(1, 12)
        return (form or self.page["date_form"]).format(
            d=number(1, 28),
            mm=f"{month:02}",
            mon=self.listed["months"][month - 1],
            y=number(2005, 2024),
            h=number(1, 23),
            m=f"{number(0, 59):02}",
            n=number(2, 9),
        )

    def maybe(self, key: str, share: float) -> str:
        """Return a wording with a name and a date filled in, or nothing."""
        if self.chance.random() >= share:
            return ""
        return self.one(key).format(who=self.one("author_name"), date=self.date())


def _posts(texts: Sequence[str], words: _Words, chance: Random) -> Iterator[Post]:
    """Yield posts of one to three texts, some of them cut to their first sentences."""
    signs, edits = chance.random() < 0.5, chance.random() < 0.5
    rest, number, before = list(texts), 0, ("", "")
    members = words.some("author_name", 6)
    signatures = {name: words.maybe("signature", SIGNED * signs * 2) for name in members}
    while rest and number < MOST_POSTS:
        number += 1
        size = chance.choice((1, 1, 1, 2, 3))
        lines, rest = rest[:size], rest[size:]
        if number > 1 and chance.random() < SHORT:
            lines = [words.one("short")]
        elif chance.random() < 0.4:
            lines = ["".join(f"{one} " for one in _END.split(lines[0])[:2]).strip()]
        author = chance.choice(members)
        quote, quoted = before if chance.random() < QUOTES else ("", "")
        yield Post(
            id=chance.randint(1000, 9999999),
            author=author,
            rank=words.one("rank"),
            date=words.date(),
            joined=words.date(
                chance.choice(("{mon} {y}", "{y}-{mm}-{d}", words.page["date_form"]))
            ),
            place=_place(words.listed["floor"], number),
            place_of=words.one("place") if chance.random() < 0.5 else "",
            lines=lines,
            quote=quote,
            quoted=quoted,
            quote_date=words.date(),
            edited=words.maybe("edited", EDITED * edits * 2),
            liked=words.maybe("liked", 0.3),
            signature=signatures[author],
        )
        before = _END.split(lines[0])[0][:200], author


def _place(forms: Sequence[str], number: int) -> str:
    """Return what a forum calls the post with this number: #3, or a name for the first posts."""
    form = forms[number - 1] if "{n}" not in forms[0] and number <= len(forms) else forms[-1]
    return (form if "{n}" in form or number <= len(forms) else "{n}#").format(n=number)
