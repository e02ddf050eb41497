"""The lines of a page: of its source, and broken at its blocks."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from scrapy_webtext.extractors.readings import (
    block_lines,
    block_spans,
    blocks_of_spans,
    breaks_in_text,
    page_source,
    source_lines,
    source_parts,
    text_of_parts,
)
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


def test_block_lines_break_at_block_tags_however_the_source_is_laid_out() -> None:
    html = "<body><div><p>It rained <b>all</b> day.</p><p>Nobody\nwent out.</p></div></body>"
    page = parse(html)
    lines = block_lines(page)
    texts = [
        " ".join(page.runs.text[first:end])
        for first, end in zip(lines.first_run, lines.end_run, strict=True)
    ]
    assert texts == ["", "", "", "It rained all day.", "Nobody went out.", "", "", ""]
    assert lines.tags == [1, 1, 1, 4, 2, 1, 1, 1]
    assert lines.chars == [0, 0, 0, 16, 16, 0, 0, 0]


def test_blocks_of_lines_are_those_that_share_text_with_them() -> None:
    page = parse("<div>\n<p>Rain\nand snow</p>\n<p>Sun</p><p>Wind</p>\n<p>Fog</p>\n</div>")
    lines = source_lines(page.source)
    assert lines.text == ["", "Rain", "and snow", "Sun\nWind", "Fog", ""]
    spans = block_spans(page, lines.text)
    assert spans == [None, (0, 0), (0, 0), (1, 2), (3, 3), None]
    assert blocks_of_spans(spans[:4]) == (0, 1, 2)
    assert blocks_of_spans([]) == ()


def test_line_ends_are_counted_within_shown_text_only() -> None:
    page = parse("<p>Rain\nand\nsnow</p>\n\n<p>Sun</p>\n<textarea>a\nb</textarea>")
    assert breaks_in_text(page) == 2


def test_source_is_text_and_tags_by_turns_without_code_and_comments() -> None:
    html = "<!DOCTYPE html><P id=a>One &amp;\r\ntwo<br></P><!-- x --><script>y</script> end"
    parts = ["", "", "", "P", "One &amp;\ntwo", "br", "", "/P", " end"]
    assert source_parts(html) == parts
    tagged = [*parts[:-1], "", "script", "", "/script", " end"]
    assert source_parts(html, keep_tags=True) == tagged
    assert source_parts("a<style>b", keep_tags=True) == ["a", "style", ""]
    assert source_parts("""<script a="</script>">b</script>c""") == ["c"]
    assert text_of_parts(parts[4:]) == "One & two\nend"


def test_a_page_without_source_has_one_made_of_its_tree() -> None:
    html = "<p title=t>Q &amp; A<br>\nB</p>\n<!-- no --><script>x</script><ul><li>One<li>Two</ul>"
    page = replace(parse(html), body=b"")
    made = page_source(page)
    assert made == (
        "<html><body><p>Q &amp; A<br>\nB</p>\n<script></script>"
        "<ul><li>One</li><li>Two</li></ul></body></html>"
    )
    assert page_source(parse(html)) == html


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
