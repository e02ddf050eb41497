"""What of a page a browser does not show as text."""

from __future__ import annotations

from scrapy_webtext.page import Page, parse

STORY = "<p>" + "Rain fell on the town all day long. " * 20 + "</p>"


def hidden_texts(html: str) -> list[str]:
    page: Page = parse(html)
    return [
        text for text, node in zip(page.runs.text, page.runs.node, strict=True) if page.hidden[node]
    ]


def test_title_templates_form_values_and_stand_ins_are_hidden() -> None:
    html = (
        f"<head><title>Rain</title></head><body>{STORY}<template><p>Row</p></template>"
        "<select><option>Red</option></select><textarea>Draft</textarea>"
        "<video>Get a newer browser</video><noscript><p>Scripts are off</p></noscript>"
        "<button>Send</button></body>"
    )
    assert hidden_texts(html) == [
        "Rain",
        "Row",
        "Red",
        "Draft",
        "Get a newer browser",
        "Scripts are off",
    ]


def test_noscript_is_the_page_where_there_is_hardly_anything_else() -> None:
    html = f"<body><h1>Forum</h1><noscript>{STORY}</noscript></body>"
    assert hidden_texts(html) == []


def test_a_large_noscript_beside_a_story_stays_hidden() -> None:
    html = f"<body>{STORY}<noscript>{'<p>No scripts here.</p>' * 200}</noscript></body>"
    assert len(hidden_texts(html)) == 200
