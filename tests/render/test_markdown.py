"""Markdown that CommonMark's readers read as it was meant."""

import pytest

from scrapy_webtext.page import parse
from scrapy_webtext.render import outline_of_blocks, render_markdown
from tests.kits.renderings import MARKDOWN


def markdown(html: str, url: str | None = "https://example.com/news/today") -> str:
    page = parse(f"<p>x{html}<p>y", url=url)
    written = render_markdown(outline_of_blocks(page, range(len(page.blocks))))
    assert written.startswith("x\n\n")
    assert written.endswith("\n\ny")
    return written[3:-3]


def inline(html: str) -> str:
    return markdown(f"<p>{html}</p>")


@pytest.mark.parametrize(
    ("html", "written"),
    [
        ("a <b>b</b> c", "a **b** c"),
        ("a <i>b</i> c", "a _b_ c"),
        ("a<i>b</i>c", "a*b*c"),
        ("<b>a <i>b</i></b>", "**a _b_**"),
        ("<i>a <b>b</b> c</i>", "_a **b** c_"),
        ("<b>a</b><i>b</i>", "**a**b"),
        ("<b>a</b> <b>b</b>", "**a b**"),
        ("<b>a</b><b>b</b>", "**ab**"),
        ("<b><i>a</i></b><i>b</i>", "_**a**b_"),
        ("<i><b>a</b> b</i>", "_**a** b_"),
        ("<b><i>a</i> b</b>", "**_a_ b**"),
        ("<del>~ a</del>", "~~\\~ a~~"),
        ("<b><b>a</b></b>", "**a**"),
        ("<b>a:</b> b", "**a:** b"),
        ("<b>a:</b>b", "**a**:b"),
        ("<b>“a”</b>b", "“**a**”b"),
        ("a<b>(b)</b>", "a(**b**)"),
        ("<b> </b>a", "a"),
        ("<b>!</b>a", "!a"),
        ("<b>強調。</b>後", "**強調**。後"),
        ("<s>a</s>", "~~a~~"),
        ("m<sup>2</sup>", "m<sup>2</sup>"),
        ("<code>a*b</code>", "`a*b`"),
        ("<code>`a`</code>", "`` `a` ``"),
        ("<b><code>a</code></b>", "**`a`**"),
        ("<code>a<b>b</b></code>", "`ab`"),
        ("a<br>b", "a  \nb"),
    ],
)
def test_emphasis_and_code(html: str, written: str) -> None:
    assert inline(html) == written


@pytest.mark.parametrize(
    ("html", "written"),
    [
        ("<a href=/a>b</a>", "[b](https://example.com/a)"),
        ("<a href='?q=1'>b</a>", "[b](https://example.com/news/today?q=1)"),
        ("<a href='a b(c)'>[d]</a>", "[\\[d\\]](https://example.com/news/a%20b%28c%29)"),
        ("<a href=/a><b>b</b> c</a>", "[**b** c](https://example.com/a)"),
        ("<b><a href=/a>b</a></b>c", "[**b**](https://example.com/a)c"),
        ("<a href='java\nscript:x'>b</a>", "b"),
        ("<a href='data:text/html,x'>b</a>", "b"),
        ("<a href='http://['>b</a>", "b"),
        ("<a>b</a>", "b"),
        ("a!<a href=/a>b</a>", "a\\![b](https://example.com/a)"),
        ("a <img src=b.png alt=c> d", "a ![c](https://example.com/news/b.png) d"),
        ("a <img src=data:x alt=c> d", "a d"),
    ],
)
def test_links_and_pictures(html: str, written: str) -> None:
    assert inline(html) == written


def test_links_stay_as_they_are_where_no_address_is_known() -> None:
    assert markdown("<p><a href='../a?b'>c</a>", url=None) == "[c](../a?b)"


def test_a_link_around_blocks_is_in_each_of_them() -> None:
    written = markdown("<div><a href=/a><h2>b</h2><p>c</p></a></div>")
    assert written == "## [b](https://example.com/a)\n\n[c](https://example.com/a)"


@pytest.mark.parametrize(
    "text",
    [
        "1. a", "1) a", "- a", "+ a", "* a", "# a", "###### a", "> a", "=", "---", "***", "___",
        "- - -", "~~~ a", "``` a", "`a`", "*a*", "_a_", "__a__", "**a**", "~~a~~", "~a~", "[a](b)",
        "![a](b)", "[a]: b", "[a][b]", "[ ] a", "<b>a</b>", "<a@b.c>", "<!-- a -->", "&amp; a",
        "&#65;", "\\", "\\*", "a\\", "| a | b |", "|-|-|", ": a", "a_b_c", "2 * 3 * 4", "1986. a",
    ],
)  # fmt: skip
def test_text_that_looks_like_markdown_stays_text(text: str) -> None:
    escaped = text.replace("&", "&amp;").replace("<", "&lt;")
    for place in ("<p>{}", "<p>a<br>{}", "<ul><li>{}</ul>", "<h2>{}</h2>"):
        html = place.format(escaped)
        shown = parse(MARKDOWN.render(markdown(html)))
        assert text in " ".join(" ".join(shown.runs.text).split())


def test_a_nested_list_that_does_not_start_at_one_follows_on_a_blank_line() -> None:
    written = markdown("<ul><li>a<ol start=2><li>b</ol><li>c</ul>")
    assert written == "- a\n\n  2. b\n- c"


def test_tables_keep_their_columns() -> None:
    written = markdown("<table><tr><td>a|b<td><tr><td colspan=2>c<tr><td>d<br>e<td>f</table>")
    assert written == "|  |  |\n| --- | --- |\n| a\\|b |  |\n| c |  |\n| d<br>e | f |"


def test_a_span_of_a_thousand_columns_is_cut() -> None:
    written = markdown("<table><tr><th colspan=1000>a<th>b<tr><td>c<td>d</table>")
    assert written.split("\n")[0].count("|") == 22


def test_code_of_several_blocks_is_one_piece() -> None:
    html = '<div class="highlight-python3"><pre><div>a</div><div>  b</div></pre></div>'
    assert markdown(html) == "```python3\na\n  b\n```"


@pytest.mark.parametrize(
    ("html", "language"),
    [
        ("<pre><code class='language-js'>a</code></pre>", "js"),
        ("<pre class='brush: php; x'>a</pre>", "php"),
        ("<pre data-lang=C++>a</pre>", "c++"),
        ("<pre class='hljs rust'>a</pre>", "rust"),
        ("<pre class='lang-py s-code-block'>a</pre>", "py"),
        ("<div class='language-ruby highlighter-rouge'><div><pre>a</pre></div></div>", "ruby"),
        ("<div class='highlight highlight-source-shell'><pre>a</pre></div>", "shell"),
        ("<div class='go'><pre>a</pre></div>", ""),
        ("<pre class='language-plaintext'>a</pre>", ""),
        ("<pre class='language-`x'>a</pre>", ""),
        ("<pre class='wp-block-code'><code>a</code></pre>", ""),
    ],
)  # fmt: skip
def test_the_language_of_code_is_taken_where_it_is_declared(html: str, language: str) -> None:
    assert markdown(html) == f"```{language}\na\n```"
