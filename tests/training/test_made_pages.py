"""Pages that are made of labelled ones, and structures put between their paragraphs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from random import Random

import pytest

from scrapy_webtext.lab.corpus import LabelledPage
from scrapy_webtext.page import Page, parse
from training import grafts, resource
from training import made_pages as made
from training.grafts import BOILERPLATE, CONTENT, TEST, TRAIN, letters_of
from training.made_pages import labelled_id

STORY = "The harbour was quiet that morning, and the boats lay where they had been left."
ARTICLE = f"""<body><ul><li><a href=/>Home</a></ul><article class=post>
<h1>Quiet</h1><p>One. {STORY} {STORY}</p>A tail that goes on: {STORY}<p>Two. {STORY}</p></article>
<script type="application/ld+json">{{"@type": "Article"}}</script>
<footer>All rights reserved by the harbour</footer></body>"""
GOLD = f"One. {STORY} {STORY}\nA tail that goes on: {STORY}\nTwo. {STORY}"
LABELLED = LabelledPage("1", ARTICLE, GOLD, type="article")


def test_an_article_without_its_text_keeps_its_elements() -> None:
    page = parse(ARTICLE)
    labels, emptied = made.make_page("without", LABELLED, page) or (LABELLED, page)
    assert emptied.blocks.text == ["Home", "Quiet", "All rights reserved by the harbour"]
    assert (emptied.nodes.tag, emptied.nodes.attributes) == (page.nodes.tag, page.nodes.attributes)
    assert page.blocks.text == parse(ARTICLE).blocks.text
    assert (labels.text, labels.type) == ("", "other")
    assert (made.kind_of(labels.id), made.labelled_id(labels.id)) == ("without", "1")
    assert (made.kind_of("1"), made.labelled_id("1")) == ("", "1")


def test_an_article_is_cut_after_some_paragraphs() -> None:
    page = parse(ARTICLE)
    cut = made.cut_short(LABELLED, page, 2, keeps_json_ld=False)
    assert cut is not None
    assert [text.split()[0] for text in cut.blocks.text] == ["Home", "Quiet", "One.", "A", "All"]
    assert (cut.json_ld, len(page.json_ld)) == ((), 1)
    assert made.cut_short(LABELLED, page, 3) is None


@pytest.mark.parametrize("number", range(16))  # of the layouts, each by chance
@pytest.mark.parametrize("kind", ["entry", "manual", "category"])
def test_a_layout_shows_the_text_of_its_page(kind: str, number: int) -> None:
    page = parse(made.in_layout(kind, LabelledPage(str(number), "", GOLD)))
    text = " ".join(" ".join(page.blocks.text).split())
    assert ("boats lay where they had been left." if kind == "entry" else "The harbour") in text
    assert page.title.startswith("One.")


def test_a_tutorial_has_code_between_its_paragraphs() -> None:
    made_of = [made.make_page("tutorial", labelled, page) for _, labelled, page in stories()]
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


@pytest.mark.parametrize("kind", ["front", "thread", "gallery", "recipe"])
def test_a_piece_shows_other_articles_alone_or_in_place_of_the_text(kind: str) -> None:
    kinds = {("corpus", f"{number}"): [kind] for number in range(60)}
    pages = [page for _, _, page in made.made_pages(stories(), kinds)]
    assert len(pages) == 60 - made.LEAST_TEASERS
    alone = 0
    for number, page in enumerate(pages, made.LEAST_TEASERS):
        text = "\n".join(page.blocks.text)
        others = set(re.findall(r"(?:Ship |aThe)(\d+)", text))
        assert others <= {f"{k}" for k in range(number + 1)}
        assert kind != "front" or len(others) >= made.LEAST_TEASERS
        assert f"bThe{number} bharbour" not in text
        alone += "Privacy" in text
    assert 10 < alone < 50


def test_old_markup_has_the_text_and_no_metadata() -> None:
    html = ARTICLE.replace("<body>", "<meta property='og:type' content='article'>")
    seen = set()
    for number in range(40):
        old = made.in_old_markup(html, Random(number))
        page = parse(old)
        assert page.blocks.text == parse(ARTICLE).blocks.text
        assert not page.metas
        seen |= {*page.nodes.tag, "class" if "class=post" in old else "no class"}
    assert {"table", "div", "b", "h1", "br", "p", "class", "no class"} <= seen
    labels, page = made.make_page("old", LABELLED, parse(html)) or (LABELLED, parse(html))
    assert (labels.text, labels.type, page.json_ld) == ("", "article", ())


LINES = [f"{n} boats lay in the harbour that morning." for n in ("One", "Two", "Six", "Ten")]
LINES += [f"{n} cats sat on the wall and looked at them." for n in ("No", "Few", "Many")]
PAGE = LabelledPage(
    "1",
    f"<html lang=en><body><p>Menu<article>{''.join(f'<p>{s}</p>' for s in LINES)}</article>",
    "\n".join(LINES),
    "https://harbour.example/boats",
)
KINDS = (*CONTENT, *BOILERPLATE)


@pytest.mark.parametrize("part", [TRAIN, TEST])
@pytest.mark.parametrize("kind", KINDS)
def test_only_content_adds_its_lines_to_the_gold_text(kind: str, part: str) -> None:
    for seed in range(8):
        one = grafts.graft(PAGE, Random(seed), part=part, kind=kind)
        assert one is not None
        place = next(k for k, line in enumerate(LINES) if letters_of(line) == one.place.before) + 1
        assert place == 3 or part == TRAIN
        added = [line.text for line in one.lines] if kind in CONTENT else []
        assert one.page.text.split("\n") == [*LINES[:place], *added, *LINES[place:]]
        assert len(one.page.html) > len(PAGE.html)
        assert one.kind == kind
        assert labelled_id(one.page.id) == "1"


def test_the_parts_share_kinds_but_no_template_and_no_wording() -> None:
    sources = grafts.sources()
    for group in ("content", "boilerplate"):
        train, test = sources[group, TRAIN], sources[group, TEST]
        assert list(train) == list(test)
        assert not {s for some in train.values() for s in some} & {
            s for some in test.values() for s in some
        }
    wordings = json.loads(resource("structures.json"))
    for key, test in wordings["test"].items():
        train = wordings["train"][key]
        if isinstance(train, dict):
            assert train.keys() >= test.keys()
            assert not _all(train) & _all(test)
        else:
            assert not [one for one in train if one in test]


def _all(wordings: dict[str, str]) -> set[str]:
    return {word.strip().casefold() for listed in wordings.values() for word in listed.split("|")}


def test_every_wording_of_the_train_part_has_english() -> None:
    train = json.loads(resource("structures.json"))["train"]
    assert [key for key, own in train.items() if isinstance(own, dict) and "en" not in own] == []


def test_several_structures_are_put_into_one_page() -> None:
    found = grafts.graft_some(PAGE, Random(3))
    assert len(found) > 1
    last = found[-1].page
    content = [one.lines for one in found if one.kind in CONTENT]
    assert all("\n".join(line.text for line in lines) in last.text for lines in content)
    assert last.id == "1 made: " + " + ".join(one.kind for one in found)
    assert grafts.graft_some(PAGE, Random(3)) == found


def test_a_page_without_six_gold_paragraphs_has_no_place() -> None:
    short = LabelledPage("1", PAGE.html, "\n".join(LINES[:5]))
    assert grafts.graft(short, Random(1)) is None
    assert grafts.graft_some(short, Random(1)) == []
