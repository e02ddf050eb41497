"""Plain text that keeps the form of lists, tables, terms and code."""

import pytest

from scrapy_webtext.page import parse
from scrapy_webtext.render import render_blocks, render_runs

TABLE = "<table><tr><td>a<td>b<tr><td>c<td>d</table>"
LONG = " ".join(["b"] * 400)


def text(html: str) -> str:
    page = parse(f"<p>x</p>{html}<p>y</p>")
    written = render_blocks(page, range(len(page.blocks)))
    assert written == render_runs(page, range(len(page.runs)))
    assert written.startswith("x\n")
    assert written.endswith("\ny")
    return written[2:-2]


@pytest.mark.parametrize(
    ("html", "written"),
    [
        ("<ul><li>a<li>b</ul>", "- a\n- b"),
        ("<ol><li>a<li>b</ol>", "1. a\n2. b"),
        ("<ol start=0><li>a<li value=-7>b<li>c</ol>", "0. a\n-7. b\n-6. c"),
        ("<ol start=x><li>a<li value=3.5>b</ol>", "1. a\n3. b"),
        ("<ol reversed><li>a<li>b</ol>", "2. a\n1. b"),
        ("<ol reversed start=9><li>a<li>b</ol>", "9. a\n8. b"),
        ("<ol start=99999999999><li>a</ol>", "1. a"),
        ("<ol><li>a<ul><li>b</ul><li>c</ol>", "1. a\n  - b\n2. c"),
        ("<ol><div><li>a</div><li>b</ol>", "1. a\n2. b"),
        ("<ol><li></li><li>b</ol>", "2. b"),
        ("<ul><li><ul><li>a</ul>b</ul>", "  - a\n  b"),
        ("<ul><li>a<br>b<p>c</ul>", "- a\n  b\n  c"),
        ("<ul>a<li>b</ul>", "a\n- b"),
        ("<div><li>a<li>b</div>", "- a\n- b"),
        ("<menu><li>a</menu>", "- a"),
    ],
)
def test_lists(html: str, written: str) -> None:
    assert text(html) == written


@pytest.mark.parametrize(
    ("html", "written"),
    [
        ("<table><tr><td>a<td>b<tr><td>c<td>d</table>", "a | b\nc | d"),
        ("<table><tr><td>a<td><td>b<tr><td><td>c<td></table>", "a |  | b\n| c"),
        ("<table><tr><td>a<br>b<td><p>c<p>d<tr><td>e<td>f</table>", "a / b | c / d\ne | f"),
        ("<table><caption>t</caption><tr><th>a<td>b</table>", "t\na | b"),
        ("<ul><li><table><tr><td>a<td>b<tr><td>c<td>d</table></ul>", "- a | b\n  c | d"),
        (f"<table><tr><td>{TABLE}<td>e</table>", "a | b\nc | d\ne"),
        ("<table><tr><td>a<td>b</table>", "a\nb"),
        ("<table><tr><td>a<tr><td>b</table>", "a\nb"),
        ("<table><tr><td><h2>a</h2><td>b<tr><td>c<td>d</table>", "a\nb\nc\nd"),
        (f"<table><tr><td>a<td>{LONG}<tr><td>c<td>d</table>", f"a\n{LONG}\nc\nd"),
    ],
)  # fmt: skip
def test_tables_of_data_are_rows_and_layout_is_none(html: str, written: str) -> None:
    assert text(html) == written


def test_terms_and_definitions() -> None:
    assert text("<dl><dt>a<dd>b<dd>c<dt>d<dd>e</dl>") == "a\n  b\n  c\nd\n  e"
    assert text("<dl><div><dt>a</dt><dd>b</dd></div></dl>") == "a\n  b"


def test_code_keeps_its_lines() -> None:
    assert text("<pre>\na\n\n  b\t</pre>") == "a\n\n  b"
    assert text("<ul><li>c<pre>a\n  b</pre></ul>") == "- c\n  a\n    b"
    assert text("<pre>a\r\nb\rc</pre>") == "a\nb\nc"


def test_what_is_around_all_of_the_text_says_nothing_of_it() -> None:
    page = parse("<ul><li><p>a<p>b<ol><li>c</ol></ul>")
    assert render_blocks(page, range(len(page.blocks))) == "a\nb\n1. c"
    assert render_blocks(page, [0]) == "a"


def test_lists_of_any_depth_cost_no_more_than_eight_levels_of_indentation() -> None:
    page = parse("<ul><li>x" * 500)
    lines = render_blocks(page, range(len(page.blocks))).split("\n")
    assert len(lines) == 500
    assert max(map(len, lines)) == len("  " * 7 + "- x")


def test_words_of_labels_and_inputs_do_not_run_together() -> None:
    assert text("<p><label>a</label><label>b</label><input>c</p>") == "a b c"
