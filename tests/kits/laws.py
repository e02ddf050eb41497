"""Laws of every extractor and judge on every page."""

import math
import re
from typing import Any

from scrapy_webtext.page import Page, parse
from scrapy_webtext.reader import PageReader
from scrapy_webtext.registry import EXTRACTORS, JUDGES, make_extractor
from scrapy_webtext.results import Extraction, SignalSource

FORBIDDEN_BY_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
UNITS = {
    "token": None,
    "line": None,
    "node": lambda page: len(page.nodes),
    "block": lambda page: len(page.blocks),
}


def check_extractor(name: str, page: Page, options: Any = None) -> Extraction:
    """Return the extraction of a page; AssertionError if it breaks a law."""
    extraction = make_extractor(name, options).extract(page)
    assert isinstance(extraction, Extraction)
    assert extraction.extractor == name
    assert 0 <= extraction.score <= 1, extraction.score
    text = extraction.text
    assert type(text) is str
    text.encode()  # feeds and databases refuse half of a surrogate pair
    assert not FORBIDDEN_BY_XML.search(text)
    assert len(text) <= 4 * len(page.source) + 100
    chosen = extraction.chosen
    assert list(chosen) == sorted(set(chosen))
    assert not chosen or (chosen[0] >= 0 and chosen[-1] < len(page.blocks))
    return extraction


def check_signals(name: str, page: Page, options: Any = None) -> None:
    """Raise AssertionError if the signals of an extractor do not fit the page."""
    extractor = make_extractor(name, options)
    if not isinstance(extractor, SignalSource):
        return
    for signal in extractor.signals(page):
        count = UNITS[signal.unit]
        assert count is None or len(signal.values) == count(page), signal.name
        assert not any(map(math.isnan, signal.values)), signal.name
        selected = signal.selected
        assert list(selected) == sorted(set(selected)), signal.name
        assert not selected or (selected[0] >= 0 and selected[-1] < len(signal.values)), signal.name


def check_judge(name: str, page: Page) -> None:
    """Raise AssertionError if a judgement breaks a law."""
    judgement = PageReader.of("pvalue", name).judged(page)
    assert 0 <= judgement.probability <= 1, judgement.probability
    assert 0 <= judgement.p_value <= 1, judgement.p_value
    assert judgement.has_article is (judgement.probability >= 0.5)
    assert len(page.runs) or not judgement.has_article


def check_page(page: Page) -> None:
    """Raise AssertionError if the columns of a page do not fit together."""
    nodes, runs, blocks = page.nodes, page.runs, page.blocks
    size = len(nodes)
    for i in range(size):
        parent = nodes.parent[i]
        assert -1 <= parent < i < nodes.end[i] <= size
        assert parent < 0 or nodes.end[i] <= nodes.end[parent]
        assert runs.first[i] <= runs.end[i]
    assert all(text and text == " ".join(text.split()) for text in runs.text)
    assert list(runs.tags_before) == sorted(runs.tags_before)
    assert all(0 <= i < size for i in runs.node)
    assert list(blocks.first_run[:1]) == [0][: len(blocks)]
    assert list(blocks.end_run[-1:]) == [len(runs)][: len(blocks)]
    assert blocks.first_run[1:] == blocks.end_run[:-1]
    shown = (text for k, text in enumerate(runs.text) if k not in blocks.unshown)
    assert sum(blocks.chars) == sum(map(len, shown))
    assert all(0 <= link <= n for link, n in zip(blocks.link_chars, blocks.chars, strict=True))
    page.title.encode()


def check_all(html: str | bytes) -> None:
    """Raise AssertionError if a page, an extractor or a judge breaks a law."""
    page = parse(html)
    check_page(page)
    for name in EXTRACTORS:
        check_extractor(name, page)
        check_signals(name, page)
    for name in JUDGES:
        check_judge(name, page)
