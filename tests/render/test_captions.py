"""Captions belong to their pictures, not to the plain text."""

import pytest

from scrapy_webtext import extract
from scrapy_webtext.page import parse
from scrapy_webtext.render import render_formats
from scrapy_webtext.render.captions import find_captions

LINE = "The boats came home before the storm, as they do in the autumn of each year. " * 3
CAPTIONS = {
    "figcaption": "<figure><img src=/a.png><figcaption>At <i>sea</i>.</figcaption></figure>",
    "with credit": "<figure><img src=/a.png><figcaption><p>At <i>sea</i>.</p></figcaption>"
    "<p><a href=/big>Enlarge</a></p></figure>",
    "in a noscript": "<figure><div></div><noscript><img src=/a.png alt=x></noscript>"
    "<figcaption>At <i>sea</i>.</figcaption></figure>",
    "text of a figure": "<figure><img src=/a.png><p>At <i>sea</i>.</p></figure>",
    "class name": "<div class=wp-caption><img src=/a.png><p>At <i>sea</i>.</p></div>",
    "class below": "<div><div><img src=/a.png></div><p class=img-caption>At <i>sea</i>.</p></div>",
    "camel case": "<div><img src=/a.png><div class=ImageCaption>At <i>sea</i>.</div></div>",
    "carousel": "<div><div><img src=/a.png></div><div class=Slide-info><span "
    "class=CarouselSlide-infoDescription><p>At <i>sea</i>.</p></span></div></div>",
    "list": "<dl class=wp-caption><dt><img src=/a.png><dd class=wp-caption-dd>At <i>sea</i>.</dl>",
    "in one line": "<p><img src=/a.png><br><br><span class=caption>At <i>sea</i>.</span></p>",
    "after it": "<p><img src=/a.png></p><p class=caption>At <i>sea</i>.</p>",
    "old table": "<table><tr><td><img src=/a.png><tr><td class=caption>At <i>sea</i>.</table>",
}


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


@pytest.mark.parametrize(
    "html",
    [
        "<figure><table><tr><td>a<td>b</table><figcaption>Sizes</figcaption></figure>",
        "<figure><pre>a = 1</pre><figcaption>Program</figcaption></figure>",
        "<figure><blockquote>So be it.</blockquote><figcaption>A king</figcaption></figure>",
        "<figure><video src=a.mp4></video><figcaption>A film</figcaption></figure>",
        f"<figure><img src=a.png>{LINE * 4}</figure>",
        f"<div class=has-caption><img src=a.png>{LINE * 4}</div>",
        f"<article><img src=a.png><p>{LINE * 4}</p><p class=caption>Of a table</p></article>",
        "<p class=caption>No picture</p>",
        "<figure><img src=a.png><h2>A heading</h2></figure>",
    ],
)
def test_other_text_is_no_caption_of_a_picture(html: str) -> None:
    assert find_captions(parse(html)) == {}


def test_captions_are_the_text_of_a_photo_essay() -> None:
    figure = f"<figure><img src=/a.png><figcaption>{LINE}</figcaption></figure>"
    html = f"<main><article><h1>The storm</h1><p>Ten pictures.</p>{figure * 10}</article></main>"
    assert extract(html, copies=True).main_text.count("came home") > 5


def test_a_text_may_consist_of_captions() -> None:
    page = parse("<figure><img src=/a.png><figcaption>At sea.</figcaption></figure>")
    found = render_formats(page, "At sea.", (0,), (), ("images", "main_markdown"))
    assert found == {"images": (), "main_markdown": "At sea."}
