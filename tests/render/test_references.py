"""The text as data: sections, links and pictures."""

import pytest

from scrapy_webtext import extract
from scrapy_webtext.page import parse
from scrapy_webtext.render import render_blocks, render_formats
from scrapy_webtext.render.text import Link, Picture

LONG = "The boats came home before the storm, as they do in the autumn of each year. " * 3
PAGE = f"""<html><body><nav><a href=/menu>Menu</a><img src=/logo.png alt=Logo></nav><article>
<h1>Boats</h1><p>They <a href="home?a=1">came <b>home</b>
at last</a>, <a href="javascript:x()">or</a> <a href="#n">not</a>. {LONG}</p>
<h2>Harbour</h2><p>{LONG}</p>
<figure><img src="/a.png" alt="A boat"><figcaption>At sea.</figcaption></figure>
<h3>Quay</h3><ul><li>{LONG}<img src="b.png"></li><li>Two. {LONG}</li></ul>
<h2>End</h2><p>{LONG}<a href="https://b.example/"><img src="c.png" alt="C"></a></p>
</article></body></html>"""


def test_blocks_name_their_section_links_and_pictures_their_block() -> None:
    result = extract(PAGE, url="https://a.example/n/", include=("blocks", "links", "images"))
    assert result.blocks is not None
    sections = [(block.text[:9], block.section) for block in result.blocks]
    assert sections == [
        ("They came", ()),
        ("Harbour", ()),
        ("The boats", ("Harbour",)),
        ("At sea.", ("Harbour",)),
        ("Quay", ("Harbour",)),
        ("The boats", ("Harbour", "Quay")),
        ("Two. The ", ("Harbour", "Quay")),
        ("End", ()),
        ("The boats", ("End",)),
    ]
    assert result.links == (
        Link("came home at last", "https://a.example/n/home?a=1", 0),
        Link("not", "https://a.example/n/#n", 0),
    )
    assert result.images == (
        Picture("https://a.example/a.png", "A boat", "At sea.", 2),
        Picture("https://a.example/n/b.png", "", "", 5),
        Picture("https://a.example/n/c.png", "C", "", 8),
    )


@pytest.mark.parametrize(
    "caption",
    [
        "<figcaption>Le <a href=/c>quai</a></figcaption>",
        "<span class=captions><span><p>Le <b>quai</b></p></span></span>",
        "<p class=credit>Foto: X</p><figcaption><span>Le</span> <span>quai</span></figcaption>",
        "<div><div>Le quai</div></div>",
    ],
)
def test_captions_of_figures_may_have_links_or_be_in_other_elements(caption: str) -> None:
    page = parse(f"<p>a</p><figure><img src=/b.png alt=b>{caption}</figure><p>c</p>")
    blocks = range(len(page.blocks))
    found = render_formats(page, render_blocks(page, blocks), blocks, (), ("images",))
    assert [image.caption for image in found["images"]] == ["Le quai"]


def test_text_from_elsewhere_has_no_links_and_images() -> None:
    body = LONG.replace('"', "") * 4
    html = (
        f'<script type="application/ld+json">{{"@type":"Article","articleBody":"{body}"}}</script>'
    )
    result = extract(html, include=("blocks", "links", "images"))
    assert (result.main_text != "", result.links, result.images) == (True, (), ())
