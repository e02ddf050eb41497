"""P on pages worked by hand, the judge, parameters."""

from __future__ import annotations

import pytest
from lxml.html import fragment_fromstring

from scrapy_webtext.errors import SettingsError
from scrapy_webtext.extractors.pvalue import PValueExtractor, PValueJudge
from scrapy_webtext.page import from_root, parse
from tests.extractors.pvalue.pages import p_by_tag, page_p, text_of

# Worked by hand. Text: "Rain fell." has 10 characters, "More" 4 (a link), "Bye." 4.
# L_VT = 10 + 4 = 14. Start and end tag: html 13, body 13, div 11, a 7, p 7 characters.
#
#   element  l_s (def. 1)            l_t (def. 2)  l_vt (def. 3)  P = l_t / l_s * l_vt / L_VT
#   html     18 + 13+13+11+7+7 = 69  18            14             18/69 * 14/14
#   body     18 + 13+11+7+7    = 56  18            14             18/56 * 14/14
#   div      14 + 11+7         = 32  14            10             14/32 * 10/14
#   a         4 + 7            = 11   4             0              4/11 *  0/14
#   p         4 + 7            = 11   4             4              4/11 *  4/14
WORKED = "<html><body><div>Rain fell.<a>More</a></div><p>Bye.</p></body></html>"


WORKED_P = {
    "html": 18 / 69,
    "body": 18 / 56,
    "div": 14 / 32 * 10 / 14,
    "a": 0.0,
    "p": 4 / 11 * 4 / 14,
}


def test_p_of_every_element_is_the_papers_on_a_page_worked_by_hand() -> None:
    assert p_by_tag(WORKED) == pytest.approx(WORKED_P)


def test_p_value_of_the_page_is_the_greatest_of_its_elements() -> None:
    assert page_p(WORKED) == pytest.approx(18 / 56)


def test_main_text_is_the_text_of_the_element_with_the_greatest_p() -> None:
    extraction = PValueExtractor().extract(parse(WORKED))
    assert extraction.text == "Rain fell.More\nBye."
    assert extraction.score == pytest.approx(18 / 56)


def test_one_element_with_most_of_the_text_wins_over_its_surroundings() -> None:
    # div: l_t = l_vt = 40, l_s = 51; body: l_t = 44, l_vt = 40, l_s = 44 + 11 + 13 + 20 * 11.
    links = "".join(f"<b><a>{i}</a></b>" for i in "wxyz")
    html = f"<body><div>{'z' * 40}</div>{links}</body>"
    assert p_by_tag(html)["div"] == pytest.approx(40 / 51)
    assert text_of(html) == "z" * 40


def test_the_root_of_a_ready_tree_can_be_chosen() -> None:
    page = from_root(fragment_fromstring("<p>Text of it, <b>all</b> of it.</p>"))
    extraction = PValueExtractor().extract(page)
    assert extraction.text == "Text of it, all of it."
    assert extraction.score == pytest.approx(20 / (20 + 7 + 7 + 2))  # a blank on each side of <b>


def test_first_of_equally_probable_elements_is_chosen() -> None:
    filler = "<i></i>" * 40  # makes every element around the two a poor choice
    html = f"<body><p>One one one.</p>{filler}<p>Two two two.</p></body>"
    assert text_of(html) == "One one one."


def test_text_of_all_links_at_any_depth_is_not_valid_text() -> None:
    html = "<body><p>abcde<a>f<b>g<i>h</i></b></a></p></body>"
    # p: l_t = 8, l_vt = 5 of L_VT = 5, l_s = 8 + 7 + 7 + 7 + 7.
    assert p_by_tag(html)["p"] == pytest.approx(8 / 36)


def test_length_of_an_element_counts_the_attributes_that_stay() -> None:
    # l_s of p: 4 characters of text, <p></p> 7, ' title="abc"' 12.
    assert p_by_tag('<p title="abc">Text</p>')["p"] == pytest.approx(4 / 23)


def test_a_void_element_has_no_end_tag() -> None:
    # l_s of p: 2 characters of text, <p></p> 7, <br> 4.
    assert p_by_tag("<p>a<br>b</p>")["p"] == pytest.approx(2 / 13)


def ascending(p: dict[str, float]) -> list[str]:
    return sorted(p, key=p.__getitem__)


def test_leaving_out_the_pages_constant_keeps_the_order_of_elements() -> None:
    # Eq. 3: P' = l_t * l_vt / l_s.
    p_prime = {
        "html": 18 * 14 / 69,
        "body": 18 * 14 / 56,
        "div": 14 * 10 / 32,
        "a": 0,
        "p": 16 / 11,
    }
    assert ascending(p_by_tag(WORKED)) == ascending(p_prime)


def test_p_is_the_total_probability_with_a_zero_second_term() -> None:
    # Eq. 2 for div: P(A) = 14/32 (its text represents it), P(B|A) = 10/14, P(B|not A) = 0.
    p_a, p_b_given_a, p_b_given_not_a = 14 / 32, 10 / 14, 0.0
    total = p_b_given_a * p_a + p_b_given_not_a * (1 - p_a)
    assert p_by_tag(WORKED)["div"] == pytest.approx(total)


def test_judge_leaves_out_all_attributes_where_the_extractor_leaves_out_three() -> None:
    html = '<p data-x="1234567890">Text</p>'
    # 4 of text, 7 of tags, 20 of attribute; the page's P is p's.
    assert PValueExtractor().extract(parse(html)).score == pytest.approx(4 / 31)
    assert page_p(html) == pytest.approx(4 / 11)
    assert PValueExtractor(attributes="none").extract(parse(html)).score == pytest.approx(4 / 11)
    assert page_p(html, PValueJudge(attributes="paper")) == pytest.approx(4 / 31)


def test_judge_says_article_from_one_half_on() -> None:
    html = "<p>abcdefg</p>"  # 7 of text, 7 of tags
    assert page_p(html) == 0.5
    assert PValueJudge().judge(parse(html)).has_article
    assert not PValueJudge().judge(parse("<p>abcdef</p>")).has_article
    assert not PValueJudge().judge(parse(html), threshold=0.51).has_article


@pytest.mark.parametrize("factory", [PValueExtractor, PValueJudge])
@pytest.mark.parametrize(
    "option", ["attributes", "whitespace", "entities", "forms", "empty", "reading"]
)
def test_a_wrong_parameter_names_itself_its_value_and_what_is_allowed(
    factory: type[PValueExtractor] | type[PValueJudge], option: str
) -> None:
    with pytest.raises(SettingsError, match=rf"{option}='loose'.*use one of: \w+, \w+"):
        factory(**{option: "loose"})  # type: ignore[arg-type]


def test_signal_is_p_per_node_with_the_chosen_one_selected() -> None:
    page = parse(WORKED)
    (signal,) = PValueExtractor().signals(page)
    assert signal.unit == "node"
    assert signal.values == pytest.approx(tuple(WORKED_P[tag] for tag in page.nodes.tag))
    assert [page.nodes.tag[i] for i in signal.selected] == ["body"]
