"""``PageReader``: every way to read a page gives the same result, with the same limits."""

import json
import pickle
from pathlib import Path
from typing import Any

import pyarrow as pa

from scrapy_webtext import extract, extract_many
from scrapy_webtext.archive import extract_batch
from scrapy_webtext.page import Page
from scrapy_webtext.reader import PageReader
from scrapy_webtext.results import Extraction, Judgement
from tests.commands import webtext
from tests.crawls.offline import Components, response_of

#: Labelled as Latin-1.
HTML = "<meta charset=latin-1><article><p>" + "Zwölf Boxkämpfer jagen Viktor über den Deich. " * 9
HTML += "</p><p class=promo>Buy now, and buy the other one, too. It is cheap today.</p></article>"


class Own:
    """A judge that decides by itself."""

    name = "own"

    def judge(self, page: Page, threshold: float) -> Judgement:
        return Judgement(threshold < 0.5, 0.6, 0.6)


def test_every_way_gives_a_page_the_same_result(tmp_path: Path) -> None:
    body = HTML.encode()
    (tmp_path / "page.html").write_bytes(body)
    crawl = Components()
    response = crawl.download(response_of(body, "text/html"))
    done = webtext("extract", tmp_path / "page.html", "--json", "--judge", "pvalue")
    rows: list[dict[str, Any]] = [
        PageReader.of().read(body).to_dict(),
        extract(body).to_dict(),
        next(extract_many([body])).to_dict(),
        extract(response).to_dict(),
        crawl.fill({}, response),
        json.loads(done.stdout),
        *extract_batch(pa.record_batch({"body": [body]})).to_pylist(),
    ]
    assert rows[0]["main_text"].startswith("Zwölf Boxkämpfer")
    for name in ("main_text", "has_article", "p_value", "main_text_score"):
        assert len({row[name] for row in rows}) == 1, name


def test_limits_are_bytes_and_elements() -> None:
    reader = PageReader.of(max_body_size=5, max_elements=2)
    assert [reader.skip(text) for text in ("ööö", "ööö".encode(), "öö", "<p>" * 3)] == [
        "too_large", "too_large", None, "too_large",
    ]  # fmt: skip
    assert PageReader.of(max_elements=2).read("<p>One" * 3).reason == "too_many_elements"
    assert PageReader.of(max_body_size=0, max_elements=0).skip("<p>" * 100_000) is None


def test_the_threshold_is_applied_to_any_judge_that_does_not_decide() -> None:
    page = PageReader.of().page(HTML)
    for judge in ("pvalue", "learned"):
        assert PageReader.of(judge=judge, threshold=0.0).judged(page).has_article is True
        assert PageReader.of(judge=judge, threshold=1.0).judged(page).has_article is False
    found = [PageReader.of(judge=Own, threshold=t).result(page) for t in (0.4, 0.55)]
    assert [(one.has_article, one.judge) for one in found] == [(True, "own"), (False, "own")]


def test_a_reader_is_picklable_after_its_use() -> None:
    reader = PageReader.of("bte", within="article", without=".promo", include="extractor_version")
    found = reader.read(HTML)
    assert "Buy" not in found.main_text
    other = pickle.loads(pickle.dumps(reader))
    assert other.read(HTML) == found


class Slotted:
    """An extractor whose instances have no ``__dict__``."""

    __slots__ = ()
    name = "slotted"

    def extract(self, page: Page) -> Extraction:
        return Extraction("text", 1.0, self.name)


class Longest:
    """An extractor that has a parameter and is no dataclass."""

    name = "longest"

    def __init__(self, least: int = 1) -> None:
        self.least = least

    def extract(self, page: Page) -> Extraction:
        return Extraction("text", 1.0, self.name)


def test_parameters_of_any_class_are_in_the_version() -> None:
    versions = {PageReader.of(Longest, options={"least": n}).version for n in (1, 2, 2)}
    assert len({*versions, PageReader.of(Slotted).version}) == 3
