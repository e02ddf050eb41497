from hypothesis import given
from hypothesis import strategies as st

from scrapy_webtext.extractors.fusion.filters.landmarks import excluded_nodes
from scrapy_webtext.page import parse

PROSE = "It rained in the valley, and the river rose by a metre within the hour of noon. " * 3
BODY = f"<article><h1>Rain</h1><p>{PROSE}</p></article>"


def block_table(html: str) -> list[str]:
    page = parse(html)
    mask = excluded_nodes(page)
    blocks = zip(page.blocks.node, page.blocks.text, strict=True)
    return [text.split()[0] for node, text in blocks if not mask[node]]


def test_menus_footers_and_banners_are_left_out() -> None:
    html = f"<header>Gazette</header><nav>News</nav>{BODY}<footer>Imprint</footer>"
    assert block_table(html) == ["Rain", "It"]


def test_a_menu_in_a_banner_that_stays_is_left_out() -> None:
    assert block_table(f"<header><nav>News</nav><h1>Valley</h1></header>{BODY}") == [
        "Valley",
        "Rain",
        "It",
    ]


def test_footers_of_texts_stay() -> None:
    quotation = "<blockquote><p>Rain.</p><footer>Anna</footer></blockquote>"
    assert block_table(quotation) == ["Rain.", "Anna"]
    article = f"<article><header>Storm</header><p>{PROSE}</p><footer>Anna</footer></article>"
    assert block_table(article) == ["Storm", "It", "Anna"]


def test_sidebars_are_left_out_and_asides_of_a_text_stay() -> None:
    assert block_table(f"<aside>Trending</aside>{BODY}") == ["Rain", "It"]
    assert block_table(f"<article><aside>Note</aside><p>{PROSE}</p></article>") == ["Note", "It"]
    assert block_table(f"<article><nav>Contents</nav><p>{PROSE}</p></article>") == ["It"]


def test_what_stands_outside_main_is_left_out_but_for_the_headline() -> None:
    around = f"<div>Weather</div><div><h1>Valley</h1></div><main><p>{PROSE}</p></main>"
    assert block_table(f"{around}<div>Cookies</div>") == ["Valley", "It"]
    assert block_table(f"{around}<div><p>{PROSE}</p></div>") == ["Weather", "Valley", "It", "It"]


def test_an_element_with_much_of_the_prose_stays_whatever_its_tag() -> None:
    assert block_table(f"<nav>News {BODY}") == ["News", "Rain", "It"]
    assert block_table(f"{BODY}<footer><p>{PROSE}</footer>") == ["Rain", "It", "It"]


def test_prose_in_links_is_no_prose() -> None:
    assert block_table(f"{BODY}<footer><a href=/>{PROSE}</a></footer>") == ["Rain", "It"]


def test_a_page_of_nothing_else_is_read() -> None:
    assert block_table("<nav>News</nav><footer>Imprint</footer>") == ["News", "Imprint"]


@given(st.text(alphabet=st.sampled_from(list("<>/navfoterhdmi1 .,\n")), max_size=300))
def test_hidden_text_stays_hidden(html: str) -> None:
    page = parse(html)
    assert all(a <= b for a, b in zip(page.hidden, excluded_nodes(page), strict=True))
    assert all(page.hidden[i] for i in page.blocks.node) == all(
        excluded_nodes(page)[i] for i in page.blocks.node
    )
