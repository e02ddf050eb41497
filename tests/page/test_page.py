"""The tables of a page: nodes, runs, blocks, and what stands between pieces of text."""

import pickle
from collections.abc import Sequence
from dataclasses import fields, replace

from hypothesis import given
from hypothesis import strategies as st
from lxml import html as lxml_html
from parsel import Selector

from scrapy_webtext.page import Page, from_root, parse
from scrapy_webtext.render import render_blocks, render_runs

TAGS = ["div", "p", "span", "a", "b", "br", "li", "ul", "table", "td", "script", "pre", "form"]
SOUP = st.lists(
    st.one_of(
        st.sampled_from([f"<{tag}>" for tag in TAGS] + [f"</{tag}>" for tag in TAGS]),
        st.sampled_from(["<!-- c -->", "text ", " more", "\n", "&amp;", "<p class=x id='y'>"]),
    ),
    max_size=40,
).map("".join)


def texts(html: str) -> list[str]:
    return parse(html).blocks.text


def test_nodes_stand_in_document_order_with_the_end_of_their_subtree() -> None:
    nodes = parse("<html><body><div><p>a</p><p>b</p></div><hr></body></html>").nodes
    assert nodes.tag == ["html", "body", "div", "p", "p", "hr"]
    assert list(nodes.parent) == [-1, 0, 1, 2, 2, 1]
    assert list(nodes.end) == [6, 6, 5, 4, 5, 6]


def test_masks_cover_subtrees() -> None:
    nodes = parse("<div><ul><li><ul><li>x</ul></ul><p>y</p></div>").nodes
    assert [nodes.tag[i] for i in nodes.tops(frozenset({"ul"}))] == ["ul"]
    inside = nodes.inside(frozenset({"ul"}))
    assert [tag for tag, one in zip(nodes.tag, inside, strict=True) if one] == [
        "ul", "li", "ul", "li",
    ]  # fmt: skip


def test_white_space_is_folded_and_empty_text_is_no_run() -> None:
    runs = parse("<p>  one \n\t two </p>\n<p> </p><p>three</p>").runs
    assert runs.text == ["one two", "three"]


def test_inline_tags_join_words_and_block_tags_part_them() -> None:
    assert texts("<p>foo<b>bar</b> <i>baz</i>qux</p><div>next</div>") == ["foobar bazqux", "next"]


def test_one_br_is_a_line_and_two_are_a_new_block() -> None:
    assert texts("<p>a<br>b<br><br>c<br> <br/>d</p>") == ["a\nb", "c", "d"]


def test_lines_of_pre_are_kept() -> None:
    assert texts("<pre>\ndef f():\n    return <b>1</b>\n</pre><p>a\n  b</p>") == [
        "def f():\n    return 1",
        "a b",
    ]


def test_lines_and_indentation_of_highlighted_code_are_kept() -> None:
    html = "<pre><code><b>for</b> x <b>in</b> y:\n    <i>print</i>(x)\n\n</code></pre>after"
    page = parse(html)
    assert page.blocks.text == ["for x in y:\n    print(x)", "after"]
    assert render_runs(page, range(len(page.runs))) == "for x in y:\n    print(x)\nafter"


def test_code_and_comments_are_no_text() -> None:
    html = "<p>a</p><script>var x = 'no';</script><style>p {}</style><!-- no --><p>b</p>"
    assert texts(html) == ["a", "b"]
    page = from_root(Selector(text=html).root)  # the spider's tree has comments
    assert page.blocks.text == ["a", "b"]
    assert page.nodes == parse(html).nodes


def test_text_around_comments_stays_together() -> None:
    for page in (
        parse("<p>one<!-- x --> two</p>"),
        from_root(lxml_html.fromstring("<p>one<!-- x --> two</p>")),
    ):
        assert page.blocks.text == page.runs.text == ["one two"]


def test_links_are_counted_by_character() -> None:
    blocks = parse("<p>go <a href=/>there <b>now</b></a>!</p>").blocks
    assert list(blocks.chars) == [len("go") + len("there") + len("now") + len("!")]
    assert list(blocks.link_chars) == [len("there") + len("now")]
    assert blocks[0].link_density == 8 / 11
    assert blocks[-1].text == "go there now!"


def test_a_block_belongs_to_the_block_level_element_around_it() -> None:
    page = parse("<div>intro <span>x</span><p><b>bold</b></p>outro</div>")
    owners = [page.nodes.tag[i] for i in page.blocks.node]
    assert list(zip(page.blocks.text, owners, strict=True)) == [
        ("intro x", "div"), ("bold", "p"), ("outro", "div"),
    ]  # fmt: skip


def test_text_after_the_end_of_html_is_read() -> None:
    assert texts("<html><body><p>a</p></body></html><p>late</p>") == ["a", "late"]


def test_tags_are_counted_before_each_run() -> None:
    runs = parse("<html><body><p>a<br>b</p>c</body></html>").runs
    # html body p | a | br | b | /p | c : a void element has no end tag
    assert list(runs.tags_before) == [3, 4, 5]


def test_title_and_json_ld_are_read() -> None:
    page = parse(
        "<title> A \n title </title><script type='application/ld+json'>{\"a\": 1}</script>"
        "<script>1</script><svg><title>no</title></svg>"
    )
    assert page.title == "A title"
    assert page.json_ld == ('{"a": 1}',)


def test_leaving_out_an_aside_joins_no_words() -> None:
    page = parse("<p>one<span>two</span>three</p><div>four</div><p>five</p>")
    assert render_runs(page, [0, 2]) == "onethree"
    assert render_runs(page, [2, 4]) == "three\nfive"
    assert render_blocks(page, [0, 2]) == "onetwothree\nfive"


def test_bytes_are_decoded_as_they_declare() -> None:
    assert parse("<meta charset=gb18030><p>汉字".encode("gb18030")).blocks.text == ["汉字"]
    assert parse("<p>naïve".encode()).blocks.text == ["naïve"]
    undeclared = "Le café est fermé à Noël, et la fenêtre reste ouverte."
    assert parse(f"<p>{undeclared}".encode("cp1252")).blocks.text == [undeclared]
    assert parse("<p>naïve".encode("utf-16")).blocks.text == ["naïve"]


def test_an_empty_page_has_no_nodes() -> None:
    for html in ("", " \n", b""):
        page = parse(html)
        assert len(page.nodes) == 0
        assert len(page.blocks) == 0


def test_a_page_can_be_pickled() -> None:
    page = parse("<p>a <b>b</b></p>", url="https://example.com")
    assert page.blocks.text == ["a b"]
    assert pickle.loads(pickle.dumps(page)) == page


@given(SOUP)
def test_any_soup_gives_consistent_tables(html: str) -> None:
    page = parse(html)
    check(page)
    check(from_root(Selector(text=html).root, source=html))


@given(st.text())
def test_any_string_gives_consistent_tables(html: str) -> None:
    check(parse(html))


def check(page: Page) -> None:
    nodes, runs, blocks = page.nodes, page.runs, page.blocks
    size = len(nodes)
    assert {
        len(c) for c in (nodes.parent, nodes.end, nodes.attributes, nodes.text, nodes.tail)
    } <= {size}
    for i in range(size):
        assert nodes.parent[i] < i < nodes.end[i] <= size
        if nodes.parent[i] >= 0:
            assert nodes.end[i] <= nodes.end[nodes.parent[i]]
        assert 0 <= runs.first[i] <= runs.end[i] <= len(runs)
    assert all(text and text == " ".join(text.split()) for text in runs.text)
    assert list(runs.tags_before) == sorted(runs.tags_before)
    spans = list(zip(blocks.first_run, blocks.end_run, strict=True))
    assert [k for first, end in spans for k in range(first, end)] == list(range(len(runs)))
    assert all(
        0 <= link <= chars for link, chars in zip(blocks.link_chars, blocks.chars, strict=True)
    )
    assert "".join("".join(blocks.text).split()) == "".join("".join(runs.text).split())


def test_characters_of_no_width_alone_are_no_text() -> None:
    unseen = "\x0b\u200b" * 9
    page = parse(f"<p>It rained.<br>\u200d<br></p><p>{unseen}</p><p>نمی\u200cخواهم</p>")
    assert page.blocks.text == ["It rained.", "نمی\u200cخواهم"]


def test_runs_and_blocks_are_equal_whatever_holds_their_columns() -> None:
    page = parse("<p>one <b>two</b></p><pre>three</pre><p hidden>four")
    lists = [
        replace(
            table, **{field.name: listed(getattr(table, field.name)) for field in fields(table)}
        )
        for table in (page.runs, page.blocks)
    ]
    assert [page.runs, page.blocks] == lists
    assert page.runs != replace(page.runs, gap=[0] * len(page.runs))
    assert page.blocks != page.runs


def listed(column: object) -> object:
    return list(column) if isinstance(column, Sequence) else column
