"""What extraction from archives costs, on each engine, beside trafilatura.

    python -m tests.benchmarks.archive write CORPUS.jsonl.gz... -o warc [--parts 4]
    python -m tests.benchmarks.archive measure warc [--engines local,dask,spark] [--repeats 3]

``write`` stores the pages of labelled corpora as Common Crawl does: WARC, one gzip member per
record. ``measure`` takes processor time (of the whole machine, which should do nothing else:
scheduler, JVM and workers are all in it) and wall time of `scrapy webtext archive` and, in the
same run, of a loop over the same bodies that does nothing but extract. Engines are measured on a
quarter of the parts and on all of them: the difference is what a page costs, without the start of
the engine, which is given apart. Everything is measured in turn, as often as --repeats says, and
medians are given: the machine's own speed drifts by a fifth within minutes.
"""

from __future__ import annotations

import argparse
import gzip
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from pathlib import Path
from statistics import median
from typing import NamedTuple

from scrapy_webtext.registry import DEFAULT_EXTRACTOR, DEFAULT_JUDGE

GIGA = 1_000_000_000
CORES = 64  #: of the machine in which a day's work is counted
LOOP = "a loop over bodies in memory"

RECORD = (
    "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {}\r\nWARC-Date: 2024-01-01T00:00:00Z\r\n"
    "Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n"
)
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"


def write(corpora: Sequence[str], output: Path, parts: int) -> None:
    from scrapy_webtext.lab.corpus import read_corpora

    output.mkdir(parents=True, exist_ok=True)
    files = [(output / f"part-{number:03}.warc.gz").open("wb") for number in range(parts)]
    for number, page in enumerate(read_corpora(corpora)):
        answer = ANSWER + page.html.encode("utf-8", "replace")
        header = RECORD.format(page.url or f"urn:{page.id}", len(answer)).encode()
        files[number % parts].write(gzip.compress(header + answer + b"\r\n\r\n", 6))
    for file in files:
        file.close()


class Cost(NamedTuple):
    """Seconds of a run."""

    pages: int
    cpu: float
    wall: float

    def without(self, other: Cost) -> Cost:
        return Cost(self.pages - other.pages, self.cpu - other.cpu, self.wall - other.wall)


def busy_seconds() -> float:
    """Seconds that the machine's processors were busy since it started.

    What Spark's Python workers take is in no account of processes: nobody waits for them.
    """
    line = Path("/proc/stat").read_text().split("\n", 1)[0]
    user, nice, system, _idle, _waiting, *interrupts = map(int, line.split()[1:8])
    return (user + nice + system + sum(interrupts)) / os.sysconf("SC_CLK_TCK")


def archive(files: Sequence[Path], pages: int, engine: str, workers: int) -> Cost:
    """Run the command to its end and to that of all that it started."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "scrapy", "webtext", "archive"]
        command += [*map(str, files), "-o", folder]
        command += ["--engine", engine, "--workers", str(workers)]
        before, began = busy_seconds(), time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return Cost(pages, busy_seconds() - before, time.perf_counter() - began)


def loop(extractor: str, files: Sequence[Path]) -> Cost:
    """Cost of a plain loop over the bodies in memory, in a process of its own."""
    command = [sys.executable, "-m", "tests.benchmarks.archive", "loop", extractor]
    printed = subprocess.check_output([*command, *map(str, files)], text=True).split()
    return Cost(int(printed[0]), float(printed[1]), float(printed[2]))


def bodies(files: Iterable[Path]) -> Iterator[tuple[str | None, str]]:
    from scrapy_webtext.archive.readers import read_warc

    for path in files:
        with path.open("rb") as file:
            for page in read_warc(file, 0):
                assert page.body is not None
                yield page.url, page.body.decode()


def run_loop(name: str, files: Sequence[Path]) -> None:
    from scrapy_webtext.extraction import extract_page, resolve
    from scrapy_webtext.page import parse

    def extract(url: str | None, html: str) -> object:
        if name == "trafilatura":
            return trafilatura.extract(html, include_comments=False)
        return extract_page(parse(html, url=url), *parts)

    if name == "trafilatura":
        import trafilatura
    else:
        parts = resolve(name, DEFAULT_JUDGE, {})
    pages = list(bodies(files))
    cpu, wall = time.process_time(), time.perf_counter()
    for url, html in pages:
        extract(url, html)
    print(len(pages), time.process_time() - cpu, time.perf_counter() - wall)


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
        costs.setdefault("trafilatura, likewise", []).append(loop("trafilatura", files))
    for name, runs in costs.items():
        show(name, runs, costs[LOOP])
    for name, seconds in starts.items():
        print(f"start of {name}: {median(seconds):.1f} s of processor time")


def show(name: str, runs: Sequence[Cost], loops: Sequence[Cost]) -> None:
    """Print the medians of one way, and of its ratio to the loop of the same turn."""
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
    looping = subparsers.add_parser("loop")
    looping.add_argument("extractor")
    looping.add_argument("files", nargs="+", type=Path)
    given = parser.parse_args()
    if given.command == "write":
        write(given.corpora, given.output, given.parts)
    elif given.command == "measure":
        workers = list(map(int, given.workers.split(",")))
        measure(given.folder, given.engines.split(","), workers, given.repeats)
    else:
        run_loop(given.extractor, given.files)


if __name__ == "__main__":
    main()
