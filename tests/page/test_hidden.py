"""What of a page a browser does not show as text."""

from __future__ import annotations

import pytest

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


def test_noscript_is_the_page_where_it_has_twice_the_sentences_that_are_shown() -> None:
    sentences = "".join(
        f"<p>{'It rained in the valley all day long, and the river rose. ' * 2}</p>" * 20
    )
    shown = f"<p>{'Menu and more of it. ' * 40}</p>"
    assert hidden_texts(f"<body>{shown}<noscript>{sentences}</noscript></body>") == []
    assert len(hidden_texts(f"<body>{shown * 2}<noscript>{sentences}</noscript></body>")) == 20


def test_a_large_noscript_beside_a_story_stays_hidden() -> None:
    html = f"<body>{STORY}<noscript>{'<p>No scripts here.</p>' * 200}</noscript></body>"
    assert len(hidden_texts(html)) == 200


LONG = "It had rained for a week when the dam above the town began to leak. "
SHOWN = f"<p>{LONG * 3}</p>"


def shown(html: str) -> str:
    page = parse(html)
    blocks = page.blocks
    return " ".join(
        text for text, node in zip(blocks.text, blocks.node, strict=True) if not page.hidden[node]
    )


@pytest.mark.parametrize(
    "element",
    [
        "<p hidden>SECRET</p>",
        "<p hidden=hidden>SECRET</p>",
        "<div popover>SECRET</div>",
        "<div aria-hidden=true>SECRET</div>",
        "<div style='color:red; display : none'>SECRET</div>",
        "<div style='visibility:hidden!important'>SECRET</div>",
        "<dialog>SECRET</dialog>",
        "<details><summary>More</summary>SECRET</details>",
        "<video>SECRET</video><audio>SECRET</audio><object>SECRET</object>",
        f"<div style='display:none'><p>SECRET {LONG * 3}</p></div>{SHOWN * 3}",
        f"<div hidden>SECRET {LONG * 9}</div><div class=a>{LONG * 9}</div>",
        "<section hidden><p style='display:block'>SECRET</p></section>",
    ],
)
def test_what_an_attribute_hides_is_not_shown(element: str) -> None:
    assert "SECRET" not in shown(SHOWN + element)
    assert LONG.strip() in shown(SHOWN + element)


@pytest.mark.parametrize(
    "element",
    [
        "<p style='display:none; display:block'>SHOWN</p>",
        "<p aria-hidden=false>SHOWN</p>",
        "<p hidden=until-found>SHOWN</p>",
        "<dialog open>SHOWN</dialog>",
        "<details open><summary>More</summary>SHOWN</details>",
        "<details><summary>SHOWN</summary>x</details>",
        "<p class='hidden d-none'>SHOWN</p>",
    ],
)
def test_what_only_seems_hidden_is_shown(element: str) -> None:
    assert "SHOWN" in shown(SHOWN + element)


@pytest.mark.parametrize(
    "html",
    [
        f"<div hidden id='S:1'><p>KEPT {LONG}</p></div>{SHOWN}",
        f"<a href='#tab2'>Two</a><div id=tab2 style='display:none'>KEPT {LONG * 2}</div>{SHOWN}",
        f"<div role=tabpanel hidden>KEPT {LONG * 2}</div>{SHOWN}",
        f"<p>Loading</p><div style='display:none'>KEPT {LONG * 9}</div>",
        "".join(f"<details><summary>{k}</summary>KEPT {k} {LONG}</details>" for k in "abc") + SHOWN,
        "<div hidden>KEPT</div>",
    ],
)
def test_what_scripts_and_readers_unhide_stays(html: str) -> None:
    assert "KEPT" in shown(html)
