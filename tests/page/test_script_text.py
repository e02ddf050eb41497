"""Articles that exist only in the data of scripts: made pages of frameworks."""

import json
from typing import Any

import pytest

from scrapy_webtext import extract
from scrapy_webtext.page import parse
from scrapy_webtext.page.scripts import find_script_text
from tests.kits.costs import assert_linear
from tests.kits.data import read_json

CASES = read_json(__file__, "odd_parts.json")


TEXTS = read_json(__file__, "script_text.json")
EN, RU = TEXTS["en"], TEXTS["ru"]


TEASERS = [
    {
        "id": n,
        "slug": f"/news/2026/story-of-the-harbour-number-{n}",
        "title": f"A headline of another story, number {n}",
        "description": f"Story {n} is about another harbour. It has two sentences and no more, "
        "as teasers of stories often have.",
        "image": {"src": f"https://cdn.example/pictures/2026/05/story-{n}-large.jpg?w=1200"},
        "publishedAt": "2026-05-03T10:00:00Z",
    }
    for n in range(30)
]
HTML = {name: "".join(f"<p>{text}</p>" for text in rows) for name, rows in TEXTS.items()}


def script(data: Any, before: str = "", after: str = "", *, is_ascii: bool = True) -> str:
    text = json.dumps(data, ensure_ascii=is_ascii, separators=(",", ":")).replace("</", "<\\/")
    return f"{before}{text}{after}"


def next_pages(name: str) -> str:
    post = {"title": "Ferry", "content": HTML[name], "related": TEASERS}
    data = script({"props": {"pageProps": {"post": post}}, "page": "/news/[slug]"})
    return f"<div id=__next></div><script id=__NEXT_DATA__ type=application/json>{data}</script>"


def next_app(name: str) -> str:
    rows = "".join(
        f'{n}:["$","p","{n}",{{"className":"text-lg","children":{json.dumps(text)}}}]\n'
        for n, text in enumerate(TEXTS[name])
    )
    links = f"a:{json.dumps(TEASERS)}\n"
    pushed = (f"self.__next_f.push([1,{json.dumps(part)}])" for part in (rows, links))
    return "".join(f"<script>{one}</script>" for one in pushed)


def nuxt_2(name: str) -> str:
    body = json.dumps(HTML[name]).replace("<", "\\u003C")
    made = f"""(function(a,b,c){{return {{layout:"default",data:[{{
    post:{{id:a,body:{body},tags:[b]}},more:{json.dumps(TEASERS)}}}],error:c}}}}(7,"ferries",null));"""
    return f"<div id=__nuxt>Loading</div><script>window.__NUXT__={made}</script>"


def nuxt_3(name: str) -> str:
    flat = [["Reactive", 1], {"data": 2}, {"post": 3}, {"body": 4, "title": 5}, HTML[name], "Ferry"]
    return (
        "<div id=__nuxt></div><script type='application/json' id=__NUXT_DATA__>"
        f"{script(flat, is_ascii=False)}</script>"
    )


def apollo(name: str) -> str:
    state = {f"Teaser:{one['id']}": one for one in TEASERS} | {
        "Story:7": {
            "__typename": "Story",
            "blocks": [
                {"__typename": "Paragraph", "id": f"b{n}", "text": text}
                for n, text in enumerate(TEXTS[name])
            ],
        }
    }
    return f"<div id=root></div><script>{script(state, 'window.__APOLLO_STATE__=', ';')}</script>"


def sanity(name: str) -> str:
    """Remix, with portable text."""
    body = [
        {"_key": f"{n:012x}", "_type": "block", "children": [
            {"_key": f"{n}a", "_type": "span", "marks": [], "text": text}
        ], "markDefs": [], "style": "normal"}
        for n, text in enumerate(TEXTS[name])
    ]  # fmt: skip
    data = {"state": {"loaderData": {"routes/news": {"body": body, "more": TEASERS}}}}
    return f"<script>{script(data, 'window.__remixContext = ', ';')}</script>"


def svelte(name: str) -> str:
    body = json.dumps({"story": {"html": HTML[name]}, "more": TEASERS})
    data = script({"status": 200, "headers": {}, "body": body})
    return f"<script type='application/json' data-sveltekit-fetched>{data}</script>"


def parsed(name: str) -> str:
    data = json.dumps(script({"article": {"paragraphs": TEXTS[name]}, "list": TEASERS}))
    return f"<script>// don't\nwindow.__INITIAL_STATE__ = JSON.parse({data});</script>"


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize(
    "make", [next_pages, next_app, nuxt_2, nuxt_3, apollo, sanity, svelte, parsed]
)
def test_an_article_in_the_data_of_scripts_is_found(make: Any, name: str) -> None:
    html = f"<html><head><title>Ferry</title></head><body><nav><a href=/>Home</a></nav>{make(name)}"
    result = extract(html, include="main_markdown")
    assert result.main_text.split("\n") == TEXTS[name]
    assert result.main_text_score == 0.5
    assert result.main_markdown is not None
    assert TEXTS[name][-1][:20] in result.main_markdown


@pytest.mark.parametrize("make", [next_pages, apollo])
def test_data_of_scripts_is_not_read_if_the_page_shows_text(make: Any) -> None:
    shown = "".join(f"<p>{text}</p>" for text in RU * 2)
    assert extract(f"<article>{shown}</article>{make('en')}").main_text.split("\n")[0] == RU[0]


@pytest.mark.parametrize(
    "html",
    [
        f"<script>{script(TEASERS, 'window.list = ')}</script>",
        '<script>window.text = {a: "One sentence. And another, which ends here as well."}</script>',
        '<script>var css = ".a { color: red; } .b { color: blue; } " + "x. "</script>' * 20,
        f"<script>{script({f'Please {text}': text for text in EN * 3}, 'i18n = ')}</script>",
        "",
    ],
    ids=["teasers", "short", "code", "translations", "empty"],
)
def test_data_without_an_article_gives_no_text(html: str) -> None:
    assert find_script_text(parse(f"<body>{html}<p>Loading</p>")) == ""


@pytest.mark.parametrize("piece", CASES["scripts"])
def test_odd_scripts_cost_no_more_than_their_length(piece: str) -> None:
    make = lambda times: parse(f"<script>{piece * times}</script>")  # noqa: E731
    assert_linear(find_script_text, make, 2_000, 16_000)
