"""Body text extraction: T(i, j) worked by hand and by its definition, in both readings."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml.etree import Comment
from lxml.html import document_fromstring

from scrapy_webtext.extractors.bte import BodyTextExtractor
from scrapy_webtext.page import from_root, parse
from tests.kits.data import read_json

MODERN, PAPER = BodyTextExtractor(), BodyTextExtractor(reading="paper")

# Tokens by position, tags as 1, words as 0:
#
#   0 html  1 body  2 p  3 Home  4 /p  5 p  6 a  7 News  8 /a  9 /p
#   10 p  11 It  12 rained  13 all  14 b  15 day  16 /b  17 long.  18 /p
#   19 p  20 Bye.  21 /p  22 /body  23 /html
#
# N = 24 with 16 tags and 8 words. Between 11 and 17 are 5 words and 2 tags:
# T(11, 17) = 9 (tags below 11) + 5 (words) + 5 (tags above 17) = 19.
# T(11, 13) = 9 + 3 + 7 = 19, too: the longer series is taken. "Bye." adds 1 word for 2 tags:
# T(11, 20) = 9 + 6 + 3 = 18.
WORKED = (
    "<html><body><p>Home</p><p><a>News</a></p>"
    "<p>It rained all <b>day</b> long.</p><p>Bye.</p></body></html>"
)
BITS = "111011101110001010110111"

RAIN = "Rain fell on the town all day long, and nobody went out to see it."
ARTICLE = f"<p>{RAIN}</p>"
CHINESE = "<p>今天下了一整天的雨，没有人出门去看。</p>"
CASES = read_json(__file__)


def t(bits: list[int], i: int, j: int) -> int:
    """Return T(i, j) by the paper's definition."""
    return sum(bits[:i]) + sum(1 - b for b in bits[i : j + 1]) + sum(bits[j + 1 :])


def best_ends(bits: list[int]) -> tuple[int, int]:
    """Return the i and j with the greatest T; of equal T the earliest i, then the last j."""
    pairs = [(i, j) for i in range(len(bits)) for j in range(i, len(bits))]
    return max(pairs, key=lambda ends: (t(bits, *ends), -ends[0], ends[1]))


def bits_of(html: str, extractor: BodyTextExtractor) -> str:
    """Return the tokens of a page, tags as 1, from the cumulative number of its tags."""
    curve = [0, *extractor.signals(parse(html))[0].values]
    return "".join(str(int(b - a)) for a, b in zip(curve, curve[1:]))  # noqa: B905, RUF007


def text_of(html: str, extractor: BodyTextExtractor = MODERN) -> str:
    return extractor.extract(parse(html)).text


def test_tokens_are_those_of_the_tree_or_in_paper_of_the_source() -> None:
    cases = CASES["bte: tokens of the tree and of the source, tags as 1"]
    assert {html: [bits_of(html, MODERN), bits_of(html, PAPER)] for html in cases} == cases
    assert cases[WORKED] == [BITS, BITS]


def test_body_is_the_text_between_the_ends() -> None:
    cases = CASES["bte: body, modern and paper"]
    code = f"<p>{RAIN}</p><script>{'x = 1; ' * 99}</script><!--{'y ' * 99}-->"
    menu = "<ul>" + "<li><a>首页</a>" * 9 + "</ul>"
    for html, bodies in (
        *cases.items(),
        (code, [RAIN, RAIN]),
        (menu + CHINESE * 2, ["\n".join([CHINESE[3:-4]] * 2), "首页"]),
    ):
        assert [text_of(html), text_of(html, PAPER)] == bodies, html


@pytest.mark.parametrize("extractor", [MODERN, PAPER])
def test_ends_score_and_blocks_of_the_page_worked_by_hand(extractor: BodyTextExtractor) -> None:
    page = parse(WORKED)
    bits = list(map(int, BITS))
    assert [t(bits, 11, j) for j in (17, 13, 20)] == [19, 19, 18]
    assert best_ends(bits) == (11, 17)
    extraction = extractor.extract(page)
    assert extraction.score == 19 / 24
    assert extraction.chosen == (2,)
    (signal,) = extractor.signals(page)
    assert (signal.name, signal.unit) == ("cumulative_tags", "token")
    assert signal.selected == tuple(range(11, 18))
    assert [signal.blocks.count((b, b)) for b in range(4)] == [1, 1, 5, 1]
    assert {signal.blocks[n] for n in signal.selected} == {(2, 2), None}
    assert len(signal.blocks) == len(signal.values)


@pytest.mark.parametrize("extractor", [MODERN, PAPER])
@given(tokens=st.lists(st.sampled_from("<br>,<p>,</p>,<a>x,</a>,</i>,rain ,on ".split(","))))
def test_ends_and_score_agree_with_the_quadratic_definition(
    tokens: list[str], extractor: BodyTextExtractor
) -> None:
    html = "<body>" + "".join(tokens[:16])
    bits, page = list(map(int, bits_of(html, extractor))), parse(html)
    (signal,) = extractor.signals(page)
    i, j = best_ends(bits) if 0 in bits else (0, -1)
    assert signal.selected == tuple(range(i, j + 1))
    assert extractor.extract(page).score == (t(bits, i, j) / len(bits) if 0 in bits else 0)


def test_a_comment_in_a_ready_tree_is_no_tag() -> None:
    root = document_fromstring("<p>one<br></p>")
    root.append(Comment("two"))
    assert MODERN.tokens(from_root(root)).tags == 7  # html, body and p begin and end; br
