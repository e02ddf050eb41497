"""Every page is read in linear time.

A page eight times as large may cost 24 times as much, since the large one may be read a second
way (too deep a tree), and an extractor may take all of it and five blocks of the small one. A
quadratic cost would be 64 times. CPU time varies on a busy machine, so a ratio counts only if three
attempts agree.
"""

import gc
import time
from collections.abc import Callable
from functools import lru_cache

import pytest

from scrapy_webtext.extractors.readings import source_lines
from scrapy_webtext.metadata import describe_article
from scrapy_webtext.page import Page, parse
from scrapy_webtext.registry import EXTRACTORS, JUDGES, make_extractor, make_judge
from scrapy_webtext.results import Extraction
from tests.kits import hostile
from tests.kits.renderings import formats_of

SMALL, LARGE = 6_250, 50_000
ATTEMPTS = 3
BOUND = 3 * LARGE / SMALL
#: CPU seconds for the larger page below which a ratio says nothing. Of a small page, an extractor
#: can choose nothing in almost no time, and of the large one everything.
NEGLIGIBLE = 0.5

#: Factor of the size, for shapes whose unit weighs much more or less than a small element.
SCALE = {"one line": 40, "one line without spaces": 40, "long attribute": 40, "brackets": 10,
         "open brackets with names": 4, "quotes in tags": 4, "blank lines": 10, "attributes": 0.2,
         "blocks and links by turns": 0.4, "prose and headings by turns": 0.4,
         "unclosed fonts": 0.5, "entities": 0.3, "forms": 0.5, "nested lists": 0.5,
         "links": 0.5}  # fmt: skip


def tables(page: Page) -> None:
    page.runs, page.blocks, page.title, page.hidden, page.is_link  # noqa: B018


def all_metadata(page: Page) -> object:
    """Return all metadata, with the whole page as its text."""
    return describe_article(page, Extraction("x", 1.0, "all", tuple(range(len(page.blocks)))))


def renderings(page: Page) -> object:
    """Return all renderings of the whole page."""
    return formats_of(page, Extraction.of_runs(page, range(len(page.runs)), 1.0, "all"))


SUBJECTS: dict[str, Callable[[Page], object]] = {
    "parse": lambda page: parse(page.source),
    "tables": tables,
    "lines": lambda page: source_lines(page.source),
    "metadata": all_metadata,
    "renderings": renderings,
    **{name: make_extractor(name).extract for name in EXTRACTORS},
    **{f"judge {name}": make_judge(name).judge for name in JUDGES},
}


@lru_cache(maxsize=2)  # the two sizes of a shape
def read(shape: str, elements: int) -> Page:
    """Return a page of this shape with its tables."""
    page = parse(hostile.LARGE[shape](int(elements * SCALE.get(shape, 1))))
    tables(page)
    return page


def seconds(subject: str, page: Page) -> float:
    """Return the CPU time of a subject on a page with its tables and nothing else computed."""
    fresh = Page(page.url, page.body, page.nodes, page.json_ld, page.is_truncated)
    if subject != "tables":
        fresh.__dict__.update(page.__getstate__())
    gc.disable()  # its cost depends on all that the process holds
    try:
        began = time.thread_time()
        SUBJECTS[subject](fresh)
        return time.thread_time() - began
    finally:
        gc.enable()


@pytest.mark.parametrize("shape", hostile.LARGE)
def test_cost_is_linear_in_the_page(shape: str) -> None:
    for subject in SUBJECTS:
        ratios = []
        for _ in range(ATTEMPTS):
            low, high = (seconds(subject, read(shape, elements)) for elements in (SMALL, LARGE))
            ratios.append(high / max(low, NEGLIGIBLE / BOUND))
            if ratios[-1] <= BOUND:
                break
        assert min(ratios) <= BOUND, f"{subject}: {ratios} times for {LARGE / SMALL} times the page"
