"""Count the instructions that a page takes, by valgrind.

    python -m tests.benchmarks.instructions [CORPUS...] [--every 10] [--pages 12]

The systems are those of `table`, and stages of them: lxml's parse, and reading a parsed page. One
process makes all pages ready and gives them to a system once. Its copies (forks) then do one and
two passes. The difference is a page's cost, without start and first use, and without collection of
garbage. It repeats to .3 %, where CPU times differ from run to run.
"""

from __future__ import annotations

import gc
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Final

from scrapy.http import HtmlResponse

from scrapy_webtext.crawling.responses import read_page
from scrapy_webtext.lab import table
from scrapy_webtext.reader import PageReader
from tests.benchmarks.pages import SourcePage, parser_of, peers, read_pages, source_of, versions
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
HEAD: Final = ("system", "M instructions a page", f"ratio to {FIRST}")


def response_of(page: SourcePage) -> HtmlResponse:
    body = page.html.encode("utf-8", "replace")
    response = HtmlResponse(page.url or "https://example.com/", body=body, encoding="utf-8")
    response.css("title")
    return response


def all_works(names: Iterable[str]) -> dict[str, Work]:
    others, _ = peers()
    found = works(names, {name: peer for name, peer in others.items() if name == FIRST})
    found["lxml's parse"] = lambda page, _: response_of(page)
    found["reading, parsed"] = lambda _, response: read_page(response, PageReader.of())
    return found


def child(run: Callable[[], None], passes: int) -> int:
    """Return the id of an ended copy of this process that did these passes."""
    if (pid := os.fork()) == 0:
        for _ in range(passes):
            run()
        os._exit(0)
    _, status = os.waitpid(pid, 0)
    if status:
        raise RuntimeError(f"a pass ended with status {status}")
    return pid


def count(pages: Iterable[SourcePage], names: Iterable[str]) -> None:
    """Print a line per system: its name, the ids of the copies with one and with two passes."""
    ready = [(page, response_of(page)) for page in pages]
    gc.disable()
    for name, work in all_works(names).items():

        def run(work: Work = work) -> None:
            for page, response in ready:
                work(page, response)

        run()
        print(name, child(run, 1), child(run, 2), len(ready), sep="\t", flush=True)


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--pages", type=int, default=12, help="at most (default: 12)")
    parser.add_argument("--systems", default=DEFAULT, help=f"ours (default: {DEFAULT})")
    parser.add_argument("--within", action="store_true", help="(the process under valgrind)")
    given = parser.parse_args()
    if given.within:
        pages = islice(read_pages(given.corpora, given.every), given.pages)
        count(pages, given.systems.split(","))
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
    costs = {name: (refs[two] - refs[one]) / int(n) for name, one, two, n in lines}
    first = costs.get(FIRST)
    rows = [
        [name, f"{cost / 1e6:.2f}", f"{cost / first:.2f}" if first else ""]
        for name, cost in costs.items()
    ]
    print(table(HEAD, rows))
    print(f"\n{lines[0][-1]} pages of {source_of(given.corpora)}. {versions()}.")


if __name__ == "__main__":
    main()
