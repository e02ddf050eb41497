import json

import pytest

from scrapy_webtext.core.distinct import TokenTable
from scrapy_webtext.extractors.fusion.features.block_features import (
    BLOCK_FEATURES,
    FeatureTable,
    compute_features,
)
from scrapy_webtext.extractors.fusion.features.declared import NO_TOKENS, URL_FEATURES, url_features
from scrapy_webtext.extractors.fusion.features.page_features import PAGE_FEATURES, page_features
from scrapy_webtext.extractors.fusion.features.templates import NO_TOKEN_SCORES, TokenScores
from scrapy_webtext.page import parse
from tests.kits.data import read_json

CASES = read_json(__file__, "block_features.json")


SENTENCE = "It rained in the valley, and the river rose by a metre within the hour of noon. "

PAGE = CASES["page"]


def table(html: str) -> FeatureTable:
    names = TokenTable({"content": 2.0, "post": 0.5, "nav": -1.0}, {})
    return compute_features(parse(html), names, NO_TOKEN_SCORES)


def column(html: str, name: str) -> list[float]:
    return list(table(html).columns[name])


def test_every_feature_has_one_value_per_visible_block() -> None:
    seen = table(PAGE)
    assert set(seen.columns) == set(BLOCK_FEATURES)
    assert {len(c) for c in seen.columns.values()} == {len(seen.texts.text)} == {6}
    assert set(page_features(parse(PAGE), seen, NO_TOKENS)) == set(PAGE_FEATURES)


@pytest.mark.parametrize(("name", "values"), CASES["places"])
def test_features_say_where_a_block_stands(name: str, values: list[float]) -> None:
    assert column(PAGE, name) == values


@pytest.mark.parametrize(("order", "near", "run", "links"), CASES["links"])
def test_links_next_to_prose_and_within_are_counted(
    order: str, near: float, run: float, links: float
) -> None:
    kinds = {"P": SENTENCE, "L": "<a href=/a>A headline of a story</a>", "s": "<a href=/>More</a>"}
    kinds["I"] = SENTENCE.replace("valley", "<a href=/v>valley</a>").replace("noon", "<a>noon</a>")
    html = "".join(f"<p>{kinds[kind]}</p>" for kind in order)
    found = page_features(parse(html), table(html), NO_TOKENS)
    assert found["page_near_links"] == pytest.approx(near)
    assert found["page_prose_run"] == pytest.approx(run * len(SENTENCE.strip()), rel=0.1)
    assert found["page_prose_links"] == pytest.approx(links)


def test_similarity_to_the_title_counts_distinct_words_or_characters() -> None:
    words = "<title>The old Harbour</title><p>OLD, old harbour of the town"
    assert column(words, "title_similarity") == [3 / 6]
    characters = "<title>海边的旧灯塔</title><p>旧灯塔在海边旧灯塔"
    assert column(characters, "title_similarity") == [5 / 7]


def test_an_own_title_and_own_names_have_their_scores() -> None:
    assert column(PAGE, "title_similarity")[2] == 1
    assert column("<div class=content>a<p class=nav>b", "class_score_own") == [2, -1]


def test_what_blocks_of_a_template_hold_is_a_share_of_the_page() -> None:
    html = f"<title>T</title><div><i>{'x' * 20}</i></div>" + f"<ul><li>{'y' * 40}</li></ul>" * 3
    assert column(html, "template_unlinked_share") == [20 / 140] + [120 / 140] * 3
    assert column(html, "parents_unlinked_share") == [1.0] * 4  # a <ul> only wraps its <li>
    assert column(html, "items_unlinked_share") == [0.0] + [120 / 140] * 3
    assert column(html, "items_start") == [0.0] * 4


def test_shares_and_positions_on_a_long_page_are_those_of_ten_thousand_characters() -> None:
    html = f"<div><p>{SENTENCE * 5}</p></div>" + f"<p>{SENTENCE * 5}</p>" * 99
    own = 5 * len(SENTENCE) - 1
    assert column(html, "template_prose_share") == [own / 10_000] + [1.0] * 99
    positions = column(html, "prose_position")
    assert positions[0] == 0
    assert positions[50] == 0.5
    assert positions[99] == 10_000 / (10_000 + own)


def test_a_wrapper_changes_no_place_of_a_block() -> None:
    names = [name for name in BLOCK_FEATURES if name not in ("p", "p_1", "p_2")]
    wrapped = PAGE.replace("<h1>", "<div><div><h1>").replace("</div>", "</div></div></div>")
    pages = PAGE, wrapped, wrapped.replace("<table>", "<section><table>")
    assert "<div><div><h1>" in pages[1]
    columns = [[column(html, name) for name in names] for html in pages]
    assert columns[1] == columns[0] == columns[2]


def test_dates_below_headings_count_and_signs_are_seen() -> None:
    html = (
        "<h1>One</h1><p>By Ann, 2 May 2021</p><p>In 1999.</p><h2>Two</h2><b>News</b><p>2022-05-01"
    )
    assert column(html, "dates_before") == [0, 1, 1, 1, 1, 2]
    bold = "<h1>One</h1><p>Text.</p><p><b>A boat sank before the pier</b></p><i>2022-05-01, Ann</i>"
    assert column(bold, "dates_before") == [0, 0, 0, 1]
    texts = "<p>© a@b.example</p><p>c@d.example</p><p>e</p><p>– f</p>"
    assert column(texts, "signs") == [3, 1, 0, 4]


def test_words_of_the_opening_are_found_further_down() -> None:
    opening = f"<h1>Ferry</h1><p>The ferry waits at harbours. {SENTENCE * 20}</p>"
    below = "<h2>Harbours</h2><p>No harbours wait.</p><h2>More</h2><p>A boat</p>"
    shares = [
        column(opening + below, f"opening_{of}") for of in ("near", "section", "template", "own")
    ]
    assert shares[1] == [1.0, 1.0, 2 / 4, 2 / 4, 0.0, 0.0]
    assert shares[2] == [1.0, 1 / 5, 1 / 2, 1 / 5, 1 / 2, 1 / 5]
    assert shares[0] == [3 / 5, 3 / 6, 3 / 8, 3 / 8, 2 / 7, 2 / 7]
    assert shares[3] == [1.0, -1.0, 1.0, 1 / 3, 0.0, 0.0]


def test_a_section_reaches_from_a_heading_to_the_next() -> None:
    html = "<p>Before.</p><h2>One</h2><p>Text.</p><p><a href=/>More</a></p><h2>Two</h2>"
    assert column(html, "section_blocks") == [1, 3, 3, 3, 1]
    assert column(html, "section_unlinked") == [7, 8, 8, 8, 3]
    assert column(html, "section_link_density") == [0, *[1 - 8 / 12] * 3, 0]


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("headlines_before", [0, 0, 0, 0, 0, 0, 0]),
        ("dates_before", [0, 0, 0, 0, 0, 0, 0]),
        ("pictures_near", [0, 1, 1, 1, 1, 1, 1]),
        ("token_score_section", [1 / 3, 1 / 3, 0, 0, -4 / 5, -4 / 5, -4 / 5]),
    ],
)
def test_teasers_below_the_text_are_described(name: str, values: list[float]) -> None:
    html = f"""<title>Rain falls</title><h1>Rain falls</h1><p>{SENTENCE}</p>
    <h4><a href=/a>Related: a boat sank</a></h4><p>{SENTENCE}</p>"""
    html += f"<a href=/b><img></a><h2><a href=/c>More stories of today</a></h2><p>{SENTENCE}</p>"
    html += "<p><a href=/d>A hall for the village</a></p>"
    scores = TokenScores({"more": -4.0, "rain": 1.0}, {})
    found = compute_features(parse(html), TokenTable({}, {}), scores).columns[name]
    assert list(found) == values


def test_texts_in_json_ld_name_blocks() -> None:
    step = {"@type": "HowToStep", "text": "Wash the leeks."}
    recipe = {"@type": "Recipe", "recipeIngredient": ["two leeks"], "recipeInstructions": [step]}
    script = f"<script type=application/ld+json>{json.dumps(recipe)}</script>"
    body = "<p>Two leeks</p><p>Wash the leeks well.</p><p>Our shop</p>"
    assert column(script + body, "named_share") == [1.0, 3 / 4, 0.0]
    assert column(body, "named_share") == [0.0] * 3


def test_unseen_text_has_no_features() -> None:
    html = "<p>Seen.</p><svg><text>Not seen</text></svg><select><option>One</select>"
    assert table(html).texts.text == ["Seen."]


def test_noscript_and_template_are_read_where_they_hold_nearly_all_text() -> None:
    for tag in ("noscript", "template"):
        html = f"<div id=app>Loading</div><{tag}><div><p>{SENTENCE * 8}</p></div></{tag}>"
        assert len(table(html).texts.text) == 2
        assert len(table(f"<p>{SENTENCE * 8}</p>{html}").texts.text) == 2


def test_characters_of_scripts_without_spaces_are_words() -> None:
    texts = table("<p>昨天下雨了，河水上涨。").texts
    assert list(texts.words) == [11]
    assert list(texts.chars) == [33]


def test_an_address_is_described_by_its_shape() -> None:
    features = url_features("https://example.org/blog/2024/05/rain-in-the-valley.html?a=1")
    assert set(features) == set(URL_FEATURES)
    expected = {"url_article": 1, "url_has_date": 1, "url_hyphens": 3, "url_depth": 4}
    assert features.items() >= {**expected, "url_is_file": 1, "url_query_fields": 1}.items()
    for url in (None, "", "http://["):
        assert set(url_features(url).values()) == {-1}
