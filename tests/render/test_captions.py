"""Captions belong to their pictures, not to the plain text."""

import pytest

from scrapy_webtext import extract
from scrapy_webtext.page import parse
from scrapy_webtext.render import render_formats
from scrapy_webtext.render.captions import find_captions
from tests.kits.data import read_json

CASES = read_json(__file__, "captions.json")


LINE = "The boats came home before the storm, as they do in the autumn of each year. " * 3
CAPTIONS = CASES["captions"]


def read(body: str, **options: bool):  # type: ignore[no-untyped-def]
    html = f"<main><article><p>{LINE}</p><p>{LINE}!</p>{body}<p>{LINE}?</p></article></main>"
    fields = ("main_markdown", "main_html", "images", "blocks")
    return extract(html, url="https://a.example/", include=fields, **options)


@pytest.mark.parametrize("body", CAPTIONS.values(), ids=CAPTIONS)
def test_captions_are_in_renderings_with_pictures_only(body: str) -> None:
    result = read(body)
    assert result.main_text == "\n".join(LINE.strip() + end for end in ("", " !", " ?"))
    markdown, html = result.main_markdown or "", result.main_html or ""
    assert "Enlarge" not in markdown + html
    picture, caption = markdown.index("a.png"), markdown.index("At _sea_.")
    assert picture < caption < markdown.rindex("The boats")
    assert html.index("a.png") < html.index("At <em>sea</em>.")
    assert [(one.caption, one.block) for one in result.images or ()] == [("At sea.", 1)]
    assert len(result.blocks or ()) == 3


@pytest.mark.parametrize("body", CAPTIONS.values(), ids=CAPTIONS)
def test_captions_are_in_the_text_when_asked_for(body: str) -> None:
    result = read(body, captions=True)
    assert result.main_text.split("\n")[2].endswith("At sea.")
    assert "Enlarge" not in result.main_text
    assert (result.main_markdown or "").count("At _sea_.") == 1


@pytest.mark.parametrize("html", CASES["other text"])
def test_other_text_is_no_caption_of_a_picture(html: str) -> None:
    assert find_captions(parse(html.replace("{LINE}", LINE))) == {}


def test_captions_are_the_text_of_a_photo_essay() -> None:
    figure = f"<figure><img src=/a.png><figcaption>{LINE}</figcaption></figure>"
    html = f"<main><article><h1>The storm</h1><p>Ten pictures.</p>{figure * 10}</article></main>"
    assert extract(html, copies=True).main_text.count("came home") > 5


def test_a_text_may_consist_of_captions() -> None:
    page = parse("<figure><img src=/a.png><figcaption>At sea.</figcaption></figure>")
    found = render_formats(page, "At sea.", (0,), (), ("images", "main_markdown"))
    assert found == {"images": (), "main_markdown": "At sea."}
