"""What a reader gets of each page of the gallery."""

import json
from dataclasses import astuple

import pytest

from scrapy_webtext import extract
from scrapy_webtext.registry import EXTRACTORS
from tests.gallery import FOLDER, GalleryPage, gallery


def named(page: GalleryPage) -> str:
    return page.name


@pytest.mark.parametrize("page", gallery(), ids=named)
def test_the_main_text_is_what_a_reader_sees(page):
    assert extract(page.html).main_text == page.read("main_text.txt")


@pytest.mark.parametrize("page", gallery("without.txt"), ids=named)
@pytest.mark.parametrize("extractor", EXTRACTORS)
def test_no_extractor_gives_what_the_page_does_not_show(page, extractor):
    text = extract(page.html, extractor=extractor).main_text
    assert [piece for piece in page.lines("without.txt") if piece in text] == []


@pytest.mark.parametrize("page", gallery("main.md"), ids=named)
def test_the_markdown_is_as_written_down(page):
    assert extract(page.html, include="main_markdown").main_markdown == page.read("main.md")


@pytest.mark.parametrize("page", gallery("main.html"), ids=named)
def test_the_html_is_as_written_down(page):
    assert extract(page.html, include="main_html").main_html == page.read("main.html")


@pytest.mark.parametrize("page", gallery("blocks.json"), ids=named)
def test_the_blocks_are_as_written_down(page):
    blocks = extract(page.html, include="blocks").blocks
    assert [list(astuple(block)) for block in blocks] == json.loads(page.read("blocks.json"))


def test_pieces_to_leave_out_stand_in_their_pages():
    for page in gallery("without.txt"):
        missing = [piece for piece in page.lines("without.txt") if piece not in page.html]
        assert missing == [], page.name


def test_each_folder_has_a_page_and_its_text():
    folders = {path.name for path in FOLDER.iterdir() if path.is_dir()} - {"__pycache__"}
    assert folders == {page.name for page in gallery()}
    assert folders == {page.name for page in gallery("main_text.txt")}
