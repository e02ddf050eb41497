"""What extraction costs in a crawl: the same spider with nothing, with each extractor, with peers.

    python -m tests.benchmarks.crawl [CORPUS...] [--every 10] [--variants bare fusion ...]

Pages are served on loopback by a process of their own; each crawl is a process of its own too,
as fast as it can. Figures are medians over several rounds, differences and ratios those of each
round: the speed of a machine that others use changes from round to round.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import median
from typing import Any

from scrapy_webtext.lab.tables import table
from scrapy_webtext.registry import EXTRACTORS
from tests.benchmarks import peers
from tests.benchmarks.pages import add_arguments, source_of, versions
from tests.benchmarks.server import Served, serving
from tests.benchmarks.spider import CONCURRENCY, Measured, Order, run

BARE = "bare"
PEER = "resiliparse"
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
    "ratio to resiliparse",
    "pages a second",
    "p99 lag above bare, ms",
    "end, MB",
)


def order_of(
    variant: str, served: Served, settings: Mapping[str, Any] | None = None, **given: Any
) -> Order:
    """The order of a variant; whatever is no variant is a peer."""
    peer = "" if variant in VARIANTS else variant
    settings = {**VARIANTS.get(variant, {}), **(settings or {})}
    return Order(served.base, settings=settings, peer=peer, **given)


def measure(orders: Mapping[str, Order], repeats: int) -> dict[str, list[Measured]]:
    """The crawls of each variant, one a round."""
    found: dict[str, list[Measured]] = {variant: [] for variant in orders}
    for _ in range(repeats):
        for variant, order in orders.items():
            measured = run(order)
            print(f"{variant}: {cpu_of(measured):.2f} ms a page", file=sys.stderr)
            found[variant].append(measured)
    return found


def cpu_of(measured: Measured) -> float:
    """CPU time of a page in milliseconds."""
    return 1e3 * measured.cpu_seconds / measured.pages


def rows(found: Mapping[str, Sequence[Measured]]) -> list[list[str]]:
    above = {
        variant: list(_above(found[BARE], crawls, cpu_of)) for variant, crawls in found.items()
    }
    peer = above.get(PEER, [])
    rows = []
    for variant, crawls in found.items():
        ratios = [
            own / other for own, other in zip(above[variant], peer, strict=False) if other > 0
        ]
        lag = _above(found[BARE], crawls, lambda one: 1e3 * one.lag_p99)
        rows.append(
            [
                variant,
                f"{median(map(cpu_of, crawls)):.2f}",
                f"{median(above[variant]):.2f}",
                f"{median(ratios):.2f}" if ratios and variant != BARE else "",
                f"{median(one.pages / one.seconds for one in crawls):.0f}",
                f"{median(lag):.1f}",
                f"{median(one.end_bytes / 1e6 for one in crawls):.0f}",
            ]
        )
    return rows


def _above(
    bare: Iterable[Measured], crawls: Iterable[Measured], of: Callable[[Measured], float]
) -> Iterable[float]:
    """Yield per round what a crawl has more than the bare one."""
    return (of(one) - of(other) for one, other in zip(crawls, bare, strict=True))


def faults(found: Mapping[str, Sequence[Measured]]) -> list[str]:
    """A line for each crawl in which something went wrong, once for equal ones."""
    lines = [
        f"{variant}: {name} {count}"
        for variant, crawls in found.items()
        for measured in crawls
        for name, count in measured.faults.items()
    ]
    return list(dict.fromkeys(lines))


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
    parser.add_argument("--no-selectors", action="store_true", help="the spider parses nothing")
    parser.add_argument("--repeats", type=int, default=3, help="rounds over the variants")
    given = parser.parse_args(arguments)
    with serving(given.corpora, given.every) as served:
        how = {
            "pages": given.pages or served.pages,
            "warm_up": given.warm_up,
            "selects": not given.no_selectors,
        }
        variants = dict.fromkeys([BARE, *given.variants])
        orders = {variant: order_of(variant, served, **how) for variant in variants}
        found = measure(orders, given.repeats)
    print(table(HEAD, rows(found)))
    print(
        f"\n{how['pages']} pages of {source_of(given.corpora)}, {CONCURRENCY} requests at a "
        f"time; medians of {given.repeats}. {versions()}."
    )
    for line in filter(None, [*faults(found), peers.left_out(missing)]):
        print(line)


if __name__ == "__main__":
    main()
