"""The algorithms that the papers compare themselves with."""

from __future__ import annotations

from math import e, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webtext.lab.corpus import LabelledPage
from scrapy_webtext.lab.evaluate import score_extractors
from scrapy_webtext.lab.evaluate.baselines import cetd, densities, lori, sun
from scrapy_webtext.page import parse
from tests.fuzz.pages import soup

STORY = "It rained, it stormed, and then it was over. So, they say, it went."
MENU = "<ul>" + "<li><a href=/>Home</a></li>" * 20 + "</ul>"


def test_density_is_that_of_the_paper_worked_by_hand() -> None:
    # div: 30 characters, 10 of them in one link; 2 tags inside, 1 of them a link.
    # The page is the div: LC_b / C_b = 1 / 3.
    html = f"<div><p>{'x' * 20}</p><a>{'y' * 10}</a></div>"
    page = parse(html)
    found = dict(zip(page.nodes.tag, densities(page), strict=True))
    base = log(30 / 20 * 10 + 10 / 30 * 30 + e)
    assert found["div"] == pytest.approx(30 / 2 * log(30 / 10 * 2 / 1) / log(base))
    # p: no tags and no links inside count as one, and so do no characters in links.
    base = log(20 / 20 * 1 + 10 / 30 * 20 + e)
    assert found["p"] == pytest.approx(20 / 1 * log(20 / 1 * 1 / 1) / log(base))


def test_an_article_is_found_by_density_between_menus() -> None:
    story = "".join(f"<p>{STORY} {STORY}</p>" for _ in range(8))
    page = parse(f"<body>{MENU}<div>{story}</div>{MENU}</body>")
    assert cetd(page) == "\n".join([f"{STORY} {STORY}"] * 8)


def test_text_that_a_browser_does_not_show_has_no_density() -> None:
    page = parse(f"<body><div><p>{STORY}</p></div><select><option>{STORY * 9}</select></body>")
    assert cetd(page) == STORY


def test_lori_looks_for_punctuation_and_few_links_and_sun_for_words() -> None:
    few = f"<div>{STORY}</div>"  # 6 marks, no link
    many = f"<div>{'words and words ' * 20}<a>a link</a></div>"
    page = parse(f"<body>{few}{many}</body>")
    assert lori(page) == STORY
    assert sun(page).startswith("words and words")


@pytest.mark.parametrize("baseline", [cetd, lori, sun])
@pytest.mark.parametrize("html", ["", "<p></p>", "<img>", "<script>x</script>"])
def test_a_page_without_text_gives_none(baseline, html: str) -> None:  # type: ignore[no-untyped-def]
    assert baseline(parse(html)) == ""


@given(st.text(max_size=200) | st.binary(max_size=200).map(soup))
def test_any_string_gives_the_same_text_twice(html: str) -> None:
    for baseline in (cetd, lori, sun):
        assert baseline(parse(html)) == baseline(parse(html))


def test_they_are_scored_beside_the_extractors_by_their_names() -> None:
    html = f"<body>{MENU}<div>{f'<p>{STORY}</p>' * 5}</div></body>"
    page = LabelledPage("1", html, "\n".join([STORY] * 5))
    scores = score_extractors([page], ["cetd", "lori", "sun", "pvalue"])
    assert [score.extractor for score in scores] == ["cetd", "lori", "sun", "pvalue"]
    assert [score.overlap.f1 for score in scores] == [1, 1, 1, 1]
