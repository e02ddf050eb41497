"""What a user may ask of `fusion`: precision or recall, and parts that are kept or left out."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webtext import extract
from scrapy_webtext.errors import SettingsError
from scrapy_webtext.extractors.fusion.expected_f1 import SCENARIOS, best_threshold
from scrapy_webtext.registry import make_extractor
from tests.extractors.fusion.test_extractor import ARTICLE, PARAGRAPHS

TABLE = (
    "<table><caption>The gauge</caption><tr><th>Hour<th>Level<tr><td>Nine in the morning<td>Two "
    "metres<tr><td>Noon<td>Four metres and twelve, the highest since 1987</table>"
)
LINK = "<a href='https://example.com/gauge'>the gauge at the bridge</a>"
blocks = st.lists(st.tuples(st.floats(0, 1), st.integers(1, 500)), max_size=40)


def text(html: str = ARTICLE, **options: Any) -> str:
    return extract(html, extractor="fusion", **options).main_text


def test_the_threshold_of_f_beta_worked_by_hand() -> None:
    # Ten words are sure; ten more are text in four scenarios of ten. F2 of both together is
    # .4 * 1 + .6 * 5 * 10 / (20 + 4 * 10) = .9, of the first alone .6 + .4 * 50 / (10 + 80) = .82;
    # F0.5 of both .4 + .6 * 12.5 / 22.5 = .73, of the first .6 + .4 * 12.5 / 15 = .93.
    probabilities, words = [1.0, 0.4], [10, 10]
    assert best_threshold(probabilities, words, beta=2.0) < 0.4
    assert best_threshold(probabilities, words, beta=0.5) > 0.4


def mean_f_beta(pairs: list[tuple[float, int]], threshold: float, beta: float) -> float:
    """Expected F-beta of the blocks above a threshold, from precision and recall."""
    total = 0.0
    for u in SCENARIOS:
        taken, held, both = (
            sum(n for p, n in pairs if p > bound) for bound in (threshold, u, max(threshold, u))
        )
        if both:
            precision, recall = both / taken, both / held
            total += (1 + beta**2) * precision * recall / (beta**2 * precision + recall)
    return total / len(SCENARIOS)


@given(blocks, st.sampled_from([0.5, 2.0]))
def test_no_other_threshold_promises_a_greater_f_beta(
    pairs: list[tuple[float, int]], beta: float
) -> None:
    probabilities, words = [p for p, _ in pairs], [n for _, n in pairs]
    best = mean_f_beta(pairs, best_threshold(probabilities, words, beta), beta)
    assert all(mean_f_beta(pairs, other, beta) <= best + 1e-9 for other in SCENARIOS)


def test_precision_and_recall_bound_the_text_from_both_sides() -> None:
    doubtful = (
        "<h4>By the way</h4><p>The Valley Post, weekly</p><p><a href=/x>All on floods</a></p>"
    )
    html = ARTICLE.replace("</article>", f"{doubtful}</article>")
    few, some, many = (text(html, favour=favour) for favour in ("precision", None, "recall"))
    assert "\n".join(PARAGRAPHS) in few
    assert set(few.split("\n")) <= set(some.split("\n")) <= set(many.split("\n"))


def test_the_headline_is_added_or_left_out() -> None:
    assert text(headline=True) == "\n".join(["Flood in the valley", *PARAGRAPHS])
    assert text(headline=False) == "\n".join(PARAGRAPHS)
    shown_within = ARTICLE.replace("<h1>", "<p><b>Valley</b></p><h1>")
    assert text(shown_within, headline=True).split("\n")[0] == "Flood in the valley"
    only = "<title>Rain</title><h1>Rain</h1>"
    assert text(only, headline=False) == text(only)


def test_tables_are_left_out_unless_they_lay_out_the_page() -> None:
    html = ARTICLE.replace(f"<p>{PARAGRAPHS[2]}", f"{TABLE}<p>{PARAGRAPHS[2]}")
    assert "Four metres and twelve, the highest since 1987" in text(html)
    assert text(html, tables=False) == "\n".join(PARAGRAPHS)
    laid_out = html.replace("<main>", "<table><tr><td>").replace("</main>", "</table>")
    assert text(laid_out, tables=False) == "\n".join(PARAGRAPHS)


def test_markdown_and_html_say_where_links_lead_unless_asked_not_to() -> None:
    html = ARTICLE.replace("the gauge at the bridge", LINK)
    kept, left_out = (
        extract(html, include=("main_markdown", "main_html"), links=links)
        for links in (True, False)
    )
    assert kept.main_markdown is not None
    assert kept.main_html is not None
    assert "[the gauge at the bridge](https://example.com/gauge)" in kept.main_markdown
    assert left_out.main_markdown == kept.main_markdown.replace(
        "[the gauge at the bridge](https://example.com/gauge)", "the gauge at the bridge"
    )
    assert left_out.main_html == kept.main_html.replace(
        '<a href="https://example.com/gauge">the gauge at the bridge</a>', "the gauge at the bridge"
    )
    assert left_out.main_text == kept.main_text


def test_copies_are_kept_when_asked_for() -> None:
    again = f"<div><p>{PARAGRAPHS[1]}</p></div><p>{PARAGRAPHS[3]}"
    html = ARTICLE.replace(f"<p>{PARAGRAPHS[3]}", again)
    assert text(html).count(PARAGRAPHS[1]) == 1
    assert text(html, copies=True).count(PARAGRAPHS[1]) == 2


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"favour": "speed"}, "favour='speed' is not allowed; use one of: None, 'precision', 're"),
        ({"favour": ["recall"]}, r"favour=\['recall'\] is not allowed"),
        ({"headline": 1}, "headline=1 is not allowed; use True, False or None"),
        ({"tables": None}, "tables=None is not allowed; use True or False"),
        ({"links": "no"}, "links='no' is not allowed"),
        ({"copies": 0}, "copies=0 is not allowed"),
    ],
)
def test_other_values_are_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(SettingsError, match=words):
        make_extractor("fusion", options)
