"""An article of any length is found whole: further paragraphs never hide the others."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from scrapy_webtext.extractors.fusion.choose import select
from scrapy_webtext.extractors.fusion.features.block_features import BLOCK_FEATURES
from scrapy_webtext.extractors.fusion.features.context import (
    context_columns,
    context_constants,
    groups,
)
from scrapy_webtext.extractors.fusion.features.page_features import STRUCTURE_FEATURES
from scrapy_webtext.extractors.fusion.model import load_fusion
from scrapy_webtext.extractors.fusion.prediction import PagePrediction, predict
from scrapy_webtext.lab.corpus import read_corpus
from scrapy_webtext.page import parse

SITE = Path(__file__).parents[3] / "example_project" / "news" / "site" / "labelled"
#: An article has at least this many paragraphs in a row.
LEAST: int = 4
TIMES = (2, 4, 10, 40)
ROW = re.compile(rf"(?:<p\b[^>]*>(?:(?!</?p\b|<div).){{40,}}?</p>\s*){{{LEAST},}}", re.DOTALL)
PARAGRAPH = re.compile(r"<p\b[^>]*>.*?</p>", re.DOTALL)


def longer(html: str, times: int) -> str:
    """Return a page whose first row of paragraphs is ``times`` as long, in other words."""
    row = ROW.search(html)
    assert row
    paragraphs = PARAGRAPH.findall(row[0])
    further = [
        re.sub(r"(?<=\s)[^\W\d_]+(?=\s)", lambda word, n=n: word[0] + "aeiou"[n % 5], one)
        for n in range(times - 1)
        for one in (f"{p[:-4]} {n}.</p>" for p in paragraphs)
    ]
    return html[: row.end()] + "\n".join(further) + html[row.end() :]


def prediction_of(html: str) -> PagePrediction:
    return predict(parse(html), load_fusion())


def chosen_texts(html: str) -> list[str]:
    page, seen = parse(html), prediction_of(html)
    return [seen.table.texts.text[k] for k in select(page, seen)]


def pages(folder: Path, most: int, every: int = 1) -> Iterator[tuple[str, str]]:
    for number, labelled in enumerate(read_corpus(folder)):
        is_article = labelled.text and labelled.type in ("", "article")
        row = ROW.search(labelled.html) if is_article and not number % every else None
        if row and re.sub(r"<[^>]*>|\s", "", row[0])[:40] in re.sub(r"\s", "", labelled.text):
            yield labelled.id, labelled.html
            most -= 1
        if not most:
            return


ARTICLES = dict(pages(SITE, 12))


@pytest.mark.parametrize("times", TIMES)
@pytest.mark.parametrize("name", ARTICLES)
def test_further_paragraphs_leave_every_chosen_paragraph_chosen(name: str, times: int) -> None:
    assert lost(ARTICLES[name], times) == []


def lost(html: str, times: int) -> list[str]:
    """Return the paragraphs that were chosen, or are further ones, and are not chosen now."""
    longer_html = longer(html, times)
    row = ROW.search(longer_html)
    assert row
    own = {" ".join(re.sub(r"<[^>]*>", "", p).split()) for p in PARAGRAPH.findall(row[0])}
    before, after = set(chosen_texts(html)), set(chosen_texts(longer_html))
    known = set(prediction_of(html).table.texts.text)
    return sorted(text for text in own & (before | (own - known)) if text not in after)


def test_no_feature_grows_with_the_page() -> None:
    for html in list(ARTICLES.values())[:3]:
        shorter, long = (extremes(longer(html, times)) for times in (60, 240))
        grown = {name for name in long if long[name] > max(shorter[name], 1.0) * 1.05}
        assert not grown


def extremes(html: str) -> dict[str, float]:
    """Return the greatest absolute value of each feature of a page."""
    seen = prediction_of(html)
    first = seen.first_pass
    blocks = groups(seen.table)
    columns = {**seen.table.columns, **context_columns(blocks, first)}
    found = {name: float(max(map(abs, columns[name]))) for name in columns}
    assert found.keys() >= set(BLOCK_FEATURES)
    page = {name: float(seen.features[name]) for name in STRUCTURE_FEATURES}
    return {**found, **page, **context_constants(blocks, first)}
