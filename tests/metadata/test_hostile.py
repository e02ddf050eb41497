"""No page makes the reading of metadata raise, and what comes out is text that any feed takes."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scrapy_webtext.metadata import describe_article
from scrapy_webtext.page import Page, parse
from scrapy_webtext.page.encoding import storable_text
from scrapy_webtext.registry import make_extractor
from scrapy_webtext.results import Extraction
from tests.kits import hostile
from tests.metadata.pages import json_ld, story


def check(page: Page) -> None:
    """Assert that the metadata of a page, by its text and by all of it, are texts of one line."""
    whole = Extraction("x", 1.0, "all", tuple(range(len(page.blocks))))
    for extraction in (whole, make_extractor("pvalue").extract(page)):
        found = {name: one.value for name, one in describe_article(page, extraction).items()}
        texts = [value for value in found.values() if not isinstance(value, tuple)]
        crumbs = [crumb.name for crumb in found["breadcrumbs"]]
        flat = [*found["tags"], *found["authors"], *crumbs]
        for text in [*filter(lambda one: isinstance(one, str), texts), *flat]:
            assert text == storable_text(text)
            assert text
            assert "\n" not in text


@pytest.mark.parametrize("name", hostile.SMALL)
def test_a_hostile_page_has_metadata_or_none(name: str) -> None:
    check(parse(hostile.SMALL[name], url="https://example.com/a"))
    check(parse(hostile.SMALL[name], url="http://[" if name > "n" else None))


@pytest.mark.parametrize("name", hostile.LARGE)
def test_a_large_hostile_page_has_metadata_or_none(name: str) -> None:
    check(parse(hostile.LARGE[name](2_000)))


def test_metadata_is_the_same_each_time_and_leaves_the_page_as_it_was() -> None:
    html = story("<title>Boat gone - Courier</title>", below="<p>By Ann Doe, 3 May 2020</p>")
    page, again = parse(html), parse(html)
    extraction = make_extractor("fusion").extract(page)
    assert describe_article(page, extraction) == describe_article(page, extraction)
    assert page.nodes == again.nodes


values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=30)
    | st.sampled_from(["2020-05-03", "Ann Doe", "<b>", "&lt;", "#a", "https://example.com/x"]),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(
        st.sampled_from("@type @id @graph name url headline author datePublished image item "
                        "keywords itemListElement inLanguage publisher description".split()),
        inner, max_size=5,
    ),
    max_leaves=12,
)  # fmt: skip


@given(
    st.dictionaries(
        st.sampled_from("headline author datePublished dateModified image keywords".split()), values
    ),
    values,
)
@settings(max_examples=150, suppress_health_check=list(HealthCheck))
def test_any_json_in_json_ld_is_read(article: dict[str, object], beside: object) -> None:
    graph = [{"@type": "Article"} | article, {"@type": "BreadcrumbList", "itemListElement": beside}]
    check(parse(story(json_ld(json.dumps({"@graph": graph}).replace("</", "<\\/")))))


@given(st.text(max_size=60), st.text(max_size=60))
@settings(max_examples=100, suppress_health_check=list(HealthCheck))
def test_any_text_in_attributes_is_read(name: str, content: str) -> None:
    quoted = [text.replace('"', "&quot;") for text in (name, content)]
    tags = "".join(
        f'<meta name="{key}" content="{quoted[1]}">'
        for key in (quoted[0], "author", "og:title", "date", "og:image", "keywords", "og:locale")
    )
    check(parse(story(tags, lang="en"), url="https://example.com/"))
