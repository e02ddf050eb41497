"""Renderings of small pages (`cases.json`: HTML -> renderings), their sections and links."""

import gc
from pathlib import Path
from weakref import ref

import pytest

from scrapy_webtext import extract
from scrapy_webtext.page import Page, parse
from scrapy_webtext.render import FORMATS, render_blocks, render_formats, render_runs
from scrapy_webtext.render.pictures import MAX_ADDED_CHARS
from scrapy_webtext.render.text import Link, Picture
from scrapy_webtext.results import Extraction
from tests.kits.data import read_json
from tests.kits.renderings import MARKDOWN, check_formats, check_safe, elements_of

CASES = read_json(__file__)
#: HTML that runs code or loads a file if it is copied.
ATTACKS = read_json(__file__, "attacks.json")
NEWS = "https://example.com/news/today"
#: Text around each case, so that no container is around all of the text.
AROUND = {
    "text": ("x\n", "\ny"),
    "markdown": ("x\n\n", "\n\ny"),
    "html": ("<p>x</p>\n", "\n<p>y</p>"),
}


def render_all(page: Page) -> dict[str, str]:
    """Return the blocks of a page in each form of `CASES`."""
    blocks = range(len(page.blocks))
    text = render_blocks(page, blocks)
    assert text == render_runs(page, range(len(page.runs)))
    found = render_formats(page, text, blocks, (), FORMATS)
    return {"text": text, "markdown": found["main_markdown"], "html": found["main_html"]}


def render_case(html: str, url: str | None = NEWS) -> dict[str, str]:
    """Return a case in each form, without the text of `AROUND`."""
    found = render_all(parse(f"<p>x</p>{html}<p>y</p>", url=url))
    for form, (start, end) in AROUND.items():
        assert found[form].startswith(start)
        assert found[form].endswith(end)
    return {form: found[form][len(start) : -len(end)] for form, (start, end) in AROUND.items()}


def render_case_html(html: str, url: str | None = NEWS) -> str:
    return render_all(parse(f"<p>x</p>{html}<p>y</p>", url=url))["html"]


def test_cases_have_the_expected_renderings() -> None:
    found = {html: render_case(html) for html in CASES}
    assert {html: forms for html, forms in found.items() if forms != CASES[html]} == {}


def test_cases_have_the_same_words_in_all_formats() -> None:
    for html in CASES:
        page = parse(f"<p>x</p>{html}<p>y</p>", url=NEWS)
        check_formats(page, Extraction.of_runs(page, range(len(page.runs)), 1.0, "all"))


@pytest.mark.parametrize("url", [NEWS, None])
def test_html_of_attacks_is_safe(url: str | None) -> None:
    for attack in ATTACKS:
        html = render_case_html(attack, url)
        check_safe(html)
        check_safe(render_case_html(html))


def test_markdown_signs_in_text_are_escaped() -> None:
    for text in SIGNS:
        escaped = text.replace("&", "&amp;").replace("<", "&lt;")
        for place in ("<p>{}", "<p>a<br>{}", "<ul><li>{}</ul>", "<h2>{}</h2>"):
            shown = parse(MARKDOWN.render(render_case(place.format(escaped))["markdown"]))
            assert text in " ".join(" ".join(shown.runs.text).split())


def test_links_without_page_address_stay_relative() -> None:
    assert render_case("<p><a href='../a?b'>c</a>", url=None)["markdown"] == "[c](../a?b)"


def test_large_cells_make_a_layout() -> None:
    long = " ".join(["b"] * 400)
    row = "<tr><td>c<td>d</table>"
    assert render_case(f"<table><tr><td>a<td>{long}{row}")["text"] == f"a\n{long}\nc\nd"


def test_long_page_address_is_added_to_few_links() -> None:
    page = parse("<p>" + "<a href=b>c</a> " * 2_000, url=f"https://example.com/{'a' * 3_900}/")
    found = render_all(page)
    for form in ("markdown", "html"):
        assert len(found[form]) < MAX_ADDED_CHARS + 2 * len(page.source)
        assert found[form].count("c") > 2_000


def test_span_of_a_thousand_columns_is_cut() -> None:
    html = "<table><tr><th colspan=1000>a<th>b<tr><td>c<td>d</table>"
    assert render_case(html)["markdown"].split("\n")[0].count("|") == 22


def test_list_around_the_whole_text_has_no_marker() -> None:
    page = parse("<ul><li><p>a<p>b<ol><li>c</ol></ul>")
    assert render_all(page)["text"] == "a\nb\n1. c"
    assert render_blocks(page, [0]) == "a"


def test_chosen_runs_are_text_even_if_the_page_hides_them() -> None:
    page = parse("<p>Colour <span hidden>now</span> black")
    assert render_blocks(page, [0]) == "Colour black"
    assert render_runs(page, [0, 1, 2]) == "Colour now black"


def test_deep_lists_are_indented_by_seven_levels_at_most() -> None:
    lines = render_all(parse("<ul><li>x" * 500))["text"].split("\n")
    assert len(lines) == 500
    assert max(map(len, lines)) == len("  " * 7 + "- x")


#: Markdown with more words than the text: kinds of callouts, players, labels of footnotes;
#: headlines in a block with text.
MORE, LINES, FIGURES, SIGNS = read_json(__file__, "more.json").values()


def test_markdown_has_callouts_players_and_footnotes() -> None:
    found = {html: render_all(parse(f"<p>x</p>{html}"))["markdown"] for html in MORE}
    assert found == {html: f"x\n\n{markdown}" for html, markdown in MORE.items()}


def test_pictures_outside_the_text_are_left_out() -> None:
    page = parse(
        "<header><img src=logo.png></header><nav><img src=n.png></nav><main><article>"
        "<img src=lead.png><p>One day</p><img src=1.png width=1><p>it rained</p>"
        "<div><img src=ad.png>Buy this</div><p>a lot.</p><img src=late.png data-src=real.png>"
        "</article></main><footer><img src=f.png></footer>"
    )
    shown = [b for b, text in enumerate(page.blocks.text) if text != "Buy this"]
    text = render_blocks(page, shown)
    html = render_formats(page, text, shown, (), ("main_html",))["main_html"]
    sources = [dict(given)["src"] for tag, given in elements_of(html) if tag == "img"]
    assert sources == ["lead.png", "real.png"]


def test_structures_of_an_article_have_their_form_in_markdown() -> None:
    folder = Path(__file__).parent
    page = parse((folder / "structures.html").read_text("utf-8"), url="https://a.example/")
    shown = [b for b, i in enumerate(page.blocks.node) if not page.hidden[i]]
    found = render_formats(page, render_blocks(page, shown), shown, (), ("main_markdown",))
    assert found["main_markdown"] + "\n" == (folder / "structures.md").read_text("utf-8")


LONG = "The boats came home before the storm, as they do in the autumn of each year. " * 3
PAGE = f"""<html><body><nav><a href=/menu>Menu</a><img src=/logo.png alt=Logo></nav><article>
<h1>Boats</h1><p>They <a href="home?a=1">came <b>home</b>
at last</a>, <a href="javascript:x()">or</a> <a href="#n">not</a>. {LONG}</p>
<h2>Harbour</h2><p>{LONG}</p>
<figure><img src="/a.png" alt="A boat"><figcaption>At sea.</figcaption></figure>
<h3>Quay</h3><ul><li>{LONG}<img src="b.png"></li><li>Two. {LONG}</li></ul>
<h2>End</h2><p>{LONG}<a href="https://b.example/"><img src="c.png" alt="C"></a></p>
</article></body></html>"""


def test_blocks_name_their_section_links_and_pictures_their_block() -> None:
    wanted = ("blocks", "links", "images")
    result = extract(PAGE, extractor="bte", url="https://a.example/n/", include=wanted)
    assert result.blocks is not None
    sections = [(block.text[:9], block.section) for block in result.blocks]
    assert sections == [
        ("They came", ()),
        ("Harbour", ()),
        ("The boats", ("Harbour",)),
        ("At sea.", ("Harbour",)),
        ("Quay", ("Harbour",)),
        ("The boats", ("Harbour", "Quay")),
        ("Two. The ", ("Harbour", "Quay")),
        ("End", ()),
        ("The boats", ("End",)),
    ]
    assert result.links == (
        Link("came home at last", "https://a.example/n/home?a=1", 0),
        Link("not", "https://a.example/n/#n", 0),
    )
    assert result.images == (
        Picture("https://a.example/a.png", "A boat", "At sea.", 2),
        Picture("https://a.example/n/b.png", "", "", 5),
        Picture("https://a.example/n/c.png", "C", "", 8),
    )


@pytest.mark.parametrize("caption", FIGURES)
def test_captions_of_figures_may_have_links_or_be_in_other_elements(caption: str) -> None:
    page = parse(f"<p>a</p><figure><img src=/b.png alt=b>{caption}</figure><p>c</p>")
    blocks = range(len(page.blocks))
    found = render_formats(page, render_blocks(page, blocks), blocks, (), ("images",))
    assert [image.caption for image in found["images"]] == ["Le quai"]


def test_text_from_elsewhere_has_no_links_and_images() -> None:
    body = LONG.replace('"', "") * 4
    html = (
        f'<script type="application/ld+json">{{"@type":"Article","articleBody":"{body}"}}</script>'
    )
    result = extract(html, include=("blocks", "links", "images"))
    assert (result.main_text != "", result.links, result.images) == (True, (), ())


def test_page_is_freed_without_the_garbage_collector() -> None:
    page = parse(f"{PAGE}<div class='callout note'>a</div>", url="https://a.example/n/")
    blocks = range(len(page.blocks))
    render_formats(page, render_blocks(page, blocks), blocks, (), FORMATS)
    freed = ref(page)
    gc.disable()
    try:
        del page
        assert freed() is None
    finally:
        gc.enable()


TITLE = "The harbour of the old town"


@pytest.mark.parametrize("body", LINES.values(), ids=LINES)
def test_a_headline_in_a_block_with_text_takes_no_text_away(body: str) -> None:
    body = body.format(TITLE, LONG)
    result = extract(f"<title>{TITLE}</title><body>{body}", include=("main_markdown", "main_html"))
    forms = (result.main_text, result.main_markdown or "", result.main_html or "")
    assert [form.count("came home") for form in forms] == [9, 9, 9]
    assert [form.count(TITLE) for form in forms[1:]] == [1, 1]
    assert [form.count("a^2") for form in forms] == [body.count("a^2")] * 3
