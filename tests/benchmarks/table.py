"""CPU time of the extractors on real pages, beside other packages: the table of the README.

    python -m tests.benchmarks.table [CORPUS...] [--every 10] [--repeats 3]

Each page is given to all systems in turn, several rounds, each in another order; the least time of
a system on a page counts (CPU time of the thread). Milliseconds are medians over the pages, ratios
medians of the ratios page by page.

*Cold* is HTML as a string in, text out. *Marginal* is what the extension adds to a crawl whose
spider parsed the page for its selectors. ``fusion`` stands with its judgement, the others are the
extractor alone.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from random import Random
from statistics import median
from typing import NamedTuple

from scrapy.http import HtmlResponse

from scrapy_webtext.crawling.responses import read_page
from scrapy_webtext.extraction import extract_page
from scrapy_webtext.lab.systems import TextSystem
from scrapy_webtext.lab.tables import table
from scrapy_webtext.page import Page, parse
from scrapy_webtext.registry import (
    EXTRACTORS,
    JUDGES,
    make_extractor,
    make_judge,
)
from tests.benchmarks import peers
from tests.benchmarks.pages import SourcePage, add_arguments, read_pages, source_of, versions

HEAD = (
    "CPU time of a page",
    "cold, ms",
    "marginal, ms",
    "cold / resiliparse",
    "marginal / resiliparse",
    "cold / trafilatura",
    "cold / readability",
)

#: A system, or the same on a parse that is there.
Row = tuple[str, str]
#: Row -> seconds on each page; None where the system raised.
Times = Mapping[Row, Sequence[float | None]]


class Forms(NamedTuple):
    """One page, as systems take it."""

    source: SourcePage
    response: HtmlResponse  #: with the selector that the spider made


Work = Callable[[Forms], object]


def own_systems() -> dict[str, Callable[[Page], object]]:
    """Each extractor; ``fusion`` with each judge."""
    systems: dict[str, Callable[[Page], object]] = {
        name: make_extractor(name).extract for name in EXTRACTORS if name != "fusion"
    }
    for judge in JUDGES:
        systems[f"fusion, judge {judge}"] = partial(
            extract_page, extractor=make_extractor("fusion"), judge=make_judge(judge)
        )
    return systems


def works(others: Mapping[str, TextSystem]) -> dict[Row, Work]:
    found: dict[Row, Work] = {}
    for name, system in own_systems().items():
        found[name, "cold"] = partial(_cold, system)
        found[name, "marginal"] = partial(_marginal, system)
    for name, peer in others.items():
        found[name, "cold"] = partial(_peer, peer)
    return found


def _cold(system: Callable[[Page], object], forms: Forms) -> object:
    return system(parse(forms.source.html, url=forms.source.url))


def _marginal(system: Callable[[Page], object], forms: Forms) -> object:
    return system(read_page(forms.response, True))


def _peer(peer: TextSystem, forms: Forms) -> object:
    return peer.text(*forms.source)


def measure(pages: Iterable[SourcePage], systems: Mapping[Row, Work], repeats: int) -> Times:
    times: dict[Row, list[float | None]] = {row: [] for row in systems}
    # What ran before leaves its traces in the processor's caches: the order changes.
    order, chance = list(systems), Random(0)
    for page in pages:
        forms = Forms(page, _response(page))
        rounds: dict[Row, list[float]] = {row: [] for row in systems}
        for _ in range(repeats):
            chance.shuffle(order)
            for row in order:
                seconds = _seconds(systems[row], forms)
                if seconds is not None:
                    rounds[row].append(seconds)
        for row, known in rounds.items():
            times[row].append(min(known, default=None))
    return times


def _response(page: SourcePage) -> HtmlResponse:
    body = page.html.encode("utf-8", "replace")
    response = HtmlResponse(page.url or "https://example.com/", body=body, encoding="utf-8")
    response.css("title")
    return response


def _seconds(work: Work, forms: Forms) -> float | None:
    began = time.thread_time()
    try:
        work(forms)
    except Exception:
        return None
    return time.thread_time() - began


def rows(times: Times) -> list[list[str]]:
    found = []
    for name in dict.fromkeys(name for name, _ in times):
        cold, marginal = times[name, "cold"], times.get((name, "marginal"), ())
        found.append(
            [
                name,
                _milliseconds(cold),
                _milliseconds(marginal),
                _ratio(cold, times.get(("resiliparse", "cold"), ())),
                _ratio(marginal, times.get(("resiliparse", "cold"), ())),
                _ratio(cold, times.get(("trafilatura", "cold"), ())),
                _ratio(cold, times.get(("readability", "cold"), ())),
            ]
        )
    return found


def _milliseconds(seconds: Sequence[float | None]) -> str:
    known = [value for value in seconds if value is not None]
    return f"{1e3 * median(known):.2f}" if known else ""


def _ratio(of: Sequence[float | None], to: Sequence[float | None]) -> str:
    if not of or not to:
        return ""
    found = [a / b for a, b in zip(of, to, strict=True) if a is not None and b]
    return f"{median(found):.2f}" if found else ""


def faults(times: Times) -> list[str]:
    counts = {name: list(seconds).count(None) for (name, _), seconds in times.items()}
    return [f"{name} raised on {count} pages." for name, count in counts.items() if count]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_arguments(parser)
    parser.add_argument("--repeats", type=int, default=3, help="rounds over the systems per page")
    given = parser.parse_args(arguments)
    peers.silence()
    others, missing = peers.installed()
    times = measure(read_pages(given.corpora, given.every), works(others), given.repeats)
    count = len(next(iter(times.values())))
    print(table(HEAD, rows(times)))
    print(f"\n{count} pages of {source_of(given.corpora)}; best of {given.repeats}. {versions()}.")
    for line in filter(None, [*faults(times), peers.left_out(missing)]):
        print(line)


if __name__ == "__main__":
    main()
