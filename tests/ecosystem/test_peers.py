"""Extractors of other packages in a crawl, in a notebook and in an archive."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from scrapy_webtext import errors, extract
from scrapy_webtext.archive import extract_batch
from scrapy_webtext.archive.parts import describe_settings
from scrapy_webtext.errors import MissingExtraError, SettingsError
from scrapy_webtext.extractors import peers
from scrapy_webtext.page import parse
from scrapy_webtext.reader import PageReader
from scrapy_webtext.registry import PEERS, make_extractor
from tests.extractors.fusion.test_extractor import ARTICLE, PARAGRAPHS

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", PEERS)
def test_a_peer_finds_the_text_of_an_article_and_its_blocks(name: str) -> None:
    result = extract(ARTICLE, extractor=name, include=("blocks", "title"))
    assert all(paragraph in result.main_text for paragraph in PARAGRAPHS)
    assert "Weather" not in result.main_text
    assert (result.extractor, result.main_text_score, result.status) == (name, 1.0, "ok")
    assert result.title == "Flood in the valley"
    assert result.blocks
    page = parse(ARTICLE)
    chosen = make_extractor(name).extract(page).chosen
    assert set(PARAGRAPHS) <= {page.blocks.text[b] for b in chosen}
    assert f"\n| `{name}` | " in (ROOT / "docs" / "extractors.md").read_text("utf-8")


@pytest.mark.parametrize("name", PEERS)
@pytest.mark.parametrize("html", ["", " \n", "<p>", "<html></html>"])
def test_pages_without_text_have_none(name: str, html: str) -> None:
    found = make_extractor(name).extract(parse(html))
    assert (found.text, found.score, found.chosen) == ("", 0.0, ())


@pytest.mark.parametrize("name", PEERS)
def test_a_missing_peer_is_named_with_its_extra(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(module: str) -> object:
        raise ImportError(module)

    monkeypatch.setattr(errors, "import_module", missing)
    peers._call.cache_clear()
    with pytest.raises(MissingExtraError, match=rf"The extractor '{name}' needs .*pip install"):
        make_extractor(name)


def test_peers_take_no_options() -> None:
    with pytest.raises(SettingsError, match="Unknown option 'fast' for extractor 'trafilatura'"):
        make_extractor("trafilatura", {"fast": True})


def test_an_error_of_a_peer_is_that_of_one_page(monkeypatch: pytest.MonkeyPatch) -> None:
    def fragile(html: str, url: str | None) -> str:
        if "break" in html:
            raise ValueError("the peer broke")
        return "found"

    monkeypatch.setattr(peers, "_call", lambda name: fragile)
    pages: Any = pa.record_batch({"html": ["<p>fine", "<p>break", "<p>fine again"]})
    rows = extract_batch(pages, PageReader.of("readability")).to_pylist()
    assert [row["main_text"] for row in rows] == ["found", None, "found"]
    assert rows[1]["error"] == "ValueError: the peer broke"


def test_archives_have_the_versions_of_a_peer() -> None:
    made = describe_settings(PageReader.of("readability"))
    packages = {"package readability-lxml", "package html-text"}
    assert packages <= set(made["extractor_options"])
