"""Bounds of the read pages, each with its stat, and pages that the parser cuts."""

from typing import Any

import pytest
from scrapy.http import HtmlResponse

from scrapy_webtext.page.parser_limits import has_more_elements
from tests.crawls.offline import Components, response_of
from tests.kits import hostile


class Counting(HtmlResponse):
    parsed = 0

    @property
    def selector(self) -> Any:
        type(self).parsed += 1
        return super().selector


@pytest.mark.parametrize(
    ("reason", "body", "excess"),
    [("too_many_elements", b"<p>a</p>" * 1_000, b"<p>a</p>"), ("too_large", b"a" * 50_000, b"a")],
)
def test_a_page_beyond_a_bound_is_counted_and_not_parsed(
    reason: str, body: bytes, excess: bytes
) -> None:
    components = Components(MAX_ELEMENTS=1_000, MAX_BODY_SIZE=50_000)
    assert components.item_of(response_of(body))["main_text"] is not None
    item = components.item_of(response_of(body + excess).replace(cls=Counting))
    assert (item["main_text"], item["has_article"]) == (None, None)
    assert components.stats[f"webtext/responses/skipped/{reason}"] == 1
    assert Counting.parsed == 0


def test_without_bounds_each_page_is_read() -> None:
    components = Components(MAX_ELEMENTS=0, MAX_BODY_SIZE=0, EXTRACTOR="pvalue")
    body = hostile.ARTICLE.encode() + b"<i>" * 60_000 + b" " * 5_000_000
    assert hostile.SENTENCE.strip() in components.item_of(response_of(body))["main_text"]


TAG = f"<p {' '.join(f'a{k}=b' for k in range(100))}>"  # each counts as a tenth
QUOTED = f"<p title='{'a b ' * 100}'>{'c d ' * 100}"


@pytest.mark.parametrize(
    ("body", "low", "high"),
    [
        *((("<p>a" * 10).encode(c), 9, 10) for c in ("utf-8", "utf-16-le", "utf-16-be", "cp1251")),
        (b"</b>" * 50, 49, None),
        *((node * 50, 49, 50) for node in (b"<br>", b"<p>a</p>", b"<!---->", b"<!x>", b"<?x>")),
        (b"</ x>" * 50, 49, 50),
        *((text * 50, None, 50) for text in (b"< p ", b"<", b"a < b > c", b"&lt;p>")),
        ((b"<p class=a>b</p>" + b"c" * 99) * 50, None, 50),
        (TAG.encode() * 101, 1_000, None),
        (TAG.encode() * 99, None, 1_000),
        (QUOTED.encode() * 1_000, None, 1_000),
    ],
)
def test_nodes_end_tags_and_attributes_count(
    body: bytes, low: int | None, high: int | None
) -> None:
    assert low is None or has_more_elements(body, low)
    assert high is None or not has_more_elements(body, high)


@pytest.mark.parametrize("extractor", ["pvalue", "fusion"])
def test_a_page_that_the_parser_cuts_is_counted_and_read(extractor: str) -> None:
    components = Components(EXTRACTOR=extractor)
    html = hostile.LARGE["nested divs"](3_000)
    response = response_of(html.encode())
    item = components.item_of(response)
    assert hostile.SENTENCE.strip() in item["main_text"]
    assert components.stats["webtext/responses/truncated"] == 1
    assert response.css("p") == []  # the spider's own tree is libxml2's
    components.item_of(response_of(hostile.ARTICLE.encode()))
    assert components.stats["webtext/responses/truncated"] == 1
