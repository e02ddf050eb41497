"""What extraction from archives costs, on each engine, beside trafilatura.

    python -m tests.benchmarks.archive write CORPUS.jsonl.gz... -o warc [--parts 4] [--copies 1]
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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from statistics import median
from typing import BinaryIO

from scrapy_webtext.registry import DEFAULT_EXTRACTOR

GIGA = 1_000_000_000
CORES = 64  #: of the machine in which a day's work is counted
LOOP = "a loop over bodies in memory"


def write(corpora: Sequence[str], output: Path, parts: int, copies: int) -> None:
    from scrapy_webtext.lab.corpus import read_corpora

    output.mkdir(parents=True, exist_ok=True)
    files = [(output / f"part-{number:03}.warc.gz").open("wb") for number in range(parts)]
    pages = 0
    for copy in range(copies):
        for number, page in enumerate(read_corpora(corpora)):
            body = page.html.encode("utf-8", "replace")
            store(files[number % parts], page.url or f"urn:{copy}:{page.id}", body)
            pages += 1
    for file in files:
        file.close()
    size = sum(path.stat().st_size for path in output.glob("*.warc.gz"))
    print(f"{pages} pages in {parts} parts, {size / 1e6:.0f} MB")


def store(file: BinaryIO, url: str, body: bytes) -> None:
    """Append one answer in a gzip member of its own."""
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + body
    header = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\n"
        f"WARC-Date: 2024-01-01T00:00:00Z\r\nContent-Type: application/http; msgtype=response\r\n"
        f"Content-Length: {len(http)}\r\n\r\n"
    )
    file.write(gzip.compress(header.encode() + http + b"\r\n\r\n", 6))


@dataclass
class Cost:
    """Seconds of a run."""

    pages: int
    cpu: float
    wall: float

    @property
    def each(self) -> float:
        """Processor seconds of one page."""
        return self.cpu / self.pages

    def __sub__(self, other: Cost) -> Cost:
        return Cost(self.pages - other.pages, self.cpu - other.cpu, self.wall - other.wall)


def run(command: Sequence[str], pages: int) -> Cost:
    """Run a command to its end and to that of all that it started."""
    before, began = busy_seconds(), time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    wall = time.perf_counter() - began
    return Cost(pages, busy_seconds() - before, wall)


def busy_seconds() -> float:
    """Seconds that the machine's processors were busy since it started.

    What Spark's Python workers take is in no account of processes: nobody waits for them.
    """
    user, nice, system, _idle, _waiting, *interrupts = map(
        int, Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:8]
    )
    return (user + nice + system + sum(interrupts)) / os.sysconf("SC_CLK_TCK")


def loop(extract: str, files: Sequence[Path]) -> Cost:
    """Cost of a plain loop over the bodies in memory, in a process of its own."""
    printed = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.archive", "loop", extract, *map(str, files)],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()
    return Cost(int(printed[0]), float(printed[1]), float(printed[2]))


def bodies(files: Iterable[Path]) -> Iterator[tuple[str | None, str]]:
    from scrapy_webtext.archive.readers import read_warc

    for path in files:
        with path.open("rb") as file:
            for page in read_warc(file, 0):
                assert page.body is not None
                yield page.url, page.body.decode()


def run_loop(name: str, files: Sequence[Path]) -> None:
    pages = list(bodies(files))
    if name == "trafilatura":
        import trafilatura

        def extract(url: str | None, html: str) -> object:
            return trafilatura.extract(html, include_comments=False)
    else:
        from scrapy_webtext.extraction import extract_page, resolve
        from scrapy_webtext.page import parse
        from scrapy_webtext.registry import DEFAULT_JUDGE

        parts = resolve(name, DEFAULT_JUDGE, {})

        def extract(url: str | None, html: str) -> object:
            return extract_page(parse(html, url=url), *parts)

    cpu, wall = time.process_time(), time.perf_counter()
    for url, html in pages:
        extract(url, html)
    print(len(pages), time.process_time() - cpu, time.perf_counter() - wall)


def count(files: Sequence[Path]) -> int:
    return sum(1 for _ in bodies(files))


def archive(files: Sequence[Path], pages: int, engine: str, workers: int) -> Cost:
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "scrapy_webtext.archive", *map(str, files), "-o", folder]
        command += ["--engine", engine, "--workers", str(workers)]
        return run(command, pages)


def measure(folder: Path, engines: Sequence[str], workers: Sequence[int], repeats: int) -> None:
    files = sorted(folder.glob("*.warc.gz"))
    few = files[: max(1, len(files) // 4)]
    pages, few_pages = count(files), count(few)
    print(f"{pages} pages in {len(files)} parts; load {os.getloadavg()[0]:.1f}", flush=True)
    costs: dict[str, list[Cost]] = {}
    starts: dict[str, list[float]] = {}
    for repeat in range(repeats):
        print(f"repeat {repeat + 1} of {repeats}", file=sys.stderr, flush=True)
        costs.setdefault(LOOP, []).append(loop(DEFAULT_EXTRACTOR, files))
        for engine, number in product(engines, workers):
            start = archive(few, few_pages, engine, number)
            rest = archive(files, pages, engine, number) - start
            name = named(engine, number)
            costs.setdefault(name, []).append(rest)
            starts.setdefault(name, []).append(start.cpu - few_pages * rest.each)
        costs.setdefault("trafilatura, likewise", []).append(loop("trafilatura", files))
    for name, runs in costs.items():
        show(name, runs, costs)
    for engine, number in product(engines, workers):
        name = named(engine, number)
        print(f"start of {name}: {median(starts[name]):.1f} s of processor time")
        if number > 1 and named(engine, 1) in costs:
            gains = [
                a.wall / b.wall for a, b in zip(costs[named(engine, 1)], costs[name], strict=True)
            ]
            print(f"    {median(gains):.2f} times the throughput of one worker ({listed(gains)})")


def named(engine: str, workers: int) -> str:
    return f"{engine}, {workers} worker{'s' if workers > 1 else ''}"


def listed(ratios: Iterable[float]) -> str:
    return ", ".join(f"{ratio:.2f}" for ratio in ratios)


def show(name: str, runs: Sequence[Cost], costs: Mapping[str, Sequence[Cost]]) -> None:
    """Print the medians of one way, and of its ratios to others of the same turn."""
    each = median(run.each for run in runs)
    hours = each * GIGA / 3600
    print(
        f"{name}: {1e3 * each:.2f} ms a page, {median(r.pages / r.wall for r in runs):.1f} pages a "
        f"second; 10^9 pages: {hours:,.0f} core hours, {hours / 24 / CORES:.1f} machines for a day"
    )
    for base in (LOOP, named("local", 1)):
        if name != base and base in costs:
            ratios = [run.each / other.each for run, other in zip(runs, costs[base], strict=True)]
            print(f"    {median(ratios):.2f} times {base} ({listed(ratios)})", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    subparsers = parser.add_subparsers(dest="command", required=True)
    writing = subparsers.add_parser("write")
    writing.add_argument("corpora", nargs="+")
    writing.add_argument("-o", dest="output", type=Path, required=True)
    writing.add_argument("--parts", type=int, default=4)
    writing.add_argument("--copies", type=int, default=1)
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
        write(given.corpora, given.output, given.parts, given.copies)
    elif given.command == "measure":
        workers = list(map(int, given.workers.split(",")))
        measure(given.folder, given.engines.split(","), workers, given.repeats)
    else:
        run_loop(given.extractor, given.files)


if __name__ == "__main__":
    main()
