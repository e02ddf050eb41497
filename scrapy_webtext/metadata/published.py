"""When the article was published and modified: the day with the most votes.

A declared date has the time of day and its zone. A date near the headline is the day that readers
see. The date of a single weak source is the fallback if no other date differs.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final
from urllib.parse import urlsplit

from scrapy_webtext.metadata.dates import TABLES, Moment, find_dates, has_year, read_date
from scrapy_webtext.metadata.entities import value_in
from scrapy_webtext.metadata.sources import Candidate, Sources
from scrapy_webtext.metadata.surroundings import MAX_CHARS, Place, find_bounds, find_dated
from scrapy_webtext.metadata.text import first_of, one_line
from scrapy_webtext.metadata.title import find_headline

#: Minimum support of a day.
MIN_SUPPORT: Final = 0.45
#: Without a vote of this weight, dates elsewhere on the page count, too.
SURE: Final = 0.6
_DAY: Final = timedelta(days=1)
_UTC: Final = timedelta(0)
_WEIGHTS: Final = {Place.BELOW: 1.6, Place.ABOVE: 1.1, Place.INSIDE: 0.8, Place.AFTER: 0.5}
#: Starts of words before the date of a change, and before the date of publication.
_CHANGE: Final = tuple(TABLES.words("change"))
_PUBLICATION: Final = tuple(TABLES.words("publication"))
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
#: Maximum of dates of a page that are read.
MAX_DATES: Final = 50
#: Maximum of characters of a dateline, and of blocks that are searched for it.
DATELINE_CHARS: Final = 60
DATELINE_BLOCKS: Final = 3
#: Maximum of characters of an address that are read.
MAX_ADDRESS: Final = 2_000
_DAY_IN_PATH: Final = re.compile(
    r"(?:^|[/_-])((?:19|20)\d\d)([/_-]?)(0[1-9]|1[0-2]|[1-9](?!\d))\2"
    r"(?:(0[1-9]|[12]\d|3[01])(?!\d)|([1-9])(?=/|$))"
)


def find_published(sources: Sources) -> Candidate | None:
    """Return when the article was published, in ISO 8601."""
    votes = list(_declared_dates(sources))
    has_zone = any(vote.value.zone for vote in votes)  # and not UTC
    if not (has_zone and len(votes) > 1 and len({vote.value.day for vote in votes}) == 1):
        votes += _visible_dates(sources)
    if all(vote.weight < SURE for vote in votes):
        votes += _dates_elsewhere(sources, must_be_named=bool(votes))
    return _elect(votes)


def find_modified(sources: Sources) -> Candidate | None:
    """Return when the article was last changed, in ISO 8601, as the page declares it."""
    return _elect(list(_read_dates(sources, sources.declarations("modified"))))


def _elect(votes: list[Candidate]) -> Candidate | None:
    """Return the most precise date of the day with the most support, if it has enough."""
    days = {vote.value.day for vote in votes}
    best = _best_day(votes) if len(days) > 1 else next(iter(days), None)
    if best is None:
        return None
    winner = max([vote for vote in votes if vote.value.day == best], key=_rank)
    found = _localise(winner, votes)
    return found._replace(value=str(found.value))


def _best_day(votes: list[Candidate]) -> date | None:
    """Return the day with the most support, None if it has too little."""
    loudest: dict[tuple[date, str], float] = {}
    for vote in votes:
        key = vote.value.day, vote.source
        loudest[key] = max(vote.weight, loudest.get(key, 0.0))
    weights: dict[date, float] = {}
    for (day, _), weight in loudest.items():
        weights[day] = weights.get(day, 0.0) + weight
    # A visible date is of the reader's zone, a declared one often of another.
    support = {
        day: weight + sum(0.5 * weights.get(day + shift, 0.0) for shift in (_DAY, -_DAY))
        for day, weight in weights.items()
    }
    best = max(support, key=support.__getitem__)
    return best if support[best] >= MIN_SUPPORT else None


def _rank(vote: Candidate) -> tuple[int, float]:
    """Return how precise a vote is, then its weight."""
    _, time, zone = vote.value
    return (time is not None) + (time is not None and zone is not None), vote.weight


def _localise(winner: Candidate, votes: list[Candidate]) -> Candidate:
    """Return a moment of UTC in the zone of another vote for the same moment."""
    moment = winner.value
    if moment.time is None or moment.zone != _UTC:
        return winner
    for vote in votes:
        local = vote.value
        if local.time is None or local.zone == _UTC:
            continue
        offset = local.clock() - moment.clock()
        if local.zone not in (None, offset):
            continue
        seconds = offset.total_seconds()
        rest = seconds % 900
        # A visible clock has no seconds, as a rule.
        is_zone = rest < 1 or (not local.time[2] and rest > 840)
        if is_zone and 870 <= abs(seconds) <= 14 * 3600:
            zone = timedelta(seconds=round(seconds / 900) * 900)
            return Candidate(moment.at(zone), f"{winner.source}, {vote.source}")
    return winner


def _declared_dates(sources: Sources) -> Iterator[Candidate]:
    """Yield the dates of publication that the page and its address declare."""
    yield from _read_dates(sources, sources.declarations("published"))
    yield from _read_dates(sources, sources.of_json_ld("created"))
    if moment := date_in_address(sources.page.url):
        yield Candidate(moment, "address", weight=2.0)


def _read_dates(sources: Sources, values: Iterator[Candidate]) -> Iterator[Candidate]:
    """Yield the values that are dates, as moments."""
    for one in values:
        if moment := read_date(value_in(first_of(one.value), "@value"), sources.language):
            yield one._replace(value=moment)


def date_in_address(url: str | None) -> Moment | None:
    """Return the day in the path of an address, such as /2023/12/17/ or /20231217/."""
    try:
        match = _DAY_IN_PATH.search(urlsplit((url or "")[:MAX_ADDRESS]).path)
    except ValueError:
        return None
    return read_date(f"{match[1]}-{match[3]}-{match[4] or match[5]}") if match else None


def _visible_dates(sources: Sources) -> Iterator[Candidate]:
    """Yield the dates in text and in <time> near the headline."""
    language = sources.language
    dates: dict[str, list[tuple[Moment, float]]] = {}
    for text, place in find_dated(sources):
        for moment in find_dates(text, language, is_short=True):
            dates.setdefault(place, []).append((moment, _factor(text)))
    for node, place in _time_elements(sources):
        if stamp := read_date(sources.attribute(node, "datetime"), language):
            text = sources.text_of(sources.page.nodes.parent[node])
            dates.setdefault(place, []).append((stamp, _factor(text)))
    for place, moments in dates.items():
        days = {moment.day for moment, factor in moments if factor < 2}
        if place in (Place.ABOVE, Place.AFTER) and len(days) > 1:  # of other articles
            moments = [(moment, factor) for moment, factor in moments if factor > 1]
        for number, (moment, factor) in enumerate(moments):
            yield Candidate(moment, place, weight=_WEIGHTS[place] * factor * 0.5**number)
    if Place.BELOW not in dates:
        yield from _dateline(sources)


def _factor(text: str) -> float:
    """Return the weight of a date of publication by the words around it."""
    words = _WORD.findall(text[:60].casefold())
    if any(word.startswith(_CHANGE) for word in words):
        return 0.25
    return 2.5 if any(word.startswith(_PUBLICATION) for word in words) else 1.0


def _dates_elsewhere(sources: Sources, must_be_named: bool) -> Iterator[Candidate]:
    """Yield the only date with a word for publication, or the only date of the page.

    For pages without a date that is declared or near the headline.
    """
    blocks = sources.page.blocks
    factors: dict[Moment, float] = {}
    for block, text in enumerate(blocks.text):
        if blocks.chars[block] <= MAX_CHARS and has_year(text) and not sources.is_hidden(block):
            for moment in find_dates(one_line(text), sources.language):
                factors[moment] = max(_factor(text), factors.get(moment, 0.0))
            if len(factors) > MAX_DATES:
                return
    named = [moment for moment, factor in factors.items() if factor > 1]
    for moments in (named,) if must_be_named else (named, list(factors)):
        if len({moment.day for moment in moments}) == 1:
            yield Candidate(moments[0], "elsewhere on the page")
            return


def _dateline(sources: Sources) -> Iterator[Candidate]:
    """Yield the date at the beginning of headline or text: "Berlin, 3 May 2020. ..."."""
    for block in (find_headline(sources)[1], *sources.extraction.chosen[:DATELINE_BLOCKS]):
        start = sources.page.blocks.text[block][:DATELINE_CHARS] if block >= 0 else ""
        if has_year(start) and (dates := list(find_dates(start, sources.language))):
            factor = min(_factor(start), 1.0)
            yield Candidate(dates[0], "dateline", weight=0.7 * factor)
            if factor == 1.0:
                return


def _time_elements(sources: Sources) -> Iterator[tuple[int, str]]:
    """Yield the <time> near the headline, and their places."""
    runs, blocks = sources.page.runs, sources.page.blocks
    bounds = find_bounds(sources)
    if bounds is None:
        return
    for node in sources.tagged("time")[:MAX_DATES]:
        block = bisect_right(blocks.first_run, runs.first[node]) - 1
        if place := bounds.place_of(block):
            yield node, place
