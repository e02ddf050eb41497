"""The results of each page of the gallery."""

import json
from dataclasses import astuple

import pytest

from scrapy_webtext import extract
from scrapy_webtext.registry import EXTRACTORS
from tests.gallery import GalleryPage, gallery


@pytest.mark.parametrize("page", gallery(), ids=lambda page: page.name)
def test_gallery_pages_have_the_expected_renderings(page: GalleryPage) -> None:
    result = extract(page.html, include=("main_markdown", "main_html", "blocks"))
    blocks = [list(astuple(block)[:6]) for block in result.blocks or ()]
    assert result.main_text == page.read("main_text.txt")
    assert result.main_markdown == page.read("main.md")
    assert result.main_html == page.read("main.html")
    assert blocks == json.loads(page.read("blocks.json"))


@pytest.mark.parametrize("extractor", EXTRACTORS)
def test_extractors_leave_out_hidden_text(extractor: str) -> None:
    for page in gallery():
        left_out = page.read("without.txt").splitlines()
        assert [piece for piece in left_out if piece not in page.html] == [], page.name
        text = extract(page.html, extractor=extractor).main_text if left_out else ""
        assert [piece for piece in left_out if piece in text] == [], page.name
