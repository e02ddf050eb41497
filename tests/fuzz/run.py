"""Coverage-guided fuzzing of one extractor or judge with atheris (pip install atheris).

    python -m tests.fuzz.run extractor:pvalue -max_total_time=1800 DIRECTORY

What follows the name goes to libFuzzer. Any exception and any broken law of ``tests/kits/laws.py``
ends the run and leaves the input in a file ``crash-...``; a page slower than 10 s likewise.
"""

import sys
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["scrapy_webtext"], enable_loader_override=False):
    from scrapy_webtext.page import Page, parse
    from scrapy_webtext.registry import EXTRACTORS, JUDGES, make_extractor, make_judge

    for name in EXTRACTORS:
        make_extractor(name)
    for name in JUDGES:
        make_judge(name)

from tests.fuzz.pages import page_of
from tests.kits import hostile, laws


def check(kind: str, name: str, page: Page) -> None:
    laws.check_page(page)
    if kind == "judge":
        laws.check_judge(name, page)
    else:
        laws.check_extractor(name, page)
        laws.check_signals(name, page)


def write_seeds(directory: Path) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    for number, page in enumerate(hostile.SMALL.values()):
        how = b"\xa1" if isinstance(page, bytes) else b"\xc9"
        body = page if isinstance(page, bytes) else page.encode("utf-8", "surrogatepass")
        (directory / f"seed-{number:03}").write_bytes(how + body)


def main() -> None:
    target, *options = sys.argv[1:]
    kind, _, name = target.partition(":")
    for option in options:
        if not option.startswith("-"):
            write_seeds(Path(option))

    def one_input(data: bytes) -> None:
        check(kind, name, parse(page_of(data)))

    atheris.Setup([sys.argv[0], "-timeout=10", "-max_len=4096", *options], one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
