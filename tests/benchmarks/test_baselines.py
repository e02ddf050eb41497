"""The baselines of the papers, worked by hand."""

from math import e, log

import pytest

from scrapy_webtext.page import parse
from tests.benchmarks.baselines import Cetd, Lori, Sun, densities

STORY = "It rained, it stormed, and then it was over. So, they say, it went."
MENU = "<ul>" + "<li><a href=/>Home</a></li>" * 20 + "</ul>"


def test_density_is_as_worked_by_hand() -> None:
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


def test_cetd_finds_an_article_between_menus_and_ignores_hidden() -> None:
    story = "".join(f"<p>{STORY} {STORY}</p>" for _ in range(8))
    found = Cetd().extract(parse(f"<body>{MENU}<div>{story}</div>{MENU}</body>"))
    assert found.text == "\n".join([f"{STORY} {STORY}"] * 8)
    hidden = f"<select><option>{STORY * 9}</select>"
    page = parse(f"<body><div><p>{STORY}</p></div>{hidden}</body>")
    assert Cetd().extract(page).text == STORY


def test_lori_weighs_punctuation_and_links_and_sun_weighs_words() -> None:
    few = f"<div>{STORY}</div>"  # 6 marks, no link
    many = f"<div>{'words and words ' * 20}<a>a link</a></div>"
    page = parse(f"<body>{few}{many}</body>")
    assert Lori().extract(page).text == STORY
    assert Sun().extract(page).text.startswith("words and words")
