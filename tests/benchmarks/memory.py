"""Whether a long crawl keeps anything of its pages: resident memory after each 1,000 of 50,000.

    python -m tests.benchmarks.memory [CORPUS...] [--variants bare fusion]

The pages come again and again, from loopback, under addresses of their own. For each sample the
crawl is let run dry, garbage is collected and free memory given back. What Scrapy and Twisted keep
by design is kept small: the filter of duplicates sees no page, and the timers of each request (180
seconds for the answer, 240 for the connection, held until then though they were cancelled) are
short or not needed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence

from scrapy_webtext.lab.tables import table
from tests.benchmarks.crawl import BARE, VARIANTS, faults, order_of
from tests.benchmarks.pages import add_arguments, source_of, versions
from tests.benchmarks.server import serving
from tests.benchmarks.spider import Measured, run


def rows(found: Mapping[str, Measured], first: int, every: int) -> list[list[str]]:
    """Memory after the first so many pages, and at up to ten further places to the end."""
    samples = {variant: measured.sampled_bytes for variant, measured in found.items()}
    count = len(samples[BARE])
    start = first // every - 1
    step = max(1, -(-(count - 1 - start) // 10))
    places = [start, *reversed(range(count - 1, start, -step))]
    found_rows = [
        [f"{every * (place + 1)}", *(f"{mb[place] / 1e6:.1f}" for mb in samples.values())]
        for place in places
    ]
    growth = [f"{100 * (mb[-1] / mb[start] - 1):+.1f} %" for mb in samples.values()]
    return [*found_rows, ["growth", *growth]]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_arguments(parser)
    parser.add_argument("--variants", nargs="+", choices=VARIANTS, default=["fusion"])
    parser.add_argument("--pages", type=int, default=50_000)
    parser.add_argument("--first", type=int, default=2_000, help="pages before growth counts")
    parser.add_argument("--sample", type=int, default=1_000, help="pages between two samples")
    given = parser.parse_args(arguments)
    with serving(given.corpora, given.every) as served:
        found = {}
        for variant in dict.fromkeys([BARE, *given.variants]):
            print(variant, file=sys.stderr)
            order = order_of(
                variant,
                served,
                {"DOWNLOAD_TIMEOUT": 10, "DEFAULT_REQUEST_HEADERS": {"Connection": "close"}},
                pages=given.pages,
                sample_every=given.sample,
            )
            found[variant] = run(order)
    head = ["resident MB after pages", *found]
    print(table(head, rows(found, given.first, given.sample)))
    print(f"\n{served.pages} pages of {source_of(given.corpora)}, repeated. {versions()}.")
    for line in faults({variant: [measured] for variant, measured in found.items()}):
        print(line)


if __name__ == "__main__":
    main()
