"""Measure the cost of extraction from archives, on each engine, next to other packages.

    python -m tests.benchmarks.archive write CORPUS.jsonl.gz... -o warc [--parts 4]
    python -m tests.benchmarks.archive measure warc [--engines local,dask,spark] [--repeats 3]

``write`` stores the pages of labelled corpora as Common Crawl does: WARC, one gzip member per
record. ``measure`` takes processor time and wall time of `scrapy webtext archive`, and of a plain
loop that extracts from the same bodies. Processor time is that of the whole machine, so it includes
scheduler, JVM and workers, and the machine must do nothing else. Engines are measured on a quarter
of the parts and on all of them: the difference is the cost of the pages, without the start of the
engine, which is printed separately. All is measured in turn, ``--repeats`` times, and medians are
printed, since the machine's own speed drifts by a fifth within minutes.
"""

from __future__ import annotations

import argparse
import gzip
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import NamedTuple

from scrapy_webtext.archive.readers import read_warc
from scrapy_webtext.extractors.peers import CALLS
from scrapy_webtext.lab.corpus import read_corpora
from scrapy_webtext.reader import PageReader
from scrapy_webtext.registry import DEFAULT_EXTRACTOR
from tests.archive import record

GIGA = 1_000_000_000
CORES = 64  #: of the machine in which a day's work is counted
LOOP = "a loop over bodies in memory"
PEERS = ("resiliparse", "trafilatura")


def write(corpora: Sequence[str], output: Path, parts: int) -> None:
    output.mkdir(parents=True, exist_ok=True)
    files = [(output / f"part-{number:03}.warc.gz").open("wb") for number in range(parts)]
    for number, page in enumerate(read_corpora(corpora)):
        body = page.html.encode("utf-8", "replace")
        files[number % parts].write(gzip.compress(record(number, body), 6))
    for file in files:
        file.close()


class Cost(NamedTuple):
    """Pages of a run and its seconds."""

    pages: int
    cpu: float
    wall: float

    def without(self, other: Cost) -> Cost:
        return Cost(self.pages - other.pages, self.cpu - other.cpu, self.wall - other.wall)


def busy_seconds() -> float:
    """Return the seconds that the machine's processors were busy since it started.

    No account of processes has the time of Spark's Python workers: no process waits for them.
    """
    line = Path("/proc/stat").read_text().split("\n", 1)[0]
    user, nice, system, _idle, _waiting, *interrupts = map(int, line.split()[1:8])
    return (user + nice + system + sum(interrupts)) / os.sysconf("SC_CLK_TCK")


def archive(files: Sequence[Path], pages: int, engine: str, workers: int) -> Cost:
    """Run the command until it and all its processes end."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "scrapy", "webtext", "archive"]
        command += [*map(str, files), "-o", folder]
        command += ["--engine", engine, "--workers", str(workers)]
        before, began = busy_seconds(), time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return Cost(pages, busy_seconds() - before, time.perf_counter() - began)


def bodies(files: Iterable[Path]) -> Iterator[tuple[str | None, str]]:
    for path in files:
        with path.open("rb") as file:
            for page in read_warc(file, 0):
                assert page.body is not None
                yield page.url, page.body.decode()


def loop(name: str, files: Sequence[Path]) -> Cost:
    """Return the cost of a plain loop over the bodies in memory, in a new process."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(_loop, name, files).result()


def _loop(name: str, files: Sequence[Path]) -> Cost:
    call: Callable[[str, str | None], object]
    if name in CALLS:
        call = CALLS[name]()
    else:
        reader = PageReader.of(name)
        call = lambda html, url: reader.result(reader.page(html, url=url))  # noqa: E731
    pages = list(bodies(files))
    cpu, wall = time.process_time(), time.perf_counter()
    for url, html in pages:
        call(html, url)
    return Cost(len(pages), time.process_time() - cpu, time.perf_counter() - wall)


def measure(folder: Path, engines: Sequence[str], workers: Sequence[int], repeats: int) -> None:
    files = sorted(folder.glob("*.warc.gz"))
    few = files[: max(1, len(files) // 4)]
    pages, few_pages = (sum(1 for _ in bodies(some)) for some in (files, few))
    print(f"{pages} pages in {len(files)} parts; load {os.getloadavg()[0]:.1f}", flush=True)
    costs: dict[str, list[Cost]] = {}
    starts: dict[str, list[float]] = {}
    for _ in range(repeats):
        costs.setdefault(LOOP, []).append(loop(DEFAULT_EXTRACTOR, files))
        for engine, number in product(engines, workers):
            start = archive(few, few_pages, engine, number)
            rest = archive(files, pages, engine, number).without(start)
            name = f"{engine}, {number} worker{'s' if number > 1 else ''}"
            costs.setdefault(name, []).append(rest)
            starts.setdefault(name, []).append(start.cpu - few_pages * rest.cpu / rest.pages)
        for peer in PEERS:
            costs.setdefault(f"{peer}, likewise", []).append(loop(peer, files))
    for name, runs in costs.items():
        show(name, runs, costs[LOOP])
    for name, seconds in starts.items():
        print(f"start of {name}: {median(seconds):.1f} s of processor time")


def show(name: str, runs: Sequence[Cost], loops: Sequence[Cost]) -> None:
    """Print the medians of some runs, and of their ratios to the loops of the same turns."""
    each = [run.cpu / run.pages for run in runs]
    ratio = median(one / (run.cpu / run.pages) for one, run in zip(each, loops, strict=True))
    hours = median(each) * GIGA / 3600
    print(
        f"{name}: {1e3 * median(each):.2f} ms a page, {ratio:.2f} times the loop, "
        f"{median(run.pages / run.wall for run in runs):.1f} pages a second; 10^9 pages: "
        f"{hours:,.0f} core hours, {hours / 24 / CORES:.1f} machines for a day"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    subparsers = parser.add_subparsers(dest="command", required=True)
    writing = subparsers.add_parser("write")
    writing.add_argument("corpora", nargs="+")
    writing.add_argument("-o", dest="output", type=Path, required=True)
    writing.add_argument("--parts", type=int, default=4)
    measuring = subparsers.add_parser("measure")
    measuring.add_argument("folder", type=Path)
    measuring.add_argument("--engines", default="local,dask,spark")
    measuring.add_argument("--workers", default="1,2")
    measuring.add_argument("--repeats", type=int, default=3)
    given = parser.parse_args()
    if given.command == "write":
        write(given.corpora, given.output, given.parts)
    else:
        workers = list(map(int, given.workers.split(",")))
        measure(given.folder, given.engines.split(","), workers, given.repeats)


if __name__ == "__main__":
    main()
