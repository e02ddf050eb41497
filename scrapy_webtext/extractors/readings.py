"""The two readings of a paper, the page in the paper's reading, and checks of parameters.

``"paper"`` follows the paper to the letter; docs/algorithms has the choices where a paper
contradicts itself. ``"modern"`` adapts the algorithm to today's pages.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from functools import cached_property
from math import inf
from typing import Literal, get_args

from scrapy_webtext.errors import SettingsError, check_choice
from scrapy_webtext.extractors.lines import without_code
from scrapy_webtext.page import Page, parse
from scrapy_webtext.page.hidden import Hidden
from scrapy_webtext.page.text import INVISIBLE, Runs
from scrapy_webtext.render.parts import join_runs
from scrapy_webtext.results import Extraction

Reading = Literal["modern", "paper"]


def check_reading(reading: object) -> None:
    """Raise SettingsError for a reading that does not exist."""
    check_choice("reading", reading, get_args(Reading))


def check_number(name: str, value: object, least: int = 0) -> None:
    """Raise SettingsError unless the parameter is a finite number of at least ``least``."""
    if type(value) not in (int, float) or not least <= value < inf:  # type: ignore[operator]
        raise SettingsError(f"{name}={value!r} is not allowed; use a number of {least} or more")


def check_integer(name: str, value: object, least: int = 0) -> None:
    """Raise SettingsError unless the parameter is an integer of at least ``least``."""
    if type(value) is not int or value < least:
        raise SettingsError(f"{name}={value!r} is not allowed; use an integer of {least} or more")


# The page in the paper's reading: the papers do not treat hidden text or markup in scripts


class LiteralPage(Page):
    """A page on which no text is hidden and each script is code."""

    @cached_property
    def hiding(self) -> Hidden:
        """A `Hidden` without any hidden text."""
        return Hidden(bytearray(len(self.nodes)), [], [])


def read_literally(page: Page, rewrite: Callable[[str], str] = str) -> LiteralPage:
    """Parse the source of a page again, changed by ``rewrite``; no text of the result is hidden.

    A page without source (a ready tree) keeps its elements. The elements of a page with source stay
    equal, unless the first parse read markup in scripts as elements (`page.parse`).
    """

    def read() -> LiteralPage:
        source = page.source
        nodes = parse(rewrite(without_code(source))).nodes if source else page.kept_nodes
        return LiteralPage(page.url, source, nodes)

    if isinstance(page, LiteralPage):
        return page
    return page.cached(("literal", rewrite), read)


def same_runs(page: Page, runs: Runs) -> list[int]:
    """Return, per run of a literal page, the index of the equal run of ``page``; -1 if missing."""
    known: defaultdict[tuple[int, str], deque[int]] = defaultdict(deque)
    for k, key in enumerate(zip(page.runs.node, page.runs.text, strict=True)):
        known[key].append(k)
    keys = zip(runs.node, runs.text, strict=True)
    return [known[key].popleft() if known[key] else -1 for key in keys]


def literal_extraction(
    page: Page, runs: Runs, chosen: Sequence[int], score: float, extractor: str
) -> Extraction:
    """Return the Extraction of these runs of the page in the paper's reading.

    ``runs`` are all runs of the literal page, ``chosen`` are the indices of the runs in the text,
    ascending. The text has one line per block and no list markers. The chosen blocks are the blocks
    of ``page`` that contain these runs.
    """
    text = join_runs(runs, chosen)
    if not text.strip(INVISIBLE):
        return Extraction("", 0.0, extractor)
    same = same_runs(page, runs)
    blocks = page.blocks_of_runs(sorted(same[k] for k in chosen if same[k] >= 0))
    return Extraction(text, score, extractor, blocks)
