"""The dates that readers see: near the headline, where the text begins, or elsewhere."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Final, NamedTuple

from scrapy_webtext.metadata.dates import Moment, find_dates, has_year, read_date
from scrapy_webtext.metadata.headline import find_headline
from scrapy_webtext.metadata.sources import Sources
from scrapy_webtext.metadata.surroundings import (
    AFTER,
    BEFORE,
    MAX_CHARS,
    PLACES,
    find_bounds,
    find_dated,
    is_hidden,
)
from scrapy_webtext.metadata.words import one_line

#: Beginnings of words before a date that say that it is of a change, and of publication.
_CHANGED: Final = tuple(
    "updat modif chang edited aktualisier geändert änderung bearbeitung jour actuali actualiz "
    "atualiza aggiornat bijgewerkt gewijzigd uppdatera opdatere oppdatert päivitetty zmodyfik "
    "aktualiz frissít обновл изменен оновлен güncelle ενημ reviewed 更新 修改 수정".split()
)
_PUBLISHED: Final = tuple(
    "publi posted post veröffentlich erstellt erschienen pubblicat gepubliceerd julkaistu "
    "opublikowan zveřejněn опубликован oluşturma yayın 发布 發布 公開 δημοσ".split()
)
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
MAX_TIMES: Final = 50
#: Characters of a text within which its dateline stands.
DATELINE: Final = 60
#: Blocks of a text of which one may begin with it.
BEGINNING: Final = 3


class Vote(NamedTuple):
    """A source that speaks for a moment."""

    moment: Moment
    source: str
    weight: float


_WEIGHTS: Final = {"below": 1.6, "above": 1.1, "in": 0.8, "after": 0.5}


def shown_dates(sources: Sources, language: str) -> Iterator[Vote]:
    """Yield the dates that readers see near the headline, and those of <time> there."""
    found: dict[str, list[tuple[Moment, float]]] = {}
    for text, _, place in find_dated(sources):
        for moment in find_dates(text, language, is_short=True):
            found.setdefault(place, []).append((moment, _kind(text)))
    for node, place in _times(sources):
        if stamp := read_date(sources.attribute(node, "datetime"), language):
            text = sources.text_of(sources.page.nodes.parent[node])
            found.setdefault(place, []).append((stamp, _kind(text)))
    for place, dates in found.items():
        weight = _WEIGHTS[place]
        days = {moment.day for moment, kind in dates if kind < 2}
        if place in ("above", "after") and len(days) > 1:  # of other articles
            dates = [(moment, kind) for moment, kind in dates if kind > 1]
        for number, (moment, kind) in enumerate(dates):
            yield Vote(moment, PLACES[place], weight * kind * 0.5**number)
    if "below" not in found:
        yield from _dateline(sources, language)


def _kind(text: str) -> float:
    """Return how much the words around a date speak for its being that of publication."""
    said = _WORD.findall(text[:60].casefold())
    if any(word.startswith(_CHANGED) for word in said):
        return 0.25
    return 2.5 if any(word.startswith(_PUBLISHED) for word in said) else 1.0


def dates_elsewhere(sources: Sources, is_said: bool = False) -> Iterator[Vote]:
    """Yield the date that a page shows as that of publication, or the only one that it shows.

    For pages that neither declare one nor show it near the headline; the only one is left out
    where words must say what it is (``is_said``).
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
    for only in (published,) if is_said else (published, list(found)):
        if len({moment.day for moment in only}) == 1:
            yield Vote(only[0], "elsewhere on the page", 1.0)
            return


def _dateline(sources: Sources, language: str) -> Iterator[Vote]:
    """Yield the date that the headline or the text begins with: "Berlin, 3 May 2020. ..."."""
    for block in (find_headline(sources)[1], *sources.extraction.chosen[:BEGINNING]):
        if block >= 0:
            start = sources.page.blocks.text[block][:DATELINE]
            for moment in find_dates(start, language) if has_year(start) else ():
                yield Vote(moment, "dateline", 0.7)
                return


def _times(sources: Sources) -> Iterator[tuple[int, str]]:
    """Yield the <time> near the headline, and where they stand."""
    runs, blocks = sources.page.runs, sources.page.blocks
    found = find_bounds(sources)
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
