"""Count the instructions that a page or a crawl takes, by valgrind.

    python -m tests.benchmarks.instructions [CORPUS...] [--every 10] [--pages 12]
    python -m tests.benchmarks.instructions [CORPUS...] --crawls 30 330 [--no-selectors]

A row is a system of `table`, or a stage of a page whose tree is parsed. A stage uses the results of
the stages above it. With ``--crawls`` a row is a crawl with this package or another, and its figure
the slope between crawls of 30 and 330 pages, which leaves out the start. In shorter crawls a single
full collection of garbage would count.

One process makes everything ready and does the work once. Its copies (forks) then do it once and
twice, or crawl few and many pages. The difference is the cost, without start and first use; of a
page also without collection of garbage. It repeats to .3 %, where CPU times differ from run to run.
"""

from __future__ import annotations

import gc
import os
import re
import shutil
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice, pairwise
from typing import Final

from scrapy.http import HtmlResponse

from scrapy_webtext.crawling.responses import read_page
from scrapy_webtext.extractors.fusion import FusionExtractor
from scrapy_webtext.extractors.fusion.model import load_fusion
from scrapy_webtext.extractors.fusion.prediction import predict
from scrapy_webtext.extractors.notice import find_notice
from scrapy_webtext.extractors.pvalue import PValueExtractor, PValueJudge
from scrapy_webtext.lab import Table
from scrapy_webtext.page import Page
from scrapy_webtext.reader import INCLUDED, PageReader, rendered
from scrapy_webtext.results import Extraction
from tests.benchmarks.pages import SourcePage, parser_of, peers, read_pages, source_of, versions
from tests.benchmarks.spider import BARE, VARIANTS, crawl, serving
from tests.benchmarks.table import FIRST, Work, works

DEFAULT: Final = "pvalue,fusion,fusion+main_markdown,fusion+all"
VALGRIND: Final = (
    "valgrind",
    "--tool=cachegrind",
    "--cache-sim=no",
    "--cachegrind-out-file=/dev/null",
)
#: What valgrind writes about a process that ends.
REFS: Final = re.compile(r"^==(\d+)== I +refs: +([\d,]+)", re.MULTILINE)


def fusion_of(page: Page) -> Extraction:
    return page.cached("benchmark", lambda: FusionExtractor().extract(page))


#: Stage of a page -> its work; each stage needs the stages before it.
STAGES: Final[Mapping[str, Callable[[Page], object]]] = {
    "tree into columns": lambda page: page,
    "hidden text, runs, blocks": lambda page: page.blocks,
    "notice": find_notice,
    "judge pvalue": PValueJudge().judge,
    "extractor pvalue": PValueExtractor().extract,
    "features, forests": lambda page: predict(page, load_fusion()),
    "choice and text of fusion": fusion_of,
    "Markdown": lambda page: rendered(page, fusion_of(page), ["main_markdown"]),
    "all other fields": lambda page: rendered(
        page, fusion_of(page), [name for name in INCLUDED[1:] if name != "main_markdown"]
    ),
}


def response_of(page: SourcePage) -> HtmlResponse:
    body = page.html.encode("utf-8", "replace")
    response = HtmlResponse(page.url or "https://example.com/", body=body, encoding="utf-8")
    response.css("title")
    return response


def until(stages: Sequence[str]) -> Work:
    """Return the work of a page up to the last of some stages."""
    reader = PageReader.of()

    def work(_: SourcePage, response: HtmlResponse) -> None:
        page = read_page(response, reader)
        for stage in stages:
            STAGES[stage](page)

    return work


def all_works(names: Iterable[str]) -> dict[str, Work]:
    others, _ = peers()
    found = works(names, {name: peer for name, peer in others.items() if name == FIRST})
    found["lxml's parse"] = lambda page, _: response_of(page)
    for number, stage in enumerate(STAGES, 1):
        found[stage] = until([*STAGES][:number])
    return found


def child(run: Callable[[int], object], amount: int) -> int:
    """Run a function in a copy of this process; return the id of the copy after its end."""
    if (pid := os.fork()) == 0:
        status = 1
        try:
            run(amount)
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    _, status = os.waitpid(pid, 0)
    if status:
        raise RuntimeError(f"a copy ended with status {status}")
    return pid


def show(name: str, run: Callable[[int], object], few: int, many: int, pages: int) -> None:
    """Print a row's name, the ids of two copies, and by how many pages they differ."""
    print(name, child(run, few), child(run, many), pages, sep="\t", flush=True)


def count_pages(pages: Iterable[SourcePage], names: Iterable[str]) -> None:
    ready = [(page, response_of(page)) for page in pages]
    gc.disable()
    for name, work in all_works(names).items():

        def run(passes: int, work: Work = work) -> None:
            for _ in range(passes):
                for page, response in ready:
                    work(page, response)

        run(1)
        show(name, run, 1, 2, len(ready))


def count_crawls(
    corpora: Sequence[str], every: int, names: Iterable[str], sizes: Sequence[int], selects: bool
) -> None:
    for page in islice(read_pages(corpora, every), 1):
        PageReader.of(include="all").result(PageReader.of().page(page.html))
    with serving(corpora, every) as base:
        for name in names:

            def run(pages: int, name: str = name) -> None:
                if faults := crawl(name, base, pages, selects):
                    raise RuntimeError(f"{name}: {faults}")

            few, many = sizes
            show(name, run, few, many, many - few)


def main() -> None:
    crawls = [*VARIANTS, FIRST]
    parser = parser_of(__doc__)
    parser.add_argument("--pages", type=int, default=12, help="at most (default: 12)")
    parser.add_argument("--systems", default=DEFAULT, help=f"ours (default: {DEFAULT})")
    parser.add_argument("--crawls", type=int, nargs=2, metavar=("FEW", "MANY"))
    parser.add_argument("--variants", nargs="+", choices=crawls, default=crawls)
    parser.add_argument("--no-selectors", action="store_true", help="the spider parses nothing")
    parser.add_argument("--within", action="store_true", help="(the process under valgrind)")
    given = parser.parse_args()
    if given.within and given.crawls:
        selects = not given.no_selectors
        count_crawls(given.corpora, given.every, given.variants, given.crawls, selects)
        return
    if given.within:
        pages = islice(read_pages(given.corpora, given.every), given.pages)
        count_pages(pages, given.systems.split(","))
        return
    if shutil.which(VALGRIND[0]) is None:
        print(
            "valgrind is missing, nothing was counted: install it (Debian: apt install valgrind)."
        )
        return
    again = (sys.executable, "-m", "tests.benchmarks.instructions", *sys.argv[1:], "--within")
    done = subprocess.run(
        [*VALGRIND, *again],
        env={**os.environ, "PYTHONHASHSEED": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"valgrind ended with {done.returncode}:\n{done.stderr}")
    refs = {pid: int(n.replace(",", "")) for pid, n in REFS.findall(done.stderr)}
    lines = [line.split("\t") for line in done.stdout.splitlines()]
    costs = {name: (refs[two] - refs[one]) / int(n) / 1e6 for name, one, two, n in lines}
    print_costs(costs)
    print(f"\n{lines[0][-1]} pages of {source_of(given.corpora)}. {versions()}.")


def print_costs(costs: dict[str, float]) -> None:
    """Print a table of systems or crawls, and one of stages."""
    stages = {name: costs.pop(name) for name in STAGES if name in costs}
    base = costs.get(BARE, 0.0)
    first = costs[FIRST] - base if FIRST in costs else 0.0
    rows = [
        [name, f"{cost:.2f}", f"{(cost - base) / first:.2f}" if first else ""]
        for name, cost in costs.items()
    ]
    what = f"{FIRST}'s, each above {BARE}" if base else FIRST
    print(Table(("system", "M instructions a page", f"ratio to {what}"), rows))
    steps = pairwise([0.0, *stages.values()])
    shown = [[name, f"{b - a:.2f}"] for name, (a, b) in zip(stages, steps, strict=True)]
    if shown:
        print(f"\n{Table(('stage of a parsed page', 'M instructions a page'), shown)}")


if __name__ == "__main__":
    main()
