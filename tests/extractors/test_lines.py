"""The lines of a page: of its source, and broken at its blocks."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from scrapy_webtext.extractors import readings
from scrapy_webtext.extractors.readings import block_lines, page_source, source_lines
from scrapy_webtext.page import parse
from tests.kits.data import read_json

MARKUP = st.lists(
    st.sampled_from(
        "<p> </p> <a\nhref='x'> </a> <br> <!-- --> <script> </script> <style> </style> "
        "<![CDATA[ <?php <! </ < > \" ' = & &amp; &#65; rain \n \r\n \0 今天".split(" ")
    )
).map("".join)


CASES = read_json(__file__)["lines of the source"]
LONG_ENTITY = "&#" + "9" * 5000 + ";"


def test_lines_have_their_text_and_the_tags_that_begin_on_them() -> None:
    for cases in (*CASES.values(), {LONG_ENTITY: [[LONG_ENTITY, 0]]}):
        lines = {html: source_lines(html) for html in cases}
        found = {
            html: [[*pair] for pair in zip(own.text, own.tags, strict=True)]
            for html, own in lines.items()
        }
        assert found == cases


def test_lines_keep_styles_and_blank_entities_on_request() -> None:
    lines = source_lines("<style>p{}</style><script>x</script>", frozenset({"script"}))
    assert (lines.text, lines.tags) == (["p{}"], [2])
    html = "a\n&nbsp;\n \nb"
    assert source_lines(html).text == ["a", "b"]
    assert source_lines(html, keep_spaces=True).text == ["a", "", "b"]
    # An entity counts as its character.
    lines = source_lines("a&nbsp;&amp;&#98;")
    assert (lines.text, lines.chars) == (["a &b"], [4])
    assert list(map(len, lines.source_text)) == [17]


def test_block_lines_count_the_tags_and_characters_between_block_tags() -> None:
    html = "<body><div><p>It rained <b>all</b> day.</p><p>Nobody\nwent out.<br></p></div><script>x"
    lines = block_lines(parse(html))
    assert lines.tags == [1, 1, 1, 4, 3, 1, 1, 1]
    assert lines.chars == [0, 0, 0, 16, 16, 0, 0, 0]


def test_blocks_and_line_ends_of_the_source_are_those_of_shown_text() -> None:
    page = parse("<p>Rain\nand\nsnow</p>\n\n<p>Sun</p><p>Wind</p>\n<textarea>a\nb</textarea>")
    assert readings.breaks_in_text(page) == 2
    spans = readings.block_spans(page, ["", "Rain and", "snow", "Sun\nWind"])
    assert spans == [None, (0, 0), (0, 0), (1, 2)]
    html = "a\rb<p>c<script a='</script>'>x</script>d"
    parts = ["a\nb", "p", "c", "script", "", "/script", "d"]
    assert readings.source_parts(html, keep_tags=True) == parts


@given(MARKUP | st.text())
def test_source_made_of_a_tree_has_the_tags_and_text_of_the_tree(source: str) -> None:
    page = replace(parse(source), body=b"")
    again = parse(page_source(page))
    texts = [text for text, i in zip(page.runs.text, page.runs.node, strict=True) if i >= 0]
    assert "".join("".join(again.runs.text).split()) == "".join("".join(texts).split())


@given(MARKUP | st.text())
def test_block_lines_of_any_string_hold_every_run_once_and_in_order(source: str) -> None:
    page = parse(source)
    lines = block_lines(page)
    runs = [
        run
        for first, end in zip(lines.first_run, lines.end_run, strict=True)
        for run in range(first, end)
    ]
    assert runs == sorted(set(runs))
    shown = [k for k, node in enumerate(page.runs.node) if not page.hidden[node]]
    assert set(shown) <= set(runs)
    assert sum(lines.chars) == sum(len(page.runs.text[k]) for k in shown)
