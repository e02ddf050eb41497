"""The text of a page that a browser shows, and its blocks."""

import time
from operator import attrgetter

import pytest

from scrapy_webtext import extract
from scrapy_webtext.page import Page, parse
from scrapy_webtext.page.parse import open_templates
from tests.kits.costs import assert_linear
from tests.kits.data import read_json

STORY = "<p>" + "Rain fell on the town all day long, and nobody saw the sun. " * 12 + "</p>"
LONG = "It had rained for a week when the dam above the town began to leak. "
SHOWN = f"<p>{LONG * 3}</p>"
MENU = f"<p>{'Menu and more of it. ' * 40}</p>"


CASES = read_json(__file__)


def shown(html: str | Page) -> list[str]:
    page = html if isinstance(html, Page) else parse(html)
    blocks = page.blocks
    return [
        text for text, node in zip(blocks.text, blocks.node, strict=True) if not page.hidden[node]
    ]


NEVER_SHOWN = (
    f"<head><title>Rain</title></head><body>{SHOWN}<template><p>Row</p></template>"
    "<select><option>Red</option></select><textarea>Draft</textarea>"
    "<video>Get a newer browser</video><noscript><p>Scripts are off</p></noscript>"
    "<audio>x</audio><object>x</object></body>"
)


@pytest.mark.parametrize("group", CASES["blocks"])
def test_blocks_of_shown_text(group: str) -> None:
    cases = CASES["blocks"][group]
    assert {html: shown(html) for html in cases} == cases


def test_text_that_browsers_never_show_is_in_no_block() -> None:
    assert shown(NEVER_SHOWN) == [(LONG * 3).strip()]


#: What is the main part of the page, unless the page shows the same or enough.
LARGE = [
    f"<div style='display:none'><p>WORD {LONG * 3}</p></div>{SHOWN * 3}",
    f"<div hidden>WORD {LONG * 9}</div><div class=a>{LONG * 9}</div>",
]
FADING = f"<p style='opacity:0'>WORD {LONG}</p>" + "<p style='transform:scale(0)'>a" * 2


@pytest.mark.parametrize("group", CASES["elements"])
def test_text_that_attributes_hide(group: str) -> None:
    elements = [element.replace("{LONG}", LONG) for element in CASES["elements"][group]]
    elements += [f"<div style='{style}'>WORD {LONG}</div>" for style in CASES["styles"][group]]
    is_shown = group != "hidden"
    for element in elements + ([FADING] if is_shown else LARGE):
        text = " ".join(shown(SHOWN + element))
        assert ("WORD" in text) is is_shown, element
        assert LONG.strip() in text


@pytest.mark.parametrize(
    ("html", "is_shown"),
    [
        (f"<p>Loading</p><div style='display:none'>{STORY}</div>", True),
        ("<div hidden>nobody saw the sun</div>", True),
        (f"<h1>Forum</h1><noscript>{STORY}</noscript>", True),
        (f"{MENU}<noscript>{STORY * 3}</noscript>", True),
        (f"{MENU * 2}<noscript>{STORY * 3}</noscript>", False),
        (f"{SHOWN * 3}<noscript>{'<p>nobody saw the sun</p>' * 200}</noscript>", False),
        *(
            (f"<h1>Rain</h1><script id=a type='{kind}'>{STORY}</script><p>Loading</p>", True)
            for kind in ("text/template", "TEXT/X-Handlebars-Template", "text/html")
        ),
        (f"{MENU}<script type=text/template>{STORY * 3}</script>", True),
        (f"{MENU * 4}<script type=text/template>{STORY * 3}</script>", False),
        (f"<script>var a = '<script type=text/template>{STORY}';</script>Loading", False),
    ],
)
def test_the_main_part_is_read_where_only_scripts_show_it(html: str, is_shown: bool) -> None:
    page = parse(f"<body>{html}</body>")
    assert page.source == f"<body>{html}</body>"
    assert ("nobody saw the sun" in " ".join(shown(page))) is is_shown
    if is_shown and "<script" in html:
        assert "nobody saw the sun" in extract(page.source).main_text


def test_only_scripts_of_markup_become_templates() -> None:
    html = (
        "<SCRIPT src=a.js></SCRIPT><script data-x=1 TYPE = 'text/x-tmpl'><b>1</b></script >"
        "<script type='text/javascript'>if (a < b) {}</script><scripts type=text/template>"
    )
    assert open_templates(html) == html.replace(
        "<script data-x=1 TYPE = 'text/x-tmpl'><b>1</b></script >", "<template><b>1</b></template >"
    )


@pytest.mark.parametrize("part", CASES["hidden parts"])
def test_hidden_parts_cost_no_more_than_the_page(part: str) -> None:
    assert_linear(attrgetter("blocks"), lambda parts: parse(part * parts), 1_000, 8_000)


@pytest.mark.parametrize(
    "html",
    [
        f"<script type=text/template>{STORY}<script type=text/template>{STORY}</script>",
        f"<script type=text/template>{'<script type=text/template>' * 20_000}{STORY}",
        f"<script type=text/template>{'<div>' * 5_000}{STORY}</script>",
        f"<script type=text/template>{STORY}</script>" * 500,
        "<script type=text/template" * 50_000 + ">" + STORY,
    ],
    ids=["within another", "many open", "deep", "many", "no end of tags"],
)
def test_odd_templates_cost_no_more_than_their_length(html: str) -> None:
    began = time.process_time()
    parse(html).blocks  # noqa: B018
    assert time.process_time() - began < 2
