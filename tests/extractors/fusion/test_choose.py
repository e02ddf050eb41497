"""Landmarks, copies and the standfirst."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webtext import extract
from scrapy_webtext.core.distinct import TokenTable
from scrapy_webtext.extractors.fusion import FusionExtractor
from scrapy_webtext.extractors.fusion.choose import (
    with_gaps,
    with_named,
    with_standfirst,
    without_empty_headings,
)
from scrapy_webtext.extractors.fusion.features.block_features import compute_features
from scrapy_webtext.extractors.fusion.features.tables import excluded_nodes
from scrapy_webtext.extractors.fusion.features.templates import NO_TOKEN_SCORES
from scrapy_webtext.extractors.fusion.model import load_fusion
from scrapy_webtext.extractors.fusion.prediction import PagePrediction, predict
from scrapy_webtext.page import parse
from tests.kits.data import read_json

PROSE = "It rained in the valley, and the river rose by a metre within the hour of noon. " * 3


BODY = f"<article><h1>Rain</h1><p>{PROSE}</p></article>"
AROUND = f"<div>Weather</div><div><h1>Valley</h1></div><main><p>{PROSE}</p></main>"


CASES = read_json(__file__)
MENUS = CASES["fusion: first words of blocks outside menus"]


@pytest.mark.parametrize("group", MENUS)
def test_menus_footers_banners_and_sidebars_are_left_out(group: str) -> None:
    for html, first_words in MENUS[group].items():
        for name, text in (("{BODY}", BODY), ("{AROUND}", AROUND), ("{PROSE}", PROSE)):
            html = html.replace(name, text)
        page = parse(html)
        mask = excluded_nodes(page)
        blocks = zip(page.blocks.node, page.blocks.text, strict=True)
        assert " ".join(text.split()[0] for node, text in blocks if not mask[node]) == first_words


@given(st.text(alphabet=st.sampled_from(list("<>/navfoterhdmi1 .,\n")), max_size=300))
def test_hidden_text_stays_hidden(html: str) -> None:
    page = parse(html)
    assert all(a <= b for a, b in zip(page.hidden, excluded_nodes(page), strict=True))
    assert all(page.hidden[i] for i in page.blocks.node) == all(
        excluded_nodes(page)[i] for i in page.blocks.node
    )


VERSES = [
    "The cart was old, the road was long, the wheel was never quite true.",
    "The bridge was out, the ford was deep, the toll was two pence more.",
    "The inn was shut, the lamp was out, the keeper had gone to sea.",
]


REFRAIN = "So walk, my grey, walk on, my grey, the inn is not so very far."


ONCE = "".join(f"<p>{line}</p>" for line in VERSES)
SUNG = [line for verse in VERSES for line in (verse, REFRAIN)]
STEPS = "".join(f"<p>{line}</p><div><p>{VERSES[0]}</p></div>" for line in VERSES[1:])
CODE = "tar --create --gzip --file backup.tar.gz --exclude cache /srv/www/site"
AGAIN = "Then again, in the other folder of the same site:"
CODE_TWICE = (
    f"<p>{VERSES[0]}</p><pre>{CODE}</pre><p>{VERSES[1]}</p><p>{AGAIN}</p><pre>{CODE}</pre>"
    f"<p>{VERSES[2]}</p>"
)


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        # copies in containers: a page for phones, an introduction, a pull quote
        (f"<div>{ONCE}</div><div>{ONCE}</div>", VERSES),
        (f"<div class=phone>{ONCE}</div><section>{ONCE}</section>", VERSES),
        (f"<header><p>{VERSES[1]}</p></header><div>{ONCE}</div>", VERSES),
        (ONCE.replace("<p>The inn", f"<blockquote>{VERSES[0]}</blockquote><p>The inn"), VERSES),
        # no copies: a refrain, one flow, steps, code
        ("".join(f"<p>{line}</p>" for line in SUNG), SUNG),
        (ONCE + ONCE, VERSES * 2),
        (STEPS, [line for verse in VERSES[1:] for line in (verse, VERSES[0])]),
        (CODE_TWICE.replace(f"<p>{AGAIN}</p>", ""), [VERSES[0], CODE, VERSES[1], CODE, VERSES[2]]),
        (CODE_TWICE, [VERSES[0], CODE, VERSES[1], AGAIN, CODE, VERSES[2]]),
    ],
)
def test_copies_are_taken_once_and_what_repeats_each_time(body: str, lines: list[str]) -> None:
    found = extract(f"<title>A page</title><main><article>{body}</article></main>").main_text
    assert found.split("\n") == lines


ABOUT = "Eleven retired engineers teach mathematics in a town that found no teachers."


STORY = "The oldest of them is seventy-nine and built bridges for most of his life."


@pytest.mark.parametrize(
    ("described", "above", "is_standfirst"),
    [
        (ABOUT, f"<p>{ABOUT}</p>", True),
        (f"{ABOUT} They were asked in May.", f"<p>{ABOUT}</p>", True),
        (ABOUT[:50] + "…", f"<p>{ABOUT}</p>", True),
        ("Eleven teachers.", f"<p>{ABOUT}</p>", False),
        (ABOUT, f"<h1>{ABOUT}</h1>", False),
        (ABOUT, f"<figure><figcaption>{ABOUT}</figcaption></figure>", False),
        (ABOUT, "<p>Schools</p>", False),
    ],
)
def test_the_standfirst_is_what_the_page_says_of_itself(
    described: str, above: str, is_standfirst: bool
) -> None:
    head = f'<meta property="og:description" content="{described}">'
    page = parse(f"<head>{head}</head><body><main>{above}<p>{STORY}</p><p>{STORY}</p></main>")
    texts = predict(page, load_fusion(FusionExtractor().model)).table.texts
    assert with_standfirst(page, texts, [1, 2]) == [0, 1, 2][not is_standfirst :]


@pytest.mark.parametrize(
    "attributes", ["class=comment", "class=comment-text", "id=kommentar class=body"]
)
def test_paragraphs_that_are_all_named_comments_are_text(attributes: str) -> None:
    html = "".join(f"<p {attributes}>{PROSE} {k}.</p>" for k in range(4))
    found = extract(f"<article><h1>Rain</h1>{html}</article>", extractor="fusion").main_text
    assert found.count("It rained") == 12


@pytest.mark.parametrize("name", ["official-comment", "editors-comments", "kommentar-box"])
def test_a_note_between_paragraphs_is_no_comment_of_readers(name: str) -> None:
    note = f"<div class={name}><h3>Note</h3><p>It is a note. {PROSE}</p></div>"
    html = f"<article><h1>Rain</h1><p>{PROSE}</p>{note}<p>{PROSE}</p></article>"
    assert "It is a note." in extract(html, extractor="fusion").main_text


@pytest.mark.parametrize("story", CASES["fusion: next articles"])
def test_the_next_article_of_a_page_is_left_out(story: str) -> None:
    own, other = (
        "".join(f"<p>{name} {PROSE}</p>" for name in names) for names in (("A", "B"), ("C", "D"))
    )
    first = f"<title>Rain in the valley - News</title><article><h1>Rain in the valley</h1>{own}"
    html = f"{first}</article>{story.format('Snow on the hills', other)}"
    found = extract(html, extractor="fusion").main_text
    assert "B It rained" in found
    assert "C It rained" not in found
    # Several articles whose headlines are not the title, as in a ticker, are one text.
    stories = story.format("Rain in the valley", own) + story.format("Snow on the hills", other)
    ticker = extract(f"<title>All of today - News</title>{stories}", extractor="fusion").main_text
    assert [f"{name} It rained" in ticker for name in "ABCD"] == [True] * 4


@pytest.mark.parametrize(("story", "is_kept"), CASES["fusion: stories"])
def test_of_several_like_stories_the_one_of_the_title_is_the_text(
    story: str, is_kept: bool
) -> None:
    html = "<title>Rain in the valley - News</title><main>" + "".join(
        story.format(headline, f"<p>{name} {PROSE}</p><p>{PROSE}{name}.</p>")
        for headline, name in (("Rain in the valley", "A"), ("Snow on the hills", "C"))
    )
    found = extract(html, extractor="fusion").main_text
    assert "A It rained" in found
    assert ("C It rained" in found) is is_kept


def test_prose_between_chosen_blocks_is_kept_if_the_first_pass_chose_it() -> None:
    page = parse("".join(f"<p>{name} {PROSE}</p>" for name in "ABCDE"))
    table = compute_features(page, TokenTable({}, {}), NO_TOKEN_SCORES)
    seen = PagePrediction(table, {}, [0.9, 0.8, 0.9, 0.3, 0.9], [], 0.9)
    assert with_gaps(seen, [0, 3]) == [0, 1, 2, 3]
    assert with_gaps(seen, [0, 1]) == [0, 1]
    headed = parse("<title>Rain</title><h1>Rain</h1>" + f"<p>{PROSE}</p>" * 8)
    seen = PagePrediction(
        compute_features(headed, TokenTable({}, {}), NO_TOKEN_SCORES), {}, [0.8] * 9, [], 0.9
    )
    assert with_gaps(seen, [8]) == [1, 2, 3, 4, 5, 6, 7, 8]


def test_what_json_ld_names_is_added_unless_it_is_improbable() -> None:
    named = '{"@type": "Recipe", "recipeIngredient": ["two cups of flour", "a pinch of salt"]}'
    lines = "".join(
        f"<li>{line}</li>" for line in ("two cups of flour", "a pinch of salt", "Print")
    )
    page = parse(f"<script type=application/ld+json>{named}</script><p>{PROSE}</p><ul>{lines}</ul>")
    table = compute_features(page, TokenTable({}, {}), NO_TOKEN_SCORES)
    seen = PagePrediction(table, {}, [], [0.9, 0.4, 0.2, 0.5], 0.1)
    assert with_named(seen, [0]) == [0, 1]


@pytest.mark.parametrize(("section", "is_kept"), CASES["fusion: headings"])
def test_a_heading_goes_if_nothing_of_its_section_was_chosen(section: str, is_kept: bool) -> None:
    page = parse(f"<p>{PROSE}</p>{section.format(PROSE)}")
    table = compute_features(page, TokenTable({}, {}), NO_TOKEN_SCORES)
    chosen = [k for k, text in enumerate(table.texts.text) if text != "Log in"]
    kept = [table.texts.text[k] for k in without_empty_headings(table, chosen)]
    assert ("Fares" in kept) is is_kept
    assert kept.count(PROSE.strip()) == page.blocks.text.count(PROSE.strip())
