"""Reads names of people in texts such as bylines, and the words before them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain
from typing import Any, Final

from scrapy_webtext.core.words import UNSPACED
from scrapy_webtext.metadata.dates import has_year, locate_dates, western
from scrapy_webtext.metadata.text import folded, load_tables, plain_text

TABLES: Final = load_tables("names")
#: Maximum number of characters, words and given names of a name.
MAX_NAME: Final = 60
MAX_WORDS: Final = 6
MAX_GIVEN: Final = 3
#: Maximum number of characters of a value that are read.
MAX_VALUE: Final = 500
#: Maximum number of authors of an article.
MAX_AUTHORS: Final = 20
#: Words before names such as "By", followed by a colon or a space; some scripts need neither.
_BY: Final = re.compile(
    rf"\W{{0,5}}(?:(?:{TABLES.pattern('by')})(?:\s{{0,9}}[:：|/–—-]\s{{0,9}}|\s{{1,9}})"
    r"(?:(?:by|von|par|por)\s{1,9})?)"
)
#: Labels of authors in East Asian scripts, as in "来源：海港日报 作者：王小明"; group 1 is empty
#: for labels of others, such as the source. A label is at the start or after a sign or a blank.
_EASTERN_BY: Final = re.compile(
    rf"(?:^|(?<=[\s|｜/／；;，,。（(【\[〔・·]))(?:({TABLES.pattern('eastern labels')})"
    rf"|(?:{TABLES.pattern('eastern labels of others')}))"
)
_EASTERN_ROLE: Final = re.compile(
    rf"\s?(?:{TABLES.pattern('eastern roles')})(?:\s?[=＝].{{0,100}}|\s[^@]{{0,60}}@.{{0,60}})?\Z"
)
_EASTERN_SEPARATOR: Final = re.compile(r"\s{0,9}[、，,;；/／|｜·・•&＆和与與]\s{0,9}")
_EASTERN: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
#: More Chinese characters than a name has.
_LONG_HAN: Final = re.compile(r"[\u3400-\u9fff]{7,}")
#: Ends of a part that names the place of a report.
_REPORTED: Final = ("報導", "报道", "報道", "电", "電", "讯", "訊")
#: Characters with which family names begin; two words that begin with them are two people.
_FAMILIES: Final = frozenset("".join(TABLES["eastern families"]))
#: Maximum number of characters from the start of a text in which these words are searched.
_BY_CHARS: Final = 80
#: Matches "Press release by Jane Doe", but not "Otto von Bismarck".
_INNER_BY: Final = re.compile(r"^.{3,40}?\s(?:by|von|par|por|od|av)\s(?=[^\W\d_a-z]\S+\s\S)")
#: Separators of names.
_BETWEEN: Final = re.compile(
    rf"\s{{0,9}}(?:{TABLES.pattern('separators')})\s{{0,9}}", re.IGNORECASE
)
#: Words that end a list of names.
_AFTER_NAMES: Final = re.compile(rf"\s(?:{TABLES.pattern('after names')})\b", re.IGNORECASE)
#: The rest of a text after a name.
_AFTER_NAME: Final = re.compile(rf"(?is:(?:{TABLES.pattern('after a name')}).*$)")
#: Words between a name and a date.
_BEFORE_DATE: Final = re.compile(
    rf"\s(?:{TABLES.pattern('before dates')})\s{{0,9}}$", re.IGNORECASE
)
_DEGREES: Final = frozenset(TABLES.words("degrees"))
_OCCUPATIONS: Final = frozenset(TABLES.words("occupations"))
#: Matches "Head of Research" and "founder at Acme", but no name.
_POSITION: Final = re.compile(TABLES.pattern("positions"))
_IN_BRACKETS: Final = re.compile(r"\s{0,9}[(（\[][^()（）\[\]]{0,200}[)）\]]")
_GENERATIONS: Final = frozenset(TABLES.words("generations"))
_NEVER: Final = frozenset(TABLES.words("never"))
_ROLES: Final = frozenset(TABLES.words("roles"))
_ORGANISATIONS: Final = frozenset(TABLES.words("organisations"))
_ROLES_AND_ORGANISATIONS: Final = _ROLES | _ORGANISATIONS
_PARTICLES: Final = frozenset(TABLES.words("particles"))
#: A role or an agency that follows a name without a separator.
ROLE_SUFFIX: Final = re.compile(
    rf"(?:\s(?:{TABLES.pattern('role suffixes')})){{1,4}}$", re.IGNORECASE
)
_BAD: Final = re.compile(r"https?:|www\.|[@#{}<>=%$*_\\^~!?…“„\"©®]|\d\D*\d|^/")
_AROUND: Final = " \t.,;:|/·•-–—'’”«»()[]【】〔〕。=＝：／"
_WORD_ENDS: Final = re.compile(r"[\s.-]+")
_SLUG: Final = re.compile(r"[a-z0-9]{1,40}(?:-[a-z0-9]{1,40})+")
#: `person_likeness` of a single capitalised word, and of one in a byline below the headline.
SINGLE: Final = 0.5


def author_names(value: Any) -> tuple[str, ...]:
    """Return the names of people in a value, in order, without duplicates."""
    if isinstance(value, str) and "\n" in value:
        value = value.strip().replace("\n", ";")
    return _author_names(plain_text(value)[:MAX_VALUE])


@lru_cache(maxsize=64)  # most pages name the author several times
def _author_names(text: str) -> tuple[str, ...]:
    people = text.split(";")
    turned = list(map(in_order, people))
    if len(people) > 1 and not any(map(str.__eq__, people, turned)):  # "Doe, Ann; Roe, Bob"
        text = ";".join(turned)
    return _distinct(filter(is_name, _parts(text)))


def in_order(name: Any, family_words: int = 1) -> Any:
    """Return the name of one person, given name first: "Ann B. Doe" for "Doe, Ann B.".

    A text before the comma with more than ``family_words`` words, not counting particles, is no
    family name: "Ann Doe, Bo Roe" are two people. So are two names in a script without spaces.
    """
    family, comma, given = name.partition(",") if isinstance(name, str) else ("", "", "")
    names = given.strip().split()
    is_turned = comma and "," not in given and 0 < len(names) <= MAX_GIVEN
    if (
        not is_turned
        or len(set(family.split()) - _PARTICLES) > family_words
        or folded(given) in _DEGREES
        or UNSPACED.match(name)
    ):
        return name
    return f"{given.strip()} {family.strip()}"


def names_in(values: Iterable[Any]) -> tuple[str, ...]:
    """Return the names of people in several values, without duplicates."""
    return _distinct(chain.from_iterable(map(author_names, values)))


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    known: dict[str, str] = {}
    for name in names:
        known.setdefault(folded(name), name)
    return tuple(known.values())[:MAX_AUTHORS]


def after_by(text: str) -> str:
    """Return the text after a first word such as "By"; empty if it does not begin with one."""
    match = _BY.match(text[:_BY_CHARS].lower())
    if match is None and _EASTERN.search(text[:_BY_CHARS]):
        labels = list(_EASTERN_BY.finditer(text[:_BY_CHARS]))
        ends = [*(label.start() for label in labels[1:]), len(text)]
        own = (text[one.end() : end] for one, end in zip(labels, ends, strict=False) if one[1])
        return next(filter(str.strip, own), "")
    return text[match.end() :] if match else ""


def is_byline(text: str) -> bool:
    """Return whether a text is only a word such as "By" and names of people."""
    written = after_by(text) if len(text) < _BY_CHARS else ""
    names = author_names(written) if written else ()
    are_people = all(" " in name and person_likeness(name) == 1 for name in names)
    return bool(names) and are_people and len(written.split()) <= 4 * len(names)


def is_by(text: str) -> bool:
    """Return whether a text is only a word such as "By", so that names are in the next text."""
    words = f"{text.lower().strip(' :：')} "
    label = _EASTERN_BY.fullmatch(words.strip())
    is_label = label is not None and label[1] is not None
    return 0 < len(text) < _BY_CHARS and (is_label or _BY.fullmatch(words) is not None)


def _parts(text: str) -> Iterator[str]:
    """Split a byline into texts that may be names: "Ann Doe, Head of Research, Acme" has one."""
    text = _AFTER_NAMES.split(_before_date(after_by(text) or text), maxsplit=1)[0]
    if _EASTERN.search(text):
        yield from _eastern_parts(text)
        return
    text = _IN_BRACKETS.sub("", text)
    halves = [half.strip() for half in text.split("/")]
    if all(" " in half and is_name(half) and person_likeness(half) == 1 for half in halves):
        text = ";".join(halves)
    pieces = _BETWEEN.split(text)
    signs = ["", *map(str.strip, _BETWEEN.findall(text))]
    described = False  # whether the last piece was a role
    for k, (part, sign) in enumerate(zip(pieces, signs, strict=True)):
        if k and _is_position(part):
            described = True
            continue
        # After a role, a comma precedes an employer, and "and" the next person.
        is_joined = sign not in (",", "،", "") or part.lower().startswith("and ")
        if described and not (is_joined or (k + 1 < len(pieces) and _is_position(pieces[k + 1]))):
            continue
        described = False
        yield from _bare_name(part, is_first=k == 0)


def _before_date(text: str) -> str:
    """Return the text before its first date; the whole text if it begins with a date."""
    text = western(text) if has_year(text) else text
    found = next(iter(locate_dates(text)), None) if has_year(text) else None
    before = _BEFORE_DATE.sub("", text[: found.start]) if found else ""
    return before if before.strip(_AROUND) else text


def _is_position(text: str) -> bool:
    """Return whether a text after a name is a role or an employer."""
    words = set(folded(text).split())
    is_known = not words.isdisjoint(_OCCUPATIONS) or not words.isdisjoint(_ORGANISATIONS)
    return is_known or _POSITION.search(text.strip()) is not None


def _bare_name(part: str, is_first: bool) -> Iterator[str]:
    """Yield the name in a part of a byline without the words around it."""
    name = _AFTER_NAME.sub("", _INNER_BY.sub("", after_by(part) or part)).strip(_AROUND)
    while name and folded(last := name.rpartition(" ")[2]).replace(" ", "") in _DEGREES:
        name = name[: -len(last)].strip(_AROUND)
    match = ROLE_SUFFIX.search(name)
    bare = name[: match.start()] if match else ""
    # "Jane Doe Senior Writer", but not "News Desk Writer".
    has_role = not _ROLES_AND_ORGANISATIONS.isdisjoint(folded(bare).split())
    is_whole = has_role or " " not in bare
    if is_first or not match or not is_whole:  # a role after a name: "Political Editor"
        yield name if is_whole else bare


def _eastern_parts(text: str) -> Iterator[str]:
    """Split a byline in East Asian script: "本报记者 王小明 李建国" and "홍길동·김철수 기자"."""
    for k, piece in enumerate(_EASTERN_SEPARATOR.split(_IN_BRACKETS.sub("", text))):
        if k and piece.endswith(_REPORTED):  # "王小明／台北報導"
            continue
        name = after_by(piece) or piece
        name = _EASTERN_ROLE.sub("", name.strip(_AROUND)).strip(_AROUND)
        words = name.split()
        are_people = len(words) > 1 and all(1 < len(w) < 5 and w[0] in _FAMILIES for w in words)
        yield from words if are_people else [name]


def is_name(name: str) -> bool:
    """Return whether a text may be the name of an author."""
    if not 2 <= len(name) <= MAX_NAME or _BAD.search(name) or _SLUG.fullmatch(name):
        return False
    words = folded(name).split()
    return not (
        _GENERATIONS.issuperset(words)
        or len(words) > MAX_WORDS
        or any(map(str.isdigit, words))
        or words[-1] in ("by", "von", "par", "por", "as")
        or words[-1] in _OCCUPATIONS
        or _LONG_HAN.fullmatch(name)
        or (name.islower() and " " in name)
        or not _NEVER.isdisjoint(words)
        or _ROLES.issuperset(words)
    )


@lru_cache(maxsize=64)
def person_likeness(name: str, site: frozenset[str] = frozenset()) -> float:
    """Return the likeness of a name to a person's name, in [0, 1].

    ``site`` has the folded names of the site, without spaces.
    """
    words = folded(name).split()
    letters = "".join(words)
    if letters in site:
        return 0.2
    if not (_ORGANISATIONS.isdisjoint(words) and _OCCUPATIONS.isdisjoint(words)):
        return 0.3
    if not name[0].isascii() and not name[0].islower() and not name[0].isupper():
        return 1.0 if 2 <= len(letters) <= 12 else 0.6  # in a script without capitals
    if len(words) == 1:
        return 0.3 if name.isupper() and len(name) <= 5 else SINGLE if name[0].isupper() else 0.35
    proper = [w for w in _WORD_ENDS.split(name) if w and w.casefold() not in _PARTICLES]
    return 1.0 if all(not w[0].islower() for w in proper) and len(words) <= 5 else 0.4
