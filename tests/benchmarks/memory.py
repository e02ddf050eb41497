"""Measure whether a long crawl keeps memory of its pages: resident memory at 25 places.

    python -m tests.benchmarks.memory [CORPUS...] [--variants fusion+pvalue]

The pages come again and again, from loopback, each time under another address. Before each sample
the crawl becomes idle, garbage is collected and free memory returned to the system. Two things that
Scrapy and Twisted keep are kept small: the filter of duplicates sees no page, and the timers of
each request (180 seconds for the answer, 240 for the connection, held until then though they were
cancelled) are short or not needed.
"""

from __future__ import annotations

import sys

from scrapy_webtext.lab import table
from tests.benchmarks.pages import parser_of, source_of, versions
from tests.benchmarks.server import serving
from tests.benchmarks.spider import BARE, VARIANTS, order_of, run

SAMPLES = 25
SETTINGS = {"DOWNLOAD_TIMEOUT": 10, "DEFAULT_REQUEST_HEADERS": {"Connection": "close"}}


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--variants", nargs="+", choices=VARIANTS, default=["fusion+pvalue"])
    parser.add_argument("--pages", type=int, default=50_000)
    given = parser.parse_args()
    every = given.pages // SAMPLES
    found = {}
    with serving(given.corpora, given.every) as served:
        for variant in dict.fromkeys([BARE, *given.variants]):
            print(variant, file=sys.stderr)
            order = order_of(variant, served, SETTINGS, pages=given.pages, sample_every=every)
            found[variant] = run(order)
    samples = [measured.sampled_bytes for measured in found.values()]
    rows = [
        [f"{every * number}", *(f"{size / 1e6:.1f}" for size in sizes)]
        for number, sizes in enumerate(zip(*samples, strict=True), 1)
    ]
    rows.append(["growth", *(f"{100 * (sizes[-1] / sizes[0] - 1):+.1f} %" for sizes in samples)])
    print(table(["resident MB after pages", *found], rows))
    print(f"\n{served.pages} pages of {source_of(given.corpora)}, repeated. {versions()}.")
    for variant, measured in found.items():
        print(*(f"{variant}: {name} {count}\n" for name, count in measured.faults.items()), sep="")


if __name__ == "__main__":
    main()
