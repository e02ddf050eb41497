"""Articles that teach a second time, without their text."""

from __future__ import annotations

from collections import Counter
from typing import Any

from scrapy_webtext.lab.corpus import LabelledPage
from scrapy_webtext.lab.train.fusion.examples import Example, example
from scrapy_webtext.lab.train.fusion.negatives import (
    LEAST_OTHERS,
    articles_to_empty,
    as_other_page,
    real_pages,
    without_text,
)
from scrapy_webtext.page import parse

STORY = "The harbour was quiet that morning, and the boats lay where they had been left."
PAGE = f"""<body><ul><li><a href=/>Home</a></ul><article class=post>
<h1>Quiet</h1><p>{STORY} {STORY}</p>A tail that goes on: {STORY}<p>{STORY}</p></article>
<footer>All rights reserved by the harbour</footer></body>"""


def made(number: int, script: str, kind: str = "article", **fields: Any) -> Example:
    labelled = LabelledPage(f"{script}{number}{kind}", PAGE, STORY, type=kind)
    found = example("boats", labelled, parse(PAGE))
    assert found is not None
    found.script = script
    for name, value in fields.items():
        setattr(found, name, value)
    return found


def test_a_page_without_its_text_keeps_its_elements_and_its_other_text() -> None:
    page = parse(PAGE)
    labelled = LabelledPage("1", PAGE, f"{STORY} {STORY}\nA tail that goes on: {STORY}\n{STORY}")
    emptied = without_text(labelled, page)
    assert emptied.blocks.text == ["Home", "Quiet", "All rights reserved by the harbour"]
    assert emptied.nodes.tag == page.nodes.tag
    assert emptied.nodes.attributes == page.nodes.attributes
    assert page.blocks.text == parse(PAGE).blocks.text


def test_it_is_labelled_as_no_article_and_has_no_text() -> None:
    labelled = as_other_page(LabelledPage("1", PAGE, STORY, type="article"))
    assert (labelled.text, labelled.type == "article", labelled.id == "1") == ("", False, False)


def test_scripts_with_few_other_pages_get_some() -> None:
    greek = [made(k, "greek") for k in range(8)]
    english = [made(k, "english") for k in range(8)]
    others = [made(k, "english", "listing") for k in range(8)]
    chosen = list(articles_to_empty([*greek, *english, *others]))
    assert Counter(e.script for e in chosen) == {"greek": int(8 * LEAST_OTHERS)}
    assert chosen == list(articles_to_empty([*others, *greek[::-1], *english]))


def test_articles_without_labels_are_not_emptied() -> None:
    assert not list(articles_to_empty([made(k, "greek", labels=[]) for k in range(8)]))


def test_names_and_words_are_learned_of_pages_as_found() -> None:
    whole = made(1, "greek")
    emptied = made(2, "greek", id=as_other_page(LabelledPage("1", PAGE, STORY)).id)
    assert real_pages([whole, emptied]) == [whole]
