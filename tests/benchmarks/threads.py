"""How many more pages two threads read than one.

    python -m tests.benchmarks.threads [CORPUS...] [--every 10]

Wall-clock time from HTML to text, least of three rounds, when the machine has nothing else to do.
"""

from __future__ import annotations

import argparse
import time
from concurrent.futures import ThreadPoolExecutor

from scrapy_webtext.page import parse
from scrapy_webtext.registry import make_extractor
from tests.benchmarks.pages import add_arguments, read_pages, source_of, versions

ROUNDS = 3


def seconds(extractor: str, sources: list[str], threads: int) -> float:
    """Return the least time of several rounds over the pages."""
    extract = make_extractor(extractor).extract
    times = []
    with ThreadPoolExecutor(threads) as pool:
        for _ in range(ROUNDS + 1):  # the first warms up
            start = time.perf_counter()
            list(pool.map(lambda source: extract(parse(source)), sources))
            times.append(time.perf_counter() - start)
    return min(times[1:])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add_arguments(parser)
    given = parser.parse_args()
    sources = [page.html for page in read_pages(given.corpora, given.every)]
    for extractor in ("pvalue", "fusion"):
        one, two = (seconds(extractor, sources, threads) for threads in (1, 2))
        each = (
            f"{1000 * one / len(sources):.2f} ms a page, {1000 * two / len(sources):.2f} with two"
        )
        print(f"{extractor}: {each} threads; {one / two:.2f} times as many pages")
    print(f"\n{len(sources)} pages of {source_of(given.corpora)}; best of {ROUNDS}. {versions()}.")


if __name__ == "__main__":
    main()
