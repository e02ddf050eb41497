"""What extraction costs in a crawl: the same spider with nothing, with each extractor, with peers.

    python -m tests.benchmarks.crawl [CORPUS...] [--every 10] [--variants bare fusion ...]

Pages are served on loopback by a process of their own; each crawl is a process of its own too,
as fast as it can. Of several rounds over the variants, the crawl with the least CPU time counts.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from scrapy_webtext.evaluate.tables import table
from scrapy_webtext.registry import EXTRACTORS
from tests.benchmarks import peers
from tests.benchmarks.pages import add_arguments, source_of, versions
from tests.benchmarks.server import Served, serving
from tests.benchmarks.spider import Measured, Order, run

BARE = "bare"
ADDON = {"ADDONS": {"scrapy_webtext.Addon": 500}}

#: Variant of the crawl -> settings beyond the bare crawl's.
VARIANTS: Mapping[str, Mapping[str, Any]] = {
    BARE: {},
    **{name: {**ADDON, "WEBTEXT_EXTRACTOR": name} for name in EXTRACTORS},
    "fusion+learned": {**ADDON, "WEBTEXT_EXTRACTOR": "fusion", "WEBTEXT_JUDGE": "learned"},
}
HEAD = (
    "crawl",
    "CPU, ms a page",
    "above bare",
    "collecting garbage",
    "pages a second",
    "lag p50, ms",
    "lag p99, ms",
    "p99 above bare",
    "peak, MB",
    "end, MB",
)


def order_of(
    variant: str, served: Served, settings: Mapping[str, Any] | None = None, **given: Any
) -> Order:
    """The order of a variant; whatever is no variant is a peer."""
    peer = "" if variant in VARIANTS else variant
    settings = {**VARIANTS.get(variant, {}), **(settings or {})}
    return Order(served.base, settings=settings, peer=peer, **given)


def measure(orders: Mapping[str, Order], repeats: int) -> dict[str, Measured]:
    """The crawl of each variant that took least CPU time."""
    best: dict[str, Measured] = {}
    for _ in range(repeats):
        for variant, order in orders.items():
            measured = run(order)
            print(f"{variant}: {1e3 * cpu_of(measured):.2f} ms a page", file=sys.stderr)
            if variant not in best or cpu_of(measured) < cpu_of(best[variant]):
                best[variant] = measured
    return best


def cpu_of(measured: Measured) -> float:
    return measured.cpu_seconds / measured.pages


def rows(found: Mapping[str, Measured]) -> list[list[str]]:
    bare = found[BARE]
    return [
        [
            variant,
            f"{1e3 * cpu_of(measured):.2f}",
            f"{1e3 * (cpu_of(measured) - cpu_of(bare)):.2f}",
            f"{1e3 * measured.collecting_seconds / measured.pages:.2f}",
            f"{measured.pages / measured.seconds:.0f}",
            f"{1e3 * measured.lag_p50:.1f}",
            f"{1e3 * measured.lag_p99:.1f}",
            f"{1e3 * (measured.lag_p99 - bare.lag_p99):.1f}",
            f"{measured.peak_bytes / 1e6:.0f}",
            f"{measured.end_bytes / 1e6:.0f}",
        ]
        for variant, measured in found.items()
    ]


def faults(found: Mapping[str, Measured]) -> list[str]:
    """A line for each crawl in which something went wrong."""
    return [
        f"{variant}: {name} {count}"
        for variant, measured in found.items()
        for name, count in measured.faults.items()
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    others, missing = peers.installed()
    every = [*VARIANTS, *others]
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_arguments(parser)
    parser.add_argument("--variants", nargs="+", choices=every, default=every, metavar="VARIANT",
                        help=", ".join(every))  # fmt: skip
    parser.add_argument("--pages", type=int, help="as many; without it, each page once")
    parser.add_argument("--warm-up", type=int, default=100, help="pages before those that count")
    parser.add_argument("--concurrency", type=int, default=16)
    parser.add_argument("--freeze", action="store_true", help="gc.freeze() when a spider starts")
    parser.add_argument("--repeats", type=int, default=2, help="rounds over the variants")
    given = parser.parse_args(arguments)
    with serving(given.corpora, given.every) as served:
        how = {
            "pages": given.pages or served.pages,
            "warm_up": given.warm_up,
            "concurrency": given.concurrency,
            "freeze": given.freeze,
        }
        variants = dict.fromkeys([BARE, *given.variants])
        orders = {variant: order_of(variant, served, **how) for variant in variants}
        found = measure(orders, given.repeats)
    print(table(HEAD, rows(found)))
    print(
        f"\n{how['pages']} pages of {source_of(given.corpora)}, {given.concurrency} requests at a "
        f"time; best of {given.repeats}. {versions()}."
    )
    for line in filter(None, [*faults(found), peers.left_out(missing)]):
        print(line)


if __name__ == "__main__":
    main()
