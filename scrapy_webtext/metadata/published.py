"""When the article was published and modified: the day on which most sources agree.

A declared date has the time of day and its zone. What stands near the headline is the day as
readers see it. A date that only one weak source has is taken where no other contradicts it.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any, Final

from scrapy_webtext.metadata.address import date_in_address
from scrapy_webtext.metadata.dates import read_date
from scrapy_webtext.metadata.found import Found
from scrapy_webtext.metadata.shown_dates import Vote, dates_elsewhere, shown_dates
from scrapy_webtext.metadata.sources import Sources

#: Names of <meta> that say when something was published, and mean it.
_STRONG: Final = frozenset(
    "article:published_time og:article:published_time datepublished sailthru.date "
    "parsely-pub-date dc.date.issued dcterms.issued cxenseparse:recs:publishtime "
    "citation_publication_date pubdate article:published".split()
)
#: Less weight decides nothing.
LEAST: Final = 0.45
#: Where no vote has so much, what the rest of the page says counts, too.
SURE: Final = 0.6
_DAY: Final = timedelta(days=1)


def find_published(sources: Sources) -> Found | None:
    """Return when the article was published, in ISO 8601."""
    votes = _published(sources)
    if all(vote.weight < SURE for vote in votes):
        votes += dates_elsewhere(sources, is_said=bool(votes))
    best = _elect(votes)
    return Found(str(best.moment), best.source) if best else None


def find_modified(sources: Sources) -> Found | None:
    """Return when the article was last changed, in ISO 8601, where the page declares it."""
    best = _elect(list(_modified(sources)))
    return Found(str(best.moment), best.source) if best else None


def _elect(votes: list[Vote]) -> Vote | None:
    """Return the vote to follow: of the day with the most weight, the one that is most precise."""
    if len({vote.moment.day for vote in votes}) == 1:
        return _localised(max(votes, key=_rank), votes)
    loudest: dict[tuple[date, str], float] = {}
    for vote in votes:
        key = (vote.moment.day, vote.source)
        loudest[key] = max(vote.weight, loudest.get(key, 0.0))
    weights: dict[date, float] = {}
    for (day, _), weight in loudest.items():
        weights[day] = weights.get(day, 0.0) + weight
    # What is shown is of the reader's zone, what is declared often of another.
    support = {
        day: weight + sum(0.5 * weights.get(day + shift, 0.0) for shift in (_DAY, -_DAY))
        for day, weight in weights.items()
    }
    best = max(support, key=support.__getitem__, default=None)
    if best is None or support[best] < LEAST:
        return None
    of_day = [vote for vote in votes if vote.moment.day == best]
    return _localised(max(of_day, key=_rank), votes)


def _localised(found: Vote, votes: list[Vote]) -> Vote:
    """Return a vote for a moment of UTC as another one that is the same moment has it shown."""
    moment = found.moment
    if moment.time is None or moment.zone != timedelta(0):
        return found
    for vote in votes:
        local = vote.moment
        if local.time is None or local.zone == timedelta(0):
            continue
        offset = local.clock() - moment.clock()
        if local.zone is not None and offset != local.zone:
            continue
        seconds = offset.total_seconds()
        # Shown without seconds, as a rule.
        rest = seconds % 900
        if 870 <= abs(seconds) <= 14 * 3600 and (
            rest < 1 or (not local.time[2] and 900 - rest < 60)
        ):
            whole = round(offset.total_seconds() / 900) * 900
            zone = timedelta(seconds=whole)
            return vote._replace(moment=moment.at(zone), source=f"{found.source}, {vote.source}")
    return found


def _rank(vote: Vote) -> tuple[int, float]:
    """Return how precise a vote is, then its weight."""
    moment = vote.moment
    return (moment.time is not None) + (
        moment.time is not None and bool(moment.zone is not None)
    ), vote.weight


def _published(sources: Sources) -> list[Vote]:
    """Return all votes; what readers see has one where it may tell more than what is declared."""
    votes = list(_declared(sources))
    is_local = any(vote.moment.zone for vote in votes)  # has a zone, and not UTC
    if is_local and len(votes) > 1 and len({vote.moment.day for vote in votes}) == 1:
        return votes
    return [*votes, *shown_dates(sources, sources.language)]


def _declared(sources: Sources) -> Iterator[Vote]:
    language = sources.language
    for source, value in sources.values("datePublished"):
        yield from _vote(value, source, 2.0 if "webpage" in source else 3.0, language)
    for prop in sources.properties:
        if prop.field == "published":
            weight = 2.5 if prop.is_own else 1.0
            yield from _vote(_value(sources, prop.node), f"microdata {prop.name}", weight, language)
    for source, texts in sources.head.values("published"):
        strong = source.removeprefix("meta ") in _STRONG
        yield from _vote(texts[0], source, 2.5 if strong else 1.0, language)
    for source, value in sources.values("dateCreated", "uploadDate"):
        yield from _vote(value, source, 1.0, language)
    if moment := date_in_address(sources.page.url):
        yield Vote(moment, "address", 2.0)


def _modified(sources: Sources) -> Iterator[Vote]:
    language = sources.language
    for source, value in sources.values("dateModified"):
        yield from _vote(value, source, 2.0 if "webpage" in source else 3.0, language)
    for prop in sources.properties:
        if prop.field == "modified" and prop.is_own:
            yield from _vote(_value(sources, prop.node), f"microdata {prop.name}", 2.5, language)
    for source, texts in sources.head.values("modified"):
        yield from _vote(texts[0], source, 2.0, language)


def _vote(value: Any, source: str, weight: float, language: str) -> Iterator[Vote]:
    if isinstance(value, list):
        value = value[0] if value else None
    if isinstance(value, dict):
        value = value.get("@value")
    if moment := read_date(value, language):
        yield Vote(moment, source, weight)


def _value(sources: Sources, node: int) -> str:
    return (
        sources.attribute(node, "content")
        or sources.attribute(node, "datetime")
        or sources.text_of(node)
    )
