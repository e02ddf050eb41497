"""Links of headings to themselves are no text; other links of headings are."""

import pytest

from scrapy_webtext.page import parse


def shown(html: str) -> str:
    page = parse(html)
    return " / ".join(
        text
        for text, node in zip(page.blocks.text, page.blocks.node, strict=True)
        if not page.hidden[node]
    )


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<h2>Hooks<a href=#hooks>¶</a></h2>", "Hooks"),
        ("<h2 id=a><a href=#a>#</a> Hooks</h2>", "Hooks"),
        ("<h2 id=a>Hooks <a href=#a>Link to this heading</a></h2>", "Hooks"),
        ("<div><h2 id=a>Hooks</h2><a href=#a>Section titled “Hooks”</a></div>", "Hooks"),
        ("<h2 id=a><a href=#a>Hooks</a></h2>", "Hooks"),
        ("<h2>The <a href=/hooks>hooks</a> of it</h2>", "The hooks of it"),
        ("<h2 id=a>Hooks <a href=#b>and more</a></h2>", "Hooks and more"),
        ("<h2>#</h2>", "#"),
        ("<h2><a href=#x>#</a></h2>", "#"),
        ("<h2>Hooks</h2><a href=/edit>Edit</a>", "Hooks / Edit"),
    ],
)
def test_a_link_to_its_own_heading_is_no_text(html, text):
    assert shown(html) == text
