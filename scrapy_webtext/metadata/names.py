"""Names of people in bylines and in declared authors.

"By Jane Doe and John Roe, Staff Writers | jane@example.com" has two names. "admin", "Staff", an
address or a date is not a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, Final

from scrapy_webtext.metadata.text import folded, load_tables, plain_text

TABLES: Final = load_tables("names")

#: Maximum of characters and words of a name.
MAX_CHARS: Final = 60
MAX_WORDS: Final = 6
MAX_GIVEN: Final = 3
#: Maximum of characters of a value that are read.
MAX_VALUE: Final = 500
#: Maximum of authors of an article.
MAX_AUTHORS: Final = 20

#: Words before names, with a colon or a blank after them (in some scripts without).
_BY: Final = re.compile(
    rf"\W{{0,5}}(?:(?:{TABLES.pattern('by')})(?:\s{{0,9}}[:：|/–—-]\s{{0,9}}|\s{{1,9}})"
    r"(?:(?:by|von|par|por)\s{1,9})?"
    r"|(?:作者|記者|记者|编辑|編輯|责任编辑|기자)\s{0,9}[:：／/|]?\s{0,9}"
    r"|(?:文|来源|글)(?:\s{0,9}[:：／/|]\s{0,9}|\s{1,9}))"
)
#: Characters within which these words are.
_BY_CHARS: Final = 80
#: "Press release by Jane Doe", but not "Otto von Bismarck".
_INNER_BY: Final = re.compile(r"^.{3,40}?\s(?:by|von|par|por|od|av)\s(?=[^\W\d_a-z]\S+\s\S)")
#: Separators of names.
_BETWEEN: Final = re.compile(
    r"\s{0,9}(?:[,;|•·、，；]|\s/\s|\s[&+]\s"
    r"|\b(?:and|und|et|y|e|och|og|en|i|и|και|ve|with|mit)\b(?=\s))\s{0,9}",
    re.IGNORECASE,
)
#: Words after all names.
_AFTER_NAMES: Final = re.compile(
    r"\s(?:under|unter|filed under|abgelegt|tagged|schlagwörter)\b", re.IGNORECASE
)
#: Words after a name that are not part of it.
_AFTER_NAME: Final = re.compile(
    r"(?:\s{0,9}[(\[|–—]|\s{1,9}(?:le|el|den|the|il|op|del|dia|\S{1,3}\.)\s{1,9}\d"
    r"|\s{1,9}-\s|\s@|\s(?:for|für|pour|from|at|on|in|is|are|special to|published|updated|"
    r"posted|contributor|via|am|vom|il|aus|bei|über|im gespräch|im interview|veröffentlicht)\b).*$",
    re.IGNORECASE | re.DOTALL,
)
_DEGREES: Final = frozenset(TABLES.words("degrees"))
_GENERATIONS: Final = frozenset(TABLES.words("generations"))
_NEVER: Final = frozenset(TABLES.words("never"))
_ROLES: Final = frozenset(TABLES.words("roles"))
_ORGANISATIONS: Final = frozenset(TABLES.words("organisations"))
_ROLES_AND_ORGANISATIONS: Final = _ROLES | _ORGANISATIONS
_PARTICLES: Final = frozenset(TABLES.words("particles"))
#: A role or an agency after a name, without a separator.
_ROLE_SUFFIX: Final = re.compile(
    rf"(?:\s(?:{TABLES.pattern('role suffixes')})){{1,4}}$", re.IGNORECASE
)
_BAD: Final = re.compile(r"https?:|www\.|[@#{}<>=%$*_\\^~!?…“„\"©®]|\d\D*\d|^/|…")
#: The host of a site, in place of an author.
_HOST: Final = re.compile(r"\w\.(?:com|net|org|info|tv|io|co|eu|[a-z]{2}(?![\w.]))\b")
_AROUND: Final = " \t.,;:|/·•-–—'’”«»()[]"
_WORD_ENDS: Final = re.compile(r"[\s.-]+")
_SLUG: Final = re.compile(r"[a-z0-9]{1,40}(?:-[a-z0-9]{1,40})+")


def author_names(value: Any) -> tuple[str, ...]:
    """Return the names of people in a value, in order, without duplicates."""
    if isinstance(value, str) and "\n" in value:
        value = value.strip().replace("\n", ";")
    return _author_names(plain_text(value)[:MAX_VALUE])


@lru_cache(maxsize=64)  # a page has its author in several places
def _author_names(text: str) -> tuple[str, ...]:
    return _distinct(filter(is_name, _parts(text)))


def in_order(name: Any, family_words: int = 1) -> Any:
    """Return the name of one person with the given name first: "Doe, Ann B." is Ann B. Doe.

    Two full names are two people: a family name has at most ``family_words``, beside particles.
    """
    family, comma, given = name.partition(",") if isinstance(name, str) else ("", "", "")
    names = given.strip().split()
    is_turned = comma and "," not in given and 0 < len(names) <= MAX_GIVEN
    if (
        not is_turned
        or len(set(family.split()) - _PARTICLES) > family_words
        or folded(given) in _DEGREES
    ):
        return name
    return f"{given.strip()} {family.strip()}"


def names_in(values: Iterable[Any]) -> tuple[str, ...]:
    """Return the names of people in several values, without duplicates."""
    return _distinct(name for value in values for name in author_names(value))


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    known: dict[str, str] = {}
    for name in names:
        known.setdefault(folded(name), name)
    return tuple(known.values())[:MAX_AUTHORS]


def after_by(text: str) -> str:
    """Return the text after a word such as "By" at the start, empty without such a word."""
    match = _BY.match(text[:_BY_CHARS].lower())
    return text[match.end() :] if match else ""


def is_by(text: str) -> bool:
    """Return whether a text is only a word such as "By", so that names follow."""
    return (
        0 < len(text) < _BY_CHARS and _BY.fullmatch(f"{text.lower().rstrip(' :：')} ") is not None
    )


def _parts(text: str) -> Iterator[str]:
    """Yield the parts of a byline that may be names."""
    text = _AFTER_NAMES.split(after_by(text) or text, maxsplit=1)[0]
    for part in _BETWEEN.split(text):
        name = after_by(part) or part
        name = _AFTER_NAME.sub("", _INNER_BY.sub("", name)).strip(_AROUND)
        while name and folded(last := name.rpartition(" ")[2]).replace(" ", "") in _DEGREES:
            name = name[: -len(last)].strip(_AROUND)
        match = _ROLE_SUFFIX.search(name)
        bare = name[: match.start()] if match else ""
        # "Jane Doe Senior Writer", but not "News Desk Writer".
        has_role = not _ROLES_AND_ORGANISATIONS.isdisjoint(folded(bare).split())
        yield name if has_role or " " not in bare else bare


def is_name(name: str) -> bool:
    """Return whether a text may be the name of an author."""
    if not 2 <= len(name) <= MAX_CHARS or _BAD.search(name) or _SLUG.fullmatch(name):
        return False
    words = folded(name).split()
    return not (
        _GENERATIONS.issuperset(words)
        or len(words) > MAX_WORDS
        or any(map(str.isdigit, words))
        or not any(map(str.isalpha, name))
        or words[-1] in ("by", "von", "par", "por", "as")
        or (name.islower() and " " in name)
        or not _NEVER.isdisjoint(words)
        or _ROLES.issuperset(words)
    )


@lru_cache(maxsize=64)
def person_likeness(name: str, site: frozenset[str] = frozenset()) -> float:
    """Return how likely a name is that of a person, in [0, 1].

    ``site`` has the folded names of the site, without blanks.
    """
    words = folded(name).split()
    letters = "".join(words)
    if letters in site:
        return 0.2
    if not _ORGANISATIONS.isdisjoint(words):
        return 0.3
    if _HOST.search(name):
        return 0.25
    if not name[0].isascii() and not name[0].islower() and not name[0].isupper():
        return 1.0 if 2 <= len(letters) <= 12 else 0.6  # a script without capitals
    if len(words) == 1:
        return 0.3 if name.isupper() and len(name) <= 5 else 0.5 if name[0].isupper() else 0.35
    proper = [w for w in _WORD_ENDS.split(name) if w and w.casefold() not in _PARTICLES]
    return 1.0 if all(not w[0].islower() for w in proper) and len(words) <= 5 else 0.4
