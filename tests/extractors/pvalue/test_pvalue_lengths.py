"""Step 1 of the P value, and lengths: forms, empty elements, entities, white space."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scrapy_webtext import extract
from scrapy_webtext.extractors.pvalue import PValueExtractor, PValueJudge
from scrapy_webtext.extractors.pvalue.entities import entity_chars, escaped_chars
from scrapy_webtext.extractors.pvalue.lengths import (
    REMOVED_ATTRIBUTES,
    REMOVED_TAGS,
)
from scrapy_webtext.page import parse
from tests.extractors.pvalue.pages import p_by_tag, page_p, text_of

TEXT = "<p>What the page is about, in one plain sentence.</p>"


VOID = {"embed", "input", "link", "meta"}


@pytest.mark.parametrize("tag", sorted(REMOVED_TAGS - VOID - {"head"}))
def test_step_1_removes_an_element_with_its_content(tag: str) -> None:
    html = f"<body>{TEXT}<{tag}>gone <b>too</b></{tag}></body>"
    assert page_p(html) == page_p(f"<body>{TEXT}</body>")
    assert "gone" not in text_of(html)
    assert "too" not in text_of(html)


@pytest.mark.parametrize("tag", sorted(VOID))
def test_step_1_removes_an_element_that_never_has_content(tag: str) -> None:
    html = f'<body><div>{TEXT}<{tag} title="long enough to matter"></div></body>'
    extractor = PValueExtractor()
    assert p_by_tag(html, extractor)["div"] == p_by_tag(f"<body><div>{TEXT}</div></body>")["div"]


def test_step_1_removes_the_head() -> None:
    body = f"<body>{TEXT}</body></html>"
    html = f"<html><head><title>A title</title></head>{body}"
    assert page_p(html) == page_p(f"<html>{body}")
    assert "title" not in text_of(html)


def test_step_1_removes_comments() -> None:
    assert page_p(f"<body>{TEXT}<!-- no text at all --></body>") == page_p(f"<body>{TEXT}</body>")


@pytest.mark.parametrize("attribute", sorted(REMOVED_ATTRIBUTES))
def test_step_1_removes_three_attributes(attribute: str) -> None:
    assert p_by_tag(f'<p {attribute}="x y z">Text</p>') == p_by_tag("<p>Text</p>")


def test_text_after_a_removed_element_stays() -> None:
    assert text_of("<p>Before <label>gone</label> after.</p>") == "Before after."


def test_a_form_around_the_whole_page_is_no_form() -> None:
    html = f"<body><form action='/page.aspx'><div>{TEXT}</div></form></body>"
    assert text_of(html) == "What the page is about, in one plain sentence."
    assert page_p(html) >= 0.5


def test_a_form_with_less_than_half_of_the_text_is_removed() -> None:
    html = f"<body>{TEXT}<form>Name <input> Street <input></form></body>"
    assert text_of(html) == "What the page is about, in one plain sentence."


def test_a_form_with_exactly_half_of_the_text_is_removed() -> None:
    assert text_of("<body><p>abcd</p><form>efgh</form></body>") == "abcd"
    assert "efghi" in text_of("<body><p>abcd</p><form>efghi</form></body>")


@pytest.mark.parametrize("inner", ["<a>ghijkl</a>", "<label>ghijkl</label>"])
def test_of_a_form_only_valid_text_counts(inner: str) -> None:
    html = f"<body><p>abcd</p><form>ef{inner}</form></body>"
    assert page_p(html) == page_p("<body><p>abcd</p></body>")


def test_at_the_letter_every_form_is_removed() -> None:
    html = f"<body><p>abcd</p><form><div>{TEXT}</div></form></body>"
    for option in ({"forms": "removed"}, {"reading": "paper"}):
        assert extract(html, extractor="pvalue", **option).main_text == "abcd"
        # p: 4 of text, 7 of tags; nothing else is left.
        judge = PValueJudge(**option)  # type: ignore[arg-type]
        assert page_p(html, judge) == pytest.approx(4 / 11)


def test_elements_without_text_count_for_no_length_where_they_are_dropped() -> None:
    # p: 4 of text, 7 of tags, 4 of <br>; kept also 10 + 13 of <img src="a">, 7 + 7 + 4 of the box.
    html = '<p>Rain<br><img src="abcdefgh"><i><b><hr></b></i></p>'
    img = len('<img src="abcdefgh">')
    kept = p_by_tag(html, PValueExtractor(empty="kept"))
    assert kept["p"] == pytest.approx(4 / (15 + img + 7 + 7 + 4))
    dropped = p_by_tag(html, PValueExtractor(empty="dropped"))
    assert dropped["p"] == pytest.approx(4 / 15)
    assert page_p(html, PValueJudge(empty="dropped")) == pytest.approx(4 / 15)


def test_an_element_is_without_text_if_step_1_removes_all_its_text() -> None:
    html = "<p>Rain<i><label>gone</label></i></p>"
    assert p_by_tag(html, PValueExtractor(empty="dropped"))["p"] == pytest.approx(4 / 11)
    assert p_by_tag(html)["p"] == pytest.approx(4 / 18)


def test_white_space_in_what_is_dropped_is_dropped_too() -> None:
    literal = PValueExtractor(whitespace="literal", empty="dropped")
    # Of the white space, the two line ends in <b> go with it, the one before it stays.
    assert p_by_tag("<p>Rain\n<b>\n\n</b></p>", literal)["p"] == pytest.approx(5 / 12)


def test_lengths_are_those_of_the_source_where_entities_are() -> None:
    # Text of p: Q&amp;A (7) as against Q&A (3); b has one more of 4 ("&#65;" is 5, its A is 1).
    html = "<p>Q&amp;A<b>&#65;</b></p>"
    source = p_by_tag(html, PValueExtractor(entities="source"))
    assert source["p"] == pytest.approx(12 / (12 + 7 + 7))
    assert source["b"] == pytest.approx(5 / 12 * 5 / 12)
    assert p_by_tag(html)["p"] == pytest.approx(4 / (4 + 7 + 7))


def test_entities_belong_to_the_text_that_they_stand_in() -> None:
    html = (
        "<title>A &amp; B</title><!-- &amp; --><script>a &amp;&amp; b</script>"
        "<p>One &lt;two</p><p title='&amp;'>Three&nbsp;four</p> &copy five &unknown; &#xZZ;"
    )
    page = parse(html)
    more = dict(zip(page.runs.text, entity_chars(page), strict=True))
    assert more == {
        "A & B": 4,
        "One <two": 3,
        "Three four": 5,
        "© five &unknown; &#xZZ;": 4,
    }


def test_without_source_entities_are_those_of_a_serializer() -> None:
    page = replace(parse("<p>Q&A</p>"), source="")
    assert entity_chars(page) == [4]
    assert escaped_chars("a<b>\xa0&") == 3 + 3 + 5 + 4


def test_entities_in_attributes_are_those_of_a_serializer() -> None:
    html = "<p title='a&b'>Text</p>"
    # ' title="a&amp;b"' has 16 characters.
    assert p_by_tag(html, PValueExtractor(entities="source"))["p"] == pytest.approx(4 / 27)
    assert p_by_tag(html)["p"] == pytest.approx(4 / 23)


def test_the_letter_is_one_switch_and_single_parameters_win_over_it() -> None:
    for factory in (PValueExtractor, PValueJudge):
        letter = factory(reading="paper")
        assert (letter.attributes, letter.whitespace, letter.entities, letter.forms) == (
            "paper",
            "literal",
            "source",
            "removed",
        )
        assert letter.empty == "kept"
        assert factory(reading="paper", whitespace="folded").whitespace == "folded"
        assert factory(reading="paper", whitespace="folded").forms == "removed"
    assert (PValueExtractor().attributes, PValueJudge().attributes) == ("paper", "none")
    assert PValueJudge(reading="paper", attributes="none").attributes == "none"


# White space as it stands, entities as they are spelled; the menu and its form go.
LETTER = """<html><body class="a">
<form>Search</form>
<div id="b" title="c">Q &amp; A <a>More</a></div>
</body></html>"""


# Text: "\n" "\n" around the form, "Q &amp; A " (10), "More" (4), "\n": 17, of it valid 13.
#   div:  l_t 14, l_s 14 + 11 (div) + 10 ( title="c") + 7 (a) = 42, l_vt 10
#   body: l_t 17, l_s 42 + 3 + 13 = 58, l_vt 13 (the attributes class and id are gone)


def test_p_at_the_letter_worked_by_hand() -> None:
    p = p_by_tag(LETTER, PValueExtractor(reading="paper"))
    assert p["div"] == pytest.approx(14 / 42 * 10 / 13)
    assert p["body"] == pytest.approx(17 / 58 * 13 / 13)
    assert p["form"] == 0


@pytest.mark.parametrize(
    "html",
    [
        "",
        "   \n ",
        "<html></html>",
        "<body><img src='a.png'></body>",
        "<body><a href='/'>Home</a> <a href='/b'>News</a></body>",
        "<body><script>var text = 'none';</script></body>",
        "<!-- nothing but a comment -->",
    ],
)
def test_a_page_without_valid_text_has_p_0_and_no_article(html: str) -> None:
    result = extract(html, extractor="pvalue")
    assert (result.main_text, result.p_value, result.score, result.has_article) == ("", 0, 0, False)


@pytest.mark.parametrize(
    "html",
    [
        "<p>&nbsp;</p>",
        " " * 99 + "<p> </p>" + " " * 99,
        "<p> <a>Home</a> <label>Name</label> </p>",
    ],
)
def test_white_space_alone_is_no_valid_text_even_where_it_is_counted(html: str) -> None:
    assert page_p(html, PValueJudge(whitespace="literal")) == 0


def test_folded_white_space_counts_indentation_as_markup_and_not_as_text() -> None:
    html = "<div>\n      <p>a   b</p>\n</div>"
    # p: l_t = 3 ("a b"), l_s = 10. div: l_t = 3, l_s = 10 + 11 + one blank before p, one after.
    p = p_by_tag(html, PValueExtractor(whitespace="folded"))
    assert p["p"] == pytest.approx(3 / 10)
    assert p["div"] == pytest.approx(3 / 23)


@pytest.mark.parametrize(("text", "blanks"), [(" a ", 2), (" a", 1), ("a ", 1), ("a", 0)])
def test_folded_white_space_is_one_character_at_each_edge_of_a_tag(text: str, blanks: int) -> None:
    # p: l_t = 2, tags 14.
    p = p_by_tag(f"<p>{text}<b>x</b></p>", PValueExtractor(whitespace="folded"))
    assert p["p"] == pytest.approx(2 / (16 + blanks))


def test_literal_white_space_counts_every_character_as_text() -> None:
    html = "<div>\n      <p>a   b</p>\n</div>"
    # All text: 7 before p, 5 in it, 1 after: 13. p: l_t = 5, l_s = 12. div: l_t = 13, l_s = 31.
    p = p_by_tag(html, PValueExtractor(whitespace="literal"))
    assert p["p"] == pytest.approx(5 / 12 * 5 / 13)
    assert p["div"] == pytest.approx(13 / 31)
