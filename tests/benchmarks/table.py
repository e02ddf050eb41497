"""CPU time of the extractors on real pages, beside other packages: the table of docs/speed.md.

    python -m tests.benchmarks.table [CORPUS...] [--every 10] [--repeats 3] [--systems NAMES]

There is a row for each corpus: a mean over kinds of pages would describe no one's pages. Each
page is given to all systems in turn, several rounds, each in another order; the least time of
a system on a page counts (CPU time of the thread). Numbers are sums over the pages, as ratios to
that of resiliparse.

Alone: HTML as a string in, text out. *Parsed* is what the extension adds to a crawl whose
spider parsed the page for its selectors. ``fusion`` stands with a judgement, the others are the
extractor alone.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from random import Random
from typing import NamedTuple

from scrapy.http import HtmlResponse

from scrapy_webtext.crawling.responses import read_page
from scrapy_webtext.extraction import extract_page
from scrapy_webtext.lab.systems import TextSystem
from scrapy_webtext.lab.tables import table
from scrapy_webtext.page import Page, parse
from scrapy_webtext.registry import DEFAULT_JUDGE, make_extractor, make_judge
from tests.benchmarks import peers
from tests.benchmarks.pages import (
    SourcePage,
    add_arguments,
    default_corpora,
    read_pages,
    source_of,
    versions,
)

#: What the others are compared with.
FIRST = "resiliparse"
DEFAULT = "pvalue,fusion"

#: A system, or the same on a parse that is there.
Row = tuple[str, str]
#: Row -> seconds on each page; None where the system raised.
Times = Mapping[Row, Sequence[float | None]]


class Forms(NamedTuple):
    """One page, as systems take it."""

    source: SourcePage
    response: HtmlResponse  #: with the selector that the spider made


Work = Callable[[Forms], object]


def own_system(name: str) -> Callable[[Page], object]:
    """An extractor; ``fusion`` with the default judge."""
    extractor = make_extractor(name)
    if name != "fusion":
        return extractor.extract
    return partial(extract_page, extractor=extractor, judge=make_judge(DEFAULT_JUDGE))


def works(own: Iterable[str], others: Mapping[str, TextSystem]) -> dict[Row, Work]:
    found: dict[Row, Work] = {}
    for name in own:
        found[name, "cold"] = partial(_cold, own_system(name))
        found[name, "parsed"] = partial(_parsed, own_system(name))
    for name, peer in others.items():
        found[name, "cold"] = partial(_peer, peer)
    return found


def _cold(system: Callable[[Page], object], forms: Forms) -> object:
    return system(parse(forms.source.html, url=forms.source.url))


def _parsed(system: Callable[[Page], object], forms: Forms) -> object:
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


def head(systems: Iterable[Row]) -> list[str]:
    named = [name if form == "cold" else f"{name}, parsed" for name, form in systems]
    return ["Kind of page", "pages", f"{FIRST}, ms", *named]


def row(kind: str, times: Times) -> list[str]:
    """Return the pages, milliseconds of a page, and the ratios of sums."""
    first = times.get((FIRST, "cold"), ())
    known = [value for value in first if value is not None]
    mean = f"{1e3 * sum(known) / len(known):.2f}" if known else ""
    pages = len(next(iter(times.values())))
    return [kind, str(pages), mean, *(_ratio(seconds, first) for seconds in times.values())]


def _ratio(of: Sequence[float | None], to: Sequence[float | None]) -> str:
    """Return the ratio of sums, over the pages on which both gave something."""
    found = [(a, b) for a, b in zip(of, to, strict=False) if a is not None and b is not None]
    return f"{sum(a for a, _ in found) / sum(b for _, b in found):.2f}" if found else ""


def faults(times: Times) -> list[str]:
    counts = {name: list(seconds).count(None) for (name, _), seconds in times.items()}
    return [f"{name} raised on {count} pages." for name, count in counts.items() if count]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_arguments(parser)
    parser.add_argument("--systems", default=DEFAULT, help=f"our extractors (default: {DEFAULT})")
    parser.add_argument("--repeats", type=int, default=3, help="rounds over the systems per page")
    given = parser.parse_args(arguments)
    peers.silence()
    others, missing = peers.installed()
    systems = works(given.systems.split(","), others)
    rows, lines = [], []
    for corpus in given.corpora or default_corpora() or [""]:
        pages = read_pages([corpus] if corpus else [], given.every)
        times = measure(pages, systems, given.repeats)
        rows.append(row(source_of([corpus] if corpus else []), times))
        lines += faults(times)
    print(table(head(systems), rows))
    print(f"\nRatios to {FIRST}; best of {given.repeats}. {versions()}.")
    for line in filter(None, [*lines, peers.left_out(missing)]):
        print(line)


if __name__ == "__main__":
    main()
