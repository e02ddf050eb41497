"""How the cost of parse, extractors and judges grows with the page, per shape of hostile page.

    python -m tests.kits.costs 125000 1000000 [SUBJECT ...]

prints, per shape and subject, the seconds at both sizes and how many times they grew, as against
the growth of the size. CPU time is taken, since other programs want the processors too.
"""

import gc
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache

from scrapy_webtext.metadata import metadata
from scrapy_webtext.page import Page, parse, source_lines
from scrapy_webtext.registry import EXTRACTORS, JUDGES, make_extractor, make_judge
from scrapy_webtext.results import Extraction
from tests.kits import hostile

#: Shapes of which one unit weighs much more or less than a small element.
SCALE = {"one line": 40, "one line without spaces": 40, "long attribute": 40, "brackets": 10,
         "open brackets with names": 4, "quotes in tags": 4, "blank lines": 10, "attributes": 0.2,
         "blocks and links by turns": 0.4, "prose and headings by turns": 0.4,
         "unclosed fonts": 0.5, "entities": 0.3, "forms": 0.5, "nested lists": 0.5,
         "links": 0.5}  # fmt: skip


def html_of(shape: str, elements: int) -> str:
    return hostile.LARGE[shape](int(elements * SCALE.get(shape, 1)))


def tables(page: Page) -> None:
    page.runs, page.blocks, page.title, page.hidden, page.is_link  # noqa: B018


def described(page: Page) -> object:
    """All metadata, the whole page for its text."""
    everything = Extraction("x", 1.0, "all", tuple(range(len(page.blocks))))
    return metadata(page, everything)


SUBJECTS: dict[str, Callable[[Page], object]] = {
    "tables": tables,
    "lines": lambda page: source_lines(page.source),
    "metadata": described,
    **{name: make_extractor(name).extract for name in EXTRACTORS},
    **{f"judge {name}": make_judge(name).judge for name in JUDGES},
}


def fresh(page: Page) -> Page:
    """The page with nothing computed yet."""
    return Page(page.url, page.source, page.nodes, page.json_ld, page.is_truncated)


@lru_cache(maxsize=2)  # the two sizes of a shape
def read(shape: str, elements: int) -> Page:
    """The page with its tables, and nothing else computed."""
    page = parse(html_of(shape, elements))
    tables(page)
    return page


def with_tables(page: Page) -> Page:
    """The page with its tables, and nothing that was computed since."""
    again = fresh(page)
    again.__dict__.update(page.__getstate__())
    return again


@contextmanager
def without_collector() -> Iterator[None]:
    """Keep the collector away: what it costs depends on all that the process holds."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def seconds(subject: str, page: Page) -> float:
    """CPU time of one subject on a page whose tables are there."""
    page = fresh(page) if subject == "tables" else with_tables(page)
    with without_collector():
        began = time.thread_time()
        SUBJECTS[subject](page)
        return time.thread_time() - began


def parse_seconds(html: str) -> float:
    with without_collector():
        began = time.thread_time()
        parse(html)
        return time.thread_time() - began


def growth(shape: str, subject: str, small: int, large: int) -> tuple[float, float]:
    """CPU seconds at both sizes."""
    if subject == "parse":
        return parse_seconds(html_of(shape, small)), parse_seconds(html_of(shape, large))
    return seconds(subject, read(shape, small)), seconds(subject, read(shape, large))


def rows(small: int, large: int, subjects: list[str]) -> Iterator[str]:
    for shape in hostile.LARGE:
        for subject in subjects:
            low, high = growth(shape, subject, small, large)
            times = f"{high / low:6.1f}" if low > 0.001 else "     -"
            yield f"{shape:<26} {subject:<14} {low:8.3f} {high:8.3f} {times}"


def main() -> None:
    small, large = map(int, sys.argv[1:3])
    print(f"sizes {small} and {large}: {large / small:.1f} times")
    for row in rows(small, large, sys.argv[3:] or ["parse", *SUBJECTS]):
        print(row, flush=True)


if __name__ == "__main__":
    main()
