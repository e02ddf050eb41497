"""Measure CPU time of the extractors on real pages, next to other packages.

    python -m tests.benchmarks.table [CORPUS...] [--every 10] [--repeats 3] [--systems NAMES]
    python -m tests.benchmarks.table [CORPUS...] --sizes 10 100 1000 10000

There is a row per corpus, since a mean over kinds of pages describes no user's pages. Each page
is given to all systems in turn, in several rounds with another order each. The least CPU time of
the thread counts. Numbers are sums over the pages, as ratios to that of resiliparse.

A system takes HTML as a string and returns text. *Parsed* is the time that the extension adds to a
crawl whose spider parsed the page for its selectors. ``fusion`` includes a judgement, the others
are only the extractor. ``fusion+main_markdown`` and ``fusion+all`` add result fields.

With ``--sizes`` a row is a page of that many kB: the content of the first page's <body>, repeated.
Each system reads it in a copy of this process, which reports its CPU time and peak of memory.
"""

from __future__ import annotations

import logging
import os
import resource
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random

from scrapy.http import HtmlResponse

from scrapy_webtext.crawling.responses import read_page
from scrapy_webtext.lab import Table
from scrapy_webtext.lab.evaluation import TextSystem
from scrapy_webtext.page import Page, parse
from scrapy_webtext.reader import PageReader
from scrapy_webtext.registry import make_extractor
from tests.benchmarks.pages import (
    PEERS,
    SourcePage,
    default_corpora,
    parser_of,
    peers,
    read_pages,
    source_of,
    versions,
)

#: The others are compared with this system.
FIRST = "resiliparse"
DEFAULT = "pvalue,fusion"

#: From a page, and its response with the selector that the spider made, to a result.
Work = Callable[[SourcePage, HtmlResponse], object]
#: System -> seconds on each page; None if the system raised.
Times = Mapping[str, Sequence[float | None]]


def own_system(name: str) -> Callable[[Page], object]:
    name, _, fields = name.partition("+")
    extractor = make_extractor(name)
    if name != "fusion":
        return extractor.extract
    return PageReader.of(extractor, include=fields or ()).result


def works(own: Iterable[str], others: Mapping[str, TextSystem]) -> dict[str, Work]:
    found: dict[str, Work] = {}
    reader = PageReader.of()
    for name in own:
        system = own_system(name)
        found[name] = lambda source, _, system=system: system(parse(source.html, url=source.url))
        found[f"{name}, parsed"] = lambda _, response, system=system: system(
            read_page(response, reader)
        )
    for name, peer in others.items():
        found[name] = lambda source, _, peer=peer: peer.text(*source)
    return found


def measure(pages: Iterable[SourcePage], systems: Mapping[str, Work], repeats: int) -> Times:
    times: dict[str, list[float | None]] = {name: [] for name in systems}
    # The order changes, since a system leaves traces in the processor's caches for the next.
    order, chance = list(systems), Random(0)
    for page in pages:
        body = page.html.encode("utf-8", "replace")
        response = HtmlResponse(page.url or "https://example.com/", body=body, encoding="utf-8")
        response.css("title")
        rounds: dict[str, list[float]] = {name: [] for name in systems}
        for _ in range(repeats):
            chance.shuffle(order)
            for name in order:
                began = time.thread_time()
                try:
                    systems[name](page, response)
                except Exception:
                    continue
                rounds[name].append(time.thread_time() - began)
        for name, seconds in rounds.items():
            times[name].append(min(seconds, default=None))
    return times


def row(kind: str, times: Times) -> list[str]:
    """Return the pages, milliseconds of a page, and the ratios of sums."""
    first = times.get(FIRST, ())
    known = [value for value in first if value is not None]
    mean = f"{1e3 * sum(known) / len(known):.2f}" if known else ""
    pages = len(next(iter(times.values())))
    return [kind, str(pages), mean, *(_ratio(seconds, first) for seconds in times.values())]


def _ratio(of: Sequence[float | None], to: Sequence[float | None]) -> str:
    """Return the ratio of sums, over the pages on which neither system raised."""
    found = [(a, b) for a, b in zip(of, to, strict=False) if a is not None and b is not None]
    return f"{sum(a for a, _ in found) / sum(b for _, b in found):.2f}" if found else ""


def faults(times: Times) -> list[str]:
    counts = {name: list(seconds).count(None) for name, seconds in times.items()}
    return [f"{name} raised on {count} pages." for name, count in counts.items() if count]


def grown(page: SourcePage, size: int) -> SourcePage:
    """Return a page of ``size`` characters: the content of <body>, repeated."""
    low = page.html.lower()
    begin, end = low.find(">", low.find("<body")) + 1, low.rfind("</body")
    inner = page.html[begin:end]
    return page._replace(html=f"<html><body>{(inner * (1 + size // len(inner)))[:size]}")


def cost(work: Work, page: SourcePage, response: HtmlResponse) -> tuple[float, float]:
    """Return the CPU time (seconds) and the peak of memory (bytes) of a copy of this process."""
    reader, writer = os.pipe()
    if (pid := os.fork()) == 0:
        before, began = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.thread_time()
        work(page, response)
        seconds = time.thread_time() - began
        peak = 1024 * (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
        os.write(writer, f"{seconds} {peak}".encode())
        os._exit(0)
    os.close(writer)
    os.waitpid(pid, 0)
    with os.fdopen(reader) as report:
        seconds, peak = map(float, report.read().split())
    return seconds, peak


def print_sizes(page: SourcePage, systems: Mapping[str, Work], sizes: Iterable[int]) -> None:
    response, rows = HtmlResponse("https://example.com/"), []
    whole = {name: work for name, work in systems.items() if "parsed" not in name}
    for work in whole.values():
        work(page, response)
    for size in sizes:
        made = grown(page, 1000 * size)
        n = len(parse(made.html).nodes)
        costs = [cost(work, made, response) for work in whole.values()]
        cells = [f"{1e3 * seconds:.0f} ms, {peak / n:.0f} B" for seconds, peak in costs]
        rows.append([f"{size} kB", str(n), *cells])
    print(Table(["page", "elements", *whole], rows))
    print(f"\nCPU time, and bytes of memory per element at the peak. {versions()}.")


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--systems", default=DEFAULT, help=f"our extractors (default: {DEFAULT})")
    parser.add_argument("--repeats", type=int, default=3, help="rounds over the systems per page")
    parser.add_argument("--sizes", type=int, nargs="+", metavar="KB", help="a page that grows")
    given = parser.parse_args()
    for name in PEERS:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    others, missing = peers()
    systems = works(given.systems.split(","), others)
    if given.sizes:
        print_sizes(next(read_pages(given.corpora)), systems, given.sizes)
        return
    rows, lines = [], []
    for corpus in given.corpora or default_corpora() or [""]:
        corpora = [corpus] if corpus else []
        times = measure(read_pages(corpora, given.every), systems, given.repeats)
        rows.append(row(source_of(corpora), times))
        lines += faults(times)
    print(Table(["Kind of page", "pages", f"{FIRST}, ms", *systems], rows))
    print(f"\nRatios to {FIRST}; best of {given.repeats}. {versions()}.")
    print(*filter(None, [*lines, missing]), sep="\n")


if __name__ == "__main__":
    main()
