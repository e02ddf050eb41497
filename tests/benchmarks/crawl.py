"""Measure the cost of extraction in a crawl: one spider without it, per extractor, with peers.

    python -m tests.benchmarks.crawl [CORPUS...] [--every 10] [--variants bare fusion ...]

Pages are served on loopback by a process of their own. Each crawl has its own process too, and
crawls as fast as it can. Figures are medians over several rounds. Differences and ratios are those
of each round, since the speed of a shared machine changes from round to round.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from statistics import median
from typing import Any

from scrapy_webtext.lab import table
from scrapy_webtext.registry import EXTRACTORS
from tests.benchmarks.pages import parser_of, peers, source_of, versions
from tests.benchmarks.server import Served, serving
from tests.benchmarks.spider import CONCURRENCY, Measured, Order, run

BARE = "bare"
PEER = "resiliparse"
ADDON = {"ADDONS": {"scrapy_webtext.Addon": 500}}

#: Variant of the crawl -> settings that the bare crawl does not have.
VARIANTS: Mapping[str, Mapping[str, Any]] = {
    BARE: {},
    **{name: {**ADDON, "WEBTEXT_EXTRACTOR": name} for name in EXTRACTORS},
    "fusion+learned": {**ADDON, "WEBTEXT_EXTRACTOR": "fusion", "WEBTEXT_JUDGE": "learned"},
}
HEAD = ("crawl", "CPU, ms a page", "above bare", "ratio to resiliparse", "pages a second",
        "p99 lag above bare, ms", "end, MB")  # fmt: skip

Found = Mapping[str, Sequence[Measured]]


def order_of(
    variant: str, served: Served, settings: Mapping[str, Any] | None = None, **given: Any
) -> Order:
    """Return the order of a variant or of a peer."""
    peer = "" if variant in VARIANTS else variant
    settings = {**VARIANTS.get(variant, {}), **(settings or {})}
    return Order(served.base, settings=settings, peer=peer, **given)


def cpu_of(measured: Measured) -> float:
    """Return the CPU time per page in milliseconds."""
    return 1e3 * measured.cpu_seconds / measured.pages


def rows(found: Found) -> list[list[str]]:
    def above_bare(of: Callable[[Measured], float], crawls: Sequence[Measured]) -> list[float]:
        """Return the difference to the bare crawl of each round."""
        return [of(own) - of(bare) for own, bare in zip(crawls, found[BARE], strict=True)]

    above = {variant: above_bare(cpu_of, crawls) for variant, crawls in found.items()}
    result = []
    for variant, crawls in found.items():
        pairs = zip(above[variant], above.get(PEER, []), strict=False)
        ratios = [own / peer for own, peer in pairs if peer > 0]
        lag = above_bare(lambda measured: 1e3 * measured.lag_p99, crawls)
        result.append(
            [
                variant,
                f"{median(map(cpu_of, crawls)):.2f}",
                f"{median(above[variant]):.2f}",
                f"{median(ratios):.2f}" if ratios and variant != BARE else "",
                f"{median(measured.pages / measured.seconds for measured in crawls):.0f}",
                f"{median(lag):.1f}",
                f"{median(measured.end_bytes / 1e6 for measured in crawls):.0f}",
            ]
        )
    return result


def print_faults(found: Found) -> None:
    """Print a line for each fault of a crawl, equal lines once."""
    lines = [
        f"{variant}: {name} {count}"
        for variant, crawls in found.items()
        for measured in crawls
        for name, count in measured.faults.items()
    ]
    print(*dict.fromkeys(lines), sep="\n", end="\n" if lines else "")


def main() -> None:
    systems, missing = peers()
    every = [*VARIANTS, *systems]
    parser = parser_of(__doc__)
    parser.add_argument("--variants", nargs="+", choices=every, default=every, metavar="VARIANT",
                        help=", ".join(every))  # fmt: skip
    parser.add_argument("--pages", type=int, help="pages of each crawl; default: each page once")
    parser.add_argument("--warm-up", type=int, default=100, help="pages before the measured ones")
    parser.add_argument("--no-selectors", action="store_true", help="the spider parses nothing")
    parser.add_argument("--repeats", type=int, default=3, help="rounds over the variants")
    given = parser.parse_args()
    with serving(given.corpora, given.every) as served:
        pages = given.pages or served.pages
        found: dict[str, list[Measured]] = {v: [] for v in dict.fromkeys([BARE, *given.variants])}
        for _ in range(given.repeats):
            for variant, crawls in found.items():
                selects = not given.no_selectors
                order = order_of(
                    variant, served, pages=pages, warm_up=given.warm_up, selects=selects
                )
                crawls.append(run(order))
                print(f"{variant}: {cpu_of(crawls[-1]):.2f} ms a page", file=sys.stderr)
    print(table(HEAD, rows(found)))
    print(
        f"\n{pages} pages of {source_of(given.corpora)}, {CONCURRENCY} requests at a time; "
        f"medians of {given.repeats}. {versions()}."
    )
    print_faults(found)
    print(missing, end="\n" if missing else "")


if __name__ == "__main__":
    main()
