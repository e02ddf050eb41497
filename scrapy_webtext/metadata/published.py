"""Finds when the article was published and modified: the day with the most votes.

Declared dates, dates near the headline and the date in the address are votes. A declared date gives
the time and its zone; a visible date gives the day that readers see. If there is only one day, the
date of a single weak source suffices.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from enum import Enum
from typing import Final, NamedTuple

from scrapy_webtext.core.words import UNSPACED
from scrapy_webtext.metadata.dates import TABLES, Moment, has_year, locate_dates, read_date, western
from scrapy_webtext.metadata.names import after_by
from scrapy_webtext.metadata.sources import (
    TITLE,
    Candidate,
    Sources,
    elect,
    once,
    split_address,
    support,
    value_in,
)
from scrapy_webtext.metadata.surroundings import (
    MAX_CHARS,
    Place,
    find_bounds,
    find_dated,
    find_others,
    labelled_text,
    own_dated,
)
from scrapy_webtext.metadata.text import first_of, one_line
from scrapy_webtext.metadata.title import find_headline

#: Minimum support (sum of weights) of a day, if the votes are for several days.
MIN_SUPPORT: Final = 0.45
#: If no vote has at least this weight, dates elsewhere on the page are votes, too.
SURE: Final = 0.6
_DAY: Final = timedelta(days=1)
_UTC: Final = timedelta(0)
_WEIGHTS: Final = {Place.BELOW: 1.6, Place.ABOVE: 1.1, Place.INSIDE: 0.8, Place.AFTER: 0.5}


def _beginnings(table: str) -> str:
    """Return a pattern that matches the words of a table at the beginning of words.

    East Asian words are matched anywhere.
    """
    words = [word.replace("_", r"\s") for word in TABLES.words(table)]
    spaced = "|".join(word for word in words if word <= "\u0e00")
    return "|".join([rf"\b(?:{spaced})", *(word for word in words if word > "\u0e00")])


#: Lower-case words before a date of change or of publication.
_ROLE: Final = re.compile(
    rf"(?P<changed>{_beginnings('change')})|(?P<other>{_beginnings('other dates')})"
    rf"|{_beginnings('publication')}"
)
_LABELS: Final = frozenset(TABLES.words("date labels"))
#: Matches texts that may have a date of change.
_CHANGE: Final = re.compile("|".join(TABLES.words("change")).replace("_", r"\s"))
#: Class or itemprop of a <time> with a date of change (`_PUBLISHED_ELEMENT`: of publication).
_CHANGED_ELEMENT: Final = re.compile(r"updat|modif|revis", re.IGNORECASE)
_PUBLISHED_ELEMENT: Final = re.compile(r"publi|posted|created|issued", re.IGNORECASE)
#: `Candidate.key` of a date of change that votes for the date of publication.
CHANGE: Final = "(of a change)"
#: Maximum number of characters before a date, and after the last date, in which words for its role
#: are searched.
BEFORE: Final = 80
AFTER: Final = 14
_ARTICLE: Final = frozenset({"article"})
ELSEWHERE: Final = "elsewhere on the page"
#: Separators between a date and other text, including the end of a sentence.
_SEPARATOR: Final = re.compile(r"[|·•—–/()\[\]:;\n。：／｜（）【】]|\s-{1,2}\s|[.!?](?:\s|\Z)")
#: A date is in a sentence if more words without a capital are around it (`MAX_BEFORE_POINT`: if the
#: end of a sentence follows).
MAX_AROUND: Final = 3.5
MAX_BEFORE_POINT: Final = 1.5
#: Maximum number of dates of a page that are read.
MAX_DATES: Final = 50
#: Maximum number of characters of a dateline, and of blocks that are searched for it.
DATELINE_CHARS: Final = 60
DATELINE_BLOCKS: Final = 3
_DAY_IN_PATH: Final = re.compile(
    r"(?:^|[/_-])((?:19|20)\d\d)([/_-]?)(0[1-9]|1[0-2]|[1-9](?!\d))\2"
    r"(?:(0[1-9]|[12]\d|3[01])(?!\d)|([1-9])(?=/|$))"
)


@once
def find_published(sources: Sources) -> Candidate | None:
    """Return when the article was published, in ISO 8601."""
    votes = list(_read_dates(sources, sources.declarations("published")))
    votes += _read_dates(sources, sources.of_json_ld("created"))
    if moment := date_in_address(sources.page.url):
        votes.append(Candidate(moment, "address", weight=1.9))
    votes += _dates_in_titles(sources)
    has_zone = any(vote.value.zone for vote in votes)  # a zone other than UTC
    if not (has_zone and len(votes) > 1 and len({vote.value.day for vote in votes}) == 1):
        votes += _visible_dates(sources)
    if all(vote.weight < SURE for vote in votes):
        votes += _dates_elsewhere(sources, must_be_named=bool(votes))
    return _elect(votes)


def _dates_in_titles(sources: Sources) -> Iterator[Candidate]:
    """Yield the dates that are a piece of a declared title: "Boat gone | Courier | 03.05.2020"."""
    titles = [*sources.of_meta("title"), Candidate(sources.page.title[:MAX_CHARS], TITLE)]
    for title in titles:
        text = western(title.value)
        for one in locate_dates(text, sources.language) if has_year(text) else ():
            after = text[one.end :].lstrip()
            is_last = not after or after[0] in "|–—·-"
            if is_last and text[: one.start].rstrip().endswith(("|", "–", "—", " -", "·")):
                yield title._replace(value=one.moment, weight=1.2)


def find_modified(sources: Sources) -> Candidate | None:
    """Return when the article was last changed, in ISO 8601: declared, else visible.

    A date before the publication is dropped: the text was edited before it was published.
    """
    declared = list(_read_dates(sources, sources.declarations("modified")))
    found = _elect(declared or list(_visible_changes(sources)))
    published = find_published(sources)
    return None if found and published and _is_before(found.value, published.value) else found


def _is_before(one: str, other: str) -> bool:
    """Return whether a moment in ISO 8601 is before another; days if a zone is unknown."""
    first, second = (datetime.fromisoformat(text.replace("Z", "+00:00")) for text in (one, other))
    return first < second if first.tzinfo and second.tzinfo else first.date() < second.date()


def _elect(votes: list[Candidate]) -> Candidate | None:
    """Return the most precise date of the day with the most support; None if it has too little.

    Adjacent days support a day, because declared dates are often in another time zone.
    """

    def score(day: date) -> float:
        near = (vote for vote in votes if abs(vote.value.day - day) <= _DAY)
        return support(
            ((vote.value.day, *vote[1:3], vote.key), vote.weight / (1 + (vote.value.day != day)))
            for vote in near
        )

    days = dict.fromkeys(vote.value.day for vote in votes)
    best = elect(days, score, MIN_SUPPORT if len(days) > 1 else 0.0)
    if best is None:
        return None
    winner = max([vote for vote in votes if vote.value.day == best], key=_rank)
    found = _localise(winner, votes)
    return found._replace(value=str(found.value))


def _rank(vote: Candidate) -> tuple[int, float]:
    """Return (precision, weight) of a vote; a date of change has the lowest precision."""
    _, time, zone = vote.value
    precision = (time is not None) + (time is not None and zone is not None)
    return precision if vote.key != CHANGE else -1, vote.weight


def _localise(winner: Candidate, votes: list[Candidate]) -> Candidate:
    """Convert a moment in UTC, or without a zone, to the zone in which it equals another vote."""
    for vote in votes:
        moment, local = winner.value, vote.value
        if moment.zone is None:
            moment, local = local, moment
        if moment.time is None or moment.zone != _UTC or local.time is None or local.zone == _UTC:
            continue
        offset = local.clock() - moment.clock()
        if local.zone not in (None, offset):
            continue
        seconds = offset.total_seconds()
        rest = seconds % 900
        # A visible time usually has no seconds.
        is_zone = rest < 1 or (not local.time[2] and rest > 840)
        if is_zone and 870 <= abs(seconds) <= 14 * 3600:
            zone = timedelta(seconds=round(seconds / 900) * 900)
            return Candidate(moment.at(zone), f"{winner.source}, {vote.source}")
    return winner


def _read_dates(sources: Sources, values: Iterator[Candidate]) -> Iterator[Candidate]:
    """Yield the candidates whose values are dates; the values become moments."""
    for one in values:
        if moment := read_date(value_in(first_of(one.value), "@value"), sources.language):
            yield one._replace(value=moment)


def date_in_address(url: str | None) -> Moment | None:
    """Return the day in the path of an address, such as /2023/12/17/ or /20231217/."""
    match = _DAY_IN_PATH.search(split_address(url).path)
    return read_date(f"{match[1]}-{match[3]}-{match[4] or match[5]}") if match else None


class Role(Enum):
    """The role of a date. Its value multiplies the date's weight as a date of publication."""

    PUBLISHED = 2.5
    PLAIN = 1.0
    CHANGED = 0.25
    MODIFIED = 0.0  #: the element declares it a date of change
    IN_SENTENCE = -1.0


_CHANGES: Final = (Role.CHANGED, Role.MODIFIED)


class Dated(NamedTuple):
    """A date in a text or in <time>, and its role."""

    moment: Moment
    role: Role


@once
def _near_dates(sources: Sources) -> dict[str, list[Dated]]:
    """Return place -> dates in text and in <time> near the headline."""
    language, bounds = sources.language, find_bounds(sources)
    runs, blocks = sources.page.runs, sources.page.blocks
    is_in_article = sources.page.nodes.inside(_ARTICLE)
    stamps: list[tuple[str, Dated]] = []
    changed: list[str] = []
    for node in sources.tagged("time")[:MAX_DATES] if bounds else ():
        block = bisect_right(blocks.first_run, runs.first[node]) - 1
        place = bounds.place_of(block) if bounds else ""
        is_other = find_others(sources)[node] or sources.item_around(node).endswith("comment")
        if not place or is_other:
            continue
        own = sources.text_of(node)
        around = one_line(blocks.text[block][:MAX_CHARS]) if block >= 0 else ""
        before, _, after = around.partition(own or "\0")
        role = role_of(before) if _is_apart(before, after) else Role.IN_SENTENCE
        names = f"{sources.attribute(node, 'class')} {sources.attribute(node, 'itemprop')}"
        if names.lower().endswith("modified"):
            role = Role.MODIFIED
        elif _PUBLISHED_ELEMENT.search(names):
            is_sure = role == Role.PUBLISHED or place in (Place.BELOW, Place.INSIDE)
            is_sure = is_sure or bool(is_in_article[node])
            role = Role.PUBLISHED if is_sure else Role.PLAIN
        elif _CHANGED_ELEMENT.search(names):
            role = Role.CHANGED
        if role in _CHANGES and len(dated(own, language)) == 1:
            changed.append(own)
        if stamp := read_date(sources.attribute(node, "datetime"), language):
            stamps.append((place, Dated(stamp, role)))
    dates: dict[str, list[Dated]] = {}
    for block, place in find_dated(sources):
        text = labelled_text(sources, block)
        for own in changed:
            text = text.replace(own, "|", 1)
        dates.setdefault(place, []).extend(dated(text, language))
    for place, one in stamps:
        dates.setdefault(place, []).append(one)
    return dates


def _visible_dates(sources: Sources) -> Iterator[Candidate]:
    """Yield dates near the headline; if none is below it, the dateline, too."""
    has_date = False
    for place, near in _near_dates(sources).items():
        voting = [one for one in near if one.role.value > 0]
        if place in (Place.INSIDE, Place.AFTER):
            voting = [one for one in voting if one.role != Role.CHANGED]
        days = {moment.day for moment, role in voting if role != Role.PUBLISHED}
        if place in (Place.ABOVE, Place.AFTER) and len(days) > 1:  # dates of other articles
            voting = [one for one in voting if one.role == Role.PUBLISHED]
        for number, (moment, role) in enumerate(voting):
            # Of the text and the attribute of a <time>, the role decides.
            earlier = sum(
                one.role == role or one.moment.day != moment.day for one in voting[:number]
            )
            has_date = has_date or place == Place.BELOW
            key = CHANGE if role == Role.CHANGED else ""
            weight = _WEIGHTS[place] * role.value * 0.5**earlier
            yield Candidate(moment, place, weight=weight, key=key)
    if not has_date:
        yield from _dateline(sources)


def _visible_changes(sources: Sources) -> Iterator[Candidate]:
    """Yield the dates of change near the headline, and elsewhere if the page has only one."""
    for place, near in _near_dates(sources).items():
        for moment, role in near:
            if role in _CHANGES:
                yield Candidate(moment, place, weight=_WEIGHTS[place])
    if not any(_CHANGE.search(text.lower()) for text in _dated_blocks(sources)):
        return
    changes = [moment for moment, role in _dates_of_page(sources) if role == Role.CHANGED]
    if len({moment.day for moment in changes}) == 1:
        yield Candidate(changes[0], ELSEWHERE, weight=MIN_SUPPORT)


#: What parts the labels of a line.
_BETWEEN_LABELS: Final = re.compile(r"[\n|•·]")


def role_of(text: str) -> Role:
    """Return the role of a date; the last word for a role in the text before it decides."""
    text = text[-BEFORE:].lower()
    words = list(_ROLE.finditer(text))
    if not words:
        label = _BETWEEN_LABELS.split(text)[-1].strip(" :：")
        return Role.PUBLISHED if label in _LABELS else Role.PLAIN
    if words[-1]["other"]:
        return Role.IN_SENTENCE
    return Role.CHANGED if words[-1]["changed"] else Role.PUBLISHED


def dated(text: str, language: str) -> list[Dated]:
    """Return the dates in a text, with their roles."""
    text = western(text)
    found = locate_dates(text, language, is_short=True)
    ends = [0, *(one.end for one in found)]
    starts = [*(one.start for one in found), len(text)]
    gaps = [text[end:start] for end, start in zip(ends, starts, strict=True)]
    roles = list(map(role_of, gaps))
    if roles[0] == Role.PLAIN != role_of(gaps[-1][:AFTER]):  # as in "2 May updated"
        del roles[0]
    for k, role in enumerate(roles[: len(found)]):
        if role == Role.PLAIN and not _is_apart(*gaps[k : k + 2]):
            roles[k] = Role.IN_SENTENCE
    return [Dated(one.moment, role) for one, role in zip(found, roles, strict=False)]


def _is_apart(before: str, after: str) -> bool:
    """Return whether a date between two texts is not part of a sentence.

    Lower-case words show a sentence. "Berlin, 3 May 2020", "By Jane Doe on" and text after a
    separator do not.
    """
    left, right = _SEPARATOR.split(before[-BEFORE:])[-1], after
    if end := _SEPARATOR.search(after):
        right = after[: end.start()]
    if not left.strip() and not right.lstrip(", ")[:1].islower() and not UNSPACED.match(right):
        return True
    if left.rstrip().endswith((",", "،")) or after_by(left.strip()):
        left = ""
    words = [*left.split(), *right.split()]
    around = sum(0.6 + 0.4 * word[0].islower() for word in words if _is_lower(word))
    # Text without spaces is part of the sentence only next to the date.
    joined = left[left.rfind(" ") + 1 :] + right.partition(" ")[0]
    around += len(UNSPACED.findall(joined)) / 3
    is_sentence = end is not None and end[0][0] in ".!?。"
    return bool(around <= (MAX_BEFORE_POINT if is_sentence else MAX_AROUND))


def _is_lower(word: str) -> bool:
    """Return whether a word begins with a letter that is no capital, in scripts with spaces."""
    is_small = len(word) > 1 and word[0].isalpha() and not word[0].isupper()
    return is_small and not UNSPACED.match(word)


@once
def _dated_blocks(sources: Sources) -> list[str]:
    """Return the texts of visible short blocks that may have the page's date."""
    blocks = sources.page.blocks
    short = (block for block, chars in enumerate(blocks.chars) if chars <= MAX_CHARS)
    dated = [block for block in own_dated(sources, short) if not sources.is_hidden(block)]
    return [one_line(labelled_text(sources, block)) for block in dated]


@once
def _dates_of_page(sources: Sources) -> list[Dated]:
    """Return the dates in visible short blocks of the page; an empty list if there are too many."""
    found: dict[Dated, None] = {}
    for text in _dated_blocks(sources):
        found.update(dict.fromkeys(dated(text, sources.language)))
        if len(found) > MAX_DATES:
            return []
    return sorted(found, key=lambda one: (one.moment.day, -one.role.value))


def _dates_elsewhere(sources: Sources, must_be_named: bool) -> Iterator[Candidate]:
    """Yield the only date with a word for publication, or the only date of the page.

    Called if no declared date and no date near the headline is sure.
    """
    dates = _dates_of_page(sources)
    named = [one for one in dates if one.role == Role.PUBLISHED]
    for found in (named,) if must_be_named else (named, dates):
        if len({one.moment.day for one in found}) == 1 and found[0].role.value >= 1:
            yield Candidate(found[0].moment, ELSEWHERE)
            return


def _dateline(sources: Sources) -> Iterator[Candidate]:
    """Yield the date at the start of the headline or text: "Berlin, 3 May 2020. ..."."""
    blocks, excluded = sources.page.blocks, find_others(sources)
    for block in (find_headline(sources)[1], *sources.extraction.chosen[:DATELINE_BLOCKS]):
        is_own = block >= 0 and not excluded[blocks.node[block]]
        text = labelled_text(sources, block)[:MAX_CHARS] if is_own else ""
        found = dated(text, sources.language)[:1] if has_year(text[:DATELINE_CHARS]) else []
        for moment, role in found:
            if role.value > 0:
                key = CHANGE if role == Role.CHANGED else ""
                yield Candidate(moment, "dateline", weight=0.7 * min(role.value, 1), key=key)
                if not key:
                    return
