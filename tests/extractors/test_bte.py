"""Body text extraction: T(i, j) worked by hand, held to its definition, and its laws."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml.etree import Comment
from lxml.html import document_fromstring

from scrapy_webtext import extract
from scrapy_webtext.extractors.bte import BodyTextExtractor, best_plateau
from scrapy_webtext.page import from_root, parse

# Worked by hand. Tokens by position, tags as 1, words as 0:
#
#   0 html  1 body  2 p  3 Home  4 /p  5 p  6 a  7 News  8 /a  9 /p
#   10 p  11 It  12 rained  13 all  14 b  15 day  16 /b  17 long.  18 /p
#   19 p  20 Bye.  21 /p  22 /body  23 /html
#
# N = 24 with 16 tags and 8 words. Between 11 and 17 lie 5 words and 2 tags:
# T(11, 17) = 9 (tags below 11) + 5 (words) + 5 (tags above 17) = 19.
# Ending at 13 already leaves 2 tags and 2 words on the other side, T(11, 13) = 9 + 3 + 7 = 19
# as well: the longer run is taken. "Bye." adds 1 word for 2 tags: T(11, 20) = 9 + 6 + 3 = 18.
WORKED = (
    "<html><body><p>Home</p><p><a>News</a></p>"
    "<p>It rained all <b>day</b> long.</p><p>Bye.</p></body></html>"
)


BITS = [1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1, 1, 0, 1, 1, 1]


ARTICLE = "<p>Rain fell on the town all day long, and nobody went out to see it.</p>"


def t(bits: list[int], i: int, j: int) -> int:
    """T(i, j) as the paper has it."""
    return sum(bits[:i]) + sum(1 - b for b in bits[i : j + 1]) + sum(bits[j + 1 :])


def best_ends(bits: list[int]) -> tuple[int, int]:
    """Ends with the greatest T by trying all; of equals the earliest i, then the last j."""
    pairs = [(i, j) for i in range(len(bits)) for j in range(i, len(bits))]
    return max(pairs, key=lambda ends: (t(bits, *ends), -ends[0], ends[1]))


def bits_of(curve: tuple[float, ...]) -> list[int]:
    """Tokens of a page from the cumulative number of its tags."""
    return [int(b - a) for a, b in zip((0, *curve), curve)]  # noqa: B905 (one longer)


def text_of(html: str, **options: object) -> str:
    return extract(html, extractor="bte", **options).main_text


def test_body_lies_between_the_ends_worked_by_hand() -> None:
    extraction = BodyTextExtractor().extract(parse(WORKED))
    assert extraction.text == "It rained all day long."
    assert extraction.score == 19 / 24
    assert t(BITS, 11, 17) == 19
    assert t(BITS, 11, 13) == 19
    assert t(BITS, 11, 20) == 18
    assert best_ends(BITS) == (11, 17)


def test_signal_is_the_tag_curve_of_the_papers_figure_3_with_the_ends_of_the_plateau() -> None:
    (signal,) = BodyTextExtractor().signals(parse(WORKED))
    assert (signal.name, signal.unit) == ("cumulative_tags", "token")
    assert bits_of(signal.values) == BITS
    assert signal.selected == tuple(range(11, 18))


def test_each_word_of_the_curve_knows_its_block() -> None:
    page = parse(WORKED)
    (signal,) = BodyTextExtractor().signals(page)
    assert len(signal.blocks) == len(signal.values)
    words = [signal.blocks.count((b, b)) for b in range(len(page.blocks))]
    assert words == [len(text.split()) for text in page.blocks.text]
    inside = {block for n in signal.selected if (block := signal.blocks[n])}
    assert inside == {(b, b) for b in BodyTextExtractor().extract(page).chosen}


def test_chosen_blocks_are_those_of_the_text() -> None:
    page = parse(WORKED)
    chosen = BodyTextExtractor().extract(page).chosen
    assert [page.blocks.text[b] for b in chosen] == ["It rained all day long."]


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4)), max_size=7))
def test_one_pass_finds_what_the_quadratic_definition_finds(runs: list[tuple[int, int]]) -> None:
    words = [n for n, _ in runs]
    tags_before = [sum(gap for _, gap in runs[: k + 1]) for k in range(len(runs))]
    bits = [b for n, gap in runs for b in [1] * gap + [0] * n]
    plateau = best_plateau(words, tags_before)
    if not sum(words):
        assert plateau.first == -1
        return
    i = tags_before[plateau.first] + sum(words[: plateau.first])
    j = tags_before[plateau.last] + sum(words[: plateau.last + 1]) - 1
    assert (i, j) == best_ends(bits)
    assert sum(bits) + plateau.gain == t(bits, i, j)


@given(st.lists(st.sampled_from("<br>,<p>,</p>,<a>x,</a>,rain ,on ".split(",")), max_size=16))
def test_extracted_tokens_of_a_page_are_those_of_the_quadratic_definition(
    tokens: list[str],
) -> None:
    (signal,) = BodyTextExtractor().signals(parse("<body>" + "".join(tokens)))
    bits = bits_of(signal.values)
    if 0 in bits:
        i, j = best_ends(bits)
        assert signal.selected == tuple(range(i, j + 1))
    else:
        assert signal.selected == ()


def test_a_comment_is_no_tag_and_a_void_element_is_one() -> None:
    tokens = BodyTextExtractor().tokens(parse("<p>one <!-- two --> three<br></p>"))
    assert tokens.tags == 7  # html, body and p begin and end; br
    assert tokens == BodyTextExtractor().tokens(parse("<p>one  three<br></p>"))
    root = document_fromstring("<p>one<br></p>")
    root.append(Comment("two"))
    assert BodyTextExtractor().tokens(from_root(root)).tags == 7


def test_words_between_blanks_are_one_token_each() -> None:
    tokens = BodyTextExtractor(reading="paper").tokens(parse("<p>one two</p><p>three</p>"))
    assert tokens.words == [2, 1]


def test_tags_are_those_of_the_tree_or_of_the_source() -> None:
    # The tree ends each <li> and has html and body; the source has 8 tags.
    html = "<!DOCTYPE html><ul><li>One &amp; two<li><b>Three</b> four</ul><br/>Five<p>Six"
    source = BodyTextExtractor(reading="paper").tokens(parse(html))
    assert source.words == [3, 1, 1, 1, 1]
    assert source.tags_before == [2, 4, 5, 7, 8]
    assert source.tags == 8
    tree = BodyTextExtractor().tokens(parse(html))
    assert list(tree.tags_before) == [4, 7, 8, 11, 12]
    assert tree.tags == 15


def test_tokens_of_the_source_are_those_of_the_quadratic_definition() -> None:
    # As above, with what the source has: 3 3 1 1 ... as words between tags.
    html = "<ul><li>Home<li>News</ul><p>It rained all <b>day</b> long.<p>Bye."
    bits = [1, 1, 0, 1, 0, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1, 0]
    (signal,) = BodyTextExtractor(reading="paper").signals(parse(html))
    assert bits_of(signal.values) == bits
    i, j = best_ends(bits)
    assert signal.selected == tuple(range(i, j + 1))


def test_a_page_without_source_has_the_tags_of_its_tree() -> None:
    page = parse(WORKED)
    source = BodyTextExtractor(reading="paper")
    assert source.tokens(replace(page, source="")) == source.tokens(page)


def test_links_and_pictures_of_the_body_are_named() -> None:
    html = (
        "<body><a href='/'>Home</a><img src=logo.png><div>"
        f"<img src=before.png>{ARTICLE}<p><a href=' /river '>The river</a> rose, as "
        "<a name=x>some</a> say,<img src=map.png> and it rained for another day and night.</p>"
        f"<a href=/large><img src=small.png></a>{ARTICLE}<img src=after.png></div>"
        "<a href='/more'>More</a><img>"
    )
    found = BodyTextExtractor().references(parse(html))
    assert [(kind, address) for kind, address, _ in found] == [
        ("link", "/river"),
        ("image", "map.png"),
        ("link", "/large"),
        ("image", "small.png"),
    ]
    assert BodyTextExtractor().references(parse("<img src=a.png>")) == []


@pytest.mark.parametrize(
    "sentence", ["今天下了一整天的雨，没有人出门去看。", "今日は一日中雨が降っていた。"]
)
def test_bodies_without_spaces_between_words_are_found(sentence: str) -> None:
    links = "<ul>" + "<li><a>首页</a></li>" * 30 + "</ul>"
    html = f"<body>{links}{f'<p>{sentence}</p>' * 5}{links}</body>"
    assert text_of(html) == "\n".join([sentence] * 5)
    # The letter of the paper: a sentence is one word, and two of them are not worth two tags.
    assert text_of(html, reading="paper") == "首页"


def test_text_that_a_browser_does_not_show_is_read_only_where_asked_for() -> None:
    html = f"<body>{ARTICLE * 9}<noscript>Switch scripts on.</noscript>{ARTICLE}</body>"
    assert "Switch" not in text_of(html)
    assert "Switch scripts on." in text_of(html, reading="paper")


def test_code_and_comments_are_no_words() -> None:
    html = f"<body>{ARTICLE}<script>{'var a = 1; ' * 99}</script><!--{'note ' * 99}--></body>"
    assert text_of(html) == text_of(f"<body>{ARTICLE}</body>")


@pytest.mark.parametrize("html", ["", "   ", "<p></p>", "<script>x</script>", "<!-- a -->"])
def test_a_page_without_words_has_no_body_and_score_zero(html: str) -> None:
    extraction = BodyTextExtractor().extract(parse(html))
    assert (extraction.text, extraction.score, extraction.chosen) == ("", 0.0, ())


def test_a_page_of_one_line_without_tags_is_its_own_body() -> None:
    assert text_of("It rained all day long.") == "It rained all day long."


@given(st.text())
def test_any_string_gives_the_same_text_each_time_and_a_score_in_the_unit_interval(
    html: str,
) -> None:
    for extractor in (BodyTextExtractor(), BodyTextExtractor(reading="paper")):
        first = extractor.extract(parse(html))
        assert first == extractor.extract(parse(html))
        assert 0 <= first.score <= 1
    assert 0 <= first.score <= 1
