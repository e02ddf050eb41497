"""No string and no bytes raise an error in any extractor, judge, middleware or pipeline."""

import re
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from parsel import Selector

from scrapy_webtext.page import from_root, parse
from scrapy_webtext.page.encoding import decode
from scrapy_webtext.registry import EXTRACTORS, JUDGES
from tests.crawls.offline import Components, response_of
from tests.kits import hostile
from tests.kits.data import SITE
from tests.kits.laws import check_all, check_extractor
from tests.kits.soup import soup


def as_bytes(page: str | bytes) -> bytes:
    return page if isinstance(page, bytes) else page.encode("utf-8", "surrogatepass")


@pytest.mark.parametrize("name", hostile.SMALL)
def test_a_hostile_page_is_extracted_and_judged(name: str) -> None:
    check_all(hostile.SMALL[name])


@pytest.mark.parametrize("extractor", EXTRACTORS)
@pytest.mark.parametrize("judge", JUDGES)
def test_hostile_pages_pass_the_middlewares_and_the_pipeline(extractor: str, judge: str) -> None:
    components = Components(EXTRACTOR=extractor, JUDGE=judge)
    for name, page in hostile.SMALL.items():
        for content_type in ("text/html", "text/html; charset=utf-8", "text/html; charset=utf-16"):
            item = components.item_of(response_of(as_bytes(page), content_type))
            is_page = name not in hostile.NO_HTML
            assert isinstance(item["main_text"], str) is is_page, name
            assert isinstance(item["has_article"], bool) is is_page, name
    assert not components.errors


@pytest.mark.parametrize(
    "name",
    ["end of html in mid-page", "body only after html", "bodies and heads again", "plaintext",
     "unclosed tag", "XHTML", "zero-width characters", "NUL in an article", "DTD with entities"],
)  # fmt: skip
@pytest.mark.parametrize("as_response", [False, True])
def test_an_article_in_a_broken_page_is_not_lost(name: str, as_response: bool) -> None:
    html = hostile.SMALL[name]
    assert isinstance(html, str)
    page = (
        from_root(Selector(text=html).root, body=html.encode("utf-8", "replace"))
        if as_response
        else parse(html)
    )
    text = " ".join(page.runs.text)
    assert hostile.SENTENCE.strip() in re.sub("[\u200b-\u200d\ufeff\u2060]", "", text)
    assert "root:" not in text  # the external entity of the DTD is not read


@pytest.mark.parametrize(
    ("name", "size"),
    [
        *((name, 20_000) for name in hostile.LARGE),
        ("one line", 5_000_000),
        ("one line without spaces", 5_000_000),
        ("nested divs", 100_000),
        ("siblings", 100_000),
        ("attributes", 50_000),
    ],
)
def test_a_large_page_is_extracted(name: str, size: int) -> None:
    page = parse(hostile.LARGE[name](size))
    for extractor in EXTRACTORS:
        check_extractor(extractor, page)
    if name == "nested divs":
        assert page.is_truncated
        assert hostile.SENTENCE.strip() in " ".join(page.runs.text)
        assert page.runs.text[-1] == "the end"
    if name == "attributes":
        assert max(map(len, page.nodes.attributes)) == size


any_pages = (
    st.text()
    | st.text(st.characters(categories=["Cs", "Cc", "Cf", "Zs", "Mn", "Lo"]))
    | st.text("<>/abp =\"'!-&;\n#x0")
    | st.binary()
    | st.binary(max_size=200).map(soup)
)


@st.composite
def mutations(draw: st.DrawFn) -> str | bytes:
    """Return a page of the example site with pieces repeated, cut and replaced, then some bytes."""
    html = decode(draw(st.sampled_from(sorted(SITE.rglob("*.html")))).read_bytes())
    for _ in range(draw(st.integers(1, 8))):
        first = draw(st.integers(0, len(html)))
        end = first + draw(st.integers(0, 300) | st.just(len(html)))
        times = draw(st.integers(0, 20)) if end <= first + 300 else 0  # 0: cut
        repeated = html[first:end] * times
        html = html[:first] + draw(st.just(repeated) | st.binary(max_size=8).map(soup)) + html[end:]
    if draw(st.booleans()):
        return html
    body = bytearray(html.encode("utf-8", "replace"))
    for _ in range(draw(st.integers(0, 20)) if body else 0):
        body[draw(st.integers(0, len(body) - 1))] = draw(st.integers(0, 255))
    return bytes(body)


@given(any_pages | mutations())
@settings(max_examples=450, suppress_health_check=list(HealthCheck), deadline=None)
def test_any_page_is_extracted_and_judged(html: str | bytes) -> None:
    check_all(html)


@given(body=any_pages | mutations(), content_type=st.sampled_from(
    ["text/html", "text/html; charset=utf-8", "text/html; charset=utf-16", "text/html; charset=hex",
     "text/html; charset=gb18030", "text/html;charset=\xff", "application/xhtml+xml", ""]
))  # fmt: skip
@settings(max_examples=150, suppress_health_check=list(HealthCheck), deadline=None)
def test_any_response_has_its_item(body: str | bytes, content_type: str) -> None:
    components = Components()
    item: Any = components.item_of(response_of(as_bytes(body), content_type))
    assert set(item) >= {"main_text", "has_article", "p_value", "main_text_score"}
    assert not components.errors
