"""Pages that are made of labelled ones."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

import pytest

from scrapy_webtext.lab import made_pages as made
from scrapy_webtext.lab.corpus import LabelledPage
from scrapy_webtext.page import Page, parse

STORY = "The harbour was quiet that morning, and the boats lay where they had been left."
PAGE = f"""<body><ul><li><a href=/>Home</a></ul><article class=post>
<h1>Quiet</h1><p>One. {STORY} {STORY}</p>A tail that goes on: {STORY}<p>Two. {STORY}</p></article>
<script type="application/ld+json">{{"@type": "Article"}}</script>
<footer>All rights reserved by the harbour</footer></body>"""
GOLD = f"One. {STORY} {STORY}\nA tail that goes on: {STORY}\nTwo. {STORY}"
LABELLED = LabelledPage("1", PAGE, GOLD, type="article")


def test_an_article_without_its_text_keeps_its_elements() -> None:
    page = parse(PAGE)
    labels, emptied = made.make_page(made.WITHOUT, LABELLED, page) or (LABELLED, page)
    assert emptied.blocks.text == ["Home", "Quiet", "All rights reserved by the harbour"]
    assert (emptied.nodes.tag, emptied.nodes.attributes) == (page.nodes.tag, page.nodes.attributes)
    assert page.blocks.text == parse(PAGE).blocks.text
    assert (labels.text, labels.type) == ("", "other")
    assert (made.kind_of(labels.id), made.labelled_id(labels.id)) == (made.WITHOUT, "1")
    assert (made.kind_of("1"), made.labelled_id("1")) == ("", "1")


def test_an_article_is_cut_after_some_paragraphs() -> None:
    page = parse(PAGE)
    cut = made.cut_short(LABELLED, page, 2, keeps_json_ld=False)
    assert cut is not None
    assert [text.split()[0] for text in cut.blocks.text] == ["Home", "Quiet", "One.", "A", "All"]
    assert (cut.json_ld, len(page.json_ld)) == ((), 1)
    assert made.cut_short(LABELLED, page, 3) is None


@pytest.mark.parametrize("number", range(16))  # of the layouts, each by chance
@pytest.mark.parametrize("kind", [made.ENTRY, made.MANUAL, made.CATEGORY])
def test_a_layout_shows_the_text_of_its_page(kind: str, number: int) -> None:
    page = parse(made.in_layout(kind, LabelledPage(str(number), "", GOLD)))
    text = " ".join(" ".join(page.blocks.text).split())
    assert ("boats lay where they had been left." if kind == made.ENTRY else "The harbour") in text
    assert page.title.startswith("One.")


def test_a_tutorial_has_code_between_its_paragraphs() -> None:
    made_of = [made.make_page(made.TUTORIAL, labelled, page) for _, labelled, page in stories()]
    pages = [page for _, page in filter(None, made_of)]
    assert len(pages) > 20
    for page in pages:
        tags = [tag for tag in page.nodes.tag if tag in ("p", "pre")]
        assert tags.count("p") == len("abcd")
        assert tags.count("pre") >= made.LEAST_CODES


def stories() -> Iterator[tuple[str, LabelledPage, Page]]:
    for number in range(60):
        lines = [" ".join(f"{k}{word}{number}" for word in STORY.split()) for k in "abcd"]
        title = f"<title>Ship {number} came home - News</title>" if number % 9 else ""
        html = f"{title}<h1>Ship {number} came home</h1><p>" + "<p>".join(lines)
        url = f"https://example.org/news/2020/ship-{number}.html"
        labelled = LabelledPage(f"{number}", html, "\n".join(lines), url, "article")
        yield "corpus", labelled, parse(html, url=url)


@pytest.mark.parametrize("kind", [made.FRONT, made.THREAD, made.GALLERY, made.RECIPE])
def test_a_piece_shows_other_articles_alone_or_in_place_of_the_text(kind: str) -> None:
    kinds = {("corpus", f"{number}"): [kind] for number in range(60)}
    pages = [page for _, _, page in made.made_pages(stories(), kinds)]
    assert len(pages) == 60 - made.LEAST_TEASERS
    alone = 0
    for number, page in enumerate(pages, made.LEAST_TEASERS):
        text = "\n".join(page.blocks.text)
        others = set(re.findall(r"(?:Ship |aThe)(\d+)", text))
        assert others <= {f"{k}" for k in range(number + 1)}
        assert kind != made.FRONT or len(others) >= made.LEAST_TEASERS
        assert f"bThe{number} bharbour" not in text
        alone += "Privacy" in text
    assert 10 < alone < 50


def test_old_markup_has_the_text_and_no_metadata() -> None:
    html = PAGE.replace("<body>", "<meta property='og:type' content='article'>")
    seen = set()
    for number in range(40):
        old = made.in_old_markup(html, Random(number))
        page = parse(old)
        assert page.blocks.text == parse(PAGE).blocks.text
        assert not page.metas
        seen |= {*page.nodes.tag, "class" if "class=post" in old else "no class"}
    assert {"table", "div", "b", "h1", "br", "p", "class", "no class"} <= seen
    labels, page = made.make_page(made.OLD, LABELLED, parse(html)) or (LABELLED, parse(html))
    assert (labels.text, labels.type, page.json_ld) == ("", "article", ())
