"""When the article was published and modified: the day on which most sources agree.

A declared date has the time of day and its zone. What stands near the headline is the day as
readers see it. A date that only one weak source has is taken where no other contradicts it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from scrapy_webtext.metadata.address import date_in_address
from scrapy_webtext.metadata.dates import Moment, find_dates, has_year, read_date
from scrapy_webtext.metadata.found import Found
from scrapy_webtext.metadata.surroundings import AFTER, BEFORE, MAX_CHARS, is_hidden
from scrapy_webtext.metadata.words import one_line

if TYPE_CHECKING:
    from scrapy_webtext.metadata.sources import Sources

#: Names of <meta> that say when something was published, and mean it.
_STRONG: Final = frozenset(
    "article:published_time og:article:published_time datepublished sailthru.date "
    "parsely-pub-date dc.date.issued dcterms.issued cxenseparse:recs:publishtime "
    "citation_publication_date pubdate article:published".split()
)
#: Words before a date that say that it is of a change.
_CHANGED: Final = re.compile(
    r"updat|modif|chang|edited|aktualisier|geändert|letzte[r]? (?:änderung|bearbeitung)|"
    r"mis à jour|mise à jour|actuali[sz]a|atualiza|aggiornat|bijgewerkt|gewijzigd|uppdatera|"
    r"opdatere|oppdatert|päivitetty|zmodyfik|aktualiz|frissít|обновл|изменен|оновлен|güncelle|"
    r"更新|修改|수정|ενημ[εέ]ρωσ|reviewed",
    re.IGNORECASE,
)
#: Words before a date that say that it is of publication.
_PUBLISHED: Final = re.compile(
    r"publish|posted|veröffentlich|erstellt|erschienen|publié|publicad|pubblicat|gepubliceerd|"
    r"publicerad|julkaistu|publiceret|publisert|opublikowan|zveřejněn|опубликован|"
    r"oluşturma|yayın|发布|發布|公開|δημοσ",
    re.IGNORECASE,
)
MAX_TIMES: Final = 50
#: Characters of a text within which its dateline stands.
DATELINE: Final = 60
#: Less weight decides nothing.
LEAST: Final = 0.45

_DAY: Final = timedelta(days=1)


class Vote(NamedTuple):
    """A source that speaks for a moment."""

    moment: Moment
    source: str
    weight: float


def find_published(sources: Sources) -> Found | None:
    """Return when the article was published, in ISO 8601."""
    best = _elect(list(_published(sources)) or list(_elsewhere(sources)))
    return Found(str(best.moment), best.source) if best else None


def find_modified(sources: Sources) -> Found | None:
    """Return when the article was last changed, in ISO 8601, where the page declares it."""
    best = _elect(list(_modified(sources)))
    return Found(str(best.moment), best.source) if best else None


def _elect(votes: list[Vote]) -> Vote | None:
    """Return the vote to follow: of the day with the most weight, the one that is most precise."""
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
    if best is None or (support[best] < LEAST and len(weights) > 1):
        return None
    of_day = [vote for vote in votes if vote.moment.day == best]
    found = max(of_day, key=lambda vote: (_precision(vote.moment), vote.weight))
    return _localised(found, votes)


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
        seconds = abs(offset.total_seconds())
        # Shown without seconds, as a rule.
        rest = seconds % 900
        if 900 <= seconds <= 14 * 3600 and (rest < 1 or (not local.time[2] and 900 - rest < 60)):
            whole = round(offset.total_seconds() / 900) * 900
            zone = timedelta(seconds=whole)
            return vote._replace(moment=moment.at(zone), source=f"{found.source}, {vote.source}")
    return found


def _precision(moment: Moment) -> int:
    return (moment.time is not None) + (moment.time is not None and moment.zone is not None)


def _published(sources: Sources) -> Iterator[Vote]:
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
    yield from _shown(sources, language)


def _shown(sources: Sources, language: str) -> Iterator[Vote]:
    """Yield the dates that readers see near the headline, and those of <time> there."""
    found: dict[str, list[tuple[Moment, float]]] = {}
    for text, _, place in sources.nearby:
        if has_year(text):
            for moment in find_dates(text, language, is_short=True):
                found.setdefault(place, []).append((moment, _kind(text)))
    for node, place in _times(sources):
        if stamp := read_date(sources.attribute(node, "datetime"), language):
            text = sources.text_of(sources.page.nodes.parent[node])
            found.setdefault(place, []).append((stamp, _kind(text)))
    for place, dates in found.items():
        weight = _WEIGHTS[place]
        if (
            place in ("above", "after")
            and len({moment.day for moment, kind in dates if kind < 2}) > 1
        ):
            dates = [(moment, kind) for moment, kind in dates if kind > 1]
        for number, (moment, kind) in enumerate(dates):
            yield Vote(moment, f"{place} the headline", weight * kind * 0.5**number)
    if "below" not in found:
        yield from _dateline(sources, language)


_WEIGHTS: Final = {"below": 1.6, "above": 1.1, "in": 0.8, "after": 0.5}


def _kind(text: str) -> float:
    """Return how much the words around a date speak for its being that of publication."""
    if _CHANGED.search(text[:60]):
        return 0.25
    return 2.5 if _PUBLISHED.search(text[:60]) else 1.0


def _elsewhere(sources: Sources) -> Iterator[Vote]:
    """Yield the date that a page shows as that of publication, or the only one that it shows.

    For pages that neither declare one nor show it near the headline.
    """
    blocks, language = sources.page.blocks, sources.language
    found: dict[Moment, float] = {}
    for block, text in enumerate(blocks.text):
        if blocks.chars[block] <= MAX_CHARS and has_year(text) and not is_hidden(sources, block):
            for moment in find_dates(one_line(text), language):
                found[moment] = max(_kind(text), found.get(moment, 0.0))
            if len(found) > MAX_TIMES:
                return
    published = [moment for moment, kind in found.items() if kind > 1]
    for only in (published, list(found)):
        if len({moment.day for moment in only}) == 1:
            yield Vote(only[0], "elsewhere on the page", 1.0)
            return


def _dateline(sources: Sources, language: str) -> Iterator[Vote]:
    """Yield the date that the headline or the text begins with: "Berlin, 3 May 2020. ..."."""
    for block in (sources.headline[1], *sources.extraction.chosen[:1]):
        if block >= 0:
            for moment in find_dates(sources.page.blocks.text[block][:DATELINE], language):
                yield Vote(moment, "dateline", 0.7)
                return


def _times(sources: Sources) -> Iterator[tuple[int, str]]:
    """Yield the <time> near the headline, and where they stand."""
    runs, blocks = sources.page.runs, sources.page.blocks
    found = sources.bounds
    if found is None:
        return
    for node in sources.tagged("time")[:MAX_TIMES]:
        block = bisect_right(blocks.first_run, runs.first[node]) - 1
        if found.headline < block < found.start:
            yield node, "below"
        elif found.headline - BEFORE <= block <= found.headline:
            yield node, "above"
        elif found.end <= block < found.end + AFTER:
            yield node, "after"


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
