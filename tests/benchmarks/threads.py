"""Measure how many more pages two threads read than one.

    python -m tests.benchmarks.threads [CORPUS...] [--every 10]

Wall-clock time from HTML to text, least of three rounds. The machine must do nothing else.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

from scrapy_webtext.page import parse
from scrapy_webtext.registry import make_extractor
from tests.benchmarks.pages import parser_of, read_pages, source_of, versions

ROUNDS = 3


def milliseconds(extractor: str, sources: list[str], threads: int) -> float:
    """Return the least time per page of several rounds over the pages."""
    extract = make_extractor(extractor).extract
    times = []
    with ThreadPoolExecutor(threads) as pool:
        for _ in range(ROUNDS + 1):  # the first one warms up
            start = time.perf_counter()
            list(pool.map(lambda source: extract(parse(source)), sources))
            times.append(time.perf_counter() - start)
    return 1e3 * min(times[1:]) / len(sources)


def main() -> None:
    given = parser_of(__doc__).parse_args()
    sources = [page.html for page in read_pages(given.corpora, given.every)]
    for extractor in ("pvalue", "fusion"):
        one, two = (milliseconds(extractor, sources, threads) for threads in (1, 2))
        print(
            f"{extractor}: {one:.2f} ms a page, {two:.2f} with two threads; "
            f"{one / two:.2f} times as many pages"
        )
    print(f"\n{len(sources)} pages of {source_of(given.corpora)}; best of {ROUNDS}. {versions()}.")


if __name__ == "__main__":
    main()
