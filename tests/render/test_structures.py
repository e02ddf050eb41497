"""Code, formulas and footnotes of many tools in Markdown and in the text."""

import pytest

from scrapy_webtext.page import parse
from scrapy_webtext.render import render_blocks, render_formats, render_runs
from tests.kits.data import read_json

#: Editor, highlighter or terminal -> HTML, Markdown.
CODE = read_json(__file__, "code.json")
#: HTML -> TeX in the text.
FORMULAS = read_json(__file__, "formulas.json")
#: Publishing system or form -> marks, notes; then HTML without notes.
MAKERS, OTHERS = read_json(__file__, "notes.json").values()
ONE = "A claim{0} of one, and more{1} of it."


def markdown_of(html: str) -> str:
    page = parse(html, url="https://a.example/b/c.html")
    shown = [k for k, i in enumerate(page.runs.node) if not page.hidden[i]]
    text = render_runs(page, shown)
    return str(render_formats(page, text, (), shown, ("main_markdown",))["main_markdown"])


@pytest.mark.parametrize("name", CODE)
def test_code_has_its_lines_and_its_language(name: str) -> None:
    html, expected = CODE[name]
    found = markdown_of(f"<p>Before.</p>{html}<p>After.</p>")
    assert found == f"Before.\n\n{expected}\n\nAfter."


@pytest.mark.parametrize("html", FORMULAS)
def test_formulas_are_tex_in_their_sentence(html: str) -> None:
    page = parse(f"<p>Here {html} it is.</p>")
    assert render_blocks(page, [0]).split() == ["Here", *FORMULAS[html].split(), "it", "is."]


@pytest.mark.parametrize("name", MAKERS)
def test_notes_of_publishing_systems_are_footnotes(name: str) -> None:
    marks, notes = MAKERS[name]
    found = markdown_of(f"<p>Before.</p><p>{ONE.format(*marks)}</p><p>After it.</p>{notes}")
    notes = "[^1]: First _note_.\n\n[^2]: Second. &nbsp;"
    found = found.replace(" [^", "[^").replace("[^1]: First _note_. &nbsp;", "[^1]: First _note_.")
    assert found.rstrip() == f"Before.\n\n{ONE.format('[^1]', '[^2]')}\n\nAfter it.\n\n{notes}"


@pytest.mark.parametrize("html", OTHERS)
def test_other_numbers_are_no_notes(html: str) -> None:
    assert "[^" not in markdown_of(html)


def test_notes_are_shown_if_the_page_hides_them() -> None:
    found = markdown_of(f"<p>{'Text. ' * 30}<a href=#fn-1>1</a><ol hidden><li id=fn-1>A note.</ol>")
    assert found.endswith("Text.[^1]\n\n[^1]: A note.")
