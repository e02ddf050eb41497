"""Articles that stand in templates for scripts."""

from __future__ import annotations

import time

import pytest

from scrapy_webtext import extract
from scrapy_webtext.page import Page, parse
from scrapy_webtext.page.parse import open_templates

STORY = "<p>" + "Rain fell on the town all day long, and nobody saw the sun. " * 20 + "</p>"


def shown(page: Page) -> str:
    return " ".join(
        text
        for text, node in zip(page.blocks.text, page.blocks.node, strict=True)
        if not page.hidden[node]
    )


@pytest.mark.parametrize("kind", ["text/template", "TEXT/X-Handlebars-Template", "text/html"])
def test_an_article_in_a_template_for_scripts_is_the_page_where_little_else_is(kind: str) -> None:
    html = f"<body><h1>Rain</h1><script id=a type='{kind}'>{STORY}</script><p>Loading</p></body>"
    page = parse(html)
    assert shown(page).startswith("Rain Rain fell on the town")
    assert shown(page).endswith("Loading")
    assert page.source == html
    assert "nobody saw the sun" in extract(html).main_text


def test_a_template_beside_a_story_is_not_read() -> None:
    story = STORY.replace("Rain", "Snow")
    page = parse(f"<body>{story}<script type=text/template>{STORY}</script></body>")
    assert "Rain" not in " ".join(page.runs.text)


def test_a_page_of_much_else_is_read_with_a_template_of_twice_its_sentences() -> None:
    menu = "<p>" + "Menu and more of it. " * 40 + "</p>"
    html = f"<body>{menu}<script type=text/template>{STORY * 2}</script></body>"
    assert "Rain fell" in shown(parse(html))
    assert "Rain fell" not in shown(parse(html.replace(menu, menu * 4)))


def test_other_scripts_are_code_whatever_stands_in_them() -> None:
    script = f"<script>var a = '<script type=text/template>{STORY}';</script>"
    page = parse(f"<body><p>Loading</p>{script}</body>")
    assert shown(page) == "Loading"


def test_only_scripts_of_markup_become_templates() -> None:
    html = (
        "<SCRIPT src=a.js></SCRIPT><script data-x=1 TYPE = 'text/x-tmpl'><b>1</b></script >"
        "<script type='text/javascript'>if (a < b) {}</script><scripts type=text/template>"
    )
    assert open_templates(html) == html.replace(
        "<script data-x=1 TYPE = 'text/x-tmpl'><b>1</b></script >",
        "<template><b>1</b></template >",
    )


@pytest.mark.parametrize(
    "html",
    [
        f"<script type=text/template>{STORY}",
        f"<script type=text/template>{STORY}<script type=text/template>{STORY}</script>",
        f"<script type=text/template>{'<script type=text/template>' * 20_000}{STORY}",
        f"<script type=text/template>{'<div>' * 5_000}{STORY}</script>",
        f"<script type=text/template>{STORY}</script>" * 500,
        "<script type=text/template" * 50_000 + ">" + STORY,
    ],
    ids=["open", "within another", "many open", "deep", "many", "no end of tags"],
)
def test_odd_templates_cost_no_more_than_their_length(html: str) -> None:
    began = time.process_time()
    parse(html).blocks  # noqa: B018
    assert time.process_time() - began < 2
